# SPDX-License-Identifier: Apache-2.0
"""What follows from survival curves: exact without noise, and within its ends with it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from dpdesk.privacy import compiler
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.planning.survival import shares
from dpdesk.privacy.planning.survival.derived_figures import DerivedFigure, derived_figures
from dpdesk.privacy.planning.survival.derived_table import (
    COLUMNS,
    NOT_KNOWN,
    NOT_REACHED,
    derived_lines,
)
from dpdesk.privacy.statistics.survival.band import Band
from dpdesk.privacy.statistics.survival.curve import survival_curve
from dpdesk.study.model.amount import Epsilon
from tests.audit.length import runs, some
from tests.privacy.statistics.survival.shapes import (
    EACH_WIDTH,
    SHAPES,
    Counts,
    Wide,
    halves,
    kaplan_meier,
    mixed,
)
from tests.privacy.statistics.survival.test_survival import ASKED, STUDY
from tests.privacy.statistics.survival.test_survival_band import drawn

MISS = 0.05
DRAWS = runs(short=40, full=500)
ALLOWED = MISS + 4.5 * math.sqrt(MISS * (1 - MISS) / DRAWS)
SHAPE_NAMES = some(sorted(set(SHAPES) - {"a cliff"}), 2)
QUIET = Noise("laplace", 0.01)


def band_of(counts: Counts, noise: Noise = QUIET, wide: Wide = ()) -> Band:
    return Band(noise, counts, survival_curve(counts, None, 1, wide), False)


def ends_of(counts: Counts) -> list[float]:
    return [10.0 * (bin + 1) for bin in range(len(counts) // 2)]


def exact_of(
    figure: DerivedFigure, curve: Sequence[float], ends: Sequence[float], wide: Wide = ()
) -> float:
    """Word for word, of one curve."""
    if figure.name == "survival-difference":
        return 0.0
    if figure.name == "median-time":
        return next((e for e, share in zip(ends, curve, strict=True) if share <= 0.5), math.inf)
    assert figure.bin is not None
    if figure.name == "survival-at":
        return curve[figure.bin]
    return area(curve, ends, wide, figure.bin)


def area(curve: Sequence[float], ends: Sequence[float], wide: Wide, bin: int) -> float:
    """Below a curve up to the end of a bin: of wide ones that below a line."""
    steps, found = [(0.0, 1.0), *zip(ends, curve, strict=True)], 0.0
    for at, ((begin, before), (end, after)) in enumerate(pairwise(steps[: bin + 2])):
        found += (end - begin) * ((before + after) / 2 if wide and wide[at] else before)
    return found


def misses(
    counts: Counts,
    bands: Callable[[], list[Band]],
    pick: Callable[[DerivedFigure], tuple[float, float] | None],
    wide: Wide,
) -> dict[tuple[str, int | None], float]:
    """How often each figure was outside; one that is not given is not."""
    ends, curve = ends_of(counts), kaplan_meier(counts, wide)
    times = (len(ends) // 3, len(ends) - 1)
    outside: Counter[tuple[str, int | None]] = Counter()
    for _ in range(DRAWS):
        for one in derived_figures(bands(), ends, 0.0, times, MISS):
            between = pick(one)
            if between is not None and one.name != "log-rank":
                exact = exact_of(one, curve, ends, wide)
                outside[one.name, one.bin] += (
                    not between[0] - 1e-9 <= exact <= between[1] + 1e-9
                ) / (1 if len(one.groups) == 2 else 2)
    return {figure: many / DRAWS for figure, many in outside.items()}


@pytest.mark.parametrize("name", SHAPE_NAMES)
@pytest.mark.parametrize(
    ("mechanism", "scale"), some([("laplace", 1.0), ("gaussian", 3.0), ("laplace", 10.0)], 2)
)
@EACH_WIDTH
@pytest.mark.in_turn(8)
def test_exact_figures_are_within_their_ends(
    name: str, mechanism: str, scale: float, is_wide: bool
) -> None:
    """Noise alone: two groups of the same counts, drawn by the real door."""
    counts = SHAPES[name]
    wide = mixed(len(counts) // 2, is_wide)
    noise = Noise(mechanism, scale, "rho" if mechanism == "gaussian" else "epsilon")  # type: ignore[arg-type]
    vectors = iter(drawn(counts, noise, 2 * DRAWS))
    found = misses(
        counts,
        lambda: [band_of(next(vectors), noise, wide) for _ in range(2)],
        lambda figure: figure.noise,
        wide,
    )
    assert max(found.values()) <= ALLOWED, found


@pytest.mark.parametrize("name", SHAPE_NAMES)
@EACH_WIDTH
@pytest.mark.in_turn(8)
def test_figures_of_the_population_are_within_theirs(name: str, is_wide: bool) -> None:
    """People are drawn anew each time, and noise is added to their counts."""
    counts, noise = SHAPES[name], Noise("laplace", 1.0)
    wide = mixed(len(counts) // 2, is_wide)
    rng, total = np.random.default_rng(4), sum(SHAPES[name])
    vectors = iter(drawn((0,) * len(counts), noise, 2 * DRAWS))

    def one() -> Band:
        sample = rng.multinomial(total, np.array(counts) / total)
        return band_of(tuple(map(int, sample + np.array(next(vectors)))), noise, wide)

    found = misses(counts, lambda: [one(), one()], lambda figure: figure.chance, wide)
    assert max(found.values()) <= ALLOWED, found


@EACH_WIDTH
@pytest.mark.parametrize("name", ["many people", "early events", "nobody censored"])
def test_without_noise_they_are_what_the_curve_says(name: str, is_wide: bool) -> None:
    counts = SHAPES[name]
    wide = mixed(len(counts) // 2, is_wide)
    ends, curve = ends_of(counts), kaplan_meier(counts, wide)
    figures = [*derived_figures([band_of(counts, QUIET, wide)] * 2, ends, 0.0, (1, 3), MISS)]
    assert [figure.name for figure in figures] == [
        *(["survival-at", "survival-at", "median-time", "restricted-mean"] * 2),
        *("survival-difference", "survival-difference", "log-rank"),
    ]
    for figure in figures[:-1]:
        exact = exact_of(figure, curve, ends, wide)
        assert figure.noise is not None
        assert (figure.value or math.inf) == pytest.approx(exact) or exact == 0
        assert figure.noise[0] - 1e-9 <= exact <= figure.noise[1] + 1e-9


@pytest.mark.parametrize("bin", [0, 1, 3], ids=["first", "of one time", "last"])
def test_a_restricted_mean_moves_with_each_number_as_its_ends_say(bin: int) -> None:
    """By finite differences: of noise in each count, and of chance in each bin's part of events."""
    counts = np.array((9, 4, 3, 8, 7, 5, 6, 2)) * 10**6
    wide, ends, noise = (True, False, True, True), (10.0, 25.0, 45.0, 50.0), Noise("laplace", 400.0)

    def found(counts: Sequence[int]) -> DerivedFigure:
        noisy = tuple(map(int, counts))
        figures = derived_figures([band_of(noisy, noise, wide)], ends, 0.0, (bin,), MISS)
        return next(one for one in figures if one.name == "restricted-mean")

    def differences(figure: Callable[[np.ndarray], float], at: np.ndarray, step: float) -> Any:
        steps = np.eye(len(at), dtype=at.dtype) * at.dtype.type(step)
        return np.array([(figure(at + one) - figure(at - one)) / (2 * step) for one in steps])

    weights = differences(lambda one: found(one).value or 0.0, counts, 2_000)
    exposed = [float(counts[2 * at :].sum()) for at in range(4)]
    away = map(float, halves(wide, 4))
    exposed = [n - half * c for n, half, c in zip(exposed, away, counts[1::2], strict=True)]
    had = counts[::2] / exposed
    moves = differences(lambda one: area(np.cumprod(1 - one), ends, wide, bin), had, 1e-6)
    deviation = math.sqrt(float(moves**2 @ (had * (1 - had) / exposed)))
    figure = found(counts)
    for between, far in ((figure.noise, 0.0), (figure.chance, deviation)):
        assert between is not None
        width = shares.half_width(((noise, weights),), shares.PART * MISS, far)
        assert between[1] - between[0] == pytest.approx(2 * width, rel=2e-3)


@pytest.mark.parametrize("lowest", [-2, 0, 1, 18])
@pytest.mark.parametrize("is_wide", [False, True])
def test_a_restricted_mean_is_that_of_the_times_wherever_their_bins_begin(
    lowest: int, is_wide: bool
) -> None:
    """All have the event by themselves, or evenly within their bin: the mean needs no curve.

    With day 1 for the lowest it was a day less than the mean of the days, at 18 years 18 years.
    """
    events, step = (10, 20, 30, 20, 10), 4 if is_wide else 1
    ends = [float(lowest + step * (bin + is_wide)) for bin in range(5)]
    for bin in (2, 4):
        times = np.minimum(np.array(ends) - is_wide * step / 2, ends[bin])
        # From bin to bin those without the event so far; of the last one the curve is not told.
        counts = tuple(count for had in events for count in (had * 10**4, 0))
        band = band_of((*counts, 0, 10**6), QUIET, (is_wide,) * 5 + (False,))
        whole = 90 * 10**4 + 10**6
        figures = derived_figures([band], (*ends, ends[-1] + 1), float(lowest), (bin,), MISS)
        (mean,) = (one for one in figures if one.name == "restricted-mean")
        shares = np.array(events) * 10**4 / whole
        exact = float(shares @ times + (1 - shares.sum()) * ends[bin])
        assert mean.value == pytest.approx(exact, abs=1e-9)
        assert mean.noise is not None and mean.chance is not None
        for low, high in (mean.noise, mean.chance):
            assert max(low, lowest) == low <= exact <= high <= ends[bin]


@pytest.mark.parametrize("is_wide", [False, True])
def test_a_restricted_mean_needs_the_end_of_its_last_bin_where_that_is_wide(is_wide: bool) -> None:
    """Of 270 people noise leaves nobody surely at risk after the third bin."""
    band = band_of((100, 40, 80, 40, 5, 5), Noise("laplace", 2.0), (True, True, is_wide))
    assert band.sure(MISS / 3) == 2
    found = [*derived_figures([band], (10.0, 20.0, 30.0), 0.0, (2,), MISS)]
    assert [one.name for one in found if one.value is None] == [
        "survival-at",
        *["restricted-mean"] * is_wide,
    ]


@pytest.mark.parametrize("is_wide", [False, True])
def test_of_a_restricted_mean_chance_is_said_from_ten_events_on(is_wide: bool) -> None:
    """Nine in the first bin and one in the second, which counts where its end does."""
    band = band_of((9, 400, 1, 300, 0, 300), QUIET, (True, is_wide, True))
    found = [*derived_figures([band], (10.0, 20.0, 30.0), 0.0, (1,), MISS)]
    assert [one.chance is not None for one in found if one.name == "restricted-mean"] == [is_wide]


def test_a_median_that_is_not_reached_is_said() -> None:
    """Of 1,000 people 100 have the event: the curve stays above one half."""
    lines = _lines((10, 50, 10, 50, 880, 0), (10, 500, 10, 50, 430, 0))
    medians = [line for line in lines if line[0] == "median-time"]
    assert medians[0][3:] == ("", "", "", "", "", "", NOT_REACHED)
    assert medians[1][3:5] == ("9", "9") and medians[1][-1] == ""
    test = lines[-1]
    assert test[0] == "log-rank" and test[3] and test[8] == "0.0001"


def test_a_medians_range_of_noise_and_chance_holds_that_of_noise() -> None:
    """The noise's is of the whole curve at once: by itself the other one began behind it."""
    counts = (25, 4, 4, 33, 21, 119, 61, 45, 34, 99, 3, 103)
    band = band_of(counts, Noise("laplace", 20.0))
    found = derived_figures([band], ends_of(counts), 0.0, (1,), MISS)
    (median,) = (one for one in found if one.name == "median-time")
    assert median.noise == median.chance == (40.0, math.inf)


def test_noise_that_leaves_nothing_is_said() -> None:
    lines = _lines((0, 1, 0, -3, 2, 0), (3, 0, -1, 0, 1, 1))
    assert {line[-1] for line in lines} == {NOT_KNOWN}
    assert all(not any(line[3:9]) for line in lines)


def test_figures_lie_within_ends_that_are_rounded_outwards() -> None:
    for line in _lines((40, 60, 70, 50, 300, 21), (40, 30, 70, 35, 400, 30)):
        value, *ends = (None if text == "" else Fraction(text) for text in line[3:8])
        for low, high in (ends[:2], ends[2:]):
            if low is not None and high is not None and value is not None:
                assert low <= value <= high


def _lines(*groups: Counts) -> list[tuple[str, ...]]:
    """Of each bin the censored, then the events, as they are drawn."""
    asked = replace(ASKED, by=("sex",), epsilon=Epsilon.of(1)).having(times=(Decimal(19),))
    plan = compiler.compile_query(STUDY, asked)
    noisy = tuple(count for group in groups for count in group)
    rest = (0,) * (plan.parts[0].cells - len(noisy))
    lines = derived_lines(plan, ((*noisy, *rest),))
    assert all(len(line.cells) == len(COLUMNS) for line in lines)
    return [line.cells for line in lines]


RARE = (83, 201, 67, 185, 47, 185, 35, 161, 25, 155, 18, 153, 17, 153, -18, 136)
"""Noisy counts whose last says that some came back: the nearest possible ones have no event."""


@pytest.mark.parametrize("scale", [2.0, 4.0])
def test_rare_noise_leaves_the_published_figure_and_the_noisy_one_within(scale: float) -> None:
    """Survival of 72.9 % was published as 76.7 (76.7 to 86.1), which rules the curve out."""
    noise, ends = Noise("laplace", scale), ends_of(RARE)
    bands = [band_of(RARE, noise), band_of((*RARE[:-2], 20, 98), noise)]
    published, last = float(bands[0].shares[-1]), len(ends) - 1
    noisy = published * math.exp(bands[0].moved(last))
    found = {
        (one.name, one.groups): one for one in derived_figures(bands, ends, 0.0, (last,), MISS)
    }
    survival = found["survival-at", (0,)]
    for between in (survival.noise, survival.chance, bands[0].around(last, MISS)):
        assert between is not None
        assert between[0] < published < noisy < between[1]
    assert survival.value == pytest.approx(published)
    apart = found["survival-difference", (1, 0)]
    assert apart.value == pytest.approx(float(bands[1].shares[-1]) - published)
    assert apart.noise is not None and apart.noise[0] < apart.value < apart.noise[1]
    early = band_of((*RARE[:2], -40, 185, *RARE[4:-2], 20, 98), noise)
    [mean] = [
        one
        for one in derived_figures([early], ends, 0.0, (last,), MISS)
        if one.name == "restricted-mean"
    ]
    assert mean.value is not None and mean.noise is not None
    assert mean.noise[0] < mean.value < mean.noise[1]
