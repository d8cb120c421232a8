# SPDX-License-Identifier: Apache-2.0
"""Tests that fail run once more; what passes then is named as flaky, and is no failure.

A machine that is busy can be too slow for a test that looks once at something that takes a moment.
Such a test is to be mended, so it is named each time, but it says nothing of the program. A process
that died is never excused: whatever ran in it may have killed it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from xml.etree import ElementTree

CRASHED = re.compile(r"worker '\w+' crashed")
"""What pytest-xdist says of a test whose process ended."""
SOME_FAILED = 1
"""Pytest's exit status; any other but 0 says that the run itself went wrong."""

Run = Callable[[list[str]], int]
"""Runs pytest with these arguments more, and returns its exit status."""


@dataclass(frozen=True)
class Results:
    """How the tests of one run ended.

    Attributes:
        passed: those that passed, by class and name.
        failed: those that did not.
        died: whether a process died.
    """

    passed: frozenset[str]
    failed: frozenset[str]
    died: bool


def run_twice(run: Run, run_failed: Run, folder: str) -> int:
    """Run the tests and once more those that failed; 0 where each passed in one of the runs.

    Args:
        run: runs all tests.
        run_failed: runs those that failed last.
        folder: an empty folder for what they report.
    """
    first = os.path.join(folder, "first.xml")
    status = run([f"--junitxml={first}"])
    if status != SOME_FAILED:
        return status
    print("== pytest, once more what failed, with its values", flush=True)
    second = os.path.join(folder, "second.xml")
    again = run_failed([f"--junitxml={second}"])
    if again:
        return again
    before, after = read(first), read(second)
    if before.died:
        print("A process of the tests died.", flush=True)
        return status
    if not before.failed or not before.failed <= after.passed:
        return status
    for name in sorted(before.failed):
        print(f"Flaky, passed when run again: {name}", flush=True)
    return 0


def read(path: str) -> Results:
    """What pytest's own report says."""
    passed, failed, died = set[str](), set[str](), False
    # The report is pytest's, written a moment ago.
    for case in ElementTree.parse(path).iter("testcase"):  # noqa: S314 - our own file
        wrong = [child for child in case if child.tag in ("failure", "error")]
        name = f"{case.get('classname')}::{case.get('name')}"
        (failed if wrong else passed).add(name)
        died = died or any(CRASHED.search(child.get("message", "")) for child in wrong)
    return Results(frozenset(passed - failed), frozenset(failed), died)
