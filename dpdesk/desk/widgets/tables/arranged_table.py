# SPDX-License-Identifier: Apache-2.0
"""A table that is sorted by its heads or by a choice, and filtered by what is typed above it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QWidget

from dpdesk.desk.text.language import number_style
from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.widgets.accessibility.announcing import announce
from dpdesk.desk.widgets.accessibility.role import call_choice, say_once
from dpdesk.desk.widgets.flow_layout import FlowLayout
from dpdesk.desk.widgets.inputs.field import Combo, FieldFrame
from dpdesk.desk.widgets.inputs.search_edit import ListSearchEdit
from dpdesk.desk.widgets.labels.label import Label, quiet
from dpdesk.desk.widgets.layouts.aligned import RING
from dpdesk.desk.widgets.tables.arranged_rows import AS_DECLARED, ArrangedRows
from dpdesk.desk.widgets.tables.data_table import DataTable
from dpdesk.study.text.number_text import in_text

SEARCH_WIDTH = 200
SEARCH_FROM = 9
"""Fewer rows are seen at a glance."""
SORT_FROM = 4
"""The order of fewer rows is seen, and a choice above them takes more room than they do."""
SORT_LETTERS = 13
ALL = 1_000_000
"""More rows than there are."""
SOME = (8, 20)
"""So many bars may be picked, where there are more rows."""
UP, DOWN = Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder


def _counted(number: int) -> str:
    """A number as it is in a sentence of the window's language."""
    return in_text(str(number), number_style())


class ArrangeBar(QWidget):
    """A search field, where there are many rows, and a choice of the order, as the heads have it.

    Args:
        table: what is arranged; its model is the rows.
        most_drawn: of more rows not all can be drawn.

    Attributes:
        search, sort, count: field, choice, and how many rows there are to see.
        shown: choice of how many bars are drawn.
        most: this many of the rows on show, the first ones, are drawn.

    Signals:
        arranged: other rows are on show, or in another order.
        left: the keyboard goes from the search into the figures.
    """

    arranged = Signal()
    left = Signal()

    ring_room = RING

    def __init__(self, table: DataTable, rows: ArrangedRows, most_drawn: int = ALL) -> None:
        super().__init__()
        self._most_drawn = most_drawn
        self._head, self._rows = table.horizontalHeader(), rows
        self.search = ListSearchEdit()
        self.search.setPlaceholderText(self.tr("Find a row"))
        self.search.setAccessibleName(self.tr("Find a row"))
        self.sort = Combo()
        call_choice(self.sort, self.tr("Sort"))
        self.sort.setMinimumContentsLength(SORT_LETTERS)
        self.shown = Combo()
        call_choice(self.shown, self.tr("Show"))
        self.most = ALL
        self.count = quiet("", wrap=False)
        self._build()
        self.search.textChanged.connect(self._search)
        self.search.entered.connect(self.left)
        self.search.picked.connect(self.left)
        self.sort.activated.connect(self._sort)
        self._head.sortIndicatorChanged.connect(self._follow)
        self.shown.activated.connect(lambda index: self.show_most(self.shown.itemData(index)))
        rows.modelReset.connect(self._render_count)

    def say_whose(self, whose: str) -> None:
        """Say which table is arranged, where there are others on the page."""
        self.search.setAccessibleName(f"{self.tr('Find a row')}: {whose}")
        self._say_count()
        call_choice(self.sort, f"{self.tr('Sort')}: {whose}")
        call_choice(self.shown, f"{self.tr('Show')}: {whose}")

    def _build(self) -> None:
        self._frame = FieldFrame(self.search)
        self._shown_label = Label(self.tr("S&how"))
        self._shown_label.setBuddy(self.shown)
        self._shown_frame = FieldFrame(self.shown)
        label = Label(self.tr("&Sort"))
        label.setBuddy(self.sort)
        self._found = (self._frame, self._shown_label, self._shown_frame)
        self._order = (label, FieldFrame(self.sort))
        self._frame.setFixedWidth(SEARCH_WIDTH)
        flow = FlowLayout(self, across=Space.SMALL, down=Space.TIGHT, ringed=True)
        for part in (*self._found, *self._order, self.count):
            flow.addWidget(part)
        for named in (self._shown_label, label):
            flow.keep_with_next(named)

    @property
    def parts(self) -> tuple[QWidget, ...]:
        """All that is on show, the count last."""
        shown = [one for one in (*self._found, *self._order) if not one.isHidden()]
        return *shown, self.count

    def minimumSizeHint(self) -> QSize:
        """It is as wide as its table, whatever it would like."""
        return QSize(Space.PANEL, super().minimumSizeHint().height())

    def start_anew(self) -> None:
        """Other rows are there: nothing is looked for, and they stand as declared."""
        self.search.blockSignals(True)
        self.search.clear()
        self.search.blockSignals(False)
        is_searched = self._rows.total >= SEARCH_FROM
        self._frame.setVisible(is_searched)
        # Its room is always there: nothing jumps while somebody types.
        most = self.count.fontMetrics().horizontalAdvance(self._counted_rows(self._rows.total))
        self.count.setFixedWidth(most if is_searched else 0)
        self._head.blockSignals(True)
        self._head.setSortIndicator(AS_DECLARED, UP)
        self._head.blockSignals(False)
        self.sort.clear()
        self.sort.addItem(self.tr("as declared"), (AS_DECLARED, UP))
        for column in range(self._rows.columnCount()):
            for order in (DOWN, UP) if self._rows.is_number(column) else (UP, DOWN):
                self.sort.addItem(self._named(column, order), (column, order))
        self._start_shown()
        self._render_count()

    def _start_shown(self) -> None:
        """All bars, or of very many the first ones."""
        total = self._rows.total
        self.shown.clear()
        for some in SOME:
            if some < total:
                self.shown.addItem(self.tr("{0} of {1}").format(some, _counted(total)), some)
        if total <= self._most_drawn:
            self.shown.addItem(self.tr("all"), ALL)
        self.most = ALL if total <= self._most_drawn else SOME[-1]
        self._select_shown()

    def _select_shown(self) -> None:
        self.shown.setCurrentIndex(max(0, self.shown.findData(self.most)))

    def offer_most(self, are_drawn: bool) -> None:
        """Let somebody choose how many bars are drawn, where bars are looked at."""
        for part in (self._shown_label, self._shown_frame):
            part.setVisible(are_drawn and self.shown.count() > 1)

    def show_most(self, most: int) -> None:
        """Draw this many bars."""
        self.most = most
        self._select_shown()
        self.arranged.emit()

    def _named(self, column: int, order: Qt.SortOrder) -> str:
        head = self._rows.headerData(column, Qt.Orientation.Horizontal)
        if self._rows.is_number(column):
            down, up = self.tr("{0}, highest first"), self.tr("{0}, lowest first")
        else:
            down, up = self.tr("{0}, Z to A"), self.tr("{0}, A to Z")
        return (down if order == DOWN else up).format(head)

    def _search(self, text: str) -> None:
        self._rows.look_for(text)
        announce(self.search, self.count.text())
        self.arranged.emit()

    def _sort(self, index: int) -> None:
        self._head.setSortIndicator(*self.sort.itemData(index))

    def _follow(self, column: int, order: Qt.SortOrder) -> None:
        """The heads were pressed, or the choice made: both say the same."""
        wanted = (column, order if column != AS_DECLARED else UP)
        for index in range(self.sort.count()):
            if tuple(self.sort.itemData(index)) == wanted:
                self.sort.setCurrentIndex(index)
        self.arranged.emit()

    def _render_count(self) -> None:
        shown, total = self._rows.rowCount(), self._rows.total
        self.count.setText(self._counted_rows(shown) if shown < total else "")
        self._say_count()

    def _counted_rows(self, shown: int) -> str:
        return self.tr("{0} of %n row(s)", "", self._rows.total).format(_counted(shown))

    def _say_count(self) -> None:
        """Anyone who comes back to the field hears how many rows there are to see."""
        say_once(self.search)
        if self.count.text():
            self.search.setAccessibleDescription(self.count.text())
