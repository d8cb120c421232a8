# SPDX-License-Identifier: Apache-2.0
"""The lines of a list of choices: room to press them, and headings that cannot be chosen."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

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
        """No lower than a table's row."""
        hint = super().sizeHint(option, index)
        height = max(hint.height() + Space.TIGHT, Space.PAGE)
        return QSize(hint.width() + Space.TIGHT, height)

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """A heading is not greyed out as a choice is that cannot be taken."""
        super().initStyleOption(option, index)
        if index.data(HEADING):
            quiet = color(Role.TEXT_QUIET)
            option.palette.setColor(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text, quiet)
