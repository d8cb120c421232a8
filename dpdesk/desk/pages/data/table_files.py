# SPDX-License-Identifier: Apache-2.0
"""The files of a table: what each is labelled, and how the chosen one is read."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpdesk.desk.core.edits.file_place import FIRST, FilePlace, files_of
from dpdesk.desk.core.files.file_summary import FileSummary, summary_source
from dpdesk.desk.core.files.further_files import file_problems
from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.data.file_choice import file_name
from dpdesk.desk.pages.data.read_chips import ReadChips
from dpdesk.desk.text import words
from dpdesk.desk.theme.metrics import NO_MARGINS, Space
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.buttons import link
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.inputs.field import ChoiceField, LineField
from dpdesk.desk.widgets.labels.banner import Tone
from dpdesk.desk.widgets.labels.label import Label, quiet
from dpdesk.desk.widgets.labels.remark import Remark
from dpdesk.desk.widgets.layouts.aligned import AlignedRow
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Problem

MOST_LISTED = 12
"""So many files are listed with a field for each one's label, and the chosen one."""


class TableFiles(Card):
    """The files of one table; the one on show is the first that cannot be used.

    Args:
        session: the window's work.

    Signals:
        labelled: a label was typed; carries the file's number and the label.
        removed: a file is to go; carries its number.
        corrected: a file is read in another way; carries its place, the part and its value.
        more_wanted: further files are to be chosen.
    """

    labelled = Signal(int, str)
    removed = Signal(int)
    corrected = Signal(object, str, object)
    more_wanted = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(fill=Role.INSET)
        self._session = session
        self._study = Study()
        self._files: tuple[tuple[FilePlace, DataSource], ...] = ()
        self._at: int | None = None
        self._rows: list[QWidget] = []
        self.labels: dict[int, LineField] = {}
        self.which = ChoiceField(self.tr("&How this file is read"))
        self.chips = ReadChips()
        self.more = link(self.tr("Add files with the same columns…"))
        self.body.addWidget(self.head(self.tr("Its files")))
        holder = QWidget()
        self._list = QVBoxLayout(holder, contentsMargins=NO_MARGINS, spacing=Space.TIGHT)
        for part in (holder, self.which, self.chips, self.more):
            self.body.addWidget(part)
        self.which.picked.connect(lambda key: self._choose(int(key)))
        self.chips.corrected.connect(self._correct)
        self.more.clicked.connect(lambda: self.more_wanted.emit())

    def show_files(self, study: Study, table: str) -> None:
        """Show the files of a table of a study."""
        self._study, self._files = study, files_of(study, table)
        if self._at is None or self._at >= len(self._files):
            self._at = self._first_wrong()
        self._render()

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is said here of files that cannot be read."""
        beside = (row.sentence for row in self._rows if isinstance(row, Remark))
        return (self.chips.remark.sentence, *beside)

    def _first_wrong(self) -> int:
        """The first file that cannot be used; the first of all where each can."""
        wrong = (place.at for place, file in self._files if self._problems(place, file))
        return next(wrong, 0)

    def _summary(self, place: FilePlace, file: DataSource) -> FileSummary:
        return summary_of(self._session, place, file)

    def _problems(self, place: FilePlace, file: DataSource) -> tuple[Problem, ...]:
        return file_problems(self._study, place, self._summary(place, file))

    def _choose(self, at: int) -> None:
        self._at = at
        self._render()

    def _correct(self, part: str, value: object) -> None:
        self.corrected.emit(FilePlace(self._files[0][0].table, self._at or 0), part, value)

    def _render(self) -> None:
        names = [file_name(file) for _place, file in self._files]
        self.which.setVisible(len(names) > 1)
        self.which.set_choices([(str(at), name) for at, name in enumerate(names)], str(self._at))
        place, file = self._files[self._at or 0]
        problems = self._problems(place, file)
        self.chips.show_source(file, self._summary(place, file), problems)
        if not self._is_typed():
            self._list_files()

    def _is_typed(self) -> bool:
        """Whether somebody types a label of a file that is still there."""
        typed = any(field.edit.hasFocus() for field in self.labels.values())
        return typed and len(self.labels) == len(self._listed())

    def _listed(self) -> list[int]:
        """The first files and the chosen one."""
        return sorted({*range(min(len(self._files), MOST_LISTED)), self._at or 0})

    def _list_files(self) -> None:
        for row in self._rows:
            row.setParent(None)
            row.deleteLater()
        self._rows, self.labels = [], {}
        listed = self._listed()
        for at in listed:
            self._add_file(at)
        if len(listed) < len(self._files):
            rest = self.tr("and %n other(s)", "", len(self._files) - len(listed))
            self._put(quiet(rest))

    def _add_file(self, at: int) -> None:
        place, file = self._files[at]
        holder = QWidget()
        row = AlignedRow(holder, spacing=Space.SMALL)
        name = file_name(file)
        row.addWidget(Label(name), 1)
        if len(self._files) > 1:
            row.addWidget(self._label_field(at, name, file.label))
            gone = link(self.tr("Remove"))
            gone.setAccessibleName(self.tr("Remove {0}").format(name))
            gone.clicked.connect(lambda _on=False: self.removed.emit(at))
            row.addWidget(gone)
        self._put(holder)
        wrong = self._problems(place, file)
        if wrong and not (at == self._at and self.chips.fixes(wrong[0])):
            remark = Remark()
            self._put(remark)
            remark.say(words.problem_sentence(wrong[0]), Tone.ERROR)

    def _label_field(self, at: int, name: str, label: str) -> LineField:
        field = LineField(self.tr("Label"))
        field.edit.setAccessibleName(self.tr("Label of {0}").format(name))
        field.set_text(label)
        field.edited.connect(lambda text: self.labelled.emit(at, text))
        self.labels[at] = field
        return field

    def _put(self, widget: QWidget) -> None:
        self._list.addWidget(widget)
        self._rows.append(widget)
        widget.show()


def summary_of(session: Session, place: FilePlace, file: DataSource) -> FileSummary:
    """A file of a study that is tried, as last looked at."""
    folder, opened = session.document.folder, session.document.study
    own = FIRST.source(opened)
    if place.is_first and own and summary_source(own, folder) == summary_source(file, folder):
        return session.file.summary
    return session.further.summary(file)
