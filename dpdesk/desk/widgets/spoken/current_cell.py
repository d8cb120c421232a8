# SPDX-License-Identifier: Apache-2.0
"""Which cell of a table has the keyboard, said when the table gets it.

Qt tells screen readers of the current cell first and of the table after it, so that they stayed at
the table, and the first arrow went to the second row.
"""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QTableView


def say_current_cell(table: QTableView) -> None:
    """Say it after what Qt says of a table that got the keyboard."""
    QTimer.singleShot(0, table, lambda: _say(table))


def _say(table: QTableView) -> None:
    at = table.currentIndex()
    if not (at.isValid() and table.hasFocus() and QAccessible.isActive()):
        return
    event = QAccessibleEvent(table, QAccessible.Event.Focus)
    # Both heads are children, too, whether they are shown or not.
    width = table.model().columnCount() + 1
    event.setChild((at.row() + 1) * width + at.column() + 1)
    QAccessible.updateAccessibility(event)
