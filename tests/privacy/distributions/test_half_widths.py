# SPDX-License-Identifier: Apache-2.0
"""Half-widths of one noise, of all at once and of sums, against exact sums and draws."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.privacy.distributions import convolution, half_widths, laplace
from dpdesk.privacy.distributions.half_widths import NoiseName
from tests.privacy.distributions import exact_gaussian, exact_laplace
from tests.privacy.distributions.exact_laplace import many_digits

NOISES: tuple[NoiseName, ...] = ("laplace", "gaussian")
EXACT = {"laplace": exact_laplace, "gaussian": exact_gaussian}


def added(noise: NoiseName, scale: float, count: int, reach: int) -> list[Decimal]:
    """The distribution of the sum on -count*reach.., by convolution in 60 digits."""
    one = [EXACT[noise].probability(x, scale) for x in range(-reach, reach + 1)]
    found = [Decimal(1)]
    for _ in range(count):
        longer = [Decimal(0)] * (len(found) + len(one) - 1)
        for i, a in enumerate(found):
            for j, b in enumerate(one):
                longer[i + j] += a * b
        found = longer
    return found


def test_each_noise_goes_to_its_own_distribution() -> None:
    assert half_widths.half_width("laplace", 10.0) == 30
    assert half_widths.half_width("gaussian", 10.0) == 20


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("cells", [1, 2, 12, 1000, 100_000])
@pytest.mark.parametrize("miss", [0.5, 0.05, 1e-6])
def test_all_at_once_is_the_smallest_that_holds(noise: NoiseName, cells: int, miss: float) -> None:
    with many_digits():
        for scale in (0.6, 8.0, 250.0):
            width = half_widths.half_width(noise, scale, half_widths.each_miss(cells, miss))
            held = (1 - EXACT[noise].tail(width, scale)) ** cells
            assert held >= 1 - Decimal(miss)
            if width:
                assert (1 - EXACT[noise].tail(width - 1, scale)) ** cells < 1 - Decimal(miss)
            assert width <= half_widths.half_width(noise, scale, miss / cells)


def test_all_at_once_holds_in_draws() -> None:
    random = np.random.default_rng(4)
    p = math.exp(-1 / 6.0)
    draws = random.geometric(1 - p, (10_000, 20)) - random.geometric(1 - p, (10_000, 20))
    width = half_widths.half_width("laplace", 6.0, half_widths.each_miss(20))
    chance = 1 - (1 - laplace.tail(width, 6.0)) ** 20
    missed = (np.abs(draws) > width).any(axis=1).mean()
    assert abs(missed - chance) < 0.01


@pytest.mark.parametrize(
    ("noise", "scale", "reach"),
    [("laplace", 0.2, 12), ("laplace", 0.8, 55), ("gaussian", 0.3, 5), ("gaussian", 1.1, 17)],
)
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_the_tail_of_a_sum_is_its_convolution(
    noise: NoiseName, scale: float, reach: int, count: int
) -> None:
    with many_digits(40):
        chances = added(noise, scale, count, reach)
        middle = count * reach
        for width in (0, 1, 3, 8):
            true = sum(c for i, c in enumerate(chances) if abs(i - middle) > width)
            said = Decimal(convolution.TAILS[noise](width, scale, count))
            assert true <= said
            assert said <= true * (1 + Decimal("2e-10")) + Decimal("1e-24")


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize(("scale", "count"), [(0.5, 37), (1.9, 12), (2.0, 12), (9.0, 5), (30.0, 3)])
def test_the_tail_of_many_is_their_convolution_in_floats(
    noise: NoiseName, scale: float, count: int
) -> None:
    reach = math.ceil(45 * scale)
    x = np.arange(-reach, reach + 1)
    with many_digits():
        one = np.array([float(EXACT[noise].probability(int(v), scale)) for v in x])
    found = np.ones(1)
    for _ in range(count):
        found = np.convolve(found, one)
    middle = found.size // 2
    assert found.sum() == pytest.approx(1, abs=1e-12)
    for width in (0, 1, round(scale * count**0.5), round(3 * scale * count**0.5)):
        true = found[: middle - width].sum() + found[middle + width + 1 :].sum()
        assert convolution.TAILS[noise](width, scale, count) == pytest.approx(true, rel=1e-9)


def test_both_ways_of_adding_gaussians_agree_where_they_meet() -> None:
    for count in (2, 3, 50, 1000):
        deviation = 2 * math.sqrt(count)
        for width in (0, round(deviation), round(2 * deviation), round(5 * deviation)):
            smooth = convolution.gaussian_tail(width, convolution.SMOOTH, count)
            by_hand = float(convolution._added(convolution.SMOOTH, count)[width])
            assert smooth == pytest.approx(by_hand, rel=2e-10)


@pytest.mark.parametrize(("scale", "count"), [(0.4, 1000), (5.0, 200), (1e4, 64), (1e9, 5000)])
def test_the_sum_of_laplace_noises_spreads_as_its_variance_says(scale: float, count: int) -> None:
    p = math.exp(-1 / scale)
    deviation = math.sqrt(2 * p * count) / -math.expm1(-1 / scale)
    width = half_widths.sum_half_width("laplace", scale, count)
    assert width == pytest.approx(1.96 * deviation, rel=0.02, abs=1)
    assert convolution.laplace_tail(0, scale, count) == pytest.approx(1, abs=0.1)


def test_the_sum_of_large_laplace_noises_is_the_race_of_two_gamma_numbers() -> None:
    scale, count = 1e8, 3
    for x in (0.5, 2.0, 9.0):
        poisson = [math.exp(-x) * x**j / math.factorial(j) for j in range(count)]
        true = sum(
            Fraction(math.comb(2 * count - k - 1, count - 1), 2 ** (2 * count - k))
            * Fraction(sum(poisson[:k]))
            for k in range(1, count + 1)
        )
        said = convolution.laplace_tail(round(x * scale), scale, count)
        assert said == pytest.approx(2 * float(true), rel=1e-6)


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("count", [1, 2, 7, 40])
def test_the_half_width_of_a_sum_is_the_smallest(noise: NoiseName, count: int) -> None:
    for scale in (0.3, 1.5, 12.0, 5e5):
        for miss in (0.05, 1e-6):
            width = half_widths.sum_half_width(noise, scale, count, miss)
            assert convolution.TAILS[noise](width, scale, count) <= miss
            assert width == 0 or convolution.TAILS[noise](width - 1, scale, count) > miss
            if count == 1:
                assert width == half_widths.half_width(noise, scale, miss)


def test_a_running_total_is_narrower_than_its_cells_added_up() -> None:
    for noise in NOISES:
        one = half_widths.half_width(noise, 20.0)
        wider = [half_widths.sum_half_width(noise, 20.0, n) for n in (1, 4, 16, 64)]
        assert wider == sorted(set(wider))
        assert all(w < n * one for w, n in zip(wider[1:], (4, 16, 64), strict=True))


def test_nothing_lies_within_less_than_nothing() -> None:
    assert convolution.laplace_tail(-1, 3.0, 2) == convolution.gaussian_tail(-1, 3.0, 2) == 1.0


@pytest.mark.parametrize("noise", NOISES)
def test_the_half_width_of_a_sum_holds_in_draws(noise: NoiseName) -> None:
    random = np.random.default_rng(9)
    count, scale = 9, 1.4
    x = np.arange(-60, 61)
    with many_digits():
        chance = np.array([float(EXACT[noise].probability(int(v), scale)) for v in x])
    draws = random.choice(x, size=(20_000, count), p=chance / chance.sum()).sum(axis=1)
    width = half_widths.sum_half_width(noise, scale, count)
    expected = convolution.TAILS[noise](width, scale, count)
    assert abs((np.abs(draws) > width).mean() - expected) < 0.007


def halved(noise: NoiseName, scale: float, count: int, miss: float) -> int:
    """The half-width of a sum by halving alone."""
    beyond = convolution.TAILS[noise]
    low, high = -1, 1
    while beyond(high, scale, count) > miss:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        held = beyond(middle, scale, count) <= miss
        low, high = (low, middle) if held else (middle, high)
    return high


@given(
    st.sampled_from(["laplace", "gaussian"]),
    st.floats(0.1, 1e9),
    st.sampled_from([1, 2, 3, 17, 400]),
    st.sampled_from([0.1, 0.05, 0.01, 1e-9]),
)
def test_the_width_of_a_sum_is_the_one_that_halving_finds(
    noise: NoiseName, scale: float, count: int, miss: float
) -> None:
    count = count if noise == "laplace" or scale > 2 else min(count, 17)
    assert half_widths.sum_half_width(noise, scale, count, miss) == halved(
        noise, scale, count, miss
    )


def test_the_width_of_a_sum_takes_few_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = []
    monkeypatch.setitem(
        convolution.TAILS, "laplace", lambda *at: looks.append(at) or convolution.laplace_tail(*at)
    )
    half_widths.sum_half_width.cache_clear()
    for scale in (1.5, 1e3, 1e6, 1e9, 1e11):
        looks.clear()
        half_widths.sum_half_width("laplace", scale, 999)
        assert 2 < len(looks) <= 16, scale
    half_widths.sum_half_width.cache_clear()
