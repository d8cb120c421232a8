# SPDX-License-Identifier: Apache-2.0
"""One job at a time off the GUI thread, of which only the latest one's result is wanted.

The head of a text file is there in milliseconds, and a page that showed it a turn later would
flicker. A workbook or a slow share may take seconds, and the window must live on: all waits of one
turn of the event loop together last no longer than nobody notices.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject
from shiboken6 import isValid

from dpdesk.desk.core.jobs.at_work import AtWork
from dpdesk.desk.core.jobs.jobs import Job, JobRunner, Work
from dpdesk.study.problem import Problem

Problems = tuple[Problem, ...]


class LatestJob(AtWork):
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
        self,
        work: Work,
        then: Callable[[Any], None],
        refused: Callable[[Problems], None],
        progressed: Callable[[int, int], None] | None = None,
        is_long: bool = False,
        is_awaited: bool = False,
    ) -> None:
        """Start a job; unless it is dropped, one of the two is called with its result.

        Args:
            work: what is run.
            then: called with its result, maybe before this returns.
            refused: called with the problems that stopped it, maybe before this returns.
            progressed: called with done and total; of work that shows it, nothing is awaited.
            is_long: whether it lasts longer than anybody waits: it begins when the window has
                shown what it is at.
            is_awaited: whether it is mostly over in a moment, and awaited although it is shown.
        """
        self.drop()
        self.begin_work()
        job = self._job = self._jobs.run_later(work) if is_long else self._jobs.run(work)
        job.finished.connect(lambda result: self._end(job, then, result))
        job.refused.connect(lambda problems: self._end(job, refused, problems))
        if progressed is not None:
            job.progressed.connect(
                lambda done, total: progressed(done, total) if self._is_latest(job) else None
            )
        if is_awaited or (progressed is None and not is_long):
            self._jobs.wait_a_moment(job)

    def _is_latest(self, job: Job) -> bool:
        return job is self._job and isValid(self)

    def drop(self) -> None:
        """Cancel the job and drop its result."""
        if self._job is not None:
            self._job.cancel()
        self._job = None
        self.end_work()

    def _end(self, job: Job, take: Callable[[Any], None], result: Any) -> None:
        if job is self._job:
            self._job = None
            self.end_work()
            # What asked may have been deleted with its window, and its fields with it.
            if isValid(self):
                take(result)
