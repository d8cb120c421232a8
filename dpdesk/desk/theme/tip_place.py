# SPDX-License-Identifier: Apache-2.0
"""Where a tooltip stands: below what it explains, or above where there is no room, never over it.

Qt puts it at the pointer, which is over the words that one is about to read.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from dpdesk.desk.theme.metrics import Space

BESIDE = "tip_beside"
"""Property of what has neighbours above and below, which a tooltip there would cover."""
_PLACED = (QEvent.Type.Show, QEvent.Type.Move, QEvent.Type.Resize)


class TipPlace(QObject):
    """Moves one tooltip beside its control whenever Qt shows it at the pointer."""

    def __init__(self, tip: QLabel) -> None:
        super().__init__(tip)
        self.setObjectName("tip-place")
        self._is_moving = False
        tip.installEventFilter(self)

    def eventFilter(self, tip: QObject, event: QEvent) -> bool:
        """Move it as soon as it is placed."""
        if event.type() in _PLACED and isinstance(tip, QLabel) and not self._is_moving:
            control = _control_of(tip.text())
            if control is not None:
                self._is_moving = True
                tip.move(_spot(tip, control))
                tip.update()  # what lies behind its corners is another
                self._is_moving = False
        return False


def place_tips(tip: QLabel) -> None:
    """Have a tooltip placed, which is asked about several times in its life."""
    if tip.findChild(TipPlace, "tip-place") is None:
        TipPlace(tip)


def _control_of(text: str) -> QWidget | None:
    """What the pointer is on that has this tooltip; none for a cell, a menu or what is large."""
    widget = QApplication.widgetAt(QCursor.pos())
    while widget is not None and widget.toolTip() != text:
        widget = None if widget.isWindow() else widget.parentWidget()
    if widget is None or widget.height() > 3 * Space.RAIL_ITEM:
        return None  # Beside a plot it would be far from the eye.
    return widget


def _spot(tip: QLabel, control: QWidget) -> QPoint:
    """Beside the control and on its screen."""
    screen = control.screen().availableGeometry()
    place = QRect(control.mapToGlobal(QPoint(0, 0)), control.size())
    gap = Space.TIGHT
    if control.property(BESIDE):
        left = place.right() + 1 + gap
        if left + tip.width() > screen.right():
            left = place.left() - gap - tip.width()
        spot = QPoint(left, place.center().y() - tip.height() // 2)
    else:
        top = place.bottom() + 1 + gap
        if top + tip.height() > screen.bottom():
            top = place.top() - gap - tip.height()
        spot = QPoint(place.left(), top)
    spot.setX(max(screen.left(), min(spot.x(), screen.right() + 1 - tip.width())))
    spot.setY(max(screen.top(), min(spot.y(), screen.bottom() + 1 - tip.height())))
    return spot
