# SPDX-License-Identifier: Apache-2.0
"""The list of a file's columns: as many lines as a screen holds, however many columns there are.

A line for each of thousands of columns would keep the window busy for many seconds, at every edit.
"""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QScrollArea, QSizePolicy, QWidget

from dpdesk.desk.core.state import DeskState
from dpdesk.desk.pages.columns.column_item import HEIGHT, ColumnItem
from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.widgets.tab_stop import one_tab_stop, settle_tab_stop

LIST_WIDTH = 236
FEW = 60
"""So many lines are all there at once."""
BEYOND = 10
"""Lines that stand ready above and below those on show, for the arrow keys."""


class ColumnList(QScrollArea):
    """Columns below each other, one of them chosen.

    Signals:
        picked: a column was pressed; carries its name.
        stepped: the neighbour is wanted; carries 1 or -1.
    """

    picked = Signal(str)
    stepped = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, frameShape=QFrame.Shape.NoFrame, widgetResizable=True)
        self._names: tuple[str, ...] = ()
        self._places: dict[str, int] = {}
        self._items: dict[str, ColumnItem] = {}
        self._state = DeskState()
        self._selected = ""
        self._group = QButtonGroup(self)
        one_tab_stop(self._group)
        self._inner = _Ground(self)
        self.setWidget(self._inner)
        self._inner.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)
        self.setFixedWidth(LIST_WIDTH)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Ignored)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalScrollBar().valueChanged.connect(lambda _at: self._match())

    @property
    def names(self) -> tuple[str, ...]:
        """The columns, in the list's order."""
        return self._names

    def show_columns(self, names: tuple[str, ...], selected: str, state: DeskState) -> None:
        """Show what a state says of columns."""
        self._state = state
        if names != self._names:
            self._start(names)
        moved, self._selected = selected != self._selected, selected
        for name, item in self._items.items():
            self._render(name, item)
        self._match()
        if moved and selected in self._places:
            self.reveal(selected)

    def reveal(self, name: str) -> None:
        """Scroll to a column's line; to the first one for a column that is not listed."""
        if name in self._places:
            self.ensureWidgetVisible(self.item(name), 0, 0)
        else:
            self.verticalScrollBar().setValue(0)

    def item(self, name: str) -> ColumnItem:
        """The list's line of a column."""
        return self._items.get(name) or self._make(name)

    def _start(self, names: tuple[str, ...]) -> None:
        """Show other columns; a line that stays is only moved, as each letter of a search asks."""
        self._names = names
        self._places = {name: place for place, name in enumerate(names)}
        for name in self._items.keys() - self._places.keys():
            self._drop(name)
        for name, item in self._items.items():
            self._put(name, item)
        self._inner.setMinimumHeight(2 * Space.SMALL + len(names) * HEIGHT)

    def _wanted(self) -> set[str]:
        """The columns whose lines must be there."""
        if len(self._names) <= FEW:
            return set(self._names)
        top = self.verticalScrollBar().value() // HEIGHT
        shown = self.viewport().height() // HEIGHT + 1
        near = self._names[max(0, top - BEYOND) : top + shown + BEYOND]
        return {*near, *({self._selected} & self._places.keys())}

    def _match(self) -> None:
        """Make the lines that came on show, let go of those far from it."""
        wanted = self._wanted()
        for name in self._items.keys() - wanted:
            if not self._items[name].hasFocus():
                self._drop(name)
        missing = [name for name in self._names if name in wanted and name not in self._items]
        for name in missing:
            self._make(name)
        if missing:
            settle_tab_stop(self._group)

    def _make(self, name: str) -> ColumnItem:
        item = self._items[name] = ColumnItem(name)
        item.clicked.connect(lambda _on=False: self.picked.emit(name))
        item.setParent(self._inner)
        self._group.addButton(item)
        self._render(name, item)
        self._put(name, item)
        item.show()
        return item

    def _render(self, name: str, item: ColumnItem) -> None:
        item.render_state(self._state)
        item.setChecked(name == self._selected)

    def _put(self, name: str, item: ColumnItem) -> None:
        top = Space.SMALL + self._places[name] * HEIGHT
        width = self._inner.width() - 2 * Space.SMALL
        item.setGeometry(QRect(Space.SMALL, top, width, HEIGHT))

    def _drop(self, name: str) -> None:
        item = self._items.pop(name)
        self._group.removeButton(item)
        item.hide()
        item.deleteLater()

    def place(self) -> None:
        """Lay the lines out anew."""
        self._match()
        for name, item in self._items.items():
            self._put(name, item)


class _Ground(QWidget):
    """The list's ground; arrows move in it."""

    def __init__(self, shown: ColumnList) -> None:
        super().__init__()
        self._list = shown

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._list.place()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self._list.stepped.emit(step)
