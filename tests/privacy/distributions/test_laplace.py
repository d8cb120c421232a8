# SPDX-License-Identifier: Apache-2.0
"""Tails and half-widths of the noise, against sums over its definition."""

import math
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.privacy.accounting.calibrate import calibrated
from dpdesk.privacy.distributions import laplace
from dpdesk.privacy.noise.noise import Noise
from dpdesk.study.model.amount import Epsilon
from tests.privacy.distributions import exact_laplace as exact

SCALES = [float(s) for s in np.geomspace(0.05, 1e6, 60)]
CALIBRATED = [
    calibrated(Noise("laplace", 1.0), sensitivity, Epsilon(micro)).scale
    for sensitivity in (1, 2, 3, 10, 21, 1_000)
    for micro in (1, 1_000, 100_000, 333_333, 1_000_000, 100_000_000)
]
MISSES = [0.5, 0.05, 0.025, 0.01, 1e-9]


@pytest.mark.parametrize("scale", [0.05, 0.3, 1.0, 2.5, 10.0, 47.5])
def test_the_closed_tail_is_one_minus_the_sum(scale: float) -> None:
    with exact.many_digits():
        total = Decimal(0)
        for width in range(60):
            weight = 1 if width == 0 else 2
            total += weight * exact.probability(width, scale)
            assert abs(exact.tail(width, scale) - (1 - total)) < Decimal("1e-50")


@pytest.mark.parametrize("scale", SCALES)
def test_the_tail_is_accurate_for_every_scale(scale: float) -> None:
    with exact.many_digits():
        for width in {0, 1, round(scale), round(3 * scale), round(20 * scale)}:
            true = exact.tail(width, scale)
            assert abs(Decimal(laplace.tail(width, scale)) - true) <= true * Decimal("1e-12")


def test_nothing_lies_within_less_than_nothing() -> None:
    assert laplace.tail(-1, 3.0) == 1.0


@pytest.mark.parametrize("miss", MISSES)
def test_the_half_width_is_the_smallest_whole_number_that_holds(miss: float) -> None:
    with exact.many_digits():
        bound = Decimal(miss)
        for scale in SCALES + CALIBRATED:
            width = laplace.half_width(scale, miss)
            assert exact.tail(width, scale) <= bound
            assert width == 0 or exact.tail(width - 1, scale) > bound


@pytest.mark.parametrize(
    ("scale", "miss"),
    [(63_854_833_469.65, 0.001), (305_568_429_676.5, 0.025), (2_971_869_684_163.9, 0.05)],
)
def test_a_half_width_that_the_closed_form_has_one_too_small_is_put_right(
    scale: float, miss: float
) -> None:
    """Scales of sums in fine quanta, where rounding moves the closed form over a whole number."""
    bound, offset = math.log(miss), math.log1p(math.expm1(-1.0 / scale) / 2)
    closed = math.ceil(-scale * (bound + offset)) - 1
    with exact.many_digits():
        assert exact.tail(closed, scale) > Decimal(miss)
        assert exact.tail(laplace.half_width(scale, miss), scale) <= Decimal(miss)


def test_the_usual_half_width_is_three_scales() -> None:
    assert laplace.MISS == 0.05
    assert [laplace.half_width(s) for s in (0.05, 1.0, 10.0, 30.0, 1000.0)] == [0, 3, 30, 90, 2996]


@given(st.floats(0.05, 50), st.floats(-200, 200), st.floats(0, 300))
def test_the_probability_between_two_ends_is_the_sum(
    scale: float, low: float, length: float
) -> None:
    x, chance = exact.probabilities(scale, 1_500)
    high = low + length
    true = chance[(x >= low) & (x <= high)].sum()
    assert laplace.within(np.array([low]), np.array([high]), scale)[0] == pytest.approx(
        true, abs=1e-9
    )


def test_ends_belong_to_the_interval() -> None:
    low, high = np.array([0.0, -1.0, 0.5, -0.5]), np.array([0.0, 1.0, 0.6, 0.5])
    with exact.many_digits():
        at = [float(exact.probability(n, 2.0)) for n in range(2)]
    expected = [at[0], at[0] + 2 * at[1], 0.0, at[0]]
    assert laplace.within(low, high, 2.0) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("scale", [0.05, 0.3, 1.0, 10.0, 1000.0])
def test_the_curve_goes_through_the_probabilities(scale: float) -> None:
    x, height = laplace.curve(scale, 100.0, 201)
    assert x.shape == height.shape == (201,)
    assert x[100] == 0.0
    whole = [(i, round(v)) for i, v in enumerate(x) if abs(v - round(v)) < 1e-9]
    assert len(whole) == 201
    with exact.many_digits():
        for i, n in whole[60:141:5]:
            assert height[i] == pytest.approx(float(exact.probability(n, scale)), rel=1e-9)
