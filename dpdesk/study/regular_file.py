# SPDX-License-Identifier: Apache-2.0
"""Opening a file that somebody named: a file, and nothing that waits or answers without end.

Opening a pipe waits for anyone who writes into it, opening a device may do anything.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO


def open_regular(path: Path) -> BinaryIO:
    """Open a file for reading, if it is a regular one or leads to one.

    Raises:
        OSError: it cannot be opened, or is a folder, pipe, device or socket.
        ValueError: no file can have such a name.
    """
    # A device is not even opened.
    _demand_regular(os.stat(path))
    # Another may have been put in its place since.
    return _regular(_open_at_once(path))


def is_special(path: Path) -> bool:
    """Whether a name leads to a pipe, device or socket, which another library waits to open."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _open_at_once(path: Path) -> BinaryIO:
    """Open without waiting for anyone but a file server that has lent the file out."""
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        handle = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    except BlockingIOError:
        handle = os.open(path, flags)
    return os.fdopen(handle, "rb")


def _regular(stream: BinaryIO) -> BinaryIO:
    try:
        _demand_regular(os.fstat(stream.fileno()))
    except BaseException:
        stream.close()
        raise
    return stream


def _demand_regular(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a regular file")


def append_regular(path: Path) -> BinaryIO:
    """Open a file to append to it, if it is a regular one; made for its owner alone.

    Raises:
        OSError: it cannot be opened, or is a folder, pipe, device or socket.
    """
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
    # A pipe that nobody reads would be waited for.
    for name in ("O_BINARY", "O_CLOEXEC", "O_NONBLOCK"):
        flags |= getattr(os, name, 0)
    return _regular(os.fdopen(os.open(path, flags, 0o600), "ab"))


def real_path(path: Path) -> Path:
    """Where a path leads through its links; a link that leads back to itself leads to itself.

    ``Path.resolve`` raises ``RuntimeError`` there, which nobody who handles files expects.
    """
    return Path(os.path.realpath(path))
