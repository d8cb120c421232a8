# SPDX-License-Identifier: Apache-2.0
"""Tails and half-widths of the Gaussian noise, against sums over its definition."""

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.privacy.distributions import gaussian
from tests.privacy.distributions import exact_gaussian as exact
from tests.privacy.distributions.exact_laplace import many_digits

SMALL = [0.2, 0.25, 0.5, 0.99, 1.0, 1.01, 1.5, 2.5, 7.3, 30.0, 120.7]
LARGE = [999.9, 1000.0, 1000.1, 4321.0, 1e5, 3.3e7, 1e9]
MISSES = [0.5, 0.1, 0.05, 0.01, 1e-9]


def widths(scale: float) -> set[int]:
    return {0, 1, round(scale), round(2 * scale), round(3 * scale), round(7 * scale)}


@pytest.mark.parametrize("scale", [0.3, 1.0, 5.0, 40.0])
def test_the_probabilities_of_the_definition_make_one(scale: float) -> None:
    with many_digits():
        all_of_them = exact.total(scale)
        assert abs(exact.added_beyond(-1000, scale) / all_of_them - 1) < Decimal("1e-40")
        for value in (-3, 0, 1, 17):
            true = exact.probability(value, scale)
            assert gaussian.pmf(value, scale) == pytest.approx(float(true), rel=1e-13, abs=1e-300)


@pytest.mark.parametrize("width", [0, 1, 300, 700, 2100])
def test_the_two_ways_to_the_true_tail_agree(width: int) -> None:
    with many_digits():
        added = exact.added_beyond(width, 300.0)
        assert abs(exact.maclaurin_beyond(width, 300.0) / added - 1) < Decimal("1e-28")


@pytest.mark.threat("A12")
@pytest.mark.parametrize("scale", SMALL + LARGE)
def test_the_tail_is_accurate_and_never_understated(scale: float) -> None:
    with many_digits():
        for width in widths(scale):
            true, said = exact.tail(width, scale), Decimal(gaussian.tail(width, scale))
            if true > Decimal(gaussian.LEAST):
                assert true <= said <= true * (1 + Decimal("2e-12"))
            else:
                assert said == Decimal(gaussian.LEAST)


def test_the_slack_is_more_than_the_rounding() -> None:
    with many_digits():
        for scale in SMALL + LARGE:
            for width in widths(scale):
                true = exact.tail(width, scale)
                if true > Decimal("1e-290"):
                    plain = Decimal(gaussian.tail(width, scale)) / (1 + Decimal(gaussian.SLACK))
                    assert abs(plain / true - 1) < Decimal(gaussian.SLACK) / 4


def test_what_no_float_can_hold_is_not_said_to_be_nothing() -> None:
    assert gaussian.tail(10_000, 1.0) == gaussian.LEAST
    assert gaussian.tail(10**8, 2000.0) == gaussian.LEAST
    assert gaussian.tail(-1, 3.0) == 1.0


@pytest.mark.parametrize("miss", MISSES)
def test_the_half_width_is_the_smallest_whole_number_that_holds(miss: float) -> None:
    with many_digits():
        bound = Decimal(miss)
        for scale in SMALL + LARGE:
            width = gaussian.half_width(scale, miss)
            assert exact.tail(width, scale) <= bound
            assert width == 0 or exact.tail(width - 1, scale) > bound


def test_the_usual_half_width_is_almost_two_scales() -> None:
    scales = (0.2, 1.0, 10.0, 30.0, 1e6, 2.0**66)
    found = [gaussian.half_width(s) for s in scales]
    assert found[:5] == [0, 2, 20, 59, 1_959_964]
    assert found[5] == pytest.approx(1.9599639845400543 * 2.0**66, rel=1e-11)


@given(st.floats(0.2, 40), st.floats(-200, 200), st.floats(0, 300))
def test_the_probability_between_two_ends_is_the_sum(
    scale: float, low: float, length: float
) -> None:
    x = np.arange(-700.0, 701.0)
    chance = np.exp(-0.5 * (x / scale) ** 2)
    high = low + length
    true = chance[(x >= low) & (x <= high)].sum() / chance.sum()
    said = gaussian.within(np.array([low]), np.array([high]), scale)
    assert said[0] == pytest.approx(true, abs=1e-12)


@pytest.mark.parametrize("scale", [999.0, 1001.0, 50_000.0])
def test_the_probability_between_two_ends_holds_for_large_scales(scale: float) -> None:
    low = np.array([[-1.0, -scale], [2.5 * scale, -1e9]])
    high = np.array([[1.0, 2 * scale], [2.6 * scale, 1e9]])
    said = gaussian.within(low, high, scale)
    assert said.shape == (2, 2)
    with many_digits():
        assert said[0, 0] == pytest.approx(float(1 - exact.tail(1, scale)), rel=1e-9)
        assert said[1, 1] == 1.0
        lower = exact.tail(int(-(-2.5 * scale // 1)) - 1, scale)
        upper = exact.tail(int(2.6 * scale // 1), scale)
        assert said[1, 0] == pytest.approx(float((lower - upper) / 2), abs=1e-13)
        sides = exact.tail(int(scale), scale) + exact.tail(int(2 * scale), scale)
        assert said[0, 1] == pytest.approx(float(1 - sides / 2), abs=1e-12)


def test_ends_belong_to_the_interval() -> None:
    low, high = np.array([0.0, -1.0, 0.5, -0.5]), np.array([0.0, 1.0, 0.6, 0.5])
    with many_digits():
        at = [float(exact.probability(n, 2.0)) for n in range(2)]
    expected = [at[0], at[0] + 2 * at[1], 0.0, at[0]]
    assert gaussian.within(low, high, 2.0) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize("scale", [0.2, 1.0, 10.0, 1000.0])
def test_the_curve_goes_through_the_probabilities(scale: float) -> None:
    x, height = gaussian.curve(scale, 100.0, 201)
    assert x.shape == height.shape == (201,)
    assert x[100] == 0.0
    for i, n in [(i, round(v)) for i, v in enumerate(x)][60:141:5]:
        assert height[i] == pytest.approx(gaussian.pmf(n, scale), rel=1e-9, abs=1e-300)
