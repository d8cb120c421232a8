# SPDX-License-Identifier: Apache-2.0
"""The searchable list that opens under a chip: one choice, or several with check marks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import (
    QHideEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QFrame,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from dpdesk.desk.placing import fitted
from dpdesk.desk.theme import icons
from dpdesk.desk.theme.metrics import Space, Type, font
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.accessibility.announcing import announce
from dpdesk.desk.widgets.accessibility.opener import show_open
from dpdesk.desk.widgets.buttons import primary
from dpdesk.desk.widgets.inputs.choice_rows import HEADING, CheckedByWords, ChoiceRows, toggle
from dpdesk.desk.widgets.inputs.field import FieldFrame
from dpdesk.desk.widgets.inputs.search_edit import SearchEdit
from dpdesk.study.text.plain_letters import spelt_out

SEARCH_FROM = 8
MAX_HEIGHT = 320
MAX_HEIGHT_GROUPED = 540
MIN_WIDTH = 220
LEAST_ROWS = 4
_KEY = Qt.ItemDataRole.UserRole


@dataclass(frozen=True)
class Choice:
    """One line of the list."""

    key: str
    text: str
    icon: str = ""
    enabled: bool = True
    group: str = ""
    """Under which heading it stands; the choices of one group follow each other."""


class ChoicePopup(QFrame):
    """A list under a chip; typing filters, Enter picks, Escape closes.

    A press beside a list of several takes what is checked, as *Done* does, and goes on to what was
    pressed: only Escape leaves it as it was.

    Args:
        choices: what is offered.
        picked: keys that are chosen now.
        several: whether more than one may be chosen.
        typed: makes a choice of what is typed, so that the list need not hold everything; the
            search is then always there.
        about: what is chosen, for those who hear it.

    Signals:
        chosen: keys as a tuple: the one that was picked, or all that are checked.
    """

    chosen = Signal(object)

    def __init__(
        self,
        choices: Sequence[Choice],
        picked: Sequence[str] = (),
        several: bool = False,
        parent: QWidget | None = None,
        typed: Callable[[str], Choice | None] | None = None,
        about: str = "",
    ) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._several = several
        self._typed = typed
        self._typed_item: QListWidgetItem | None = None
        self._none_item: QListWidgetItem | None = None
        self._opener: QWidget | None = None
        self.search = SearchEdit(self.tr("Search"))
        self._search_frame = FieldFrame(self.search)
        self.search.setAccessibleName(self.tr("Search"))
        self.list = QListWidget(frameShape=QFrame.Shape.NoFrame)
        self.list.setAccessibleName(about or self.tr("Choices"))
        self.setWindowTitle(self.list.accessibleName())
        self.list.setFont(font(Type.TEXT))
        self.list.setUniformItemSizes(True)
        self.list.setItemDelegate(ChoiceRows(self.list))
        self._fill(choices, set(picked))
        self._checked_before = self._checked()
        self._build(len(choices))
        if typed is not None:
            self.search.setPlaceholderText(self.tr("Search or type"))
            self._search_frame.show()
        self.search.textChanged.connect(self._filter)
        self.search.installEventFilter(self)
        if several:
            CheckedByWords(self.list)
        else:
            self.list.itemActivated.connect(self._pick)
            self.list.itemClicked.connect(self._pick)

    def _fill(self, choices: Sequence[Choice], picked: set[str]) -> None:
        group = ""
        for choice in choices:
            if choice.group != group:
                group = choice.group
                self._add_heading(group)
            self._add(choice, choice.key in picked)
        if self.list.currentRow() < 0:
            self.list.setCurrentRow(1 if group and len(choices) else 0)

    def _add(self, choice: Choice, picked: bool = False) -> QListWidgetItem:
        item = QListWidgetItem(choice.text, self.list)
        item.setData(_KEY, choice.key)
        if choice.icon:
            item.setIcon(icons.icon(choice.icon))
        if not choice.enabled:
            item.setFlags(Qt.ItemFlag.NoItemFlags)
        elif self._several:
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if picked else Qt.CheckState.Unchecked)
        elif picked:
            self.list.setCurrentItem(item)
        return item

    def _add_heading(self, group: str) -> None:
        item = QListWidgetItem(group, self.list)
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        item.setFont(font(Type.QUIET, semibold=True))
        item.setData(HEADING, True)

    def _build(self, count: int) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.SMALL, Space.SMALL, Space.SMALL, Space.SMALL)
        column.setSpacing(Space.TIGHT)
        column.addWidget(self._search_frame)
        column.addWidget(self.list)
        self._search_frame.setVisible(count >= SEARCH_FROM)
        if self._several:
            done = primary(self.tr("Done"))
            done.clicked.connect(self._finish)
            column.addWidget(done, 0, Qt.AlignmentFlag.AlignRight)
        rows = max(1, self.list.count())
        most = MAX_HEIGHT if rows == count else MAX_HEIGHT_GROUPED
        row = max(self.list.sizeHintForRow(0), int(Space.GAP))
        self.list.setFixedHeight(min(most, row * rows))
        self.setMinimumWidth(max(MIN_WIDTH, self.list.sizeHintForColumn(0) + 3 * Space.GAP))

    def open_under(self, widget: QWidget) -> None:
        """Show below a widget, or above where there is more room, and take the keyboard.

        It covers neither the widget nor the window's title, and scrolls where it is longer.
        """
        self._opener = widget
        show_open(widget, True)
        self.ensurePolished()
        screen = widget.screen().availableGeometry()
        window = QRect(widget.window().mapToGlobal(QPoint(0, 0)), widget.window().size())
        field = QRect(widget.mapToGlobal(QPoint(0, 0)), widget.size())
        self.setMinimumWidth(min(self.minimumWidth(), screen.width()))
        wanted = self.sizeHint().height()
        above = field.top() - max(screen.top(), window.top())
        below = screen.bottom() - field.bottom()
        goes_below = wanted <= below or above <= below
        over = max(0, wanted - (below if goes_below else above))
        least = LEAST_ROWS * self.list.sizeHintForRow(0)
        self.list.setFixedHeight(min(self.list.height(), max(least, self.list.height() - over)))
        self.adjustSize()
        top = field.bottom() + 1 if goes_below else field.top() - self.height()
        self.setGeometry(fitted(QRect(QPoint(field.left(), top), self.size()), screen))
        self.list.scrollToItem(self.list.currentItem())
        self.show()
        (self.search if self.search.isVisible() else self.list).setFocus()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press beside the list closes it; among several, what was changed in it is taken."""
        beside = not self.rect().contains(event.position().toPoint())
        if beside and self._several and self._checked() != self._checked_before:
            self._finish_beside(event.globalPosition().toPoint())
            return
        super().mousePressEvent(event)

    def _finish_beside(self, spot: QPoint) -> None:
        """Take what is checked, and press the button that was meant; the list's own closes it.

        Systems differ in whether Qt hands the press on: it is done here alone, once.
        """
        below = QApplication.widgetAt(spot)
        button = below if isinstance(below, QAbstractButton) else None
        if button is not None:
            self.setAttribute(Qt.WidgetAttribute.WA_NoMouseReplay)
        self._finish()
        if button is not None and button is not self._opener and isValid(button):
            # A button that cannot be pressed (any more) ignores it.
            button.click()

    def hideEvent(self, event: QHideEvent) -> None:
        """However it is closed, its button says so."""
        super().hideEvent(event)
        if self._opener is not None:
            show_open(self._opener, False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter finishes a list of several."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._several:
            self._finish()
            return
        parent = self.parentWidget()
        if event.matches(QKeySequence.StandardKey.HelpContents) and parent is not None:
            self._give_way(event, parent.window())
            return
        super().keyPressEvent(event)

    def _give_way(self, event: QKeyEvent, behind: QWidget) -> None:
        """Close for the handbook, which is opened by the window behind; as for a press there."""
        if self._several and self._checked() != self._checked_before:
            self._finish()
        else:
            self.close()
        QCoreApplication.sendEvent(behind, event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrows in the search field move in the list; Enter picks there."""
        if watched is self.search and isinstance(event, QKeyEvent):
            if event.type() != QEvent.Type.KeyPress:
                return False
            if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
                self.list.setFocus()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                return self._enter_search()
        return super().eventFilter(watched, event)

    def _enter_search(self) -> bool:
        """Pick what was found or, among several, check it and go on; whether that was done."""
        item = self.list.currentItem()
        if not self._several:
            self._pick(item)
            return True
        if not self.search.text() or self.list.currentRow() < 0 or item.isHidden():
            return False
        toggle(item)
        self.search.clear()
        return True

    def _offer_typed(self, text: str) -> None:
        """Offer what was typed as a last line, unless it is there already."""
        last = self._typed_item
        if last is not None and last.checkState() != Qt.CheckState.Checked:
            self.list.takeItem(self.list.row(last))
        self._typed_item = None
        choice = self._typed(text) if self._typed is not None else None
        keys = [self.list.item(row).data(_KEY) for row in range(self.list.count())]
        if choice is not None and choice.key not in keys:
            self._typed_item = self._add(choice)

    def _filter(self, text: str) -> None:
        """Keep what holds the text; *ae* is found for *ä*, as in names that are made."""
        self._say_none(False)
        self._offer_typed(text)
        first, wanted = None, spelt_out(text.casefold())
        for row in range(self.list.count()):
            item = self.list.item(row)
            # What was found is its own heading.
            heading = bool(item.data(HEADING))
            hidden = bool(text) if heading else wanted not in spelt_out(item.text().casefold())
            hidden = hidden and item is not self._typed_item
            item.setHidden(hidden)
            first = item if first is None and not hidden and not heading else first
        if first is not None:
            self.list.setCurrentItem(first)
        self._say_none(first is None)

    def _say_none(self, is_none: bool) -> None:
        """Where nothing is found the list says so: an empty one looks broken."""
        if self._none_item is not None:
            self.list.takeItem(self.list.row(self._none_item))
            self._none_item = None
        if is_none:
            self._none_item = QListWidgetItem(self.tr("Nothing found"), self.list)
            self._none_item.setFlags(Qt.ItemFlag.NoItemFlags)
            announce(self.search, self._none_item.text())

    def _pick(self, item: QListWidgetItem | None) -> None:
        if item is None or item.isHidden() or item.flags() == Qt.ItemFlag.NoItemFlags:
            return
        key = str(item.data(_KEY))
        self.close()
        self.chosen.emit((key,))

    def _checked(self) -> tuple[str, ...]:
        items = [self.list.item(row) for row in range(self.list.count())]
        return tuple(str(i.data(_KEY)) for i in items if i.checkState() == Qt.CheckState.Checked)

    def _finish(self) -> None:
        keys = self._checked()
        self.close()
        self.chosen.emit(keys)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), color(Role.CONTROL))
        painter.fillRect(self.rect().adjusted(1, 1, -1, -1), color(Role.SURFACE))
        painter.end()
