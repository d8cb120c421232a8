# SPDX-License-Identifier: Apache-2.0
"""A process for the file that is looked at, and one that has seen no file yet.

A file may harm the library that reads it without anybody noticing, and what that library then
read of another file would be wrong. So a process belongs to the file it was first asked about. It
is kept while that file is asked about again, as it is while somebody chooses a sheet, and ended
as soon as another file is read or the file has changed: it never opens a second one.

To start a process takes a hundred times as long as to ask one that runs, so one is started ahead.
It is as safe as a new one: nothing was asked of it but to load our own libraries, so it has opened
no file and read no byte of one. It is handed one file, belongs to that from then on, and another
one is started. One that is not ready yet stays for the file after.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Sequence
from pathlib import Path
from threading import Lock

from dpdesk.data.reader_process.child import Child
from dpdesk.data.reader_process.frames import Broken, FrameKind
from dpdesk.data.reader_process.messages import to_json

FileMark = tuple[tuple[str | int, ...], ...]
"""Which files, and as they now are."""

_lock = Lock()
_assigned: tuple[FileMark, Child] | None = None
_waiting: Child | None = None


def mark_of(paths: Sequence[Path]) -> FileMark | None:
    """Some files as they are; ``None`` where one is not there."""
    try:
        states = [(str(path.absolute()), path.stat()) for path in paths]
    except (OSError, ValueError):
        return None
    return tuple((name, s.st_size, s.st_mtime_ns, s.st_ctime_ns) for name, s in states)


def take(mark: FileMark | None) -> Child:
    """The process of this file, or one that has seen none; the caller's until it is let go."""
    global _assigned, _waiting
    with _lock:
        assigned, _assigned = _assigned, None
        if assigned is not None and assigned[0] == mark and assigned[1].lives:
            return assigned[1]
        fresh = _waiting if _waiting is not None and _waiting.is_ready else None
        _waiting = None if fresh is not None else _waiting
    if assigned is not None:
        assigned[1].end()
    if fresh is not None:
        if _is_prepared(fresh):
            return fresh
        fresh.end()
    # Also where the one started ahead is not ready: to wait for it would take longer.
    return Child()


def _is_prepared(child: Child) -> bool:
    try:
        frame = child.answer()
    except Broken:
        return False
    return child.lives and (frame.kind, frame.content) == (FrameKind.VALUE, b"null")


def keep(mark: FileMark, child: Child) -> None:
    """Keep the process of a file for that file alone, and end that of the one before."""
    global _assigned
    with _lock:
        before, _assigned = _assigned, (mark, child)
    if before is not None:
        before[1].end()


def start_ahead() -> None:
    """Let a process for the next file be ready, unless one is."""
    global _waiting
    with _lock:
        if _waiting is None:
            try:
                _waiting = Child()
                _waiting.ask(to_json({"operation": "prepare"}))
            except (OSError, Broken):
                # Who reads the next file starts one, or hears of it.
                return


def end_all() -> None:
    for child in _given_up():
        child.end()


def _given_up() -> list[Child]:
    global _assigned, _waiting
    with _lock:
        assigned, _assigned, fresh, _waiting = _assigned, None, _waiting, None
    return ([] if assigned is None else [assigned[1]]) + ([] if fresh is None else [fresh])


def _forget() -> None:
    """A copy of this process must not ask its children, nor hold their pipes open."""
    global _lock
    _lock = Lock()
    for child in _given_up():
        child.disown()


atexit.register(end_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
