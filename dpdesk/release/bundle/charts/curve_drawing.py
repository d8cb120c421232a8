# SPDX-License-Identifier: Apache-2.0
"""Cumulative shares and curves over time, drawn: each with its own dash and mark."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from dpdesk.release.bundle.charts.axis import ticks
from dpdesk.release.bundle.charts.description import FULL, ChartFigure, Curve, CurvePoint
from dpdesk.release.bundle.charts.drawing import (
    Area,
    ChartDrawing,
    FilledBand,
    PointMark,
    Role,
    Shape,
    Stroke,
    Word,
)
from dpdesk.release.bundle.charts.frame import (
    GAP,
    SIGN,
    SIZE,
    STEP,
    AxisScale,
    upright_grid,
    upright_interval,
    width_of,
)
from dpdesk.release.bundle.charts.lines_drawing import LOOKS, NAMES, Look
from dpdesk.release.bundle.text_setting import BOLD, cut_to
from dpdesk.study.text.number_text import NumberStyle, in_column

HEIGHT, STEP_HEIGHT = 140.0, 125.0
MOST_MARGINS = 24
"""Of more points the margins are two thin lines."""
MOST_TIMES, MOST_MARKS = 9, 12
"""More times are not written below curves over time, and curves have no more marks."""
LEAST_ZOOMED, ROUND = 40.0, 10
"""A survival axis begins at a multiple of the latter where all curves are above the former."""
SAMPLE = 22.0
"""How wide the piece of line before a curve's name is."""
TAIL = 0.035
"""How far curves over time go on behind their last time, in parts of the axis."""
NOT_COUNTED = "\N{EN DASH}"
BANDS: Final[tuple[Role, ...]] = ("band", "second-band", "third-band", "line")
"""What fills the band of each curve over time."""


@dataclass(frozen=True)
class StepWords:
    """What is written beside curves over time.

    Attributes:
        at_risk: heads the numbers at risk below them.
        band: what a band is.
        axis: says from where to where an axis goes that is not from 0 to 100 %.
    """

    at_risk: str = ""
    band: str = ""
    axis: Callable[[str, str], str] = "{} – {}".format


def curve_drawing(
    curves: Sequence[Curve],
    unit: str,
    width: float,
    title: str,
    style: NumberStyle,
    is_made_up: bool = False,
    beside: StepWords | None = None,
) -> ChartDrawing | None:
    """Curves in so much width; ``None`` where none says anything.

    Args:
        beside: what is written beside curves over time.
    """
    drawn = [curve for curve in curves if curve.points]
    if not drawn:
        return None
    low, high = reach(drawn)
    made = ticks(low, high, style, " %", most=4)
    left = max(width_of(tick.text) for tick in made) + GAP
    right = width - (_names(drawn, width) if len(drawn) > 1 else 3 * GAP)
    is_over_time = any(curve.begins is not None for curve in drawn)
    up = AxisScale(low, high, STEP + (STEP_HEIGHT if is_over_time else HEIGHT), STEP)
    places = [place for curve in drawn for place in curve.places]
    tail = TAIL * (max(places) - min(places)) if is_over_time else 0.0
    flat = AxisScale(min(places), max(places) + tail, left + 2 * GAP, right)
    shapes = [*upright_grid(made, up, left, right)]
    if is_over_time:
        words = beside or StepWords()
        over_time = _OverTime(drawn, flat, up, width, style, is_made_up, words, tail)
        over_time.draw(shapes, left, unit)
        return ChartDrawing(title, width, over_time.height, tuple(shapes), is_made_up)
    shapes += _values(flat, unit, STEP + HEIGHT, style)
    for place, curve in enumerate(drawn):
        shapes += _curve(curve, flat, up, LOOKS[place], is_made_up)
    if len(drawn) > 1:
        for place, curve in enumerate(drawn):
            y = up.at(FULL) + 1.5 * STEP * place + 0.36 * SIZE
            shapes += _name(curve.name, LOOKS[place], right + GAP, y, width)
    return ChartDrawing(title, width, HEIGHT + 3.6 * STEP, tuple(shapes), is_made_up)


def reach(curves: Sequence[Curve]) -> tuple[float, float]:
    """From where to where the axis goes: curves over time have no more of it than they need.

    >>> point = CurvePoint(9, 71.8, 67.1, 76.4)
    >>> reach([Curve("", (point,), 0.0)]), reach([Curve("", (point,))])
    ((60, 100.0), (0.0, 100.0))
    """
    if any(curve.begins is None for curve in curves):
        return 0.0, FULL
    if curves[0].falls:
        lowest = min(y for curve in curves for _x, y in curve.stepped("low"))
        return (ROUND * math.floor(lowest / ROUND) if lowest > LEAST_ZOOMED else 0.0), FULL
    highest = max(y for curve in curves for _x, y in curve.stepped("high"))
    is_zoomed = highest < FULL - LEAST_ZOOMED
    return 0.0, (ROUND * max(1, math.ceil(highest / ROUND)) if is_zoomed else FULL)


def _names(curves: Sequence[Curve], width: float) -> float:
    widest = max(width_of(one.name, is_bold=True) for one in curves)
    return min(NAMES * width, widest) + SAMPLE + 4 * GAP


def _values(flat: AxisScale, unit: str, bottom: float, style: NumberStyle) -> Iterator[Shape]:
    for tick in ticks(flat.low, flat.high, style, most=8):
        yield from _value(flat.at(tick.value), tick.text, bottom)
    if unit:
        yield Word(flat.end, bottom + 2.4 * STEP, unit, role="quiet", anchor="end")


def _value(x: float, text: str, bottom: float) -> Iterator[Shape]:
    yield Stroke(((x, bottom), (x, bottom + 3)), "axis", "thin")
    yield Word(x, bottom + 1.3 * STEP, text, role="quiet", anchor="middle")


def _curve(
    curve: Curve, flat: AxisScale, up: AxisScale, look: Look, is_made_up: bool
) -> Iterator[Shape]:
    points = [(flat.at(one.place), up.at(one.share)) for one in curve.points]
    if len(points) <= MOST_MARGINS:
        for (x, _y), one in zip(points, curve.points, strict=True):
            yield from upright_interval(_as_figure(one), x, up)
    else:
        for side in ("low", "high"):
            ends = tuple((flat.at(one.place), up.at(getattr(one, side))) for one in curve.points)
            yield Stroke(ends, look.role, "thin", "dotted")
    dash = "dashed" if is_made_up and not look.dash else look.dash
    yield Stroke(tuple(points), look.role, "thick", dash)
    if len(points) <= MOST_MARGINS:
        for (x, y), one in zip(points, curve.points, strict=True):
            role = "quiet" if one.noisy else look.role
            yield PointMark(x, y, look.mark, role, look.is_hollow or one.noisy or is_made_up)


@dataclass
class _OverTime:
    """Curves that fall or rise by steps, their bands, and below them how many are at risk.

    Attributes:
        tail: how far curves go on behind their last time.
        height: how high all of it is, when it is drawn.
    """

    curves: Sequence[Curve]
    flat: AxisScale
    up: AxisScale
    width: float
    style: NumberStyle
    is_made_up: bool
    beside: StepWords
    tail: float
    height: float = STEP + STEP_HEIGHT

    def draw(self, shapes: list[Shape], left: float, unit: str) -> None:
        bottom = self.height
        shapes.append(Stroke(((left, bottom), (self.flat.end, bottom)), "axis"))
        shapes += self._bands()
        for place, curve in enumerate(self.curves):
            shapes += self._steps(curve, LOOKS[place], place)
        times = self._times()
        for time in times:
            shapes += _value(self.flat.at(time), self._number(time), bottom)
        if len(self.curves) > 1:
            shapes += self._curve_names()
        if unit:
            x = self.flat.at(times[-1]) + GAP + width_of(self._number(times[-1])) / 2
            shapes.append(Word(x, bottom + 1.3 * STEP, unit, role="quiet"))
        self.height = bottom + 3.2 * STEP
        shapes += self._legend(left)
        shapes += self._at_risk(left, times)

    def _bands(self) -> Iterator[Shape]:
        """Wide ones first, so that each is seen; those of made-up figures are not filled."""
        bands = [(place, self._corners(curve)) for place, curve in enumerate(self.curves)]
        for place, (low, high) in sorted(bands, key=lambda one: _height_of(*one[1]), reverse=True):
            if self.is_made_up:
                yield Stroke(low, LOOKS[place].role, "thin", "dotted")
                yield Stroke(high, LOOKS[place].role, "thin", "dotted")
            else:
                yield FilledBand((*low, *reversed(high), low[0]), BANDS[place])

    def _corners(self, curve: Curve) -> tuple[tuple[tuple[float, float], ...], ...]:
        sides = (curve.stepped("low", self.tail), curve.stepped("high", self.tail))
        return tuple(tuple((self.flat.at(x), self.up.at(y)) for x, y in side) for side in sides)

    def _steps(self, curve: Curve, look: Look, place: int) -> Iterator[Shape]:
        """A curve with its marks, which are at another part of each step than those of others."""
        corners = [(self.flat.at(x), self.up.at(y)) for x, y in curve.stepped(tail=self.tail)]
        dash = "dashed" if self.is_made_up and not look.dash else look.dash
        yield Stroke(tuple(corners), look.role, "thick", dash)
        if len(self.curves) == 1:
            return
        last = self.flat.at(curve.places[-1])
        pairs = [(a, b) for a, b in itertools.pairwise(corners) if a[0] < b[0] and a[0] < last]
        # Steps of many short bins are all narrow.
        levels = [(a, b) for a, b in pairs if b[0] - a[0] > GAP] or pairs
        part = (place + 0.5) / len(self.curves)
        for one, other in levels[:: max(1, math.ceil(len(levels) / MOST_MARKS))]:
            x = one[0] + part * (other[0] - one[0])
            yield PointMark(x, one[1], look.mark, look.role, look.is_hollow)

    def _times(self) -> list[float]:
        """The times that are written: some of those at which steps are, and the last."""
        known = sorted({place for curve in self.curves for place in curve.places})
        shown = known[:: math.ceil(len(known) / MOST_TIMES)]
        room = self.flat.at(known[-1]) - width_of(self._number(known[-1])) / 2 - GAP
        last = self.flat.at(shown[-1]) + width_of(self._number(shown[-1])) / 2
        if shown[-1] != known[-1]:
            shown = [*(shown if last <= room else shown[:-1]), known[-1]]
        return shown

    def _number(self, value: float) -> str:
        return in_column(f"{value:.15g}", self.style)

    def _legend(self, left: float) -> Iterator[Shape]:
        """What a band is, and where the axis begins and ends if not at 0 and 100 %."""
        x, y = left, self.height - 0.4 * STEP
        if self.beside.band:
            for place in self._order:
                if self.is_made_up:
                    at = y - 0.36 * SIZE
                    yield Stroke(((x, at), (x + SIGN, at)), LOOKS[place].role, "thin", "dotted")
                else:
                    yield Area(x, y - 0.8 * SIZE, SIGN, 0.9 * SIZE, BANDS[place])
                x += SIGN + 0.4 * GAP
            yield Word(x + GAP, y, self.beside.band, role="quiet")
            x += 6 * GAP + width_of(self.beside.band)
        if (self.up.low, self.up.high) != (0.0, FULL):
            low, high = (f"{self._number(end)}\u00a0%" for end in (self.up.low, self.up.high))
            said = self.beside.axis(low, high)
            yield Word(x, y, said, role="quiet")

    def _at_risk(self, left: float, times: Sequence[float]) -> Iterator[Shape]:
        """Below the axis how many are at risk at the times that are written, a line a curve.

        Behind them is the curve's name, as colours alone say nothing in black and white. At the
        last time nobody is followed any longer.
        """
        lines = [(LOOKS[at], self.curves[at]) for at in self._order if self.curves[at].at_risk]
        if not lines:
            return
        yield Word(left, self.height + STEP, self.beside.at_risk, role="quiet")
        self.height += 2.3 * STEP
        for look, curve in lines:
            if len(lines) > 1:
                yield from self._sample(curve.name, look, self.height - 0.36 * SIZE)
            counts = dict(zip(curve.places, curve.at_risk, strict=False))
            for time in times:
                if time in counts or time == curve.places[-1]:
                    count = counts.get(time)
                    text = NOT_COUNTED if count is None else in_column(str(count), self.style)
                    yield Word(self.flat.at(time), self.height, text, anchor="middle")
            self.height += 1.3 * STEP

    def _curve_names(self) -> Iterator[Shape]:
        """Each name near its curve's end, in the order of the ends, none over another."""
        apart, order = 1.4 * STEP, self._order
        lowest, tops = STEP + STEP_HEIGHT - 0.5 * STEP, dict[int, float]()
        free = float("-inf")
        for rank, at in enumerate(order):
            most = lowest - apart * (len(order) - 1 - rank)
            tops[at] = free = max(free + apart, min(self._end(at), most))
        for at, curve in enumerate(self.curves):
            yield from self._sample(curve.name, LOOKS[at], tops[at])

    def _end(self, at: int) -> float:
        """Where a curve ends."""
        return self.up.at(self.curves[at].stepped()[-1][1])

    @property
    def _order(self) -> list[int]:
        """The curves from the highest end to the lowest, in which all lists of them are."""
        return sorted(range(len(self.curves)), key=lambda at: (self._end(at), at))

    def _sample(self, name: str, look: Look, y: float) -> Iterator[Shape]:
        """A curve's name behind a piece of its line."""
        x = self.flat.end + 3 * GAP
        dash = "dashed" if self.is_made_up and not look.dash else look.dash
        yield Stroke(((x, y), (x + SAMPLE, y)), look.role, "thick", dash)
        yield PointMark(x + SAMPLE / 2, y, look.mark, look.role, look.is_hollow)
        at = x + SAMPLE + GAP
        cut = cut_to(name, BOLD, SIZE, self.width - at)
        yield Word(at, y + 0.36 * SIZE, cut, role=look.role, is_bold=True)


def _height_of(low: Sequence[tuple[float, float]], high: Sequence[tuple[float, float]]) -> float:
    """How high a band is on average."""
    return sum(a[1] - b[1] for a, b in zip(low, high, strict=False)) / len(low)


def _as_figure(point: CurvePoint) -> ChartFigure:
    return ChartFigure("", point.share, point.low, point.high, point.noisy)


def _name(name: str, look: Look, left: float, y: float, width: float) -> Iterator[Shape]:
    """A curve's name behind its mark."""
    yield PointMark(left + 3, y - 0.36 * SIZE, look.mark, look.role, look.is_hollow)
    cut = cut_to(name, BOLD, SIZE, width - left - 2 * GAP)
    yield Word(left + 2 * GAP, y, cut, role=look.role, is_bold=True)
