# SPDX-License-Identifier: Apache-2.0
"""A cell of a table: its ground, its hairline, its text in one line or several."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QFontMetrics, QHelpEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
    QWidget,
)

from dpdesk.desk.theme import icons
from dpdesk.desk.theme.metrics import Space, Type, font
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.labels.spread_text import paint_lines
from dpdesk.desk.widgets.painting import box
from dpdesk.desk.widgets.tables.rows_model import (
    HATCHED,
    MISSING,
    SECOND,
    SIGN,
    SUM,
    WARNED,
    WHOLE,
    Index,
)

PAD = 12
PILL = 44
MOST_LINES = 6
"""Of a wrapped text."""


def paint_ground(painter: QPainter, rect: QRect, index: Index, selected: bool) -> None:
    """Paint what a cell is on, and the hairline below it."""
    ground = Role.INSET if index.data(SUM) else Role.SURFACE
    painter.fillRect(rect, color(Role.TINT if selected else ground))
    if index.data(HATCHED):
        painter.fillRect(rect, QBrush(color(Role.LINE), Qt.BrushStyle.BDiagPattern))
    painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, color(Role.LINE))


def wrapped(
    text: str,
    metrics: QFontMetrics,
    width: int,
    cut: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    most: int = MOST_LINES,
) -> list[str]:
    """A text in lines no wider than asked for; of more than a few, the last is cut short.

    A line is less wide than there is room: its width was rounded, and what a line has too much by
    less than a pixel is cut short, too.
    """
    rest = text.split(" ")
    lines: list[str] = []
    while rest:
        taken = len(rest)
        while taken > 1 and metrics.horizontalAdvance(" ".join(rest[:taken])) >= width:
            taken -= 1
        taken = len(rest) if len(lines) == most - 1 else taken
        line = " ".join(rest[:taken])
        lines.append(metrics.elidedText(line, cut, width))
        rest = rest[taken:]
    return lines


class CellDelegate(QStyledItemDelegate):
    """Paints a cell with its hairline; masked cells as grey pills.

    Attributes:
        wrapped: the column whose texts are wrapped; -1 for none.
        masked, column_lines: how the cells are painted.
        cut: where a text that is too long gives way.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.masked = False
        self.column_lines = False
        self.cut = Qt.TextElideMode.ElideRight
        self.wrapped = -1

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect: QRect = option.rect
        painter.save()
        paint_ground(painter, rect, index, bool(option.state & QStyle.StateFlag.State_Selected))
        if self.column_lines:
            painter.fillRect(rect.right(), rect.top(), 1, rect.height(), color(Role.LINE))
        if self.masked:
            pill = QRectF(rect.left() + PAD, rect.center().y() - 3, PILL, Space.SMALL)
            box(painter, pill, Space.TIGHT, Role.TRACK)
        else:
            self._paint_text(painter, rect, index)
        painter.restore()

    def helpEvent(
        self,
        event: QHelpEvent,
        view: QAbstractItemView,
        option: QStyleOptionViewItem,
        index: Index,
    ) -> bool:
        """Tell the whole text where it is cut short on show."""
        text = str(index.data(WHOLE) or index.data() or "")
        metrics = QFontMetrics(index.data(Qt.ItemDataRole.FontRole) or font(Type.TEXT))
        if self.masked or metrics.horizontalAdvance(text) <= option.rect.width() - 2 * PAD:
            return super().helpEvent(event, view, option, index)
        QToolTip.showText(event.globalPos(), text, view)
        return True

    def _paint_text(self, painter: QPainter, rect: QRect, index: Index) -> None:
        painter.setFont(index.data(Qt.ItemDataRole.FontRole) or font(Type.TEXT))
        painter.setPen(color(Role.TEXT_QUIET if index.data(MISSING) else Role.TEXT))
        place = rect.adjusted(PAD, 0, -PAD, -1)
        flags = index.data(Qt.ItemDataRole.TextAlignmentRole) or Qt.AlignmentFlag.AlignVCenter
        text = str(index.data() or "")
        line = text.replace("\n", " ")
        metrics = painter.fontMetrics()
        if index.data(WHOLE) not in (None, text):
            lines = text.split("\n")  # what is said where there is little room
        elif index.column() == self.wrapped:
            lines = wrapped(line, metrics, place.width(), self.cut)
        else:
            room = place.width() - (SIGN if index.data(WARNED) else 0)
            lines = [metrics.elidedText(line, self.cut, room)]
        if index.data(WARNED):
            place = _beside_sign(painter, place, metrics.horizontalAdvance(lines[0]), flags)
        second = index.data(SECOND) if index.column() == self.wrapped else ""
        below = wrapped(second, metrics, place.width(), self.cut) if second else []
        blank = [""] * len(below)
        paint_lines(painter, QRectF(place), [*lines, *blank], Type.TEXT, flags)
        if below:
            painter.setPen(color(Role.TEXT_QUIET))
            paint_lines(painter, QRectF(place), [*([""] * len(lines)), *below], Type.TEXT, flags)


def _beside_sign(painter: QPainter, place: QRect, width: int, flags: Qt.AlignmentFlag) -> QRect:
    """Paint the sign of attention before a text so wide; the room that is left for the text."""
    room = place.adjusted(SIGN, 0, 0, 0)
    is_right = bool(flags & Qt.AlignmentFlag.AlignRight)
    left = max(place.left(), place.right() + 1 - width - SIGN) if is_right else place.left()
    size = Space.ICON_CHIP
    spot = QRectF(left, place.center().y() - size / 2 + 0.5, size, size)
    icons.paint(painter, "warning", Role.WARN, spot)
    return room
