# SPDX-License-Identifier: Apache-2.0
"""What a thread knows of a job: the work, the token, and where to lay what it has to tell.

No object of the window is in a thread's hands, because the last to let go of one destroys it, and
Qt's objects may be destroyed in the window's thread alone. The bell is the one exception: it is
kept until the program ends.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from functools import cache
from typing import Any

from PySide6.QtCore import QObject, Signal

from dpdesk.data.progress import Cancelled, CancelToken, Progress
from dpdesk.release import faults
from dpdesk.study.problem import Problem, Refused

Work = Callable[[Progress, CancelToken], Any]
OnFault = Callable[[str], None]
Message = tuple[str, Any]
STEP_S = 0.05


class Bell(QObject):
    """Rung by any thread when there is something to fetch.

    Signals:
        rung: a run has something to tell; carries nothing.
    """

    rung = Signal()


@cache
def bell() -> Bell:
    """The program's one bell; made in the window's thread, never destroyed before its end."""
    return Bell()


class Run:
    """One piece of work, as its thread sees it.

    What it tells is fetched in its order, so that the end never overtakes the progress.

    Attributes:
        token: asks the work to stop.
    """

    def __init__(self, work: Work, on_fault: OnFault) -> None:
        self.token = CancelToken()
        self._work: Work | None = work
        self._on_fault = on_fault
        self._told: deque[Message] = deque()
        self._last = 0.0
        self._is_over = threading.Event()
        self._bell = bell()

    def __call__(self) -> None:
        """Do the work; everything that comes of it is told, nothing raised."""
        end = self._end()
        # Before its end is known, so that the window lets go of the work after the thread did.
        self._work = None
        self._told.append(end)
        del end
        self._is_over.set()
        self._bell.rung.emit()

    def wait(self, seconds: float) -> bool:
        """Wait for the end; whether it came in time."""
        return self._is_over.wait(seconds)

    def fetch(self) -> Message | None:
        """What it has to tell next, if anything."""
        return self._told.popleft() if self._told else None

    def _end(self) -> Message:
        try:
            self.token.check()
            return "finished", self._result()
        except Cancelled:
            return "cancelled", None
        except Refused as refused:
            return "refused", refused.problems
        except BaseException as error:
            # Of a thread nobody else would hear: panics of Rust's are no Exception.
            self._on_fault(faults.describe(type(error), error.__traceback__))
            return "refused", (Problem("$", "internal-fault", {"kind": type(error).__name__}),)

    def _result(self) -> Any:
        if self._work is not None:
            return self._work(self._report_progress, self.token)
        return None

    def _report_progress(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self._last >= STEP_S or done >= total:
            self._last = now
            self._told.append(("progressed", (done, total)))
            self._bell.rung.emit()
