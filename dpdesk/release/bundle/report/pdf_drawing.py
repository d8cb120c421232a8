# SPDX-License-Identifier: Apache-2.0
"""A drawn chart on a page to print, and the colours of pages: each is told apart in grey, too."""

from __future__ import annotations

from functools import singledispatchmethod
from typing import Any, Final

from dpdesk.release.bundle.charts.drawing import (
    Area,
    ChartDrawing,
    FilledBand,
    Point,
    PointMark,
    Role,
    Shape,
    Stroke,
    Word,
    hatching,
    polygon,
)
from dpdesk.release.bundle.text_setting import BOLD, TEXT, font_for, printable, text_width

Colour = tuple[float, float, float]


def _colour(code: str) -> Colour:
    red, green, blue = (round(int(code[at : at + 2], 16) / 255, 3) for at in (0, 2, 4))
    return red, green, blue


COLOURS: Final[dict[Role, Colour]] = {
    "ink": _colour("18202b"),
    "quiet": _colour("4e5866"),
    "line": _colour("dde1e7"),
    "axis": _colour("6b7684"),
    "accent": _colour("0b6584"),
    "second": _colour("b85600"),
    "third": _colour("5a4a9c"),
    "band": _colour("d0e4ec"),
    "second-band": _colour("f5e0cc"),
    "third-band": _colour("dfdaf0"),
    "ground": _colour("ffffff"),
}
SHADE: Final = _colour("f1f3f5")
"""Of totals."""
_WIDTHS = {"thin": 0.5, "plain": 0.9, "thick": 1.5}
_DASHES = {"": [], "dashed": [4, 2.5], "dotted": [1.2, 2], "mixed": [6, 2, 1.2, 2]}


class DrawingOnPage:
    """Sets a drawing whose upper left corner is at a place of a page.

    Args:
        canvas: the library's.
        x, y: the place, in points from the lower left.
    """

    def __init__(self, canvas: Any, x: float, y: float) -> None:
        self._canvas, self._x, self._y = canvas, x, y

    def draw(self, drawing: ChartDrawing) -> None:
        for shape in drawing.shapes:
            self._draw(shape)
        self._canvas.setDash([])

    def _at(self, point: Point) -> Point:
        return self._x + point[0], self._y - point[1]

    @singledispatchmethod
    def _draw(self, shape: Shape) -> None:
        raise TypeError(shape)

    @_draw.register
    def _(self, shape: Stroke) -> None:
        self._pen(shape.role, _WIDTHS[shape.width], _DASHES[shape.dash])
        self._path(shape.points, is_filled=False)

    @_draw.register
    def _(self, shape: Area) -> None:
        canvas = self._canvas
        x, y = self._at((shape.x, shape.y + shape.height))
        if shape.fill:
            canvas.setFillColorRGB(*COLOURS[shape.fill])
        if shape.is_hatched:
            self._pen("axis", 0.4, [])
            canvas.lines([(*self._at(a), *self._at(b)) for a, b in hatching(shape)])
        if shape.edge:
            self._pen(shape.edge, _WIDTHS["plain"], _DASHES[shape.dash])
        canvas.rect(x, y, shape.width, shape.height, int(bool(shape.edge)), int(bool(shape.fill)))

    @_draw.register
    def _(self, shape: FilledBand) -> None:
        self._canvas.setFillColorRGB(*COLOURS[shape.fill])
        self._path(shape.points, is_filled=True, has_edge=False)

    @_draw.register
    def _(self, shape: PointMark) -> None:
        self._pen(shape.role, _WIDTHS["plain"], [])
        self._canvas.setFillColorRGB(*COLOURS["ground" if shape.is_hollow else shape.role])
        if shape.shape == "circle":
            self._canvas.circle(*self._at((shape.x, shape.y)), shape.size, stroke=1, fill=1)
        else:
            self._path(polygon(shape), is_filled=True)

    @_draw.register
    def _(self, shape: Word) -> None:
        font, text = BOLD if shape.is_bold else TEXT, printable(shape.text)
        back = {"start": 0.0, "middle": 0.5, "end": 1.0}[shape.anchor]
        x, y = self._at((shape.x - back * text_width(text, font, shape.size), shape.y))
        self._canvas.setFillColorRGB(*COLOURS[shape.role])
        self._canvas.setFont(font_for(text, font), shape.size)
        self._canvas.drawString(x, y, text)

    def _pen(self, role: Role, width: float, dash: list[float]) -> None:
        self._canvas.setStrokeColorRGB(*COLOURS[role])
        self._canvas.setLineWidth(width)
        self._canvas.setDash(dash)

    def _path(self, points: tuple[Point, ...], *, is_filled: bool, has_edge: bool = True) -> None:
        path = self._canvas.beginPath()
        path.moveTo(*self._at(points[0]))
        for point in points[1:]:
            path.lineTo(*self._at(point))
        if is_filled:
            path.close()
        self._canvas.drawPath(path, stroke=int(has_edge), fill=int(is_filled))
