# SPDX-License-Identifier: Apache-2.0
"""The plan on paper: saved as a PDF, or opened where the system shows and prints PDF files.

The pages are the same as the shell's. What prints them is the system's own program: dpdesk ships
none that draws PDF files.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from dpdesk.data.progress import CancelToken, Progress
from dpdesk.desk.core.file_dialogs import new_file
from dpdesk.desk.core.jobs.latest_job import LatestJob
from dpdesk.desk.core.session import Session
from dpdesk.desk.opened_elsewhere import open_elsewhere
from dpdesk.desk.text.language import catalogue
from dpdesk.desk.widgets.accessibility.announcing import show_done
from dpdesk.release.places.home import Home
from dpdesk.study.model.document import Study
from dpdesk.study.problem import Problem, refuse
from dpdesk.study.text.query_ids import slug
from dpdesk.study.text.shown_text import shown_text

SUFFIX = ".pdf"
FOLDER = "print"
"""In the home: what was last opened for printing, and nothing older."""


class PlanDocument(QObject):
    """Writes the open study's plan.

    Args:
        window: over which files are asked for.
        session: the window's work.

    Signals:
        written: the document is there; carries its path.
    """

    written = Signal(object)

    def __init__(self, window: QWidget, session: Session) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._writing = LatestJob(session.looks, self)
        self._reported: tuple[Problem, ...] = ()

    def ask_save(self) -> None:
        start = self._session.proposed_folder / f"{self._name()}{SUFFIX}"
        title, kinds = self.tr("Save the plan as PDF"), self.tr("PDF files (*.pdf)")
        chosen = new_file(self._window, title, str(start), kinds)
        if chosen:
            self.save(chosen if chosen.suffix else chosen.with_suffix(SUFFIX))

    def save(self, path: Path) -> None:
        self._write(path, is_printed=False)

    def print_plan(self) -> None:
        folder = self._session.home.root / FOLDER
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for before in folder.glob(f"*{SUFFIX}"):
                before.unlink()
        except OSError:
            self._session.failed.emit(refuse("home-unwritable", name=str(folder)).problems)
            return
        self._write(folder / f"{self._name()}{SUFFIX}", is_printed=True)

    def _name(self) -> str:
        study = self._session.document.study
        return f"{slug(study.title) or 'study'}-plan"

    def _write(self, path: Path, is_printed: bool) -> None:
        study, home = self._session.document.study, self._session.home
        # Drawing again is chosen on Release, and changes what is charged.
        work = partial(_write, study, home, path, catalogue().language, self._session.state.fresh)
        self._writing.run(work, partial(self._done, is_printed), self._fail)

    def _fail(self, problems: tuple[Problem, ...]) -> None:
        self._reported = problems
        self._session.failed.emit(problems)

    def _done(self, is_printed: bool, path: Path) -> None:
        if self._reported:  # it can be written now
            self._session.past.emit(self._reported)
            self._reported = ()
        self.written.emit(path)
        if is_printed:
            problems = refuse("pdf-not-shown", name=path.name).problems
            open_elsewhere(self, path, lambda: self._session.failed.emit(problems))
        else:
            show_done(self._window, self.tr("Saved: {0}").format(shown_text(path.name)))


def _write(
    study: Study,
    home: Home,
    path: Path,
    language: str,
    fresh: bool,
    _progress: Progress,
    _cancel: CancelToken,
) -> Path:
    # Loaded off the window's thread: what sets pages comes with it.
    from dpdesk.release.plan_report.document import write_plan

    write_plan(study, home, path, language, fresh)
    return path
