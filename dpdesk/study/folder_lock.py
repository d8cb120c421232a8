# SPDX-License-Identifier: Apache-2.0
"""One program at a time looks at a file in a folder and puts another in its place.

Who looks just before replacing still leaves a moment in which another program writes, and loses
it. Anyone who replaces files here holds the folder's lock from the look to the end, so two windows
of one machine take turns. It ends with the process that holds it, and leaves nothing behind.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

WAIT_S = 5.0
"""A look and a change of names take milliseconds; on a slow share they may take longer."""


class FolderBusyError(OSError):
    """Another program keeps the folder's lock."""


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Keep other programs from replacing files of a folder while the body does.

    A file system that knows no such lock goes without.

    Raises:
        FolderBusyError: another program kept it for too long.
    """
    try:
        lock = _locked(folder)
    except FolderBusyError:
        raise
    except OSError:
        lock = None
    try:
        yield
    finally:
        if lock is not None:
            _unlock(lock)


if sys.platform == "win32":
    import msvcrt
    import tempfile
    import zlib

    _LOCKS = 16
    """A folder cannot be locked there, so that some share one of so many files of the user's."""

    def _locked(folder: Path) -> int:
        """Lock a file that represents the folder; tried for ten seconds."""
        number = zlib.crc32(os.fsencode(os.path.normcase(os.path.realpath(folder)))) % _LOCKS
        name = Path(tempfile.gettempdir()) / f"dpdesk-{number}.lock"
        handle = os.open(name, os.O_RDWR | os.O_CREAT | os.O_NOINHERIT)
        try:
            msvcrt.locking(handle, msvcrt.LK_LOCK, 1)
        except OSError:
            os.close(handle)
            raise FolderBusyError from None
        return handle

    def _unlock(lock: int) -> None:
        try:
            os.lseek(lock, 0, os.SEEK_SET)
            msvcrt.locking(lock, msvcrt.LK_UNLCK, 1)
        finally:
            os.close(lock)

else:
    import fcntl
    from threading import Event, Lock, Thread

    def _locked(folder: Path) -> int:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return _waited_for(handle)
        except BaseException:
            os.close(handle)
            raise
        return handle

    def _waited_for(handle: int) -> int:
        """The handle, once it has the lock; one that is given up is closed when it gets it."""
        deciding, has_it, is_given_up = Lock(), Event(), Event()

        def wait() -> None:
            with suppress(OSError):
                fcntl.flock(handle, fcntl.LOCK_EX)
                with deciding:
                    if not is_given_up.is_set():
                        has_it.set()
                        return
            os.close(handle)

        waiting = Thread(target=wait, daemon=True)
        waiting.start()
        waiting.join(WAIT_S)
        with deciding:
            if has_it.is_set():
                return handle
            is_given_up.set()
        raise FolderBusyError

    def _unlock(lock: int) -> None:
        # A forked process may have the handle, too: closing alone would not unlock.
        try:
            fcntl.flock(lock, fcntl.LOCK_UN)
        finally:
            os.close(lock)
