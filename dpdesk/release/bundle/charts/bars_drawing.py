# SPDX-License-Identifier: Apache-2.0
"""Bars, drawn: few stand, many lie, each with its figure, its margin and its interval."""

from __future__ import annotations

from collections.abc import Iterator

from dpdesk.release.bundle.charts.axis import ticks
from dpdesk.release.bundle.charts.description import ChartFigure, FigureChart
from dpdesk.release.bundle.charts.drawing import Area, ChartDrawing, Role, Shape, Word
from dpdesk.release.bundle.charts.frame import (
    GAP,
    SIZE,
    SMALL,
    STEP,
    AxisScale,
    flat_grid,
    flat_interval,
    label_lines,
    unit_text,
    upright_grid,
    upright_interval,
    width_of,
    with_interval_legend,
)
from dpdesk.release.bundle.text_setting import TEXT, cut_to
from dpdesk.study.text.number_text import NumberStyle

HEIGHT = 84.0
"""Of the plot above its labels."""
ROW = 15.0
BAR, WIDEST, LYING = 0.54, 48.0, 0.62
NAMES = 0.36
"""How much of the width the names of lying bars may take."""


def bars_drawing(
    chart: FigureChart, width: float, title: str, style: NumberStyle, is_made_up: bool = False
) -> ChartDrawing:
    """Bars in so much width."""
    shapes, height = _lying if chart.lies else _standing, 0.0
    made, height = shapes(chart, width, style, is_made_up)
    drawn, height = with_interval_legend(made, height, chart.intervals)
    return ChartDrawing(title, width, height, drawn, is_made_up, has_all=True)


def bar(
    x: float, y: float, width: float, height: float, *, is_noisy: bool, is_made_up: bool
) -> Area:
    """A bar that says something is filled, others hatched or, made up, an outline."""
    if is_noisy:
        return Area(x, y, width, height, None, "quiet", "dashed", is_hatched=True)
    return Area(
        x,
        y,
        width,
        height,
        None if is_made_up else "band",
        "accent",
        "dashed" if is_made_up else "",
    )


def _standing(
    chart: FigureChart, width: float, style: NumberStyle, is_made_up: bool
) -> tuple[list[Shape], float]:
    low, high = chart.reach
    made = ticks(low, high, style, chart.behind)
    left = max(width_of(tick.text) for tick in made) + GAP
    slot = (width - left) / len(chart.labels)
    is_wide = _fit_beside(chart, slot)
    top = (1.3 if is_wide else 2.3) * STEP + (STEP if chart.unit else 0)
    scale = AxisScale(low, high, top + HEIGHT, top)
    shapes = [*_unit(chart, left), *upright_grid(made, scale, left, width)]
    lines = [label_lines(label, slot - GAP) for label in chart.labels]
    foot = top + HEIGHT + 1.3 * STEP
    for place, label in enumerate(lines):
        middle = left + slot * (place + 0.5)
        shapes += [Word(middle, foot + STEP * i, t, anchor="middle") for i, t in enumerate(label)]
        figure = chart.series[0].figures[place]
        if figure is not None:
            shapes += _standing_bar(figure, middle, slot, scale, is_wide, is_made_up)
    return shapes, foot + STEP * (max(map(len, lines)) - 1) + 0.4 * STEP


def _unit(chart: FigureChart, left: float) -> Iterator[Shape]:
    if chart.unit:
        yield Word(0, SIZE, unit_text(chart.unit), role="quiet")


def _fit_beside(chart: FigureChart, slot: float) -> bool:
    """Whether every figure has room for its margin beside it."""
    return all(sum(_widths(one)) + GAP <= slot for one in chart.figures)


def _widths(figure: ChartFigure) -> tuple[float, float]:
    margin = width_of(f" {figure.beside}", SMALL) if figure.beside else 0.0
    return width_of(figure.figure, is_bold=not figure.is_noisy), margin


def _standing_bar(
    figure: ChartFigure, x: float, slot: float, scale: AxisScale, is_wide: bool, is_made_up: bool
) -> Iterator[Shape]:
    thick = min(BAR * slot, WIDEST)
    ends = sorted((scale.at(0), scale.at(figure.drawn)))
    yield bar(
        x - thick / 2,
        ends[0],
        thick,
        ends[1] - ends[0],
        is_noisy=figure.is_noisy,
        is_made_up=is_made_up,
    )
    yield from upright_interval(figure, x, scale)
    y = min(scale.at(max(figure.ends[1], 0)), scale.at(0)) - 0.4 * STEP
    yield from figure_words(figure, x, y, is_wide)


def figure_words(figure: ChartFigure, x: float, y: float, is_wide: bool) -> Iterator[Shape]:
    """A figure over its place, its margin beside it or, in little room, below it."""
    own, margin = _widths(figure)
    role: Role = "quiet" if figure.is_noisy else "ink"
    is_bold = not figure.is_noisy
    if not (is_wide and figure.beside):
        above = STEP * 0.95 if figure.beside else 0.0
        yield Word(x, y - above, figure.figure, role=role, anchor="middle", is_bold=is_bold)
        if figure.beside:
            yield Word(x, y, figure.beside, SMALL, "quiet", "middle")
        return
    # Away from each other: in a wider font than was measured they would lie over each other.
    between = x + (own - margin) / 2
    yield Word(between, y, figure.figure, role=role, anchor="end", is_bold=is_bold)
    yield Word(between + width_of(" ", SMALL), y, figure.beside, SMALL, "quiet")


def _lying(
    chart: FigureChart, width: float, style: NumberStyle, is_made_up: bool
) -> tuple[list[Shape], float]:
    names = min(NAMES * width, max(map(width_of, chart.labels)) + 2 * GAP)
    pairs = [_widths(one) for one in chart.figures] or [(0.0, 0.0)]
    own, margins = (max(pair[side] for pair in pairs) for side in (0, 1))
    low, high = chart.reach
    right = width - own - margins - 3 * GAP
    made = ticks(low, high, style, chart.behind, most=5)
    top = STEP if chart.unit else 0.0
    scale, bottom = AxisScale(low, high, names, right), top + ROW * len(chart.labels)
    shapes = [*flat_grid(made, scale, top, bottom)]
    if chart.unit:
        shapes.append(Word(width, SIZE, unit_text(chart.unit), role="quiet", anchor="end"))
    for place, label in enumerate(chart.labels):
        y = top + ROW * (place + 0.5)
        shapes.append(Word(0, y + 0.36 * SIZE, cut_to(label, TEXT, SIZE, names - GAP)))
        figure = chart.series[0].figures[place]
        if figure is not None:
            shapes += _lying_bar(figure, y, scale, is_made_up)
            shapes += _figure_beside(figure, width - margins - GAP, width, y + 0.36 * SIZE)
    return shapes, bottom + 1.4 * STEP


def _lying_bar(
    figure: ChartFigure, y: float, scale: AxisScale, is_made_up: bool
) -> Iterator[Shape]:
    ends = sorted((scale.at(0), scale.at(figure.drawn)))
    thick = LYING * ROW
    yield bar(
        ends[0],
        y - thick / 2,
        ends[1] - ends[0],
        thick,
        is_noisy=figure.is_noisy,
        is_made_up=is_made_up,
    )
    yield from flat_interval(figure, y, scale)


def _figure_beside(figure: ChartFigure, own: float, margin: float, y: float) -> Iterator[Shape]:
    role: Role = "quiet" if figure.is_noisy else "ink"
    is_bold = not figure.is_noisy
    yield Word(own, y, figure.figure, role=role, anchor="end", is_bold=is_bold)
    if figure.beside:
        yield Word(margin, y, figure.beside, SMALL, "quiet", "end")
