# SPDX-License-Identifier: Apache-2.0
"""Children that try inputs, and what becomes of them: any that dies or hangs is named."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.fuzz_files.trial import Outcome

SHARE = 250
"""Inputs of one child."""

LIMIT_SECONDS = 200.0
"""The longest that a child may take to begin, or for an input; its processor time ends sooner."""

COMMAND = (sys.executable, "-m", "tests.fuzz_files.child")

_ROOT = Path(__file__).parents[2]
_POLL_SECONDS = 0.05


@dataclass(frozen=True)
class Ended:
    """An input that was tried, and the most memory its child had used by then, in bytes."""

    number: int
    outcome: Outcome
    peak: int


class Farm:
    """Runs a number of children at once until all inputs were tried."""

    def __init__(
        self,
        seed: int,
        folder: Path,
        jobs: int,
        command: Sequence[str] = COMMAND,
        limit: float = LIMIT_SECONDS,
    ) -> None:
        """Prepare.

        Args:
            seed: of the run.
            folder: to work in; ``corpus`` in it holds the files to break.
            jobs: how many children run at once.
            command: starts a child.
            limit: seconds after which an input hangs.
        """
        self._seed = seed
        self._folder = folder
        self._jobs = jobs
        self._command = command
        self._limit = limit

    def run(self, numbers: range) -> Iterator[Ended]:
        """Try inputs; their ends come in no order."""
        waiting = [numbers[start : start + SHARE] for start in range(0, len(numbers), SHARE)]
        waiting.reverse()
        running: list[_Child] = []
        try:
            while waiting or running:
                while waiting and len(running) < self._jobs:
                    running.append(self._child(waiting.pop()))
                time.sleep(_POLL_SECONDS)
                for child in list(running):
                    yield from child.look()
                    if child.is_over:
                        running.remove(child)
                        waiting += [child.rest] if child.rest else []
        finally:
            for child in running:
                child.stop()

    def _child(self, numbers: range) -> _Child:
        folder = self._folder / f"child-{numbers.start}"
        folder.mkdir(exist_ok=True)
        command = [*self._command, str(self._seed), str(numbers.start), str(numbers.stop)]
        command += [str(self._folder / "corpus"), str(folder)]
        (folder / "lines").write_text("", encoding="utf-8")
        process = subprocess.Popen(command, cwd=_ROOT, stdin=subprocess.DEVNULL)
        return _Child(process, numbers, folder, self._limit)


class _Child:
    """A running child.

    Attributes:
        rest: the inputs it has not tried when it is over.
        is_over: whether it has ended, or was ended.
    """

    def __init__(
        self, process: subprocess.Popen[bytes], numbers: range, folder: Path, limit: float
    ) -> None:
        self.rest = numbers
        self.is_over = False
        self._process = process
        self._limit = limit
        self._said = folder / "said"
        self._lines = (folder / "lines").open("rb")
        self._since = time.monotonic()
        self._half = b""

    def look(self) -> Iterator[Ended]:
        """What has ended since the last look; a child that died or hangs is over."""
        code = self._process.poll()
        yield from self._read()
        if code is not None:
            yield from self._gone(code)
        elif time.monotonic() - self._since > self._limit:
            self.stop()
            yield self._fault("hang", f"waited {self._limit:.0f} s")

    def stop(self) -> None:
        """End the process and wait for it."""
        self._process.kill()
        self._process.wait()
        self._lines.close()
        self.is_over = True

    def _read(self) -> Iterator[Ended]:
        *lines, self._half = (self._half + self._lines.read()).split(b"\n")
        for line in lines:
            record = json.loads(line)
            self._since = time.monotonic()
            if "begins" in record:
                continue
            number, peak = record.pop("number"), record.pop("peak")
            self.rest = range(number + 1, self.rest.stop)
            yield Ended(number, Outcome(**record), peak)

    def _gone(self, code: int) -> Iterator[Ended]:
        self.stop()
        if code == -signal.SIGXCPU:
            yield self._fault("hang", "too much processor time")
        elif code != 0:
            said = self._said.read_text("utf-8", "replace") if self._said.exists() else ""
            yield self._fault("crash", f"exit {code}; {said[:2000]}")

    def _fault(self, end: str, detail: str) -> Ended:
        number = self.rest.start
        self.rest = range(number + 1, self.rest.stop)
        return Ended(number, Outcome("", end, detail), 0)
