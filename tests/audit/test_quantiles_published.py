# SPDX-License-Identifier: Apache-2.0
"""Published quantiles are quantiles, and their ranks are off by no more than they say."""

from __future__ import annotations

from pathlib import Path

import pytest
from scipy.stats import binom

from tests.audit.length import runs, some
from tests.audit.quantile_coverage import CASES, Case, covered
from tests.audit.quantile_reference import checked

pytestmark = pytest.mark.audit

TABLES = runs(short=60, full=2_000)
DRAWS = runs(short=60, full=2_000)
ONCE_IN = 1e-3


@pytest.mark.threat("D3")
@pytest.mark.in_turn(2)
def test_every_published_quantile_is_one(tmp_path: Path) -> None:
    """Of small random tables, by numpy, where noise is too small to matter."""
    found = {seed: checked(seed, tmp_path) for seed in range(TABLES)}
    assert {seed: one.wrong for seed, one in found.items() if one.wrong} == {}
    assert sum(one.off_counts for one in found.values()) > TABLES, "few were read off counts"
    assert sum(one.quantiles for one in found.values()) > 20 * TABLES


@pytest.mark.parametrize("case", some(CASES, 9), ids=str)
@pytest.mark.in_turn(4)
def test_ranks_are_off_by_no_more_than_said(case: Case, tmp_path: Path) -> None:
    """95 times in 100, by an exact test of the worst line; on even data not far less, either."""
    found = covered(case, DRAWS, tmp_path)
    assert binom.cdf(found.held, found.draws, 0.95) >= ONCE_IN
    if case.shape == "uniform":
        assert found.bound <= 10 * found.distance
