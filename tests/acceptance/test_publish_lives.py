# SPDX-License-Identifier: Apache-2.0
"""Lives of a real file are released as numpy says, ranges hold, and absent peers are no success."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.acceptance.publish import peers, survival, synthea


def test_lives_are_what_numpy_says_and_a_difference_is_named(shared_data: Path) -> None:
    folder = shared_data / "synthea"
    assert list(synthea.differing(folder)) == []
    people, _years = synthea.read(folder / "patients.csv")
    yearly = survival.of_each_day(people, synthea.TIME)
    assert list(synthea.differing(folder, yearly, synthea.YEARLY)) == []
    others = survival.by_numpy(replace(people, groups=1 - people.groups), synthea.TIME)
    found = list(synthea.differing(folder, others))
    assert "median-time of F up to " in found and "survival of M up to 79" in found
    said, is_held = synthea.covered(folder, 20).line(20)
    assert is_held and said.startswith("12 of 12 intervals")


def test_an_interval_that_holds_too_seldom_is_named() -> None:
    held = synthea.Held()
    for turn in range(400):
        held.add("seldom", turn % 10 > 0)
        held.add("often", turn % 20 > 0)
    assert held.line() == (
        "2 of 2 intervals held in 90.0% to 95.0% of 400 releases; TOO SELDOM: seldom",
        False,
    )


def test_without_the_peers_nothing_was_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peers, "PREPARE", ["-c", ""])
    monkeypatch.setattr(peers, "python_of", lambda _group: sys.executable)
    ((said, is_same),) = peers.lines(tmp_path)
    assert said.endswith("NOT COMPARED") and not is_same
