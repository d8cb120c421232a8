# SPDX-License-Identifier: Apache-2.0
"""A case run once in a process of its own, and what its rounds together say."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.bench.size.cases import Case
from tests.source_files import ROOT

ABSENT = ("ModuleNotFoundError", "dpdesk.study.problem.Refused")
"""What a process ends with where a library, or our reader of a format, is not here."""


@dataclass
class Rounds:
    """What a case said of itself, one entry a round.

    Attributes:
        said: the figures; see ``clock.tell``.
        trouble: why there are none; empty where there are.
        failed: whether that is a failure, not an absence.
    """

    said: list[dict[str, Any]] = field(default_factory=list)
    trouble: str = ""
    failed: bool = False

    @property
    def seconds(self) -> list[float]:
        """Of each round."""
        return [each["seconds"] for each in self.said]

    @property
    def median(self) -> float:
        """The median of the seconds."""
        return statistics.median(self.seconds)

    @property
    def peak(self) -> float:
        """The median of the most memory it ever held."""
        return statistics.median(each["peak"] for each in self.said)

    def middle(self, *path: str) -> float:
        """The median of one of the figures."""
        return statistics.median(_at(each, path) for each in self.said)

    def add(self, case: Case, folder: Path) -> None:
        """Run the case once more, unless it has been run enough or cannot run."""
        if self.trouble or len(self.said) >= case.rounds:
            return
        ended = run(case.command(folder))
        if ended.returncode == 0:
            self.said.append(json.loads(ended.stdout.splitlines()[-1]))
            return
        lines = ended.stderr.strip().splitlines()
        self.trouble = lines[-1] if lines else f"ended with {ended.returncode}"
        self.failed = not self.trouble.startswith(ABSENT)


def _at(figures: Any, path: tuple[str, ...]) -> float:
    for name in path:
        figures = figures[name]
    return float(figures)


def run(command: list[str]) -> subprocess.CompletedProcess[str]:
    """Run a Python of this benchmark, on our sources, to its end."""
    variables = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, env=variables, cwd=ROOT, capture_output=True, text=True)
