# SPDX-License-Identifier: Apache-2.0
"""The log-rank test over noisy counts: its level, and what it finds without noise."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from dpdesk.privacy.noise.noise import Mechanism, Noise
from dpdesk.privacy.planning.survival.log_rank import (
    FEWEST_EVENTS,
    chi_squared_beyond,
    log_rank,
    noise_variance,
)
from dpdesk.privacy.statistics.survival.band import Band
from dpdesk.privacy.statistics.survival.curve import survival_curve
from tests.audit.length import runs, some
from tests.privacy.statistics.survival.shapes import LUNG, Counts, Made, Wide, halves, mixed

TABLES = runs(short=300, full=20_000)
OFF = 0.005 + (4 * math.sqrt(0.05 * 0.95 / TABLES) if TABLES < 20_000 else 0)
"""Over 20,000 tables the level is 5 in 100, give or take 0.5."""
SIZES: list[tuple[tuple[int, ...], int, float, float, Mechanism, bool]] = [
    ((500, 500), 12, 10.0, 1.0, "laplace", False),
    ((200, 200), 12, 10.0, 1.0, "laplace", True),
    ((100, 100), 12, 10.0, 1.0, "laplace", False),
    ((2_000, 300), 18, 10.0, 1.0, "laplace", True),
    ((1_000, 1_000), 12, 10.0, 10.0, "laplace", True),
    ((1_000, 1_000), 12, 10.0, 10.0, "gaussian", False),
    ((200, 200), 6, 6.0, 3.0, "laplace", True),
    ((300, 300, 300), 12, 10.0, 1.0, "laplace", True),
    ((5_000, 5_000), 12, 500.0, 1.0, "laplace", False),
]
"""People of each group, bins, typical time, scale, noise; whether bins are wide."""


def band_of(
    counts: Counts, noise: Noise, is_public: bool = False, total: int = 0, wide: Wide = ()
) -> Band:
    curve = survival_curve(counts, total if is_public else None, 1, wide)
    return Band(noise, counts, curve, is_public)


def noised(rng: np.random.Generator, counts: Counts, noise: Noise) -> Counts:
    """Of the distribution that the door draws; a seed makes the measurement one that repeats."""
    if noise.mechanism == "laplace":
        p = 1 - math.exp(-1 / noise.scale)
        added = rng.geometric(p, len(counts)) - rng.geometric(p, len(counts))
    else:
        added = np.rint(rng.normal(0, noise.scale, len(counts))).astype(int)
    return tuple(map(int, np.array(counts) + added))


def people(rng: np.random.Generator, size: int, bins: int, typical: float) -> Counts:
    times, ends = rng.exponential(typical, size), rng.exponential(20.0, size)
    within = np.minimum(np.minimum(times, ends), bins - 0.001).astype(int)
    has = (times <= ends) & (times < bins)
    counts = np.zeros(2 * bins, dtype=int)
    counts[::2], counts[1::2] = (np.bincount(within[one], minlength=bins) for one in (has, ~has))
    return tuple(map(int, counts))


@pytest.mark.parametrize(
    ("sizes", "bins", "typical", "scale", "mechanism", "is_wide"), some(SIZES, 4)
)
def test_its_level_was_measured(
    sizes: tuple[int, ...],
    bins: int,
    typical: float,
    scale: float,
    mechanism: Mechanism,
    is_wide: bool,
) -> None:
    """Groups of one curve, drawn anew each time, with noise that is drawn anew."""
    rng = np.random.default_rng([len(sizes), sizes[0], bins])
    noise = Noise(mechanism, scale, "rho" if mechanism == "gaussian" else "epsilon")
    found, wide = [], mixed(bins, is_wide)
    for _ in range(TABLES):
        groups = (noised(rng, people(rng, size, bins, typical), noise) for size in sizes)
        test = log_rank([band_of(one, noise, wide=wide) for one in groups], 0.05)
        found.append(1.0 if test is None else test.p)
    level = float(np.mean(np.array(found) <= 0.05))
    assert abs(level - 0.05) <= OFF, level


def word_for_word(groups: list[Counts], wide: Wide = ()) -> float:
    """Two groups, each person by itself, in the order of their times."""
    away = [float(half) for half in halves(wide, len(groups[0]) // 2)]
    lists = [
        [
            (bin, side == 0)
            for bin in range(len(one) // 2)
            for side in (0, 1)
            for _ in range(one[2 * bin + side])
        ]
        for one in groups
    ]
    moved = spread = 0.0
    for bin in range(len(groups[0]) // 2):
        left = [
            sum((time >= bin) - away[bin] * (time == bin and not event) for time, event in one)
            for one in lists
        ]
        had = [sum(time == bin and event for time, event in one) for one in lists]
        n, d = sum(left), sum(had)
        if n > 1:
            moved += had[0] - left[0] * d / n
            spread += d * (n - d) / (n - 1) * left[0] / n * left[1] / n
    return moved**2 / spread


def test_without_noise_it_is_the_test_that_textbooks_have() -> None:
    groups = [Made(400, 12, 10, 20).counts, Made(300, 12, 7, 25, 1.3).counts]
    # Where nobody is surely at risk any more the test ends; 20 more are followed to the end.
    groups = [(*one[:-1], one[-1] + 20) for one in groups]
    noise = Noise("laplace", 0.01)
    for wide in (mixed(12), ()):
        found = log_rank([band_of(one, noise, wide=wide) for one in groups], 0.05)
        assert found is not None and found.freedom == 1
        assert found.chi_squared == pytest.approx(word_for_word(groups, wide), rel=1e-9)
        assert found.p < 0.01
    assert found is not None
    public = log_rank([band_of(one, noise, True, sum(one)) for one in groups], 0.05)
    assert public is not None and public.chi_squared == pytest.approx(found.chi_squared)
    # Noise that is known to add up to nothing moves it less.
    pairs = [[band_of(o, Noise("laplace", 5.0), k, sum(o)) for o in groups] for k in (True, False)]
    less, more = (log_rank(pair, 0.05) for pair in pairs)
    assert less is not None and more is not None and less.chi_squared > more.chi_squared
    alike = log_rank([band_of(groups[0], noise)] * 2, 0.05)
    assert alike is not None and alike.p == 1


def test_little_says_nothing() -> None:
    noise = Noise("laplace", 1.0)
    few = (10, 40, 5, 200, 5, 100)
    assert 2 * sum(few[::2]) < FEWEST_EVENTS
    assert log_rank([band_of(few, noise)] * 2, 0.05) is None
    assert log_rank([band_of(LUNG, noise)], 0.05) is None
    assert log_rank([band_of(LUNG, noise), band_of((0,) * 36, noise)], 0.05) is None


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 7])
def test_chi_squared_has_the_tail_of_tables(freedom: int) -> None:
    for value in (0.0, 0.3, 2.0, 9.0, 40.0):
        expected = float(stats.chi2.sf(value, freedom))
        assert chi_squared_beyond(value, freedom) == pytest.approx(expected, rel=1e-9)


def test_noise_has_the_variance_of_its_distribution() -> None:
    p, k = math.exp(-1 / 3), np.arange(-200, 201)
    exact = float((k**2 * (1 - p) / (1 + p) * p ** np.abs(k)).sum())
    assert noise_variance(Noise("laplace", 3.0)) == pytest.approx(exact)
    assert noise_variance(Noise("gaussian", 3.0, "rho")) == 9


def test_counts_that_nobody_can_have_stop_nothing() -> None:
    """Sealed counts may be invented, and together they leave whole numbers of 64 bits."""
    counts = (2**62,) * 12
    found = log_rank([band_of(counts, Noise("laplace", 5.0)) for _ in range(2)], 0.05)
    assert found is not None and found.p == pytest.approx(1)
