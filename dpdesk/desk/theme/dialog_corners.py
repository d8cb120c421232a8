# SPDX-License-Identifier: Apache-2.0
"""The corners of a window that may be opaque only: what lies behind them is painted in them.

A window's mask cuts whole pixels off, so that a round corner is a stair.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QGuiApplication, QPainter, QPixmap
from PySide6.QtWidgets import QMenu, QWidget

from dpdesk.desk.theme.metrics import Radius

SIDE = Radius.CARD
NO_COMPOSITOR = ("xcb",)
"""Where a window may be opaque only, and a shadow around it would be a black slab."""


def is_opaque_only() -> bool:
    """Whether nothing shines through a window's corners by itself."""
    return QGuiApplication.platformName() in NO_COMPOSITOR


def paint_behind(painter: QPainter, dialog: QWidget, changed: QRect) -> bool:
    """Paint what the window of a dialog or a menu shows behind those corners that are painted anew.

    Returns:
        Whether all that lies behind it is that window; else nothing is painted.
    """
    window = _window_behind(dialog)
    if window is None:
        return False
    away = window.mapFromGlobal(dialog.mapToGlobal(QPoint(0, 0)))
    for corner in corners(dialog.rect()):
        if corner.intersects(changed):
            painter.drawPixmap(corner.topLeft(), _look(window, corner.translated(away)))
    return True


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
    """The window that a dialog or a menu lies on, if it reaches beyond none of its sides."""
    window: QWidget = dialog
    # A menu that another one opens lies on the window of that one.
    while window is dialog or isinstance(window, QMenu):
        parent = window.parentWidget()
        if parent is None:
            return None
        window = parent.window()
    place = QRect(window.mapFromGlobal(dialog.mapToGlobal(QPoint(0, 0))), dialog.size())
    return window if window.isVisible() and window.rect().contains(place) else None
