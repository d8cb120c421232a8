# SPDX-License-Identifier: Apache-2.0
"""A released table's figures as a chart takes them: labels, intervals, and how each is written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.privacy.published_tables import Table
from dpdesk.privacy.usable import YES
from dpdesk.release.bundle.charts.description import (
    MOST_SERIES,
    ChartFigure,
    FigureChart,
    LineSeries,
)
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.readable import POPULATION_ROLES, Form, cell_writer, within
from dpdesk.study.text.number_text import PLUS_MINUS

NOISE: Final[Template] = "privacy noise alone"
NOISE_AND_CHANCE: Final[Template] = "noise and chance, for the population"
LABELS = frozenset({"group", "found", "label", "choice"})
PERCENT = " %"


@dataclass(frozen=True)
class TableFigures:
    """The figures of a table.

    Attributes:
        forms: what the cells of each of its columns are.
    """

    table: Table
    forms: tuple[Form, ...]
    words: ReleaseWords

    @cached_property
    def _places(self) -> dict[str, int]:
        return {column.role: at for at, column in reversed([*enumerate(self.table.columns)])}

    @cached_property
    def _writers(self) -> tuple[Callable[[str], str], ...]:
        return tuple(cell_writer(form, self.words) for form in self.forms)

    @property
    def has_intervals(self) -> bool:
        """Whether each line is one figure with both ends of its interval."""
        return {"value", "half-width", "lowest", "highest"} <= self._places.keys()

    @property
    def is_percent(self) -> bool:
        return self.has_intervals and self.forms[self._places["value"]] == "percent"

    def form_of(self, role: str) -> Form:
        return self.forms[self._places[role]]

    @property
    def unit(self) -> str:
        """Of the figures; a percentage says it itself."""
        return "" if self.is_percent else self.table.columns[self._places["value"]].unit

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Of each line."""
        return tuple(self._label(row, range(len(row))) for row in self.table.rows)

    def _label(self, row: Sequence[str], among: Sequence[int]) -> str:
        columns = self.table.columns
        texts = (
            self._writers[at](row[at]) for at in among if columns[at].role in LABELS and row[at]
        )
        return ", ".join(texts)

    def writer(self, column: int) -> Callable[[str], str]:
        """What writes the cells of a column as people read them."""
        return self._writers[column]

    def label_at(self, line: int, column: int) -> str:
        """One group of a line as people read it."""
        return self._writers[column](self.table.rows[line][column])

    @cached_property
    def figures(self) -> tuple[ChartFigure | None, ...]:
        """Of each line; ``None`` where it says nothing."""
        return tuple(map(self._figure, self.table.rows, self.labels))

    def _figure(self, row: Sequence[str], label: str) -> ChartFigure | None:
        ends = [row[self._places[role]] for role in ("value", "lowest", "highest")]
        if not all(ends):
            return None
        times = 100 if self.is_percent else 1
        value, low, high = (times * float(end) for end in ends)
        mark = self._places.get("mark")
        is_noisy = mark is not None and row[mark] == YES
        beyond = [row[self._places[role]] for role in POPULATION_ROLES if role in self._places]
        has_both = bool(beyond) and all(beyond)
        population = (times * float(beyond[0]), times * float(beyond[1])) if has_both else None
        return ChartFigure(
            label,
            value,
            low,
            high,
            is_noisy,
            self._written(row, "value"),
            self._margin(row),
            population,
            self._within(row) if has_both else "",
        )

    @property
    def interval_names(self) -> tuple[str, ...]:
        """What both intervals are called; empty where there is one."""
        has_both = any(one is not None and one.population for one in self.figures)
        return interval_names(self.words) if has_both else ()

    def written(self, line: int, role: str) -> str:
        """A cell of a line as people read it."""
        return self._written(self.table.rows[line], role)

    def _written(self, row: Sequence[str], role: str) -> str:
        at = self._places[role]
        return self._writers[at](row[at])

    def _margin(self, row: Sequence[str]) -> str:
        text = row[self._places["half-width"]]
        has_one = bool(text.strip("0."))
        return f"{PLUS_MINUS} {self._written(row, 'half-width')}" if has_one else ""

    def _within(self, row: Sequence[str]) -> str:
        """Both ends for the population."""
        low, high = (self._written(row, role) for role in POPULATION_ROLES)
        return within(low, high, self.words)


def interval_names(words: ReleaseWords) -> tuple[str, str]:
    """What the interval of the noise and that for the population are called."""
    return words.say(NOISE), words.say(NOISE_AND_CHANCE)


def bars_of(found: TableFigures, is_line: bool) -> FigureChart:
    """All figures as bars, or joined by a line."""
    behind = PERCENT if found.is_percent else ""
    series = (LineSeries("", found.figures),)
    named = found.interval_names
    return FigureChart(found.labels, series, found.unit, behind, is_line, named)


def lines_of(found: TableFigures, periods: int, names: int) -> FigureChart | None:
    """A line a group over periods; ``None`` where there are more than can be told apart.

    Args:
        periods, names: the columns of the periods and of the groups.
    """
    lines = range(len(found.table.rows))
    labels = tuple(dict.fromkeys(found.label_at(line, periods) for line in lines))
    groups = tuple(dict.fromkeys(found.label_at(line, names) for line in lines))
    if len(groups) > MOST_SERIES:
        return None
    at = {(found.label_at(line, periods), found.label_at(line, names)): line for line in lines}
    series = tuple(
        LineSeries(group, tuple(found.figures[at[label, group]] for label in labels))
        for group in groups
    )
    behind = PERCENT if found.is_percent else ""
    return FigureChart(labels, series, found.unit, behind, True, found.interval_names)
