# SPDX-License-Identifier: Apache-2.0
"""The house rule on published counts: to what they are rounded once noise was added."""

from __future__ import annotations

from PySide6.QtCore import Signal

from dpdesk.desk.core.state import DeskState
from dpdesk.desk.text import words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.inputs.segmented import Segmented
from dpdesk.desk.widgets.labels.label import Label, quiet
from dpdesk.study.model.queries import ROUNDINGS

NONE = "none"


class HouseRuleCard(Card):
    """Rounding is declared once, for all counts of a study.

    Signals:
        declared: somebody chose; carries the rounding, ``None`` for none.
    """

    declared = Signal(object)

    def __init__(self) -> None:
        super().__init__(tr("HouseRuleCard", "Round published counts?"))
        rounded = [(str(step), self.tr("To {0}").format(step), "") for step in ROUNDINGS]
        offers = [(NONE, self.tr("No"), ""), *rounded]
        self.choice = Segmented(offers, self.tr("To what every published count is rounded"))
        self.choice.picked.connect(
            lambda key: self.declared.emit(None if key == NONE else int(key))
        )
        self.error = Label("", role=Role.DANGER, wrap=True)
        self.hint = quiet("")
        for part in (self.choice, self.error, self.hint):
            self.body.addWidget(part)

    def render_state(self, state: DeskState) -> None:
        """Show the study's rule."""
        rounding = state.study.rounding
        self.choice.select(NONE if rounding is None else str(rounding))
        problems = state.problems_at("$.rounding")
        self.error.setText(words.problem_sentence(problems[0]) if problems else "")
        self.error.setVisible(bool(problems))
        said = self.tr("A house rule, if your hospital has one. The noise alone protects people.")
        if rounding is not None and not problems:
            said = self.tr(
                "After the noise, every count of {rows} or {people} is rounded to {n}. Margins "
                "include it; tables may no longer add up exactly. It costs nothing."
            )
        names = words.names(state.study)
        self.hint.setText(said.format(rows=names.rows, people=names.people, n=rounding))
