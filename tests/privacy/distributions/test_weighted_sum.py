# SPDX-License-Identifier: Apache-2.0
"""Half-widths of weighted sums against distributions that are added up place by place."""

import math
from functools import cache

import numpy as np
import pytest

from dpdesk.privacy.distributions import gaussian, laplace
from dpdesk.privacy.distributions.half_widths import sum_half_width
from dpdesk.privacy.distributions.weighted_sum import (
    _SMALL,
    PERIOD,
    Terms,
    _laplace_place,
    _norm,
    _series,
    half_width,
    half_width_beside,
    half_width_between,
)
from dpdesk.privacy.noise.noise import Mechanism, Noise
from dpdesk.privacy.running_counts.hierarchical_counts import Hierarchy

GRID = 12
"""Weights here are whole twelfths, so that their sums lie on a lattice."""

TERMS: tuple[tuple[tuple[int, int], ...], ...] = (
    ((12, 1), (6, 1)),
    ((12, 3), (4, 5), (-3, 2)),
    ((1, 30), (12, 1)),
    ((3, 16), (-9, 2)),
    ((8, 8), (-4, 4), (1, 12)),
)
SCALES = (0.3, 0.9, 2.0, 4.7, 11.0, 40.0)
MISSES = (0.05, 0.025, 0.0005)


@cache
def one(mechanism: Mechanism, scale: float) -> np.ndarray:
    """The probabilities of one noise, from far below to far above."""
    reach = math.ceil(scale * (40 if mechanism == "laplace" else 12)) + 2
    places = np.arange(-reach, reach + 1)
    if mechanism == "laplace":
        p = math.exp(-1 / scale)
        return (1 - p) / (1 + p) * p ** np.abs(places)
    return np.array([gaussian.pmf(int(x), scale) for x in places])


def lattice(
    mechanism: Mechanism, scale: float, twelfths: tuple[tuple[int, int], ...]
) -> np.ndarray:
    """The probabilities of the sum in twelfths, round a middle that is nothing."""
    single = one(mechanism, scale)
    reach = len(single) // 2
    far = sum(abs(weight) * count for weight, count in twelfths) * reach
    size = 1 << (2 * far + 2).bit_length()
    turned = np.ones(size // 2 + 1, np.complex128)
    for weight, count in twelfths:
        spread = np.zeros(size)
        spread[(np.arange(-reach, reach + 1) * weight) % size] = single
        turned *= np.fft.rfft(spread) ** count
    return np.roll(np.fft.irfft(turned, size), far)[: 2 * far + 1]


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
@pytest.mark.parametrize("twelfths", TERMS)
def test_no_more_is_missed_than_said_and_little_is_given_away(
    mechanism: Mechanism, twelfths: tuple[tuple[int, int], ...]
) -> None:
    terms: Terms = tuple((weight / GRID, count) for weight, count in twelfths)
    for scale in SCALES:
        chances = lattice(mechanism, scale, twelfths)
        away = np.abs(np.arange(len(chances)) - len(chances) // 2)
        for miss in MISSES:
            width = half_width(Noise(mechanism, scale), terms, miss)
            assert chances[away > GRID * width].sum() <= miss + 1e-9, (scale, miss)
            if scale > 4 and miss > 0.01:
                narrow = math.floor(width * (0.80 if scale < 10 else 0.9)) - 1
                assert chances[away > GRID * narrow].sum() > miss, (scale, miss)


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
def test_equal_weights_have_their_exact_sum(mechanism: Mechanism) -> None:
    for count in (1, 2, 17):
        found = half_width(Noise(mechanism, 6.0), ((1.0, count),))
        assert found == sum_half_width(mechanism, 6.0, count)  # type: ignore[arg-type]
    assert half_width(Noise("laplace", 6.0), ((0.5, 1),)) == math.ceil(laplace.half_width(6.0) / 2)


def test_no_noise_has_no_width() -> None:
    assert half_width(Noise("laplace", 6.0), ()) == 0


def test_the_slowest_series_ends_and_misses_no_more_than_said() -> None:
    """The fewer noises, the slower the characteristic function falls: of one it is cut off."""
    for scale in (0.9, 11.0, 900.0):
        for miss in MISSES:
            found = half_width_between(Noise("laplace", scale), (((1.0, 1),),), 1, miss)
            assert laplace.half_width(scale, miss) <= found
            assert found <= (1.02 * laplace.half_width(scale, miss)) + 4


@pytest.mark.parametrize("miss", [0.999, 0.5, 0.05, 1e-5])
def test_where_a_sum_is_cut_is_known_to_the_millionth_part(miss: float) -> None:
    """Of two continuous Laplaces of scale 1, beyond t is exp(-t) (1 + t / 2)."""
    place = _laplace_place(((1.0, 2),), miss)

    def beyond(t: float) -> float:
        return math.exp(-t) * (1 + t / 2)

    assert beyond(place) <= miss
    assert beyond(place * (1 - 3e-6)) > miss - 3e-9


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
def test_the_width_never_shrinks_where_the_scale_grows(mechanism: Mechanism) -> None:
    terms = Hierarchy(30, (6, 1)).weights(17)
    scales = [0.05 * 1.03**step for step in range(250)]
    widths = [half_width(Noise(mechanism, scale), terms) for scale in scales]
    assert widths == sorted(widths)


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
def test_weights_between_two_others_miss_no_more_than_said(mechanism: Mechanism) -> None:
    """Three noises on one side, four on the other, and mixtures of both in twelfths."""
    left, right = ((6, 2), (12, 1)), ((6, 1), (-12, 3))
    ends = tuple(tuple((weight / GRID, count) for weight, count in end) for end in (left, right))
    for scale in SCALES:
        noise = Noise(mechanism, scale)
        width = half_width_between(noise, ends, 7, 0.05)
        for part in (0, 3, 6, 12):
            mixed = tuple((w * (12 - part) // 6, n) for w, n in left) + tuple(
                (w * part // 6, n) for w, n in right
            )
            chances = lattice(mechanism, scale, mixed)
            away = np.abs(np.arange(len(chances)) - len(chances) // 2)
            assert chances[away > 2 * GRID * width].sum() <= 0.05 + 1e-9, (scale, part)


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
@pytest.mark.parametrize("deviation", [0.5, 8.0, 90.0])
def test_a_normal_number_beside_the_noises_is_added_up(
    mechanism: Mechanism, deviation: float
) -> None:
    """The chance beyond, by adding up normal tails over the lattice of the noises."""
    twelfths = ((12, 1), (-6, 1))
    for scale in (0.9, 11.0):
        chances = lattice(mechanism, scale, twelfths)
        places = (np.arange(len(chances)) - len(chances) // 2) / GRID
        kept = chances > 1e-12

        def beyond(width: float) -> float:
            far = [
                math.erfc((width - x) / deviation / math.sqrt(2))
                for x in places[kept].tolist()  # noqa: B023
            ]
            return float(chances[kept] @ np.array(far))  # noqa: B023

        for miss in (0.05, 0.01):
            width = half_width_beside(Noise(mechanism, scale), (1.0, -0.5), deviation, miss)
            assert beyond(width) <= miss, (scale, miss)
            if max(scale, deviation) > 5:
                assert beyond(0.85 * width) > miss, (scale, miss)


@pytest.mark.parametrize("miss", [*MISSES, 0.5, 2e-6])
@pytest.mark.parametrize("beside", [0.0, 2.0])
def test_a_place_is_the_one_that_halving_finds(miss: float, beside: float) -> None:
    """To the last bit, so that secants move no published margin."""
    dice = np.random.default_rng(5)
    mixed = tuple((float(weight), int(count)) for weight, count in dice.integers(1, 90, (12, 2)))
    for terms in (*(tuple((w / GRID, n) for w, n in one) for one in TERMS), ((1e-4, 1),), mixed):
        deviation = math.hypot(math.sqrt(2) * _norm(terms), beside)
        step = 2 * math.pi / (PERIOD * deviation)
        places, heights, cut_off = _series(step, terms, beside)
        parts = 2 * heights / places
        low, high = 0.0, PERIOD / 2 * deviation
        while high - low > 1e-6 * high:
            t = (low + high) / 2
            inside = step / math.pi * (t + float(np.sin(t * places) @ parts))
            beyond = 1 - inside + 4 * math.exp(t / deviation - PERIOD) + cut_off + _SMALL
            low, high = (low, t) if beyond <= miss else (t, high)
        assert _laplace_place(terms, miss, beside) == high
