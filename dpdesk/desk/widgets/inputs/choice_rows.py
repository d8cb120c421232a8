# SPDX-License-Identifier: Apache-2.0
"""The lines of a list of choices: room to press them, and headings that cannot be chosen."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.theme.roles import Role, color

HEADING = Qt.ItemDataRole.UserRole + 1
"""Whether a line is a heading."""

Index = QModelIndex | QPersistentModelIndex


class ChoiceRows(QStyledItemDelegate):
    """Lines as high as a table's rows; headings in quiet text that a screen can read well."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """No lower than a table's row."""
        hint = super().sizeHint(option, index)
        return QSize(hint.width(), max(hint.height() + Space.TIGHT, Space.ROW))

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """A heading is not greyed out as a choice is that cannot be taken."""
        super().initStyleOption(option, index)
        if index.data(HEADING):
            quiet = color(Role.TEXT_QUIET)
            option.palette.setColor(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text, quiet)
