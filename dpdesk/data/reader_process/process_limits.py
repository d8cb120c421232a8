# SPDX-License-Identifier: Apache-2.0
"""What a reading process may do to the machine and to its own pipes: as little as possible."""

from __future__ import annotations

import os
import signal
import sys
from typing import BinaryIO

LEAST_BYTES = 4 << 30
"""Of address space, of which libraries reserve much that they never touch."""


def own_pipes() -> tuple[BinaryIO, BinaryIO]:
    """The pipes to read from and to write to, under numbers that no library knows.

    What is printed from here on goes nowhere, from C as well: neither into the answers nor to
    whatever the program writes its errors to.
    """
    asks = os.fdopen(os.dup(0), "rb", buffering=0)
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    if nowhere > 2:
        os.close(nowhere)
    return asks, answers


def bound_process() -> None:
    """Bound the memory, and let no crash leave any of it on the disk.

    Anyone who interrupts the program in a terminal interrupts all that runs there; this process is
    ended by its parent then, or by the end of the pipe, and no sooner.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "win32":
        import ctypes

        # No window about a crash, and no report of it: 1 | 2 | 0x8000 in Windows' own terms.
        ctypes.windll.kernel32.SetErrorMode(0x8003)
    else:
        _limit_resources()


def end_when_alone(pipe: BinaryIO, alone: bool) -> None:
    """End this process at once, or not, when the other end of a pipe goes.

    A library in the middle of a file does not look at the pipe, and lets no Python do so. Where
    a system has no such signal, its end is seen when the library is done.
    """
    if sys.platform == "linux":
        import fcntl

        fcntl.fcntl(pipe, fcntl.F_SETOWN, os.getpid())
        flags = fcntl.fcntl(pipe, fcntl.F_GETFL)
        wanted = flags | os.O_ASYNC if alone else flags & ~os.O_ASYNC
        fcntl.fcntl(pipe, fcntl.F_SETFL, wanted)


if sys.platform == "win32":

    def leave_no_core() -> None:
        """Windows keeps none unless its user asks for them."""

else:
    import resource

    def leave_no_core() -> None:
        """Let no crash of this process, nor of those it starts, leave its memory on the disk."""
        # Of one byte Linux makes no file, and calls no program that would keep it, either.
        _lower(resource.RLIMIT_CORE, 1 if sys.platform == "linux" else 0)

    def _limit_resources() -> None:
        leave_no_core()
        if hasattr(resource, "RLIMIT_AS"):
            _lower(resource.RLIMIT_AS, max(LEAST_BYTES, _machine_bytes() * 3 // 4))

    def _lower(limit: int, value: int) -> None:
        _, most = resource.getrlimit(limit)
        value = value if most == resource.RLIM_INFINITY else min(value, most)
        try:
            resource.setrlimit(limit, (value, value))
        except (OSError, ValueError):
            # Some systems do not let themselves be limited so.
            return

    def _machine_bytes() -> int:
        try:
            return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        except (AttributeError, OSError, ValueError):
            return 0
