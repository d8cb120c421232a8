# SPDX-License-Identifier: Apache-2.0
"""Rows and columns whose controls end where the text, the card or the table beside them ends.

A control has room around what is painted of it, for its focus ring. In these layouts that room is
outside, in the margin of the card or the page, at the left and at the right.
"""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import (
    QBoxLayout,
    QGridLayout,
    QHBoxLayout,
    QLayout,
    QVBoxLayout,
    QWidget,
)

from dpdesk.desk.widgets.layouts.contents import Part, is_empty, parts

NOWHERE = Qt.AlignmentFlag(0)
"""As wide and as high as there is room."""

RING = 3
"""What a focus ring needs around a control: 2 pixels, and 1 between."""

LINK_ROOM = RING + 4
"""What a link keeps around its words: the ring, and what is between."""


def ring_room(part: Part | None) -> int:
    """How far a control is wider, at each side, than what is seen of it."""
    return int(getattr(part, "ring_room", 0))


class AlignedColumn(QVBoxLayout):
    """A column in which a control is as wide as what is above and below it.

    Each control has a box of its own that gives it its width at once. Laid out as wide as the
    column and widened after that, a plot in it had two widths at every turn: its axes asked for
    another height at each of them, and the window was laid out without end.
    """

    def addWidget(
        self, widget: QWidget, stretch: int = 0, alignment: Qt.AlignmentFlag = NOWHERE
    ) -> None:
        """Put a widget below the others."""
        self.insertWidget(-1, widget, stretch, alignment)

    def insertWidget(
        self, index: int, widget: QWidget, stretch: int = 0, alignment: Qt.AlignmentFlag = NOWHERE
    ) -> None:
        """Put a widget at a place; what may have room for a ring goes into a box."""
        if not hasattr(widget, "ring_room"):
            super().insertWidget(index, widget, stretch, alignment)
            return
        box = AlignedBox(QBoxLayout.Direction.TopToBottom)
        box.addWidget(widget, 0, alignment)
        self.insertLayout(index, box, stretch)

    def removeWidget(self, widget: QWidget) -> None:
        """Take a widget out, and its box."""
        for box in self.children():
            if isinstance(box, AlignedBox) and box.indexOf(widget) >= 0:
                box.removeWidget(widget)
                self.removeItem(box)
                box.deleteLater()
                return
        super().removeWidget(widget)


class AlignedGrid(QGridLayout):
    """A grid whose outer columns are of controls."""

    def setGeometry(self, rect: QRect) -> None:
        """Give the outer columns the room that their rings need."""
        super().setGeometry(rect.adjusted(-RING, 0, RING, 0))


def aligned_part(widget: QWidget) -> AlignedColumn:
    """The column of a part that has ``ring_room`` in such a column itself."""
    column = AlignedColumn(widget)
    room = int(getattr(widget, "ring_room", RING))
    column.setContentsMargins(room, 0, room, 0)
    return column


class AlignedBox(QBoxLayout):
    """A row, or a column, of controls that end where it does, or in a row only the last.

    What it answers is kept until something in it changes, as Qt keeps a layout's sizes: a page asks
    each row dozens of times for the same width.
    """

    def __init__(self, direction: QBoxLayout.Direction, *, spacing: int = -1) -> None:
        self._heights: dict[int, int] = {}
        self._least_heights: dict[int, int] = {}
        self._sides: tuple[int, int] | None = None
        self._is_for_least = False
        super().__init__(direction)
        self.setSpacing(spacing)

    def invalidate(self) -> None:
        self._heights.clear()
        self._least_heights.clear()
        self._sides = None
        super().invalidate()

    def setGeometry(self, rect: QRect) -> None:
        """Give the ends the room that their rings need."""
        left, right = self._rooms()
        if self.alignment() & Qt.AlignmentFlag.AlignRight:
            super().setGeometry(rect.translated(right, 0))
        else:
            super().setGeometry(rect.adjusted(-left, 0, right, 0))

    def heightForWidth(self, width: int) -> int:
        """Of controls as wide as they will be, rings included: words may need a line less then."""
        if self._is_for_least:
            return super().heightForWidth(width)
        known = self._heights.get(width)
        if known is None:
            known = self._heights[width] = super().heightForWidth(width + self._more())
        return known

    def minimumHeightForWidth(self, width: int) -> int:
        """See :meth:`heightForWidth`.

        Qt finds both heights where it is asked for one, and asks that method for it here: an answer
        that was kept would leave it with the least height at the width that it was asked for last.
        """
        known = self._least_heights.get(width)
        if known is None:
            wide = width + self._more()
            self._is_for_least = True
            known = self._least_heights[width] = super().minimumHeightForWidth(wide)
            self._is_for_least = False
        return known

    def _more(self) -> int:
        """How much wider than the layout its controls are."""
        return 0 if self.alignment() & Qt.AlignmentFlag.AlignRight else sum(self._rooms())

    def _rooms(self) -> tuple[int, int]:
        """What the rings need at the left and at the right; nothing where nothing is on show."""
        if self._sides is None:
            shown = _shown(self)
            self._sides = self._rooms_of(shown) if shown else (0, 0)
        return self._sides

    def _rooms_of(self, shown: list[Part]) -> tuple[int, int]:
        if self.direction() == QBoxLayout.Direction.LeftToRight:
            return _end_room(shown[0], 0), _end_room(shown[-1], -1)
        return min(_end_room(one, 0) for one in shown), min(_end_room(one, -1) for one in shown)


class AlignedRow(AlignedBox):
    """A row whose first and last control end where the row does; or the last, at the right."""

    def __init__(self, parent: QWidget | None = None, *, spacing: int = -1) -> None:
        super().__init__(QBoxLayout.Direction.LeftToRight, spacing=spacing)
        if parent is not None:
            parent.setLayout(self)


def _shown(layout: QLayout) -> list[Part]:
    """What of a layout is on show, without the room between."""
    return [one for one in parts(layout) if not is_empty(one)]


def _end_room(part: Part, end: int) -> int:
    """What the ring at one end needs, also of a row in this row; such a column has its own."""
    if isinstance(part, QWidget):
        return ring_room(part)
    if not isinstance(part, QHBoxLayout):
        return 0
    shown = _shown(part)
    return _end_room(shown[end], end) if shown else 0
