# SPDX-License-Identifier: Apache-2.0
"""Intervals of comparisons hold over the noise and over who came, and say where they are open."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from dpdesk.privacy.group_comparisons.intervals import (
    Estimate,
    Reach,
    contrast_ends,
    odds_ratio_ends,
    ratio_ends,
)
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.population.counts_and_shares import expected_count, share_of_noisy
from tests.audit.length import runs
from tests.privacy.population.test_counts_and_shares import draws, most

RUNS = runs(short=60, full=1_000)
DIFFERENCE = (Fraction(1), Fraction(-1))
FIGURES: dict[str, tuple[Callable[[Estimate, Estimate], Reach], Callable[[float, float], float]]]
FIGURES = {
    "difference": (lambda *both: contrast_ends(DIFFERENCE, both), lambda x, y: x - y),
    "ratio": (ratio_ends, lambda x, y: x / y),
    "odds ratio": (odds_ratio_ends, lambda x, y: x * (1 - y) / (y * (1 - x))),
}


@pytest.mark.parametrize("noise", [Noise("laplace", 8.0), Noise("gaussian", 6.0)], ids=str)
@pytest.mark.parametrize("shares", [(0.3, 0.2), (0.06, 0.06)], ids=str)
@pytest.mark.in_turn(2)
def test_shares_of_two_groups_are_held(noise: Noise, shares: tuple[float, float]) -> None:
    dice = np.random.default_rng(7)
    sizes = np.array([400, 900])
    missed = dict.fromkeys(FIGURES, 0)
    for _ in range(RUNS):
        having = dice.binomial(sizes, shares)
        noisy = having + draws(dice, noise, 2), sizes - having + draws(dice, noise, 2)
        both = [of_share(int(one), int(other), noise) for one, other in zip(*noisy, strict=True)]
        for name, (ends, figure) in FIGURES.items():
            low, high = ends(*both)
            missed[name] += not low <= figure(*shares) <= high
    assert max(missed.values()) <= most(RUNS)


def of_share(having: int, others: int, noise: Noise) -> Estimate:
    value = min(max(Fraction(having, having + others), Fraction(1, 1000)), Fraction(999, 1000))
    return Estimate(value, *share_of_noisy(having, others, noise))


@pytest.mark.parametrize("noise", [Noise("laplace", 8.0), Noise("gaussian", 6.0)], ids=str)
@pytest.mark.parametrize("means", [(40.0, 60.0), (900.0, 300.0)], ids=str)
@pytest.mark.in_turn(2)
def test_counts_of_two_groups_are_held(noise: Noise, means: tuple[float, float]) -> None:
    dice = np.random.default_rng(8)
    missed = {"difference": 0, "ratio": 0}
    for _ in range(RUNS * 2):
        counts = (dice.poisson(means) + draws(dice, noise, 2)).tolist()
        found = [expected_count(count, noise) for count in counts]
        pairs = zip(counts, found, strict=True)
        both = [Estimate(Fraction(count), *ends) for count, ends in pairs if ends]
        for name in missed:
            low, high = FIGURES[name][0](*both)
            missed[name] += not low <= FIGURES[name][1](*means) <= high
    assert max(missed.values()) <= most(RUNS * 2)


def test_it_is_the_normal_one_of_normal_figures() -> None:
    """1.96 deviations of a difference are the root of the sum of both squares."""
    one, other = (Estimate(Fraction(n), Fraction(n - 3), Fraction(n + 3)) for n in (20, 10))
    assert contrast_ends(DIFFERENCE, (one, other)) == pytest.approx((10 - 18**0.5, 10 + 18**0.5))
    # Fieller: where (20 - R 10)^2 = 9 (1 + R^2).
    low, high = ratio_ends(one, other)
    for ratio in (low, high):
        assert (20 - ratio * 10) ** 2 == pytest.approx(9 * (1 + ratio * ratio))
    assert low < 2 < high


def test_a_figure_that_may_be_nothing_divides_nothing() -> None:
    some, none = (
        Estimate(Fraction(5), Fraction(2), Fraction(9)),
        Estimate(*map(Fraction, (1, 0, 4))),
    )
    assert ratio_ends(some, none)[1] == math.inf
    assert ratio_ends(none, some)[0] == 0
    half = Estimate(Fraction(1, 2), Fraction(0), Fraction(1))
    assert odds_ratio_ends(half, half) == (0, math.inf)


def test_a_figure_beyond_its_interval_counts_as_its_end() -> None:
    beyond = Estimate(Fraction(-4), Fraction(0), Fraction(3))
    assert contrast_ends((Fraction(1),), (beyond,)) == (0, 3)
    with pytest.raises(ValueError, match="no interval"):
        contrast_ends((Fraction(1),), (Estimate(Fraction(1), None, None),))
