# SPDX-License-Identifier: Apache-2.0
"""Work off the GUI thread: a plain function with a progress callable and a cancel token.

What the function reports is fetched in the GUI thread, in its order. Exceptions arrive as values;
a refusal carries its problems, anything else is a fault of ours: its type is shown and its places
in the code are noted, because its text could hold data.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from dpdesk.data.progress import Cancelled, CancelToken, Progress
from dpdesk.desk.core.jobs.workers import Workers
from dpdesk.program import faults
from dpdesk.study.problem import Problem, Refused

__all__ = ["Job", "JobRunner", "Work"]

WAIT_S = 5.0
FETCH_MS = 15
"""Looking after what runs so often is neither noticed nor felt."""
PATIENCE_MS = 20
"""A wait that nobody notices, in one turn of the event loop."""
SHOWN_MS = 100
"""What was asked for is on the screen by then: a thread at work takes half of the interpreter."""


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

    def __init__(
        self, work: Work, parent: QObject | None = None, on_fault: OnFault = lambda _text: None
    ) -> None:
        super().__init__(parent)
        # Held here, too: whatever the work refers to is let go in this thread.
        self._work = work
        self._run = JobRun(work, on_fault)
        self.is_running = False

    def start(self, workers: Workers) -> None:
        """Begin in a thread of the workers."""
        self.is_running = True
        workers.start(self._run)

    def cancel(self) -> None:
        """Ask the work to stop; it does within a second, or not at all once the draw began."""
        self._run.token.cancel()

    def wait(self, milliseconds: int) -> None:
        """Wait a moment for the work, and report its end at once where it came in time."""
        if self._run.wait(milliseconds / 1000):
            self.deliver()

    def deliver(self) -> None:
        """Report what there is to report, in its order."""
        for shown in self._run.fetch():
            self._deliver(*shown)

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
    """Runs jobs, one after the other by default, and stops them when the window closes.

    Args:
        parent: what it goes with. Without one Python would destroy it with the last to refer to
            it; that may be the end of one of its own jobs, which would be destroyed twice.
        on_fault: notes what went wrong in our own code.
        at_once: how many jobs may run at the same time.

    Signals:
        started: a job began; carries it.
        idle: no job is running any more.
    """

    started = Signal(object)
    idle = Signal()

    def __init__(
        self,
        parent: QObject,
        on_fault: OnFault = lambda _text: None,
        at_once: int = 1,
    ) -> None:
        super().__init__(parent)
        self._on_fault = on_fault
        self._workers = Workers(at_once)
        self._jobs: list[Job] = []
        self._waited_ms = 0.0
        self._timer = QTimer(self, interval=FETCH_MS)
        self._timer.timeout.connect(self._deliver)

    @property
    def current(self) -> Job | None:
        """The job that runs or, where several wait, the one started last."""
        return self._jobs[-1] if self._jobs else None

    def run(self, work: Work) -> Job:
        """Start a job; connect its signals before returning to the event loop."""
        job = self._take(work)
        self._start(job)
        return job

    def run_later(self, work: Work) -> Job:
        """Start a job whose result nobody waits for, when the window has shown what it is at."""
        job = self._take(work)
        QTimer.singleShot(SHOWN_MS, job, lambda: self._start(job))
        return job

    def _take(self, work: Work) -> Job:
        job = Job(work, self, self._on_fault)
        self._jobs.append(job)
        job.ended.connect(lambda: self._end(job))
        return job

    def _start(self, job: Job) -> None:
        job.start(self._workers)
        self._timer.start()
        self.started.emit(job)

    def wait_a_moment(self, job: Job) -> None:
        """Wait for a job as long as this turn of the event loop may still wait for any.

        Opening one file starts four looks at it; a wait for each held the window up for longer
        than the work itself.
        """
        if self._waited_ms == 0.0:
            QTimer.singleShot(0, self, self._rest)
        begun = time.monotonic()
        job.wait(max(0, round(PATIENCE_MS - self._waited_ms)))
        self._waited_ms += 1000 * (time.monotonic() - begun)

    def _rest(self) -> None:
        self._waited_ms = 0.0

    def stop(self) -> bool:
        """Cancel what runs and what waits, and wait for it; for closing the window.

        Returns:
            Whether all of it stopped; what hangs is left behind and ends with the program.
        """
        for job in self._jobs:
            job.cancel()
        return self._workers.wait(WAIT_S)

    def _deliver(self) -> None:
        for job in tuple(self._jobs):
            job.deliver()

    def _end(self, job: Job) -> None:
        self._jobs.remove(job)
        job.deleteLater()
        if not self._jobs:
            self._timer.stop()
            self.idle.emit()


Work = Callable[[Progress, CancelToken], Any]
OnFault = Callable[[str], None]
Message = tuple[str, Any]
STEP_S = 0.05


class JobRun:
    """One piece of work, as its thread sees it.

    What it reports is fetched in its order, so that the end never overtakes the progress.

    Attributes:
        token: asks the work to stop.
    """

    def __init__(self, work: Work, on_fault: OnFault) -> None:
        self.token = CancelToken()
        self._work: Work | None = work
        self._on_fault = on_fault
        self._messages: deque[Message] = deque()
        self._last = 0.0
        self._is_all_reported = False
        self._is_over = threading.Event()

    def __call__(self) -> None:
        """Do the work; everything that comes of it is reported, nothing raised."""
        end = self._end()
        # Before its end is known, so that the window lets go of the work after the thread did.
        self._work = None
        self._messages.append(end)
        del end
        self._is_over.set()

    def wait(self, seconds: float) -> bool:
        """Wait for the end; whether it came in time."""
        return self._is_over.wait(seconds)

    def fetch(self) -> list[Message]:
        """What it has reported since; what it reports meanwhile is for the next time."""
        return [self._messages.popleft() for _ in range(len(self._messages))]

    def _end(self) -> Message:
        try:
            self.token.check()
            return "finished", self._result()
        except Cancelled:
            return "cancelled", None
        except Refused as refused:
            return "refused", refused.problems
        except BaseException as error:  # noqa: BLE001 - of a thread nobody else would hear
            # Of a thread nobody else would hear: panics of Rust's are no Exception.
            self._on_fault(faults.describe(type(error), error.__traceback__))
            return "refused", (Problem("$", "internal-fault", {"kind": type(error).__name__}),)

    def _result(self) -> Any:
        if self._work is not None:
            return self._work(self._report_progress, self.token)
        return None

    def _report_progress(self, done: int, total: int) -> None:
        now, is_all = time.monotonic(), done >= total
        if now - self._last >= STEP_S or (is_all and not self._is_all_reported):
            self._last, self._is_all_reported = now, is_all
            self._messages.append(("progressed", (done, total)))
