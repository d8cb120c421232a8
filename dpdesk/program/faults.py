# SPDX-License-Identifier: Apache-2.0
"""Faults of ours: written down without a value, reported in one sentence, never as a traceback.

An exception's text can quote a cell. What is kept is its type and the places in the code that it
passed through, nothing else.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from dpdesk.program import log
from dpdesk.release.places.home import Home


def describe(kind: type[BaseException], trace: TracebackType | None) -> str:
    """Type and code places of an exception, one a line; no text, no locals, no folders."""
    places = [
        f"  {Path(frame.filename).name}:{frame.lineno} {frame.name}"
        for frame in traceback.extract_tb(trace)
    ]
    return "\n".join([kind.__name__, *places])


def install(home: Home, report: Callable[[str], None]) -> None:
    """Send every uncaught exception to the fault log, and its type to ``report``."""

    def hook(kind: type[BaseException], _value: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.exit(1)
        write(home, describe(kind, trace))
        report(kind.__name__)

    sys.excepthook = hook


def path_of(home: Home) -> Path:
    return home.logs / "faults.log"


def write(home: Home, description: str) -> None:
    log.write(path_of(home), description)
