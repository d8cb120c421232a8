# SPDX-License-Identifier: Apache-2.0
"""Lines over periods, drawn: each with its own dash and mark, its name and its last figure."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from dpdesk.release.bundle.charts.axis import ticks
from dpdesk.release.bundle.charts.bars_drawing import figure_words
from dpdesk.release.bundle.charts.description import ChartFigure, FigureChart, LineSeries
from dpdesk.release.bundle.charts.drawing import (
    ChartDrawing,
    Dash,
    MarkShape,
    PointMark,
    Role,
    Shape,
    Stroke,
    Word,
)
from dpdesk.release.bundle.charts.frame import (
    GAP,
    SIZE,
    SMALL,
    STEP,
    AxisScale,
    unit_text,
    upright_grid,
    upright_interval,
    width_of,
    with_interval_legend,
)
from dpdesk.release.bundle.text_setting import BOLD, cut_to
from dpdesk.study.text.number_text import NumberStyle

HEIGHT = 86.0
NAMES = 0.22
"""How much of the width the names of lines may take."""
BESIDE = 0.06
"""Between the intervals of lines at one place, in slots."""
STEPS = (1, 2, 3, 4, 6, 12, 24, 36, 48)
"""From one label to the next; months and quarters come again after 12 and after 4."""


class Look(NamedTuple):
    """What tells one line from others, without colour, too."""

    role: Role
    dash: Dash
    mark: MarkShape
    is_hollow: bool


LOOKS: Final = (
    Look("accent", "", "circle", False),
    Look("second", "dashed", "square", True),
    Look("third", "dotted", "triangle", False),
    Look("ink", "mixed", "diamond", True),
)


def lines_drawing(
    chart: FigureChart, width: float, title: str, style: NumberStyle, is_made_up: bool = False
) -> ChartDrawing:
    """Lines in so much width."""
    low, high = chart.reach
    made = ticks(low, high, style, chart.behind)
    left, right = max(width_of(tick.text) for tick in made) + GAP, width - _names(chart, width)
    slot = (right - left) / len(chart.labels)
    is_figured = len(chart.series) == 1 and _have_room(chart, slot)
    top = (2.2 if is_figured else 0.8) * STEP + (STEP if chart.unit else 0)
    scale = AxisScale(low, high, top + HEIGHT, top)
    shapes = [*upright_grid(made, scale, left, right)]
    if chart.unit:
        shapes.append(Word(0, SIZE, unit_text(chart.unit), role="quiet"))
    for place, series in enumerate(chart.series):
        shift = BESIDE * slot * (place - (len(chart.series) - 1) / 2)
        places = [left + slot * (at + 0.5) + shift for at in range(len(chart.labels))]
        shapes += _line(series, places, scale, LOOKS[place % len(LOOKS)], is_made_up)
        if is_figured:
            shapes += _figures(series, places, scale)
    if len(chart.series) > 1:
        shapes += _line_names(chart, right + 2 * GAP, width, scale)
    labels, depth = period_labels(chart.labels, left, slot, top + HEIGHT)
    below = top + HEIGHT + depth
    drawn, height = with_interval_legend((*shapes, *labels), below, chart.intervals)
    return ChartDrawing(title, width, height, drawn, is_made_up, has_all=is_figured)


def _names(chart: FigureChart, width: float) -> float:
    """How wide what is behind the lines' ends is."""
    if len(chart.series) == 1:
        return GAP
    widest = max(width_of(line.name, is_bold=True) for line in chart.series)
    figures = (_last(line) for line in chart.series)
    lasts = (width_of(f"{one.figure} {one.beside}") for one in figures if one is not None)
    return min(NAMES * width, max([widest, *lasts])) + 3 * GAP


def _last(series: LineSeries) -> ChartFigure | None:
    return next((one for one in reversed(series.figures) if one is not None), None)


def _have_room(chart: FigureChart, slot: float) -> bool:
    return all(width_of(one.figure, is_bold=True) + 2 <= slot for one in chart.figures) and all(
        width_of(one.beside, SMALL) + 2 <= slot for one in chart.figures
    )


def _line(
    series: LineSeries, places: Sequence[float], scale: AxisScale, look: Look, is_made_up: bool
) -> Iterator[Shape]:
    """Intervals, then the line, dashed to and from what is too noisy to use, then its marks."""
    known = [(x, one) for x, one in zip(places, series.figures, strict=True)]
    for x, one in known:
        if one is not None:
            yield from upright_interval(one, x, scale)
    for (x, one), (other_x, other) in itertools.pairwise(known):
        if one is not None and other is not None:
            is_noisy = one.is_noisy or other.is_noisy
            dash = "dotted" if is_noisy else "dashed" if is_made_up and not look.dash else look.dash
            ends = ((x, scale.at(one.drawn)), (other_x, scale.at(other.drawn)))
            yield Stroke(ends, "quiet" if is_noisy else look.role, "thick", dash)
    for x, one in known:
        if one is not None:
            is_hollow = look.is_hollow or one.is_noisy or is_made_up
            role: Role = "quiet" if one.is_noisy else look.role
            yield PointMark(x, scale.at(one.drawn), look.mark, role, is_hollow)


def _figures(series: LineSeries, places: Sequence[float], scale: AxisScale) -> Iterator[Shape]:
    for x, one in zip(places, series.figures, strict=True):
        if one is not None:
            y = scale.at(max(one.ends[1], one.drawn)) - 0.5 * STEP
            yield from figure_words(one, x, y, is_wide=False)


def _line_names(chart: FigureChart, left: float, width: float, scale: AxisScale) -> Iterator[Shape]:
    """Each line's name and last figure at its end, none over another."""
    ends = []
    for place, series in enumerate(chart.series):
        last = _last(series)
        if last is not None:
            ends.append((scale.at(last.drawn), place, last))
    below = -1e9
    for end, place, last in sorted(ends, key=lambda one: one[:2]):
        y = max(end, below)
        below = y + 2.4 * STEP
        name = cut_to(chart.series[place].name, BOLD, SIZE, width - left)
        look = LOOKS[place % len(LOOKS)]
        yield Word(left, y, name, role=look.role, is_bold=True)
        yield Word(left, y + STEP, f"{last.figure} {last.beside}".strip(), SMALL, "quiet")


def period_labels(
    labels: Sequence[str], left: float, slot: float, top: float
) -> tuple[list[Shape], float]:
    """Labels of periods below an axis; the year once below its quarters or months.

    Returns:
        The words and lines, and how much room they take.
    """
    parts = [label.rsplit(" ", 1) for label in labels]
    has_years = all(len(part) == 2 and part[1].isdigit() for part in parts)
    firsts = [part[0] for part in parts] if has_years else list(labels)
    widest = max(map(width_of, firsts))
    every = next((step for step in STEPS if step * slot >= widest + GAP), len(labels))
    y = top + 1.3 * STEP
    shapes: list[Shape] = [
        Word(left + slot * (place + 0.5), y, firsts[place], anchor="middle")
        for place in range(0, len(firsts), every)
    ]
    if not has_years:
        return shapes, 1.8 * STEP
    shapes += _years([part[1] for part in parts], left, slot, y)
    return shapes, 2.9 * STEP


def _years(years: Sequence[str], left: float, slot: float, y: float) -> Iterator[Shape]:
    at = 0
    for year, run in itertools.groupby(years):
        count = len(list(run))
        if at:
            x = left + slot * at
            yield Stroke(((x, y - 0.6 * STEP), (x, y + 1.1 * STEP)), "line", "plain")
        if count * slot >= width_of(year):
            yield Word(
                left + slot * (at + count / 2), y + STEP, year, role="quiet", anchor="middle"
            )
        at += count
