# SPDX-License-Identifier: Apache-2.0
"""A layout that wraps its widgets as text wraps its words."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QMargins, QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget

from dpdesk.desk.widgets.layouts.aligned import ring_room

Row = list[tuple[QLayoutItem, int, QSize]]
"""Words with their left edges and sizes."""


class FlowLayout(QLayout):
    """Rows from left to right; each widget is one word that never breaks.

    One that is wider than the layout takes a row of its own, and what there is of room in it.

    Args:
        across, down: spaces between.
        aligned: controls begin where the text above begins, their rings beside the layout.
        ringed: a word at a row's beginning is where controls are painted, not their rings.
    """

    def __init__(
        self,
        parent: QWidget | None = None,
        across: int = 8,
        down: int = 8,
        aligned: bool = False,
        ringed: bool = False,
    ) -> None:
        super().__init__(parent)
        self._is_aligned = aligned
        self._is_ringed = ringed
        self._items: list[QLayoutItem] = []
        self._leading: set[QWidget] = set()
        self._heights: dict[int, int] = {}
        self._across = across
        self._down = down
        self.setContentsMargins(0, 0, 0, 0)

    def keep_with_next(self, widget: QWidget) -> None:
        """Never end a row with this widget where it and the next fit into one."""
        self._leading.add(widget)
        self.invalidate()

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)
        self.invalidate()

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        if not 0 <= index < len(self._items):
            return None
        item = self._items.pop(index)
        if (widget := item.widget()) is not None:
            self._leading.discard(widget)
        self.invalidate()
        return item

    def invalidate(self) -> None:
        """A word changed; Qt tells every layout."""
        self._heights.clear()
        super().invalidate()

    def expandingDirections(self) -> Qt.Orientation:
        """It needs no more room than its words."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        """How high the words are at a width; asked several times whenever a page is laid out."""
        if width not in self._heights:
            room = QRect(0, 0, width + 2 * self._ring(), 0)
            self._heights[width] = self._arrange(room, move=False)
        return self._heights[width]

    def setGeometry(self, rect: QRect) -> None:
        """Put the words in place."""
        super().setGeometry(rect)
        ring = self._ring()
        self._arrange(rect.adjusted(-ring, 0, ring, 0), move=True)

    def sizeHint(self) -> QSize:
        hints = [item.sizeHint() for item in self._shown()]
        width = sum(h.width() for h in hints) + self._across * max(0, len(hints) - 1)
        return QSize(width, max((h.height() for h in hints), default=0))

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._shown():
            size = size.expandedTo(item.minimumSize())
        margins: QMargins = self.contentsMargins()
        return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom())

    def _ring(self) -> int:
        """What rings need at both sides: where words differ, as much as all of them need."""
        return min(map(_ring_room, self._shown()), default=0) if self._is_aligned else 0

    def _shown(self) -> list[QLayoutItem]:
        return [i for i in self._items if not _is_hidden(i)]

    def _arrange(self, rect: QRect, move: bool) -> int:
        """Break into rows; words of one row share a middle line."""
        top = rect.top()
        for row in self._rows(rect):
            height = max(hint.height() for _item, _left, hint in row)
            if move:
                _place(row, top, height)
            top += height + self._down
        return max(0, top - self._down - rect.top())

    def _rows(self, rect: QRect) -> list[Row]:
        rows: list[Row] = []
        left = rect.left()
        items = self._shown()
        for place, item in enumerate(items):
            hint = _within(item, rect.width())
            room = rect.right() + 1 - left
            together = self._together(items[place:])
            # What does not fit into a row of its own breaks as if nothing held it together.
            needed = together if together <= rect.width() else hint.width()
            if not rows or needed > room:
                rows.append([])
                left = rect.left() + self._indent(item, items)
            rows[-1].append((item, left, hint))
            left += hint.width() + self._across
        return rows

    def _indent(self, first: QLayoutItem, items: list[QLayoutItem]) -> int:
        """How far in a row begins."""
        return max(map(_ring_room, items)) - _ring_room(first) if self._is_ringed else 0

    def _together(self, items: list[QLayoutItem]) -> int:
        """How wide the first word is with all that must not be parted from it."""
        width = items[0].sizeHint().width()
        for item, following in pairwise(items):
            if item.widget() not in self._leading:
                break
            width += self._across + following.sizeHint().width()
        return width


def _place(row: Row, top: int, height: int) -> None:
    """Put the words of one row in place."""
    for item, left, hint in row:
        middle = top + (height - hint.height()) // 2
        item.setGeometry(QRect(QPoint(left, middle), hint))


def _within(item: QLayoutItem, width: int) -> QSize:
    """What a word takes of a row: less than it asks for where it can give way."""
    hint = item.sizeHint()
    least = max(item.minimumSize().width(), min(hint.width(), width))
    if least < hint.width() and item.hasHeightForWidth():
        hint.setHeight(item.heightForWidth(least))
    hint.setWidth(least)
    return hint


def _is_hidden(item: QLayoutItem) -> bool:
    widget = item.widget()
    return widget is not None and widget.isHidden()


def _ring_room(item: QLayoutItem) -> int:
    return ring_room(item.widget())
