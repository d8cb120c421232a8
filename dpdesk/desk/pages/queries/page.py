# SPDX-License-Identifier: Apache-2.0
"""Queries: say what to publish, and how accurate it must be or what it may cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, cast

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from dpdesk.desk.core import fitting
from dpdesk.desk.core.edits import baseline_edits, query_edits, study_edits
from dpdesk.desk.core.edits.unused_columns import only_in_the_way
from dpdesk.desk.core.jobs.idle_steps import IdleSteps
from dpdesk.desk.core.session import Session
from dpdesk.desk.core.state import DeskState
from dpdesk.desk.pages.queries.baseline.baseline_card import BaselineCard
from dpdesk.desk.pages.queries.fit.fit_dialog import FitDialog
from dpdesk.desk.pages.queries.query_card import QueryCard
from dpdesk.desk.pages.queries.query_search import QuerySearch
from dpdesk.desk.pages.queries.review_reason import why_not_reviewed
from dpdesk.desk.pages.queries.suggested_queries import SuggestedQueries
from dpdesk.desk.pages.step_page import StepPage
from dpdesk.desk.text import weak_words, words
from dpdesk.desk.text.baseline import baseline_words
from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.widgets.accessibility.announcing import announce
from dpdesk.desk.widgets.accessibility.opener import open_menu
from dpdesk.desk.widgets.buttons import Button, primary, secondary
from dpdesk.desk.widgets.empty_state import EmptyState
from dpdesk.desk.widgets.pressing import allow, press_by
from dpdesk.release.record.totals import share_of
from dpdesk.study.model.amount import Share
from dpdesk.study.model.baseline.declared import BaselineTable
from dpdesk.study.model.baseline.expansion import Asked, own_queries, questions
from dpdesk.study.model.queries import Query
from dpdesk.study.reuse.templates import TEMPLATES, is_ready

AT_ONCE = 6
"""So many cards, one of them open, fill a screen; the others follow one by one."""


class QueriesPage(StepPage):
    """The fourth step."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        line = self.tr(
            "Choose what to publish, and set how accurate it must be or what it may cost."
        )
        self.set_line(line)
        self._selected = self._came_from = ""
        self._cards: dict[str, QueryCard | BaselineCard] = {}
        self._coming = IdleSteps(self)
        self.suggested = SuggestedQueries()
        self._suggests = False
        self._has_plans: tuple[bool, bool] | None = None
        self.search = QuerySearch()
        self._found: frozenset[str] = frozenset()
        self._column = QVBoxLayout(spacing=Space.CARDS - 2)
        self.rehearse_button = secondary(self.tr("Rehearse"), before="flask")
        self.fit_button = secondary(self.tr("Fit shares…"), before="scales")
        self.add_table_button = secondary(self.tr("Add Table 1"), before="columns")
        self.add_button = secondary(self.tr("Add query"), before="plus")
        self.leave_out = secondary(self.tr("Switch them off"))
        self.account_button = secondary("")
        self.empty = EmptyState(
            "chart",
            self.tr("No queries yet"),
            self.tr("A query is one sentence: a count, a sum or a mean, for each group."),
            self.tr("Add query"),
            self.tr("Start from a template…"),
        )
        self._build()
        self._connect()

    def _build(self) -> None:
        self.add_action(self.rehearse_button)
        self.add_action(self.fit_button)
        self.add_action(self.add_table_button)
        self.add_action(self.add_button)
        press_by(self.add_table_button, "Ctrl+Shift+T")
        press_by(self.add_button, "Ctrl+Shift+A")
        self.body.addWidget(self.suggested)
        self.body.addWidget(self.search)
        self.body.addWidget(self.empty)
        self.body.addLayout(self._column)
        self.footer.back.show()
        self.footer.add_button(self.leave_out).hide()
        self.footer.add_button(self.account_button).hide()
        self.footer.set_primary(primary(self.tr("Review release"), after="arrow-right"))

    def _connect(self) -> None:
        self.rehearse_button.clicked.connect(lambda: self.go_to.emit("rehearsal"))
        self.fit_button.clicked.connect(self.fit_shares)
        self.add_table_button.clicked.connect(self.add_table)
        self.add_button.clicked.connect(self.add_query)
        self.leave_out.clicked.connect(self._leave_out_unused)
        self.account_button.clicked.connect(self._ask_account)
        find = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.activated.connect(self._start_search)
        self.search.searched.connect(lambda _text: self._show_found())
        self.search.entered.connect(self._enter_found)
        self.search.picked.connect(self._pick_found)
        self.suggested.taken.connect(self.add_suggested)
        self.empty.action_pressed.connect(self.add_query)
        self.empty.other_pressed.connect(lambda: self.use_template())
        self.footer.back.clicked.connect(lambda: self.go_to.emit("columns"))
        if self.footer.primary is not None:
            self.footer.primary.clicked.connect(lambda: self.go_to.emit("release"))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where not even a line of their own has room for all words, some are icons."""
        super().resizeEvent(event)
        self._name_buttons()

    def _name_buttons(self) -> None:
        """As many words as there is room for; an icon alone is named by a tooltip."""
        texts = {
            self.rehearse_button: self.tr("Rehearse"),
            self.add_table_button: self.tr("Add Table 1"),
            self.fit_button: self.tr("Fit shares…"),
        }
        for button, text in texts.items():
            self._name(button, text, text)
        for button, text in texts.items():
            if self.fits_head(self.buttons_width()):
                break
            self._name(button, text, "")
        self.arrange_head()

    def _name(self, button: Button, text: str, shown: str) -> None:
        button.setText(shown)
        if button.isEnabled():
            button.setToolTip("" if shown else text)
        button.setAccessibleName(text)
        button.updateGeometry()

    @property
    def selected(self) -> str:
        """Id of the query or the Table 1 that is open; empty while none is."""
        return self._selected

    def card(self, query_id: str) -> QueryCard:
        """The card of a query; made now where its turn has not come."""
        return cast(QueryCard, self.card_of(query_id))

    def table_card(self, table_id: str) -> BaselineCard:
        """The card of a Table 1."""
        return cast(BaselineCard, self.card_of(table_id))

    def card_of(self, asked_id: str) -> QueryCard | BaselineCard:
        """The card of what is asked; that of its table for a query of a Table 1."""
        query = self.state.study.query(asked_id)
        if query is not None and query.component is not None:
            asked_id = query.component.table
        if asked_id not in self._cards:
            one = self._question(asked_id)
            if one is not None:
                self._render(self.state, one)
        return self._cards[asked_id]

    def _question(self, asked_id: str) -> Asked | None:
        return next((one for one in questions(self.state.study) if one.id == asked_id), None)

    @property
    def is_complete(self) -> bool:
        """Whether every query has its card."""
        return not self._coming.are_left

    def first_to_do(self) -> QWidget | None:
        """The open query's sentence, or the first query."""
        card = self._cards.get(self._selected)
        if card is not None and card.isHidden():
            return self.search.edit
        if isinstance(card, BaselineCard):
            return card.characteristics.choose
        if card is not None:
            return card.sentence.chip("statistic")
        return self.suggested.first() or self.empty.button

    def forget(self) -> None:
        """Another study is open: its cards start again, without what was typed wrong."""
        self._selected = self._came_from = ""
        self._suggests = False
        self.search.edit.clear()
        self._coming.stop()
        self._drop_all_but(())

    def memory(self) -> object:
        """The query that is open, and whether queries are suggested."""
        return self._selected, self._suggests

    def recall(self, memory: tuple[str, bool]) -> None:
        """Open the query that was open."""
        self._selected, self._suggests = memory

    def enter(self) -> None:
        """Suggestions stay as long as one can be added and nothing was answered yet."""
        can_add = self.suggested.can_add and not self.state.answered
        self._suggests = self._suggests and can_add
        if self.session.template and not self.state.study.queries:
            QTimer.singleShot(0, self, self._offer_template)

    def _offer_template(self) -> None:
        """Offer once what the study was begun for; again where a column is still missing."""
        wanted, study = self.session.template, self.state.study
        if not wanted or study.queries or not self.isVisible():
            return
        if any(one.name == wanted and is_ready(study, one) for one in TEMPLATES):
            self.session.template = ""
        self.use_template(wanted)

    def add_query(self) -> None:
        """Add a count and open it; its share is what is left, at most a tenth."""
        self._add(study_edits.new_query(self.state.study, share=self._first_share()))
        self.focus_first()

    def add_table(self) -> None:
        """Add an empty Table 1 and open it; its price is what a query begins with."""
        table = baseline_edits.new_table(self.state.study, self._first_share())
        self.search.edit.clear()
        self._coming.finish()
        self._selected = table.id
        added = baseline_edits.add_table(self.state.study, table)
        self.session.edit(added, self.tr("Add a Table 1"))
        if table.id not in self._cards:  # it was refused; else it is drawn by now
            self.shown_changed.emit()
        self.focus_first()

    def add_suggested(self, suggestion: Query) -> None:
        """Add a query that was suggested and open it; the keyboard stays with the suggestions."""
        query = study_edits.completed(self.state.study, suggestion, self._first_share())
        self._add(query_edits.with_guess(self.state.study, query))
        self._announce(self.tr("Added: {0}"), self._selected)
        follows = self.suggested.first()
        if follows is not None:
            follows.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.focus_first()

    def _first_share(self) -> Share:
        """A tenth, or what is left where that is less."""
        state = self.state
        most = study_edits.as_measure(study_edits.FIRST_SHARE, state.measure).units
        left = state.left_after if state.account else most
        return share_of(state.measure, max(most // 100, min(most, left)))

    def _add(self, query: Query) -> None:
        self.search.edit.clear()
        self._coming.finish()  # it is the last, and where it is must not change any more
        self._selected = query.id
        added = study_edits.add_query(self.state.study, query)
        self.session.edit(added, self.tr("Add a query"))
        if query.id not in self._cards:  # it was refused; else it is drawn by now
            self.shown_changed.emit()

    def use_template(self, wanted: str = "") -> None:
        """Ask for a template of a usual release."""
        # Loaded here: few studies ask for it.
        from dpdesk.desk.pages.reuse.template_dialog import TemplateDialog

        dialog = TemplateDialog(self.window(), self.state, wanted)
        dialog.decided.connect(self._add_all)
        dialog.open()

    def _add_all(self, queries: tuple[Query, ...]) -> None:
        study = self.state.study
        self._selected = queries[0].id
        added = replace(study, queries=(*study.queries, *queries))
        self.session.edit(added, self.tr("Add queries from a template"))
        self.focus_first()

    def fit_shares(self) -> None:
        """Ask what the queries shall reach or cost together, where there are any."""
        if not own_queries(self.state.study):
            return
        dialog = FitDialog(self.window(), self.state)
        dialog.decided.connect(self._use_shares)
        dialog.open()

    def _use_shares(self, shares: dict[str, Share]) -> None:
        study = fitting.with_shares(self.state.study, shares)
        self.session.edit(study, self.tr("Fit the shares"))

    def select(self, query_id: str) -> None:
        """Open a query's card; the others close. One that a search left out is on show again."""
        query = self.state.study.query(query_id)
        if query is not None and query.component is not None:
            query_id = query.component.table
        if query_id not in self._found:
            self.search.edit.clear()
        if query_id != self._selected:
            self._came_from = self._selected
        self._selected = query_id
        self.shown_changed.emit()

    def render_state(self) -> None:
        """Show the cards, one of them open; those far below follow one by one."""
        state, queries = self.state, questions(self.state.study)
        ids = [q.id for q in queries]
        if self._selected not in ids:
            self._selected = ids[0] if ids else ""
        self._drop_all_but(ids)
        self.empty.setVisible(not ids)
        # Offered to an empty plan, they stay while it is filled: nothing jumps.
        self._suggests = self._suggests or not ids
        self.suggested.setVisible(self._suggests and self.suggested.show_state(state))
        self._allow_plans(bool(ids), bool(own_queries(state.study)))
        self._found = self.search.matching(state.study)
        self.search.show_count(len(self._found), len(ids))
        shown = 0  # so many cards stand above; counted here, for each keystroke asks for each card
        for place, query in enumerate(queries):
            if place < AT_ONCE or query.id == self._selected or query.id in self._cards:
                self._render_at(shown, state, query)
                shown += 1
        self._coming.stop()
        if len(self._cards) < len(queries):
            self._coming.begin(self._add_others(state))
        self._render_footer()

    def _allow_plans(self, allowed: bool, can_fit: bool) -> None:
        """What is about all queries has none to be about in an empty plan."""
        if (allowed, can_fit) != self._has_plans:
            self._has_plans = allowed, can_fit
            why_not = "" if allowed else self.tr("Add a query first.")
            priced = self.tr("A Table 1 has one price, which is set in its card.")
            allow(self.fit_button, why_not or ("" if can_fit else priced))
            allow(self.rehearse_button, why_not)
            self._name_buttons()

    def _add_others(self, state: DeskState) -> Iterator[None]:
        """Make the cards that are not there, one at a time."""
        for query in questions(state.study):
            if query.id not in self._cards:
                self._render(state, query)
                yield

    def _render(self, state: DeskState, query: Asked) -> None:
        """Show a query on its card, in its place among those that are there."""
        ids = [q.id for q in questions(state.study)]
        place = sum(found in self._cards for found in ids[: ids.index(query.id)])
        self._render_at(place, state, query)

    def _render_at(self, place: int, state: DeskState, query: Asked) -> None:
        """Show a query on its card, below this many others."""
        card: Any = self._cards.get(query.id) or self._new_card(query)
        if self._column.indexOf(card) != place:
            self._column.removeWidget(card)
            self._column.insertWidget(place, card)
        card.render_state(state, query, query.id == self._selected, self._came_from)
        card.setHidden(query.id not in self._found)

    def _show_found(self) -> None:
        """The cards that the search finds; those that are not there follow as always."""
        study = self.state.study
        self._found = self.search.matching(study)
        self.search.show_count(len(self._found), len(questions(study)))
        for query_id, card in self._cards.items():
            card.setHidden(query_id not in self._found)

    def _start_search(self) -> None:
        if self.search.isVisible():
            self.search.take_keyboard()

    def _first_found(self) -> str:
        return next((q.id for q in questions(self.state.study) if q.id in self._found), "")

    def _enter_found(self) -> None:
        """Let the keyboard go to the first card that was found."""
        first = self._first_found()
        if first:
            self.card(first).take_keyboard()

    def _pick_found(self) -> None:
        first = self._first_found()
        if self.search.text and first:
            self.select(first)
            self.focus_first()

    def _drop_all_but(self, ids: Sequence[str]) -> None:
        """Let go of the cards of queries that are gone."""
        for gone in [key for key in self._cards if key not in ids]:
            card = self._cards.pop(gone)
            self._column.removeWidget(card)
            card.hide()
            card.deleteLater()

    def _new_card(self, one: Asked) -> QueryCard | BaselineCard:
        card = QueryCard() if isinstance(one, Query) else BaselineCard()
        replaced = self._replace if isinstance(one, Query) else self._replace_table
        card.opened.connect(lambda: self.select(self._id_of(card)))
        card.changed.connect(lambda edited, key: replaced(self._id_of(card), edited, key))
        card.wanted.connect(lambda what: self._do(self._id_of(card), what))
        card.led.connect(self._lead_to)
        card.helped.connect(lambda study: self.session.edit(study, self.tr("Improve a query")))
        self._cards[one.id] = card
        return card

    def _lead_to(self, query_id: str) -> None:
        """Open another query, the keyboard in it."""
        self.select(query_id)
        self.focus_first()

    def _id_of(self, card: QueryCard | BaselineCard) -> str:
        """The query that a card shows; its name follows its statistic."""
        return next((query_id for query_id, held in self._cards.items() if held is card), "")

    def _replace(self, query_id: str, query: Query, merge_key: str) -> None:
        if query.id != query_id:
            self._cards[query.id] = self._cards.pop(query_id)
            self._selected = query.id
        before = self.state.study.query(query_id)
        if before is not None:
            query = query_edits.regrouped(self.state.study, before, query)
        study = study_edits.replace_query(self.state.study, query, query_id)
        key = f"{query.id}/{merge_key}" if merge_key else ""
        self.session.edit(study, self.tr("Change a query"), key)

    def _replace_table(self, table_id: str, table: BaselineTable, merge_key: str) -> None:
        study = baseline_edits.replace_table(self.state.study, table)
        key = f"{table_id}/{merge_key}" if merge_key else ""
        self.session.edit(study, self.tr("Change a Table 1"), key)

    def _do(self, query_id: str, what: str) -> None:
        study = self.state.study
        one = self._question(query_id)
        if one is None:  # its card goes in this turn of the event loop
            return
        if what == "remove":
            self._remove(query_id)
        elif what == "duplicate":
            self._announce(self.tr("Duplicated: {0}"), query_id)
            is_query = isinstance(one, Query)
            copy = study_edits.duplicate_query if is_query else baseline_edits.duplicate_table
            said = self.tr("Duplicate a query") if is_query else self.tr("Duplicate a Table 1")
            self.session.edit(copy(study, query_id), said)
        else:
            self._move(query_id, -1 if what == "up" else 1)

    def _remove(self, query_id: str) -> None:
        """The keyboard goes on to the query that follows, else to the last, else to what adds."""
        study = self.state.study
        ids = [one.id for one in questions(study) if one.id in {*self._found, query_id}]
        place = ids.index(query_id)
        left = ids[:place] + ids[place + 1 :]
        follows = left[min(place, len(left) - 1)] if left else ""
        if self._selected == query_id:
            self._selected = follows
        self._announce(self.tr("Removed: {0}"), query_id)
        if study.baseline_table(query_id) is None:
            self.session.edit(study_edits.remove_query(study, query_id), self.tr("Remove a query"))
        else:
            rest = baseline_edits.remove_table(study, query_id)
            self.session.edit(rest, self.tr("Remove a Table 1"))
        if follows in self._cards:
            self._cards[follows].take_keyboard()
        else:
            self.focus_first()

    def _announce(self, template: str, query_id: str, place: int = 0) -> None:
        """Say of a query what became of it; it may be far from where the keyboard is."""
        one = self._question(query_id)
        if one is not None:
            announce(
                self, template.format(baseline_words.asked_title(self.state.study, one), place)
            )

    def _move(self, query_id: str, step: int) -> None:
        study, one = self.state.study, self._question(query_id)
        is_query = isinstance(one, Query)
        peers: list[Any] = list(own_queries(study) if is_query else study.baseline_tables)
        if one is None or not 0 <= peers.index(one) + step < len(peers):
            return
        place = peers.index(one)
        peers[place], peers[place + step] = peers[place + step], peers[place]
        members: dict[str, Any] = {"queries" if is_query else "baseline_tables": tuple(peers)}
        self.session.edit(replace(study, **members), self.tr("Move a query"))
        before = len(study.baseline_tables) if is_query else 0
        self._announce(self.tr("{0} is number {1} now"), query_id, before + place + step + 1)

    def set_low(self, low: bool) -> None:
        """In a low window the foot says what the open query's banner says, which is out of it."""
        super().set_low(low)
        self._render_footer()

    def _weakness(self) -> str:
        """What the open query's figures are worth, where they are worth little; empty else."""
        study, one = self.state.study, self._question(self._selected)
        if one is None or self.state.is_answered(one):
            return ""
        first = next(iter(self.state.weak_of(one.id)), None)
        if first is None:
            return ""
        template = self.tr("{0}: {1}", "the open query, and what is weak about it")
        title = baseline_words.asked_title(study, one)
        return template.format(title, weak_words.first(study, first))

    def _render_footer(self) -> None:
        state = self.state
        reason = why_not_reviewed(self.state)
        self.leave_out.setVisible(bool(only_in_the_way(state)))
        self._render_account()
        planned = words.amount(state.planned)
        text = self.tr(
            "%n quer(y|ies), {0} planned. Nothing is spent before the release.",
            "",
            len(questions(state.study)),
        )
        weak = state.weak_count
        said = text.format(planned)
        if weak:
            said += " " + self.tr("Check %n marked quer(y|ies).", "", weak)
        if self.is_low:
            said = self._weakness() or said
        self.footer.say(reason or said, attention=bool(reason or weak))
        if self.footer.primary is not None:
            self.footer.primary.setEnabled(not reason)

    def _render_account(self) -> None:
        """Where its lack is all that is in the way, or nothing is, it is made up for here."""
        state = self.state
        is_lacking = state.account is None and bool(state.study.queries)
        self.account_button.setVisible(is_lacking and not only_in_the_way(state))
        if not is_lacking:
            return
        has_some = bool(self.session.accounts.states)
        text = self.tr("Choose account…") if has_some else self.tr("New account…")
        self.account_button.setText(text)
        self.account_button.updateGeometry()

    def _ask_account(self) -> None:
        if self.session.accounts.states:
            open_menu(self.account_menu(), self.account_button)
        else:
            self.account_wanted.emit("")

    def account_menu(self) -> QMenu:
        """The accounts that are there with what each has left, and a new one."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        template = self.tr("{0}: {1} remaining")
        for account in self.session.accounts.states:
            text = template.format(account.name, words.budget(account.left))
            action = menu.addAction(text.replace("&", "&&"))
            action.triggered.connect(partial(self.account_wanted.emit, account.name))
        menu.addSeparator()
        new = menu.addAction(self.tr("New account…"))
        new.triggered.connect(partial(self.account_wanted.emit, ""))
        return menu

    def _leave_out_unused(self) -> None:
        """Nobody asked for them: a codebook brought them along."""
        unused = only_in_the_way(self.state)
        if unused:
            study = study_edits.leave_out_columns(self.state.study, unused)
            self.session.edit(study, self.tr("Switch columns off that no query uses"))
            if self.footer.primary is not None and self.footer.primary.isEnabled():
                self.footer.primary.setFocus(Qt.FocusReason.OtherFocusReason)
            else:
                self.focus_first()
