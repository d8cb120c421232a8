# SPDX-License-Identifier: Apache-2.0
"""Asks whether queries are to count another table's rows, and says first what would be lost."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.core.edits.main_table import MainChange
from dpdesk.desk.text import typed_numbers, words
from dpdesk.desk.text.language import language
from dpdesk.desk.text.translating import tr
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.desk.widgets.labels.remark import Remark
from dpdesk.study import limits
from dpdesk.study.model.unit import Unit
from dpdesk.study.text.titles import joined


class MainTableDialog(Dialog):
    """Asks whether another table becomes the main one, and how many of its rows count.

    The row limit so far was chosen for other rows: three stays of a person say nothing of how many
    laboratory values there are. So it is asked for, unless a person has one row.

    Args:
        window: the window to dim.
        change: the study with the other table, and what it could not keep.
        name: what the other table is called.

    Signals:
        decided: the study with it.
    """

    decided = Signal(object)

    def __init__(self, window: QWidget, change: MainChange, name: str) -> None:
        title = tr("MainTableDialog", "Count the rows of {0}?").format(name)
        text = tr(
            "MainTableDialog", "{0} becomes a further table. Columns stay with their tables."
        ).format(change.former)
        super().__init__(window, title, text, "table")
        self._change = change
        self.lost = Remark()
        self.body.addWidget(self.lost)
        self.queries = Remark()
        self.body.addWidget(self.queries)
        self.max_rows = LineField(self.tr("&Row limit per person"), unit=self.tr("rows"))
        unit = change.study.unit or Unit()
        hint = self.tr("It was {0}, for {1}.").format(unit.max_rows, change.former)
        self.max_rows.set_hint(hint)
        self.forget_errors(self.max_rows)
        self.body.addWidget(self.max_rows)
        self.max_rows.setVisible(change.limit)
        self.lost.say(lost_sentence(change))
        marked = self.tr("Check %n marked quer(y|ies) afterwards.", "", change.queries)
        self.queries.say(marked if change.queries else "")
        self.add_safe(self.tr("Cancel"))
        self.ok = self.add_primary(self.tr("Count these rows"))

    def accept(self) -> None:
        study = self._change.study
        if self._change.limit:
            limit = typed_numbers.whole_from_text(self.max_rows.edit.text())
            if limit is None or not 1 <= limit <= limits.MAX_ROWS_PER_PERSON:
                most = words.grouped(limits.MAX_ROWS_PER_PERSON)
                self.max_rows.refuse(self.tr("Between 1 and {0}.").format(most))
                return
            study = study_edits.set_unit(study, max_rows=limit)
        super().accept()
        self.decided.emit(study)


def lost_sentence(change: MainChange) -> str:
    """What is lost, in a sentence; empty where nothing is."""
    lost = joined(tuple(_lost(change)), language())
    template = tr("MainTableDialog", "This removes {0}. Undo brings everything back.")
    return template.format(lost) if lost else ""


def _lost(change: MainChange) -> Iterator[str]:
    if change.columns:
        count, names = len(change.columns), ", ".join(change.columns)
        yield tr("MainTableDialog", "%n column(s) ({0})", "", count).format(names)
    if change.cases:
        count, names = len(change.cases), ", ".join(change.cases)
        yield tr("MainTableDialog", "%n case number(s) ({0})", "", count).format(names)
    if change.rule:
        yield tr("MainTableDialog", "the rule for several rows of one person")
    if change.row_words:
        yield tr("MainTableDialog", "your words for rows")
