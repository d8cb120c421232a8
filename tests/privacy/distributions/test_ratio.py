# SPDX-License-Identifier: Apache-2.0
"""The margin of a mean against the exact distribution of its two noises."""

from functools import lru_cache

import numpy as np
import pytest

from dpdesk.privacy.distributions.laplace import MISS, half_width
from dpdesk.privacy.distributions.ratio import ratio_half_width as ratio_of_noises
from dpdesk.privacy.noise.noise import Noise
from tests.audit.length import some
from tests.privacy.distributions.exact_laplace import Floats, probabilities

SLACK = 1e-9
SMALL = [
    (sum_scale, count_scale, reach)
    for sum_scale in (0.05, 0.3, 1.1, 3.0, 17.0)
    for count_scale in (0.05, 0.6, 2.0, 9.0)
    for reach in (1, 2, 7, 50)
]
LARGE = [
    (sum_scale, count_scale, reach)
    for sum_scale in (1.0, 300.0, 4_000.0)
    for count_scale in (150.0, 191.0, 1_000.0, 5_000.0)
    for reach in (1, 7, 1_000)
]


def ratio_half_width(sum_scale: float, count_scale: float, reach: int) -> int:
    return ratio_of_noises(Noise("laplace", sum_scale), Noise("laplace", count_scale), reach)


@lru_cache(maxsize=64)
def noise(scale: float) -> tuple[Floats, Floats]:
    return probabilities(scale, max(40, int(26 * scale)))


def missed(sum_scale: float, count_scale: float, mean: float, width: int) -> float:
    """P(|X - mean*Y| > width) by adding up every pair of noises."""
    x, chance_x = noise(sum_scale)
    y, chance_y = noise(count_scale)
    below = np.concatenate(([0.0], np.cumsum(chance_x)))
    low = np.clip(np.ceil(mean * y - width - SLACK) + x[-1], 0, x.size)
    high = np.clip(np.floor(mean * y + width + SLACK) + x[-1] + 1, 0, x.size)
    inside = below[high.astype(int)] - below[low.astype(int)]
    return float(1 - chance_y @ np.maximum(inside, 0))


def smallest(sum_scale: float, count_scale: float, reach: int) -> int:
    """The smallest width that holds for the mean just inside its bound, which is the worst."""
    mean = reach * (1 - 1e-12) - 1e-6
    low, high = 0, half_width(sum_scale, MISS / 2) + reach * half_width(count_scale, MISS / 2)
    while low < high:
        middle = (low + high) // 2
        if max(missed(sum_scale, count_scale, m, middle) for m in (mean, reach)) <= MISS:
            high = middle
        else:
            low = middle + 1
    return low


@pytest.mark.parametrize(("sum_scale", "count_scale", "reach"), SMALL)
def test_small_scales_give_the_smallest_margin_that_holds(
    sum_scale: float, count_scale: float, reach: int
) -> None:
    found = ratio_half_width(sum_scale, count_scale, reach)
    assert found == smallest(sum_scale, count_scale, reach)


@pytest.mark.parametrize(("sum_scale", "count_scale", "reach"), some(LARGE, 5))
@pytest.mark.in_turn(6)
def test_large_scales_give_at_most_one_in_a_hundred_more(
    sum_scale: float, count_scale: float, reach: int
) -> None:
    least = smallest(sum_scale, count_scale, reach)
    assert least <= ratio_half_width(sum_scale, count_scale, reach) <= 1.01 * least + 1


@pytest.mark.parametrize(("sum_scale", "count_scale", "reach"), SMALL)
def test_no_mean_is_missed_more_often_than_promised(
    sum_scale: float, count_scale: float, reach: int
) -> None:
    width = ratio_half_width(sum_scale, count_scale, reach)
    inside = [reach - 0.001, reach - 0.05, reach - 0.5, reach / 2, reach / 3, 0.01, 0.0]
    for mean in [reach, -reach, *inside, *np.linspace(0, reach, 23)]:
        assert missed(sum_scale, count_scale, float(mean), width) <= MISS


def test_the_bound_itself_is_not_the_worst_mean() -> None:
    """Here a margin that holds at the bound is missed 5.3 times in 100 just inside of it."""
    assert missed(1.1, 0.6, 1.0, 3) < 0.05 < missed(1.1, 0.6, 0.95, 3)
    assert ratio_half_width(1.1, 0.6, 1) == 4


@pytest.mark.parametrize("reach", [1, 7, 100])
def test_a_margin_grows_with_the_noise(reach: int) -> None:
    widths = [ratio_half_width(reach * s, s, reach) for s in np.geomspace(0.3, 1_000, 25)]
    assert widths == sorted(widths)
    widths = [ratio_half_width(10.0, s, reach) for s in np.geomspace(1, 1_000, 12)]
    assert widths == sorted(widths)


@pytest.mark.parametrize("scale", [0.3, 1.0, 12.0, 900.0])
def test_without_noise_on_the_count_the_sum_decides(scale: float) -> None:
    assert ratio_half_width(scale, 0.01, 10) == half_width(scale)
