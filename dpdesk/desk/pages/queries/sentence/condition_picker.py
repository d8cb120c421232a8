# SPDX-License-Identifier: Apache-2.0
"""Picks a condition on a column: a new one, another in its place, or none any more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QCoreApplication

from dpdesk.desk.pages.queries.sentence.condition_dialog import ConditionDialog
from dpdesk.desk.pages.queries.sentence.picker import NOTHING, Anchor, Picker, described_first
from dpdesk.desk.widgets.inputs.choice_popup import Choice
from dpdesk.study.model.columns import column_title
from dpdesk.study.model.conditions import Condition

ConditionList = Literal["where", "has"]


@dataclass(frozen=True)
class ConditionPicker(Picker):
    """Edits one condition; a new one begins with its column.

    Attributes:
        kept_in: the list that it stands in: of conditions, or of properties.
        place: where it stands there; behind the last one it is new.
    """

    kept_in: ConditionList
    place: int

    def open(self, at: Anchor) -> None:
        """Open the dialog of the condition, or for a new one the list of columns."""
        if self.place == len(self._conditions):
            at.offer(self._columns(), "", lambda name: self._ask(at, name, None))
        else:
            condition = self._conditions[self.place]
            self._ask(at, condition.column, condition)

    @property
    def _conditions(self) -> tuple[Condition, ...]:
        return self.query.where if self.kept_in == "where" else self.query.members.get("has", ())

    def _columns(self) -> list[Choice]:
        choices = [Choice(c.name, column_title(c)) for c in described_first(self.study.columns)]
        text = QCoreApplication.translate("ConditionPicker", "No column is declared in Columns yet")
        return choices or [Choice(NOTHING, text, enabled=False)]

    def _ask(self, at: Anchor, name: str, condition: Condition | None) -> None:
        column = self.study.column(name)
        if column is None:
            self._pick(None)
            return
        dialog = ConditionDialog(at.window, column, condition)
        dialog.other_wanted.connect(lambda: self._ask_other(at, condition))
        at.ask(dialog, self._pick)

    def _ask_other(self, at: Anchor, condition: Condition | None) -> None:
        """Let another column be chosen; until it has a condition, the one that was stays."""
        name = "" if condition is None else condition.column

        def ask(chosen: str) -> None:
            self._ask(at, chosen, condition if chosen == name else None)

        at.offer(self._columns(), name, ask)

    def _pick(self, condition: Condition | None) -> None:
        conditions = list(self._conditions)
        conditions[self.place : self.place + 1] = [] if condition is None else [condition]
        self.done(self.query.having(**{self.kept_in: tuple(conditions)}))
