# SPDX-License-Identifier: Apache-2.0
"""The files of a study beside its first one, looked at off the GUI thread, each by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from dpdesk.desk.core.edits.file_place import FilePlace, all_files
from dpdesk.desk.core.files.file_summary import (
    FileSummary,
    SummarySource,
    summarise,
    summary_source,
)
from dpdesk.desk.core.jobs.jobs import JobRunner
from dpdesk.desk.core.jobs.latest_job import LatestJob
from dpdesk.desk.core.network_paths import names_a_machine
from dpdesk.study.checks.table_checks import moved
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import MAIN
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Problem, Refused

Headers = Mapping[str, tuple[tuple[str, ...], ...]]
"""Of each table the header of each of its files that was read."""


class FurtherFiles(QObject):
    """What is known of the files of further tables, and of further files of the main one.

    Args:
        looks: runs short looks at files.

    Signals:
        changed: one of them was looked at, later than it was asked for.

    Attributes:
        tried: a study that a dialog asks about: its files are looked at beside the open study's.
    """

    changed = Signal()

    def __init__(self, looks: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._looks = looks
        self._known: dict[SummarySource, FileSummary] = {}
        self._pending: dict[SummarySource, LatestJob] = {}
        self._reads: Counter[SummarySource] = Counter()
        self._agreed: set[str] = set()
        self._folder = Path()
        self.tried: Study | None = None

    @property
    def is_looking(self) -> bool:
        return bool(self._pending)

    def agree_to_connect(self, path: str) -> None:
        """Let a file be read although it is on another computer, until the window closes."""
        self._agreed.add(path)

    def forget(self) -> None:
        """Look at all of them again when they are next asked for."""
        self._known.clear()

    def look(self, study: Study, folder: Path) -> None:
        """Look at those that are new; ``changed`` follows unless it is quick."""
        self._folder = folder
        files = [source for _, source in further_files(study)]
        if self.tried is not None:
            files += [source for _, source in all_files(self.tried)]
        wanted = {summary_source(source, folder): source for source in files}
        for gone in self._pending.keys() - wanted.keys():
            self._pending.pop(gone).drop()
        for key, source in wanted.items():
            if key not in self._known and key not in self._pending:
                self._start(key, source, folder)

    def _start(self, key: SummarySource, source: DataSource, folder: Path) -> None:
        if not source.path:
            self._known[key] = FileSummary(problems=(Problem("$.data.path", "data-not-chosen"),))
        elif self.waits_to_connect(source):
            self._known[key] = FileSummary(problems=(Problem("$.data.path", "data-on-network"),))
        else:
            job = self._pending[key] = LatestJob(self._looks, self)
            is_starting = True

            def take(summary: FileSummary) -> None:
                self._pending.pop(key, None)
                self._known[key] = summary
                self._reads[key] += 1
                if not is_starting:
                    self.changed.emit()

            job.run(
                summarise(source, folder), take, lambda found: take(FileSummary(problems=found))
            )
            is_starting = False

    def summary(self, source: DataSource) -> FileSummary:
        """One of them as last looked at; nothing is known of one that is being looked at."""
        return self._known.get(summary_source(source, self._folder), FileSummary())

    def reads(self, source: DataSource) -> int:
        """How often one of them was read."""
        return self._reads[summary_source(source, self._folder)]

    def waits_to_connect(self, source: DataSource) -> bool:
        """Whether one is on another computer and nobody agreed yet to connect to it."""
        return names_a_machine(source.path) and source.path not in self._agreed

    def headers(self, study: Study) -> Headers:
        """The headers that are known, by table; the main table's first file is not among them."""
        found: dict[str, list[tuple[str, ...]]] = {}
        for table, source in further_files(study):
            if header := self.summary(source).header:
                found.setdefault(table, []).append(header)
        return {table: tuple(headers) for table, headers in found.items()}

    def problems(self, study: Study, main: tuple[str, ...]) -> tuple[Problem, ...]:
        """What is wrong with them: unreadable, or without what is declared of their table.

        Args:
            main: the header of the main table's first file; empty while unknown.
        """
        found: list[Problem] = []
        for place, source in all_files(study):
            if not place.is_first:
                found += moved(self.summary(source).problems, "$.data", place.path(study))
        headers = self.headers(study)
        names = [table.name for table in study.tables]
        for name in names if study.data is None or not study.data.more else [MAIN, *names]:
            data = study.data_of(name)
            known = headers.get(name, ())
            whole = (main, *known) if name == MAIN else known
            if data is not None and len(whole) == len(data.files) and all(whole):
                found += _misplaced(study, name, whole)
        return tuple(found)


def further_files(study: Study) -> list[tuple[str, DataSource]]:
    """Every file but the main table's first, with the name of its table."""
    return [(place.table, one) for place, one in all_files(study) if not place.is_first]


def file_problems(study: Study, place: FilePlace, summary: FileSummary) -> tuple[Problem, ...]:
    """Why a file cannot be read, or which ids it lacks: each file of a table has them."""
    if summary.problems or not summary.header:
        return summary.problems
    from dpdesk.data.opened import misplaced_ids

    found = misplaced_ids(study, place.table, summary.header)
    return tuple(p for p in found if p.params["name"].strip())


def _misplaced(
    study: Study, table: str, headers: tuple[tuple[str, ...], ...]
) -> tuple[Problem, ...]:
    # Loaded here: the readers come with it, and who looked at a file has them already.
    from dpdesk.data.opened import locate_in_files

    try:
        locate_in_files(study, table, headers)
    except Refused as refused:
        return tuple(p for p in refused.problems if p.params["name"].strip())
    return ()
