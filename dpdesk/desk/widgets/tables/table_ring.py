# SPDX-License-Identifier: Apache-2.0
"""The ring of a table that has the keyboard: around its head, its rows and its scroll bars."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QTableView, QWidget

from dpdesk.desk.theme.metrics import Radius
from dpdesk.desk.widgets.painting import focus_ring


class TableRing(QWidget):
    """Lies over a table while it has the keyboard; the mouse goes through.

    Painted into the rows, it would end before a bar that scrolls them.

    Args:
        table: the table.

    Attributes:
        radius: of its corners.
    """

    def __init__(self, table: QTableView) -> None:
        super().__init__(table)
        self.radius = Radius.FIELD
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        self._table = table
        table.installEventFilter(self)

    def leave(self) -> None:
        """Lie there no longer: what the table fills paints the ring."""
        self._table.removeEventFilter(self)
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Come and go with the keyboard, and be as large as the table."""
        kinds = QEvent.Type
        if event.type() in (kinds.FocusIn, kinds.FocusOut, kinds.Resize):
            self.setGeometry(self._table.rect())
            self.raise_()
            self.setVisible(self._table.hasFocus())
        return super().eventFilter(watched, event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        focus_ring(painter, QRectF(self.rect()), self.radius)
        painter.end()
