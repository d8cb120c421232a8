# SPDX-License-Identifier: Apache-2.0
"""One value of a person in a table of them: its name, and the sentence that it is."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import cast

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from dpdesk.desk.core.state import DeskState
from dpdesk.desk.pages.columns.derived import step_words
from dpdesk.desk.pages.columns.derived.derived_edits import FEW_ROWS
from dpdesk.desk.pages.columns.derived.made_column import made_column
from dpdesk.desk.pages.columns.derived.step_sentence import StepSentence
from dpdesk.desk.text import typed_numbers, words
from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.widgets.buttons import icon_button
from dpdesk.desk.widgets.inputs.field import FieldFrame
from dpdesk.desk.widgets.labels.label import Label
from dpdesk.study.model.columns import Column, NumberColumn, YesNoColumn, plain_name
from dpdesk.study.model.steps.step import OfPerson

NAME_WIDTH, LEAST_NAME, MOST_WIDTH = 190, 130, 64


class PersonRow(QWidget):
    """[Ever readmitted] is [whether any row has] [Readmitted is <30] of one patient.

    Args:
        state: with the columns that there are.
        column: to begin with; its title is its name to be.

    Attributes:
        name: the field of its name.
        sentence: how it is made.
        most: the highest number of rows that is told apart.
        remove: takes it out of the table.

    Signals:
        changed: it is made or called otherwise.
        removed: it is not wanted.
    """

    changed = Signal()
    removed = Signal()

    def __init__(self, state: DeskState, column: Column) -> None:
        super().__init__()
        self._state, self._column = state, column
        self.name, self.most = (
            QLineEdit(column.title, frame=False),
            QLineEdit(str(FEW_ROWS), frame=False),
        )
        self.name.setPlaceholderText(self.tr("Name of the column"))
        self.name.setAccessibleName(self.tr("Name of the column"))
        self.most.setAccessibleName(self.tr("At most"))
        self.sentence = StepSentence()
        self.remove = icon_button("cross", self.tr("Remove this column"))
        self._most = QWidget()
        self._build()
        self.sentence.changed.connect(self._put)
        self.name.textEdited.connect(lambda _text: self.changed.emit())
        self.most.textEdited.connect(lambda _text: self._put(self.step))
        self.remove.clicked.connect(self.removed)
        self._put(self.step)

    def _build(self) -> None:
        row = QHBoxLayout(self, spacing=Space.SMALL)
        row.setContentsMargins(Space.CARDS, Space.TIGHT, Space.CARDS, Space.TIGHT)
        frame = FieldFrame(self.name)
        # Where the screen is narrow, the sentence has the room.
        frame.setMinimumWidth(LEAST_NAME)
        frame.setMaximumWidth(NAME_WIDTH)
        row.addWidget(frame, 1)
        row.addWidget(Label(self.tr("is")))
        row.addWidget(self.sentence, 1)
        most = QHBoxLayout(self._most, spacing=Space.SMALL)
        most.setContentsMargins(0, 0, 0, 0)
        most.addWidget(Label(self.tr("at most")))
        narrow = FieldFrame(self.most)
        narrow.setFixedWidth(MOST_WIDTH)
        most.addWidget(narrow)
        row.addWidget(self._most)
        row.addWidget(self.remove, 0, Qt.AlignmentFlag.AlignVCenter)

    @property
    def step(self) -> OfPerson:
        return cast(OfPerson, self._column.made_from)

    @property
    def column(self) -> Column:
        """The column as it is, by the name that was typed."""
        return replace(self._column, name=plain_name(self.name.text()), title="")

    @property
    def _by_hand(self) -> dict[str, Decimal | None]:
        """The bounds that this table asks for; all others are those of the column it is of."""
        if self.step.what == "count":
            return {"upper": typed_numbers.decimal_from_text(self.most.text())}
        of = self._state.study.column(self.step.column)
        is_mean = self.step.what == "mean" and isinstance(of, NumberColumn)
        return {"step": cast(NumberColumn, of).step} if is_mean else {}

    def _put(self, step: OfPerson) -> None:
        self._column = replace(self._column, made_from=step)
        self._column = made_column(step, self._state.study, self._column, self._by_hand)
        self._most.setVisible(step.what == "count")
        self.sentence.show_step(self._state, "", step)
        self.changed.emit()

    def card_words(self) -> tuple[str, str, str]:
        """What it is called, what it can be, and what becomes of what is not plain."""
        column, named = self._column, self.name.text() or self.tr("Without a name")
        if isinstance(column, YesNoColumn):
            return named, self.tr("yes or no"), self._without_rows()
        return named, step_words.declared_range(column), self._remark(column)

    def _without_rows(self) -> str:
        rows = words.names(self._state.study).rows
        if self.step.what == "any":
            return self.tr("without such {0}: no").format(rows)
        return self.tr("without such {0}: missing").format(rows)

    def _remark(self, column: Column) -> str:
        if self.step.what == "count" and isinstance(column, NumberColumn) and column.upper:
            most = words.localised(words.plain(column.upper))
            return self.tr("more than {0} count as {0}").format(most)
        if self.step.what in ("first", "last"):
            return self.tr("as declared; of one day the smallest")
        return self._without_rows()
