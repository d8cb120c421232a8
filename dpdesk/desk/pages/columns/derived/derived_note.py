# SPDX-License-Identifier: Apache-2.0
"""What a column is made of, what is wrong with that, and which columns are made of it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpdesk.desk.core.edits.study_edits import needed_by
from dpdesk.desk.core.state import DeskState
from dpdesk.desk.pages.columns.column_groups import has_many_values
from dpdesk.desk.pages.columns.derived.offers import Offer, offers
from dpdesk.desk.text import words
from dpdesk.desk.theme.metrics import NO_MARGINS, Space
from dpdesk.desk.widgets.buttons import Button, link
from dpdesk.desk.widgets.flow_layout import FlowLayout
from dpdesk.desk.widgets.labels.banner import Tone
from dpdesk.desk.widgets.labels.label import quiet
from dpdesk.desk.widgets.labels.remark import Remark
from dpdesk.desk.widgets.layouts.contents import empty
from dpdesk.study.model.columns import Column, column_title

MOST_LETTERS = 50
MOST_NAMES = 3


def shortened(text: str) -> str:
    """A text of a link, which does not break: a column's name may be of any length."""
    return text if len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS - 1]}…"


class DerivedNote(QWidget):
    """There only while a column is made from others, or others are or may be made from it.

    Attributes:
        recipe: how it is made.
        edit: changes that.
        wrong: what is wrong with that.
        needed: which columns are made of it, so that it stays declared.
        many: that a person has many values of it, of which queries can use none.

    Signals:
        wanted: a column is to be made or changed; carries it as it begins, as an offer.
    """

    wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.recipe = quiet()
        self.edit = link(self.tr("Change how it is made…"))
        self._column: Column | None = None
        self._offered: tuple[Offer, ...] = ()
        self._made: list[Button] = []
        self._links = QWidget()
        self._flow = FlowLayout(self._links, across=Space.SMALL, down=0)
        self.wrong = Remark()
        self.needed = Remark()
        self.many = Remark()
        lines = QVBoxLayout(self, spacing=Space.TIGHT, contentsMargins=NO_MARGINS)
        lines.addWidget(self.recipe)
        lines.addWidget(self.edit, 0, Qt.AlignmentFlag.AlignLeft)
        for line in (self.wrong, self.needed, self.many, self._links):
            lines.addWidget(line)
        self.edit.clicked.connect(self._change)

    @property
    def links(self) -> tuple[Button, ...]:
        """What makes the offered columns, in their order."""
        return tuple(self._made)

    def show_column(self, name: str, column: Column | None, state: DeskState) -> None:
        """Show what the state says of a column of the study or its file."""
        self._column = column
        study = state.study
        recipe = "" if column is None else words.made_from(study, column)
        self.recipe.setText(self.tr("How it is made: {0}.").format(recipe))
        self.recipe.setVisible(bool(recipe))
        self.wrong.say(_wrong(column, state), Tone.ERROR)
        needing = () if column is None else needed_by(study, column.name)
        self.needed.say(self._needed(needing), Tone.INFO)
        self.many.say(self._many(column, state), Tone.INFO)
        self.edit.setVisible(bool(recipe))
        self._show_offers(offers(name, column, state))
        self.setVisible(bool(recipe or needing or self._offered or self.many.sentence))

    def _change(self) -> None:
        if self._column is not None:
            self.wanted.emit(Offer("", self._column))

    def _show_offers(self, offered: tuple[Offer, ...]) -> None:
        self._links.setVisible(bool(offered))
        if offered == self._offered:
            return
        self._offered = offered
        empty(self._flow)
        self._made.clear()
        self._flow.addWidget(quiet(self.tr("Make from it:"), wrap=False))
        for one in offered:
            made = link(shortened(one.text))
            made.setToolTip(one.text)
            made.clicked.connect(lambda _on=False, one=one: self.wanted.emit(one))
            self._flow.addWidget(made)
            self._made.append(made)

    def _many(self, column: Column | None, state: DeskState) -> str:
        if not has_many_values(state, column):
            return ""
        person = words.names(state.study).person
        said = self.tr("Many values per {0}: queries use them through a new column.")
        return said.format(person)

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
