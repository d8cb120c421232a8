# SPDX-License-Identifier: Apache-2.0
"""Whether the tests of the rooms that carry the promise run through every line and branch there.

A line there that no test runs is a claim about privacy, people or money that nobody has looked at.
"""

from __future__ import annotations

import environment

LOCK = environment.ROOT / "packaging" / "requirements-coverage.lock"
ROOMS = ("privacy", "data/encoding", "data/people", "release/ledger", "release/verify")
NEAR = (
    "tests/data/test_privacy.py",
    "tests/data/test_several_tables.py",
    "tests/data/inspection/test_meetings.py",
    "tests/data/preparation",
    "tests/data/aggregation",
    "tests/engine/test_order_to_release.py",
    "tests/release/run",
    "tests/release/backup",
    "tests/release/bundle/baseline/test_documents.py",
    "tests/release/bundle/test_german_bundle.py",
    "tests/release/comparison",
    "tests/release/plan_report",
    "tests/release/record/test_round_trip.py",
    "tests/release/test_baseline_release.py",
    "tests/release/test_compared_release.py",
    "tests/release/test_run_people.py",
    "tests/release/test_run_stored.py",
    "tests/release/test_synced_folder.py",
    "tests/shell/test_lost_second_key.py",
    "tests/shell/test_reconcile_from_bundles.py",
    "tests/shell/test_revocation.py",
    "tests/shell/test_second_person.py",
    "tests/shell/test_second_record.py",
    "tests/shell/test_series.py",
    "tests/shell/test_withdrawn_answers.py",
    "dpdesk/privacy",
)
TESTS = [*(f"tests/{room}" for room in ROOMS), *NEAR]
"""The rooms' own tests, the examples in docstrings, what runs tables and releases whole, and what
loses, restores, revokes and signs through the commands."""


def run(pytest: list[str], variables: dict[str, str]) -> int:
    """Print what the rooms' tests cover; 0 where they pass and miss nothing.

    Args:
        pytest: the arguments of `python` that run tests.
        variables: the environment's, beside those that are set.
    """
    environment.prepare(LOCK)
    environment.call(["-m", "coverage", "erase"])
    failed = environment.call(["-m", "coverage", "run", *pytest, *TESTS], **variables)
    environment.call(["-m", "coverage", "combine", "--quiet"])
    rooms = ["--include", ",".join(f"dpdesk/{room}/*" for room in ROOMS)]
    whole = ["--skip-covered", "--fail-under=100"]
    return environment.call(["-m", "coverage", "report", *rooms, *whole]) or failed
