# SPDX-License-Identifier: Apache-2.0
"""The dialog that makes several values of a person at once: one row per person."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from dpdesk.desk.core.state import DeskState
from dpdesk.desk.pages.columns.derived import derived_edits
from dpdesk.desk.pages.columns.derived.made_column import problems_of, to_choose
from dpdesk.desk.pages.columns.derived.noise_comparison import NoiseComparison
from dpdesk.desk.pages.columns.derived.person_rows import PersonRow
from dpdesk.desk.pages.columns.derived.result_cards import result_card
from dpdesk.desk.pages.columns.derived.step_list import DECLARED
from dpdesk.desk.text import words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.metrics import NO_MARGINS, Space
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.buttons import link
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.labels.banner import Tone
from dpdesk.desk.widgets.labels.label import heading, quiet
from dpdesk.desk.widgets.labels.remark import Remark
from dpdesk.desk.widgets.layouts.contents import empty
from dpdesk.study.model.columns import Column, plain_name

WIDTH = 850
IN_A_ROW = 3


class PersonTableDialog(Dialog):
    """Asks for values of a person, a sentence each.

    Args:
        window: the window to dim.
        state: with the columns that there are.
        column: the first value, as it begins.

    Attributes:
        rows: a sentence for each value.
        add: adds another one.
        comparison: what counts of people are worth.
        note: what keeps them from being added.
        ok: adds the columns.

    Signals:
        decided: the columns.
    """

    decided = Signal(object)

    def __init__(self, window: QWidget, state: DeskState, column: Column) -> None:
        names = words.names(state.study)
        line = tr("PersonTableDialog", "Made from all {0} of each {1} while the files are read.")
        title = tr("PersonTableDialog", "One row per {0}").format(names.person)
        said = line.format(names.rows, names.person)
        super().__init__(window, title, said, icon="people", width=WIDTH)
        self._state = state
        self.rows: list[PersonRow] = []
        self.add = link(self.tr("&Add a column"), before="plus")
        self.comparison = NoiseComparison(state)
        self.note = Remark()
        self._list = Card(fill=Role.INSET)
        # What comes later is read in its place all the same.
        self._rows_place, self._cards_place = QWidget(), QWidget()
        self._rows = QVBoxLayout(self._rows_place, spacing=0, contentsMargins=NO_MARGINS)
        self._cards = QGridLayout(
            self._cards_place, spacing=Space.SMALL, contentsMargins=NO_MARGINS
        )
        self._build()
        self.add_row(column)

    def _build(self) -> None:
        self._list.set_padding(1)
        self._list.body.addWidget(self._rows_place)
        self.body.addWidget(self._list)
        self.body.addWidget(self.add)
        self.body.addWidget(heading(self.tr("What each can be")))
        self.body.addWidget(self._cards_place)
        self.body.addWidget(self.comparison)
        names = words.names(self._state.study)
        kept = self.tr("All {0} of a {1} are used, whatever the row limit.")
        says = self.tr("Queries choose: {0} or {1}. Nothing planned so far changes.")
        for text, tone in (
            (kept.format(names.rows, names.person), Tone.DONE),
            (says.format(names.rows, names.people), Tone.INFO),
        ):
            remark = Remark()
            remark.say(text, tone)
            self.body.addWidget(remark)
        self.body.addWidget(self.note)
        self.body.addWidget(quiet(self.tr("These sentences are published with each release.")))
        self.add_safe(self.tr("Cancel"))
        self.ok = self.add_primary(self.tr("Add columns"))
        self.add.clicked.connect(lambda: self.add_row(self._begun()))

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns as they are."""
        return tuple(row.column for row in self.rows)

    def _begun(self) -> Column:
        study = self._state.study
        return derived_edits.column_of(DECLARED["person"].first(study), study, "")

    def add_row(self, column: Column) -> None:
        """A further value, at the end."""
        row = PersonRow(self._state, column)
        self.rows.append(row)
        self._rows.addWidget(row)
        row.changed.connect(self._render)
        row.removed.connect(lambda: self._remove(row))
        row.show()
        row.name.setFocus()
        self._render()

    def _remove(self, row: PersonRow) -> None:
        place = self.rows.index(row)
        self.rows.remove(row)
        self._rows.removeWidget(row)
        row.hide()
        row.deleteLater()
        left = self.rows[min(place, len(self.rows) - 1)].name if self.rows else self.add
        left.setFocus()
        self._render()

    def _render(self) -> None:
        empty(self._cards)
        for place, row in enumerate(self.rows):
            card = result_card(*row.card_words())
            self._cards.addWidget(card, place // IN_A_ROW, place % IN_A_ROW)
            card.show()
        said, tone = self._wanted()
        self.note.say(said, tone)
        self.ok.setEnabled(bool(self.rows) and not said)

    def _wanted(self) -> tuple[str, Tone]:
        """What is to be done next, of the first row that lacks something."""
        study = self._state.study
        person = study.unit.person if study.unit else None
        taken = {*map(plain_name, (*self._state.header, *study.by_name)), person}
        for row in self.rows:
            column = row.column
            if said := to_choose(row.step) or ("" if column.name else self.tr("Name each column.")):
                return said, Tone.INFO
            if column.name in taken:
                template = self.tr("There is a column “{0}” already. Choose another name.")
                return template.format(column.name), Tone.ERROR
            taken.add(column.name)
            for problem in problems_of(study, column):
                return f"{column.name}: {words.problem_sentence(problem)}", Tone.INFO
        return "", Tone.INFO

    def accept(self) -> None:
        """Hand the columns over; they must be right."""
        self._render()
        if self.ok.isEnabled():
            super().accept()
            self.decided.emit(self.columns)
