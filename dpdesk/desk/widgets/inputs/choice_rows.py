# SPDX-License-Identifier: Apache-2.0
"""The lines of a list of choices: room to press them, by their words, and headings."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from dpdesk.desk.theme.metrics import Radius, Space
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.painting import box

HEADING = Qt.ItemDataRole.UserRole + 1
"""Whether a line is a heading."""

MARK = 3
SIDE = Space.TIGHT
State = QStyle.StateFlag

Index = QModelIndex | QPersistentModelIndex


class ChoiceRows(QStyledItemDelegate):
    """Lines as high as a table's rows; headings in quiet text that a screen can read well."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """The line that is taken with Return is tinted, as in menus; the mouse's is a little."""
        shown = QStyleOptionViewItem(option)
        place = QRectF(option.rect).adjusted(0, 1, 0, -1)
        if option.state & State.State_Selected:
            box(painter, place, Radius.FIELD, Role.TINT)
            bar = QRectF(place.left(), place.top() + Space.TIGHT, MARK, place.height() - 2 * SIDE)
            box(painter, bar, MARK / 2, Role.ACCENT)
        elif option.state & State.State_MouseOver and option.state & State.State_Enabled:
            box(painter, place, Radius.FIELD, Role.INSET)
        shown.state &= ~(State.State_Selected | State.State_MouseOver | State.State_HasFocus)
        shown.rect = option.rect.adjusted(Space.TIGHT, 0, 0, 0)
        super().paint(painter, shown, index)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        hint = super().sizeHint(option, index)
        height = max(hint.height() + Space.TIGHT, Space.PAGE)
        return QSize(hint.width() + Space.TIGHT, height)

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """A heading is not greyed out as a choice is that cannot be taken."""
        super().initStyleOption(option, index)
        if index.data(HEADING):
            quiet = color(Role.TEXT_QUIET)
            option.palette.setColor(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text, quiet)


class CheckedByWords(QObject):
    """A press on the words of a line checks it, as one on its box does."""

    def __init__(self, lines: QListWidget) -> None:
        super().__init__(lines)
        self._state_at_press = Qt.CheckState.Unchecked
        lines.itemPressed.connect(self._note_press)
        lines.itemClicked.connect(self._click)

    def _note_press(self, item: QListWidgetItem) -> None:
        self._state_at_press = item.checkState()

    def _click(self, item: QListWidgetItem) -> None:
        """Pressing the box itself has done so already."""
        if item.checkState() == self._state_at_press:
            toggle(item)


def toggle(item: QListWidgetItem) -> None:
    """Check a line, or no longer."""
    on = item.checkState() == Qt.CheckState.Checked
    item.setCheckState(Qt.CheckState.Unchecked if on else Qt.CheckState.Checked)
