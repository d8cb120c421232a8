# SPDX-License-Identifier: Apache-2.0
"""The list of a file's columns: as many lines as a screen holds, however many columns there are.

A line for each of thousands of columns would keep the window busy for many seconds, at every edit.
"""

from __future__ import annotations

from bisect import bisect

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QScrollArea, QSizePolicy, QWidget

from dpdesk.desk.core.state import DeskState
from dpdesk.desk.pages.columns.column_groups import column_groups, group_of
from dpdesk.desk.pages.columns.column_item import ColumnItem, item_height, larger
from dpdesk.desk.theme.metrics import Space, Type
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.labels.elided_label import ElidedLabel
from dpdesk.desk.widgets.pressing import RETURN
from dpdesk.desk.widgets.tab_stop import one_tab_stop, settle_tab_stop

LIST_WIDTH, NARROW_LIST = 236, 196
HEAD_HEIGHT, TEXT_MARGIN = 30, 17
"""Of the name of a table above its columns."""
FEW = 60
"""So many lines are all there at once."""
BEYOND = 10
"""Lines that stand ready above and below those on show, for the arrow keys."""


CHOOSING = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
COMMAND = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
HELD = (Qt.Key.Key_Control, Qt.Key.Key_Shift)
STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


def head_height() -> int:
    return larger(HEAD_HEIGHT)


class ColumnList(QScrollArea):
    """Columns below each other, one of them chosen.

    Signals:
        picked: a column was pressed; carries its name.
        toggled: a column is to be chosen beside the others, or no longer; carries its name.
        extended: all columns up to one are to be chosen; carries its name.
        stepped: the neighbour is wanted; carries 1 or -1.
        all_wanted: all columns are to be chosen.
        deselected: one column is wanted again.
        confirmed: Return was pressed on a column: it is to be described; carries its name.
        typed: a letter was typed where no field is: it begins a search; carries it.
    """

    picked = Signal(str)
    toggled = Signal(str)
    extended = Signal(str)
    stepped = Signal(int)
    all_wanted = Signal()
    deselected = Signal()
    confirmed = Signal(str)
    typed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, widgetResizable=True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._names: tuple[str, ...] = ()
        self._places: dict[str, int] = {}
        self._groups: tuple[str, ...] = ()
        """Of each column the key of its group."""
        self._group_names: dict[str, str] = {}
        self._tops: list[int] = []
        self._head_tops: dict[str, int] = {}
        self._heads: dict[str, ElidedLabel] = {}
        self._items: dict[str, ColumnItem] = {}
        self._state = DeskState()
        self._selected = ""
        self._chosen: frozenset[str] = frozenset()
        self._boxes = False
        self._held = False
        self._least_width = LIST_WIDTH
        self._group = QButtonGroup(self)
        one_tab_stop(self._group)
        self._inner = _Ground(self)
        self.setWidget(self._inner)
        self._inner.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)
        self.set_least_width(LIST_WIDTH)
        # What the search says above it may be wider.
        self.setSizePolicy(QSizePolicy.Policy.MinimumExpanding, QSizePolicy.Policy.Ignored)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalScrollBar().valueChanged.connect(lambda _at: self._match())

    def set_least_width(self, width: int) -> None:
        """Be so wide, or as what is above."""
        self._least_width = width
        self.setMinimumWidth(width)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """No wider than it must be: the form takes what is over."""
        return QSize(self._least_width, super().sizeHint().height())

    @property
    def has_several(self) -> bool:
        """Whether more than one column is chosen."""
        return bool(self._chosen)

    @property
    def names(self) -> tuple[str, ...]:
        """The columns, in the list's order."""
        return self._names

    def show_columns(
        self,
        names: tuple[str, ...],
        selected: str,
        state: DeskState,
        chosen: frozenset[str] = frozenset(),
        boxes: bool = False,
    ) -> None:
        """Show what a state says of columns.

        Args:
            names: the columns.
            selected: the one on show.
            state: the state.
            chosen: those chosen together, if there are several.
            boxes: whether each has a box.
        """
        self._state, self._chosen, self._boxes = state, chosen, boxes
        self._group_names = column_groups(state)
        groups = tuple(group_of(state, name) for name in names)
        if (names, groups) != (self._names, self._groups):
            self._groups = groups
            self._start(names)
        self._name_heads()
        moved, self._selected = selected != self._selected, selected
        for name, item in self._items.items():
            self._render(name, item)
        self._match()
        if moved and selected in self._places:
            self.reveal(selected)

    def reveal(self, name: str) -> None:
        """Scroll to a column's line; to the first one for a column that is not listed."""
        if name in self._places:
            self.ensureWidgetVisible(self.item(name), 0, Space.SMALL)
        else:
            self.verticalScrollBar().setValue(0)

    def item(self, name: str) -> ColumnItem:
        """The list's line of a column."""
        return self._items.get(name) or self._make(name)

    def _start(self, names: tuple[str, ...]) -> None:
        """Show other columns; a line that stays is only moved, as each letter of a search asks."""
        self._names = names
        self._places = {name: place for place, name in enumerate(names)}
        self._place_heads()
        for name in self._items.keys() - self._places.keys():
            self._drop(name)
        for name, item in self._items.items():
            self._put(name, item)

    def _place_heads(self) -> None:
        """Find where each line begins, and where each table's name is above its first."""
        self._tops, self._head_tops = [], {}
        top = int(Space.SMALL)
        for group in self._groups:
            if group not in self._head_tops and len(self._group_names) > 1:
                self._head_tops[group] = top
                top += head_height()
            self._tops.append(top)
            top += item_height()
        self._inner.setMinimumHeight(top + Space.SMALL)

    def _name_heads(self) -> None:
        for group in self._heads.keys() - self._head_tops.keys():
            self._heads.pop(group).deleteLater()
        for group, top in self._head_tops.items():
            head = self._heads.get(group)
            if head is None:
                head = self._heads[group] = ElidedLabel(Type.QUIET, Role.TEXT_QUIET)
                head.setParent(self._inner)
                head.show()
            head.setText(self._group_names.get(group, ""))
            head.setGeometry(TEXT_MARGIN, top, self._inner.width() - 2 * TEXT_MARGIN, head_height())

    def _wanted(self) -> set[str]:
        """The columns whose lines must be there."""
        if len(self._names) <= FEW:
            return set(self._names)
        high = item_height()
        top = bisect(self._tops, self.verticalScrollBar().value())
        shown = self.viewport().height() // high + 1
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
        item.picked.connect(lambda beside, up_to: self._pick(name, beside, up_to))
        item.entered.connect(self._look_at_keys)
        item.setParent(self._inner)
        self._group.addButton(item)
        self._render(name, item)
        self._put(name, item)
        item.show()
        return item

    def _render(self, name: str, item: ColumnItem) -> None:
        item.render_state(self._state)
        item.setChecked(name == self._selected)
        chosen = self._chosen or {self._selected}
        has_box = self._boxes or self._held
        is_chosen = name in chosen and (has_box or bool(self._chosen))
        item.show_choice(has_box, is_chosen, name in self._chosen)

    def _pick(self, name: str, beside: bool, up_to: bool) -> None:
        # Of buttons that exclude each other Qt has switched this one on already.
        for other, item in self._items.items():
            item.setChecked(other == self._selected)
        signal = self.extended if up_to else self.toggled if beside else self.picked
        signal.emit(name)

    def hold(self, held: bool) -> None:
        """Show boxes while Ctrl or Shift is held."""
        if held != self._held:
            self._held = held
            for name, item in self._items.items():
                self._render(name, item)

    def _look_at_keys(self) -> None:
        self.hold(bool(QGuiApplication.queryKeyboardModifiers() & CHOOSING))

    def leaveEvent(self, event: QEvent) -> None:
        """The mouse is elsewhere, and with it the keys that are held."""
        self.hold(False)
        super().leaveEvent(event)

    @property
    def with_keyboard(self) -> str:
        """The column on whose line the keyboard is; else the one on show."""
        return next((n for n, item in self._items.items() if item.hasFocus()), self._selected)

    def step(self, by: int, keys: Qt.KeyboardModifier) -> None:
        """Go to a neighbour: with Shift choose up to it, with Ctrl only take the keyboard there."""
        if not keys & CHOOSING:
            self.stepped.emit(by)
            return
        place = self._places.get(self.with_keyboard, 0) + by
        if 0 <= place < len(self._names):
            name = self._names[place]
            self.item(name).setFocus()
            self.ensureWidgetVisible(self.item(name), 0, Space.SMALL)
            if keys & Qt.KeyboardModifier.ShiftModifier:
                self.extended.emit(name)

    def _put(self, name: str, item: ColumnItem) -> None:
        high = item_height()
        top = self._tops[self._places[name]]
        # A bar has room of its own beside its handle.
        # The ground says it first: a bar that goes is still visible while the lines get wider.
        has_bar = self._inner.width() < self.width()
        beside = 0 if has_bar else Space.SMALL
        width = self._inner.width() - Space.SMALL - beside
        item.setGeometry(QRect(Space.SMALL, top, width, high))

    def _drop(self, name: str) -> None:
        item = self._items.pop(name)
        self._group.removeButton(item)
        item.hide()
        item.deleteLater()

    def place(self) -> None:
        """Lay the lines out again."""
        self._match()
        for name, item in self._items.items():
            self._put(name, item)
        self._name_heads()


class _Ground(QWidget):
    """The list's ground; arrows move in it."""

    def __init__(self, shown: ColumnList) -> None:
        super().__init__()
        self._list = shown

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._list.place()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in STEPS:
            self._list.step(STEPS[key], event.modifiers())
        elif key in RETURN and not event.isAutoRepeat():
            self._list.confirmed.emit(self._list.with_keyboard)
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self._list.all_wanted.emit()
        elif key == Qt.Key.Key_Escape and self._list.has_several:
            self._list.deselected.emit()
        elif letter := _letter(event):
            self._list.typed.emit(letter)
        else:
            self._list.hold(key in HELD)
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if Qt.Key(event.key()) in HELD:
            self._list.hold(False)
        super().keyReleaseEvent(event)


def _letter(event: QKeyEvent) -> str:
    """What a key types; empty for a blank, a command and a key without a sign."""
    text = event.text()
    is_typed = text.isprintable() and not event.modifiers() & COMMAND
    return text.strip() if is_typed else ""
