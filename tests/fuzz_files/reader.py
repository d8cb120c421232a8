# SPDX-License-Identifier: Apache-2.0
"""The process that reads workbooks and statistics files for the one that tries inputs.

That it dies over an input is what it is for; but it may not hang, talk nonsense or fill the
memory.
"""

from __future__ import annotations

import os
import resource
import signal
from dataclasses import replace
from pathlib import Path

from dpdesk.data.reader_process import file_worker
from dpdesk.data.reader_process.client import Client
from dpdesk.study.problem import Refused
from tests.fuzz_files.trial import Outcome

_TICKS = os.sysconf("SC_CLK_TCK")


class Readers:
    """Notices how readers end.

    Attributes:
        ends: how those did that ended while they were needed, as ``subprocess`` has it.
    """

    def __init__(self) -> None:
        self.ends: list[int | None] = []

    def watch(self) -> None:
        """From here on, notice."""
        failed = Client.failed

        def noticed(talk: Client) -> Refused:
            refused = failed(talk)
            self.ends.append(talk._child.status)
            return refused

        Client.failed = noticed  # type: ignore[method-assign]

    def judge(self, outcome: Outcome) -> Outcome:
        """The outcome, or the fault of a reader since the last look."""
        ends, self.ends = self.ends, []
        if outcome.is_fault or not ends:
            return outcome
        if -signal.SIGXCPU in ends:
            return replace(outcome, end="hang", detail="the reader took too much processor time")
        if -signal.SIGKILL in ends:
            # So we end it where what it says makes no sense; nobody cancels here.
            return replace(outcome, end="nonsense", detail="the reader talked nonsense")
        died = ", ".join(f"the reader died ({end})" for end in ends)
        return replace(outcome, detail=f"{outcome.detail}, {died}")


def limit_reader(seconds: int) -> None:
    """Let the readers that wait take so much more processor time; a new one has its own."""
    for pid in _pids():
        _, most = resource.prlimit(pid, resource.RLIMIT_CPU)
        resource.prlimit(pid, resource.RLIMIT_CPU, (int(_taken(pid)) + seconds, most))


def reader_peak() -> int:
    """The most memory that any reader has used, in bytes."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10
    return max([ended, *map(_peak, _pids())])


def _peak(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next((int(x.split()[1]) << 10 for x in lines if x.startswith("VmHWM")), 0)


def _pids() -> list[int]:
    """The reader that is kept for its file, and the one for the next."""
    kept, fresh = file_worker._assigned, file_worker._waiting
    waiting = [*([] if kept is None else [kept[1]]), *([] if fresh is None else [fresh])]
    return [child.pid for child in waiting if child.lives]


def _taken(pid: int) -> float:
    """The seconds of processor time that a process has taken."""
    numbers = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(numbers[11]) + int(numbers[12])) / _TICKS
