# SPDX-License-Identifier: Apache-2.0
"""A Table 1 as journals print it: row for row, columns by group, how many in the head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QObject, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from dpdesk.desk.text.result_words import too_noisy
from dpdesk.desk.theme.metrics import Radius, Space, Type, font, scale
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.theme.theme_followers import register
from dpdesk.desk.widgets.labels.made_up_mark import made_up
from dpdesk.desk.widgets.labels.spread_text import line_step, paint_lines
from dpdesk.desk.widgets.painting import focus_ring, hatching
from dpdesk.desk.widgets.tables.cell import wrapped
from dpdesk.desk.widgets.tables.painted_table import PaintedTable
from dpdesk.desk.widgets.tables.rows_model import ROOT, Index
from dpdesk.release.bundle.baseline.printed import PrintedCell, PrintedRow, PrintedTable
from dpdesk.study.text.number_text import PLUS_MINUS

AIR = Space.SMALL
LEAST_NAMES = 150
"""So much room the names of rows have at least; longer ones are wrapped."""
MOST_LINES = 3
CELL = Qt.ItemDataRole.UserRole + 1
BOLD, PLAIN, MARGIN = (
    lambda: font(Type.TEXT, semibold=True, tabular=True),
    lambda: font(Type.TEXT, tabular=True),
    lambda: font(Type.SMALL, tabular=True),
)


@dataclass(frozen=True)
class _Shown:
    """A cell in the parts that are painted: "3,991", " (50.3)" and "± 96"."""

    cell: PrintedCell
    tooltip: str

    @property
    def parts(self) -> tuple[tuple[str, QFont], ...]:
        first, blank, rest = self.cell.text.partition(" ")
        return ((first, PLAIN() if self.cell.is_noisy else BOLD()), (f"{blank}{rest}", PLAIN()))

    @property
    def width(self) -> int:
        return sum(QFontMetrics(used).horizontalAdvance(text) for text, used in self.parts)

    @property
    def margin_width(self) -> int:
        return QFontMetrics(MARGIN()).horizontalAdvance(self.cell.margin)

    @property
    def is_plain(self) -> bool:
        """Whether its margin is a number in the figure's own unit."""
        return self.cell.margin.startswith(PLUS_MINUS)


class _Model(QAbstractTableModel):
    def __init__(self) -> None:
        super().__init__()
        self.heads: tuple[tuple[str, PrintedCell], ...] = ()
        self.rows: tuple[PrintedRow, ...] = ()
        self.cells: list[list[_Shown]] = []

    def show(self, table: PrintedTable, tooltips: Sequence[Sequence[str]]) -> None:
        self.beginResetModel()
        self.heads = tuple(zip(table.columns, table.heads, strict=True))
        self.rows = table.rows
        self.cells = [
            [_Shown(cell, text) for cell, text in zip(row.cells, texts, strict=True)]
            for row, texts in zip(table.rows, tooltips, strict=True)
        ]
        self.endResetModel()

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.heads)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self.cells):
            return None
        line = self.cells[index.row()]
        shown = line[index.column()] if index.column() < len(line) else None
        if role == CELL or shown is None:
            return shown
        if role == Qt.ItemDataRole.ToolTipRole:
            return shown.tooltip
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            text = " ".join(filter(None, (shown.cell.text, shown.cell.margin)))
            return f"{text}, {too_noisy()}" if shown.cell.is_noisy else text
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        if orientation == Qt.Orientation.Vertical:
            return self.rows[section].stub if section < len(self.rows) else None
        if section >= len(self.heads):
            return None
        name, count = self.heads[section]
        return f"{name}, {count.whole}"

    def starts(self, row: int) -> bool:
        """Whether a characteristic begins with this row."""
        return row < len(self.rows) and not self.rows[row].is_inner


def _of_stub(row: PrintedRow) -> QFont:
    return font(Type.TEXT, semibold=not row.is_inner)


def _indent(row: PrintedRow) -> int:
    return Space.CARD if row.is_inner else 0


class _Stubs(QHeaderView):
    """What each row is about: characteristics stand out, their categories are further in."""

    def __init__(self, grid: BaselineGrid) -> None:
        super().__init__(Qt.Orientation.Vertical, grid)
        self._grid = grid
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setMinimumSectionSize(Space.SMALL)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        model = self._grid.shown
        painter.fillRect(rect, color(Role.SURFACE))
        if section and model.starts(section):
            painter.fillRect(rect.left(), rect.top(), rect.width(), 1, color(Role.LINE))
        painter.setFont(_of_stub(model.rows[section]))
        painter.setPen(color(Role.TEXT))
        place = QRectF(rect.adjusted(_indent(model.rows[section]), 0, -AIR, 0))
        lines = self.lines(section, rect.width())
        paint_lines(painter, place, lines, Type.TEXT, Qt.AlignmentFlag.AlignLeft)

    def lines(self, section: int, width: int) -> list[str]:
        """What a row is about in lines."""
        row = self._grid.shown.rows[section]
        room = width - _indent(row) - AIR
        return wrapped(row.stub, QFontMetrics(_of_stub(row)), room, most=MOST_LINES)

    def wanted(self) -> int:
        """How wide all of them are."""
        widths = (
            QFontMetrics(_of_stub(row)).horizontalAdvance(row.stub) + _indent(row)
            for row in self._grid.shown.rows
        )
        return max(widths, default=0) + 2 * AIR

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), color(Role.SURFACE))
        painter.end()
        super().paintEvent(event)


class _Heads(QHeaderView):
    """What each column is called, and how many are in it."""

    def __init__(self, grid: BaselineGrid) -> None:
        super().__init__(Qt.Orientation.Horizontal, grid)
        self._grid = grid
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setMinimumSectionSize(Space.SMALL)

    def lines(self, section: int, width: int) -> tuple[list[str], list[str]]:
        """A name in lines, and how many that are."""
        name, count = self._grid.shown.heads[section]
        metrics = QFontMetrics(font(Type.TEXT, semibold=True))
        small = QFontMetrics(font(Type.QUIET, tabular=True))
        whole = small.horizontalAdvance(count.whole) <= width - AIR
        counts = [count.whole] if whole else [count.text, count.margin_only]
        return wrapped(name, metrics, width - AIR, most=MOST_LINES), counts

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        painter.fillRect(rect, color(Role.INSET))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, color(Role.LINE))
        step = line_step(Type.TEXT, font(Type.TEXT))
        flags = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
        place = QRect(rect.left(), rect.bottom() - Space.TIGHT, rect.width() - AIR // 2, step)
        names, counts = self.lines(section, rect.width())
        small, bold = font(Type.QUIET, tabular=True), font(Type.TEXT, semibold=True)
        for lines, used, ink in ((counts, small, Role.TEXT_QUIET), (names, bold, Role.TEXT)):
            painter.setFont(used)
            painter.setPen(color(ink))
            for line in reversed(lines):
                place.translate(0, -step)
                painter.drawText(place, flags, line)


class _CellPainter(QStyledItemDelegate):
    """Paints a cell: its first figure in bold, what is beside it, and the margin in quiet."""

    def __init__(self, grid: BaselineGrid) -> None:
        super().__init__(grid)
        self._grid = grid

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect: QRect = option.rect
        painter.fillRect(rect, color(Role.SURFACE))
        if index.row() and self._grid.shown.starts(index.row()):
            painter.fillRect(rect.left(), rect.top(), rect.width(), 1, color(Role.LINE))
        shown: _Shown | None = index.data(CELL)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if shown is not None:
            place = QRectF(rect).adjusted(0, 0, -AIR / 2, 0)
            self._paint_cell(painter, place, index.column(), shown)
        if self._grid.hasFocus() and self._grid.currentIndex() == index:
            focus_ring(painter, QRectF(rect).adjusted(1, 1, -1, -1), Radius.FIELD / 2, Role.TEXT)
        painter.restore()

    def _paint_cell(self, painter: QPainter, place: QRectF, column: int, shown: _Shown) -> None:
        """At the right the margin, in a column of its own or in a line below."""
        margins = self._grid.margins_width(column, shown)
        figures = QRectF(place)
        if self._grid.is_stacked:
            below = QRectF(place)
            below.setTop(place.bottom() - line_step(Type.SMALL, MARGIN()) - Space.HAIR)
            figures.setBottom(below.top())
            self._paint_margin(painter, below, shown, Qt.AlignmentFlag.AlignRight)
        else:
            figures.setRight(place.right() - margins - AIR)
            beside = QRectF(figures.right() + AIR, place.top(), margins, place.height())
            self._paint_margin(painter, beside, shown, Qt.AlignmentFlag.AlignLeft)
        if shown.cell.is_noisy:
            self._paint_noisy(painter, figures, shown)
        left = figures.right() - shown.width
        flags = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
        for text, used in shown.parts:
            painter.setFont(used)
            painter.setPen(color(Role.TEXT))
            width = QFontMetrics(used).horizontalAdvance(text)
            painter.drawText(QRectF(left, figures.top(), width + 2, figures.height()), flags, text)
            left += width

    def _paint_margin(
        self, painter: QPainter, place: QRectF, shown: _Shown, side: Qt.AlignmentFlag
    ) -> None:
        painter.setFont(MARGIN())
        painter.setPen(color(Role.TEXT_QUIET))
        painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter | side), shown.cell.margin)

    def _paint_noisy(self, painter: QPainter, figures: QRectF, shown: _Shown) -> None:
        """Hatched around the digits: behind them hatching cannot be read."""
        height = QFontMetrics(PLAIN()).height()
        box = QRectF(figures.right() - shown.width - 2 * Space.TIGHT, 0, 0, height)
        box.setRight(figures.right() + Space.TIGHT)
        box.moveTop(figures.center().y() - height / 2)
        painter.setPen(QPen(color(Role.CONTROL), 1, Qt.PenStyle.DashLine))
        ratio = painter.device().devicePixelRatioF()
        painter.setBrush(hatching(Role.LINE, Role.SURFACE, ratio=ratio))
        painter.drawRoundedRect(box, Radius.FIELD / 2, Radius.FIELD / 2)
        ground = box.adjusted(Space.TIGHT, 1, -Space.TIGHT / 2, -1)
        painter.fillRect(ground, color(Role.SURFACE))


class BaselineGrid(PaintedTable):
    """The table, as wide as its card; where that is too narrow margins are below the figures.

    Args:
        name: accessible name.
        made_up: its figures are a rehearsal's, which its corner says in every picture.
    """

    def __init__(self, name: str, is_made_up: bool = False) -> None:
        super().__init__(showGrid=False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._is_made_up = is_made_up
        self.is_stacked = False
        self._margins: list[int] = []
        self.shown = _Model()
        self.setModel(self.shown)
        self.setAccessibleName(name)
        self.setItemDelegate(_CellPainter(self))
        self._heads, self._stubs = _Heads(self), _Stubs(self)
        self.setHorizontalHeader(self._heads)
        self.setVerticalHeader(self._stubs)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self._corner = self.findChild(QAbstractButton)
        if self._corner is not None:
            self._corner.installEventFilter(self)
        register(self)

    def show_table(self, table: PrintedTable, tooltips: Sequence[Sequence[str]]) -> None:
        """Show a table.

        Args:
            tooltips: of each row what its cells show to a pointer: all margins.
        """
        self.shown.show(table, tooltips)
        self._fit()

    def margins_width(self, column: int, shown: _Shown) -> int:
        """How wide the margins of a column are; one that says more than a number, by itself."""
        return max(self._margins[column], shown.margin_width)

    @property
    def _count(self) -> int:
        return len(self.shown.heads)

    def _columns(self) -> list[list[_Shown]]:
        return [[line[at] for line in self.shown.cells if line] for at in range(self._count)]

    def _fit(self) -> None:
        """Give names, figures and margins their room; margins go below where it is too little."""
        count, columns = self._count, self._columns()
        if not all(columns) or not count:
            return
        figures = [max(one.width for one in column) for column in columns]
        self._margins = [
            max((one.margin_width for one in column if one.is_plain), default=0)
            for column in columns
        ]
        beside = [
            max(one.width + self.margins_width(at, one) for one in column) + 2 * AIR
            for at, column in enumerate(columns)
        ]
        least_names = min(self._stubs.wanted(), round(LEAST_NAMES * scale()))
        self.is_stacked = sum(beside) + least_names > self.width()
        margins = [max(one.margin_width for one in column) for column in columns]
        below = [max(pair) + 2 * AIR for pair in zip(figures, margins, strict=True)]
        least = below if self.is_stacked else beside
        least = [max(width, self._least_head(at)) for at, width in enumerate(least)]
        names = min(self._stubs.wanted(), max(least_names, self.width() - sum(least)))
        spare = max(0, self.width() - names - sum(least)) // count
        self._stubs.setFixedWidth(names)
        for at, width in enumerate(least):
            self.setColumnWidth(at, width + spare)
        self._fit_heights(names, is_wider=sum(least) + names > self.width())

    def _least_head(self, section: int) -> int:
        """The longest word of a column's name, and how many are in it."""
        name, count = self.shown.heads[section]
        metrics = QFontMetrics(font(Type.TEXT, semibold=True))
        small = QFontMetrics(font(Type.QUIET, tabular=True))
        counts = max(map(small.horizontalAdvance, (count.text, count.margin_only)))
        words = max((metrics.horizontalAdvance(word) for word in name.split(" ")), default=0)
        return max(min(words, Space.RAIL // 2), counts) + 2 * AIR

    def _fit_heights(self, names: int, is_wider: bool) -> None:
        step = line_step(Type.TEXT, font(Type.TEXT))
        heads = (self._heads.lines(at, self.columnWidth(at)) for at in range(self._count))
        head = step * max((len(n) + len(c) for n, c in heads), default=2) + 2 * Space.TIGHT
        self._heads.setFixedHeight(head)
        whole = head
        for at, line in enumerate(self.shown.cells):
            cell = step + (line_step(Type.SMALL, MARGIN()) if self.is_stacked and line else 0)
            height = max(len(self._stubs.lines(at, names)) * step, cell) + Space.TIGHT + Space.HAIR
            self.setRowHeight(at, height)
            whole += height
        bar = QApplication.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        self.setFixedHeight(whole + (bar + 2 if is_wider else 0))

    def resizeEvent(self, event: Any) -> None:
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(Space.PANEL, Space.ROW)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The corner between the names is part of the head: no button of the style's is there."""
        if watched is self._corner and event.type() == QEvent.Type.Paint:
            self._paint_corner(self._corner)
            return True
        return super().eventFilter(watched, event)

    def _paint_corner(self, corner: QWidget) -> None:
        painter = QPainter(corner)
        rect = corner.rect()
        painter.fillRect(rect, color(Role.INSET))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, color(Role.LINE))
        if self._is_made_up:
            painter.setFont(font(Type.QUIET, semibold=True))
            painter.setPen(color(Role.SECOND))
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, made_up())
        painter.end()

    def follow_theme(self) -> None:
        self._fit()
        self.viewport().update()

    def copied(self) -> tuple[list[str], list[list[str]]]:
        """Heads and rows, with each margin in a column of its own."""
        heads = ["", *chain.from_iterable((name, "± 95 %") for name, _count in self.shown.heads)]
        counts = ["", *chain.from_iterable(_two_cells(count) for _name, count in self.shown.heads)]
        rows = [
            [row.stub, *chain.from_iterable(_two_cells(cell) for cell in row.cells)]
            for row in self.shown.rows
        ]
        return heads, [counts, *(row + [""] * (len(heads) - len(row)) for row in rows)]


def _two_cells(cell: PrintedCell) -> tuple[str, str]:
    return cell.text, cell.margin_only
