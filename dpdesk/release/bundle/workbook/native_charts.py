# SPDX-License-Identifier: Apache-2.0
"""A workbook's own charts: bars, lines over periods and curves, their intervals as error bars.

A chart draws cells of the sheet of all charts, and holds no figure that is not in one. Those of a
block (``write_drawn``) say each figure as window and report draw it, and how far it is from both
ends of its interval as printed: an error bar of one half-width would pass what is possible. Curves
over time go by steps: below their figures are the corners of these.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from itertools import groupby
from typing import Any, Final, Literal

from dpdesk.catalogue import Template
from dpdesk.privacy.usable import YES
from dpdesk.release.bundle.charts.curve_drawing import reach
from dpdesk.release.bundle.charts.description import FULL, MOST_BARS, MOST_CURVES, Curve
from dpdesk.release.bundle.charts.figures import NOISE, NOISE_AND_CHANCE
from dpdesk.release.bundle.charts.suitable_charts import BOX, CURVE, FUNNEL, LINE
from dpdesk.release.bundle.readable import POPULATION_ROLES
from dpdesk.release.bundle.report.printed_columns import NOTE, TOO_NOISY
from dpdesk.release.bundle.report.query_chart import Charted, step_words
from dpdesk.release.bundle.workbook.axis_ends import AxisEnds
from dpdesk.release.bundle.workbook.cells import Published, hundredths
from dpdesk.release.bundle.workbook.reading_sheet import ReadingSheet

_ABOUT: Final[Template] = (
    "Each figure, moved to what is possible where noise took it out of that, and how far it is "
    "from both ends of its interval: {which}."
)
_DOWN: Final[Template] = "To the lower end"
_UP: Final[Template] = "To the upper end"
_WHISKERS: Final[Template] = "{figure} (whiskers: {which})"
_HATCHED: Final[Template] = "{across} (hatched bars: {too_noisy})"
_HOLLOW: Final[Template] = "{across} (hollow marks: {too_noisy})"
NOT_DRAWN: Final[Template] = "{across} (not drawn: groups that are {too_noisy})"
_STEPS: Final[Template] = "Corners of the steps"
_ABOUT_STEPS: Final[Template] = (
    "A curve keeps its value until its next step. It ends where noise may leave nobody at risk."
)

_SIZE: Final = {"width": 760, "height": 340}
INK: Final = "#0B6380"
_BAND, _GRID, _WHISKER, _QUIET = "#CFE4EC", "#D9DEE2", "#1F2933", "#8A949E"
COLOURS: Final = (INK, "#B45309", "#5B4B9A", "#3F7D4E")
_FILLS: Final = (INK, "#F2C27B", "#7D6FB8", "#DDE9E0")
"""Of bars side by side: dark and light by turns, which black and white keeps."""
BOX_FILLS: Final = (_BAND, "#8FBDCD")
"""Of both halves of a box."""
_MARKS: Final = ("circle", "square", "triangle", "diamond")
_HATCH: Final = {
    "pattern": {"pattern": "wide_upward_diagonal", "fg_color": _QUIET, "bg_color": "#FFFFFF"},
    "border": {"color": _QUIET, "dash_type": "dash"},
}
_EMPTY: Final = {"fill": {"color": "#FFFFFF"}, "border": {"color": _QUIET}}
_DASHES: Final = ("solid", "dash", "round_dot", "dash_dot")
"""Of curves, as in window and report, so that black and white keeps them."""


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
        return float(Decimal(self.value) - Decimal(self.down or 0))

    @property
    def high(self) -> float:
        return float(Decimal(self.value) + Decimal(self.up or 0))


@dataclass(frozen=True)
class DrawnPoint:
    """A line of the block of a chart.

    Attributes:
        label: what is across, as in the table; ``shown`` as people read it.
    """

    label: str
    shown: str
    figure: DrawnFigure


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
        series = tuple((name, own) for name, (_groups, own) in zip(names, found, strict=True))
        return cls(charted, "scatter", at, series)

    @property
    def named(self) -> str:
        """What its series are, where each has a name."""
        columns = enumerate(self.charted.table.columns)
        groups = (one.title for i, one in columns if one.role == "group" and i != self.label)
        return next(groups, "")

    @cached_property
    def has_chance(self) -> bool:
        """Whether whiskers are of noise and chance; a curve's are those of its band, as printed."""
        if self.kind == "scatter":
            return False
        ranges = [self._cells(row, POPULATION_ROLES) for row in self._usable]
        return bool(ranges) and all(all(ends) for ends in ranges)

    @property
    def _usable(self) -> list[tuple[str, ...]]:
        return [row for row in self.charted.table.rows if not self._is_noisy(row)]

    @cached_property
    def figures(self) -> tuple[DrawnFigure, ...]:
        """Of each line of the table.

        Noise that would take more than half of the axis is not drawn: nothing else could be read.
        """
        made = tuple(map(self._figure, self.charted.table.rows))
        usable = [one for one in made if one.value and not one.is_noisy]
        if not usable:
            return made
        low, high = min(0.0, *(one.low for one in usable)), max(0.0, *(one.high for one in usable))
        room = high - low
        return tuple(
            replace(one, value="", down="", up="")
            if one.value and (one.low < low - room or one.high > high + room)
            else one
            for one in made
        )

    @cached_property
    def points(self) -> tuple[tuple[DrawnPoint, ...], ...]:
        """What each series draws, in the order of its lines; of a curve as far as it goes."""
        return tuple(tuple(self._points(number)) for number in range(len(self.series)))

    def _points(self, number: int) -> Iterator[DrawnPoint]:
        falls = self.curves[number].falls if self.curves else None
        for line in self.series[number][1]:
            label, figure = self.charted.table.rows[line][self.label], self.figures[line]
            if falls is not None and not figure.value:
                continue
            if falls is not None and (figure.low <= 0 if falls else figure.high >= FULL):
                return
            yield DrawnPoint(label, self.charted.figures.label_at(line, self.label), figure)

    @cached_property
    def curves(self) -> Sequence[Curve]:
        """Those over time, as window and report have them; others go straight from bin to bin."""
        found = self.charted.charts.curves() if self.kind == "scatter" else ()
        return found if all(one.begins is not None for one in found) else ()

    def corners(self, number: int) -> Iterator[tuple[str, str]]:
        """Time and height of the corners of a curve's steps, as ``Curve.stepped`` has them."""
        curve, points = self.curves[number], self.points[number]
        height = f"{FULL:.0f}" if curve.falls else "0"
        yield f"{curve.places[0]:.15g}", height
        for point in points:
            yield point.label, height
            height = point.figure.value
            yield point.label, height
        if len(points) < len(curve.points):
            yield f"{curve.points[len(points)].place:.15g}", height

    @property
    def ends(self) -> AxisEnds:
        """From where to where the upright axis goes: all that is drawn is within it.

        It has 0, but for a curve over time, which begins where it does in window and report.
        """
        drawn = [one.figure for series in self.points for one in series if one.figure.value]
        lows, highs = [one.low for one in drawn], [one.high for one in drawn]
        if not self.curves:
            return AxisEnds.of(0.0, *lows, *highs)
        return AxisEnds.of(*reach(self.curves), *lows, *highs)

    @property
    def times(self) -> AxisEnds | None:
        """The same of the other axis of a curve, which is one of numbers."""
        if self.kind != "scatter":
            return None
        begins = (one.begins or 0.0 for one in self.curves)
        labels = (float(self.charted.table.rows[line][self.label]) for line in self.series[0][1])
        return AxisEnds.of(*begins, *labels)

    def _figure(self, row: tuple[str, ...]) -> DrawnFigure:
        value, low, high = self._cells(row, ("value", "lowest", "highest"))
        if not value:
            return DrawnFigure("", "", "", is_noisy=True)
        (nearest,) = self._cells(row, ("nearest",))
        if nearest:
            return DrawnFigure(self._shown(Decimal(nearest)), "", "", self._is_noisy(row))
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
        words, ends = self.charted.words, self.ends
        figure = f"{value} (%)" if self.charted.figures.is_percent else value
        said = words.say(_WHISKERS, figure=figure, which=self.which)
        if ends.low <= 0:
            return said
        return f"{said}; {step_words(words).axis(*(f'{end:g} %' for end in (ends.low, ends.high)))}"

    def across(self, head: str) -> str:
        """What the other axis is called, and how figures are drawn that cannot be used."""
        say, noisy = self.charted.words.say, self.charted.words.say(TOO_NOISY)
        drawn = [one.figure for series in self.points for one in series if one.figure.is_noisy]
        if any(one.value for one in drawn):
            head = say(_HATCHED if self.kind == "column" else _HOLLOW, across=head, too_noisy=noisy)
        if not all(one.value for one in drawn):
            head = say(NOT_DRAWN, across=head, too_noisy=noisy)
        return head


def write_drawn(sheet: ReadingSheet, drawn: NativeChart, label: str, value: str) -> Any:
    """The block of a chart, and the chart, which is not on the sheet yet.

    Args:
        label, value: what heads the labels and the figures of the table.
    """
    say, figures = drawn.charted.words.say, drawn.charted.figures
    sheet.paragraph(say(_ABOUT, which=drawn.which), sheet.looks.quiet)
    unit = f"{value} (%)" if figures.is_percent else value
    named = [drawn.named] if any(name for name, _lines in drawn.series) else []
    at = len(named)
    heads = [*named, label, unit, say(_DOWN), say(_UP), say(NOTE)]
    is_number = [*(False for _head in named), drawn.kind == "scatter", True, True, True, False]
    sheet.heads_below(heads, is_number)
    options: dict[str, str] = {"type": drawn.kind}
    if drawn.kind == "scatter":
        options["subtype"] = "straight_with_markers"
    chart = sheet.looks.chart(options)
    series = []
    for number, (name, _lines) in enumerate(drawn.series):
        first = sheet.at
        for point in drawn.points[number]:
            sheet.cell(0, name)
            _write_point(sheet, drawn, point, at)
        if sheet.at > first:
            series.append(_series((sheet.name, first, at), drawn, number))
    steps = _write_steps(sheet, drawn, [*named, label, unit]) if drawn.curves else []
    for one in (*steps, *series):
        chart.add_series(one)
    # Of a curve its line is in the legend, not its marks.
    marks = [len(steps) + place for place in range(len(series))] if steps else []
    shown = {"position": "bottom", **({"delete_series": marks} if marks else {})}
    chart.set_legend(shown if named else {"none": True})
    return framed(chart, drawn.across(label), drawn.up(value), drawn.ends, drawn.times)


def _write_steps(
    sheet: ReadingSheet, drawn: NativeChart, heads: Sequence[str]
) -> list[dict[str, Any]]:
    """The corners of curves, and the lines through them."""
    say, at, found = drawn.charted.words.say, len(heads) - 2, list[dict[str, Any]]()
    sheet.at += 1
    sheet.line((say(_STEPS),), sheet.looks.bold)
    sheet.paragraph(say(_ABOUT_STEPS), sheet.looks.quiet)
    sheet.heads_below(heads, [False] * at + [True, True])
    for number, (name, _lines) in enumerate(drawn.series):
        first = sheet.at
        for corner in drawn.corners(number):
            sheet.cell(0, name)
            for place, text in enumerate(corner, start=at):
                sheet.figure(place, text, text, "number", sheet.looks.number(text, "number"))
            sheet.at += 1
        line = {"color": COLOURS[number], "width": 1.75, "dash_type": _DASHES[number]}
        series = _cells((sheet.name, first, at), sheet.at - first)
        found.append(
            {
                **series,
                **({"name": [sheet.name, first, 0]} if name else {}),
                "line": line,
                "marker": {"type": "none"},
            }
        )
    return found


def _cells(cells: tuple[str, int, int], lines: int) -> dict[str, Any]:
    """The labels and the figures of lines below each other.

    Args:
        cells: the sheet, the first line, and the column of the labels.
    """
    name, first, at = cells
    last = first + lines - 1
    return {
        "categories": [name, first, at, last, at],
        "values": [name, first, at + 1, last, at + 1],
    }


def _write_point(sheet: ReadingSheet, drawn: NativeChart, point: DrawnPoint, at: int) -> None:
    """One figure.

    Args:
        at: the column of its label.
    """
    figure = point.figure
    if drawn.kind == "scatter":
        look = sheet.looks.number(point.label, "number")
        sheet.figure(at, point.label, point.shown, "number", look)
    else:
        sheet.cell(at, point.shown)
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
    series_name, points = drawn.series[number][0], drawn.points[number]
    figures = [point.figure for point in points]
    last, colour = first + len(points) - 1, COLOURS[number % len(COLOURS)]
    down, up = (f"='{name}'!${c}${first + 1}:${c}${last + 1}" for c in "CDE"[at : at + 2])
    is_bar = drawn.kind == "column"
    found: dict[str, Any] = {
        **_cells(cells, len(points)),
        "y_error_bars": {
            "type": "custom",
            "minus_values": down,
            "plus_values": up,
            "minus_data": [Published(one.down or "0") for one in figures],
            "plus_data": [Published(one.up or "0") for one in figures],
            "line": {"color": _WHISKER if is_bar or colour == INK else colour, "width": 1},
        },
    }
    if series_name:
        found["name"] = [name, first, 0]
    noisy = _HATCH if is_bar else _EMPTY
    if any(one.is_noisy for one in figures):
        found["points"] = [noisy if one.is_noisy else None for one in figures]
    if not is_bar:
        line = {"none": True} if drawn.curves else {"color": colour, "width": 2.25}
        return {**found, "line": line, "marker": mark_of(number)}
    if len(drawn.series) == 1:
        return {**found, "fill": {"color": _BAND}, "border": {"color": INK}, "gap": 80}
    fill = {"color": _FILLS[number % len(_FILLS)]}
    return {**found, "fill": fill, "border": {"color": _WHISKER, "width": 0.5}, "gap": 60}


def framed(
    chart: Any,
    across: str,
    up: str,
    ends: AxisEnds,
    flat: AxisEnds | None = None,
    is_text: bool = False,
) -> Any:
    """A chart with its axes.

    Args:
        across, up: what the axes are called.
        ends: from where to where the upright one goes.
        flat: the same of the other one, where it is one of numbers.
        is_text: what is across are names, where the chart would take days.
    """
    font = {"name_font": {"size": 9, "bold": False}, "num_font": {"size": 9}}
    own = flat.options if flat is not None else {"text_axis": is_text}
    chart.set_x_axis({"name": across, "label_position": "low", **own, **font})
    grid = {"visible": True, "line": {"color": _GRID, "width": 0.75}}
    chart.set_y_axis({"name": up, "major_gridlines": grid, **ends.options, **font})
    chart.set_title({"none": True})
    chart.set_size(_SIZE)
    return chart


def mark_of(number: int) -> dict[str, object]:
    """The mark of one of several series."""
    colour = COLOURS[number]
    return {
        "type": _MARKS[number],
        "size": 5,
        "fill": {"color": colour},
        "border": {"color": colour},
    }
