# SPDX-License-Identifier: Apache-2.0
"""Survival curves of noisy counts: they fall between 1 and 0, and without noise are exact."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.exact import Exact
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.planning.survival.derived_figures import derived_figures
from dpdesk.privacy.statistics.survival.band import Band
from dpdesk.privacy.statistics.survival.curve import nearest_counts, survival_curve
from tests.privacy.statistics.survival.shapes import (
    EACH_WIDTH,
    LUNG,
    SHAPES,
    Counts,
    Wide,
    kaplan_meier,
    mixed,
)

NOISY = st.lists(st.integers(-20, 60), min_size=2, max_size=24).filter(lambda x: len(x) % 2 == 0)
PLAIN = 0.0216
"""What counts cut at 0 reach on the lung data at epsilon 1: issue and measurement."""
DRAWS = 1_000


@EACH_WIDTH
@pytest.mark.parametrize("counts", SHAPES.values(), ids=SHAPES)
def test_without_noise_it_is_the_curve_of_kaplan_and_meier(counts: Counts, is_wide: bool) -> None:
    """Or that of a life table, where bins are wide."""
    wide = mixed(len(counts) // 2, is_wide)
    curve = survival_curve(counts, None, 1, wide)
    assert curve.survival == pytest.approx(kaplan_meier(counts, wide), abs=1e-12)
    for bin in range(len(counts) // 2):
        assert curve.at_risk(bin) == sum(counts[2 * bin :])
        assert (curve.events(bin), curve.censored(bin)) == counts[2 * bin : 2 * bin + 2]


@pytest.mark.parametrize("is_followed", [False, True], ids=["to the last bin", "beyond it"])
def test_in_wide_bins_it_is_near_that_of_each_day(is_followed: bool) -> None:
    """Made-up patients who enter all through two years: whoever is censored counts for half a bin.

    One in three has the event. In the last bin those followed beyond it are at risk throughout.
    """
    dice, many, bins, width = np.random.default_rng(5), 100_000, 8, 91
    fall = np.floor(1_800 * dice.exponential(size=many)).astype(int)
    left = dice.integers(1, 731, many) + 800 * is_followed
    day, last = np.minimum(fall, left), bins * width
    has = (fall <= left) & (day < last)
    at_risk = many - np.cumsum(np.bincount(day, minlength=last))[:last]
    at_risk = np.array([many, *at_risk[:-1]])
    daily = np.cumprod(1 - np.bincount(day[has], minlength=last) / at_risk)
    places = 2 * np.minimum(day // width, bins - 1) + ~has
    counts = tuple(map(int, np.bincount(places, minlength=2 * bins)))
    curve = survival_curve(counts, None, 1, (True,) * bins)
    off = np.array(curve.survival) - daily[width - 1 :: width]
    assert np.abs(off[:-1]).max() < 0.0003
    # Too high where nobody is followed longer; who is must not be called lost.
    assert off[-1] == pytest.approx(0.0 if is_followed else 0.0154, abs=0.0003)
    band = Band(Noise("laplace", 0.01), counts, curve, False)
    ends = [float(width * (bin + 1)) for bin in range(bins)]
    (mean,) = (
        one.value
        for one in derived_figures([band], ends, 0.0, (bins - 2,), 0.05)
        if one.name == "restricted-mean"
    )
    assert mean == pytest.approx(1 + daily[: width * (bins - 1) - 1].sum(), abs=0.1)
    # With each of them at risk for all of the bin.
    whole = np.array(survival_curve(counts, None).survival) - daily[width - 1 :: width]
    high = (0.0, 0.0) if is_followed else (0.0132, 0.0307)
    assert (whole[3], whole[6]) == pytest.approx(high, abs=0.0003)


def test_it_is_that_of_a_package_that_others_use() -> None:
    lifelines: Any = pytest.importorskip("lifelines")
    times = np.repeat(np.arange(len(LUNG)) // 2 + 1, LUNG)
    has = np.repeat(np.arange(len(LUNG)) % 2 == 0, LUNG)
    fitted = lifelines.KaplanMeierFitter().fit(times, has)
    ends = fitted.survival_function_at_times(range(1, len(LUNG) // 2 + 1))
    assert survival_curve(LUNG, None).survival == pytest.approx(list(ends), abs=1e-9)


@given(NOISY, st.booleans())
def test_it_falls_between_one_and_nothing_and_divides_by_nobody(
    noisy: list[int], is_wide: bool
) -> None:
    curve = survival_curve(noisy, None, 1, mixed(len(noisy) // 2, is_wide))
    assert all(1 >= before >= after >= 0 for before, after in pairwise((1.0, *curve.survival)))
    assert min(curve.counts) >= 0
    for bin in range(len(noisy) // 2):
        if curve.chain[2 * bin] < curve.parts:
            assert curve.survival[bin] == (curve.survival[bin - 1] if bin else 1.0)


@given(NOISY, st.one_of(st.none(), st.integers(1, 200)))
def test_the_counts_are_the_nearest_that_add_up(noisy: list[int], public: int | None) -> None:
    """Least squares with a sum and none below 0: what is above 0 was moved by one number alone."""
    total = sum(noisy) if public is None else public
    counts, parts = nearest_counts(noisy, total)
    if total <= 0:
        assert set(counts) == {0}
        return
    assert sum(counts) == total * parts
    moved = [parts * before - after for before, after in zip(noisy, counts, strict=True)]
    (same,) = {by for by, after in zip(moved, counts, strict=True) if after > 0}
    assert all(by <= same for by, after in zip(moved, counts, strict=True) if after == 0)


def test_on_the_lung_data_it_is_nearer_than_counts_cut_at_nothing() -> None:
    """Gondara and Wang, Differentially private survival function estimation (2020), is the anchor.

    Of 18 bins of 60 days at epsilon 1: the median over the draws of the root mean square
    difference to the curve of the exact counts, in bins of one time each and of several.
    """
    drawn = np.reshape(
        OpenDPDoor().draw("lung", Exact(np.tile(LUNG, DRAWS)), Noise("laplace", 1.0), 1),
        (DRAWS, len(LUNG)),
    )
    for wide in ((), (True,) * (len(LUNG) // 2)):
        exact = np.array(kaplan_meier(LUNG, wide))
        fitted, cut = (
            np.median([_apart(tuple(map(int, kept)), wide, exact) for kept in one])
            for one in (drawn, np.maximum(drawn, 0))
        )
        assert fitted < cut
        assert fitted <= PLAIN


@pytest.mark.parametrize("branches", [2, 3, 6, 36])
def test_a_tree_of_counts_takes_more_than_it_gives(branches: int) -> None:
    """Of first order, on the lung data: root mean square at the 18 bin ends, by level weights."""
    levels = _levels(len(LUNG), branches)
    alone = _error(np.eye(len(LUNG)))
    rng = np.random.default_rng(1)
    mixed = (rng.dirichlet(np.ones(len(levels))) for _ in range(40))
    assert all(
        _error(np.vstack([part * level for part, level in zip(parts, levels, strict=True)])) > alone
        for parts in (*mixed, (0.98, *[0.02 / (len(levels) - 1)] * (len(levels) - 1)))
    )


def _levels(cells: int, branches: int) -> list[np.ndarray[Any, Any]]:
    """The bins, then sums of as many as there are branches, up to the sum of all."""
    found, width = [np.eye(cells)], branches
    while len(found[-1]) > 1:
        found.append(
            np.array([np.arange(cells) // width == at for at in range(-(-cells // width))])
        )
        width *= branches
    return found


def _error(drawn: np.ndarray[Any, Any]) -> float:
    """How far the curve is off where these sums are drawn with one Laplace noise each."""
    exact = np.array(kaplan_meier(LUNG))
    chain = np.cumsum(np.array(LUNG)[::-1])[::-1].astype(float)
    moved = np.cumsum(np.tile([-1.0, 1.0], len(LUNG) // 2) / chain)
    weights = np.tril(np.ones((len(chain), len(chain))))[1::2] * moved
    weights += np.triu(np.ones((len(chain), len(chain))), 1)[1::2] * moved[1::2, None]
    weights *= exact[:, None]
    p = np.exp(-1 / np.abs(drawn).sum(axis=0).max())
    spread = weights @ np.linalg.pinv(drawn.T @ drawn) @ weights.T
    return float(np.sqrt(2 * p / (1 - p) ** 2 * np.trace(spread) / len(exact)))


def _apart(noisy: Counts, wide: Wide, exact: np.ndarray[Any, Any]) -> float:
    found = np.array(survival_curve(noisy, None, 1, wide).survival)
    return float(np.sqrt(np.mean((found - exact) ** 2)))
