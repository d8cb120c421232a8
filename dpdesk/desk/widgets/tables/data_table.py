# SPDX-License-Identifier: Apache-2.0
"""Tables: quiet heads, hairlines, numbers at the right, copied as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import nlargest
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import (
    QBrush,
    QFontMetrics,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QToolTip,
    QWidget,
)

from dpdesk.desk.theme import icons
from dpdesk.desk.theme.metrics import Radius, Space, Type, font
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.theme.theme_followers import register
from dpdesk.desk.widgets.painting import box, chosen_mark, focus_ring
from dpdesk.desk.widgets.spoken.announcing import announce_copy
from dpdesk.desk.widgets.tab_stop import scroll_to_keyboard
from dpdesk.desk.widgets.tables.copied_text import copied_line

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
PAD = 12
PILL = 44
ARROW = 12
MANY_COLUMNS = 200
LEAST_STRETCHED = 240
"""So wide is the column that takes what is over in a table that scrolls sideways, if its texts
are."""
LEAST_ELIDED = 100
"""Down to this width its texts are cut short before the table scrolls: what stands last is often
what counts, such as a price."""
WIDTH_OF_MANY = 160
"""Columns of very wide tables are equally wide, and dragged wider by who wants to."""
MOST_SIZES = 2_000
"""So many heads' sizes are remembered."""
MOST_LINES = 4
"""Of a wrapped text."""
MEASURED = 200
"""So many texts of a column are measured, the longest; each takes some microseconds."""
HATCHED = Qt.ItemDataRole.UserRole + 1
"""Whether a cell's row is hatched."""
SUM = Qt.ItemDataRole.UserRole + 2
"""Whether a cell stands in the row that adds the others up."""


class RowsModel(QAbstractTableModel):
    """Rows of texts.

    Args:
        heads: column headings.
        right: positions of the columns that hold numbers.
        bold: positions of the columns in semibold.

    Attributes:
        last_is_sum: the last row adds the others up.
        hatched: rows whose figures are not to be used; some cell of theirs says so.
        spoken_cell: what is read out of every cell, where none shows its text.
        spoken_heads: what is read out of heads that show nothing, by their places.
    """

    def __init__(
        self,
        heads: Sequence[str],
        right: Sequence[int] = (),
        bold: Sequence[int] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._heads = list(heads)
        self._right = set(right)
        self._bold = set(bold)
        self._rows: list[tuple[str, ...]] = []
        self._widths: dict[tuple[int, str], int] = {}
        self.last_is_sum = False
        self.hatched: set[int] = set()
        self.spoken_cell = ""
        self.spoken_heads: dict[int, str] = {}

    def set_rows(
        self,
        rows: Sequence[Sequence[str]],
        heads: Sequence[str] | None = None,
        right: Sequence[int] | None = None,
        bold: Sequence[int] | None = None,
    ) -> None:
        """Show other rows, under other heads where they are given."""
        self.beginResetModel()
        self._rows = [tuple(row) for row in rows]
        self._widths = {}
        self.hatched = set()
        if heads is not None:
            self._heads = list(heads)
        self._right = self._right if right is None else set(right)
        self._bold = self._bold if bold is None else set(bold)
        self.endResetModel()

    def rowCount(self, parent: Index = ROOT) -> int:
        """Number of rows."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        """Number of columns."""
        return 0 if parent.isValid() else len(self._heads)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Text, alignment or font of a cell; never raises."""
        row, column = index.row(), index.column()
        if not index.isValid() or row >= len(self._rows) or column >= len(self._rows[row]):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._rows[row][column]
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.spoken_cell or self._rows[row][column]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(column)
        if role == Qt.ItemDataRole.FontRole:
            strong = (column in self._bold and row not in self.hatched) or self._is_sum(row)
            return font(Type.TEXT, semibold=strong, tabular=True)
        if role == SUM:
            return self._is_sum(row)
        return row in self.hatched if role == HATCHED else None

    def _is_sum(self, row: int) -> bool:
        return self.last_is_sum and row == len(self._rows) - 1

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        """Text or alignment of a head."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self._heads):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._heads[section]
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.spoken_heads.get(section) or self._heads[section].replace("\n", ", ")
        return self._alignment(section) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def _alignment(self, column: int) -> Qt.AlignmentFlag:
        side = Qt.AlignmentFlag.AlignRight if column in self._right else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter

    def text_width(self, column: int) -> int:
        """How wide a column's texts are at most, of all rows, whether on show or not."""
        key = (column, QApplication.font().key())
        if key not in self._widths:
            self._widths[key] = self._measure(column)
        return self._widths[key]

    def _measure(self, column: int) -> int:
        texts = dict.fromkeys(row[column] for row in self._rows if column < len(row))
        width = _widest(nlargest(MEASURED, texts, key=len), column in self._bold)
        total = self._rows[-1][column : column + 1] if self.last_is_sum and self._rows else ()
        return max(width, _widest(total, True))

    def as_text(self) -> str:
        """The table as tab-separated text with its heads."""
        return "".join(copied_line(cells) for cells in (self._heads, *self._rows))


def _widest(texts: Iterable[str], semibold: bool) -> int:
    metrics = QFontMetrics(font(Type.TEXT, semibold=semibold, tabular=True))
    return max((metrics.horizontalAdvance(text.replace("\n", " ")) for text in texts), default=0)


class TableHeader(QHeaderView):
    """A painted head: quiet text on an inset ground."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._sizes: dict[tuple[str, str, bool], QSize] = {}
        self.setHighlightSections(False)
        self.setFont(font(Type.QUIET))
        self.setDefaultAlignment(Qt.AlignmentFlag.AlignVCenter)
        self.setMinimumSectionSize(Space.BUTTON_SMALL)

    def sizeHint(self) -> QSize:
        """As high as the highest head; of very many, which are of one kind, as the first."""
        is_wide = self.count() > MANY_COLUMNS
        return self.sectionSizeFromContents(0) if is_wide else super().sizeHint()

    def sectionSizeFromContents(self, section: int) -> QSize:
        """Text and padding; none where the rows went before the table, as when the program ends."""
        model = self.model()
        if model is None:
            return QSize()
        text = str(model.headerData(section, Qt.Orientation.Horizontal) or "")
        key = (text, self.font().key(), self.isSortIndicatorShown())
        if key not in self._sizes:
            if len(self._sizes) >= MOST_SIZES:
                self._sizes.clear()
            self._sizes[key] = self._size(text)
        return self._sizes[key]

    def _size(self, text: str) -> QSize:
        first, _, second = text.partition("\n")
        metrics = self.fontMetrics()
        top = QFontMetrics(font(Type.QUIET, mono=True)) if second else metrics
        width = max(top.horizontalAdvance(first), metrics.horizontalAdvance(second)) + 2
        width += ARROW + Space.TIGHT if self.isSortIndicatorShown() else 0
        lines = text.count("\n") + 1
        height = lines * metrics.lineSpacing() + (Space.CARDS if lines == 1 else Space.CARD)
        return QSize(width + 2 * PAD, height)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the heads, and the same ground where there is no column."""
        super().paintEvent(event)
        rest = self.viewport().rect().adjusted(self.length() - self.offset(), 0, 0, 0)
        if rest.isValid():
            painter = QPainter(self.viewport())
            painter.fillRect(rest, color(Role.INSET))
            painter.fillRect(rest.left(), rest.bottom(), rest.width(), 1, color(Role.LINE))
            painter.end()

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Paint one head; a second line is quiet, a first line above it is monospaced."""
        painter.fillRect(rect, color(Role.INSET))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, color(Role.LINE))
        text = str(self.model().headerData(section, Qt.Orientation.Horizontal) or "")
        requested = self.model().headerData(
            section, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole
        )
        flags = requested if requested is not None else Qt.AlignmentFlag.AlignVCenter
        place = rect.adjusted(PAD, 0, -PAD, -1)
        first, _, second = text.partition("\n")
        if not second:
            painter.setFont(font(Type.QUIET))
            painter.setPen(color(Role.TEXT_QUIET))
            painter.drawText(place, flags, text)
            self._paint_order(painter, place, section, flags)
            return
        half = place.height() // 2
        painter.setFont(font(Type.QUIET, mono=True))
        painter.setPen(color(Role.TEXT))
        top = QRect(place.left(), place.top(), place.width(), half + 2)
        cut = Qt.TextElideMode.ElideRight
        first = painter.fontMetrics().elidedText(first, cut, place.width())
        painter.drawText(top, Qt.AlignmentFlag.AlignVCenter, first)
        painter.setFont(font(Type.QUIET))
        painter.setPen(color(Role.TEXT_QUIET))
        low = QRect(place.left(), place.top() + half, place.width(), half)
        painter.drawText(low, Qt.AlignmentFlag.AlignVCenter, second)

    def _paint_order(
        self, painter: QPainter, place: QRect, section: int, flags: Qt.AlignmentFlag
    ) -> None:
        """An arrow where the rows are sorted: behind a text, before a number's head."""
        if not self.isSortIndicatorShown() or self.sortIndicatorSection() != section:
            return
        text = str(self.model().headerData(section, Qt.Orientation.Horizontal) or "")
        width = QFontMetrics(font(Type.QUIET)).horizontalAdvance(text) + Space.TIGHT
        is_right = bool(flags & Qt.AlignmentFlag.AlignRight)
        left = place.right() - width - ARROW if is_right else place.left() + width
        is_up = self.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder
        spot = QRectF(left, place.center().y() - ARROW / 2, ARROW, ARROW)
        icons.paint(painter, "chevron-up" if is_up else "chevron-down", Role.ACCENT, spot)


def paint_ground(painter: QPainter, rect: QRect, index: Index, selected: bool) -> None:
    """Paint what a cell stands on, and the hairline below it."""
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
) -> list[str]:
    """A text in lines no wider than asked for; of more than a few, the last is cut short.

    A line is less wide than there is room: its width was rounded, and what a line has too much by
    less than a pixel is cut short, too.
    """
    lines: list[str] = []
    rest = text.split(" ")
    while rest:
        taken = len(rest)
        while taken > 1 and metrics.horizontalAdvance(" ".join(rest[:taken])) >= width:
            taken -= 1
        taken = len(rest) if len(lines) == MOST_LINES - 1 else taken
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
        """Paint ground, hairlines and content."""
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
        text = str(index.data() or "")
        metrics = QFontMetrics(index.data(Qt.ItemDataRole.FontRole) or font(Type.TEXT))
        if self.masked or metrics.horizontalAdvance(text) <= option.rect.width() - 2 * PAD:
            return super().helpEvent(event, view, option, index)
        QToolTip.showText(event.globalPos(), text, view)
        return True

    def _paint_text(self, painter: QPainter, rect: QRect, index: Index) -> None:
        painter.setFont(index.data(Qt.ItemDataRole.FontRole) or font(Type.TEXT))
        painter.setPen(color(Role.TEXT))
        place = rect.adjusted(PAD, 0, -PAD, -1)
        flags = index.data(Qt.ItemDataRole.TextAlignmentRole) or Qt.AlignmentFlag.AlignVCenter
        text = str(index.data() or "")
        line = text.replace("\n", " ")
        metrics = painter.fontMetrics()
        if index.column() == self.wrapped:
            shown = "\n".join(wrapped(line, metrics, place.width(), self.cut))
        else:
            shown = metrics.elidedText(line, self.cut, place.width())
        painter.drawText(place, flags, shown)


class DataTable(QTableView):
    """A table view of our look.

    Args:
        model: the rows.
        name: accessible name.
        row_height: of the table's use.
        copies: whether Ctrl+C copies; never for raw data.
        stretch: the column that takes the room that is over; -1 for none.
        wraps: whether that column's texts are wrapped where they have no room, in higher rows.
        whole: that column never gives room away: where there is too little, the table scrolls.
    """

    def __init__(
        self,
        model: RowsModel,
        name: str,
        row_height: int = Space.ROW,
        copies: bool = True,
        stretch: int = 0,
        wraps: bool = False,
        whole: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, frameShape=QFrame.Shape.NoFrame, showGrid=False)
        self._copies = copies
        self.delegate = CellDelegate(self)
        self.delegate.wrapped = stretch if wraps else -1
        self.setItemDelegate(self.delegate)
        self.setHorizontalHeader(TableHeader(self))
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(row_height)
        self._model = model
        self.setModel(model)
        self.setAccessibleName(name)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setViewportMargins(0, 0, 0, 0)
        self._stretch = stretch
        self._whole = whole
        self._most_rows = 0
        register(self)
        model.modelAboutToBeReset.connect(self._stop_measuring)
        model.modelReset.connect(self._fit)
        # Whether there is such a bar is known only after the columns have their widths.
        self.horizontalScrollBar().rangeChanged.connect(lambda *_ends: self._fit_again())
        self._fit()

    def stretch_column(self, column: int) -> None:
        """Let another column have the room that is over, of the rows that come next."""
        self._stretch = column

    def _stop_measuring(self) -> None:
        """Rows that are about to change are not measured for their own sake."""
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the room among the columns."""
        super().resizeEvent(event)
        self._share_room()
        if self._most_rows and event.size().width() != event.oldSize().width():
            self.fit_height(self._most_rows)

    def _share_room(self) -> None:
        """What is over goes to one column; where that is too little for it, the table scrolls."""
        head, count = self.horizontalHeader(), self.model().columnCount()
        if not 0 <= self._stretch < count:
            return
        needed = [max(self.sizeHintForColumn(n), head.sectionSizeHint(n)) for n in range(count)]
        own = needed.pop(self._stretch)
        left = self.viewport().width() - sum(needed)
        if left >= (own if self._whole else min(own, LEAST_ELIDED)):
            head.setSectionResizeMode(self._stretch, QHeaderView.ResizeMode.Stretch)
        else:
            left = own if self._whole else min(own, LEAST_STRETCHED)
            head.setSectionResizeMode(self._stretch, QHeaderView.ResizeMode.Interactive)
            head.resizeSection(self._stretch, left)
        if self.delegate.wrapped >= 0:
            self._wrap(left - 2 * PAD)

    def _wrap(self, width: int) -> None:
        """Make each row as high as its wrapped text."""
        side, column = self.verticalHeader(), self._stretch
        more: dict[tuple[str, str], int] = {}  # a title stands in many entries of a ledger
        for row in range(self._model.rowCount()):
            index = self._model.index(row, column)
            text, drawn = str(index.data() or ""), index.data(Qt.ItemDataRole.FontRole)
            key = (text, drawn.key())
            if key not in more:
                metrics = QFontMetrics(drawn)
                lines = wrapped(text, metrics, width, self.delegate.cut)
                more[key] = (len(lines) - 1) * metrics.lineSpacing()
            side.resizeSection(row, side.defaultSectionSize() + more[key])

    def _fit(self) -> None:
        head, count = self.horizontalHeader(), self.model().columnCount()
        if count > MANY_COLUMNS:
            # Measuring thousands of columns, at every change of height, takes many seconds.
            head.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
            head.setDefaultSectionSize(WIDTH_OF_MANY)
        else:
            head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self._share_room()
        self.updateGeometry()

    def sizeHintForColumn(self, column: int) -> int:
        """A column's widest text and padding; by itself Qt would ask for cell after cell."""
        margin = self.style().pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, None, self) + 1
        return self._model.text_width(column) + 2 * (PAD + margin)

    def sort_by_heads(self) -> None:
        """A press on a head sorts, another turns the order round, a third is as declared."""
        head = self.horizontalHeader()
        head.setSectionsClickable(True)
        head.setSortIndicatorClearable(True)
        head.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        head.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSortingEnabled(True)

    def content_height(self, most_rows: int) -> int:
        """The height of the head and up to so many rows."""
        rows = min(self.model().rowCount(), most_rows)
        high = rows * self.verticalHeader().defaultSectionSize()
        if self.delegate.wrapped >= 0:
            high = sum(self.rowHeight(row) for row in range(rows))
        return self.horizontalHeader().sizeHint().height() + high

    def _fit_again(self) -> None:
        if self._most_rows:
            self.fit_height(self._most_rows)

    def fit_height(self, most_rows: int = 12) -> None:
        """Be as high as the rows, up to a number, and the bar that scrolls them sideways."""
        self._most_rows = most_rows
        bar = self.horizontalScrollBar()
        below = bar.sizeHint().height() if bar.maximum() > 0 else 0
        self.setFixedHeight(self.content_height(most_rows) + below)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy the table as text, where it may be copied; the page follows the chosen cell."""
        if event.matches(QKeySequence.StandardKey.Copy):
            if self._copies:
                self.copy_all()
            return
        super().keyPressEvent(event)
        scroll_to_keyboard()

    def copy_all(self) -> None:
        """Put the whole table on the clipboard as tab-separated text."""
        QGuiApplication.clipboard().setText(self._model.as_text())
        # Where the plot beside it is on show, the table is not.
        announce_copy(self.parentWidget() or self)

    def follow_theme(self) -> None:
        """Paint in the colours of now."""
        self.viewport().update()

    def _paint_rest(self) -> None:
        """Rows that end before the head does go on without cells."""
        head, last = self.horizontalHeader(), self.model().columnCount() - 1
        left, width = head.length() - head.offset(), self.viewport().width()
        if last < 0 or left >= width:
            return
        painter = QPainter(self.viewport())
        row = max(0, self.rowAt(0))
        while row < self.model().rowCount():
            top, index = self.rowViewportPosition(row), self.model().index(row, last)
            if top >= self.viewport().height():
                break
            rest = QRect(left, top, width - left, self.rowHeight(row))
            paint_ground(painter, rest, index, self.selectionModel().isSelected(index))
            row += 1
        painter.end()

    def _mark_chosen(self) -> None:
        painter = QPainter(self.viewport())
        for index in self.selectionModel().selectedRows():
            row = index.row()
            place = QRectF(0, self.rowViewportPosition(row), self.width(), self.rowHeight(row) - 1)
            chosen_mark(painter, place)
        painter.end()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the cells, their rows as wide as the head and, with the keyboard, the ring."""
        super().paintEvent(event)
        self._paint_rest()
        self._mark_chosen()
        if self.hasFocus():
            painter = QPainter(self.viewport())
            focus_ring(painter, QRectF(self.viewport().rect()), Radius.FIELD)
            painter.end()
