# SPDX-License-Identifier: Apache-2.0
"""Plain Python threads that work off what they are given. No Qt.

Qt's own pool is no choice: it deletes a runnable behind its Python wrapper, which stays registered
under the address, and the next object made there is taken for a runnable.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

NAME = "job"


def are_left() -> bool:
    """Whether a thread still works, or hangs."""
    return any(thread.name == NAME for thread in threading.enumerate())


class Workers:
    """A few threads, begun when there is work and ended when there is none.

    They are daemons: a read from a share that hangs cannot be interrupted, and must not keep the
    program from ending. What must be whole at any moment (ledger, files) is written so that an end
    at any moment leaves it whole.

    Args:
        at_once: how many pieces of work may run at the same time; the others wait for their turn.
    """

    def __init__(self, at_once: int = 1) -> None:
        self._at_once = at_once
        self._waiting: deque[Callable[[], None]] = deque()
        self._running = 0
        self._changed = threading.Condition()

    def start(self, work: Callable[[], None]) -> None:
        """Do some work, which raises nothing, as soon as a thread is free."""
        with self._changed:
            self._waiting.append(work)
            if self._running == self._at_once:
                return
            self._running += 1
        threading.Thread(target=self._work_off, name=NAME, daemon=True).start()

    def wait(self, seconds: float) -> bool:
        """Wait until nothing runs and nothing waits.

        Returns:
            Whether that came to pass in time.
        """
        with self._changed:
            return self._changed.wait_for(lambda: self._running == 0, seconds)

    def _work_off(self) -> None:
        while (work := self._next()) is not None:
            work()
            # What it holds is let go before the next wait.
            del work

    def _next(self) -> Callable[[], None] | None:
        with self._changed:
            if self._waiting:
                return self._waiting.popleft()
            self._running -= 1
            self._changed.notify_all()
            return None
