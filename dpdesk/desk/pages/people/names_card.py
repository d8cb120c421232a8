# SPDX-License-Identifier: Apache-2.0
"""What a row and a person are called in every sentence: "admission" and "patient"."""

from __future__ import annotations

from PySide6.QtCore import Signal

from dpdesk.desk.core.state import DeskState
from dpdesk.desk.text import words
from dpdesk.desk.text.language import plain_names
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.desk.widgets.layouts.aligned import AlignedGrid


class NamesCard(Card):
    """Four words, one and several of each; nothing that is asked depends on them.

    Signals:
        named: a word was written; carries the unit's member and the text.
    """

    named = Signal(str, str)

    def __init__(self) -> None:
        super().__init__(tr("NamesCard", "Words for rows and people"))
        plain = plain_names()
        self.fields = {
            "row_name": LineField(self.tr("O&ne row"), placeholder=plain.row),
            "row_names": LineField(self.tr("Several ro&ws"), placeholder=plain.rows),
            "person_name": LineField(self.tr("&One person"), placeholder=plain.person),
            "person_names": LineField(self.tr("Severa&l people"), placeholder=plain.people),
        }
        grid = AlignedGrid()
        grid.setHorizontalSpacing(Space.CARDS)
        grid.setVerticalSpacing(Space.TIGHT)
        for place, (key, field) in enumerate(self.fields.items()):
            grid.addWidget(field, *divmod(place, 2))
            field.edited.connect(lambda text, key=key: self.named.emit(key, text))
        self.body.addLayout(grid)

    def render_state(self, state: DeskState) -> None:
        """Show the words of the study's unit; hidden while there is none."""
        unit = state.study.unit
        self.setVisible(unit is not None)
        if unit is None:
            return
        for key, field in self.fields.items():
            if field.text.strip() != getattr(unit, key):
                field.set_text(getattr(unit, key))
            problems = state.problems_at(f"$.unit.{key}")
            waiting = any(other.edit.hasFocus() for other in self.fields.values())
            if not (problems and waiting):
                field.set_error(words.problem_sentence(problems[0]) if problems else "")
