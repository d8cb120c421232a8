# SPDX-License-Identifier: Apache-2.0
"""Whole processes against the clock, each beside a yardstick that is as good as it gets.

A time alone says as much about the machine as about us; the ratio to a process that does
the bare minimum on the same machine in the same minute does not.
"""

import statistics
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Process:
    """A command in a folder, with its variables, and the file that it writes anew each time."""

    command: tuple[str, ...]
    folder: Path
    variables: dict[str, str]
    written: str = ""

    def seconds(self) -> float:
        """How long it takes from start to end."""
        if self.written:
            (self.folder / self.written).unlink(missing_ok=True)
        start = time.perf_counter()
        ended = subprocess.run(
            self.command, cwd=self.folder, env=self.variables, capture_output=True, text=True
        )
        took = time.perf_counter() - start
        if ended.returncode:
            raise RuntimeError(f"{' '.join(self.command)} failed:\n{ended.stderr}")
        return took


@dataclass(frozen=True)
class Case:
    """What is measured, beside what, and how long it may take at most.

    Attributes:
        name: what a person waits for.
        ours: our process.
        yardstick: the least that could do.
        most: the target in seconds.
    """

    name: str
    ours: Process
    yardstick: Process
    most: float


@dataclass(frozen=True)
class Outcome:
    """Medians in seconds."""

    case: Case
    ours: float
    yardstick: float

    def row(self) -> str:
        """One line of the table."""
        ratio = self.ours / self.yardstick
        within = "yes" if self.ours <= self.case.most else "NO"
        times = f"{self.ours:7.2f} s {self.yardstick:9.2f} s {ratio:7.1f} {self.case.most:7.1f} s"
        return f"{self.case.name:<44} {times}  {within}"


HEAD = f"{'median of whole processes':<44} {'ours':>9} {'yardstick':>11} {'ratio':>7} {'target':>9}"


def measure(case: Case, rounds: int) -> Outcome:
    """Take turns, so that a slow minute of the machine falls on both."""
    pairs = [(case.ours.seconds(), case.yardstick.seconds()) for _ in range(rounds)]
    ours, yardstick = (statistics.median(times) for times in zip(*pairs, strict=True))
    return Outcome(case, ours, yardstick)
