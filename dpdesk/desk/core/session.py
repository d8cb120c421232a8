# SPDX-License-Identifier: Apache-2.0
"""One window's work: the document, the ledger, the file's header, and the state that follows.

Every change ends in :meth:`Session.refresh`, which derives one new state and hands it to all
views. No view talks to another.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from dpdesk.data.inspection.recognise import recognise
from dpdesk.data.opened import locate_columns
from dpdesk.data.progress import CancelToken, Progress
from dpdesk.desk.core.document import Document
from dpdesk.desk.core.file_summary import (
    FileSummary,
    SummarySource,
    carried_over,
    summarise,
    summary_source,
)
from dpdesk.desk.core.jobs.jobs import JobRunner
from dpdesk.desk.core.jobs.latest_job import LatestJob
from dpdesk.desk.core.network_paths import names_a_machine
from dpdesk.desk.core.state import AccountView, DeskState, derive
from dpdesk.privacy.door import Door, OpenDPDoor
from dpdesk.privacy.plan import QueryPlan
from dpdesk.release import faults
from dpdesk.release.home import Home
from dpdesk.release.ledger import AccountState, Ledger
from dpdesk.release.ledger.answers import AnsweredQuestions, Paid
from dpdesk.study.checks.extracts import plain_extract, proposed_extract
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.json.study_writer import study_to_bytes
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import Budget, DataSource
from dpdesk.study.problem import Problem, Refused

LOOKS_AT_ONCE = 4


class Session(QObject):
    """Everything that the window's views share.

    Attributes:
        home: where ledger, keys and settings lie.
        document: the open study.
        jobs: runs work off the GUI thread, one piece after the other.
        looks: runs short looks at files; one that hangs keeps no other waiting.
        door: where noise comes from.
        looked: how often the data file's head was read.

    Signals:
        state_changed: there is a new state; read it from ``state``.
        failed: something could not be done; carries the problems as a tuple.
        misread: a study file is not as it should be; carries the problems as a tuple.
    """

    state_changed = Signal()
    failed = Signal(object)
    misread = Signal(object)

    def __init__(self, home: Home, door: Door | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.home = home
        self.document = Document(self)
        self.jobs = JobRunner(self, on_fault=lambda text: faults.write(home, text))
        self.looks = JobRunner(self, lambda text: faults.write(home, text), at_once=LOOKS_AT_ONCE)
        self.door = door if door is not None else OpenDPDoor()
        self._ledger: Ledger | None = None
        self._accounts: tuple[AccountState, ...] = ()
        self._answered: AnsweredQuestions | None = None
        self._head = FileSummary()
        self._head_of: SummarySource | None = None
        self._read_from: SummarySource | None = None
        self._latest = LatestJob(self.looks, self)
        self._recognising = LatestJob(self.looks, self)
        self._is_sending = False
        self.looked = 0
        self._agreed: set[str] = set()
        self._fresh = False
        self._state = DeskState()
        self.document.opened.connect(self._forget_fresh)
        self.document.study_changed.connect(self.refresh)
        self.document.save_failed.connect(lambda problem: self.failed.emit((problem,)))

    @property
    def state(self) -> DeskState:
        """What the views render."""
        return self._state

    @property
    def accounts(self) -> tuple[AccountState, ...]:
        """Every account of the ledger, as last read."""
        return self._accounts

    def ledger(self) -> Ledger:
        """The ledger, opened when it is first needed.

        Raises:
            Refused: it cannot be opened; see ``Ledger.open``.
        """
        if self._ledger is None:
            self._ledger = Ledger.open(self.home)
        return self._ledger

    def edit(self, study: Study, text: str, merge_key: str = "") -> None:
        """Replace the study; see ``Document.edit``.

        A study that could not be opened again is not put in place: what is wrong is told, and
        nothing is lost.
        """
        try:
            study_from_bytes(study_to_bytes(study))
        except Refused as refused:
            self.failed.emit(refused.problems)
            return
        self.document.edit(study, text, merge_key)

    def refresh(self) -> None:
        """Derive the state anew from the study and the accounts as last read."""
        study = self.document.study
        self._look_at_file(study)
        account = self._account_view(study)
        header = self._head.header
        wrong = self._head.problems or _misplaced(study, header)
        answers, before = self._find_answer, self._state
        self._state = derive(study, account, header, answers, wrong, self._fresh, before)
        self.state_changed.emit()

    def draw_again(self, fresh: bool) -> None:
        """Draw and pay again, or not, for what the ledger could answer, in the next release."""
        self._fresh = fresh
        self.refresh()

    def _forget_fresh(self) -> None:
        self._fresh = False

    def reread_accounts(self) -> None:
        """Read the ledger again: after a release, or when another program may have spent."""
        if self.home.ledger.exists():
            try:
                self._accounts = self.ledger().accounts()
                self._answered = self.ledger().answered()
            except Refused as refused:
                self.failed.emit(refused.problems)
        self.refresh()

    def look_again(self) -> None:
        """Read ledger and header again: others may have spent, or moved or changed the file."""
        self._read_from = None
        self.reread_accounts()

    @property
    def head(self) -> FileSummary:
        """The data file as last looked at."""
        return self._head

    @property
    def is_looking(self) -> bool:
        """Whether the data file is being looked at."""
        return self._latest.is_pending

    @property
    def waits_to_connect(self) -> bool:
        """Whether the data lies on another computer and nobody agreed yet to connect to it."""
        data = self.document.study.data
        return data is not None and names_a_machine(data.path) and data.path not in self._agreed

    def agree_to_connect(self, path: str = "") -> None:
        """Let a data file be read although it lies on another computer, until the window closes.

        Args:
            path: the file, as a study names it; empty for the open study's.
        """
        data = self.document.study.data
        own = data.path if data else ""
        self._agreed.add(path or own)
        if path in ("", own):
            self.reread_header()

    def recognise(self, path: Path, then: Callable[[DataSource], None]) -> None:
        """Find out how a file may be read, and go on with that; a failure is told."""

        def work(_progress: Progress, cancel: CancelToken) -> DataSource:
            return recognise(path, cancel)

        self._recognising.run(work, then, self.failed.emit)

    def reread_header(self) -> None:
        """Read the data file's header again, because the file may have changed."""
        self._read_from = None
        self.refresh()

    def _account_view(self, study: Study) -> AccountView | None:
        name = study.budget.account if study.budget else ""
        found = next((a for a in self._accounts if a.name == name), None)
        if found is None:
            return None
        return AccountView(found.name, found.total, found.spent, found.locked, found.delta_total)

    def _find_answer(self, plan: QueryPlan) -> Paid | None:
        """The release that the ledger would answer from for free; as of the last look at it."""
        study = self.document.study
        if self._answered is None or study.budget is None or study.data is None:
            return None
        if not study.data.extract:
            return None
        return self._answered.find(study.budget.account, study.data.extract, plan.canonical)

    def proposed_extract(self, path: Path) -> str:
        """A name for a file that is chosen now, which means no other state of the data yet."""
        study = self.document.study
        data, budget = study.data or DataSource(), study.budget or Budget()
        own = plain_extract(data.extract)

        def is_taken(name: str) -> bool:
            used = self._answered is not None and self._answered.is_used(budget.account, name)
            return used or plain_extract(name) == own

        return proposed_extract(str(path), datetime.now().astimezone().date(), is_taken)

    def _look_at_file(self, study: Study) -> None:
        """Look at the file where the source changed; what is wrong is kept to be shown on Data."""
        key = summary_source(study.data, self.document.folder)
        if key == self._read_from:
            return
        self._read_from = key
        if key != self._head_of:
            self._head = carried_over(self._head, self._head_of, key)
            self._head_of = key
        self._latest.drop()
        if study.data is None or not study.data.path:
            self._head = FileSummary()
        elif self.waits_to_connect:
            self._head = FileSummary(problems=(Problem("$.data.path", "data-on-network"),))
        else:
            self._send(study.data)

    def _send(self, data: DataSource) -> None:
        self._is_sending = True
        work = summarise(data, self.document.folder)
        self._latest.run(
            work, self._take_head, lambda problems: self._take_head(FileSummary(problems=problems))
        )
        self._is_sending = False

    def _take_head(self, head: FileSummary) -> None:
        self._head = head
        self.looked += 1
        if not self._is_sending:
            self.refresh()


def _misplaced(study: Study, header: tuple[str, ...]) -> tuple[Problem, ...]:
    """Declared columns that the file lacks or has twice; nothing while the header is unknown."""
    if not header:
        return ()
    try:
        locate_columns(study, header)
    except Refused as refused:
        return tuple(p for p in refused.problems if p.params["name"].strip())
    return ()
