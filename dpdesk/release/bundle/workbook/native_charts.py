# SPDX-License-Identifier: Apache-2.0
"""A workbook's own charts: bars, lines over periods and curves, their intervals as error bars.

A chart draws cells of its sheet, and holds no figure that is not in one. Those of a block below
all else (``write_drawn``) say each figure as window and report draw it, and how far it is from
both ends of its interval as printed: an error bar of one half-width would pass what is possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import groupby
from math import ceil
from typing import Any, Final, Literal

from dpdesk.catalogue import Template
from dpdesk.privacy.usable import YES
from dpdesk.release.bundle.charts.axis import ticks
from dpdesk.release.bundle.charts.description import MOST_BARS, MOST_CURVES
from dpdesk.release.bundle.charts.figures import NOISE, NOISE_AND_CHANCE
from dpdesk.release.bundle.charts.suitable_charts import BOX, CURVE, FUNNEL, LINE
from dpdesk.release.bundle.readable import POPULATION_ROLES
from dpdesk.release.bundle.report.printed_columns import NOTE, TOO_NOISY
from dpdesk.release.bundle.report.query_chart import Charted
from dpdesk.release.bundle.workbook.cells import Published, hundredths
from dpdesk.release.bundle.workbook.reading_sheet import ReadingSheet

_DRAWN: Final[Template] = "What the chart draws"
_ABOUT: Final[Template] = (
    "Each figure, moved into its interval where noise took it out of what is possible, and how far "
    "it is from both ends of that interval: {which}."
)
_DOWN: Final[Template] = "To the lower end"
_UP: Final[Template] = "To the upper end"
_WHISKERS: Final[Template] = "{figure} (whiskers: {which})"
_HATCHED: Final[Template] = "{across} (hatched bars: {too_noisy})"
_HOLLOW: Final[Template] = "{across} (hollow marks: {too_noisy})"

_SIZE: Final = {"width": 760, "height": 340}
INK: Final = "#0B6380"
_BAND, _GRID, _WHISKER, _QUIET = "#CFE4EC", "#D9DEE2", "#1F2933", "#8A949E"
COLOURS: Final = (INK, "#B45309", "#5B4B9A", "#3F7D4E")
_FILLS: Final = (INK, "#F2C27B", "#7D6FB8", "#DDE9E0")
"""Of bars side by side: dark and light by turns, which black and white keeps."""
_MARKS: Final = ("circle", "square", "triangle", "diamond")
_HATCH: Final = {
    "pattern": {"pattern": "wide_upward_diagonal", "fg_color": _QUIET, "bg_color": "#FFFFFF"},
    "border": {"color": _QUIET, "dash_type": "dash"},
}
_EMPTY: Final = {"fill": {"color": "#FFFFFF"}, "border": {"color": _QUIET}}


@dataclass(frozen=True)
class DrawnFigure:
    """A line of the block.

    Attributes:
        value: in hundredths where it is a share; empty where nothing was released.
        down, up: how far it is from both ends of its interval; empty where it has none.
    """

    value: str
    down: str
    up: str
    is_noisy: bool

    @property
    def low(self) -> float:
        return float(self.value) - float(self.down or 0)

    @property
    def high(self) -> float:
        return float(self.value) + float(self.up or 0)


@dataclass(frozen=True)
class NativeChart:
    """A chart of a table's figures.

    Attributes:
        kind: what the writer of workbooks calls it.
        label: the column of what is across.
        series: the name of each, empty where it is alone, and the lines of the table it draws.
    """

    charted: Charted
    kind: Literal["column", "line", "scatter"]
    label: int
    series: tuple[tuple[str, tuple[int, ...]], ...]

    @classmethod
    def of(cls, charted: Charted) -> NativeChart | None:
        """That of a table without a second grouping; ``None`` where its figures have another."""
        columns, rows, kind = charted.table.columns, charted.table.rows, charted.charts.kinds[0]
        if kind in (BOX, FUNNEL) or not charted.figures.has_intervals:
            return None
        groups = [i for i, column in enumerate(columns) if column.role == "group"]
        at = next((i for i in groups if columns[i].name == "up_to"), None)
        if kind == CURVE and at is not None and at < 2:
            return cls._curves(charted, at)
        if len(groups) != 1 or charted.cross is not None or not 1 < len(rows) <= MOST_BARS:
            return None
        every = tuple(range(len(rows)))
        return cls(charted, "line" if kind == LINE else "column", groups[0], (("", every),))

    @classmethod
    def _curves(cls, charted: Charted, at: int) -> NativeChart | None:
        """A line for each group, from bin to bin."""
        lines = groupby(enumerate(charted.table.rows), key=lambda one: one[1][:at])
        found = [(groups, tuple(place for place, _row in inner)) for groups, inner in lines]
        if len(found) > MOST_CURVES:
            return None
        write = charted.figures.writer(0)
        names = [write(groups[0]) if groups else "" for groups, _lines in found]
        told = tuple((name, own) for name, (_groups, own) in zip(names, found, strict=True))
        return cls(charted, "scatter", at, told)

    @cached_property
    def has_chance(self) -> bool:
        """Whether whiskers are of noise and chance; a curve's are those of its band, as printed."""
        if self.kind == "scatter":
            return False
        told = [self._cells(row, POPULATION_ROLES) for row in self._usable]
        return bool(told) and all(all(ends) for ends in told)

    @property
    def _usable(self) -> list[tuple[str, ...]]:
        return [row for row in self.charted.table.rows if not self._is_noisy(row)]

    @cached_property
    def figures(self) -> tuple[DrawnFigure, ...]:
        """Of each line of the table."""
        return tuple(map(self._figure, self.charted.table.rows))

    def _figure(self, row: tuple[str, ...]) -> DrawnFigure:
        value, low, high = self._cells(row, ("value", "lowest", "highest"))
        if not value:
            return DrawnFigure("", "", "", is_noisy=True)
        drawn = Decimal(value)
        if low and high:
            drawn = min(max(drawn, Decimal(low)), Decimal(high))
        ends = self._cells(row, POPULATION_ROLES) if self.has_chance else (low, high)
        down, up = "", ""
        if all(ends):
            below, above = drawn - Decimal(ends[0]), Decimal(ends[1]) - drawn
            down, up = (self._shown(max(one, Decimal(0))) for one in (below, above))
        return DrawnFigure(self._shown(drawn), down, up, self._is_noisy(row))

    def _shown(self, number: Decimal) -> str:
        text = f"{number:f}"
        return hundredths(text) if self.charted.figures.is_percent else text

    def _cells(self, row: Sequence[str], roles: Iterable[str]) -> tuple[str, ...]:
        """A line's cells by the roles of their columns; empty where there is no such column."""
        at = {column.role: i for i, column in enumerate(self.charted.table.columns)}
        return tuple(row[at[role]] if role in at else "" for role in roles)

    def _is_noisy(self, row: Sequence[str]) -> bool:
        return self._cells(row, ("mark",)) == (YES,)

    @property
    def which(self) -> str:
        """What its whiskers are of."""
        return self.charted.words.say(NOISE_AND_CHANCE if self.has_chance else NOISE)

    def up(self, value: str) -> str:
        """What the upright axis is called: nobody may take whiskers of noise for chance."""
        told = f"{value} (%)" if self.charted.figures.is_percent else value
        return self.charted.words.say(_WHISKERS, figure=told, which=self.which)

    def across(self, head: str) -> str:
        """What the other axis is called, and how figures are drawn that cannot be used."""
        if not any(one.is_noisy and one.value for one in self.figures):
            return head
        say, how = self.charted.words.say, _HATCHED if self.kind == "column" else _HOLLOW
        return say(how, across=head, too_noisy=say(TOO_NOISY))


def write_drawn(sheet: ReadingSheet, drawn: NativeChart, label: str, value: str) -> Any:
    """The block of a chart, and the chart, which is not on the sheet yet.

    Args:
        label, value: what heads the labels and the figures of the table.
    """
    say, figures = drawn.charted.words.say, drawn.charted.figures
    sheet.at += 1
    sheet.line((say(_DRAWN),), sheet.looks.bold)
    sheet.paragraph(say(_ABOUT, which=drawn.which), sheet.looks.quiet)
    unit = f"{value} (%)" if figures.is_percent else value
    heads = (label, unit, say(_DOWN), say(_UP), say(NOTE))
    has_names = any(name for name, _lines in drawn.series)
    at = int(has_names)
    sheet.heads_below([""] * at + [*heads], [False] * at + [False, True, True, True, False])
    options: dict[str, str] = {"type": drawn.kind}
    if drawn.kind == "scatter":
        options["subtype"] = "straight_with_markers"
    chart = sheet.looks.chart(options)
    for number, (name, lines) in enumerate(drawn.series):
        first = sheet.at
        for line in lines:
            sheet.cell(0, name)
            _write_line(sheet, drawn, line, at)
        chart.add_series(_series((sheet.name, first, at), drawn, number))
    chart.set_legend({"position": "bottom"} if has_names else {"none": True})
    return framed(chart, drawn.across(label), drawn.up(value), reach_of(drawn.figures))


def _write_line(sheet: ReadingSheet, drawn: NativeChart, line: int, at: int) -> None:
    """One figure.

    Args:
        at: the column of its label.
    """
    figure, label = drawn.figures[line], drawn.charted.table.rows[line][drawn.label]
    shown = drawn.charted.figures.label_at(line, drawn.label)
    if drawn.kind == "scatter":
        sheet.figure(at, label, shown, "number", sheet.looks.number(label, "number"))
    else:
        sheet.cell(at, shown)
    for place, text in enumerate((figure.value, figure.down, figure.up), start=at + 1):
        if text:
            look = sheet.looks.number(text, "number", "", figure.is_noisy)
            sheet.figure(place, text, text, "number", look)
    if figure.is_noisy:
        sheet.note(at + 4, drawn.charted.words.say(TOO_NOISY))
    sheet.at += 1


def _series(cells: tuple[str, int, int], drawn: NativeChart, number: int) -> dict[str, Any]:
    """One series of a chart, of the lines of its block.

    Args:
        cells: the sheet, the first line, and the column of the labels.
    """
    name, first, at = cells
    told, lines = drawn.series[number]
    figures = [drawn.figures[line] for line in lines]
    last, colour = first + len(lines) - 1, COLOURS[number % len(COLOURS)]
    down, up = (f"='{name}'!${c}${first + 1}:${c}${last + 1}" for c in "CDE"[at : at + 2])
    is_bar = drawn.kind == "column"
    found: dict[str, Any] = {
        "categories": [name, first, at, last, at],
        "values": [name, first, at + 1, last, at + 1],
        "y_error_bars": {
            "type": "custom",
            "minus_values": down,
            "plus_values": up,
            "minus_data": [Published(one.down or "0") for one in figures],
            "plus_data": [Published(one.up or "0") for one in figures],
            "line": {"color": _WHISKER if is_bar or colour == INK else colour, "width": 1},
        },
    }
    if told:
        found["name"] = [name, first, 0]
    if any(one.is_noisy for one in figures):
        noisy = _HATCH if is_bar else _EMPTY
        found["points"] = [noisy if one.is_noisy else None for one in figures]
    if not is_bar:
        width = 1.75 if drawn.kind == "scatter" else 2.25
        return {**found, "line": {"color": colour, "width": width}, "marker": mark_of(number)}
    if len(drawn.series) == 1:
        return {**found, "fill": {"color": _BAND}, "border": {"color": INK}, "gap": 80}
    fill = {"color": _FILLS[number % len(_FILLS)]}
    return {**found, "fill": fill, "border": {"color": _WHISKER, "width": 0.5}, "gap": 60}


def framed(chart: Any, across: str, up: str, reach: dict[str, float], is_text: bool = False) -> Any:
    """A chart with its axes.

    Args:
        across, up: what the axes are called.
        reach: from where to where the upright one goes.
        is_text: what is across are names, where the chart would take days.
    """
    font = {"name_font": {"size": 9, "bold": False}, "num_font": {"size": 9}}
    chart.set_x_axis({"name": across, "text_axis": is_text, "label_position": "low", **font})
    grid = {"visible": True, "line": {"color": _GRID, "width": 0.75}}
    chart.set_y_axis({"name": up, "major_gridlines": grid, **reach, **font})
    chart.set_title({"none": True})
    chart.set_size(_SIZE)
    return chart


def reach_of(figures: Iterable[DrawnFigure]) -> dict[str, float]:
    """From where to where an axis goes, whiskers included, where nothing is drawn below 0.

    What can be used says so, if anything, as in window and report.
    """
    told = [one for one in figures if one.value]
    usable = [one for one in told if not one.is_noisy] or told
    if not usable or min(one.low for one in usable) < 0:
        return {}
    return axis_to(max(one.high for one in usable))


def axis_to(highest: float) -> dict[str, float]:
    """An axis from 0 to the round number above a highest one."""
    first, *others = ticks(0, highest)
    step = others[0].value - first.value if others else highest
    return {"min": 0, "max": round(ceil(highest / step) * step, 9)} if step > 0 else {"min": 0}


def mark_of(number: int) -> dict[str, object]:
    """The mark of one of several series."""
    colour = COLOURS[number]
    return {
        "type": _MARKS[number],
        "size": 5,
        "fill": {"color": colour},
        "border": {"color": colour},
    }
