# SPDX-License-Identifier: Apache-2.0
"""One query: a sentence with its margin and cost, or opened, all that can be set."""

from __future__ import annotations

from dataclasses import replace

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
from dpdesk.desk.pages.queries.accuracy.query_accuracy import QueryAccuracy
from dpdesk.desk.pages.queries.query_open import OpenQuery
from dpdesk.desk.pages.queries.sentence.query_sentence import QuerySentence
from dpdesk.desk.text import accuracy_words, query_words, weak_words, words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.metrics import NO_MARGINS, Radius, Space
from dpdesk.desk.theme.roles import Role, color, is_dark, is_strong
from dpdesk.desk.widgets.accessibility.opener import open_menu
from dpdesk.desk.widgets.buttons import menu_button
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.inputs.title_line import TitleLine
from dpdesk.desk.widgets.labels.banner import Banner
from dpdesk.desk.widgets.labels.elided_label import ElidedLabel
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label
from dpdesk.desk.widgets.layouts.stable_size import StableSize
from dpdesk.desk.widgets.painting import focus_ring
from dpdesk.desk.widgets.tab_stop import put_keyboard
from dpdesk.privacy.planning.weak import takes_guess
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query


class QueryCard(Card):
    """A query's card.

    Attributes:
        is_marked: something of it is wrong, or says little.

    Signals:
        opened: it was pressed while closed.
        changed: the query was edited; carries it and the name of the edited field.
        wanted: ``duplicate``, ``up``, ``down`` or ``remove``.
        helped: the one change that helps a weak query is to be made; carries the study with it.
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
        self._opened: OpenQuery | None = None
        self._open_room: StableSize | None = None
        self._build()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        # One stop of Tab a card, of fifty fifty: the menu's key opens it where the card has the
        # keyboard.
        self.more.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setAccessibleDescription(self.tr("The menu key shows its actions."))
        self.more.clicked.connect(self._open_menu)
        self._query: Query | None = None
        self._shown: object = None
        self._ends: set[str] = set()
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

    @property
    def open_part(self) -> OpenQuery:
        """What the card shows while it is open, built when it first is."""
        if self._opened is None:
            part = self._opened = OpenQuery()
            room = self._open_room = StableSize(part)
            self.body.addWidget(room)  # before it is shown, lest it be a window of its own
            room.setVisible(bool(self._is_open))
            part.title.renamed.connect(self._rename)
            part.more.clicked.connect(self._open_menu)
            part.changed.connect(self.changed)
            part.helped.connect(self.helped)
            part.first.led.connect(self.led)
        return self._opened

    @property
    def title(self) -> TitleLine:
        """The query's title, which can be written."""
        return self.open_part.title

    @property
    def sentence(self) -> QuerySentence:
        return self.open_part.sentence

    @property
    def accuracy(self) -> QueryAccuracy:
        """What it costs and how accurate it is."""
        return self.open_part.accuracy

    @property
    def weak(self) -> Banner:
        """What the query says little about, and what helps."""
        return self.open_part.weak

    @property
    def more_open(self) -> QAbstractButton:
        """The open card's menu."""
        return self.open_part.more

    def render_state(
        self, state: DeskState, query: Query, is_open: bool, came_from: str = ""
    ) -> None:
        """Show a query, open or closed; a closed one that did not change is shown already.

        Args:
            state: what is shown.
            query: the card's query.
            is_open: whether all of it can be set.
            came_from: the query from which somebody came to ask for bounds; empty for none.
        """
        ends = {"up": state.study.queries[:1], "down": state.study.queries[-1:]}
        self._ends = {way for way, end in ends.items() if query in end}
        shown = None if is_open else self._shown_of(state, query)
        if shown is not None and shown == self._shown:
            return
        self._shown, self._query = shown, query
        if is_open is not self._is_open:
            self._set_open(is_open)
        problems = state.query_problems(query.id)
        weak = state.weak_of(query.id) if query.id not in state.answered else ()
        self.is_marked = bool(problems) or bool(weak)
        margin, cost = _accuracy(state, query), self._cost_text(state, query)
        called = words.query_title(state.study, query)
        attention = self.tr("needs attention") if self.is_marked else ""
        self.setAccessibleName(", ".join(filter(None, (called, margin, cost, attention))))
        self.more.setAccessibleName(self.tr("More for {0}").format(called))
        if is_open:
            self.open_part.first.came_from = came_from
            self.open_part.show_query(state, query, problems)
            return
        self._render_line(state.study, query, margin, cost)

    def _set_open(self, is_open: bool) -> None:
        self._is_open = is_open
        self.body.setContentsMargins(Space.CARD, *self._padding(is_open))
        self.setCursor(Qt.CursorShape.ArrowCursor if is_open else Qt.CursorShape.PointingHandCursor)
        self._closed.setVisible(not is_open)
        if self._open_room is not None:
            self._open_room.setVisible(is_open)
        self.set_look(Role.SURFACE, Role.ACCENT if is_open else Role.LINE)

    def _shown_of(self, state: DeskState, query: Query) -> tuple[object, ...]:
        """Everything that a closed card shows; quickly compared, because most of it is the same."""
        study, problems = state.study, state.query_problems(query.id)
        plan, answered = state.plans.get(query.id), query.id in state.answered
        weak = () if answered else state.weak_of(query.id)
        look = is_dark(), is_strong()
        return query, plan, study.columns, study.unit, problems, answered, weak, look

    def rename(self) -> None:
        """Let the query's title be written; a closed card opens first."""
        if not self._is_open:
            self.opened.emit()
        self.title.start()

    def _rename(self, title: str) -> None:
        if self._query is not None:
            self.changed.emit(replace(self._query, title=title), "")

    def _padding(self, is_open: bool) -> tuple[int, int, int]:
        """Top, right and bottom; closed cards are as low as their line."""
        return (Space.CARDS, Space.CARD, Space.CARDS) if is_open else (2, Space.CARDS, 2)

    def _render_line(self, study: Study, query: Query, margin: str, cost: str) -> None:
        """One line; marked where something is wrong or says little: what is wrong is inside."""
        self._icon.set_icon(
            "warning" if self.is_marked else query_words.icon(query.statistic),
            Role.WARN if self.is_marked else Role.TEXT_QUIET,
        )
        asked = words.sentence(study, query)
        self._summary.setText(_summary(query.title, asked))
        self._summary.setAccessibleName(f"{query.title}. {asked}" if query.title else asked)
        self._margin.setText(margin)
        self._cost.setText(cost)

    def _cost_text(self, state: DeskState, query: Query) -> str:
        if query.id in state.public:
            return self.tr("public, costs nothing")
        if query.id not in state.answered:
            return words.amount(query.share) if query.share else "–"
        revoked = state.stored[query.id].revoked
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
        """What can be done with the query; the first cannot go up, the last cannot go down."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        rename = QAction(self.tr("Rename"), menu)
        rename.setShortcut(QKeySequence(Qt.Key.Key_F2))
        rename.triggered.connect(lambda _on=False: self.rename())
        menu.addAction(rename)
        for key, text in (
            ("duplicate", self.tr("Duplicate")),
            ("up", self.tr("Move up")),
            ("down", self.tr("Move down")),
            ("remove", self.tr("Remove")),
        ):
            action = QAction(text, menu)
            action.setEnabled(key not in self._ends)
            action.triggered.connect(lambda _on=False, key=key: self.wanted.emit(key))
            menu.addAction(action)
        return menu

    @property
    def _menu_button(self) -> QAbstractButton:
        return self.more_open if self._is_open else self.more

    def take_keyboard(self) -> None:
        """Go to the card or, where it is open, to its menu; both say which query they are of."""
        put_keyboard(self._menu_button if self._is_open else self)


def _accuracy(state: DeskState, query: Query) -> str:
    """How accurate it is, and why it is marked; of what was answered no guess is missing."""
    plan = state.plans.get(query.id)
    if plan is None:
        problems = state.query_problems(query.id)
        return tr("QueryCard", "incomplete") if problems else ""
    if query.id in state.answered:
        return accuracy_words.of_plan(state.study, plan)
    if plan.accuracy is None and takes_guess(plan):
        margin = accuracy_words.needs(state.study, query)
    else:
        margin = accuracy_words.of_plan(state.study, plan)
    weak = state.weak_of(query.id)
    if not weak or (margin and plan.accuracy is None):
        return margin
    unsized = (one for one in weak if one.code.startswith(weak_words.UNSIZED))
    if (lacking := next(unsized, None)) is not None:
        return weak_words.in_short(state.study, lacking)
    return ", ".join(filter(None, (margin, weak_words.in_short(state.study, weak[0]))))


def _summary(title: str, asked: str) -> str:
    """A closed card's line: the title, and behind it in quiet what it means."""
    if not title:
        return _escaped(asked, bold=True)
    quiet = color(Role.TEXT_QUIET).name()
    return f"{_escaped(title, bold=True)} <span style='color:{quiet}'>{_escaped(asked)}</span>"


def _escaped(text: str, bold: bool = False) -> str:
    safe = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f"<b>{safe}</b>" if bold else safe
