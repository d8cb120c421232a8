# SPDX-License-Identifier: Apache-2.0
"""A tab: words with a line below the one that is on."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from dpdesk.desk.theme.metrics import Radius, Space, Type, font
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.painting import focus_ring
from dpdesk.desk.widgets.pressing import Pressed


class Tab(Pressed, QAbstractButton):
    """One tab; put several into an exclusive button group."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setText(text)
        self.setCheckable(True)
        self.setAutoExclusive(True)  # of a group: read out as one of several, no check box
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        width = QFontMetrics(font(Type.TEXT, semibold=True)).horizontalAdvance(self.text())
        return QSize(width + Space.CARDS, Space.FIELD)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        on = self.isChecked()
        painter.setFont(font(Type.TEXT, semibold=on))
        painter.setPen(color(Role.TEXT if on or self.underMouse() else Role.TEXT_QUIET))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
        if on:
            line = QRectF(0, self.height() - 2, self.width(), 2)
            painter.fillRect(line, color(Role.ACCENT))
        if self.hasFocus():
            focus_ring(painter, QRectF(self.rect()), Radius.FIELD)
        painter.end()
