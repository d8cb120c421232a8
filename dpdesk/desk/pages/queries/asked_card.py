# SPDX-License-Identifier: Apache-2.0
"""The card of what is asked at one price: a line with its margin and cost, or opened, its form."""

from __future__ import annotations

from abc import abstractmethod
from typing import Generic, TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QShortcut,
)
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QMenu, QWidget

from dpdesk.desk.core.state import DeskState
from dpdesk.desk.pages.queries.open_part import OpenPart
from dpdesk.desk.text import words
from dpdesk.desk.theme.metrics import NO_MARGINS, Radius, Space
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.accessibility.opener import open_menu
from dpdesk.desk.widgets.buttons import menu_button
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.inputs.title_line import TitleLine
from dpdesk.desk.widgets.labels.elided_label import ElidedLabel
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label
from dpdesk.desk.widgets.layouts.stable_size import StableSize
from dpdesk.desk.widgets.painting import focus_ring
from dpdesk.desk.widgets.tab_stop import put_keyboard
from dpdesk.study.model.baseline.expansion import Asked

Kind = TypeVar("Kind", bound=Asked)


class AskedCard(Card, Generic[Kind]):
    """A card of a query, or of a Table 1.

    Attributes:
        is_marked: something of it is wrong, or says little.

    Signals:
        opened: it was pressed while closed.
        changed: what is asked was edited; carries it and the name of the edited field.
        wanted: ``duplicate``, ``up``, ``down`` or ``remove``.
        helped: the one change that helps what is weak is to be made; carries the study with it.
        led: another query is wanted; carries its id.
    """

    opened = Signal()
    changed = Signal(object, str)
    wanted = Signal(str)
    helped = Signal(object)
    led = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._is_open: bool | None = None
        self.is_marked = False
        self._icon = IconLabel("hash")
        self._summary = Label(rich=True, wrap=True)
        self._margin = ElidedLabel(role=Role.TEXT_QUIET)
        self._margin.take_own_width()
        self._cost = Label(semibold=True)
        self.more = menu_button(self.tr("More"))
        self._closed = QWidget()
        self._opened: OpenPart | None = None
        self._open_room: StableSize | None = None
        self._build()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        # One stop of Tab a card, of fifty fifty: the menu's key opens it where the card has the
        # keyboard.
        self.more.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setAccessibleDescription(self.tr("The menu key shows its actions."))
        self.more.clicked.connect(self._open_menu)
        self._asked: Kind | None = None
        self._shown: object = None
        self._state: DeskState | None = None
        rename = QShortcut(QKeySequence(Qt.Key.Key_F2), self)
        rename.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        rename.activated.connect(self.rename)

    def _build(self) -> None:
        row = QHBoxLayout(self._closed, spacing=Space.CARDS, contentsMargins=NO_MARGINS)
        row.addWidget(self._icon)
        row.addWidget(self._summary, 1)
        row.addWidget(self._margin)
        row.addWidget(self._cost)
        row.addWidget(self.more)
        self.body.addWidget(self._closed)

    @abstractmethod
    def _make_open_part(self) -> OpenPart:
        """What the card shows while it is open."""

    @abstractmethod
    def _show_open(self, state: DeskState, one: Kind, came_from: str) -> None:
        """Show it in the open part."""

    @abstractmethod
    def _texts(self, state: DeskState, one: Kind) -> tuple[str, str]:
        """What it is called, and its margin or why there is none."""

    @abstractmethod
    def _sentence(self, state: DeskState, one: Kind) -> str:
        """All that it asks, which its closed card shows."""

    @abstractmethod
    def _icon_of(self, one: Kind) -> str:
        """The icon of its closed card."""

    @abstractmethod
    def _shown_of(self, state: DeskState, one: Kind) -> tuple[object, ...]:
        """Everything that a closed card shows; quickly compared: most of it is the same."""

    @abstractmethod
    def _peers(self, state: DeskState) -> tuple[Kind, ...]:
        """Among which it can be moved."""

    @abstractmethod
    def _rename(self, title: str) -> None:
        """Tell of another title."""

    @property
    def _part(self) -> OpenPart:
        """What the card shows while it is open, built when it first is."""
        if self._opened is None:
            part = self._opened = self._make_open_part()
            room = self._open_room = StableSize(part)
            self.body.addWidget(room)  # before it is shown, lest it be a window of its own
            room.setVisible(bool(self._is_open))
            part.title.renamed.connect(self._rename)
            part.more.clicked.connect(self._open_menu)
            part.changed.connect(self.changed)
            part.helped.connect(self.helped)
        return self._opened

    @property
    def title(self) -> TitleLine:
        """Its title, which can be written."""
        return self._part.title

    @property
    def more_open(self) -> QAbstractButton:
        """The open card's menu."""
        return self._part.more

    def render_state(self, state: DeskState, one: Kind, is_open: bool, came_from: str = "") -> None:
        """Show what is asked, open or closed; a closed one that did not change is shown already.

        Args:
            state: what is shown.
            one: what the card is of.
            is_open: whether all of it can be set.
            came_from: the query from which somebody came to ask for bounds; empty for none.
        """
        self._state = state
        shown = None if is_open else self._shown_of(state, one)
        if shown is not None and shown == self._shown:
            return
        self._shown, self._asked = shown, one
        if is_open is not self._is_open:
            self._set_open(is_open)
        weak = () if state.is_answered(one) else state.weak_of(one.id)
        self.is_marked = bool(state.query_problems(one.id)) or bool(weak)
        called, margin = self._texts(state, one)
        cost = self._cost_text(state, one)
        attention = self.tr("needs attention") if self.is_marked else ""
        self.setAccessibleName(", ".join(filter(None, (called, margin, cost, attention))))
        self.more.setAccessibleName(self.tr("More for {0}").format(called))
        if is_open:
            self._show_open(state, one, came_from)
        else:
            self._render_line(one, self._sentence(state, one), margin, cost)

    def _set_open(self, is_open: bool) -> None:
        self._is_open = is_open
        self.body.setContentsMargins(Space.CARD, *self._padding(is_open))
        self.setCursor(Qt.CursorShape.ArrowCursor if is_open else Qt.CursorShape.PointingHandCursor)
        self._closed.setVisible(not is_open)
        if self._open_room is not None:
            self._open_room.setVisible(is_open)
        self.set_look(Role.SURFACE, Role.ACCENT if is_open else Role.LINE)

    def rename(self) -> None:
        """Let the title be written; a closed card opens first."""
        if not self._is_open:
            self.opened.emit()
        self.title.start()

    def _padding(self, is_open: bool) -> tuple[int, int, int]:
        """Top, right and bottom; closed cards are as low as their line."""
        return (Space.CARDS, Space.CARD, Space.CARDS) if is_open else (2, Space.CARDS, 2)

    def _render_line(self, one: Kind, asked: str, margin: str, cost: str) -> None:
        """One line; marked where something is wrong or says little: what is wrong is inside."""
        self._icon.set_icon(
            "warning" if self.is_marked else self._icon_of(one),
            Role.WARN if self.is_marked else Role.TEXT_QUIET,
        )
        self._summary.setText(_summary(one.title, asked))
        self._summary.setAccessibleName(f"{one.title}. {asked}" if one.title else asked)
        self._margin.setText(margin)
        self._cost.setText(cost)

    def _cost_text(self, state: DeskState, one: Kind) -> str:
        parts = state.parts_of(one)
        if parts and all(part.id in state.public for part in parts):
            return self.tr("public, costs nothing")
        if not state.is_answered(one):
            return words.amount(one.share) if one.share else "–"
        stored = (state.stored[part.id].revoked for part in parts)
        revoked = next((found for found in stored if found is not None), None)
        if revoked is None:
            return self.tr("answered, no cost")
        withdrawn, corrected = self.tr("answered, withdrawn"), self.tr("answered, corrected")
        return withdrawn if revoked.kind == "withdrawn" else corrected

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open when pressed."""
        if not self._is_open and event.button() == Qt.MouseButton.LeftButton:
            self.opened.emit()
        super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open with Enter or Space."""
        keys = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
        if event.key() in keys and not self._is_open:
            self.opened.emit()
            return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The right button, or the menu's key, does what the three dots do."""
        self._open_menu()
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self)
            focus_ring(painter, self.rect().toRectF(), Radius.CARD)
            painter.end()

    def _open_menu(self) -> None:
        open_menu(self.make_menu(), self._menu_button)

    def make_menu(self) -> QMenu:
        """What can be done with it; the first cannot go up, the last cannot go down."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        rename = QAction(self.tr("Rename"), menu)
        rename.setShortcut(QKeySequence(Qt.Key.Key_F2))
        rename.triggered.connect(lambda _on=False: self.rename())
        menu.addAction(rename)
        ends = self._ends()
        for key, text in (
            ("duplicate", self.tr("Duplicate")),
            ("up", self.tr("Move up")),
            ("down", self.tr("Move down")),
            ("remove", self.tr("Remove")),
        ):
            action = QAction(text, menu)
            action.setEnabled(key not in ends)
            action.triggered.connect(lambda _on=False, key=key: self.wanted.emit(key))
            menu.addAction(action)
        return menu

    def _ends(self) -> set[str]:
        """The ways in which it cannot be moved."""
        peers = self._peers(self._state) if self._state is not None else ()
        ends = {"up": peers[:1], "down": peers[-1:]}
        return {way for way, end in ends.items() if self._asked in end}

    @property
    def _menu_button(self) -> QAbstractButton:
        return self.more_open if self._is_open else self.more

    def take_keyboard(self) -> None:
        """Go to the card or, where it is open, to its menu; both say which one they are of."""
        put_keyboard(self._menu_button if self._is_open else self)


def _summary(title: str, asked: str) -> str:
    """A closed card's line: the title, and behind it in quiet what it means."""
    if not title:
        return _escaped(asked, bold=True)
    quiet = color(Role.TEXT_QUIET).name()
    return f"{_escaped(title, bold=True)} <span style='color:{quiet}'>{_escaped(asked)}</span>"


def _escaped(text: str, bold: bool = False) -> str:
    safe = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f"<b>{safe}</b>" if bold else safe
