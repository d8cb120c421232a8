# SPDX-License-Identifier: Apache-2.0
"""A drawn chart as inline SVG of the few tags and attributes that a bundle's page may have."""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch
from html import escape

from dpdesk.release.bundle.charts.drawing import (
    Area,
    ChartDrawing,
    FilledBand,
    Point,
    PointMark,
    Shape,
    Stroke,
    Word,
    hatching,
    polygon,
)
from dpdesk.study.text.spreadsheet_cells import WRITTEN_NUMBER, neutral

SCALE = 1.45
"""Pixels a point."""

STYLE = """
svg{max-width:100%;height:auto;display:block;margin:.6rem 0;overflow:visible}
svg text{font-family:Inter,system-ui,sans-serif;font-size:8px;font-variant-numeric:tabular-nums}
svg .small{font-size:7.2px}svg .bold{font-weight:600}
svg .t-ink{fill:var(--text)}svg .t-quiet{fill:var(--quiet)}svg .t-accent{fill:var(--accent)}
svg .t-second{fill:var(--second)}svg .t-third{fill:var(--third)}
svg .s{fill:none;stroke-width:1;stroke-linejoin:round}
svg .thin{stroke-width:.5}svg .thick{stroke-width:1.6}
svg .s-ink{stroke:var(--text)}svg .s-quiet{stroke:var(--quiet)}svg .s-line{stroke:var(--line)}
svg .s-axis{stroke:var(--quiet)}svg .s-accent{stroke:var(--accent)}
svg .s-second{stroke:var(--second)}svg .s-third{stroke:var(--third)}
svg .f-ink{fill:var(--text)}svg .f-quiet{fill:var(--quiet)}svg .f-accent{fill:var(--accent)}
svg .f-second{fill:var(--second)}svg .f-third{fill:var(--third)}
svg .f-line{fill:var(--line)}svg .f-band{fill:var(--band)}
svg .f-second-band{fill:var(--second-band)}svg .f-third-band{fill:var(--third-band)}
svg .f-ground{fill:var(--bg)}
svg .dashed{stroke-dasharray:4 2.5}svg .dotted{stroke-dasharray:1.2 2}
svg .mixed{stroke-dasharray:6 2 1.2 2}
"""


def svg(drawing: ChartDrawing) -> str:
    """Inline SVG under its title. What is made up says so."""
    shapes = "".join(piece for shape in drawing.shapes for piece in _drawn(shape))
    if drawing.is_made_up:
        shapes = f'<g class="made-up">{shapes}</g>'
    box = f"0 0 {_number(drawing.width)} {_number(drawing.height)}"
    size = f'width="{round(drawing.width * SCALE)}" height="{round(drawing.height * SCALE)}"'
    return (
        f'<svg role="img" viewBox="{box}" {size}>'
        f"<title>{escape(still(drawing.title))}</title>{shapes}</svg>\n"
    )


@singledispatch
def _drawn(shape: Shape) -> Iterator[str]:
    raise TypeError(shape)


@_drawn.register
def _(shape: Stroke) -> Iterator[str]:
    kind = " ".join(filter(None, ("s", f"s-{shape.role}", shape.width, shape.dash)))
    if len(shape.points) == 2:
        yield _line(*shape.points, kind)
    else:
        yield f'<polyline class="{kind}" points="{_points(shape.points)}"/>'


@_drawn.register
def _(shape: Area) -> Iterator[str]:
    edge = f"s s-{shape.edge}" if shape.edge else "s"
    kind = " ".join(filter(None, (edge, f"f-{shape.fill}" if shape.fill else "", shape.dash)))
    yield (
        f'<rect class="{kind}" x="{_number(shape.x)}" y="{_number(shape.y)}" '
        f'width="{_number(shape.width)}" height="{_number(shape.height)}"/>'
    )
    if shape.is_hatched:
        moves = (f"M{_pair(one)}L{_pair(other)}" for one, other in hatching(shape))
        yield f'<path class="noisy s s-quiet thin" d="{"".join(moves)}"/>'


@_drawn.register
def _(shape: FilledBand) -> Iterator[str]:
    yield f'<polyline class="f-{shape.fill}" points="{_points(shape.points)}"/>'


@_drawn.register
def _(shape: PointMark) -> Iterator[str]:
    kind = f"s s-{shape.role} f-{'ground' if shape.is_hollow else shape.role}"
    if shape.shape == "circle":
        at = f'cx="{_number(shape.x)}" cy="{_number(shape.y)}" r="{_number(shape.size)}"'
        yield f'<circle class="{kind}" {at}/>'
    else:
        corners = polygon(shape)
        yield f'<polyline class="{kind}" points="{_points((*corners, corners[0]))}"/>'


@_drawn.register
def _(shape: Word) -> Iterator[str]:
    kind = f"t-{shape.role}{' bold' if shape.is_bold else ''}{' small' if shape.size < 8 else ''}"
    anchor = "" if shape.anchor == "start" else f' text-anchor="{shape.anchor}"'
    at = f'x="{_number(shape.x)}" y="{_number(shape.y)}"'
    yield f'<text class="{kind}" {at}{anchor}>{escape(still(shape.text))}</text>'


def _line(one: Point, other: Point, kind: str) -> str:
    (x1, y1), (x2, y2) = (tuple(map(_number, point)) for point in (one, other))
    return f'<line class="{kind}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>'


def still(label: str) -> str:
    """A label that runs nowhere; a spreadsheet takes all of them for one cell, numbers, too."""
    is_negative = label.startswith("-") and WRITTEN_NUMBER.fullmatch(label)
    return neutral(f"\N{MINUS SIGN}{label[1:]}" if is_negative else label)


def _points(points: tuple[Point, ...]) -> str:
    return " ".join(map(_pair, points))


def _pair(point: Point) -> str:
    return f"{_number(point[0])},{_number(point[1])}"


def _number(value: float) -> str:
    """Two decimals at most; the same on every machine.

    >>> _number(12.0), _number(0.125), _number(-0.001)
    ('12', '0.12', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
