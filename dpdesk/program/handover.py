# SPDX-License-Identifier: Apache-2.0
"""A file that is opened by double-click goes to the window that is open already. No socket, no Qt.

The first window locks a file in a folder of the user's own; the system frees the lock when the
process ends, however it ends. A later start leaves a request there: a file that holds one absolute
path. Anyone who renames a request has it, so that it is opened once: the window that takes or
declines it, or the start that has waited long enough and opens a window of its own.

Anyone who can write into the folder can make the window open a file, so it is used only where it
belongs to this user and nobody else may write there. Windows keeps a user's folders to the user by
itself.
"""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import time
from pathlib import Path
from typing import BinaryIO

from dpdesk.release.places.home import Home
from dpdesk.study.file_lock import lock_at_once
from dpdesk.study.regular_file import open_regular

FOLDER, LOCK = "handover", "lock"
REQUEST, TAKEN, DECLINED, NEW = ".request", ".taken", ".declined", ".new"
WAIT_S = 2.0
"""A window answers within a tenth of a second; one that computes or hangs is not waited for."""
STEP_S = 0.02
STALE_S = 10.0
"""Nobody waits any more for a request of this age, or for one from so far in the future."""
MOST_BYTES = 100_000


class Inbox:
    """Where the first window finds what later starts ask it to open.

    Attributes:
        folder: what to watch for changes.
    """

    def __init__(self, folder: Path, lock: BinaryIO) -> None:
        self.folder = folder
        self._lock = lock

    @classmethod
    def open(cls, home: Home) -> Inbox | None:
        """The inbox; None where another window has it, or the folder is not the user's alone."""
        folder = home.root / FOLDER
        with contextlib.suppress(OSError):
            folder.mkdir(mode=0o700, exist_ok=True)
            if not _is_private(folder):
                return None
            lock = (folder / LOCK).open("a+b")
            try:
                lock_at_once(lock)
            except OSError:
                lock.close()
                return None
            return cls(folder, lock)
        return None

    def close(self) -> None:
        """Let another window have it; anyone who still waits opens a window of its own."""
        for request in self.requests():
            self.decline(request)
        self._lock.close()

    @property
    def is_empty(self) -> bool:
        """Whether nothing is there that a start could have left behind."""
        try:
            return all(path.name == LOCK for path in self.folder.iterdir())
        except OSError:
            return True

    def requests(self) -> list[Path]:
        """Requests that somebody waits for; what else is there is removed."""
        fresh = []
        with contextlib.suppress(OSError):
            for path in sorted(self.folder.iterdir()):
                if path.suffix == REQUEST and _is_fresh(path):
                    fresh.append(path)
                elif path.name != LOCK and not _is_fresh(path):
                    _remove(path)
        return fresh

    def take(self, request: Path) -> Path | None:
        """The path that a request holds; None where it holds none or nobody waits any more."""
        taken = request.with_suffix(TAKEN)
        try:
            os.replace(request, taken)
            with open_regular(taken) as stream:
                return _path_in(stream.read(MOST_BYTES + 1))
        except OSError:
            return None
        finally:
            _remove(taken)

    def decline(self, request: Path) -> None:
        """Let the start that asks open a window of its own at once.

        The answer holds no path: it stays where the start was killed meanwhile.
        """
        with contextlib.suppress(OSError):
            declined = request.with_suffix(DECLINED)
            _write(declined, b"")
            try:
                request.unlink()
            except FileNotFoundError:  # withdrawn
                _remove(declined)


def hand_over(home: Home, path: Path, wait_s: float = WAIT_S) -> bool:
    """Ask the open window to open a file.

    Returns:
        Whether it does; if not, nobody else will open it either.
    """
    folder = home.root / FOLDER
    request = folder / f"{time.time_ns()}-{os.getpid()}{REQUEST}"
    try:
        if not _is_private(folder):
            return False
        _write(request, os.fsencode(path.absolute()))
        return _is_taken(request, wait_s)
    except OSError:
        return False
    except BaseException:  # such as Ctrl+C: nobody waits for an answer any more
        for left in (request, request.with_suffix(NEW), request.with_suffix(DECLINED)):
            _remove(left)
        raise


def _write(request: Path, content: bytes) -> None:
    """All of it at once: a window must not find half a path."""
    unfinished = request.with_suffix(NEW)
    unfinished.write_bytes(content)
    os.replace(unfinished, request)


def _is_taken(request: Path, wait_s: float) -> bool:
    """Wait until a window has decided; withdraw the request where none does."""
    declined = request.with_suffix(DECLINED)
    until = time.monotonic() + wait_s
    while request.exists() and time.monotonic() < until:
        time.sleep(STEP_S)
    try:
        request.unlink()
    except FileNotFoundError:
        return not _remove(declined)
    return False


def _path_in(content: bytes) -> Path | None:
    if len(content) > MOST_BYTES or b"\0" in content:
        return None
    path = Path(os.fsdecode(content))
    return path if path.is_absolute() else None


def _is_private(folder: Path) -> bool:
    """Whether nobody but this user can put anything there, or another folder in its place."""
    found, around = folder.lstat(), folder.parent.stat()
    if not stat.S_ISDIR(found.st_mode):
        return False
    if sys.platform == "win32":
        return True
    mine = os.getuid()
    others = stat.S_IWGRP | stat.S_IWOTH
    is_closed = not found.st_mode & (stat.S_IRWXG | stat.S_IRWXO)
    return found.st_uid == around.st_uid == mine and is_closed and not around.st_mode & others


def _is_fresh(path: Path) -> bool:
    with contextlib.suppress(OSError):
        return abs(time.time() - path.lstat().st_mtime) < STALE_S
    return False


def _remove(path: Path) -> bool:
    try:
        path.unlink()
    except OSError:
        return False
    return True
