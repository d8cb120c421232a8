# SPDX-License-Identifier: Apache-2.0
"""What is declared of one table: its files, its ids, of what a row is, which of several counts."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.edits import study_edits, table_edits
from dpdesk.desk.core.edits.file_place import FIRST, FilePlace, files_of
from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.data.tables.table_files import TableFiles, summary_of
from dpdesk.desk.text import words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.inputs.field import ChoiceField, LineField
from dpdesk.desk.widgets.labels.remark import Remark
from dpdesk.desk.widgets.layouts.aligned import AlignedGrid
from dpdesk.study.checks.study_checks import check
from dpdesk.study.model.columns import DateColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import MAIN, FurtherTable, Keep
from dpdesk.study.model.unit import DataSource, Unit
from dpdesk.study.problem import Problem

WIDTH = 620
NONE = "\0none"


class TableDialog(Dialog):
    """Asks what a table is; the study changes when it is accepted, as one step of Undo.

    Args:
        window: the window to dim.
        session: the window's work.
        study: with the table.
        name: the table's; ``MAIN`` for that whose rows queries count.

    Signals:
        decided: the study with what was declared.
        files_wanted: further files of this table are to be chosen.
        other_wanted: another file is to be chosen in the place of its only one.
    """

    decided = Signal(object)
    files_wanted = Signal()
    other_wanted = Signal()

    def __init__(self, window: QWidget, session: Session, study: Study, name: str) -> None:
        title = tr("TableDialog", "Table {0}").format(name) if name else ""
        text = tr(
            "TableDialog",
            "Rows of one {0} meet while the files are read. No file is changed.",
        ).format(words.names(study).person)
        icon = "table"
        head = title or tr("TableDialog", "The table that queries count")
        super().__init__(window, head, text, icon, width=WIDTH)
        self._session = session
        self._study, self._name = study, name
        self._is_reading = False
        self._wrong_name = ""
        self.name = LineField(
            self.tr("&Name of the table"), self.tr("Published with each release.")
        )
        self.person = ChoiceField(self.tr("&Person ID column"))
        self.rows = ChoiceField(self.tr("A &row is"))
        self.keep = ChoiceField(self.tr("Of several rows of one person &counts"))
        self.by = ChoiceField(self.tr("&by"))
        self.case = ChoiceField(self.tr("C&ase number here"))
        self.main_case = ChoiceField(self.tr("Case number in the &main table"))
        self.files = TableFiles(session)
        self.remark = Remark()
        self._build()
        self._connect()
        self._show()
        # What is declared of the table comes first; Tab from the buttons would pass Remove.
        (self.main_case if name == MAIN else self.name).editor.setFocus()
        if self.files.sentences:
            # What is wrong is on show, with what mends it, wherever the dialog has to scroll.
            self.files.chips.chips["format"].setFocus()

    @property
    def study(self) -> Study:
        """The study with what is declared here so far."""
        return self._study

    @property
    def table(self) -> str:
        """What the table is called by now."""
        return self._name

    def take(self, study: Study) -> None:
        """Show another study: further files were chosen for the table."""
        self._study = study
        self._show()

    def take_other(self, source: DataSource) -> None:
        """Put another file in the place of the table's only one; what is declared stays."""
        before = self._study.data_of(self._name) or DataSource()
        self._study = table_edits.set_files(
            self._study, self._name, [replace(source, label=before.label)]
        )
        self._show()

    # --- building -------------------------------------------------------------------------------

    def _build(self) -> None:
        is_main = self._name == MAIN
        grid = AlignedGrid()
        grid.setHorizontalSpacing(Space.CARDS)
        grid.setVerticalSpacing(Space.TIGHT)
        first = [self.name, self.rows, self.person, self.keep, self.case, self.by]
        shown: list[QWidget] = [] if is_main else list(first)
        shown.append(self.main_case)
        for at, field in enumerate(shown):
            grid.addWidget(field, *divmod(at, 2))
        for field in (*first, self.main_case):
            field.setVisible(field in shown)
        self.body.addLayout(grid)
        self.body.addWidget(self.files)
        self.body.addWidget(self.remark)
        self.add_safe(self.tr("Cancel"))
        if not is_main:
            self.remove = self.add_other(self.tr("Remove the table"))
            self.remove.clicked.connect(self._remove)
        self.ok = self.add_primary(self.tr("Use this table"))

    def _connect(self) -> None:
        self.name.edited.connect(self._rename)
        self.person.picked.connect(lambda key: self._change(person=_plain(key)))
        self.rows.picked.connect(self._set_rows)
        self.keep.picked.connect(self._set_keep)
        self.by.picked.connect(self._set_by)
        self.case.picked.connect(self._set_case)
        self.main_case.picked.connect(self._set_main_case)
        self.files.corrected.connect(self._correct)
        self.files.labelled.connect(self._set_label)
        self.files.removed.connect(self._remove_file)
        self.files.more_wanted.connect(self.files_wanted)
        self.files.other_wanted.connect(self.other_wanted)
        self._session.further.changed.connect(self._follow)
        self._session.recognition.began.connect(self._await)
        self._session.recognition.ended.connect(self._go_on)
        self.finished.connect(self._forget)

    # --- showing --------------------------------------------------------------------------------

    @property
    def _table(self) -> FurtherTable | None:
        return self._study.table(self._name)

    def _headers(self) -> tuple[str, ...]:
        """The columns of the table's files, as far as they were read."""
        files = files_of(self._study, self._name)
        found = [summary_of(self._session, place, file).header for place, file in files]
        return tuple(dict.fromkeys(name for header in found for name in header))

    def _show(self) -> None:
        further = self._session.further
        further.tried = self._study
        further.look(self._session.document.study, self._session.document.folder)
        self.files.show_files(self._study, self._name)
        main = self._main()
        unit = self._study.unit or Unit()
        none = (NONE, self.tr("no case number"))
        names = [none, *((one, one) for one in main if one != unit.person)]
        self.main_case.set_choices(names, unit.case or NONE)
        self.main_case.setEnabled(unit.person is not None)
        self.main_case.set_hint(
            "" if unit.person else self.tr("First choose the person ID column in People.")
        )
        if (table := self._table) is not None:
            self._show_table(table)
        said = self.files.sentences
        wrong = (words.problem_sentence(problem) for problem in self._problems())
        self.remark.say(next((one for one in wrong if one not in said), ""))

    def _show_table(self, table: FurtherTable) -> None:
        header = self._headers()
        person = words.names(self._study).person
        if self.name.text.strip() != table.name and not self.name.edit.hasFocus():
            self.name.set_text(table.name)
        self.person.set_choices([(one, one) for one in header], table.person or None)
        rows = {"many": self.tr("one of many of a {0}"), "one-per-person": self.tr("one {0}")}
        choices = [(key, text.format(person)) for key, text in rows.items()]
        self.rows.set_choices(choices, table.rows)
        kept: dict[Keep, str] = {
            "smallest": self.tr("the smallest or first listed value"),
            "first": self.tr("the earliest row"),
            "last": self.tr("the latest row"),
        }
        self.keep.set_choices(list(kept.items()), table.keep)
        self.keep.setEnabled(table.is_of_people)
        dates = [one for one in header if self._may_be_date(one)]
        by = self._study.column(table.by)
        self.by.set_choices([(one, one) for one in dates], by.header if by is not None else None)
        self.by.setEnabled(table.is_of_people and table.keep != "smallest")
        others = [(one, one) for one in header if one != table.person]
        self.case.set_choices([(NONE, self.tr("no case number")), *others], table.case or NONE)
        self.case.setEnabled(not table.is_of_people)

    def _may_be_date(self, header: str) -> bool:
        declared = next((c for c in self._study.read_from(self._name) if c.header == header), None)
        if declared is not None:
            return isinstance(declared, DateColumn)
        return study_edits.propose_kind(header) == "date"

    # --- changing -------------------------------------------------------------------------------

    def _change(self, **parts: object) -> None:
        table = self._table
        if table is None:
            return
        changed = replace(table, **parts)  # type: ignore[arg-type]
        self._study = table_edits.change_table(self._study, self._name, changed)
        self._name = changed.name
        self._show()

    def _rename(self, text: str) -> None:
        name = text.strip()
        others = {one.name for one in self._study.tables} - {self._name}
        wrong = tr("TableDialog", "Another table has this name.") if name in others else ""
        if not table_edits.is_name(name):
            wrong = tr("TableDialog", "Small letters, digits and hyphens, at most 40.")
        self.name.set_error(wrong)
        self._set_wrong(wrong)
        if not wrong:
            self._change(name=name)

    def _set_rows(self, key: str) -> None:
        if key == "one-per-person":
            self._change(rows=key, case="")
        else:
            self._change(rows=key, keep="smallest", by=None)

    def _set_keep(self, key: str) -> None:
        self._change(keep=key, **({"by": None} if key == "smallest" else {}))

    def _set_by(self, header: str) -> None:
        """Order rows by a date column, which is declared with that."""
        found = next((c for c in self._study.read_from(self._name) if c.header == header), None)
        if found is None:
            name = table_edits.free_column_name(self._study, header, self._name, self._main())
            made = study_edits.new_column(
                name, "date", table=self._name, in_file="" if name == header else header
            )
            self._study = replace(self._study, columns=(*self._study.columns, made))
            found = made
        self._change(by=found.name)

    def _main(self) -> tuple[str, ...]:
        """The columns of the main table's first file."""
        place, file = next(iter(files_of(self._study, MAIN)), (FIRST, DataSource()))
        return summary_of(self._session, place, file).header

    def _set_case(self, key: str) -> None:
        self._change(case=_plain(key))
        self._study = table_edits.with_case(self._study, self._main())
        self._show()

    def _set_main_case(self, key: str) -> None:
        self._study = study_edits.set_unit(self._study, case=_plain(key))
        self._show()

    def _set_label(self, at: int, text: str) -> None:
        files = list((self._study.data_of(self._name) or DataSource()).files)
        files[at] = replace(files[at], label=study_edits.clean_text(text).strip())
        self._study = table_edits.set_files(self._study, self._name, files)

    def _remove_file(self, at: int) -> None:
        files = list((self._study.data_of(self._name) or DataSource()).files)
        del files[at]
        self._study = table_edits.set_files(self._study, self._name, files)
        self._show()

    def _correct(self, place: FilePlace, part: str, value: object) -> None:
        """Change how a file is read; by hand, so that it is published."""
        self._study = study_edits.declare_reading(self._study, place, **{part: value})
        self._show()

    def _follow(self) -> None:
        """A file was read, later than it was asked for."""
        if self.isVisible():
            self._show()

    def _await(self, name: str) -> None:
        """A chosen file is being read: until it is there, the table is not to be used without."""
        self._is_reading = True
        self.ok.setEnabled(False)
        self.remark.say(self.tr("Reading {0}…").format(name))

    def _go_on(self) -> None:
        self._is_reading = False
        self._set_wrong(self._wrong_name)
        if self.isVisible():
            self._show()

    def _set_wrong(self, name: str) -> None:
        self._wrong_name = name
        self.ok.setEnabled(not name and not self._is_reading)

    def _forget(self) -> None:
        """The dialog is closed: nobody asks for its files any more."""
        self._session.further.tried = None
        self._session.recognition.stop()

    def _remove(self) -> None:
        study = table_edits.remove_table(self._study, self._name)
        self.reject()
        self.decided.emit(study)

    def _problems(self) -> tuple[Problem, ...]:
        """What is wrong with the table; a person column of the main one is still to come."""
        names = [one.name for one in self._study.tables]
        prefix = "$.data.more" if self._name == MAIN else f"$.tables[{names.index(self._name)}]"
        found = (*check(self._study), *self._session.further.problems(self._study, self._main()))
        return tuple(p for p in found if p.path.startswith(prefix))

    def accept(self) -> None:
        if not self.ok.isEnabled():
            return
        super().accept()
        self.decided.emit(self._study)


def _plain(key: str) -> str:
    return "" if key == NONE else key
