# SPDX-License-Identifier: Apache-2.0
"""Intervals for the population hold over the noise and over who came, and are not much too wide."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.population import counts_and_shares as population
from dpdesk.privacy.population.counts_and_shares import (
    expected_count,
    share_of_known,
    share_of_noisy,
)
from tests.audit.length import runs

NOISES = (Noise("laplace", 1.0), Noise("laplace", 12.0), Noise("gaussian", 9.0))
RUNS = runs(short=150, full=2_000)


def draws(dice: np.random.Generator, noise: Noise, size: int) -> np.ndarray:
    if noise.mechanism == "gaussian":
        return np.rint(dice.normal(0, noise.scale, size)).astype(int)
    success = -math.expm1(-1 / noise.scale)
    return dice.geometric(success, size) - dice.geometric(success, size)


def most(missed: float) -> float:
    """More misses than that happen by chance once in 10,000 where 5 in 100 are allowed."""
    return 0.05 * missed + 4 * math.sqrt(0.0475 * missed)


@pytest.mark.parametrize("noise", NOISES, ids=str)
@pytest.mark.parametrize("mean", [0.5, 8.0, 300.0])
@pytest.mark.in_turn(6)
def test_an_expected_count_is_held(noise: Noise, mean: float) -> None:
    dice = np.random.default_rng(100)
    counts = dice.poisson(mean, RUNS) + draws(dice, noise, RUNS)
    found = {int(count): expected_count(int(count), noise) for count in np.unique(counts)}
    ends = [found[int(count)] for count in counts]
    missed = sum(end is None or not end[0] <= mean <= end[1] for end in ends)
    assert missed <= most(RUNS)


@pytest.mark.parametrize("noise", NOISES, ids=str)
@pytest.mark.parametrize(("share", "rows"), [(0.5, 60), (0.03, 900)])
@pytest.mark.in_turn(2)
def test_the_probability_of_a_known_number_of_rows_is_held(
    noise: Noise, share: float, rows: int
) -> None:
    dice = np.random.default_rng(101)
    counts = dice.binomial(rows, share, RUNS) + draws(dice, noise, RUNS)
    found = {int(count): share_of_known(int(count), rows, noise) for count in np.unique(counts)}
    missed = sum(not found[int(c)][0] <= share <= found[int(c)][1] for c in counts)
    assert missed <= most(RUNS)


@pytest.mark.parametrize("noise", NOISES, ids=str)
@pytest.mark.parametrize(("share", "rows"), [(0.5, 200), (0.3, 2_000), (0.01, 5_000)])
@pytest.mark.in_turn(3)
def test_the_probability_of_a_secret_number_of_rows_is_held(
    noise: Noise, share: float, rows: int
) -> None:
    dice = np.random.default_rng(102)
    having = dice.binomial(rows, share, RUNS)
    others = rows - having + draws(dice, noise, RUNS)
    having = having + draws(dice, noise, RUNS)
    # The true share is held where neither tail at it is excluded.
    missed = 0
    for one, other in zip(having.tolist(), others.tolist(), strict=True):
        missed += is_above(one, other, share, noise) or is_above(other, one, 1 - share, noise)
    assert missed <= most(RUNS)


def is_above(having: int, others: int, share: float, noise: Noise) -> bool:
    """Whether the upper end is below a share, by one look instead of a search for the end."""
    excluded: list[Callable[[float], bool]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(population, "_crossing", lambda test, _most: excluded.append(test) or 0)
        population._upper(having, others, noise)
    return excluded[0](1 - share)


@pytest.mark.parametrize(
    ("having", "others", "noise"),
    [
        (600, 1_400, Noise("laplace", 10.0)),
        (3_000, 17_000, Noise("gaussian", 20.0)),
        (300_000, 700_000, Noise("laplace", 10.0)),
    ],
)
def test_it_is_hardly_wider_than_a_normal_interval_of_both(
    having: int, others: int, noise: Noise
) -> None:
    rows, spread = having + others, noise.scale * (2**0.5 if noise.mechanism == "laplace" else 1)
    share = having / rows
    variance = share * (1 - share) / rows
    variance += spread**2 * (share**2 + (1 - share) ** 2) / rows**2
    low, high = share_of_noisy(having, others, noise)
    assert 0.97 < float(high - low) / (2 * 1.96 * math.sqrt(variance)) < 1.08


@pytest.mark.parametrize("noise", [Noise("laplace", 0.01), Noise("laplace", 0.4)])
def test_next_to_no_noise_leaves_chance_alone(noise: Noise) -> None:
    """The number of rows is then known, or one of a few: nothing is added for what lies between."""
    low, high = share_of_noisy(100, 900, noise)
    assert 1 < float(high - low) / (2 * 1.96 * math.sqrt(0.1 * 0.9 / 1_000)) < 1.15


def test_where_one_end_is_everything_comes_from_there() -> None:
    noise = Noise("laplace", 2.0)
    assert share_of_noisy(-5, 400, noise)[0] == 0
    assert share_of_noisy(400, -5, noise)[1] == 1
    low, high = share_of_noisy(30, 70, noise)
    assert share_of_noisy(70, 30, noise) == (1 - high, 1 - low)
    assert expected_count(-40, noise) is not None
    assert expected_count(0, Noise("laplace", 1e9)) is None


def test_without_noise_they_are_the_exact_ones_of_the_textbook() -> None:
    """Clopper and Pearson by sums of binomial chances; Garwood by sums of Poisson chances."""
    none = Noise("laplace", 0.01)
    low, high = (float(end) for end in share_of_known(3, 20, none))
    for share, values in ((low, range(3, 21)), (high, range(4))):
        tail = sum(math.comb(20, k) * share**k * (1 - share) ** (20 - k) for k in values)
        assert tail == pytest.approx(0.025, abs=2e-5)
    ends = expected_count(4, none)
    assert ends is not None
    low, high = map(float, ends)
    below = sum(math.exp(-high) * high**k / math.factorial(k) for k in range(5))
    above = 1 - sum(math.exp(-low) * low**k / math.factorial(k) for k in range(4))
    assert below == pytest.approx(0.025, abs=2e-4)
    assert above == pytest.approx(0.025, abs=2e-4)
    assert all(isinstance(end, Fraction) for end in ends)


@pytest.mark.parametrize("noise", NOISES, ids=str)
@pytest.mark.parametrize(("having", "others"), [(60, 90), (3_000, 17_000)])
def test_places_that_are_left_out_move_no_end(
    noise: Noise, having: int, others: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = share_of_noisy(having, others, noise)
    monkeypatch.setattr(population, "_NOTHING", 0.0)
    assert share_of_noisy(having, others, noise) == found


def test_a_share_of_any_numbers_has_an_interval() -> None:
    """Noise may leave two that add up to more than an array of whole numbers holds."""
    low, high = share_of_noisy(2**62, 2**63, Noise("laplace", 10.0))
    assert Fraction(1, 4) < low < Fraction(1, 3) < high < Fraction(1, 2)
