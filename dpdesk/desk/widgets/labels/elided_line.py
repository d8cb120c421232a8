# SPDX-License-Identifier: Apache-2.0
"""A line to be read and copied, which says with an ellipsis that it goes on."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QLineEdit, QWidget

from dpdesk.desk.theme.metrics import Type, font

MARGIN = 2
"""What Qt keeps between a field's edge and its text."""


class ElidedLine(QLineEdit):
    """A field that is read only; with the keyboard in it, its end can be reached.

    Attributes:
        shown: what is painted while the keyboard is elsewhere.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, frame=False, readOnly=True)
        self.setFont(font(Type.TEXT, mono=True))
        ground = self.palette()
        ground.setColor(QPalette.ColorRole.Base, QColor(Qt.GlobalColor.transparent))
        self.setPalette(ground)  # it stands on what is around it

    @property
    def shown(self) -> str:
        """The text, or its beginning."""
        room = self.contentsRect().width() - 2 * MARGIN
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the beginning, or leave all to Qt where the keyboard is."""
        if self.hasFocus() or self.shown == self.text():
            super().paintEvent(event)
            return
        painter = QPainter(self)
        painter.setPen(self.palette().color(QPalette.ColorRole.Text))
        room = self.contentsRect().adjusted(MARGIN, 0, -MARGIN, 0)
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, self.shown)
        painter.end()
