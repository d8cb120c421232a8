# SPDX-License-Identifier: Apache-2.0
"""What a process says of itself: how long its work took, and the most memory it ever held.

Starting Python and importing libraries is not measured: it does not grow with the file.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

Result = TypeVar("Result")
STATUS = "/proc/{}/status"
_SINCE = time.process_time()
"""Libraries are imported before this module, in the order of their names."""


def timed(work: Callable[[], Result]) -> tuple[Result, float]:
    """What the work returns, and the seconds it took."""
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


def peak_bytes(process: str = "self") -> int:
    """The most memory that a process ever held; of another one on Linux alone."""
    status = Path(STATUS.format(process))
    if status.exists():
        # Linux hands a parent's peak of ``getrusage`` on to its children; this line is our own.
        lines = status.read_text(encoding="ascii").splitlines()
        return int(next(line.split()[1] for line in lines if line.startswith("VmHWM"))) * 1024
    if sys.platform == "win32":
        return 0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def print_figures(seconds: float, **more: Any) -> None:
    """Print the figures as one line of JSON."""
    cpu = time.process_time() - _SINCE
    print(json.dumps({"seconds": seconds, "cpu": cpu, "peak": peak_bytes(), **more}))
