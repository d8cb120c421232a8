# SPDX-License-Identifier: Apache-2.0
"""What a thread knows of a job: the work, the token, and where to lay what it has to tell. No Qt.

No object of the window is in a thread's hands: the last to let go of one destroys it, which the
window's thread alone may do, and a signal from a thread that outlives the window meets half of Qt
gone. The window comes and fetches.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from dpdesk.data.progress import Cancelled, CancelToken, Progress
from dpdesk.program import faults
from dpdesk.study.problem import Problem, Refused

Work = Callable[[Progress, CancelToken], Any]
OnFault = Callable[[str], None]
Message = tuple[str, Any]
STEP_S = 0.05


class JobRun:
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
        self._is_all_told = False
        self._is_over = threading.Event()

    def __call__(self) -> None:
        """Do the work; everything that comes of it is told, nothing raised."""
        end = self._end()
        # Before its end is known, so that the window lets go of the work after the thread did.
        self._work = None
        self._told.append(end)
        del end
        self._is_over.set()

    def wait(self, seconds: float) -> bool:
        """Wait for the end; whether it came in time."""
        return self._is_over.wait(seconds)

    def fetch(self) -> list[Message]:
        """What it has told since; what it tells meanwhile is for the next time."""
        return [self._told.popleft() for _ in range(len(self._told))]

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
        if now - self._last >= STEP_S or (is_all and not self._is_all_told):
            self._last, self._is_all_told = now, is_all
            self._told.append(("progressed", (done, total)))
