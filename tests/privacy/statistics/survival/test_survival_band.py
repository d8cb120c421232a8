# SPDX-License-Identifier: Apache-2.0
"""Bands around survival curves: they hold, and end where noise may leave nobody at risk."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.exact import Exact
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.noise.noise import Mechanism, Noise
from dpdesk.privacy.statistics.survival.band import Band, half_width
from dpdesk.privacy.statistics.survival.curve import survival_curve
from tests.audit.length import runs, some
from tests.privacy.statistics.survival.shapes import LUNG, SHAPES, Counts, kaplan_meier

DRAWS = runs(short=100, full=2_000)
MISS = 0.05
ALLOWED = MISS + 4.5 * math.sqrt(MISS * (1 - MISS) / DRAWS)
"""More misses than 5 in 100 by so much happen once in 100,000."""
SCALES = some([(m, s) for m in ("laplace", "gaussian") for s in (1.0, 3.0, 10.0, 30.0)], 3)


def drawn(counts: Counts, noise: Noise, times: int) -> list[Counts]:
    vector = Exact(np.tile(counts, times))
    noisy = OpenDPDoor().draw("survival", vector, noise, 1)
    size = len(counts)
    return [tuple(noisy[start : start + size]) for start in range(0, times * size, size)]


def band_of(noisy: Counts, noise: Noise, public: int | None = None) -> Band:
    return Band(noise, noisy, survival_curve(noisy, public), public is not None)


@pytest.mark.parametrize("is_public", [False, True], ids=["secret total", "public total"])
@pytest.mark.parametrize(("mechanism", "scale"), SCALES)
@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.in_turn(8)
def test_whole_curves_lie_in_their_bands(
    name: str, mechanism: Mechanism, scale: float, is_public: bool
) -> None:
    measure = "rho" if mechanism == "gaussian" else "epsilon"
    counts, noise = SHAPES[name], Noise(mechanism, scale, measure)
    exact, public = kaplan_meier(counts), sum(counts) if is_public else None
    misses = 0
    for noisy in drawn(counts, noise, DRAWS):
        ends = band_of(noisy, noise, public).ends(MISS)
        held = (
            low - 1e-9 <= one <= high + 1e-9 for one, (low, high) in zip(exact, ends, strict=True)
        )
        misses += not all(held)
    assert misses / DRAWS <= ALLOWED


@given(st.lists(st.integers(-20, 60), min_size=2, max_size=24).filter(lambda x: len(x) % 2 == 0))
def test_a_band_falls_and_stays_between_nothing_and_one(noisy: list[int]) -> None:
    ends = ((1.0, 1.0), *band_of(tuple(noisy), Noise("laplace", 3.0)).ends(MISS))
    assert all(0 <= low <= high <= 1 for low, high in ends)
    assert all(b[0] >= a[0] and b[1] >= a[1] for b, a in pairwise(ends))


def test_it_ends_where_noise_may_leave_nobody_at_risk() -> None:
    """Of 228 people with noise of scale 1 the last few are not told from nobody."""
    band = band_of(LUNG, Noise("laplace", 1.0))
    sure = band.sure(MISS / band.bins)
    assert 8 <= sure < 15
    ends = band.ends(MISS)
    assert all(low > 0 for low, _high in ends[:sure])
    assert ends[sure:] == ((0.0, ends[sure - 1][1]),) * (band.bins - sure)
    assert band_of(LUNG, Noise("laplace", 0.01)).sure(MISS) == band.bins
    assert band_of(LUNG, Noise("laplace", 100.0)).ends(MISS) == ((0.0, 1.0),) * band.bins


def test_a_public_total_makes_a_band_narrower() -> None:
    noise = Noise("gaussian", 3.0, "rho")
    secret, public = (band_of(LUNG, noise, total).ends(MISS) for total in (None, sum(LUNG)))
    widths = [[high - low for low, high in ends[:6]] for ends in (secret, public)]
    assert all(less < more for more, less in zip(*widths, strict=True))


@pytest.mark.parametrize("scale", [0.5, 2.0, 20.0])
@pytest.mark.parametrize("miss", [0.05, 0.001])
def test_half_widths_of_sums_are_never_too_small(scale: float, miss: float) -> None:
    """The distribution of X + 2 Y, added up."""
    p = math.exp(-1 / scale)
    far = math.ceil(scale * 40) + 2
    one = (1 - p) / (1 + p) * p ** np.abs(np.arange(-far, far + 1))
    double = np.zeros(4 * far + 1)
    double[::2] = one
    chances, sums = np.convolve(one, double), np.abs(np.arange(-3 * far, 3 * far + 1))
    found = half_width(Noise("laplace", scale), np.array([1.0, -2.0]), miss)
    assert chances[sums > found].sum() <= miss
    assert chances[sums > 0.5 * found].sum() > miss


def test_chance_is_that_of_greenwood() -> None:
    """Three of ten, then one of five: 3 / (10 7) + 1 / (5 4)."""
    band = band_of((3, 2, 1, 4), Noise("laplace", 0.001))
    assert band.chance(1) == pytest.approx(math.sqrt(3 / 70 + 1 / 20))
