# SPDX-License-Identifier: Apache-2.0
"""Which columns of a file are a category's codes and their names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from dpdesk.data.progress import CancelToken, Progress
from dpdesk.data.value_list import ListTable, ValueList, chosen_list, read_list
from dpdesk.desk.core.jobs.latest_job import LatestJob, Problems
from dpdesk.desk.core.session import Session
from dpdesk.desk.text import words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.inputs.field import ChoiceField
from dpdesk.desk.widgets.labels.banner import Tone
from dpdesk.desk.widgets.labels.label import quiet
from dpdesk.desk.widgets.labels.remark import Remark
from dpdesk.study.problem import Refused

SHOWN = 5


class ListDialog(Dialog):
    """Reads the file off the GUI thread; nothing is declared before it is accepted.

    Args:
        window: the window to dim.
        session: the window's work, whose own files are no list.
        path: the chosen file.

    Attributes:
        sheet, codes, names: which part of the file it is.

    Signals:
        decided: carries the list.
    """

    decided = Signal(object)

    def __init__(self, window: QWidget, session: Session, path: Path) -> None:
        title = tr("ListDialog", "Values from {0}").format(path.name)
        line = tr(
            "ListDialog",
            "Every value is published. A list comes from a codebook or protocol, never from the "
            "data.",
        )
        super().__init__(window, title, line, "tag")
        self._session = session
        self._path = path
        self._latest = LatestJob(session.looks, self)
        self._table: ListTable | None = None
        self._found: ValueList | None = None
        self.sheet = ChoiceField(self.tr("S&heet"))
        self.codes = ChoiceField(self.tr("Column of the &codes"))
        self.names = ChoiceField(self.tr("Column of their &names"))
        self._shown = quiet()
        self.note = Remark()
        for part in (self.sheet, self.codes, self.names, self._shown, self.note):
            self.body.addWidget(part)
        self.add_safe(self.tr("Cancel"))
        self.ok = self.add_primary(self.tr("Use %n value(s)", "", 0))
        self.sheet.picked.connect(self._read)
        self.codes.picked.connect(lambda _key: self._choose())
        self.names.picked.connect(lambda _key: self._choose())
        self._read("")

    def _read(self, sheet: str) -> None:
        self._table = None
        self._render(self.tr("Reading {0}…").format(self._path.name), Tone.INFO)
        study, folder = self._session.state.study, self._session.document.folder

        def work(_progress: Progress, cancel: CancelToken) -> ListTable:
            return read_list(self._path, study, folder, sheet, cancel)

        self._latest.run(work, self._show_table, self._refuse)

    def _refuse(self, problems: Problems) -> None:
        self._render(words.problem_sentence(problems[0]), Tone.ERROR)

    def _show_table(self, table: Any) -> None:
        self._table = table
        columns = [(str(place), name) for place, name in enumerate(table.header)]
        none = ("", self.tr("None"))
        self.sheet.set_choices([(name, name) for name in table.sheets], table.sheet)
        self.codes.set_choices(columns, "0" if columns else None)
        self.names.set_choices([none, *columns], "1" if columns[1:] else "")
        self._choose()

    def _choose(self) -> None:
        """Find the values of the chosen columns, or say why there are none."""
        names = self.names.key
        self._found = None
        if self._table is None or self.codes.key is None:
            return
        try:
            place = int(names) if names else None
            self._found = chosen_list(self._table, int(self.codes.key), place)
        except Refused as refused:
            self._render(words.problem_sentence(refused.problems[0]), Tone.ERROR)
            return
        self._render("", None)

    def _render(self, said: str, tone: Tone | None) -> None:
        table, found = self._table, self._found if self._table is not None else None
        self.sheet.setVisible(table is not None and len(table.sheets) > 1)
        self.codes.setVisible(table is not None)
        self.names.setVisible(table is not None)
        self._shown.setText("" if found is None else _sample(found))
        self._shown.setVisible(found is not None)
        self.note.say(said, tone)
        self.ok.setText(self.tr("Use %n value(s)", "", len(found.values) if found else 0))
        self.ok.setEnabled(found is not None)
        self.settle()

    def accept(self) -> None:
        """Hand the list over; there must be one."""
        if self._found is not None:
            super().accept()
            self.decided.emit(self._found)


def _sample(found: ValueList) -> str:
    """The first values with their names, on one line."""
    labels = found.labels or found.values
    pairs = zip(found.values[:SHOWN], labels, strict=False)
    listed = [value if value == label else f"{value} = {label}" for value, label in pairs]
    return "; ".join([*listed, "…"] if len(found.values) > SHOWN else listed)
