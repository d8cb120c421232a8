# SPDX-License-Identifier: Apache-2.0
"""Bands around survival curves: they hold, and end where noise may leave nobody at risk."""

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.exact import Exact
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.noise.noise import Mechanism, Noise
from dpdesk.privacy.statistics.survival.band import Band, half_width
from dpdesk.privacy.statistics.survival.curve import nearest_counts, survival_curve
from dpdesk.privacy.statistics.survival.entry_band import EntryBand
from dpdesk.privacy.statistics.survival.incidence_band import IncidenceBand
from tests.audit.length import runs, some
from tests.privacy.statistics.survival.shapes import (
    EACH_WIDTH,
    LUNG,
    SHAPES,
    Counts,
    Wide,
    entry_bins,
    kaplan_meier,
    mixed,
)

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


def band_of(noisy: Counts, noise: Noise, public: int | None = None, wide: Wide = ()) -> Band:
    return Band(noise, noisy, survival_curve(noisy, public, 1, wide), public is not None)


@EACH_WIDTH
@pytest.mark.parametrize("is_public", [False, True], ids=["secret total", "public total"])
@pytest.mark.parametrize(("mechanism", "scale"), SCALES)
@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.in_turn(16)
def test_whole_curves_lie_in_their_bands(
    name: str, mechanism: Mechanism, scale: float, is_public: bool, is_wide: bool
) -> None:
    measure = "rho" if mechanism == "gaussian" else "epsilon"
    counts, noise = SHAPES[name], Noise(mechanism, scale, measure)
    wide = mixed(len(counts) // 2, is_wide)
    exact, public = kaplan_meier(counts, wide), sum(counts) if is_public else None
    misses = 0
    for noisy in drawn(counts, noise, DRAWS):
        ends = band_of(noisy, noise, public, wide).ends(MISS)
        held = (
            low - 1e-9 <= one <= high + 1e-9 for one, (low, high) in zip(exact, ends, strict=True)
        )
        misses += not all(held)
    assert misses / DRAWS <= ALLOWED


@given(
    st.lists(st.integers(-20, 60), min_size=2, max_size=24).filter(lambda x: len(x) % 2 == 0),
    st.booleans(),
)
def test_a_band_falls_and_stays_between_nothing_and_one(noisy: list[int], is_wide: bool) -> None:
    band = band_of(tuple(noisy), Noise("laplace", 3.0), None, mixed(len(noisy) // 2, is_wide))
    ends = ((1.0, 1.0), *band.ends(MISS))
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
    """Three of ten, then one of five: 3 / (10 7) + 1 / (5 4); in a wide bin of 9, 6 left."""
    for wide, first in (((), 3 / 70), ((True, True), 3 / 54)):
        band = band_of((3, 2, 1, 4), Noise("laplace", 0.001), None, wide)
        assert band.chance(1) == pytest.approx(math.sqrt(first + 1 / 20))


@pytest.mark.parametrize("is_public", [False, True], ids=["secret total", "public total"])
def test_bins_count_as_long_as_those_at_risk_are_surely_there(is_public: bool) -> None:
    """Word for word: after a bin's events, of the noisy counts and of those that fit them."""
    noise, bins, dice, found = Noise("laplace", 2.0), 6, np.random.default_rng(3), set()
    wide, rows = mixed(bins), np.zeros((bins, 2 * bins))
    for bin in range(bins):
        rows[bin, 2 * bin + 1 :] = 1
        rows[bin, 2 * bin + 1] -= 0.5 * (wide[bin] and bin < bins - 1)
    # Noises that are made to add up lose their mean.
    noises = rows - rows.mean(axis=1, keepdims=True) * is_public
    widths = np.array([half_width(noise, row, MISS) for row in noises])
    for _ in range(300):
        noisy = tuple(map(int, dice.integers(-2, 12, 2 * bins)))
        total = sum(noisy) + int(dice.integers(-3, 4)) * is_public
        fitted, parts = nearest_counts(noisy, total)
        moved = np.array(noisy) + (total - sum(noisy)) / len(noisy)
        least = np.minimum(rows @ moved, rows @ np.array(fitted) / parts)
        sure = next((bin for bin in range(bins) if least[bin] <= widths[bin]), bins)
        assert band_of(noisy, noise, total if is_public else None, wide).sure(MISS) == sure
        found.add(sure)
    assert len(found) > 3


@pytest.mark.parametrize("kinds", [1, 2])
@pytest.mark.parametrize("how", ["secret total", "public total", "late"])
def test_weights_are_how_far_one_of_each_count_moves_a_curve(kinds: int, how: str) -> None:
    """By finite differences of what is published; and what makes up a number at risk is known."""
    many, step = 4 * (kinds + 1) * (2 if how == "late" else 1), 2_000
    counts = np.random.default_rng(4).integers(1, 9, many) * 10**6
    total = int(counts.sum()) if how == "public total" else None
    noise, wide = Noise("laplace", 1.0), (True, False, True, True)

    def figures(counts: Any) -> list[Band]:
        noisy = tuple(map(int, counts))
        if how == "late":
            late = kinds == 2
            entries = entry_bins((0, 2), 4, wide)
            whole: Band = EntryBand(noise, noisy, entries, keeps_late=late, kinds=kinds)
        else:
            curve = survival_curve(noisy, total, kinds, wide)
            whole = Band(noise, noisy, curve, total is not None)
        return [whole, *(IncidenceBand(whole, kind) for kind in range(kinds))]

    whole, *others = bands = figures(counts)
    had = sum(1 - np.array(band.shares) for band in others)
    assert np.array(whole.shares) + had == pytest.approx(1)
    moved = [
        np.log([[band.shares for band in figures(counts + way)] for way in (one, -one)])
        for one in np.eye(many, dtype=int) * step
    ]
    for place, band in enumerate(bands):
        for bin in range(4):
            found = [(up[place, bin] - down[place, bin]) / (2 * step) for up, down in moved]
            near = 1e-5 / counts.max()
            assert found == pytest.approx(band.weights(bin), rel=1e-4, abs=near)
    each, none = np.eye(4), np.zeros((4, 4))
    for of, rows in zip(whole.drawn_of, ((each, none), (none, each)), strict=True):
        assert of == pytest.approx((whole.spread(*rows) ** 2).sum(axis=1))
