# SPDX-License-Identifier: Apache-2.0
"""One idle child, kept for the next file: starting one takes longer than reading a small file."""

from __future__ import annotations

import atexit
import os
from threading import Lock

from dpdesk.data.reader_process.child import Child

_lock = Lock()
_idle: Child | None = None


def take() -> Child:
    """The idle child, or a new one; it is the caller's until ``give_back`` or ``Child.end``."""
    global _idle
    with _lock:
        child, _idle = _idle, None
    if child is not None and child.lives:
        return child
    if child is not None:
        child.end()
    return Child()


def give_back(child: Child) -> None:
    """Keep a child that has nothing to do, unless another one is kept."""
    global _idle
    with _lock:
        if _idle is None:
            _idle, child_over = child, None
        else:
            child_over = child
    if child_over is not None:
        child_over.end()


def end_idle() -> None:
    """End the child that is kept, if any."""
    global _idle
    with _lock:
        child, _idle = _idle, None
    if child is not None:
        child.end()


def _forget() -> None:
    """A copy of this process must not ask its child, nor hold its pipes open."""
    global _idle, _lock
    child, _idle, _lock = _idle, None, Lock()
    if child is not None:
        child.disown()


atexit.register(end_idle)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
