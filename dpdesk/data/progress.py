# SPDX-License-Identifier: Apache-2.0
"""How long work tells how far it is, and is told to stop."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

Progress = Callable[[int, int], None]
"""Called with the bytes done and the bytes in all."""


class Cancelled(Exception):
    """The work was stopped by the one who asked for it."""


class CancelToken:
    """A flag that one thread raises and another one looks at."""

    def __init__(self) -> None:
        self._event = Event()

    @property
    def cancelled(self) -> bool:
        return self._event.is_set()

    def cancel(self) -> None:
        self._event.set()

    def check(self) -> None:
        """Stop here if that was asked for.

        Raises:
            Cancelled: it was.
        """
        if self.cancelled:
            raise Cancelled


def no_progress(done: int, total: int) -> None:
    """Report to nobody."""
