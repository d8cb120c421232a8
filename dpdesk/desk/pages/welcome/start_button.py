# SPDX-License-Identifier: Apache-2.0
"""A way in on the first page: icon, name, what it takes, shortcut."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent
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
from dpdesk.desk.widgets.painting import box, focus_ring
from dpdesk.desk.widgets.pressing import Pressed

WAY_HEIGHT = 64


class StartButton(Pressed, QAbstractButton):
    """One way in: icon, name, what it takes, shortcut."""

    def __init__(
        self, icon: str, name: str, second: str, shortcut: str = "", loud: bool = False
    ) -> None:
        super().__init__()
        self._icon = icon
        self._second = second
        self._shortcut = shortcut
        self._loud = loud
        self.setText(name)
        self.setAccessibleDescription(second)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """The height of two lines with air."""
        return QSize(SIDE_WIDTH, round(WAY_HEIGHT * scale()))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the card."""
        painter = QPainter(self)
        whole = QRectF(self.rect())
        fill = Role.ACCENT if self._loud else Role.SURFACE
        ink = Role.ON_ACCENT if self._loud else Role.TEXT
        second = Role.ON_ACCENT if self._loud else Role.TEXT_QUIET
        if self.underMouse() and not self._loud:
            fill = Role.INSET
        box(painter, whole, Radius.CARD, fill, None if self._loud else Role.LINE)
        tint = Role.ON_ACCENT if self._loud else Role.ACCENT
        icons.paint(painter, self._icon, tint, QRectF(Space.CARD, (self.height() - 24) / 2, 24, 24))
        left = Space.CARD + 24 + Space.CARD - 3
        room = self.width() - left - Space.CARD
        middle, line = self.height() / 2, 20 * scale()
        self._draw(
            painter,
            QRectF(left, middle - line, room, line),
            self.text(),
            ink,
            font(Type.TEXT, True),
        )
        self._draw(
            painter, QRectF(left, middle, room, line), self._second, second, font(Type.QUIET)
        )
        painter.setPen(color(second))
        painter.setFont(font(Type.QUIET))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(whole.adjusted(0, 0, -Space.CARD, 0), right, self._shortcut)
        if self.hasFocus() and self._loud:
            inside = whole.adjusted(Space.TIGHT, Space.TIGHT, -Space.TIGHT, -Space.TIGHT)
            focus_ring(painter, inside, Radius.CARD - Space.TIGHT, Role.ON_ACCENT)
        elif self.hasFocus():
            focus_ring(painter, whole, Radius.CARD)
        painter.end()

    def _draw(self, painter: QPainter, place: QRectF, text: str, role: Role, font: QFont) -> None:
        painter.setPen(color(role))
        painter.setFont(font)
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, text)
