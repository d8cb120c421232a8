# SPDX-License-Identifier: Apache-2.0
"""Which tests take long: ``python -m tests.slow_tests`` runs all of them and writes their list.

``slow_tests.txt`` names those whose cases together take ``SLOW`` seconds of processors, their
children's among them. A commit runs one case in ``turns.SLOW_EVERY`` of each. Tests beside the
folders judge the repository itself, and so each commit; slices of audits run as their marks say.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import Counter
from collections.abc import Generator
from pathlib import Path

import pytest

SLOW = 0.5
LIST = Path(__file__).with_suffix(".txt")
SLICES = (
    "tests/data/test_file_fuzz.py",
    "tests/desk/test_monkey.py",
    "tests/release/test_faults.py",
    "tests/release/verify/test_attacks.py",
    "tests/x11/test_canary_day.py",
)
"""Where a short slice of an audit is, which would rarely run."""
FOLDER = "DPDESK_COSTS"
"""Names the folder into which each process writes what its tests took."""


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Write down what a test took."""
    start = sum(os.times()[:4])
    answer = yield
    with Path(os.environ[FOLDER], str(os.getpid())).open("a", encoding="utf-8") as file:
        file.write(f"{sum(os.times()[:4]) - start:.3f} {item.nodeid}\n")
    return answer


def slow_tests(folder: Path) -> list[str]:
    """The names of slow tests, without their cases, from what was written down."""
    costs = Counter[str]()
    for path in folder.iterdir():
        for line in path.read_text(encoding="utf-8").splitlines():
            cost, _, name = line.partition(" ")
            costs[name.partition("[")[0]] += float(cost)
    slow = (name for name, cost in costs.items() if cost >= SLOW and name.count("/") > 1)
    return sorted(name for name in slow if not name.startswith(SLICES))


def main() -> int:
    """Run all tests, each case of them, and write the list."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {FOLDER: folder, "DPDESK_TURN": "", "DPDESK_AUDIT": "short"}
        status = pytest.main(["-q", "-n", "3", "--dist", "worksteal", "-p", "tests.slow_tests"])
        LIST.write_text("".join(f"{name}\n" for name in slow_tests(Path(folder))), "utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main())
