# SPDX-License-Identifier: Apache-2.0
"""Work off the GUI thread: a plain function with a progress callable and a cancel token.

What the function reports arrives through queued signals, so that the end never overtakes the
progress. Exceptions arrive as values; a refusal carries its problems, anything else is a fault
of ours: its type is told and its places in the code are noted, because its text could hold data.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QObject,
    QRunnable,
    Qt,
    QThreadPool,
    Signal,
    Slot,
)

from dpdesk.data.progress import Cancelled, CancelToken, Progress
from dpdesk.release import faults
from dpdesk.study.problem import Problem, Refused

Work = Callable[[Progress, CancelToken], Any]
OnFault = Callable[[str], None]
STEP_S = 0.05
WAIT_MS = 5_000


class Job(QObject):
    """One piece of work in progress.

    Signals:
        progressed: done and total, in the work's own measure (bytes).
        finished: the result.
        refused: the problems that stopped it, as a tuple; nothing was spent.
        cancelled: it stopped because it was asked to.
        ended: after any of the three.
    """

    progressed = Signal(object, object)
    finished = Signal(object)
    refused = Signal(object)
    cancelled = Signal()
    ended = Signal()
    _reported = Signal(str, object)

    def __init__(
        self, work: Work, parent: QObject | None = None, on_fault: OnFault = lambda _text: None
    ) -> None:
        super().__init__(parent)
        self._on_fault = on_fault
        self.token = CancelToken()
        self.is_running = False
        self._work = work
        self._last = 0.0
        self._has_run = threading.Event()
        self._reported.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def start(self, pool: QThreadPool) -> None:
        """Begin in a thread of the pool."""
        self.is_running = True
        pool.start(QRunnable.create(self._run))

    def cancel(self) -> None:
        """Ask the work to stop; it does within a second, or not at all once the draw began."""
        self.token.cancel()

    def wait(self, milliseconds: int) -> None:
        """Wait a moment for the work, and tell its end at once where it came in time."""
        if self._has_run.wait(milliseconds / 1000):
            QCoreApplication.sendPostedEvents(self, QEvent.Type.MetaCall)

    def _run(self) -> None:
        try:
            self._work_and_report()
        finally:
            self._has_run.set()

    def _work_and_report(self) -> None:
        try:
            result = self._work(self._report_progress, self.token)
        except Cancelled:
            self._reported.emit("cancelled", None)
        except Refused as refused:
            self._reported.emit("refused", refused.problems)
        except Exception as error:
            self._on_fault(faults.describe(type(error), error.__traceback__))
            problem = Problem("$", "internal-fault", {"kind": type(error).__name__})
            self._reported.emit("refused", (problem,))
        else:
            self._reported.emit("finished", result)

    def _report_progress(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self._last >= STEP_S or done >= total:
            self._last = now
            self._reported.emit("progressed", (done, total))

    @Slot(str, object)
    def _deliver(self, kind: str, value: Any) -> None:
        if kind == "progressed":
            self.progressed.emit(*value)
            return
        self.is_running = False
        if kind == "finished":
            self.finished.emit(value)
        elif kind == "refused":
            self.refused.emit(value)
        else:
            self.cancelled.emit()
        self.ended.emit()


class JobRunner(QObject):
    """Runs jobs, one after the other unless told, and stops them when the window closes.

    Signals:
        started: a job began; carries it.
        idle: no job is running any more.
    """

    started = Signal(object)
    idle = Signal()

    def __init__(
        self,
        parent: QObject | None = None,
        on_fault: OnFault = lambda _text: None,
        at_once: int = 1,
    ) -> None:
        super().__init__(parent)
        self._on_fault = on_fault
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(at_once)
        self._jobs: list[Job] = []

    @property
    def current(self) -> Job | None:
        """The job that runs or, where several wait, the one started last."""
        return self._jobs[-1] if self._jobs else None

    def run(self, work: Work) -> Job:
        """Start a job; connect its signals before returning to the event loop."""
        job = Job(work, self, self._on_fault)
        self._jobs.append(job)
        job.ended.connect(lambda: self._end(job))
        job.start(self._pool)
        self.started.emit(job)
        return job

    def stop(self) -> bool:
        """Cancel what runs and what waits, and wait for it; for closing the window."""
        for job in self._jobs:
            job.cancel()
        return bool(self._pool.waitForDone(WAIT_MS))

    def _end(self, job: Job) -> None:
        self._jobs.remove(job)
        job.deleteLater()
        if not self._jobs:
            self.idle.emit()
