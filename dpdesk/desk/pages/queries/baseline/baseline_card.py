# SPDX-License-Identifier: Apache-2.0
"""A Table 1 among the queries: one line with its price, or opened, all that can be set."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from dpdesk.desk.core.state import DeskState
from dpdesk.desk.pages.queries.asked_card import AskedCard
from dpdesk.desk.pages.queries.baseline.baseline_open import OpenBaseline
from dpdesk.desk.pages.queries.baseline.baseline_price import BaselinePrice
from dpdesk.desk.pages.queries.baseline.baseline_sentence import BaselineSentence
from dpdesk.desk.pages.queries.baseline.characteristics import Characteristics
from dpdesk.desk.text.baseline import baseline_words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.roles import is_dark, is_strong
from dpdesk.study.model.baseline.declared import BaselineTable


class BaselineCard(AskedCard[BaselineTable]):
    """The card of a Table 1."""

    def _make_open_part(self) -> OpenBaseline:
        return OpenBaseline()

    @property
    def open_part(self) -> OpenBaseline:
        """What the card shows while it is open."""
        return cast(OpenBaseline, self._part)

    @property
    def sentence(self) -> BaselineSentence:
        return self.open_part.sentence

    @property
    def characteristics(self) -> Characteristics:
        return self.open_part.characteristics

    @property
    def accuracy(self) -> BaselinePrice:
        """What it costs, and about how large its groups are."""
        return self.open_part.price

    def _show_open(self, state: DeskState, one: BaselineTable, came_from: str) -> None:
        self.open_part.show_table(state, one)

    def _texts(self, state: DeskState, one: BaselineTable) -> tuple[str, str]:
        name = baseline_words.title(state.study, one)
        if state.query_problems(one.id):
            return name, tr("QueryCard", "incomplete")
        return name, baseline_words.margin(state, one)

    def _sentence(self, state: DeskState, one: BaselineTable) -> str:
        """The proposed title is its sentence; behind it, the columns that it shows."""
        summary = baseline_words.summary(state.study, one)
        name = "" if one.title else baseline_words.title(state.study, one)
        return ": ".join(filter(None, (name, summary)))

    def _icon_of(self, one: BaselineTable) -> str:
        return "columns"

    def _peers(self, state: DeskState) -> tuple[BaselineTable, ...]:
        return state.study.baseline_tables

    def _shown_of(self, state: DeskState, one: BaselineTable) -> tuple[object, ...]:
        study, answered = state.study, state.is_answered(one)
        plans = tuple(state.plans.get(part.id) for part in state.parts_of(one))
        weak = () if answered else state.weak_of(one.id)
        problems, look = state.query_problems(one.id), (is_dark(), is_strong())
        ends = study.baseline_tables[:1], study.baseline_tables[-1:]
        return one, plans, study.columns, study.unit, problems, answered, weak, look, ends

    def _rename(self, title: str) -> None:
        if self._asked is not None:
            self.changed.emit(replace(self._asked, title=title), "")
