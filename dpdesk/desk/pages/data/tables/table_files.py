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
from dpdesk.desk.pages.data.tables.file_row import FileRow
from dpdesk.desk.text import words
from dpdesk.desk.theme.metrics import NO_MARGINS, Space
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.buttons import link
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.inputs.field import ChoiceField
from dpdesk.desk.widgets.labels.label import quiet
from dpdesk.desk.widgets.layouts.aligned import LINK_ROOM
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import MAIN
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
        other_wanted: another file is to be chosen in the place of the only one.
    """

    labelled = Signal(int, str)
    removed = Signal(int)
    corrected = Signal(object, str, object)
    more_wanted = Signal()
    other_wanted = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(fill=Role.INSET)
        self._session = session
        self._study = Study()
        self._files: tuple[tuple[FilePlace, DataSource], ...] = ()
        self._at: int | None = None
        self.rows: dict[int, FileRow] = {}
        self._rest = quiet("")
        self.which = ChoiceField(self.tr("&How this file is read"))
        self.chips = ReadChips()
        self.more = link(self.tr("Add files with the same columns…"))
        self.other = link(self.tr("Choose another file…"))
        self.body.addWidget(self.head(self.tr("Its files")))
        holder = QWidget()
        holder.ring_room = LINK_ROOM  # type: ignore[attr-defined]  # AlignedBox reads it
        self._list = QVBoxLayout(holder, contentsMargins=NO_MARGINS, spacing=Space.TIGHT)
        for part in (holder, self._rest, self.which, self.chips, self.other, self.more):
            self.body.addWidget(part)
        self.which.picked.connect(lambda key: self._choose(int(key)))
        self.chips.corrected.connect(self._correct)
        self.more.clicked.connect(lambda: self.more_wanted.emit())
        self.other.clicked.connect(lambda: self.other_wanted.emit())

    def show_files(self, study: Study, table: str) -> None:
        """Show the files of a table of a study."""
        self._study, self._files = study, files_of(study, table)
        if self._at is None or self._at >= len(self._files):
            self._at = self._first_wrong()
        self._render()

    @property
    def sentences(self) -> tuple[str, ...]:
        """What is wrong with files, each by itself; all of it is said here."""
        wrong = (problem for place, file in self._files for problem in self._problems(place, file))
        return tuple(words.problem_sentence(problem) for problem in wrong)

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
        # The main table's is chosen on the page, which names the extract anew.
        self.other.setVisible(len(names) == 1 and self._files[0][0].table != MAIN)
        self.which.set_choices([(str(at), name) for at, name in enumerate(names)], str(self._at))
        place, file = self._files[self._at or 0]
        problems = self._problems(place, file)
        self.chips.show_source(file, self._summary(place, file), problems)
        self._list_files()

    def _listed(self) -> list[int]:
        """The first files and the chosen one."""
        return sorted({*range(min(len(self._files), MOST_LISTED)), self._at or 0})

    def _list_files(self) -> None:
        """Show a row for each file; rows stay while files do: somebody may type in one."""
        listed = self._listed()
        names = {at: file_name(self._files[at][1]) for at in listed}
        if names != {at: row.name for at, row in self.rows.items()}:
            self._build_rows(names)
        several = len(self._files) > 1
        for at, row in self.rows.items():
            place, file = self._files[at]
            wrong = self._problems(place, file)
            is_at_chips = at == self._at and bool(wrong) and bool(self.chips.fixes(wrong[0]))
            sentence = words.problem_sentence(wrong[0]) if wrong and not is_at_chips else ""
            row.show_file(file.label, several, sentence)
        rest = len(self._files) - len(listed)
        self._rest.setText(self.tr("and %n other(s)", "", rest) if rest else "")
        self._rest.setVisible(bool(rest))

    def _build_rows(self, names: dict[int, str]) -> None:
        for row in self.rows.values():
            row.setParent(None)
            row.deleteLater()
        self.rows = {}
        for at, name in names.items():
            row = self.rows[at] = FileRow(name)
            row.labelled.connect(lambda text, at=at: self.labelled.emit(at, text))
            row.removed.connect(lambda at=at: self.removed.emit(at))
            self._list.addWidget(row)
            row.show()


def summary_of(session: Session, place: FilePlace, file: DataSource) -> FileSummary:
    """A file of a study that is tried, as last looked at."""
    folder, opened = session.document.folder, session.document.study
    own = FIRST.source(opened)
    if place.is_first and own and summary_source(own, folder) == summary_source(file, folder):
        return session.file.summary
    return session.further.summary(file)
