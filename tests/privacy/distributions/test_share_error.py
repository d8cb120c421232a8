# SPDX-License-Identifier: Apache-2.0
"""The margin of a share against every pair of noises, weighed by its chance."""

from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pytest

from dpdesk.privacy.distributions import noise_distribution
from dpdesk.privacy.distributions.share_error import (
    PARTS,
    fitting_shares,
    share_half_width,
    share_margin,
    worst_half_width,
)
from dpdesk.privacy.noise.noise import Noise

Vector = npt.NDArray[np.float64]
NOISES = (Noise("laplace", 0.7), Noise("laplace", 3.0), Noise("gaussian", 4.0))


def pairs(noise: Noise) -> tuple[Vector, Vector, Vector]:
    """All X and Y that matter, and the chance of each pair."""
    far = noise_distribution.half_width(noise, 1e-7)
    values = np.arange(-far, far + 1.0)
    chances = noise_distribution.within(values, values, noise)
    x, y = np.meshgrid(values, values)
    return x, y, np.outer(chances, chances)


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("ends", [(0, 16), (5, 6), (16, 16)])
def test_the_half_width_holds_for_every_share_of_its_range(
    noise: Noise, ends: tuple[int, int]
) -> None:
    x, y, chances = pairs(noise)
    width = float(share_half_width(noise, *ends))
    for share in np.linspace(ends[0] / PARTS, ends[1] / PARTS, 13):
        beyond = chances[np.abs((1 - share) * x - share * y) > width + 1e-9].sum()
        assert beyond <= 0.05 + 1e-6
    # And at a single share a step less is too little.
    if ends[0] == ends[1]:
        less = chances[np.abs((x - y) / 2) > width - 1 / 16 + 1e-9].sum()
        assert less > 0.05


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("truth", [(0, 30), (1, 90), (20, 40), (50, 50), (77, 3), (4, 4)])
@pytest.mark.in_turn(6)
def test_the_margin_holds_95_times_in_100_and_hardly_more_often(
    noise: Noise, truth: tuple[int, int]
) -> None:
    having, _others = truth
    exact, missed, said = Fraction(having, sum(truth)), 0.0, 0.0
    for x, y, chance in zip(*(each.ravel() for each in pairs(noise)), strict=True):
        total = sum(truth) + int(x + y)
        if chance < 1e-9 or total < 1:
            continue
        value = min(max(Fraction(having + int(x), total), Fraction(0)), Fraction(1))
        said += chance
        missed += chance * (abs(value - exact) > share_margin(noise, having + int(x), total))
    assert missed <= 0.05
    # Where the whole is many times the noise; noise in whole numbers skips what is between.
    if sum(truth) >= 50 and noise.scale > 1:
        assert missed >= (0.02 if exact in (0, 1) or 20 * exact.numerator < sum(truth) else 0.03)


def test_before_the_draw_it_is_hardly_wider_than_that_of_one_count() -> None:
    for noise in (Noise("laplace", 40.0), Noise("gaussian", 40.0)):
        one = noise_distribution.half_width(noise)
        assert one <= worst_half_width(noise) <= 1.01 * one
    # Counts of a noise too wide for whole numbers of 64 bits.
    huge = Noise("laplace", 1e15)
    assert worst_half_width(huge) == noise_distribution.half_width(huge, 0.025)


def test_where_no_share_fits_the_widest_margin_is_said() -> None:
    noise = Noise("laplace", 2.0)
    assert share_margin(noise, 200, 100) == worst_half_width(noise) / 100
    assert share_margin(noise, -3, 1) == 1


def test_a_bound_that_is_found_sooner_saves_work_and_changes_no_end() -> None:
    widths = [Fraction(20 + 7 * (part % 5), 3) for part in range(PARTS)]
    asked: list[int] = []

    def width_in(part: int) -> Fraction:
        asked.append(part)
        return widths[part]

    for count in range(-10, 140, 3):
        near, total = Fraction(count, 120), Fraction(121, 2)
        asked.clear()
        plain, all_asked = fitting_shares(near, total, width_in, 30), len(asked)
        asked.clear()
        found = fitting_shares(near, total, width_in, 30, lambda part: widths[part] + 1)
        assert found == plain and len(asked) < all_asked
