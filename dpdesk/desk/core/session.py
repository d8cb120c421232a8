# SPDX-License-Identifier: Apache-2.0
"""One window's work: the document, the accounts, the data file, and the state that follows.

Every change ends in :meth:`Session.refresh`, which derives one new state and hands it to all
views. No view talks to another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from dpdesk.data.progress import CancelToken, Progress
from dpdesk.desk.core.accounts import Accounts
from dpdesk.desk.core.counting import Counting, DatabaseCounts
from dpdesk.desk.core.document import Document
from dpdesk.desk.core.file_dialogs import usual_folder
from dpdesk.desk.core.files.data_file import DataFile
from dpdesk.desk.core.files.further_files import FurtherFiles
from dpdesk.desk.core.instalments import matching_series
from dpdesk.desk.core.jobs.jobs import Job, JobRunner
from dpdesk.desk.core.jobs.recognition import Recognition
from dpdesk.desk.core.state import NONE_FURTHER, DeskState, derive
from dpdesk.program import faults
from dpdesk.release.places.home import Home
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import MAIN
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Problem, Refused
from dpdesk.study.suggest.column_names import column_names

if TYPE_CHECKING:
    from dpdesk.privacy.noise.door import Door

LOOKS_AT_ONCE = 4


class Session(QObject):
    """Everything that the window's views share.

    Attributes:
        home: where ledger, keys and settings lie.
        document: the open study.
        jobs: runs work off the GUI thread, one piece after the other.
        looks: runs short looks at files; one that hangs keeps no other waiting.
        accounts: the ledger as last read.
        file: the study's data file as last looked at.
        further: its other files, of the same table and of further ones.
        recognition: finds out how a chosen file may be read.
        counting: orders of the study, and their counts, where its data is in a database.
        state: what the views render.
        template: the usual release that the study was begun for, until its queries are offered;
            empty for none.
        series: the planned series of which the study is released as the next instalment; empty for
            none.

    Signals:
        state_changed: there is a new state; read it from ``state``.
        failed: something could not be done; carries the problems as a tuple.
        past: it could be done now; carries the problems that were reported before.
        misread: a study file is not as it should be; carries the problems as a tuple.
    """

    state_changed = Signal()
    failed = Signal(object)
    past = Signal(object)
    misread = Signal(object)

    def __init__(self, home: Home, door: Door | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.home = home
        self.document = Document(self)
        self.jobs = JobRunner(self, on_fault=lambda text: faults.write(home, text))
        self.looks = JobRunner(self, lambda text: faults.write(home, text), at_once=LOOKS_AT_ONCE)
        self.accounts = Accounts(home)
        self.counting = DatabaseCounts(home)
        self.file = DataFile(self.looks, self)
        self.further = FurtherFiles(self.looks, self)
        self._door = door
        self.state = DeskState()
        self.recognition = Recognition(self.looks, self)
        self._fresh = False
        self.series = self.template = ""
        self.releasing: Job | None = None
        """What draws noise now: closing asks first."""
        self._series_study: Study | None = None
        self._beside_study: Study | None = None
        self._unread: tuple[Problem, ...] = ()
        self._connect()

    @property
    def signing_home(self) -> Home:
        """The home whose key signs what the open study releases."""
        budget = self.document.study.budget
        return self.home.of_account(budget.account if budget is not None else "")

    def _connect(self) -> None:
        self.document.opened.connect(self._forget_fresh)
        self.document.opened.connect(self.recognition.stop)
        self.document.opened.connect(self.counting.forget)
        self.document.study_changed.connect(self.refresh)
        self.document.save_failed.connect(lambda problem: self.failed.emit((problem,)))
        self.document.taken_back.connect(self.failed)
        self.file.changed.connect(self.refresh)
        self.further.changed.connect(self.refresh)

    def leave_views(self) -> None:
        """Tell those who follow it nothing any more: others take their place."""
        document = self.document
        changes = (self.file.changed, self.further.changed)
        for signal in (self.state_changed, self.failed, self.misread, *changes):
            signal.disconnect()
        for signal in (document.study_changed, document.saved_changed, document.save_failed):
            signal.disconnect()
        for signal in (document.changed_outside, document.opened, self.past, document.taken_back):
            signal.disconnect()
        self.recognition.stop()
        self._connect()

    @cached_property
    def door(self) -> Door:
        """Where noise comes from."""
        # Loaded here: the window shows before the noise library is needed.
        from dpdesk.privacy.noise.door import OpenDPDoor

        return self._door if self._door is not None else OpenDPDoor()

    def edit(self, study: Study, text: str, merge_key: str = "") -> None:
        """Replace the study; see ``Document.edit``.

        A study that could not be opened again is not put in place; what was typed in one field
        is taken back when it is saved. What is wrong is reported, and nothing else is lost.
        """
        try:
            self.document.edit(study, text, merge_key)
        except Refused as refused:
            self.failed.emit(refused.problems)

    def refresh(self) -> None:
        """Derive the state again from the study, the accounts and the file as last read."""
        study = self.document.study
        if study is not self._series_study:
            self.series = ""  # another study, or another wording: whoever edits chooses again
        if self.file.needs_look(study.data):
            self.file.look(study.data, self.document.folder)
        header, problems = self.file.summary.header, self.file.problems(study)
        is_elsewhere = study.data is not None and study.data.in_database
        if is_elsewhere:
            problems = ()  # a file that is there only names the columns
        elif study.tables or (study.data is not None and study.data.more):
            self.further.look(study, self.document.folder)
            problems = (*problems, *self.further.problems(study, header))
        has_series = any(account.series for account in self.accounts.states)
        for _ in range(2):  # the second time as an instalment of the series that it is taken up in
            self.state = derive(
                study,
                self.accounts.view(study, self.series),
                header,
                partial(self.accounts.find_answer, study),
                problems,
                self._fresh or bool(self.series),
                self.state,
                self._further_columns(study, header) if study.tables else NONE_FURTHER,
                self.counting.how_far(study) if is_elsewhere else Counting.NONE,
            )
            if self.series or not (has_series and self._take_up_series()):
                break
        self.state_changed.emit()

    def _take_up_series(self) -> bool:
        """Make it an instalment of the series that reserved its budget, unless someone said no.

        What the ledger answers of the same extract is no new instalment.
        """
        study = self.document.study
        if study is self._beside_study or self.state.stored:
            return False
        series = matching_series(self.accounts.states, self.state)
        if series is not None:
            self.series, self._series_study = series.begun.name, study
        return series is not None

    def _further_columns(
        self, study: Study, header: tuple[str, ...]
    ) -> Mapping[str, tuple[str, str]]:
        """What columns of further tables are called; the same object while nothing changes."""
        return column_names(study, {**self.headers_of(study), MAIN: header})

    def headers_of(self, study: Study) -> dict[str, tuple[str, ...]]:
        """The columns of each table, of all of its files together, as far as they were read."""
        found: dict[str, list[tuple[str, ...]]] = {MAIN: [self.file.summary.header]}
        for name, headers in self.further.headers(study).items():
            found.setdefault(name, []).extend(headers)
        return {name: tuple(dict.fromkeys(chain(*headers))) for name, headers in found.items()}

    def draw_again(self, fresh: bool) -> None:
        """Draw and pay again, or not, for what the ledger could answer, in the next release."""
        self._fresh = fresh
        self.refresh()

    def draw_instalment(self, series: str) -> None:
        """Let the next release be an instalment of a series, paid from what it reserved; or not."""
        self.series, self._series_study = series, self.document.study
        self._beside_study = None if series else self.document.study
        self.refresh()

    def _forget_fresh(self) -> None:
        self._fresh, self.series, self.template = False, "", ""
        self._beside_study = None

    def reread_accounts(self) -> None:
        """Read the ledger again: after a release, or when another program may have spent."""
        known = self.accounts.notices
        try:
            self.accounts.reread()
        except Refused as refused:
            self._unread = refused.problems
            self.failed.emit(refused.problems)
        else:
            self.report_ledger_read()
        if new := tuple(notice for notice in self.accounts.notices if notice not in known):
            self.failed.emit(new)
        self.refresh()

    def report_ledger_read(self) -> None:
        """The ledger can be read: that it could not is past."""
        if self._unread:
            before, self._unread = self._unread, ()
            self.past.emit(before)

    def reread_header(self) -> None:
        """Read the data file's header again, because the file may have changed."""
        self.file.forget()
        self.further.forget()
        self.refresh()

    def look_again(self) -> None:
        """Read ledger and header again: others may have spent, or moved or changed the file."""
        self.file.forget()
        self.further.forget()
        self.reread_accounts()

    @property
    def waits_to_connect(self) -> bool:
        """Whether the data is on another computer and nobody agreed yet to connect to it."""
        return self.file.waits_to_connect(self.document.study.data)

    @property
    def data_folder(self) -> Path:
        """Where what belongs to the data may lie: beside its file, else beside the study."""
        data, beside = self.document.study.data, self.document.folder
        if data is None or not data.path or self.waits_to_connect:
            return beside
        return (beside / data.path).parent

    @property
    def proposed_folder(self) -> Path:
        """Where what is written is proposed to go: beside the study, if somebody put it there.

        Nobody finds again what is where dpdesk keeps studies that have no place of their own.
        """
        beside = self.document.folder
        if self.document.is_open and not beside.is_relative_to(self.home.studies.resolve()):
            return beside
        return usual_folder()

    def agree_to_connect(self, path: str = "") -> None:
        """Let a data file be read although it is on another computer, until the window closes.

        Args:
            path: the file, as a study names it; empty for the main table's first.
        """
        data = self.document.study.data
        path = path or (data.path if data else "")
        self.file.agree_to_connect(path)
        self.further.agree_to_connect(path)
        if any(one.path == path for one in self.document.study.sources):
            self.reread_header()

    def recognise_all(self, paths: Sequence[Path], then: Callable[[Any], None]) -> None:
        """Find out how several files may be read; see ``recognise``."""
        # Loaded here: the dialog that asks about them comes with it.
        from dpdesk.desk.core.files.added_files import recognising

        self.recognition.run(paths[0], recognising(paths), then, self.failed.emit)

    def recognise(self, path: Path, then: Callable[[DataSource], object]) -> None:
        """Find out how a file may be read, and go on with that; a failure is reported."""

        def work(progress: Progress, cancel: CancelToken) -> DataSource:
            # Loaded off the window's thread: the readers come with it.
            from dpdesk.data.inspection.recognise import recognise

            return recognise(path, cancel, progress)

        self.recognition.run(path, work, then, self.failed.emit)
