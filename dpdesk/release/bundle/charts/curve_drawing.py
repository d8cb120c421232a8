# SPDX-License-Identifier: Apache-2.0
"""Cumulative shares, drawn: curves that rise to 100 %, each with its own dash and mark."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from dpdesk.release.bundle.charts.axis import ticks
from dpdesk.release.bundle.charts.description import FULL, ChartFigure, Curve, CurvePoint
from dpdesk.release.bundle.charts.drawing import (
    Area,
    ChartDrawing,
    PointMark,
    Shape,
    Stroke,
    Word,
)
from dpdesk.release.bundle.charts.frame import (
    GAP,
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

HEIGHT = 140.0
MOST_MARGINS = 24
"""Of more points the margins are two thin lines."""


def curve_drawing(
    curves: Sequence[Curve],
    unit: str,
    width: float,
    title: str,
    style: NumberStyle,
    is_made_up: bool = False,
    at_risk: str = "",
) -> ChartDrawing | None:
    """Curves in so much width; ``None`` where none says anything.

    Args:
        at_risk: what heads the numbers at risk below survival curves.
    """
    drawn = [curve for curve in curves if curve.points]
    if not drawn:
        return None
    made = ticks(0, FULL, style, " %", most=4)
    left = max(width_of(tick.text) for tick in made) + GAP
    right = width - (_names(drawn, width) if len(drawn) > 1 else 3 * GAP)
    up = AxisScale(0, FULL, STEP + HEIGHT, STEP)
    places = [place for curve in drawn for place in curve.places]
    flat = AxisScale(min(places), max(places), left + 2 * GAP, right)
    shapes = [*upright_grid(made, up, left, right), *_values(flat, unit, STEP + HEIGHT, style)]
    for place, curve in enumerate(drawn):
        if curve.begins is not None:
            shapes += _steps(curve, flat, up, LOOKS[place], (len(drawn) == 1, is_made_up))
        else:
            shapes += _curve(curve, flat, up, LOOKS[place], is_made_up)
    if len(drawn) > 1:
        shapes += _curve_names(drawn, right + GAP, width, up)
    height = HEIGHT + 3.6 * STEP
    if any(curve.at_risk for curve in drawn):
        shapes.append(Word(left, height, at_risk, role="quiet"))
        shapes += _at_risk(drawn, flat, height + 1.3 * STEP, width, style)
        height += (sum(bool(curve.at_risk) for curve in drawn) + 1) * 1.3 * STEP
    return ChartDrawing(title, width, height, tuple(shapes), is_made_up)


def _names(curves: Sequence[Curve], width: float) -> float:
    return min(NAMES * width, max(width_of(one.name, is_bold=True) for one in curves)) + 4 * GAP


def _values(flat: AxisScale, unit: str, bottom: float, style: NumberStyle) -> Iterator[Shape]:
    for tick in ticks(flat.low, flat.high, style, most=8):
        x = flat.at(tick.value)
        yield Stroke(((x, bottom), (x, bottom + 3)), "axis", "thin")
        yield Word(x, bottom + 1.3 * STEP, tick.text, role="quiet", anchor="middle")
    if unit:
        yield Word(flat.end, bottom + 2.4 * STEP, unit, role="quiet", anchor="end")


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


def _steps(
    curve: Curve, flat: AxisScale, up: AxisScale, look: Look, kind: tuple[bool, bool]
) -> Iterator[Shape]:
    """A curve that falls by steps, in its band: filled where there is no other curve.

    Args:
        kind: whether it is the only one, and whether it is made up.
    """
    is_alone, is_made_up = kind
    for before, point in itertools.pairwise(curve.points):
        if curve.ends_at(before):
            break
        if is_alone and not is_made_up:
            left, right = flat.at(before.place), flat.at(point.place)
            top, bottom = up.at(before.high), up.at(before.low)
            yield Area(left, top, right - left, bottom - top, fill="band")
    for side in ("low", "high"):
        corners = tuple((flat.at(x), up.at(y)) for x, y in curve.stepped(side))
        yield Stroke(corners, look.role, "thin", "dotted")
    dash = "dashed" if is_made_up and not look.dash else look.dash
    yield Stroke(
        tuple((flat.at(x), up.at(y)) for x, y in curve.stepped()), look.role, "thick", dash
    )


def _at_risk(
    curves: Sequence[Curve], flat: AxisScale, top: float, width: float, style: NumberStyle
) -> Iterator[Shape]:
    """Below the axis how many are at risk, of each curve a line: as many numbers as have room.

    Behind them is the curve's name, as colours alone say nothing in black and white.
    """
    told = [(look, curve) for look, curve in zip(LOOKS, curves, strict=False) if curve.at_risk]
    for line, (look, curve) in enumerate(told):
        y, free = top + line * 1.3 * STEP, -1.0
        if len(told) > 1:
            yield from _name(curve.name, look, flat.end + GAP, y, width)
        for place, count in zip(curve.places, curve.at_risk, strict=False):
            text = in_column(str(count), style)
            half = width_of(text) / 2
            if flat.at(place) - half >= free:
                yield Word(flat.at(place), y, text, role=look.role, anchor="middle")
                free = flat.at(place) + half + GAP


def _as_figure(point: CurvePoint) -> ChartFigure:
    return ChartFigure("", point.share, point.low, point.high, point.noisy)


def _curve_names(
    curves: Sequence[Curve], left: float, width: float, up: AxisScale
) -> Iterator[Shape]:
    """The names below one another: all curves end at 100 %."""
    for place, curve in enumerate(curves):
        y = up.at(FULL) + 1.5 * STEP * place + 0.36 * SIZE
        yield from _name(curve.name, LOOKS[place], left, y, width)


def _name(name: str, look: Look, left: float, y: float, width: float) -> Iterator[Shape]:
    """A curve's name behind its mark."""
    yield PointMark(left + 3, y - 0.36 * SIZE, look.mark, look.role, look.is_hollow)
    cut = cut_to(name, BOLD, SIZE, width - left - 2 * GAP)
    yield Word(left + 2 * GAP, y, cut, role=look.role, is_bold=True)
