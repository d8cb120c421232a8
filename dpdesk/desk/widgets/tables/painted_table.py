# SPDX-License-Identifier: Apache-2.0
"""A table that is painted as a picture: read cell by cell, scrolled by its page."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QWheelEvent
from PySide6.QtWidgets import QTableView

from dpdesk.desk.widgets.accessibility.announcing import say_current_cell
from dpdesk.desk.widgets.tab_stop import scroll_to_keyboard


class PaintedTable(QTableView):
    """A table in which arrows go from cell to cell, and that has no scrolling of its own.

    Signals:
        copy_wanted: Ctrl+C was pressed; the table is to be copied.
    """

    copy_wanted = Signal()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the page."""
        event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+C copies the table; arrows go from cell to cell, and the page follows."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit()
            return
        super().keyPressEvent(event)
        scroll_to_keyboard()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Say where the arrows go from."""
        super().focusInEvent(event)
        say_current_cell(self)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Without the keyboard no cell is current: screen readers take that for the focus."""
        super().focusOutEvent(event)
        self.selectionModel().clearCurrentIndex()
