# SPDX-License-Identifier: Apache-2.0
"""The study's data file: looked at where its source changed, off the GUI thread."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from dpdesk.desk.core.files.file_summary import (
    FileSummary,
    SummarySource,
    carried_over,
    classify,
    summarise,
    summary_source,
)
from dpdesk.desk.core.jobs.jobs import JobRunner
from dpdesk.desk.core.jobs.latest_job import LatestJob
from dpdesk.desk.core.network_paths import names_a_machine
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Problem, Refused


class DataFile(QObject):
    """What is known of the open study's data file.

    Args:
        looks: runs short looks at files.

    Attributes:
        summary: the file as last looked at.
        reads: how often it was read.

    Signals:
        changed: it was looked at, later than it was asked for.
    """

    changed = Signal()

    def __init__(self, looks: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self.summary = FileSummary()
        self.reads = 0
        self._summary_of: SummarySource | None = None
        self._read_from: SummarySource | None = None
        self._data: DataSource | None = None
        self._looks = looks
        self._latest = LatestJob(looks, self)
        self._is_starting = False
        self._is_new = False
        self._agreed: set[str] = set()
        self._located: tuple[object, tuple[Problem, ...]] = (None, ())

    @property
    def is_read_now(self) -> bool:
        """Whether it is being looked at, or was in this turn of the event loop."""
        return self.is_looking or self._is_new

    @property
    def is_looking(self) -> bool:
        return self._latest.is_pending

    def waits_to_connect(self, data: DataSource | None) -> bool:
        """Whether a file is on another computer and nobody agreed yet to connect to it."""
        return data is not None and names_a_machine(data.path) and data.path not in self._agreed

    def agree_to_connect(self, path: str) -> None:
        """Let a file be read although it is on another computer, until the window closes."""
        self._agreed.add(path)

    def forget(self) -> None:
        """Look at it again when it is next asked for, because it may have changed."""
        self._read_from = None

    def needs_look(self, data: DataSource | None) -> bool:
        """Whether its source may be another one than was looked at last."""
        return self._read_from is None or data is not self._data

    def look(self, data: DataSource | None, folder: Path) -> None:
        """Look at it where its source changed; ``changed`` follows unless it is quick."""
        self._data = data
        source = summary_source(data, folder)
        if source == self._read_from:
            return
        self._read_from = source
        if source != self._summary_of:
            self.summary = carried_over(self.summary, self._summary_of, source)
            self._summary_of = source
        self._latest.drop()
        if data is None or not data.path:
            self.summary = FileSummary()
        elif self.waits_to_connect(data):
            self.summary = FileSummary(problems=(Problem("$.data.path", "data-on-network"),))
        else:
            self._start(data, folder)

    def problems(self, study: Study) -> tuple[Problem, ...]:
        """What is wrong with it for a study; no column is missed while its header is unknown."""
        if self.summary.problems or not self.summary.header:
            return self.summary.problems
        asked = (self.summary.header, study.unit and study.unit.person, study.columns)
        if asked != self._located[0]:
            self._located = asked, _misplaced(study, self.summary.header)
        return self._located[1]

    def _start(self, data: DataSource, folder: Path) -> None:
        self._is_starting = self._is_new = True
        QTimer.singleShot(0, self, self._age)
        self._latest.run(
            summarise(data, folder),
            self._take,
            lambda found: self._take(FileSummary(problems=found)),
        )
        self._is_starting = False

    def _age(self) -> None:
        self._is_new = False

    def _take(self, summary: FileSummary) -> None:
        self.summary = summary
        self.reads += 1
        if summary.header:
            self._looks.run_later(classify(summary.header))
        if not self._is_starting:
            self.changed.emit()


def _misplaced(study: Study, header: tuple[str, ...]) -> tuple[Problem, ...]:
    """Declared columns that the file lacks or has twice."""
    # Loaded here: the readers come with it, and whoever looked at a file has them already.
    from dpdesk.data.opened import locate_columns

    try:
        locate_columns(study, header)
    except Refused as refused:
        return tuple(p for p in refused.problems if p.params["name"].strip())
    return ()
