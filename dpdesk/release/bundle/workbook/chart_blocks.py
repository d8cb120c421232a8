# SPDX-License-Identifier: Apache-2.0
"""The tables that people read first: a cross-table, quantiles side by side, a funnel's points.

Below them are the same figures one a line, with their limits. A spreadsheet's chart draws columns
of cells, which hold the figures that are drawn in window and report (``release.bundle.charts``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, partial
from itertools import chain, groupby, pairwise
from typing import Any, Final, TypeAlias

from dpdesk.catalogue import Template
from dpdesk.privacy.reconcile.cross_totals import AddingTable, CellTotal
from dpdesk.privacy.usable import YES
from dpdesk.release.bundle.charts.description import MOST_BARS, MOST_SERIES
from dpdesk.release.bundle.charts.funnel import Funnel
from dpdesk.release.bundle.charts.funnel_drawing import FunnelWords, words_of
from dpdesk.release.bundle.charts.suitable_charts import FUNNEL
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.readable import POPULATION_ROLES, Form
from dpdesk.release.bundle.report.printed_columns import NOTE, TOO_NOISY
from dpdesk.release.bundle.report.query_chart import ALL, Charted, quantile_name
from dpdesk.release.bundle.workbook.axis_ends import AxisEnds
from dpdesk.release.bundle.workbook.baseline_sheet import noisy_in
from dpdesk.release.bundle.workbook.data_sheets import ChartCells
from dpdesk.release.bundle.workbook.native_charts import (
    BOX_FILLS,
    INK,
    NOT_DRAWN,
    NativeChart,
    framed,
    mark_of,
)
from dpdesk.release.bundle.workbook.reading_sheet import ReadingSheet
from dpdesk.study.text.number_text import rounded
from dpdesk.study.text.titles import measured

_ACROSS: Final[Template] = "{group} side by side"
_QUANTILES: Final[Template] = "Quantiles side by side"
_POINTS: Final[Template] = "Points of the funnel"
_OUTSIDE: Final[Template] = "Outside"
_LOWER: Final[Template] = "{limits}: lower"
_UPPER: Final[Template] = "{limits}: upper"
_FROM: Final[Template] = "from (noise alone, 95 %)"
_TO: Final[Template] = "to (noise alone, 95 %)"
_BETWEEN: Final[Template] = "{low} \N{EN DASH} {high}"
_ABOVE: Final = 1.1
"""How far above the highest box an axis goes, so that its figure has room."""
_DIGITS: Final = 4
_OF_RANGES: Final = 6
"""Digits of the ends of a quantile's range."""
_MOST: Final = 3
"""How many times as high as all points limits of a funnel may be that are drawn."""
_FIRST_LIMIT: Final = 2
"""The column of the first limit of a funnel."""

HeadOf: TypeAlias = Callable[[str], str]
"""The head of a table's column of a role; empty where it has none."""


@dataclass(frozen=True)
class CrossSheet:
    """Where the figures of a cross-table are on its sheet.

    Attributes:
        down, across: the columns of both groupings.
        places: of each line, of each column, which row of the table is there.
        is_line: its lines are periods, which follow one another.
        adding: what its totals follow from; ``None`` where it has none.
    """

    charted: Charted
    down: int
    across: int
    places: tuple[tuple[int, ...], ...]
    is_line: bool = False
    adding: AddingTable | None = None

    @classmethod
    def of(cls, charted: Charted, adding: AddingTable | None) -> CrossSheet | None:
        """Periods down, else the longer grouping; ``None`` of another table."""
        cross = charted.cross
        if cross is None:
            return None
        down, across = (1, 0) if cross.is_turned else (0, 1)
        lines, places = charted.lines_over_periods, cross.places
        if lines is not None and len(lines.labels) == len(places[0]) != len(places):
            down, across, places = across, down, tuple(zip(*places, strict=True))
        return cls(charted, down, across, places, lines is not None, adding)

    @property
    def chart(self) -> NativeChart | None:
        """Its bars or, over periods, its lines; ``None`` of more than a chart tells apart."""
        if len(self.places[0]) > MOST_SERIES or len(self.places) > MOST_BARS:
            return None
        columns = tuple(zip(*self.places, strict=True))
        names = (self._label(places[0], self.across) for places in columns)
        series = tuple(zip(names, columns, strict=True))
        return NativeChart(self.charted, "line" if self.is_line else "column", self.down, series)

    def write(self, sheet: ReadingSheet, head_of: HeadOf) -> None:
        """A line a group, with the totals of lines and columns; see ``_beside``."""
        columns, say = self.charted.table.columns, self.charted.words.say
        sheet.line((say(_ACROSS, group=columns[self.across].title),), sheet.looks.bold)
        names = [self._label(place, self.across) for place in self.places[0]]
        names += [say(ALL)] if self.adding is not None else []
        beside = [head_of(role) for role in self._beside]
        heads = [columns[self.down].title, *(head for name in names for head in (name, *beside))]
        are_numbers = [False, *(True for _head in heads[1:])]
        sheet.heads_below([*heads, say(NOTE)], [*are_numbers, False])
        rows, behind = self.charted.table.rows, len(heads)
        by_line = self._totals((self.down,))
        for places in self.places:
            sheet.cell(0, self._label(places[0], self.down))
            are_noisy = [self._is_noisy(place) for place in places]
            for at, place in enumerate(places):
                self._figure(sheet, 1 + self._step * at, place, are_noisy[at])
            if by_line:
                total = by_line[rows[places[0]][self.down],]
                self._total(sheet, 1 + self._step * len(places), total)
                are_noisy.append(total.is_noisy)
            sheet.note(behind, self._noisy(names, are_noisy))
            sheet.at += 1
        self._write_totals(sheet, names)

    @cached_property
    def _beside(self) -> tuple[str, ...]:
        """What is beside each figure: the range to quote where it has one, else its margin."""
        columns = self.charted.table.columns
        places = [i for i, column in enumerate(columns) if column.role in POPULATION_ROLES]
        is_known = any(row[i] for row in self.charted.table.rows for i in places)
        return POPULATION_ROLES if is_known else ("half-width",)

    @property
    def _step(self) -> int:
        """Columns from one figure to the next."""
        return 1 + len(self._beside)

    def _noisy(self, names: Sequence[str], are_noisy: Sequence[bool]) -> str:
        pairs = zip(names, are_noisy, strict=True)
        return noisy_in((name for name, is_noisy in pairs if is_noisy), self.charted.words)

    def _write_totals(self, sheet: ReadingSheet, names: Sequence[str]) -> None:
        """The line of the totals of columns, and of all."""
        by_column = self._totals((self.across,))
        if not by_column:
            return
        groups = (self.charted.table.rows[place][self.across] for place in self.places[0])
        sheet.cell(0, self.charted.words.say(ALL), sheet.looks.total(is_first=True))
        totals = [*(by_column[group,] for group in groups), self._totals(())[()]]
        for at, total in enumerate(totals):
            self._total(sheet, 1 + self._step * at, total)
        note = self._noisy(names, [total.is_noisy for total in totals])
        sheet.note(1 + self._step * len(names), note, sheet.looks.total(is_first=False))
        sheet.at += 1

    def _totals(self, kept: Sequence[int]) -> Mapping[tuple[str, ...], CellTotal]:
        return {} if self.adding is None else self.adding.totals(kept)

    def _label(self, line: int, column: int) -> str:
        return self.charted.figures.label_at(line, column)

    def _is_noisy(self, line: int) -> bool:
        figure = self.charted.figures.figures[line]
        return figure is None or figure.is_noisy

    def _figure(self, sheet: ReadingSheet, at: int, line: int, is_noisy: bool) -> None:
        row, columns = self.charted.table.rows[line], self.charted.table.columns
        for beside, role in enumerate(("value", *self._beside)):
            place = next(i for i, column in enumerate(columns) if column.role == role)
            _write_number(sheet, at + beside, row[place], self.charted.forms[place], is_noisy)

    def _total(self, sheet: ReadingSheet, at: int, total: CellTotal) -> None:
        """A total with its margin, where that is what is beside figures: it has no other range."""
        has_margin = self._beside == ("half-width",) and bool(total.half_width.strip("0."))
        margin = total.half_width if has_margin else ""
        for beside, text in enumerate((total.value, margin)):
            if text:
                look = sheet.looks.number(text, "number", "", total.is_noisy, is_total=True)
                sheet.figure(at + beside, text, text, "number", look)


@dataclass(frozen=True)
class QuantileSheet:
    """The three quantiles of each group on a line, and their chart.

    The chart has a box from the first to the last, parted at the middle one. Groups that are too
    noisy to use are the last lines, which it does not draw.
    """

    charted: Charted

    @property
    def has_all(self) -> bool:
        """Whether it says all that the lines of the table do: quantiles, and where they are."""
        charts = self.charted.charts
        lines = len(charts.boxes()) * len(charts.quantiles)
        return bool(self._ranges) and lines == len(self.charted.table.rows)

    @cached_property
    def _ranges(self) -> list[tuple[tuple[float, float], ...]]:
        """Of each group those of its quantiles; none where they are not known."""
        ranges = [box.ranges for box in self.charted.charts.boxes_with_ranges()]
        return ranges if all(ranges) else []

    def write(self, sheet: ReadingSheet, cells: ChartCells, head_of: HeadOf, said: str) -> None:
        """The table, and below it the chart; none of noise alone.

        Beside a quantile is between which values the exact one is, else how many it is off.

        Args:
            cells: those of all charts, which are written later.
            said: what the chart is for those who do not see it.
        """
        charted, say = self.charted, self.charted.words.say
        columns = charted.table.columns
        inner = next(i for i, column in enumerate(columns) if column.name == "quantile")
        off = head_of("score-bound")
        ends = say(_FROM), say(_TO)
        beside = ends if self._ranges else (off,) if off else ()
        words = charted.words
        names = [quantile_name(str(one), words) for one in charted.charts.quantiles]
        group = ", ".join(column.title for column in columns[:inner])
        sheet.line((say(_QUANTILES),), sheet.looks.bold)
        figures = [head for name in names for head in (name, *beside)]
        lines = self._lines(inner)
        usable = [one for one in lines if not one[2]]
        notes = [say(NOTE)] if len(usable) < len(lines) else []
        heads = [group, *figures, *notes]
        sheet.heads_below(heads, [False, *(True for _head in figures), *(False for _ in notes)])
        for labels, texts, is_noisy in (*usable, *(one for one in lines if one[2])):
            sheet.cell(0, labels)
            shown = (text for own in texts for text in own[: 1 + len(beside)])
            for place, text in enumerate(shown, start=1):
                _write_number(sheet, place, text, "number", is_noisy)
            sheet.note(len(figures) + 1, say(TOO_NOISY) if is_noisy else "")
            sheet.at += 1
        if usable:
            drawn = [(labels, [own[0] for own in texts]) for labels, texts, _noisy in usable]
            across = say(NOT_DRAWN, across=group, too_noisy=say(TOO_NOISY)) if notes else group
            block = Boxes(tuple(names), drawn, (group, across), self._measured or head_of("value"))
            cells.keep(sheet, sheet.leave_room(), said, partial(block.write, words=words))

    @property
    def _measured(self) -> str:
        """What is along the upright axis."""
        study, asked = self.charted.study, self.charted.query.question.column
        return measured(study, asked) if study is not None and asked else ""

    def _lines(self, inner: int) -> list[tuple[str, list[tuple[str, ...]], bool]]:
        """Of each group its name, its quantiles with what is beside them, and whether it is noise.

        Args:
            inner: the column that says which quantile a row is of.
        """
        charted, ranges = self.charted, self._ranges
        at = {column.role: i for i, column in enumerate(charted.table.columns)}
        value, off, mark = (at.get(role) for role in ("value", "score-bound", "mark"))
        found = []
        for group, (groups, rows) in enumerate(
            groupby(charted.table.rows, key=lambda row: row[:inner])
        ):
            known = {Decimal(row[inner]): row for row in rows}
            drawn = [known[one] for one in charted.charts.quantiles]
            cells: list[tuple[str, ...]] = [
                (row[value or 0], "" if off is None else row[off]) for row in drawn
            ]
            if ranges:
                pairs = zip(cells, ranges[group], strict=True)
                cells = [(own[0], *map(_plain, ends)) for own, ends in pairs]
            labels = ", ".join(charted.figures.writer(i)(text) for i, text in enumerate(groups))
            is_noisy = mark is not None and any(row[mark] == YES for row in drawn)
            found.append((labels or charted.words.say(ALL), cells, is_noisy))
        return found


@dataclass(frozen=True)
class Boxes:
    """A chart of boxes: columns on top of one another, the lowest of which is not seen.

    Attributes:
        names: of the three quantiles.
        drawn: of each group its name and its quantiles.
        across: what the groups are, and the same with what is not drawn of them.
        up: what is measured.
    """

    names: tuple[str, ...]
    drawn: Sequence[tuple[str, Sequence[str]]]
    across: tuple[str, str]
    up: str

    def write(self, sheet: ReadingSheet, words: ReleaseWords) -> Any:
        """The cells that it draws, and the chart, which is not on the sheet yet."""
        low, middle, high = self.names
        say = words.say
        parts = say(_BETWEEN, low=low, high=middle), say(_BETWEEN, low=middle, high=high)
        head, group = sheet.at, self.across[0]
        sheet.heads_below((group, *self.names, *parts), (False, *(True for _ in range(5))))
        for labels, texts in self.drawn:
            numbers = [Decimal(text) for text in texts]
            heights = (f"{b - a:f}" for a, b in pairwise(numbers))
            sheet.cell(0, labels)
            for place, text in enumerate((*texts, *heights), start=1):
                _write_number(sheet, place, text, "number")
            sheet.at += 1
        drawn = [float(text) for _labels, texts in self.drawn for text in texts]
        chart = self._chart(sheet, head, has_boxes=min(drawn) >= 0)
        ends = AxisEnds.of(0.0, *drawn, _ABOVE * max(drawn))
        return framed(chart, self.across[1], self.up, ends, is_text=True)

    def _chart(self, sheet: ReadingSheet, head: int, *, has_boxes: bool) -> Any:
        """Boxes with their figures; below 0, where columns are not on top of others, lines."""
        labelled = self._labelled(sheet, head)
        if not has_boxes:
            labelled.set_high_low_lines({"line": {"color": INK, "width": 6}})
            labelled.set_legend({"none": True})
            return labelled
        chart = self._stacked(sheet, head)
        chart.combine(labelled)
        # In the legend are both halves of a box, and the mark of its middle.
        chart.set_legend({"position": "bottom", "delete_series": [0, 3, 5]})
        return chart

    def _stacked(self, sheet: ReadingSheet, head: int) -> Any:
        """The boxes, on columns that are not seen."""
        chart, none = sheet.looks.chart({"type": "column", "subtype": "stacked"}), {"none": True}
        chart.add_series({**self._cells(sheet, head, 1), "fill": none, "border": none, "gap": 120})
        for place, fill in zip((4, 5), BOX_FILLS, strict=True):
            look = {"fill": {"color": fill}, "border": {"color": INK}}
            chart.add_series({**self._cells(sheet, head, place), **look})
        return chart

    def _labelled(self, sheet: ReadingSheet, head: int) -> Any:
        """The figures beside them, and the marks of the middle ones."""
        chart = sheet.looks.chart({"type": "line"})
        for place, position in ((1, "below"), (2, "right"), (3, "above")):
            mark = {**mark_of(3), "size": 8} if position == "right" else {"type": "none"}
            label = {"value": True, "position": position, "font": {"size": 9}}
            look = {"line": {"none": True}, "marker": mark, "data_labels": label}
            chart.add_series({**self._cells(sheet, head, place), **look})
        return chart

    def _cells(self, sheet: ReadingSheet, head: int, place: int) -> dict[str, Any]:
        """Where a column of the block is, with its name and its groups."""
        first, last = head + 1, head + len(self.drawn)
        return {
            "name": [sheet.name, head, place],
            "categories": [sheet.name, first, 0, last, 0],
            "values": [sheet.name, first, place, last, place],
        }


def write_funnel(
    sheet: ReadingSheet, cells: ChartCells, charted: Charted, value: str, said: str
) -> None:
    """The points and the chart of a funnel, where there is one.

    Args:
        cells: those of all charts, with the limits, which are written later.
        value: what heads the table's figures.
        said: what the chart is for those who do not see it.
    """
    funnel, asked = charted.funnel, charted.charts.asked
    if charted.charts.kinds[0] != FUNNEL or funnel is None or asked is None:
        return
    block = _FunnelBlock(sheet, charted, funnel, words_of(funnel, *asked, charted.words))
    points = block.write(value)
    cells.keep(
        sheet, sheet.leave_room(), said, partial(block.write_limits, points=points, value=value)
    )


@dataclass(frozen=True)
class _FunnelBlock:
    """A funnel while it is written."""

    sheet: ReadingSheet
    charted: Charted
    funnel: Funnel
    words: FunnelWords

    def write(self, value: str) -> tuple[int, int]:
        """Its points, none below 0 as in its table: their first line and their last.

        Args:
            value: what heads the figures of the table.
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
        return first, sheet.at - 1

    def write_limits(self, cells: ReadingSheet, points: tuple[int, int], value: str) -> Any:
        """Of some exposures the rate of all, and both ends of each limit; none below 0.

        Returns:
            The chart, which is not on the sheet yet.
        """
        say, limits = self.charted.words.say, self.funnel.limits
        named = (self.words.limits, self.words.far, self.words.chance)
        ends = [say(which, limits=name) for name in named for which in (_LOWER, _UPPER)]
        heads, head = [self.words.exposure, self.words.all_units, *ends], cells.at
        cells.heads_below(heads, [True for _head in heads])
        for i, exposure in enumerate(limits.exposures):
            halves = (*(level[i] for level in limits.noisy), limits.chance[i])
            centre = self.funnel.centre
            sides = (end for half in halves for end in (max(0.0, centre - half), centre + half))
            for place, number in enumerate((exposure, centre, *sides)):
                _write_computed(cells, place, number)
            cells.at += 1
        return self._drawn(points, (cells.name, head, cells.at - 1), value)

    def _drawn(self, points: tuple[int, int], limits: tuple[str, int, int], value: str) -> Any:
        """The chart.

        Args:
            points: their first line and their last.
            limits: the sheet of the limits, the line of their heads, and their last line.
        """
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
        cells, head, last = limits
        named = (self.words.limits, self.words.far, self.words.chance)
        names = (self.words.all_units, *(name for name in named for _end in (_LOWER, _UPPER)))
        ends = self._ends()
        for place, ((dash, width), title) in enumerate(zip(_LINES, names, strict=True), start=1):
            begins = head + 1 + self._beyond(place, ends)
            chart.add_series(
                {
                    "name": title,
                    "categories": [cells, begins, 0, last, 0],
                    "values": [cells, begins, place, last, place],
                    "line": {"color": INK, "width": width, "dash_type": dash},
                    "marker": {"type": "none"},
                }
            )
        # Of both ends of a limit one is in the legend.
        chart.set_legend({"position": "bottom", "delete_series": [3, 5, 7]})
        exposures = (*self.funnel.limits.exposures, *(one.exposure for one in self.funnel.points))
        return framed(chart, self.words.exposure, value, ends, AxisEnds.of(*exposures))

    def _ends(self) -> AxisEnds:
        """From 0 to all points and limits; limits that are much higher than points begin later."""
        centre, limits = self.funnel.centre, self.funnel.limits
        halves = (*limits.noisy, limits.chance)
        highest = max(0.0, centre, *(point.value for point in self.funnel.points))
        upper = (centre + half for half in chain(*halves))
        return AxisEnds.of(0.0, highest, *(one for one in upper if one <= _MOST * highest))

    def _beyond(self, place: int, ends: AxisEnds) -> int:
        """How many lines of a limit are above the axis: a limit narrows from line to line.

        Args:
            place: the column of the limit.
        """
        level, is_upper = divmod(place - 2, 2)
        if place < _FIRST_LIMIT or not is_upper:
            return 0
        halves = (*self.funnel.limits.noisy, self.funnel.limits.chance)[level]
        return sum(self.funnel.centre + half > ends.high for half in halves)


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


def _plain(number: float) -> str:
    return rounded(Fraction(number), _OF_RANGES)


def _write_computed(sheet: ReadingSheet, place: int, number: float) -> None:
    """A number that follows from released ones, with the digits that matter."""
    _write_number(sheet, place, rounded(Fraction(number), _DIGITS), "number")
