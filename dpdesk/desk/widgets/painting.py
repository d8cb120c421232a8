# SPDX-License-Identifier: Apache-2.0
"""Strokes that painted widgets share: rounded boxes, focus rings, hatching."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QPixmap

from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.theme.roles import Role, color, is_on_paper

HATCH = 6
CHOSEN = 3


def box(
    painter: QPainter,
    rect: QRectF,
    radius: float,
    fill: Role | None,
    border: Role | None = None,
    width: float = 1.0,
    dashed: bool = False,
) -> None:
    """A rounded box with a fill, a border, or both; a dashed border is of what is made up."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(color(fill) if fill else Qt.BrushStyle.NoBrush)
    style = Qt.PenStyle.DashLine if dashed else Qt.PenStyle.SolidLine
    painter.setPen(QPen(color(border), width, style) if border else QPen(Qt.PenStyle.NoPen))
    inset = width / 2 if border else 0.0
    painter.drawRoundedRect(rect.adjusted(inset, inset, -inset, -inset), radius, radius)


def focus_ring(painter: QPainter, rect: QRectF, radius: float, role: Role = Role.ACCENT) -> None:
    """The 2-pixel ring of whatever takes the keyboard; on the accent in what contrasts."""
    if is_on_paper():
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(color(role), Space.RING))
    painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), radius, radius)


def chosen_mark(painter: QPainter, rect: QRectF) -> None:
    """The bar at the left of the row that is chosen: its tint alone is next to its ground."""
    painter.fillRect(QRectF(rect.left(), rect.top(), CHOSEN, rect.height()), color(Role.ACCENT))


def hatching(role: Role, ground: Role, crossed: bool = False, ratio: float = 1.0) -> QBrush:
    """Diagonal stripes, 3 on and 3 off; crossed for what is over."""
    tile = QPixmap(round(HATCH * ratio), round(HATCH * ratio))
    tile.setDevicePixelRatio(ratio)
    tile.fill(color(ground))
    painter = QPainter(tile)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(color(role)), 2.1))
    for shift in (-HATCH, 0, HATCH):
        painter.drawLine(shift, HATCH, shift + HATCH, 0)
        if crossed:
            painter.drawLine(shift, 0, shift + HATCH, HATCH)
    painter.end()
    return QBrush(tile)
