# SPDX-License-Identifier: Apache-2.0
"""A switch: on or off, at once."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QCheckBox, QWidget

from dpdesk.desk.theme.metrics import Space, Type, font
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.layouts.aligned import RING
from dpdesk.desk.widgets.painting import box, focus_ring
from dpdesk.desk.widgets.pressing import Pressed

WIDTH = 32
HEIGHT = 18


class Toggle(Pressed, QCheckBox):
    """A check box drawn as a switch, its words at the left."""

    ring_room = RING

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setFont(font(Type.TEXT))
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:
        words = self.fontMetrics().horizontalAdvance(self.text())
        words += Space.SMALL if self.text() else 0
        return QSize(words + WIDTH + 2 * RING, Space.GAP + 2)

    def hitButton(self, _pos: object) -> bool:
        """The whole of it can be pressed."""
        return True

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        top = (self.height() - HEIGHT) / 2
        track = QRectF(self.width() - WIDTH - RING, top, WIDTH, HEIGHT)
        on, enabled = self.isChecked(), self.isEnabled()
        box(
            painter,
            track,
            HEIGHT / 2,
            (Role.ACCENT if on else Role.TRACK) if enabled else Role.DISABLED if on else Role.INSET,
            (None if on else Role.CONTROL) if enabled else Role.LINE,
        )
        side = HEIGHT - 6
        left = track.right() - side - 3 if on else track.left() + 3
        knob = QRectF(left, top + 3, side, side)
        ink = Role.ON_ACCENT if on else Role.CONTROL
        off_ink = Role.SURFACE if on else Role.TRACK
        box(painter, knob, side / 2, ink if enabled else off_ink)
        painter.setPen(color(Role.TEXT if enabled else Role.DISABLED))
        words = QRectF(RING, 0, track.left() - Space.SMALL - RING, self.height())
        flags = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(words, int(flags), self.text())
        if self.hasFocus():
            focus_ring(painter, track.adjusted(-RING, -RING, RING, RING), HEIGHT / 2 + RING)
        painter.end()
