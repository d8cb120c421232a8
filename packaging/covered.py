# SPDX-License-Identifier: Apache-2.0
"""Whether the tests of the rooms that carry the promise run through every line and branch there.

A line there that no test runs is a claim about privacy, people or money that nobody has looked at.
A module that the tests of its own room run through wholly has to stay so; those that they do not
yet are named in ``NOT_YET``, a list that only gets shorter.
"""

from __future__ import annotations

import environment

LOCK = environment.ROOT / "packaging" / "requirements-coverage.lock"
ROOMS = ("privacy", "data/encoding", "data/people", "release/ledger", "release/verify")
NEAR = (
    "tests/data/test_privacy.py",
    "tests/data/aggregation",
    "tests/release/run",
    "dpdesk/privacy",
)
TESTS = [*(f"tests/{room}" for room in ROOMS), *NEAR]
"""The rooms' own tests, the examples in docstrings, and what runs tables and releases whole."""
NOT_YET = (environment.ROOT / "packaging" / "not_covered.txt").read_text("ascii").split()
"""The modules of the rooms, below dpdesk/, with a line or a branch that none of the tests runs."""


def run(pytest: list[str], variables: dict[str, str]) -> int:
    """Print what the rooms' tests cover; 0 where they pass and miss nothing outside `NOT_YET`.

    Args:
        pytest: the arguments of `python` that run tests.
        variables: the environment's, beside those that are set.
    """
    environment.prepare(LOCK)
    environment.call(["-m", "coverage", "erase"])
    failed = environment.call(["-m", "coverage", "run", *pytest, *TESTS], **variables)
    environment.call(["-m", "coverage", "combine", "--quiet"])
    rooms = ["--include", ",".join(f"dpdesk/{room}/*" for room in ROOMS), "--skip-covered"]
    environment.call(["-m", "coverage", "report", *rooms])
    print("== modules that stay at 100 %", flush=True)
    whole = ["--omit", ",".join(f"dpdesk/{module}" for module in NOT_YET), "--fail-under=100"]
    return environment.call(["-m", "coverage", "report", *rooms, *whole]) or failed
