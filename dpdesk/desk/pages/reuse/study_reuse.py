# SPDX-License-Identifier: Apache-2.0
"""Ways from an earlier study to a new one: its file is asked for, then the data's, then the rest.

Reading happens off the window's thread. Nothing of the earlier study changes, and nothing of its
account: what is made is another study file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from dpdesk.data.progress import CancelToken, Progress
from dpdesk.desk.core.file_dialogs import existing_file
from dpdesk.desk.core.jobs.latest_job import LatestJob
from dpdesk.desk.core.network_paths import names_a_machine
from dpdesk.desk.core.session import Session
from dpdesk.desk.text.read_words import table_kinds
from dpdesk.study.json.study_files import StudyFile, load_study
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource

if TYPE_CHECKING:
    from dpdesk.data.inspection.next_file import NextFile
    from dpdesk.desk.pages.reuse.carry_over_dialog import CarryOverDialog

Keep = Callable[[Study, str], object]
"""Opens a new study and keeps it under a name like the given one."""


class StudyReuse(QObject):
    """Makes a study about another file from an earlier one.

    Args:
        window: the window to dim.
        session: the window's work.
        keep: what becomes of the new study.
        beside: where earlier studies may lie.
    """

    def __init__(
        self, window: QWidget, session: Session, keep: Keep, beside: Callable[[], str]
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._keep = keep
        self._beside = beside
        self._loading = LatestJob(session.looks, self)
        self.dialog: CarryOverDialog | None = None
        session.document.opened.connect(self._loading.drop)

    def ask_from_study(self) -> None:
        """Ask for an earlier study and a data file, and what is to be taken over."""
        title, kinds = self.tr("Choose the earlier study"), self.tr("Studies (*.dpdesk)")
        if (chosen := existing_file(self._window, title, self._beside(), kinds)) is not None:
            self.from_study(chosen)

    def from_study(self, path: Path) -> None:
        """Ask for the data file of a study that is like the one at a path."""
        self._loading.run(partial(_load, path), self._ask_file, self._session.misread.emit)

    def ask_duplicate(self) -> None:
        if self._session.document.is_open:
            self._ask_for(self._session.document.study)

    def _ask_file(self, loaded: StudyFile) -> None:
        self._ask_for(loaded.study)

    def _ask_for(self, earlier: Study) -> None:
        title = self.tr("Choose the data file of the new study")
        chosen = existing_file(self._window, title, _folder_of(earlier), table_kinds())
        if chosen is not None:
            self.take(earlier, chosen)

    def take(self, earlier: Study, data: Path) -> None:
        """Look at a data file, and ask what of an earlier study is taken over."""
        self._session.agree_to_connect(str(data.resolve()))
        work = partial(_look, earlier, data)
        then = partial(self._ask, earlier)
        self._session.recognition.run(data, work, then, self._session.failed.emit)

    def _ask(self, earlier: Study, found: NextFile) -> None:
        # Loaded here: the window shows before anybody asks for it.
        from dpdesk.desk.pages.reuse.carry_over_dialog import CarryOverDialog

        accounts = self._session.accounts
        extract = accounts.proposed_extract(earlier, Path(found.source.path))
        own = replace(found, source=replace(found.source, extract=extract))
        is_taken = partial(accounts.is_taken, earlier)
        self.dialog = CarryOverDialog(self._window, earlier, own, is_taken, self._months(earlier))
        self.dialog.decided.connect(self._start)
        self.dialog.open()

    def _months(self, earlier: Study) -> int:
        """From one release of a running series of the account to the next; 0 without one."""
        account = earlier.budget.account if earlier.budget else ""
        states = (one for one in self._session.accounts.states if one.name == account)
        running = (one for state in states for one in state.series if one.remaining)
        return max((one.months_between for one in running if one.drawn), default=0)

    def _start(self, study: Study) -> None:
        data = study.data or DataSource()
        self._keep(study, study.title or Path(data.path).stem)


def _load(path: Path, _progress: Progress, _cancel: CancelToken) -> StudyFile:
    return load_study(path)


def _look(earlier: Study, data: Path, progress: Progress, cancel: CancelToken) -> NextFile:
    # Loaded off the window's thread: the readers come with it.
    from dpdesk.data.inspection.next_file import look_at_next

    return look_at_next(earlier, data.resolve(), cancel, progress)


def _folder_of(study: Study) -> str:
    """Where the earlier data is on this computer, for the next file is often beside it."""
    path = study.data.path if study.data is not None else ""
    if names_a_machine(path) or not Path(path).is_absolute():
        return ""
    return str(Path(path).parent)
