# SPDX-License-Identifier: Apache-2.0
"""A recent study on the first page, with what its account has left."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QSizePolicy,
)

from dpdesk.desk.pages.welcome.side_width import SIDE_WIDTH
from dpdesk.desk.theme.metrics import (
    Radius,
    Space,
    Type,
    font,
    scale,
)
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.painting import focus_ring
from dpdesk.desk.widgets.pressing import Pressed

RECENT_HEIGHT = 62


class RecentStudy(Pressed, QAbstractButton):
    """One recent study with what its account has left."""

    def __init__(self, title: str, second: str, left: str, planned: str, spent: float) -> None:
        super().__init__()
        self._second, self._left, self._planned, self._spent = second, left, planned, spent
        self.setText(title)
        self.setToolTip(title)
        self.setAccessibleDescription(", ".join(t for t in (second, left, planned) if t))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Two lines."""
        return QSize(SIDE_WIDTH, round(RECENT_HEIGHT * scale()))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the little gauge and the words."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.underMouse():
            painter.fillRect(self.rect().adjusted(1, 1, -1, -1), color(Role.INSET))
        spot = QRectF(Space.CARD + 4, (self.height() - 26) / 2, 26, 26)
        for role, share in ((Role.TRACK, 1.0), (Role.ACCENT, self._spent)):
            pen = QPen(color(role), 6)
            pen.setCapStyle(Qt.PenCapStyle.FlatCap)
            painter.setPen(pen)
            painter.drawArc(spot, 210 * 16, round(-240 * 16 * share))
        half, line = self.height() / 2, 20 * scale()
        left = Space.CARD + 48
        top = QRectF(left, half - line, self.width() - left - Space.CARD, line)
        low = QRectF(left, half, top.width(), line)
        painter.setFont(font(Type.TEXT))
        painter.setPen(color(Role.TEXT))
        self._draw_beside(painter, top, self.text(), self._left)
        painter.setFont(font(Type.QUIET))
        painter.setPen(color(Role.TEXT_QUIET))
        self._draw_beside(painter, low, self._second, self._planned)
        if self.hasFocus():
            focus_ring(painter, QRectF(self.rect()), Radius.ITEM)
        painter.end()

    def _draw_beside(self, painter: QPainter, place: QRectF, text: str, end: str) -> None:
        """Draw what ends a line, and before it as much of a text as has room."""
        metrics = painter.fontMetrics()
        room = int(place.width()) - metrics.horizontalAdvance(end) - Space.CARDS
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, shown)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(place, right, end)
