# SPDX-License-Identifier: Apache-2.0
"""The rows of a chart of two releases: figures with their margins below, marks, and verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QRect, QRectF, Qt
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QPainter,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from dpdesk.desk.pages.comparison.chart_marks import (
    Axis,
    paint_grid,
    paint_marks,
)
from dpdesk.desk.pages.comparison.compared_rows import NOTHING, ComparedRow, Shown, heads
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.metrics import Radius, Space, Type, font
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.labels.spread_text import paint_lines
from dpdesk.desk.widgets.painting import focus_ring
from dpdesk.desk.widgets.tables.cell import PAD, wrapped
from dpdesk.desk.widgets.tables.painted_table import PaintedTable
from dpdesk.desk.widgets.tables.rows_model import ROOT, Index
from dpdesk.desk.widgets.tables.table_header import TableHeader

NAME, EARLIER, LATER, CHANGE, MARKS, VERDICT = range(6)
FIGURES = (EARLIER, LATER, CHANGE)
ROW = Qt.ItemDataRole.UserRole + 1
MOST_LINES = 2


class _ChartRows(QAbstractTableModel):
    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[ComparedRow, ...] = ()
        self.accessible_texts: tuple[tuple[str, ...], ...] = ()

    def show(self, rows: Sequence[ComparedRow], unit: str, margin_unit: str) -> None:
        self.beginResetModel()
        self.rows = tuple(rows)
        self.accessible_texts = tuple(
            self._accessible_texts(row, unit, margin_unit) for row in rows
        )
        self.endResetModel()

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else 1 + VERDICT

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row = self.rows[index.row()]
        if role == ROW:
            return row
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.accessible_texts[index.row()][index.column()]
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        name, earlier, later, change, verdict = row.cells
        return (name, earlier, later, change, self._between(row.difference), verdict)[
            index.column()
        ]

    def _accessible_texts(self, row: ComparedRow, unit: str, margin_unit: str) -> tuple[str, ...]:
        """As it is read out: the range, too, says what it counts."""
        name, earlier, later, change, verdict = row.accessible_cells(unit, margin_unit)
        is_stated = row.difference.value is not None
        between = f"{self._between(row.difference)} {margin_unit}".rstrip() if is_stated else change
        return name, earlier, later, change, between, verdict

    def _between(self, change: Shown) -> str:
        """What the marks of a difference say without their picture."""
        if change.ends is None:
            return NOTHING
        return tr("Comparison", "between {0} and {1}").format(*change.between)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section <= VERDICT:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole and section in FIGURES:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        texts = heads()
        texts.insert(MARKS, tr("Comparison", "Range"))
        return texts[section]


class _ChartHead(TableHeader):
    """The heads; above the marks is what either side of them means."""

    def __init__(self, axis: Axis, parent: QWidget) -> None:
        super().__init__(parent)
        self._axis = axis
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        if section != MARKS:
            super().paintSection(painter, rect, section)
            return
        painter.fillRect(rect, color(Role.INSET))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, color(Role.LINE))
        painter.setFont(font(Type.QUIET))
        painter.setPen(color(Role.TEXT_QUIET))
        self._paint_sides(painter, rect)

    def _paint_sides(self, painter: QPainter, rect: QRect) -> None:
        """Lower and higher, each on its side of 0, where there is room."""
        room = marks_room(QRectF(rect))
        zero = self._axis.scale.place(0.0, room.left(), room.width())
        metrics = painter.fontMetrics()
        lower, higher = lower_and_higher()
        middle = Qt.AlignmentFlag.AlignVCenter
        if zero - Space.SMALL - metrics.horizontalAdvance(lower) >= rect.left():
            left = QRectF(rect.left(), rect.top(), zero - Space.SMALL - rect.left(), rect.height())
            painter.drawText(left, middle | Qt.AlignmentFlag.AlignRight, lower)
        if zero + Space.SMALL + metrics.horizontalAdvance(higher) <= rect.right():
            left = QRectF(zero + Space.SMALL, rect.top(), rect.right() - zero, rect.height())
            painter.drawText(left, middle | Qt.AlignmentFlag.AlignLeft, higher)


class _ChartCells(QStyledItemDelegate):
    """Paints figures with their margins below, marks, and verdicts: what is more is semibold."""

    def __init__(self, axis: Axis, view: QTableView) -> None:
        super().__init__(view)
        self._axis, self._view = axis, view

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: ComparedRow = index.data(ROW)
        rect, column = QRectF(option.rect), index.column()
        painter.save()
        painter.fillRect(rect, color(Role.SURFACE))
        if index.row() < index.model().rowCount() - 1:
            line = QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1)
            painter.fillRect(line, color(Role.LINE))
        if column == MARKS:
            paint_grid(painter, marks_room(rect), self._axis.scale)
            paint_marks(painter, marks_room(rect), row, self._axis.scale)
        elif column in FIGURES:
            shown = (row.earlier, row.later, row.difference)[column - EARLIER]
            _paint_figure(painter, rect, shown)
        else:
            is_name = column == NAME
            ink = Role.TEXT if is_name or row.is_more else Role.TEXT_QUIET
            used = font(Type.TEXT, semibold=row.is_more and not is_name)
            _paint_words(painter, rect, row.name if is_name else row.verdict, used, ink)
        if self._view.hasFocus() and self._view.currentIndex() == index:
            focus_ring(painter, rect.adjusted(1, 1, -1, -2), Radius.FIELD / 2)
        painter.restore()


def lower_and_higher() -> tuple[str, str]:
    """What a difference on either side of 0 is."""
    return (
        tr("Comparison", "lower"),
        tr("Comparison", "higher"),
    )


def marks_room(rect: QRectF) -> QRectF:
    return rect.adjusted(PAD, 0, -PAD, 0)


def _paint_figure(painter: QPainter, rect: QRectF, shown: Shown) -> None:
    strong, small = font(Type.TEXT, semibold=True, tabular=True), font(Type.QUIET, tabular=True)
    high, low = QFontMetrics(strong).height(), QFontMetrics(small).height()
    place = rect.adjusted(PAD, 0, -PAD, -1)
    top = place.center().y() - (high + low * bool(shown.margin)) / 2
    right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    painter.setFont(strong)
    painter.setPen(color(Role.TEXT))
    painter.drawText(QRectF(place.left(), top, place.width(), high), right, shown.text)
    painter.setFont(small)
    painter.setPen(color(Role.TEXT_QUIET))
    painter.drawText(QRectF(place.left(), top + high, place.width(), low), right, shown.margin)


def _paint_words(painter: QPainter, rect: QRectF, text: str, used: QFont, ink: Role) -> None:
    """A text in two lines at most."""
    painter.setFont(used)
    painter.setPen(color(ink))
    place = rect.adjusted(PAD, 0, -PAD, -1)
    lines = wrapped(text, QFontMetrics(used), round(place.width()), most=MOST_LINES)
    paint_lines(painter, place, lines, Type.TEXT)


class ChartTable(PaintedTable):
    """All rows of a chart, which say nothing that is not read out."""

    def __init__(self, axis: Axis) -> None:
        super().__init__(showGrid=False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._rows = _ChartRows()
        self.setModel(self._rows)
        self.setItemDelegate(_ChartCells(axis, self))
        self.setHorizontalHeader(_ChartHead(axis, self))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        for policy in (self.setVerticalScrollBarPolicy, self.setHorizontalScrollBarPolicy):
            policy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    @property
    def rows(self) -> tuple[ComparedRow, ...]:
        return self._rows.rows

    def show_rows(self, rows: Sequence[ComparedRow], unit: str, margin_unit: str) -> None:
        """Show other lines, and say of which units their figures and margins are."""
        self._rows.show(rows, unit, margin_unit)
