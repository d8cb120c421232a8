# SPDX-License-Identifier: Apache-2.0
"""How long work reports how far it is, and is asked to stop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
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


def of_files(progress: Progress, paths: Sequence[Path]) -> list[Progress]:
    """For each of some files, read one after the other, what reports how far all of them are."""
    sizes = [_size(path) for path in paths]
    total = sum(sizes)

    def part(before: int, size: int) -> Progress:
        return lambda done, of: progress(before + size * min(done, of) // max(of, 1), total)

    if len(paths) == 1:
        return [progress]
    return [part(sum(sizes[:at]), size) for at, size in enumerate(sizes)]


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except (OSError, ValueError):
        return 0
