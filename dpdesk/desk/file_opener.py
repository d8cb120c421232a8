# SPDX-License-Identifier: Apache-2.0
"""Ways into a study: a new one from a file, an existing one, the sample hospital, a bundle."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QWidget

from dpdesk.data.files.packed import is_packed_text, unpacked_name
from dpdesk.data.progress import CancelToken, Progress
from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.core.edits.table_edits import is_named_for_people
from dpdesk.desk.core.file_dialogs import existing_file
from dpdesk.desk.core.jobs.latest_job import LatestJob
from dpdesk.desk.core.session import Session
from dpdesk.desk.core.settings import Settings
from dpdesk.desk.pages.reuse.study_reuse import StudyReuse
from dpdesk.desk.text.language import catalogue
from dpdesk.desk.text.read_words import table_kinds
from dpdesk.desk.text.template_words import template_names
from dpdesk.program.written_kinds import (
    NOTICE_SUFFIX,
    TO_SIGN,
    TO_VERIFY,
    belongs_elsewhere,
    is_other_archive,
    kind_of,
)
from dpdesk.release.places.home import SAMPLE_ACCOUNT
from dpdesk.study.checks.extracts import proposed_extract
from dpdesk.study.checks.study_checks import check
from dpdesk.study.json.study_files import StudyFile, load_study
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Refused, refuse
from dpdesk.study.reuse.sample_study import write_sample
from dpdesk.study.text.query_ids import slug

STUDY_SUFFIX = ".dpdesk"


class FileOpener(QObject):
    """Opens things, asking for files where it has to.


    Signals:
        verify_wanted: a bundle is to be checked, a notice held against it, or a plan signed;
            carries its path.
        tables_wanted: files are to be further tables of the study that was begun; carries their
            paths.
    """

    verify_wanted = Signal(object)
    tables_wanted = Signal(object)

    def __init__(self, window: QWidget, session: Session, settings: Settings) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._settings = settings
        self._loading = LatestJob(session.looks, self)
        self.reuse = StudyReuse(window, session, self._keep, self._beside)
        session.document.opened.connect(self.stop)

    def do(self, what: str) -> None:
        ways = {
            "new": self.ask_new,
            "open": self.ask_open,
            "sample": self.open_sample,
            "verify": self.ask_verify,
            "sign": self.ask_sign,
        }
        ways[what]()

    def ask_new(self, template: str = "") -> None:
        """Ask for a data file and start a study about it, for a usual release or for any."""
        path = self._ask(self.tr("Choose a data file"), table_kinds())
        if path is not None:
            self._open_as("data", path, template)

    def ask_open(self) -> None:
        title, kinds = self.tr("Open a study"), self.tr("Studies (*.dpdesk)")
        path = self._ask(title, kinds, self._beside())
        if path is not None:
            self._open_as("study", path)

    def ask_verify(self) -> None:
        kinds = self.tr("Bundles and notices (*.zip *.notice)")
        path = self._ask(self.tr("Verify a bundle"), kinds, self._bundles())
        if path is not None:
            self._open_as("bundle", path)

    def ask_sign(self) -> None:
        """Ask for what was handed over, and show it to the second person."""
        kinds = self.tr("Plans and bundles (*.json *.zip)")
        path = self._ask(self.tr("Sign a plan"), kinds, str(self._session.proposed_folder))
        if path is not None:
            self._open_as("bundle", path)

    def open_any(self, path: Path) -> None:
        """Open whatever it is: by what dpdesk wrote it as, else by its ending."""
        is_packed = is_packed_text(path) or is_other_archive(path)
        is_zip = path.suffix.lower() == ".zip" and not is_packed
        otherwise = "study" if path.suffix.lower() == STUDY_SUFFIX else "data"
        self._open_as("bundle" if is_zip else otherwise, path)

    def new_study_of(self, paths: Sequence[Path]) -> None:
        """Start a study about several files; which is the main table, their names propose."""
        first = next((path for path in paths if not is_named_for_people(str(path))), paths[0])
        rest = [path for path in paths if path != first]

        def begin(source: DataSource) -> None:
            if self._start(first, source, ""):
                self.tables_wanted.emit(rest)

        self._session.recognise(first, begin)

    def _open_as(self, otherwise: str, path: Path, template: str = "") -> None:
        """Open a file in its place; one that dpdesk did not write, as what it was chosen for."""
        kind = kind_of(path)
        if kind in (*TO_VERIFY, *TO_SIGN, "notice") or path.suffix.lower() == NOTICE_SUFFIX:
            self.verify_wanted.emit(path)
        elif kind == "study" or (kind is None and otherwise == "study"):
            self.open_study(path)
        elif kind is not None:
            self._session.misread.emit(belongs_elsewhere(path, kind).problems)
        elif otherwise == "bundle":
            self.verify_wanted.emit(path)
        else:
            self.new_study(path, template)

    def new_study(self, data: Path, template: str = "") -> None:
        """Start a study about a data file; it is kept among the user's studies."""
        self._session.recognise(data, lambda source: self._start(data, source, template))

    def _start(self, data: Path, source: DataSource, template: str) -> bool:
        today = datetime.now().astimezone().date()
        extract = proposed_extract(data.name, today)
        study = study_edits.new_study(data.resolve(), source, extract)
        # The first page shows that there is a template; its queries come after the columns.
        titles = {str(key): name for key, name in template_names().items()}
        study = replace(study, title=titles.get(template, ""))
        self._session.agree_to_connect(str(data.resolve()))
        is_open = self._keep(study, Path(unpacked_name(data)).stem)
        self._session.template = template
        path = self._session.document.path
        if is_open and template and path is not None:
            self._settings.keep_template(path, template)
        return is_open

    def _keep(self, study: Study, name: str) -> bool:
        """Open a new study, and keep it among the user's studies under a name like this one."""
        try:
            self._session.document.start(study, self._free_path(name))
        except OSError:
            folder = str(self.studies_folder())
            self._session.failed.emit(refuse("home-unwritable", name=folder).problems)
        except Refused as refused:
            self._session.failed.emit(refused.problems)
        else:
            return True
        return False

    def open_study(self, path: Path) -> None:
        """Open a study file, read off the window's thread: it may lie on a slow share."""
        self._loading.run(partial(_load, path), self._open_loaded, self._session.misread.emit)

    def _open_loaded(self, loaded: StudyFile) -> None:
        try:
            self._session.document.open_loaded(loaded)
        except Refused as refused:
            self._session.misread.emit(refused.problems)

    def stop(self) -> None:
        self._loading.drop()

    def open_sample(self) -> None:
        """Copy the sample hospital to the user's studies and open it there."""
        folder = self._session.home.studies / "sample-hospital"
        try:
            study = write_sample(folder, catalogue().language)
            self._open_sample_account()
        except OSError:
            self._session.failed.emit(refuse("home-unwritable", name=str(folder)).problems)
        except Refused as refused:
            self._session.failed.emit(refused.problems)
        else:
            self.open_study(study)

    def _open_sample_account(self) -> None:
        """The sample's account is there from the start: there is nothing to lose."""
        ledger = self._session.accounts.ledger()
        if all(account.name != SAMPLE_ACCOUNT for account in ledger.accounts()):
            ledger.new_account(
                SAMPLE_ACCOUNT, Epsilon.of(1), self.tr("Made-up patients of the sample.")
            )

    def studies_folder(self) -> Path:
        """Where new studies are kept until the user saves them elsewhere."""
        return self._settings.studies_folder or self._session.home.studies

    def _free_path(self, stem: str) -> Path:
        folder = self.studies_folder()
        if folder == self._settings.studies_folder and not folder.is_dir():
            # A share that is away must not be replaced by an empty folder of its name.
            raise refuse("studies-folder-missing", name=str(folder))
        folder.mkdir(parents=True, exist_ok=True)
        name = slug(stem) or "study"
        path, number = folder / f"{name}{STUDY_SUFFIX}", 2
        while path.exists():
            path, number = folder / f"{name}-{number}{STUDY_SUFFIX}", number + 1
        return path

    def _beside(self) -> str:
        """Where another study may lie: beside the open one, else where new ones are kept."""
        document = self._session.document
        return str(document.folder if document.path is not None else self.studies_folder())

    def _bundles(self) -> str:
        """Where a bundle may lie: where they are proposed to go."""
        return str(self._settings.bundles_folder or self._session.proposed_folder)

    def _ask(self, title: str, kinds: str, start: str = "") -> Path | None:
        return existing_file(self._window, title, start, kinds)


def _load(path: Path, _progress: Progress, cancel: CancelToken) -> StudyFile:
    """A study file, and what opening it asks for: each keeps what it was asked once.

    Raises:
        Refused: see ``dpdesk.study.json.study_files.load_study``.
    """
    # Loaded here: the window shows before there is anything to compile.
    from dpdesk.privacy.compiler import compile_query

    loaded = load_study(path)
    for query in loaded.study.queries:
        cancel.check()
        with suppress(Refused):
            compile_query(loaded.study, query)
    check(loaded.study)
    _ = loaded.written_size
    return loaded


def dropped_files(event: QDropEvent) -> list[Path]:
    """One local file, a bundle and then its notice, or data files; nothing of other drops."""
    urls = event.mimeData().urls()
    if not all(url.isLocalFile() for url in urls):
        return []
    paths = sorted(
        (Path(url.toLocalFile()) for url in urls), key=lambda path: path.suffix == NOTICE_SUFFIX
    )
    return paths if len(paths) == 1 or is_pair(paths) or all(map(_may_be_data, paths)) else []


def is_pair(paths: Sequence[Path]) -> bool:
    """Whether these are a bundle and then its notice."""
    return [path.suffix for path in paths] == [".zip", NOTICE_SUFFIX]


def _may_be_data(path: Path) -> bool:
    """Whether a file of several may hold data, by what it is called."""
    return path.is_file() and path.suffix.lower() not in (STUDY_SUFFIX, NOTICE_SUFFIX)
