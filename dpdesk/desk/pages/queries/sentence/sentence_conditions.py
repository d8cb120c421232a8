# SPDX-License-Identifier: Apache-2.0
"""The part of a query's sentence that sets conditions: where, and which property."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from dpdesk.desk.pages.queries.sentence.condition_dialog import ConditionDialog
from dpdesk.desk.pages.queries.sentence.sentence_seat import NOTHING, SentenceSeat
from dpdesk.desk.widgets.inputs.choice_popup import Choice
from dpdesk.study.model.columns import column_title
from dpdesk.study.model.queries import Condition


class SentenceConditions(SentenceSeat):
    """Adds, changes and removes conditions; ``where`` and ``has`` are lists of them."""

    def _add_to(self, key: str) -> None:
        choices = [Choice(c.name, column_title(c)) for c in self._state.study.columns]
        if not choices:
            text = self.tr("No column is described in Columns yet")
            choices = [Choice(NOTHING, text, enabled=False)]
        under = "has-0" if key == "has" and not self._query.has else "add"
        self._offer(under, choices, "", partial(self._ask_condition, key))

    def _ask_condition(self, key: str, name: str) -> None:
        column = self._state.study.column(name)
        if column is not None:
            self._open(ConditionDialog(self, column, None), partial(self._append_condition, key))

    def _append_condition(self, key: str, condition: Condition | None) -> None:
        if condition is not None:
            self._put_conditions(key, (*getattr(self._query, key), condition))

    def _edit_condition(self, key: str, place: int) -> None:
        condition = getattr(self._query, key)[place]
        column = self._state.study.column(condition.column)
        if column is None:
            self._set_condition(key, place, None)
            return
        dialog = ConditionDialog(self, column, condition)
        self._open(dialog, partial(self._set_condition, key, place))

    def _set_condition(self, key: str, place: int, condition: Condition | None) -> None:
        found = list(getattr(self._query, key))
        found[place : place + 1] = [] if condition is None else [condition]
        self._put_conditions(key, tuple(found))

    def _put_conditions(self, key: str, found: tuple[Condition, ...]) -> None:
        changes: dict[str, Any] = {key: found}
        self._put(replace(self._query, **changes))
