# SPDX-License-Identifier: Apache-2.0
"""The shadow of a dialog on the window behind it."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPixmap

from dpdesk.desk.theme.metrics import Radius, Space
from dpdesk.desk.theme.roles import Role, color

SHADOW = 24
"""How far it reaches beyond the dialog."""
DARKEST = 0.28
_EDGE = SHADOW + Radius.CARD
"""What of it at each side depends on the corner; between, it is the same along the side."""


def paint_shadow(painter: QPainter, above: QRect) -> None:
    """Paint the shadow of a dialog at a place; what lies below the dialog itself is left out.

    Only corners and one pixel of each side are drawn, once: rings around a whole dialog took 7 ms
    at each painting of the window behind it, and four times that where a screen shows 200 %.
    """
    tile = _tile(color(Role.DIM).rgb(), painter.device().devicePixelRatio())
    scale = tile.devicePixelRatio()
    all_of_it = above.adjusted(-SHADOW, Space.SMALL - SHADOW, SHADOW, Space.SMALL + SHADOW)
    rows = _parts(all_of_it.y(), all_of_it.height())
    for row, (top, height) in enumerate(rows):
        for column, (left, width) in enumerate(_parts(all_of_it.x(), all_of_it.width())):
            if row == column == 1:
                continue
            part = (_FROM[column], _FROM[row], _SIZE[column], _SIZE[row])
            source = QRectF(*(number * scale for number in part))
            painter.drawPixmap(QRectF(left, top, width, height), tile, source)


_FROM = (0, _EDGE, _EDGE + 1)
_SIZE = (_EDGE, 1, _EDGE)


def _parts(start: int, length: int) -> tuple[tuple[int, int], ...]:
    """Where a corner, the side and the other corner begin, and how long each is."""
    end = start + length - _EDGE
    return (start, _EDGE), (start + _EDGE, length - 2 * _EDGE), (end, _EDGE)


@lru_cache(maxsize=4)
def _tile(rgb: int, scale: float) -> QPixmap:
    """The shadow of the smallest dialog, in the colour of a look and for one kind of screen."""
    side = 2 * _EDGE + 1
    tile = QPixmap(round(side * scale), round(side * scale))
    tile.setDevicePixelRatio(scale)
    tile.fill(Qt.GlobalColor.transparent)
    painter = QPainter(tile)
    _paint_rings(painter, QRectF(SHADOW, SHADOW, side - 2 * SHADOW, side - 2 * SHADOW), QColor(rgb))
    painter.end()
    return tile


def _paint_rings(painter: QPainter, inner: QRectF, ink: QColor) -> None:
    """Rings beside each other that grow fainter outwards: laid over each other they would band."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    within = _rounded(inner, 0)
    ink.setAlphaF(DARKEST)
    painter.fillPath(within, ink)
    for grown in range(1, SHADOW + 1):
        outer = _rounded(inner, grown)
        ink.setAlphaF(DARKEST * (1 - grown / SHADOW) ** 2)
        painter.fillPath(outer - within, ink)
        within = outer


def _rounded(inner: QRectF, grown: int) -> QPainterPath:
    """The dialog's outline, so much larger."""
    path = QPainterPath()
    place = inner.adjusted(-grown, -grown, grown, grown)
    path.addRoundedRect(place, Radius.CARD + grown, Radius.CARD + grown)
    return path
