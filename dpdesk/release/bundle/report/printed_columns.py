# SPDX-License-Identifier: Apache-2.0
"""The columns of a query's table as people read them: which, their heads, how cells are written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, overload

from dpdesk.catalogue import Template
from dpdesk.privacy.published_tables import Table, TableColumn
from dpdesk.privacy.statistics.survival.survival import BAND_NAME
from dpdesk.privacy.usable import NO, YES
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.readable import NUMBERS, POPULATION_ROLES, Form, cell_writer, within
from dpdesk.release.bundle.report.query_chart import AT_RISK, UNKNOWN, Charted
from dpdesk.release.bundle.report.report_blocks import FigureRow
from dpdesk.release.record.values import ReleasedQuery
from dpdesk.study.model.statistics import DECLARATIONS
from dpdesk.study.text.unit_names import UnitNames, named_unit

NOTE: Final[Template] = "Note"
HEADINGS: Final[dict[str, Template]] = {
    "value": "Released",
    "choice": "Chosen",
    "found": "Found",
    "label": "Name",
    "half-width": "± 95 %",
    "share-half-width": "± 95 %",
    "aside-half-width": "± 95 %",
    "lowest": "Lowest",
    "highest": "Highest",
    "nearest": "Nearest possible",
    "population-lowest": "Population, lowest",
    "population-highest": "Population, highest",
    "mark": NOTE,
}
_OF_BAND: Final[dict[str, Template]] = {
    "half-width": "Whole curve, ± 95 %",
    "lowest": "Whole curve, lowest",
    "highest": "Whole curve, highest",
}
"""Of all of a curve at once: none of them is the range of one figure."""
TOO_NOISY: Final[Template] = "too noisy to use"
MADE_UP: Final[Template] = "Made up"
"""What heads figures that nobody released."""
_INTERVAL: Final[Template] = "Population, 95 %"
_BY_NAME = frozenset({"bound", "quartile", "share", "beside", "aside"})
"""Roles of which a table has several, or that no one word names."""
_INNER: Final[dict[str, Template]] = {
    "quantile": "Quantile",
    "rank": "Rank",
    "up_to": "Up to",
    "kind": "Kind of event",
    "moment": "Sum",
    "number_of_rows": "Number of {rows}",
}
"""What tells the lines of one group apart."""
COUNTED: Final[dict[str, Template]] = {
    "noisy_rows": "n, about",
    "noisy_events": "Events, about",
    "noisy_exposure": "Exposure, about",
}
"""What a mean or a rate is read beside: noisy numbers, which have no margin."""
ABOUT: Final[Template] = (
    "“About”: noisy numbers that the figure was computed from, without a margin; do not quote them."
)
_STANDARDISED: Final[Template] = "Standardised"
_NAMED: Final[dict[str, Template]] = {
    "lower": "Lower",
    "upper": "Upper",
    "lower_quartile": "Lower quartile",
    "upper_quartile": "Upper quartile",
    "share": "Share",
    "at_risk": AT_RISK,
    "entered": "Entered",
    "events": "Events",
    "censored": "Censored",
    "crude_rate": "Crude",
    "expected": "Expected",
}
"""The columns of a role of which a table has several."""


class PrintedColumn(NamedTuple):
    """A column on paper, made of one of the table's, or of the two ends of an interval.

    Attributes:
        roles: of the table's columns that it says.
        write: what writes its cell of a line.
    """

    head: str
    is_number: bool
    roles: frozenset[str]
    write: Callable[[Sequence[str]], str]


def printed_columns(charted: Charted, names: UnitNames) -> Iterator[PrintedColumn]:
    """The columns of a table on paper: an interval is one, and so is a figure with its margin.

    Where a margin is given, both ends that follow from it are left to the workbook and the file.
    """
    table, words, forms = charted.table, charted.words, charted.forms
    shown = shown_columns(table, charted.query)
    roles = {column.role for _place, column in shown}
    has_margin = {"value", "half-width"} <= roles and not is_curve(table)
    left_out = {"lowest", "highest"} if has_margin else set[str]()
    both = set(POPULATION_ROLES) if roles.issuperset(POPULATION_ROLES) else set[str]()
    for place, column in shown:
        if column.role in left_out or (column.role in both and column.role != POPULATION_ROLES[0]):
            continue
        is_number = forms[place] in NUMBERS
        write = column_writer(column, forms[place], words)
        if column.role in both:
            last = next(at for at, one in shown if one.role == POPULATION_ROLES[1])
            written = _between((place, last), write, words)
            yield PrintedColumn(words.say(_INTERVAL), is_number, frozenset(both), written)
            continue
        said = {column.role, *(left_out if column.role == "value" else ())}
        head = column_heading(column, forms[place], names, words)
        if column.role == "value" and any(one.name == "crude_rate" for _at, one in shown):
            head = head.replace(words.say(HEADINGS["value"]), words.say(_STANDARDISED), 1)
        yield PrintedColumn(head, is_number, frozenset(said), _of_place(place, write))


def _of_place(place: int, write: Callable[[str], str]) -> Callable[[Sequence[str]], str]:
    return lambda row: write(row[place])


def _between(
    places: tuple[int, int], write: Callable[[str], str], words: ReleaseWords
) -> Callable[[Sequence[str]], str]:
    """Both ends of an interval; one that is not known leaves the other."""

    def written(row: Sequence[str]) -> str:
        low, high = (write(row[at]) for at in places)
        if not (low and high):
            return low or high
        return within(low, high, words)

    return written


def is_curve(table: Table) -> bool:
    """Whether a table has the lines of curves over time."""
    return any(column.role == "beside" for column in table.columns)


def is_of_band(column: TableColumn) -> bool:
    """Whether a column is of all of a curve at once."""
    return column.role in _OF_BAND and column.name.startswith(BAND_NAME)


def shown_columns(table: Table, query: ReleasedQuery) -> list[tuple[int, TableColumn]]:
    """All but the noisy parts, and but what has nothing to say in any line.

    What a mean or a rate is of is shown beside it.
    """
    says_nothing = {"nearest": "", "mark": NO}
    # A curve has its events, fitted, among its figures.
    shown_parts = COUNTED if DECLARATIONS[query.statistic].is_ratio and not is_curve(table) else {}
    rows: Sequence[Sequence[str | None]] = table.rows or [[None] * len(table.columns)]
    return [
        (place, column)
        for place, column in enumerate(table.columns)
        if (column.role != "part" or column.name in shown_parts)
        and any(row[place] != says_nothing.get(column.role) for row in rows)
    ]


@dataclass(frozen=True)
class WrittenRows(Sequence[FigureRow]):
    """The lines of a table as people read them, each written when it is asked for.

    A table may have 100,000 lines, of which the pages print two hundred.

    Attributes:
        writers: what writes each cell of a line.
        mark: the place of the column that says what is too noisy, where it is shown.
    """

    rows: tuple[tuple[str, ...], ...]
    writers: tuple[Callable[[Sequence[str]], str], ...]
    mark: int | None

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, place: int) -> FigureRow: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[FigureRow]: ...

    def __getitem__(self, place: int | slice) -> FigureRow | Sequence[FigureRow]:
        if isinstance(place, slice):
            return replace(self, rows=self.rows[place])
        row = self.rows[place]
        cells = tuple([write(row) for write in self.writers])
        return FigureRow(cells, self.mark is not None and row[self.mark] == YES)


def column_writer(column: TableColumn, form: Form, words: ReleaseWords) -> Callable[[str], str]:
    """What writes the cells of one column as people read them."""
    write = cell_writer(form, words)
    if column.role == "mark":
        noisy = words.say(TOO_NOISY)
        return lambda text: noisy if text == YES else ""
    if column.role == "score-bound":
        unknown = words.say(UNKNOWN)
        return lambda text: write(text) if text else unknown
    return write


def column_heading(column: TableColumn, form: Form, names: UnitNames, words: ReleaseWords) -> str:
    """What heads a column, with its unit in brackets."""
    if column.role == "score-bound":
        what = named_unit(column.name.partition("_")[0], names)
        return words.say("Distance at most, 95 % ({unit})", unit=what)
    if column.role == "part" and column.name in COUNTED:
        head = words.say(COUNTED[column.name])
        return f"{head} ({column.unit})" if column.unit else head
    if column.role == "group" and column.name in _INNER and not column.title:
        inner = words.say(_INNER[column.name], rows=names.rows)
        return f"{inner} ({column.unit})" if column.unit else inner
    known = column.role in HEADINGS
    heading = words.say(HEADINGS[column.role]) if known else column.title or column.name
    if is_of_band(column):
        heading = words.say(_OF_BAND[column.role])
    if column.role in _BY_NAME:
        is_named = column.name in _NAMED
        name = words.say(_NAMED[column.name]) if is_named else column.name.replace("_", " ")
        heading = f"{name[:1].upper()}{name[1:]}"
    unit = names.points if form == "points" else column.unit
    return f"{heading} ({unit})" if unit else heading
