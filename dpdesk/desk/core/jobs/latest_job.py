# SPDX-License-Identifier: Apache-2.0
"""A short look at a file, off the GUI thread: at once where it is quick, later where it is not.

The head of a text file is there in milliseconds, and a page that showed it a turn later would
flicker. A workbook or a slow share may take seconds, and the window must live on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject

from dpdesk.desk.core.jobs.jobs import Job, JobRunner, Work
from dpdesk.study.problem import Problem

Problems = tuple[Problem, ...]
PATIENCE_MS = 50
"""A wait that nobody notices."""


class LatestJob(QObject):
    """One job at a time: a new one cancels the one before, whose result is dropped.

    Args:
        jobs: runs the work; must have room for some that do not end.
    """

    def __init__(self, jobs: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._job: Job | None = None

    @property
    def is_pending(self) -> bool:
        """Whether a result is still to come."""
        return self._job is not None

    def run(
        self, work: Work, then: Callable[[Any], None], refused: Callable[[Problems], None]
    ) -> None:
        """Start a job; one of the two is called with its result, maybe before this returns."""
        self.drop()
        job = self._job = self._jobs.run(work)
        job.finished.connect(lambda result: self._end(job, then, result))
        job.refused.connect(lambda problems: self._end(job, refused, problems))
        job.wait(PATIENCE_MS)

    def drop(self) -> None:
        """Cancel the job and drop its result."""
        if self._job is not None:
            self._job.cancel()
        self._job = None

    def _end(self, job: Job, tell: Callable[[Any], None], result: Any) -> None:
        if job is self._job:
            self._job = None
            tell(result)
