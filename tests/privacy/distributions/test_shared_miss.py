# SPDX-License-Identifier: Apache-2.0
"""Two errors are within the margin that they share; a margin a little narrower would fail."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from dpdesk.privacy.distributions.noise_distribution import half_width
from dpdesk.privacy.distributions.ratio import ratio_half_width
from dpdesk.privacy.distributions.shared_miss import beyond, levels, margin_levels, margin_of_both
from dpdesk.privacy.noise.noise import Noise

MISSES = (1e-6, 0.01, 0.05, 0.1, 0.25)


@pytest.mark.parametrize("miss", MISSES)
def test_the_corners_leave_the_miss_and_no_more(miss: float) -> None:
    """The area outside of all corners, added up cell by cell."""
    steps = levels(miss)
    edges = [0.0, *steps, 1.0]
    outside = 0.0
    for left, right in pairwise(edges):
        for low, high in pairwise(edges):
            corners = zip(steps, reversed(steps), strict=True)
            if not any(left >= one and low >= other for one, other in corners):
                outside += (right - left) * (high - low)
    assert outside == pytest.approx(beyond(steps), rel=1e-12)
    assert miss * (1 - 1e-6) < outside <= miss


@pytest.mark.parametrize("miss", MISSES)
def test_levels_rise_within_0_and_1(miss: float) -> None:
    steps = levels(miss)
    assert steps == tuple(sorted(set(steps)))
    assert 0 < steps[0] < miss / 2 < steps[-1] < 1
    asked = margin_levels(miss, 0.5)
    assert asked == tuple(sorted(asked)) and asked[-1] < 1


def _both(one: Noise, other: Noise, miss: float) -> Fraction:
    widths = [
        [Fraction(half_width(noise, level)) for level in margin_levels(miss, 0.5)]
        for noise in (one, other)
    ]
    return margin_of_both(*widths)


def _chances(noise: Noise, reach: int) -> np.ndarray:
    places = np.arange(-reach, reach + 1, dtype=np.float64)
    power = np.abs(places) / noise.scale
    if noise.mechanism == "gaussian":
        power = power**2 / 2
    raw = np.exp(-power)
    result: np.ndarray = raw / raw.sum()
    return result


@pytest.mark.parametrize("first", [Noise("laplace", 8.0), Noise("gaussian", 9.0, "rho")])
@pytest.mark.parametrize("second", [Noise("laplace", 8.0), Noise("gaussian", 3.0, "rho")])
@pytest.mark.parametrize("miss", [0.01, 0.05, 0.1])
def test_the_sum_of_both_errors_is_beyond_it_seldom_enough(
    first: Noise, second: Noise, miss: float
) -> None:
    reach = 400
    margin = float(_both(first, second, miss))
    places = np.arange(-reach, reach + 1)
    apart = np.abs(np.subtract.outer(places, places))
    together = np.outer(_chances(first, reach), _chances(second, reach))
    assert float(together[apart > margin].sum()) <= miss
    # It is not much too wide, and two thirds would fail.
    assert float(together[apart > 0.66 * margin].sum()) > miss


@pytest.mark.parametrize("miss", [0.01, 0.05])
def test_it_holds_for_all_errors_that_miss_as_often_on_each_side(miss: float) -> None:
    """The worst two: uniform in how seldom they are, and the first of one step's margins each."""
    steps = levels(miss / 2)
    margins = [Fraction(len(steps) - place) for place in range(len(steps))]
    edges, sizes = [0.0, *steps], [*margins, Fraction(0)]
    chances = np.diff([*edges, 1.0])
    # Above margin i with the chance p_i and not the next: by no more than a little.
    errors = np.array([float(size) + 0.01 for size in sizes[:-1]] + [0.01])
    together = np.outer(chances, chances)
    bound = float(margin_of_both(margins, margins))
    assert float(together[np.add.outer(errors, errors) > bound + 0.03].sum()) <= miss / 2


def test_two_alike_are_nearer_than_half_of_the_miss_for_each() -> None:
    noise = Noise("laplace", 1_000.0)
    assert _both(noise, noise, 0.05) == 4_502
    assert 2 * half_width(noise, 0.025) == 7_378
    assert 2 * half_width(noise) == 5_992


def test_a_margin_that_narrows_by_its_rounding_is_held_apart() -> None:
    """Margins worked out with approximations may be a hair narrower for a smaller miss."""
    narrower_first = [Fraction(4), Fraction(5), Fraction(3)]
    assert margin_of_both(narrower_first, [Fraction(0)] * 3) == 5
    assert margin_of_both([Fraction(0)] * 3, narrower_first) == 5


def test_it_holds_for_the_worst_ratios_where_noisy_counts_decide_the_weights() -> None:
    """Two means just inside their bounds, over groups of few rows, so that counts are noisy."""
    miss, reach, runs = 0.05, 5, 200_000
    of_sum, of_count = Noise("laplace", 20.0), Noise("laplace", 4.0)
    dice = np.random.default_rng(20_260)

    def draws(noise: Noise) -> np.ndarray:
        p = np.exp(-1 / noise.scale)
        return dice.geometric(1 - p, runs) - dice.geometric(1 - p, runs)

    for rows, rows_later in ((25, 25), (25, 200), (12, 16)):
        counts = [np.maximum(n + draws(of_count), 1) for n in (rows, rows_later)]
        errors = [
            (draws(of_sum) - sign * reach * (count - n)) / count
            for sign, count, n in zip((1, -1), counts, (rows, rows_later), strict=True)
        ]
        widths = [
            ratio_half_width(of_sum, of_count, reach, level) for level in margin_levels(miss, 0.5)
        ]
        pairs = zip(widths, reversed(widths), strict=True)
        margin = np.max([one / counts[0] + two / counts[1] for one, two in pairs], axis=0)
        missed = float((np.abs(errors[0] - errors[1]) > margin).mean())
        # 5 in 100 and four deviations of that many runs.
        assert missed <= miss + 4 * (miss * (1 - miss) / runs) ** 0.5
        assert missed > 0.01  # not much too wide either
