# SPDX-License-Identifier: Apache-2.0
"""The part of a query's sentence that picks one of a list: column, how many, score, delta."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from dpdesk.desk.core.edits import query_edits
from dpdesk.desk.core.edits.query_edits import fits
from dpdesk.desk.pages.queries.sentence.sentence_groups import SentenceGroups
from dpdesk.desk.pages.queries.sentence.sentence_seat import NOTHING, SEVERAL
from dpdesk.desk.text import query_words, words
from dpdesk.desk.widgets.inputs.choice_popup import Choice, ChoicePopup
from dpdesk.study.checks.choice_checks import choices as choices_of
from dpdesk.study.model.amount import Delta
from dpdesk.study.model.columns import YesNoColumn, column_title
from dpdesk.study.model.queries import Score


class SentenceMembers(SentenceGroups):
    """Offers lists for what only some statistics declare."""

    def _pick_column(self) -> None:
        found = [c for c in self._state.study.columns if fits(c, self._query.statistic)]
        choices = [Choice(c.name, column_title(c), "hash") for c in found]
        if self._query.statistic == "most-common" and len(self._yes_no()) > 1:
            text = self.tr("Several yes/no columns…")
            choices.append(Choice(SEVERAL, text, "switch"))
        if not choices:
            text = self.tr("No column of that kind is described in Columns yet")
            choices = [Choice(NOTHING, text, enabled=False)]
        self._offer("column", choices, self._query.column or "", self._set_column)

    def _set_column(self, name: str) -> None:
        if name == SEVERAL:
            self._pick_columns()
            return
        changed = replace(self._query, column=name, columns=())
        if self._query.column != name:
            changed = query_edits.set_statistic(
                self._state.study,
                replace(changed, candidates=(), edges=()),
                self._query.statistic,
            )
        self._put(changed)

    def _yes_no(self) -> list[YesNoColumn]:
        return [c for c in self._state.study.columns if isinstance(c, YesNoColumn)]

    def _pick_columns(self) -> None:
        choices = [Choice(c.name, column_title(c), "switch") for c in self._yes_no()]
        self.popup = ChoicePopup(choices, self._query.columns, several=True, parent=self)
        self.popup.chosen.connect(self._set_columns)
        self.popup.open_under(self.chip("column"))

    def _set_columns(self, names: tuple[str, ...]) -> None:
        if names:
            top = min(self._query.top or 1, len(names))
            self._put(replace(self._query, column=None, columns=tuple(names), top=top))

    def _pick_top(self) -> None:
        most = max(1, min(10, choices_of(self._state.study, self._query)))
        choices = [Choice(str(n), str(n)) for n in range(1, most + 1)]
        self._offer("top", choices, str(self._query.top or 1), self._set_top)

    def _set_top(self, key: str) -> None:
        self._put(replace(self._query, top=int(key)))

    def _pick_score(self) -> None:
        choices = [Choice(key, text) for key, text in query_words.scores(self._state.study).items()]
        self._offer("score", choices, self._query.score or "", self._set_score)

    def _set_score(self, key: str) -> None:
        target = None if key == "value-times-count" else self._query.target or 100
        self._put(replace(self._query, score=cast(Score, key), target=target))

    def _pick_delta(self) -> None:
        amounts = [Delta.of(f"1e-{digits}") for digits in range(7, 14)]
        choices = [Choice(str(amount), words.delta(amount)) for amount in amounts]
        now = str(self._query.delta) if self._query.delta else ""
        self._offer("delta", choices, now, self._set_delta)

    def _set_delta(self, key: str) -> None:
        self._put(replace(self._query, delta=Delta.of(key)))
