# SPDX-License-Identifier: Apache-2.0
"""A p-value has the level that it says, and there is none where that was not measured."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dpdesk.privacy.group_comparisons import null_tables
from dpdesk.privacy.group_comparisons.null_tables import (
    CrossCounts,
    chi_squared,
    is_measured,
    p_of_contrast,
    p_of_table,
)
from dpdesk.privacy.noise.noise import Noise
from tests.audit.length import runs
from tests.privacy.population.test_counts_and_shares import draws

RUNS = runs(short=250, full=10_000)
PAIR, TREND = (1, -1), (-5, -3, -1, 1, 3, 5)
LAPLACE, GAUSSIAN = Noise("laplace", 10.0), Noise("gaussian", 10.0)
NEARLY_NONE = Noise("laplace", 0.05)
TABLE = np.outer([0.1, 0.2, 0.3, 0.4], [0.1, 0.15, 0.2, 0.25, 0.3])
SHAPES = {
    "two shares, Laplace": ([[180, 120], [540, 360]], LAPLACE, PAIR),
    "two small shares, Laplace": ([[1_200, 60], [3_600, 180]], LAPLACE, PAIR),
    "two shares, Gaussian": ([[100, 100], [300, 300]], GAUSSIAN, PAIR),
    "six shares, Laplace": ([[320, 80]] * 6, LAPLACE, TREND),
    "two counts, Laplace": ([[120], [120]], LAPLACE, PAIR),
    "six counts, Gaussian": ([[60]] * 6, GAUSSIAN, TREND),
    "a table, Laplace": (3_600 * TABLE, LAPLACE, None),
    "a table, hardly any noise": (1_200 * TABLE, NEARLY_NONE, None),
}


def p_of(cross: CrossCounts, weights: tuple[int, ...] | None) -> Fraction | None:
    if weights is None:
        return p_of_table(cross)
    return p_of_contrast(cross, tuple(map(Fraction, weights)))


@pytest.mark.parametrize("shape", SHAPES, ids=lambda name: name)
@pytest.mark.in_turn(2)
def test_groups_that_are_alike_are_told_apart_five_times_in_a_hundred(
    shape: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(null_tables, "DRAWS", 499)
    means, noise, weights = SHAPES[shape]
    dice, means = np.random.default_rng(9), np.array(means, dtype=float)
    found = []
    while len(found) < RUNS:
        table = dice.poisson(means) + draws(dice, noise, means.size).reshape(means.shape)
        p = p_of(CrossCounts(tuple(map(tuple, table.tolist())), noise), weights)
        found += [] if p is None else [p]
    level = sum(p <= Fraction(1, 20) for p in found) / RUNS
    # Half a point at full length; of fewer runs four deviations.
    assert abs(level - 0.05) <= max(0.005, 4 * (0.0475 / RUNS) ** 0.5)


def test_groups_that_differ_are_told_apart() -> None:
    far = CrossCounts(((600, 400), (800, 200)), LAPLACE)
    assert p_of_contrast(far, (Fraction(1), Fraction(-1))) == Fraction(1, 10_000)
    near = CrossCounts(((600, 400), (610, 390)), LAPLACE)
    assert (p_of_table(near) or 0) > Fraction(1, 2)


def test_without_noise_it_is_the_test_of_the_textbook() -> None:
    """Chi-squared of 20, 30 and 40, 10 is 16.67; of one degree p is 4.5 in 100,000."""
    cross = CrossCounts(((20, 30), (40, 10)), NEARLY_NONE)
    value, freedom = chi_squared(cross)
    assert (round(value, 2), freedom) == (16.66, 1)
    # A difference of 3.0 deviations: 27 in 10,000.
    weaker = CrossCounts(((240, 160), (280, 120)), NEARLY_NONE)
    assert float(p_of_table(weaker) or 0) == pytest.approx(0.0030, abs=0.002)


@pytest.mark.parametrize(
    "counts",
    [((5, 9), (40, 60)), ((60, 60), (60, 60)), ((900, 3), (900, 2)), ((-80, 70), (300, 400))],
    ids=["few rows", "much noise", "an empty category", "a total below zero"],
)
def test_where_its_level_is_not_known_there_is_none(counts: tuple[tuple[int, ...], ...]) -> None:
    cross = CrossCounts(counts, LAPLACE)
    assert not is_measured(cross)
    assert p_of_table(cross) is None
    assert p_of_contrast(cross, (Fraction(1), Fraction(-1))) is None


def test_it_is_made_again_from_what_was_released_alone() -> None:
    cross = CrossCounts(((600, 400), (640, 360)), LAPLACE)
    assert p_of_table(cross) == p_of_table(CrossCounts(cross.counts, cross.noise))
    other = CrossCounts(((600, 400), (640, 361)), LAPLACE)
    assert p_of_table(cross) != p_of_table(other)
