# SPDX-License-Identifier: Apache-2.0
"""What every drawn chart has: its scale, its ticks with their lines, its labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dpdesk.release.bundle.charts.axis import Tick
from dpdesk.release.bundle.charts.description import ChartFigure
from dpdesk.release.bundle.charts.drawing import Area, PointMark, Role, Shape, Stroke, Word
from dpdesk.release.bundle.text_setting import BOLD, TEXT, cut_to, text_width, wrapped

SIZE, SMALL, STEP = 8.0, 7.2, 9.6
"""The size of a chart's words, of margins, and from one line of a label to the next."""
GAP = 5.0
CAP = 3.0
"""Half the width of an interval's ends."""
BOX = 2.4
"""Half the width of the box of an interval of the noise beside one for the population."""
SIGN = 18.0
"""How wide a sign in a legend is."""
MOST_LINES = 3


@dataclass(frozen=True)
class AxisScale:
    """Where numbers are on an axis.

    Attributes:
        low, high: the numbers at its ends.
        start, end: where these are.
    """

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Where a number is; one beyond the axis is at its end."""
        inside = min(max(value, self.low), self.high)
        share = (inside - self.low) / ((self.high - self.low) or 1.0)
        return self.start + share * (self.end - self.start)

    def is_beyond(self, value: float) -> bool:
        return not self.low <= value <= self.high


def unit_text(unit: str) -> str:
    """A unit over its axis; a sign alone is in brackets: no spreadsheet takes it for a formula.

    >>> unit_text("days"), unit_text("%")
    ('days', '(%)')
    """
    return unit if unit[:1].isalnum() else f"({unit})"


def width_of(text: str, size: float = SIZE, *, is_bold: bool = False) -> float:
    return text_width(text, BOLD if is_bold else TEXT, size)


def upright_grid(
    ticks: Sequence[Tick], scale: AxisScale, left: float, right: float
) -> Iterator[Shape]:
    """Numbers at the left, and a line at each; the one at 0 is the axis."""
    for tick in ticks:
        y = scale.at(tick.value)
        role: Role = "axis" if tick.value == 0 else "line"
        yield Stroke(((left, y), (right, y)), role, "thin" if tick.value else "plain")
        yield Word(left - GAP, y + 0.36 * SIZE, tick.text, role="quiet", anchor="end")


def flat_grid(
    ticks: Sequence[Tick], scale: AxisScale, top: float, bottom: float
) -> Iterator[Shape]:
    """Numbers below, and a line at each; the one at 0 is the axis."""
    for tick in ticks:
        x = scale.at(tick.value)
        role: Role = "axis" if tick.value == 0 else "line"
        yield Stroke(((x, top), (x, bottom)), role, "thin" if tick.value else "plain")
        yield Word(x, bottom + STEP, tick.text, role="quiet", anchor="middle")


def upright_interval(figure: ChartFigure, x: float, scale: AxisScale) -> Iterator[Shape]:
    """An interval with its caps; where it is longer than the axis, with an arrow.

    Where there is one for the population, too, it has the caps, and that of the noise is a box.
    """
    low, high = figure.population or (figure.low, figure.high)
    if figure.population and figure.high > figure.low:
        top, bottom = scale.at(figure.high), scale.at(figure.low)
        yield Area(x - BOX, top, 2 * BOX, bottom - top, "ground", "accent")
    if high <= low:
        return
    ends = scale.at(low), scale.at(high)
    yield Stroke(((x, ends[0]), (x, ends[1])))
    for value, y in zip((low, high), ends, strict=True):
        if scale.is_beyond(value):
            yield PointMark(x, y, "triangle" if value == high else "diamond")
        else:
            yield Stroke(((x - CAP, y), (x + CAP, y)))


def flat_interval(figure: ChartFigure, y: float, scale: AxisScale) -> Iterator[Shape]:
    """The same of a horizontal bar."""
    low, high = figure.population or (figure.low, figure.high)
    if figure.population and figure.high > figure.low:
        left, right = scale.at(figure.low), scale.at(figure.high)
        yield Area(left, y - BOX, right - left, 2 * BOX, "ground", "accent")
    if high <= low:
        return
    ends = scale.at(low), scale.at(high)
    yield Stroke(((ends[0], y), (ends[1], y)))
    for value, x in zip((low, high), ends, strict=True):
        if scale.is_beyond(value):
            yield PointMark(x, y, "diamond")
        else:
            yield Stroke(((x, y - CAP), (x, y + CAP)))


def with_interval_legend(
    shapes: Sequence[Shape], height: float, names: Sequence[str]
) -> tuple[tuple[Shape, ...], float]:
    """A chart with a line below it that names both intervals, and how high it is then.

    Args:
        names: of the box and of what has caps; empty for a chart of one interval.
    """
    if not names:
        return tuple(shapes), height
    x, y, legend = 0.0, height + 0.8 * STEP, list[Shape]()
    for place, name in enumerate(names):
        at = AxisScale(0, 1, x, x + SIGN)
        if place == 0:
            legend.append(Area(x, y - BOX, SIGN, 2 * BOX, "ground", "accent"))
        else:
            legend += flat_interval(ChartFigure("", 0, 0, 1), y, at)
        legend.append(Word(x + SIGN + GAP, y + 0.36 * SIZE, name, role="quiet"))
        x += SIGN + 4 * GAP + width_of(name)
    return (*shapes, *legend), height + 1.6 * STEP


def label_lines(text: str, room: float) -> list[str]:
    """A label in as many lines as it may have; the last loses its end."""
    lines = wrapped(text, TEXT, SIZE, room)
    if len(lines) <= MOST_LINES:
        return lines
    return [*lines[: MOST_LINES - 1], cut_to(" ".join(lines[MOST_LINES - 1 :]), TEXT, SIZE, room)]
