# SPDX-License-Identifier: Apache-2.0
"""A template of a usual release on the first page."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QSizePolicy,
)

from dpdesk.desk.pages.welcome.side_width import SIDE_WIDTH
from dpdesk.desk.theme import icons
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

TEMPLATE_HEIGHT = 50


class TemplateRow(Pressed, QAbstractButton):
    """One usual release to begin a study for: its name, and what it publishes."""

    def __init__(self, name: str, second: str) -> None:
        super().__init__()
        self._second = second
        self.setText(name)
        self.setAccessibleDescription(second)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Two lines."""
        return QSize(SIDE_WIDTH, round(TEMPLATE_HEIGHT * scale()))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the icon and the words."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.underMouse():
            painter.fillRect(self.rect().adjusted(1, 1, -1, -1), color(Role.INSET))
        spot = QRectF(Space.CARD + 4, (self.height() - 22) / 2, 22, 22)
        icons.paint(painter, "table", Role.ACCENT, spot)
        left, half, line = Space.CARD + 48, self.height() / 2, 18 * scale()
        room = self.width() - left - Space.CARD
        places = (
            (QRectF(left, half - line, room, line), self.text(), Role.TEXT, Type.TEXT),
            (QRectF(left, half, room, line), self._second, Role.TEXT_QUIET, Type.QUIET),
        )
        for place, text, role, size in places:
            painter.setFont(font(size))
            painter.setPen(color(role))
            cut = Qt.TextElideMode.ElideRight
            shown = painter.fontMetrics().elidedText(text, cut, round(room))
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, shown)
        if self.hasFocus():
            focus_ring(painter, QRectF(self.rect()), Radius.ITEM)
        painter.end()
