# SPDX-License-Identifier: Apache-2.0
"""Tables: quiet heads, hairlines, numbers at the right, copied as text."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QObject, QRectF, Qt
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget

from dpdesk.desk.theme.metrics import Radius, Space, Type, scale
from dpdesk.desk.theme.theme_followers import register
from dpdesk.desk.widgets.accessibility.announcing import announce_copy, say_current_cell
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.labels.spread_text import line_step
from dpdesk.desk.widgets.painting import chosen_mark, focus_ring
from dpdesk.desk.widgets.tab_stop import scroll_to_keyboard
from dpdesk.desk.widgets.tables.cell import PAD, CellDelegate, wrapped
from dpdesk.desk.widgets.tables.rows_model import SECOND, RowsModel
from dpdesk.desk.widgets.tables.table_header import MANY_COLUMNS, TableHeader

LEAST_STRETCHED = 240
"""So wide is the column that takes what is over in a table that scrolls sideways, if its texts
are."""
LEAST_ELIDED = 100
"""Down to this width its texts are cut short before the table scrolls: what stands last is often
what counts, such as a price."""
LONGEST_WORD = 160
"""Down to this width a word of a wrapped text is kept whole before the table scrolls."""
MOST_KNOWN = 5_000
"""So many texts are remembered with the number of their lines, each at the widths it had."""
WIDTH_OF_MANY = 160
"""Columns of very wide tables are equally wide, and dragged wider by who wants to."""


class DataTable(QTableView):
    """A table view of our look.

    Args:
        model: the rows.
        name: accessible name.
        row_height: of the table's use, at the usual font scaling.
        copies: whether Ctrl+C copies; never for raw data.
        stretch: the column that takes the room that is over; -1 for none.
        wraps: whether that column's texts are wrapped where they have no room, in higher rows.
        whole: that column never gives room away: where there is too little, the table scrolls.

    Attributes:
        ring: around it while it has the keyboard.
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
        super().__init__(parent, showGrid=False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._copies = copies
        self.delegate = CellDelegate(self)
        self.delegate.wrapped = stretch if wraps else -1
        self.setItemDelegate(self.delegate)
        self._head = TableHeader(self)
        self.setHorizontalHeader(self._head)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(round(row_height * max(1.0, scale())))
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
        self._own_lines: dict[tuple[str, str, int], int] = {}
        self.ring = TableRing(self)
        register(self)
        model.modelAboutToBeReset.connect(self._stop_measuring)
        model.modelReset.connect(self._fit)
        # Whether there is such a bar is known only after the columns have their widths.
        self.horizontalScrollBar().rangeChanged.connect(lambda *_ends: self._fit_again())
        self._fit()

    def fill(self, card: Card) -> None:
        """Be all that is in a card, which has the ring."""
        card.set_padding(Space.HAIR)
        card.body.addWidget(self)
        card.show_ring_of(self)
        self.ring.leave()

    def stretch_column(self, column: int) -> None:
        """Let another column have the room that is over, of the rows that come next."""
        self._stretch = column

    def _stop_measuring(self) -> None:
        """Rows that are about to change are not measured for their own sake."""
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)

    def share_room(self) -> None:
        """Columns changed, or fewer of them are shown: give each its room."""
        self._share_room()
        self._fit_again()

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
        needed = self._needed(count)
        own = needed.pop(self._stretch)
        left = self.viewport().width() - sum(needed)
        if left >= (own if self._whole else self._least(own)):
            head.setSectionResizeMode(self._stretch, QHeaderView.ResizeMode.Stretch)
        else:
            left = own if self._whole else min(own, LEAST_STRETCHED)
            head.setSectionResizeMode(self._stretch, QHeaderView.ResizeMode.Interactive)
            head.resizeSection(self._stretch, left)
        if self.delegate.wrapped >= 0:
            self._wrap(left - 2 * PAD)

    def _needed(self, count: int) -> list[int]:
        """The width of each column; some say less where the stretched one has too little."""
        self._model.is_short = False
        needed = self._hints(count)
        own = needed[self._stretch]
        room = sum(needed) - own + min(own, LEAST_STRETCHED)
        if self._model.short and room > self.viewport().width():
            self._model.is_short = True
            needed = self._hints(count)
        return needed

    def _hints(self, count: int) -> list[int]:
        head = self.horizontalHeader()
        return [
            0 if self.isColumnHidden(n) else max(self.sizeHintForColumn(n), head.sectionSizeHint(n))
            for n in range(count)
        ]

    def _least(self, own: int) -> int:
        """Down to which width the texts of the stretched column give way, usual words whole."""
        column, word = self._stretch, 0
        if self.delegate.wrapped == column:
            word = min(self._model.word_width(column) + 2 * PAD + Space.TIGHT, LONGEST_WORD)
        return min(own, max(LEAST_ELIDED, word))

    def _wrap(self, width: int) -> None:
        """Make each row as high as its wrapped text.

        A page that is laid out asks several times for the same width, and a title is in many
        entries of a ledger.
        """
        side, column = self.verticalHeader(), self._stretch
        if len(self._own_lines) > MOST_KNOWN:
            self._own_lines.clear()
        for row in range(self._model.rowCount()):
            index = self._model.index(row, column)
            drawn = index.data(Qt.ItemDataRole.FontRole)
            own = self._lines_of(str(index.data() or ""), drawn, width)
            if second := index.data(SECOND):
                own += self._lines_of(second, drawn, width)
            lines = max(own, self._model.lines(row))
            high = side.defaultSectionSize() + (lines - 1) * line_step(Type.TEXT, drawn)
            side.resizeSection(row, high)

    def _lines_of(self, text: str, drawn: QFont, width: int) -> int:
        """In how many lines a text is wrapped."""
        key = (text, drawn.key(), width)
        if key not in self._own_lines:
            lines = wrapped(text, QFontMetrics(drawn), width, self.delegate.cut)
            self._own_lines[key] = len(lines)
        return self._own_lines[key]

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
        return self._model.text_width(column) + 2 * (PAD + Space.HAIR)

    def sort_by_heads(self) -> None:
        """A press on a head sorts, another turns the order round, a third is as declared."""
        head = self.horizontalHeader()
        head.setSectionsClickable(True)
        head.setSortIndicatorClearable(True)
        head.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        head.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSortingEnabled(True)

    def content_height(self, most_rows: int) -> int:
        """The height of the head and up to this many rows."""
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

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Say where the arrows go from."""
        super().focusInEvent(event)
        say_current_cell(self)

    def currentChanged(self, current: QModelIndex, previous: QModelIndex) -> None:
        """Mark another row: with Ctrl keys go there and choose nothing."""
        super().currentChanged(current, previous)
        self.viewport().update()

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

    def _mark_chosen(self) -> None:
        painter = QPainter(self.viewport())
        for index in self.selectionModel().selectedRows():
            row = index.row()
            place = QRectF(0, self.rowViewportPosition(row), self.width(), self.rowHeight(row) - 1)
            chosen_mark(painter, place)
        at = self.currentIndex()
        if self.hasFocus() and at.isValid() and not self.selectionModel().isSelected(at):
            row = at.row()
            place = QRectF(0, self.rowViewportPosition(row), self.width(), self.rowHeight(row) - 1)
            focus_ring(painter, place.adjusted(2, 1, -2, -1), Radius.FIELD / 2)
        painter.end()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        self._mark_chosen()


class TableRing(QWidget):
    """Is over a table while it has the keyboard; the mouse goes through.

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
