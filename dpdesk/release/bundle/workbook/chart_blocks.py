# SPDX-License-Identifier: Apache-2.0
"""Figures set out for a chart, below the table that has them one a line, and their charts.

A spreadsheet's chart draws columns of cells. So one grouping of a cross-table is across, the
quantiles of a group are on one line, and a funnel has its points and limits. These cells hold
the figures that are drawn in window and report (``release.bundle.charts``); a chart holds no other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import groupby
from typing import Any, Final

from dpdesk.catalogue import Template
from dpdesk.release.bundle.charts.description import MOST_BARS, MOST_SERIES
from dpdesk.release.bundle.charts.funnel import Funnel
from dpdesk.release.bundle.charts.funnel_drawing import FunnelWords, words_of
from dpdesk.release.bundle.charts.suitable_charts import BOX, FUNNEL
from dpdesk.release.bundle.readable import Form
from dpdesk.release.bundle.report.query_chart import ALL, Charted, quantile_name
from dpdesk.release.bundle.workbook.native_charts import (
    COLOURS,
    INK,
    framed,
    low_of,
    mark_of,
    reach_of,
    whiskers,
    with_margin,
)
from dpdesk.release.bundle.workbook.reading_sheet import ReadingSheet
from dpdesk.study.text.number_text import PLUS_MINUS, rounded

_ACROSS: Final[Template] = "{group} side by side"
_QUANTILES: Final[Template] = "Quantiles side by side"
_POINTS: Final[Template] = "Points of the funnel"
_LIMITS: Final[Template] = "Limits of the funnel"
_OUTSIDE: Final[Template] = "Outside"
_LOWER: Final[Template] = "{limits}: lower"
_UPPER: Final[Template] = "{limits}: upper"
_FROM_TO: Final[Template] = "{low} to {high}, mark: {middle}"
_DIGITS: Final = 4
_MARGIN = f"{PLUS_MINUS} 95 %"


def write_chart_block(sheet: ReadingSheet, charted: Charted, value: str, said: str) -> bool:
    """The block and the chart of a table that a chart cannot draw as it is.

    Args:
        value: what heads the table's figures.
        said: what the chart is for those who do not see it.

    Returns:
        Whether there is one.
    """
    kind, funnel, asked = charted.charts.kinds[0], charted.funnel, charted.charts.asked
    if kind == FUNNEL and funnel is not None and asked is not None:
        words = words_of(funnel, *asked, charted.words)
        _FunnelBlock(sheet, charted, funnel, words).write(value, said)
        return True
    if kind == BOX:
        _write_quantiles(sheet, charted, value, said)
        return True
    grid = _Grid.of(charted)
    if grid is not None:
        _write_across(sheet, grid, value, said)
    return grid is not None


def _write_across(sheet: ReadingSheet, grid: _Grid, value: str, said: str) -> None:
    """A cross-table, and its bars or, over periods, its lines."""
    charted = grid.charted
    columns, say = charted.table.columns, charted.words.say
    sheet.at += 1
    sheet.line((say(_ACROSS, group=columns[grid.across].title),), sheet.looks.bold)
    names = [charted.figures.label_at(place, grid.across) for place in grid.places[0]]
    heads = [columns[grid.down].title, *(head for name in names for head in (name, _MARGIN))]
    sheet.heads_below(heads, [False, *(True for _head in heads[1:])])
    head, first = sheet.at - 1, sheet.at
    for places in grid.places:
        sheet.cell(0, charted.figures.label_at(places[0], grid.down))
        for at, place in enumerate(places):
            row = charted.table.rows[place]
            is_noisy = (figure := charted.figures.figures[place]) is None or figure.is_noisy
            for beside, (text, form) in enumerate(grid.figures(row)):
                _write_number(sheet, 1 + 2 * at + beside, text, form, is_noisy)
        sheet.at += 1
    chart = sheet.looks.chart({"type": "line" if grid.is_line else "column"})
    last = sheet.at - 1
    for number, colour in zip(range(len(names)), COLOURS, strict=False):
        at = 1 + 2 * number
        known = [charted.table.rows[places[number]][grid.margin] for places in grid.places]
        look = {"line": {"color": colour, "width": 2.25}, "marker": mark_of(number)}
        chart.add_series(
            {
                "name": [sheet.name, head, at],
                "categories": [sheet.name, first, 0, last, 0],
                "values": [sheet.name, first, at, last, at],
                "y_error_bars": whiskers((sheet.name, first, at + 1, last), known, colour),
                **(look if grid.is_line else {"fill": {"color": colour}, "gap": 60}),
            }
        )
    chart.set_legend({"position": "bottom"})
    is_percent = charted.forms[grid.value] == "percent"
    rows = charted.table.rows
    ends = [(row[grid.value], row[grid.margin], low_of(charted, row)) for row in rows]
    framed(chart, heads[0], with_margin(charted, value), reach_of(ends), is_percent)
    sheet.chart(chart, said)


@dataclass(frozen=True)
class _Grid:
    """Where the figures of a cross-table are.

    Attributes:
        down, across: the columns of both groupings.
        places: of each line, of each column, which row of the table is there.
        value, margin: the columns of the figures.
        is_line: its lines are periods, which follow one another.
    """

    charted: Charted
    down: int
    across: int
    places: tuple[tuple[int, ...], ...]
    is_line: bool = False

    @classmethod
    def of(cls, charted: Charted) -> _Grid | None:
        """Periods down, else the longer grouping; ``None`` of more than a chart tells apart."""
        cross = charted.cross
        if cross is None:
            return None
        down, across = (1, 0) if cross.is_turned else (0, 1)
        lines, places = charted.lines_over_periods, cross.places
        if lines is not None and len(lines.labels) == len(places[0]) != len(places):
            down, across, places = across, down, tuple(zip(*places, strict=True))
        if len(places[0]) > MOST_SERIES or len(places) > MOST_BARS:
            return None
        return cls(charted, down, across, places, is_line=lines is not None)

    @property
    def value(self) -> int:
        return self._place("value")

    @property
    def margin(self) -> int:
        return self._place("half-width")

    def _place(self, role: str) -> int:
        columns = self.charted.table.columns
        return next(i for i, column in enumerate(columns) if column.role == role)

    def figures(self, row: Sequence[str]) -> tuple[tuple[str, Form], ...]:
        """A row's figure and its margin, each with what it is."""
        return tuple((row[i], self.charted.forms[i]) for i in (self.value, self.margin))


def _write_quantiles(sheet: ReadingSheet, charted: Charted, value: str, said: str) -> None:
    """The three quantiles of each group on a line: a bar between the outer ones, with a mark."""
    columns, say = charted.table.columns, charted.words.say
    roles = [column.role for column in columns]
    inner = next(i for i, column in enumerate(columns) if column.name == "quantile")
    at = roles.index("value")
    wanted = charted.charts.quantiles
    names = [quantile_name(str(one), charted.words) for one in wanted]
    sheet.at += 1
    sheet.line((say(_QUANTILES),), sheet.looks.bold)
    group = ", ".join(column.title for column in columns[:inner])
    sheet.heads_below([group, *names], [False, True, True, True])
    head, first = sheet.at - 1, sheet.at
    ends: list[tuple[str, str, str]] = []
    for groups, rows in groupby(charted.table.rows, key=lambda row: row[:inner]):
        values = {Decimal(row[inner]): row[at] for row in rows}
        labels = [charted.figures.writer(i)(text) for i, text in enumerate(groups)]
        sheet.cell(0, ", ".join(labels) or say(ALL))
        for place, one in enumerate(wanted, start=1):
            _write_number(sheet, place, values[one], charted.forms[at])
            ends.append((values[one], "", values[one]))
        sheet.at += 1
    chart, last = sheet.looks.chart({"type": "stock"}), sheet.at - 1
    for place in (3, 1, 2):
        chart.add_series(
            {
                "name": [sheet.name, head, place],
                "categories": [sheet.name, first, 0, last, 0],
                "values": [sheet.name, first, place, last, place],
                "line": {"none": True},
                "marker": {**mark_of(3), "size": 9} if place == 2 else {"type": "none"},
            }
        )
    chart.set_high_low_lines({"line": {"color": INK, "width": 6}})
    chart.set_legend({"none": True})
    low, middle, high = names
    drawn = say(_FROM_TO, low=low, middle=middle, high=high)
    framed(chart, group, f"{value}. {drawn}", reach_of(ends), is_text=True)
    sheet.chart(chart, said)


@dataclass(frozen=True)
class _FunnelBlock:
    """A funnel while it is written."""

    sheet: ReadingSheet
    charted: Charted
    funnel: Funnel
    words: FunnelWords

    def write(self, value: str, said: str) -> None:
        """Its points, none below 0 as in its table, its chart, and below it the limits.

        Args:
            value: what heads the figures of the table.
            said: what the chart is for those who do not see it.
        """
        sheet, say = self.sheet, self.charted.words.say
        sheet.at += 1
        sheet.line((say(_POINTS),), sheet.looks.bold)
        unit = self.charted.table.columns[0].title
        heads = (unit, self.words.exposure, value, say(_OUTSIDE))
        sheet.heads_below(heads, (False, True, True, False))
        first = sheet.at
        beyond = ("", self.words.limits, self.words.far)
        for point in self.funnel.points:
            sheet.cell(0, point.name)
            for place, number in enumerate((point.exposure, max(0.0, point.value)), start=1):
                _write_computed(sheet, place, number)
            sheet.cell(3, beyond[point.outside])
            sheet.at += 1
        points = first, sheet.at - 1
        room = sheet.leave_room()
        sheet.at += 1
        sheet.line((say(_LIMITS),), sheet.looks.bold)
        head = sheet.at
        self._write_limits()
        sheet.chart(self._drawn(points, head, value), said, room)

    def _write_limits(self) -> None:
        """Of some exposures the rate of all, and both ends of each limit; none below 0."""
        sheet, say, limits = self.sheet, self.charted.words.say, self.funnel.limits
        named = (self.words.limits, self.words.far, self.words.chance)
        ends = [say(which, limits=name) for name in named for which in (_LOWER, _UPPER)]
        heads = [self.words.exposure, self.words.all_units, *ends]
        sheet.heads_below(heads, [True for _head in heads])
        for i, exposure in enumerate(limits.exposures):
            halves = (*(level[i] for level in limits.noisy), limits.chance[i])
            centre = self.funnel.centre
            sides = (end for half in halves for end in (max(0.0, centre - half), centre + half))
            for place, number in enumerate((exposure, centre, *sides)):
                _write_computed(sheet, place, number)
            sheet.at += 1

    def _drawn(self, points: tuple[int, int], head: int, value: str) -> Any:
        sheet, name = self.sheet, self.sheet.name
        chart = sheet.looks.chart({"type": "scatter", "subtype": "straight"})
        chart.add_series(
            {
                "name": value,
                "categories": [name, points[0], 1, points[1], 1],
                "values": [name, points[0], 2, points[1], 2],
                "line": {"none": True},
                "marker": mark_of(0),
            }
        )
        first, last = head + 1, sheet.at - 1
        named = (self.words.limits, self.words.far, self.words.chance)
        names = (self.words.all_units, *(name for name in named for _end in (_LOWER, _UPPER)))
        for place, ((dash, width), title) in enumerate(zip(_LINES, names, strict=True), start=1):
            chart.add_series(
                {
                    "name": title,
                    "categories": [name, first, 0, last, 0],
                    "values": [name, first, place, last, place],
                    "line": {"color": INK, "width": width, "dash_type": dash},
                    "marker": {"type": "none"},
                }
            )
        # Of both ends of a limit one is in the legend.
        chart.set_legend({"position": "bottom", "delete_series": [3, 5, 7]})
        half = max(self.funnel.limits.noisy[-1])
        values = [point.value for point in self.funnel.points]
        highest = max(*values, min(self.funnel.centre + half, 3 * self.funnel.centre))
        return framed(chart, self.words.exposure, value, reach_of([(str(highest), "", "")]))


_LINES: Final = (
    ("solid", 1.5),
    *(("solid", 1.0),) * 2,
    *(("round_dot", 1.0),) * 2,
    *(("dash", 0.75),) * 2,
)
"""Of the rate of all units, and both ends of each limit: as in the report."""


def _write_number(
    sheet: ReadingSheet, place: int, text: str, form: Form, is_quiet: bool = False
) -> None:
    if text:
        look = sheet.looks.number(text, form, "", is_quiet)
        sheet.figure(place, text, text, form, look)


def _write_computed(sheet: ReadingSheet, place: int, number: float) -> None:
    """A number that follows from released ones, with the digits that matter."""
    _write_number(sheet, place, rounded(Fraction(number), _DIGITS), "number")
