# SPDX-License-Identifier: Apache-2.0
"""One query: a sentence with its margin and cost, or opened, all that can be set."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from dpdesk.desk.core.state import DeskState
from dpdesk.desk.pages.queries.accuracy.query_accuracy import QueryAccuracy
from dpdesk.desk.pages.queries.asked_card import AskedCard
from dpdesk.desk.pages.queries.query_open import OpenQuery
from dpdesk.desk.pages.queries.sentence.query_sentence import QuerySentence
from dpdesk.desk.text import accuracy_words, query_words, weak_words, words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.roles import is_dark, is_strong
from dpdesk.desk.widgets.labels.banner import Banner
from dpdesk.privacy.planning.weak import takes_guess
from dpdesk.study.model.baseline.expansion import own_queries
from dpdesk.study.model.queries import Query


class QueryCard(AskedCard[Query]):
    """A query's card."""

    def _make_open_part(self) -> OpenQuery:
        part = OpenQuery()
        part.first.led.connect(self.led)
        return part

    @property
    def open_part(self) -> OpenQuery:
        """What the card shows while it is open."""
        return cast(OpenQuery, self._part)

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

    def _show_open(self, state: DeskState, one: Query, came_from: str) -> None:
        self.open_part.first.came_from = came_from
        self.open_part.show_query(state, one, state.query_problems(one.id))

    def _texts(self, state: DeskState, one: Query) -> tuple[str, str]:
        return words.query_title(state.study, one), _accuracy(state, one)

    def _sentence(self, state: DeskState, one: Query) -> str:
        return words.sentence(state.study, one)

    def _icon_of(self, one: Query) -> str:
        return query_words.icon(one.statistic)

    def _peers(self, state: DeskState) -> tuple[Query, ...]:
        return own_queries(state.study)

    def _shown_of(self, state: DeskState, one: Query) -> tuple[object, ...]:
        study, problems = state.study, state.query_problems(one.id)
        plan, answered = state.plans.get(one.id), one.id in state.answered
        weak = () if answered else state.weak_of(one.id)
        look = is_dark(), is_strong()
        return one, plan, study.columns, study.unit, problems, answered, weak, look

    def _rename(self, title: str) -> None:
        if self._asked is not None:
            self.changed.emit(replace(self._asked, title=title), "")


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
