# SPDX-License-Identifier: Apache-2.0
"""Released quantiles, drawn as boxes: from quartile to quartile, the median a thick line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from dpdesk.release.bundle.charts.axis import ticks
from dpdesk.release.bundle.charts.bars_drawing import NAMES
from dpdesk.release.bundle.charts.description import Box, ChartFigure
from dpdesk.release.bundle.charts.drawing import Area, ChartDrawing, Dash, Role, Shape, Stroke, Word
from dpdesk.release.bundle.charts.frame import (
    GAP,
    SIZE,
    SMALL,
    STEP,
    AxisScale,
    flat_grid,
    flat_interval,
    width_of,
)
from dpdesk.release.bundle.text_setting import TEXT, cut_to
from dpdesk.study.text.number_text import NumberStyle

ROW, THICK = 24.0, 11.0
APART = 5.0
"""How far from one another the intervals of a box's three figures are."""


def box_drawing(
    boxes: Sequence[Box],
    unit: str,
    width: float,
    title: str,
    style: NumberStyle,
    write: Callable[[float], str],
    heads: tuple[str, str],
    is_made_up: bool = False,
) -> ChartDrawing | None:
    """Boxes in so much width; ``None`` without any."""
    if not boxes:
        return None
    names = min(NAMES * width, max(width_of(box.name) for box in boxes) + 2 * GAP)
    texts = [
        (write(box.figures[1]), f"{write(box.figures[0])} – {write(box.figures[2])}")
        for box in boxes
    ]
    own = max(width_of(text, is_bold=True) for text in (heads[0], *(text for text, _ in texts)))
    ends = max(width_of(text, SMALL) for text in (heads[1], *(text for _, text in texts)))
    scale = AxisScale(*_reach(boxes), names + GAP, width - own - ends - 5 * GAP)
    top, bottom = STEP, STEP + ROW * len(boxes)
    shapes = [*flat_grid(ticks(scale.low, scale.high, style), scale, top, bottom)]
    shapes.append(Word(width - ends - 3 * GAP, SIZE, heads[0], SMALL, "quiet", "end"))
    shapes.append(Word(width, SIZE, heads[1], SMALL, "quiet", "end"))
    for place, (box, (middle, both)) in enumerate(zip(boxes, texts, strict=True)):
        y = top + ROW * (place + 0.5)
        role: Role = "quiet" if box.noisy else "ink"
        shapes.append(Word(0, y + 0.36 * SIZE, cut_to(box.name, TEXT, SIZE, names - GAP)))
        shapes += _box(box, y, scale, is_made_up)
        at = width - ends - 3 * GAP
        shapes.append(
            Word(at, y + 0.36 * SIZE, middle, role=role, anchor="end", is_bold=not box.noisy)
        )
        shapes.append(Word(width, y + 0.36 * SIZE, both, SMALL, "quiet", "end"))
    if unit:
        shapes.append(Word(scale.end, bottom + 2.2 * STEP, unit, role="quiet", anchor="end"))
    height = bottom + (2.6 if unit else 1.4) * STEP
    return ChartDrawing(title, width, height, tuple(shapes), is_made_up)


def _reach(boxes: Sequence[Box]) -> tuple[float, float]:
    """What the axis of values reaches from and to; it need not have 0."""
    values = [
        value
        for box in boxes
        for value in (*box.figures, *box.ends, *(end for pair in box.ranges for end in pair))
    ]
    low, high = min(values), max(values)
    return low, high if high > low else low + 1


def _box(box: Box, y: float, scale: AxisScale, is_made_up: bool) -> Iterator[Shape]:
    left, middle, right = (scale.at(value) for value in box.figures)
    for value, edge in zip(box.ends, (left, right), strict=False):
        x = scale.at(value)
        yield Stroke(((x, y), (edge, y)), "accent")
        yield Stroke(((x, y - 3), (x, y + 3)), "accent")
    fill: Role | None = None if box.noisy or is_made_up else "band"
    dash: Dash = "dashed" if box.noisy or is_made_up else ""
    edge_role: Role = "quiet" if box.noisy else "accent"
    yield Area(left, y - THICK / 2, right - left, THICK, fill, edge_role, dash, box.noisy)
    yield Stroke(((middle, y - THICK / 2), (middle, y + THICK / 2)), edge_role, "thick")
    for place, (low, high) in enumerate(box.ranges):
        at = y + APART * (place - 1)
        yield from flat_interval(ChartFigure("", box.figures[place], low, high), at, scale)
