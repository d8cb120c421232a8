# SPDX-License-Identifier: Apache-2.0
"""The handbook's chapters and pages, with how often each has what is searched for.

While something is searched for, the pages that answer it best stand above them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPalette
from PySide6.QtWidgets import (
    QFrame,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
)

from dpdesk.desk.pages.help.handbook import Handbook
from dpdesk.desk.theme import icons
from dpdesk.desk.theme.metrics import Radius, Space, Type, font
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.theme.theme_followers import register
from dpdesk.desk.widgets.painting import box, focus_ring

KEY, HITS, SEARCHED, OPEN = (Qt.ItemDataRole.UserRole + n for n in range(4))
ROW = 30
BESIDE = 84
"""Room for the indentation, the number of hits and the scroll bar."""
LEAST, MOST = 254, 300


class ContentsList(QTreeWidget):
    """Chapters that open and close, and their pages.

    Signals:
        page_picked: another page was chosen; carries its key.
    """

    page_picked = Signal(str)

    def __init__(self, handbook: Handbook) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._pages: dict[str, QTreeWidgetItem] = {}
        self._best = QTreeWidgetItem(self, [self.tr("Best matches")])
        self.setHeaderHidden(True)
        self.setIndentation(0)
        self.setUniformRowHeights(True)
        self.setExpandsOnDoubleClick(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setItemDelegate(_PageRows(self))
        self.setAccessibleName(self.tr("Pages of the handbook"))
        self._fill(handbook)
        self._best.setHidden(True)
        self.currentItemChanged.connect(self._pick)
        self.itemClicked.connect(self._open_or_close)
        self.itemExpanded.connect(lambda item: item.setData(0, OPEN, True))
        self.itemCollapsed.connect(lambda item: item.setData(0, OPEN, False))
        self.follow_theme()
        register(self)

    def follow_theme(self) -> None:
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Base, color(Role.RAIL))
        self.setPalette(palette)

    def _fill(self, handbook: Handbook) -> None:
        chapters: dict[str, QTreeWidgetItem] = {}
        for page in handbook.pages:
            if page.chapter not in chapters:
                chapters[page.chapter] = QTreeWidgetItem(self, [page.chapter])
            item = QTreeWidgetItem(chapters[page.chapter], [page.title])
            item.setData(0, KEY, page.key)
            self._pages[page.key] = item

    def select(self, key: str) -> None:
        """Show which page is open, its chapter open around it; where it was pressed, there."""
        item = self.currentItem()
        if item is None or item.data(0, KEY) != key:
            item = self._pages[key]
        _open_chapter(item)
        self.blockSignals(True)
        self.setCurrentItem(item)
        self.blockSignals(False)
        self.scrollToItem(item)
        self.viewport().update()

    def show_best(self, keys: Sequence[str], open_page: str) -> None:
        """Show which pages answer best what is searched for; none while nothing is."""
        self.blockSignals(True)
        self._best.takeChildren()
        for key in keys:
            item = QTreeWidgetItem(self._best, [self._pages[key].text(0)])
            item.setData(0, KEY, key)
        self._best.setHidden(not keys)
        self._best.setExpanded(True)
        self._best.setData(0, OPEN, True)
        self.blockSignals(False)
        if open_page:
            self.select(open_page)
        if keys:
            self.scrollToTop()

    def needed_width(self) -> int:
        """As wide as the longest title beside its number of hits, within limits."""
        metrics = QFontMetrics(font(Type.TEXT, semibold=True))
        longest = max(metrics.horizontalAdvance(item.text(0)) for item in self._pages.values())
        return min(max(longest + BESIDE, LEAST), MOST)

    def show_hits(self, hits: Mapping[str, int] | None) -> None:
        """Show how often each page has what is searched for; ``None`` while nothing is."""
        for key, item in self._pages.items():
            count = hits.get(key, 0) if hits is not None else 0
            item.setData(0, HITS, count)
            item.setData(0, SEARCHED, hits is not None)
            said = self.tr("%n hit(s)", "", count) if count else self.tr("no hits")
            text = f"{item.text(0)}, {said}" if hits is not None else item.text(0)
            item.setData(0, Qt.ItemDataRole.AccessibleTextRole, text)
            if count:
                _open_chapter(item)
        self.viewport().update()

    def hits_of(self, key: str) -> int:
        return int(self._pages[key].data(0, HITS) or 0)

    def _pick(self, item: QTreeWidgetItem | None) -> None:
        key = item.data(0, KEY) if item is not None else None
        if key:
            self.page_picked.emit(key)

    def _open_or_close(self, item: QTreeWidgetItem) -> None:
        if item.childCount():
            item.setExpanded(not item.isExpanded())


class _PageRows(QStyledItemDelegate):
    """Paints a chapter with its arrow, a page with its hits."""

    def __init__(self, tree: ContentsList) -> None:
        super().__init__(tree)
        self._tree = tree

    def sizeHint(
        self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(0, max(ROW, self._tree.fontMetrics().height() + 2 * Space.LABEL))

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        painter.save()
        place = QRectF(option.rect)
        is_page = bool(index.data(KEY))
        is_chosen = is_page and index == self._tree.currentIndex()
        if is_chosen:
            box(painter, place.adjusted(1, 1, -1, -1), Radius.ITEM, Role.SURFACE, Role.LINE)
        if not is_page:
            is_open = bool(index.data(OPEN))
            _paint_arrow(painter, place, "chevron-down" if is_open else "chevron-right")
        room = place.adjusted(Space.GAP, 0, -Space.SMALL, 0)
        hits = int(index.data(HITS) or 0)
        if hits:
            room.setRight(self._paint_hits(painter, place, str(hits)) - Space.TIGHT)
        is_quiet = is_page and not is_chosen and bool(index.data(SEARCHED)) and not hits
        painter.setPen(color(Role.TEXT_QUIET if is_quiet else Role.TEXT))
        painter.setFont(font(Type.TEXT, semibold=is_chosen or not is_page))
        text = str(index.data())
        shown = painter.fontMetrics().elidedText(
            text, Qt.TextElideMode.ElideRight, int(room.width())
        )
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
        state = option.state
        if state & QStyle.StateFlag.State_HasFocus and self._tree.hasFocus():
            focus_ring(painter, place, Radius.ITEM)
        painter.restore()

    def _paint_hits(self, painter: QPainter, place: QRectF, text: str) -> float:
        """The number at the right, and where it begins."""
        painter.setFont(font(Type.SMALL))
        width = painter.fontMetrics().horizontalAdvance(text) + 2 * Space.SMALL
        height = painter.fontMetrics().height() + Space.TIGHT
        left = place.right() - Space.SMALL - width
        badge = QRectF(left, place.center().y() - height / 2, width, height)
        box(painter, badge, Space.LABEL, Role.INSET, Role.LINE)
        painter.setPen(color(Role.TEXT))
        painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, text)
        return left


def _open_chapter(page: QTreeWidgetItem) -> None:
    chapter = page.parent()
    if chapter is not None:
        chapter.setExpanded(True)


def _paint_arrow(painter: QPainter, place: QRectF, name: str) -> None:
    side = Space.CARDS
    spot = QRectF(Space.TIGHT, place.center().y() - side / 2, side, side)
    icons.paint(painter, name, Role.TEXT_QUIET, spot)
