# SPDX-License-Identifier: Apache-2.0
"""What a report's margins were and are, and what the largest bundles take: a short slice."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.acceptance import large
from tests.acceptance.accuracy.reports import BEFORE, HOSPITAL, reports, squares


def test_the_sample_hospitals_mean_has_half_of_its_squared_margins_and_none_has_more() -> None:
    name, members, file = next(reports())
    before, now = BEFORE[name], squares(members, file, releases=1)
    assert (name, now.keys()) == (HOSPITAL, before.keys())
    assert now.pop("mean-stay") < 0.6 * before["mean-stay"]
    assert all(now[one] == pytest.approx(before[one], rel=1e-4) for one in now)


def test_a_bundle_of_tables_that_add_up_is_verified_and_timed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(large.CASES, "small", lambda: large.tables(3))
    released = large.take("release", "small", tmp_path)
    verified = large.take("verify", "small", tmp_path)
    for took in (released, verified):
        assert took.is_good
        assert took.joined == 8
        assert 0 < took.reconciling < took.seconds
    (tmp_path / "largest.zip").write_bytes(b"PK")
    assert large.take("verify", "small", tmp_path).is_too_much
