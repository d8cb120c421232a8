# SPDX-License-Identifier: Apache-2.0
"""The corners of a dialog that may be opaque only: what lies behind them is painted in them.

A window's mask cuts whole pixels off, so that a round corner is a stair.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QWidget

from dpdesk.desk.theme.metrics import Radius

SIDE = Radius.CARD


def is_within(dialog: QWidget) -> bool:
    """Whether all that lies behind a dialog is its window."""
    return _window_behind(dialog) is not None


def paint_behind(painter: QPainter, dialog: QWidget, changed: QRect) -> None:
    """Paint what a dialog's window shows behind those corners that are painted anew."""
    window = _window_behind(dialog)
    if window is None:
        return
    away = window.mapFromGlobal(dialog.mapToGlobal(QPoint(0, 0)))
    for corner in corners(dialog.rect()):
        if corner.intersects(changed):
            painter.drawPixmap(corner.topLeft(), _look(window, corner.translated(away)))


def corners(around: QRect) -> tuple[QRect, ...]:
    """The four squares that hold the round corners of a rectangle."""
    right, below = around.right() + 1 - SIDE, around.bottom() + 1 - SIDE
    return tuple(
        QRect(left, top, SIDE, SIDE)
        for left in (around.left(), right)
        for top in (around.top(), below)
    )


def _look(window: QWidget, place: QRect) -> QPixmap:
    """What a window shows at a place."""
    ratio = window.devicePixelRatioF()
    shown = QPixmap(place.size() * ratio)
    shown.setDevicePixelRatio(ratio)
    shown.fill(Qt.GlobalColor.transparent)
    window.render(shown, QPoint(0, 0), place)
    return shown


def _window_behind(dialog: QWidget) -> QWidget | None:
    """The window that a dialog lies on, if the dialog reaches beyond none of its sides."""
    parent = dialog.parentWidget()
    if parent is None:
        return None
    window = parent.window()
    place = QRect(window.mapFromGlobal(dialog.mapToGlobal(QPoint(0, 0))), dialog.size())
    return window if window.isVisible() and window.rect().contains(place) else None
