# SPDX-License-Identifier: Apache-2.0
"""Crashes of the process: where in the code it was, written down while it dies, without a value.

``faulthandler`` writes files, lines and functions, never what a variable holds. It can write to an
open file only, and names whole paths, so it has a file of its own; the next start puts what that
holds into the fault log, without folders.
"""

from __future__ import annotations

import contextlib
import faulthandler
import re
from pathlib import Path
from typing import BinaryIO

from dpdesk.program import faults
from dpdesk.release.places.home import Home

READ_BYTES = 100_000
_KIND = re.compile(r"(?:Fatal Python error|Windows fatal exception): ([\w -]{1,60})$")
_PLACE = re.compile(r'  File "(?:[^"]*[/\\])?([\w<>.-]+)", line (\d+) in ([\w<>]+)$')
_THREAD = re.compile(r"(?:Current thread|Thread) 0x[0-9a-f]+ .*:$")
_MOST_LINES = 200


def watch(home: Home) -> None:
    """Log what the process before left behind, and where this one is should it crash."""
    with contextlib.suppress(OSError):
        log = _open(home.logs / "crash.log")
        try:
            _take_over(home, log)
        except BaseException:
            log.close()
            raise
        # Open until the process ends: faulthandler keeps its number alone.
        faulthandler.enable(log)
        _kept.append(log)


_kept: list[BinaryIO] = []


def _open(path: Path) -> BinaryIO:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.touch(mode=0o600)
    return path.open("a+b", buffering=0)


def _take_over(home: Home, log: BinaryIO) -> None:
    log.seek(0)
    text = log.read(READ_BYTES).decode("utf-8", "replace")
    if found := describe(text):
        faults.write(home, found)
    log.truncate(0)


def describe(text: str) -> str:
    """What may be kept of faulthandler's text: the kind, and the places in the code."""
    lines = [kept for line in text.splitlines() if (kept := _kept_of(line))]
    return "\n".join(lines[:_MOST_LINES])


def _kept_of(line: str) -> str:
    if kind := _KIND.match(line):
        return f"crash: {kind[1]}"
    if place := _PLACE.match(line):
        return f"  {place[1]}:{place[2]} {place[3]}"
    return "  thread" if _THREAD.match(line) else ""
