# SPDX-License-Identifier: Apache-2.0
"""What a column is made of, what is wrong with that, and which columns are made of it."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpdesk.desk.core.edits.study_edits import needed_by
from dpdesk.desk.core.state import DeskState
from dpdesk.desk.text import words
from dpdesk.desk.theme.metrics import NO_MARGINS, Space
from dpdesk.desk.widgets.labels.banner import Tone
from dpdesk.desk.widgets.labels.label import quiet
from dpdesk.desk.widgets.labels.remark import Remark
from dpdesk.study.model.columns import Column, column_title

MOST_NAMES = 3


class DerivedNote(QWidget):
    """There only while a column is made from others, or others are made from it.

    Attributes:
        recipe: how it is made.
        wrong: what is wrong with that.
        needed: which columns are made of it, so that it stays declared.
    """

    def __init__(self) -> None:
        super().__init__()
        self.recipe = quiet()
        self.wrong = Remark()
        self.needed = Remark()
        lines = QVBoxLayout(self, spacing=Space.TIGHT, contentsMargins=NO_MARGINS)
        for line in (self.recipe, self.wrong, self.needed):
            lines.addWidget(line)

    def show_column(self, column: Column | None, state: DeskState) -> None:
        """Show what the state says of a column."""
        study = state.study
        recipe = "" if column is None else words.made_from(study, column)
        self.recipe.setText(self.tr("Made row by row: {0}.").format(recipe))
        self.recipe.setVisible(bool(recipe))
        self.wrong.say(_wrong(column, state), Tone.ERROR)
        needing = () if column is None else needed_by(study, column.name)
        self.needed.say(self._needed(needing), Tone.INFO)
        self.setVisible(bool(recipe or needing))

    def _needed(self, needing: tuple[Column, ...]) -> str:
        if not needing:
            return ""
        named = ", ".join(map(column_title, needing[:MOST_NAMES]))
        if len(needing) > MOST_NAMES:
            named += self.tr(" and %n more", "", len(needing) - MOST_NAMES)
        return self.tr("Needed for {0}: it stays declared.").format(named)


def _wrong(column: Column | None, state: DeskState) -> str:
    """The first problem of how a column is made; empty without one."""
    if column is None or column.made_from is None:
        return ""
    path = f"$.columns[{state.study.columns.index(column)}]"
    places = (f"{path}.from", f"{path}.kind", f"{path}.name")
    found = [problem for place in places for problem in state.problems_at(place)]
    return words.problem_sentence(found[0]) if found else ""
