# SPDX-License-Identifier: Apache-2.0
"""The comparisons of a query's groups, as files and as people read them in report and window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.privacy.group_comparisons.null_tables import DRAWS
from dpdesk.privacy.published_tables import Table
from dpdesk.release.bundle.csv_format import csv_bytes
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.readable import cell_writer, forms_of
from dpdesk.release.record.values import ReleasedQuery, ReleaseRecord
from dpdesk.study.model.statistics import DECLARATIONS
from dpdesk.study.text.number_text import in_column, in_text

FOLDER: Final = "comparisons"

COMPARED: Final[Template] = "Groups compared"
COMPARED_MEANING: Final[Template] = (
    "Computed from the released figures, at no cost. “Population” counts noise and chance "
    "together, if each row is another person: 95 times in 100 the figure of the population is "
    "within it. p says how often noise and chance alone would make as large a difference if the "
    "groups were alike."
)
_MODEL_MEANING: Final[Template] = (
    "A model compares groups of people who are alike in all its other groups, as if each effect "
    "were the same in all of these. Groups that noise leaves too little of are not in it."
)
_TEST_MEANING: Final[Template] = (
    "Chi-squared: each cell's distance from what alike groups would have, beside chance and noise "
    "together. So a table of chi-squared does not give its p: that is how many of 10,000 tables of "
    "alike groups, drawn with chance and this noise, have one as large."
)
_HEADS: Final[Mapping[str, Template]] = {
    "compared": "Compared",
    "measure": "Figure",
    "value": "Released",
    "population-lowest": "Population, lowest",
    "population-highest": "Population, highest",
    "p-value": "p",
    "why": "Note",
}
_ENDS: Final = slice(3, 5)
"""The places of both ends of an interval."""
_INTERVAL: Final[Template] = "Population, 95 %"
_FROM_TO: Final[Template] = "{lowest} to {highest}"
_PAIR: Final[Template] = "{group} with {reference}"
_ALL: Final[Template] = "all groups of {columns}"
MEASURES: Final[Mapping[str, Template]] = {
    "difference": "Difference{unit}",
    "ratio": "Ratio",
    "odds-ratio": "Odds ratio",
    "change-per-group": "Change from each group to the next{unit}",
    "modelled-odds-ratio": "Odds ratio (logistic model)",
    "modelled-rate-ratio": "Rate ratio (Poisson model)",
    "modelled-difference": "Difference{unit} (linear model)",
    "chi-squared": "Chi-squared (degrees of freedom: {freedom})",
}
_WHY: Final[Mapping[str, Template]] = {
    "not-positive": "no figure: with this noise one of both is not above 0",
    "no-interval": "no interval: a group is too small, or too large, for one",
    "noise": "no p: the noise is too large beside these groups",
    "no-effect": "no figure: noise leaves too little of one of both groups",
    "not-measured": "no p: its level is not known for means",
}
AT_MOST: Final[Template] = "at most {p}"
_NUMERIC: Final = frozenset({"value", "population-lowest", "population-highest", "p-value"})
_LEAST_P: Final = Decimal(1) / (DRAWS + 1)


def compared_file(query: ReleasedQuery) -> str:
    """The file of a query's comparisons."""
    return f"{FOLDER}/{query.name}.csv"


def compared_file_names(record: ReleaseRecord) -> set[str]:
    """The names of the files of a release's comparisons."""
    study = record.study.study
    asked = {} if study is None else {query.id: query for query in study.queries}
    return {
        compared_file(one)
        for one in record.queries
        if one.id in asked and asked[one.id].comparisons
    }


def compares_groups(record: ReleaseRecord, query: ReleasedQuery) -> bool:
    """Whether a query's groups are compared."""
    return compared_file(query) in compared_file_names(record)


def compared_files(queries: Sequence[ReleasedQuery], tables: Sequence[Table]) -> dict[str, bytes]:
    """The files of a release's comparisons, by name.

    Args:
        queries: of the release.
        tables: one for each query, in the same order.

    Raises:
        Refused: ``figure-malformed`` (param table).
    """
    return {
        compared_file(query): csv_bytes(table.compared)
        for query, table in zip(queries, tables, strict=True)
        if table.compared is not None
    }


@dataclass(frozen=True)
class ComparedText:
    """A query's comparisons in a language.

    Attributes:
        heads: of each column; the last is left out where no line has a note.
        numeric: which columns hold numbers.
        rows: texts, one a column.
        figures: the same for programs: a plain number where the text is one, else nothing.
        meaning: what they mean.
        interval: what heads both ends in one column, and the form of such a cell.
    """

    heads: tuple[str, ...]
    numeric: tuple[bool, ...]
    rows: tuple[tuple[str, ...], ...]
    figures: tuple[tuple[str, ...], ...]
    meaning: str
    interval: tuple[str, str]

    @property
    def read_heads(self) -> tuple[str, ...]:
        """The heads where both ends of an interval are one cell, as a page has room for."""
        return _with_interval(self.heads, self.interval[0])

    @property
    def read_numeric(self) -> tuple[bool, ...]:
        """Which of these columns hold numbers."""
        return (*self.numeric[: _ENDS.start], True, *self.numeric[_ENDS.stop :])

    @property
    def read_rows(self) -> tuple[tuple[str, ...], ...]:
        """The rows below these heads."""
        return tuple(_with_interval(row, self._interval(*row[_ENDS])) for row in self.rows)

    def _interval(self, lowest: str, highest: str) -> str:
        is_there = lowest or highest
        return self.interval[1].format(lowest=lowest, highest=highest) if is_there else ""


def _with_interval(row: tuple[str, ...], interval: str) -> tuple[str, ...]:
    return (*row[: _ENDS.start], interval, *row[_ENDS.stop :])


def compared_text(
    table: Table, query: ReleasedQuery, words: ReleaseWords, points: str
) -> ComparedText | None:
    """What a query's comparisons say; ``None`` where it has none.

    Args:
        table: the query's, its comparisons beside it.
        points: what percentage points are called.
    """
    if table.compared is None:
        return None
    lines = _Lines(table, query, words, points)
    rows = tuple(map(lines.texts, table.compared.rows))
    # Without a note in any line that column is left out.
    kept = len(_HEADS) - (not any(row[-1] for row in rows))
    heads = tuple(words.say(head) for head in _HEADS.values())[:kept]
    numeric = tuple(role in _NUMERIC for role in _HEADS)[:kept]
    figures = tuple(lines.figures(row)[:kept] for row in table.compared.rows)
    said = [words.say(COMPARED_MEANING)]
    if any(map(lines.is_modelled, table.compared.rows)):
        said.append(words.say(_MODEL_MEANING))
    if any(map(lines.is_test, table.compared.rows)):
        said.append(words.say(_TEST_MEANING))
    meaning = " ".join(said)
    interval = words.say(_INTERVAL), words.say(_FROM_TO, lowest="{lowest}", highest="{highest}")
    shown = tuple(row[:kept] for row in rows)
    return ComparedText(heads, numeric, shown, figures, meaning, interval)


class _Lines:
    """What writes the lines of one query's comparisons."""

    def __init__(
        self, table: Table, query: ReleasedQuery, words: ReleaseWords, points: str
    ) -> None:
        self._words, self._is_share = words, DECLARATIONS[query.statistic].is_share
        pairs = zip(table.columns, forms_of(table, query), strict=True)
        self._groups = [
            (column.name, column.title or column.name, cell_writer(form, words))
            for column, form in pairs
            if column.role == "group"
        ]
        units = [column.unit for column in table.columns if column.role == "value"]
        unit = points if self._is_share else units[0] if units else ""
        self._unit = f" ({unit})" if unit else ""

    def is_modelled(self, row: tuple[str, ...]) -> bool:
        """Whether a line is of a model."""
        return self._measure(row).startswith("modelled")

    def is_test(self, row: tuple[str, ...]) -> bool:
        """Whether a line is a test of all groups."""
        return self._measure(row) == "chi-squared"

    def _measure(self, row: tuple[str, ...]) -> str:
        return row[len(self._groups) + 2]

    def texts(self, row: tuple[str, ...]) -> tuple[str, ...]:
        """A line: what is compared, which figure, its value, both ends, p, and what is missing."""
        say, many = self._words.say, len(self._groups)
        labels, (by, reference, measure, *numbers, freedom, p, why) = row[:many], row[many:]
        figure = say(MEASURES[measure], unit=self._unit, freedom=freedom)
        shown = (in_column(one, self._words.numbers) for one in self._read(measure, numbers))
        compared = self._compared(labels, by, reference)
        note = say(_WHY[why]) if why else ""
        return (compared, figure, *shown, self._p(p), note)

    def figures(self, row: tuple[str, ...]) -> tuple[str, ...]:
        """The numbers of a line, plain, where people read numbers."""
        _by, _reference, measure, *numbers, _freedom, p, _why = row[len(self._groups) :]
        own = "" if p and Decimal(p) <= _LEAST_P else p
        return ("", "", *self._read(measure, numbers), own, "")

    def _read(self, measure: str, numbers: Sequence[str]) -> tuple[str, ...]:
        """Plain numbers in the unit in which they are read: shares in hundredths."""
        if not (self._is_share and measure in ("difference", "change-per-group")):
            return tuple(numbers)
        return tuple(f"{Decimal(one).scaleb(2):f}" if one else "" for one in numbers)

    def _compared(self, labels: tuple[str, ...], by: str, reference: str) -> str:
        """ "M with F (2023)", or "all groups of Year (F)"."""
        named = list(zip(labels, self._groups, strict=True))
        outer = [write(label) for label, (name, _title, write) in named if label and name != by]
        if reference:
            pairs = ((label, write) for label, (name, _title, write) in named if name == by)
            label, write = next(pairs)
            shown = self._words.say(_PAIR, group=write(label), reference=write(reference))
        else:
            titles = [title for label, (_name, title, _write) in named if not label]
            shown = self._words.say(_ALL, columns=", ".join(titles))
        return f"{shown} ({', '.join(outer)})" if outer else shown

    def _p(self, p: str) -> str:
        if not p:
            return ""
        text = in_text(p, self._words.numbers)
        return self._words.say(AT_MOST, p=text) if Decimal(p) <= _LEAST_P else text
