# SPDX-License-Identifier: Apache-2.0
"""Cumulative incidence of people who come under observation late: who is at risk of which kind."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.privacy import compiler
from dpdesk.privacy.noise.noise import Mechanism, Noise
from dpdesk.privacy.planning.survival.incidence_figures import incidence_figures
from dpdesk.privacy.published_tables import table
from dpdesk.privacy.statistics.survival.band import Band
from dpdesk.privacy.statistics.survival.curve import survival_curve
from dpdesk.privacy.statistics.survival.entry_band import EntryBand
from dpdesk.privacy.statistics.survival.incidence_band import IncidenceBand
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.unit import Unit
from tests.audit.length import runs, some
from tests.privacy import examples as ex
from tests.privacy.statistics.survival import test_delayed_entry as delayed
from tests.privacy.statistics.survival import test_incidence as incidence
from tests.privacy.statistics.survival.shapes import (
    EACH_WIDTH,
    LUNG,
    Counts,
    Wide,
    at_risk_of,
    entry_bins,
    halves,
    mixed,
)
from tests.privacy.statistics.survival.test_survival_band import ALLOWED, DRAWS, MISS, drawn
from tests.privacy.test_sensitivity import measured, row_counts

STUDY = replace(delayed.STUDY, columns=(*delayed.STUDY.columns, incidence.CAUSE))
ASKED = delayed.ASKED.having(statistic="cumulative-incidence", has=incidence.KINDS)
QUIET = Noise("laplace", 0.01)


def counted(name: str) -> tuple[Counts, tuple[int, ...]]:
    """Of each bin of entries, and in it of each time bin, the events of two kinds, the censored."""
    who, begins, bins = delayed.SHAPES[name]
    plain = np.array(delayed.counted(*who, begins, bins)).reshape(-1, 2)
    rows = [incidence.split((int(events), int(censored)), 0.4) for events, censored in plain]
    return tuple(count for row in rows for count in row), begins


def aalen_johansen(
    counts: Counts, begins: tuple[int, ...], keeps_late: bool = False, wide: Wide = ()
) -> list[list[float]]:
    """Word for word, count by count."""
    bins = len(counts) // (3 * len(begins))
    alive, so_far = Fraction(1), [Fraction(0)] * 2
    curves: list[list[float]] = [[], []]
    entries = entry_bins(begins, bins, wide)
    for bin, half in enumerate(halves(wide, bins)):
        at_risk, had = Fraction(0), [0, 0, 0]
        for place, count in enumerate(counts):
            entry, rest = divmod(place, 3 * bins)
            exit, way = divmod(rest, 3)
            part = at_risk_of(entries, entry, exit, bin, keeps_late)
            at_risk += count * part * (1 - half * (exit == bin and way == 2))
            had[way] += count if part and exit == bin else 0
        for kind in (0, 1):
            so_far[kind] += alive * had[kind] / at_risk if at_risk else 0
            curves[kind].append(float(so_far[kind]))
        alive *= (at_risk - had[0] - had[1]) / at_risk if at_risk else 1
    return curves


def bands(
    noisy: Counts,
    noise: Noise,
    begins: tuple[int, ...],
    keeps_late: bool = False,
    wide: Wide = (),
) -> list[IncidenceBand]:
    entries = entry_bins(begins, len(noisy) // (3 * len(begins)), wide)
    whole = EntryBand(noise, noisy, entries, keeps_late=keeps_late, kinds=2)
    return [IncidenceBand(whole, kind) for kind in (0, 1)]


@EACH_WIDTH
@pytest.mark.parametrize("keeps_late", [False, True])
@pytest.mark.parametrize("name", delayed.SHAPES)
def test_without_noise_it_is_that_of_aalen_and_johansen(
    name: str, keeps_late: bool, is_wide: bool
) -> None:
    counts, begins = counted(name)
    wide = mixed(delayed.SHAPES[name][2], is_wide)
    # Some more whose entry is behind their exit, which one rule takes in and the other one not.
    counts = tuple(map(int, np.array(counts) + np.arange(len(counts)) % 3))
    exact = aalen_johansen(counts, begins, keeps_late, wide)
    for band, curve in zip(bands(counts, QUIET, begins, keeps_late, wide), exact, strict=True):
        assert band.shown == pytest.approx(curve)
        assert band.whole.incidence(band.kind) == pytest.approx(curve)


def test_it_is_that_of_lifelines() -> None:
    """Which knows no two events of one time: within a bin each has its own, then the censored."""
    lifelines: Any = pytest.importorskip("lifelines")
    counts, begins = counted("small")
    bins = len(counts) // (3 * len(begins))
    # Nobody who enters late leaves at the same time.
    counts = tuple(n * (i // (3 * bins) != 1 or i // 3 % bins > 1) for i, n in enumerate(counts))
    places = np.repeat(np.arange(len(counts)), counts)
    entries, exits, ways = places // (3 * bins), places // 3 % bins, places % 3
    order = np.lexsort((ways, exits))
    entries, exits, ways = entries[order], exits[order], ways[order]
    times = 1 + exits + np.arange(len(exits)) / 10_000
    # Those who are there from the start are at risk before the first event, the others behind
    # the last one of the time of entry.
    entered = np.array(begins)[entries] + np.where(entries > 0, 1.9, 0.9)
    fitter = lifelines.AalenJohansenFitter(calculate_variance=False)
    fitted = fitter.fit(times, (ways + 1) % 3, 1, entry=entered).cumulative_density_.iloc[:, 0]
    entry = replace(entry_bins(begins, bins), behind=len(begins))
    whole = EntryBand(QUIET, counts, entry, keeps_late=False, kinds=2)
    for bin, share in enumerate(IncidenceBand(whole, 0).shown):
        last = times[exits <= bin].max()
        assert float(fitted[fitted.index <= last].iloc[-1]) == pytest.approx(share)


@EACH_WIDTH
def test_where_all_are_there_from_the_start_it_is_the_curve_without_entries(is_wide: bool) -> None:
    noise, counts, wide = Noise("laplace", 1.0), incidence.split(LUNG), mixed(18, is_wide)
    whole = Band(noise, counts, survival_curve(counts, None, 2, wide), False)
    for late in bands(counts, noise, (0,), wide=wide):
        plain = IncidenceBand(whole, late.kind)
        assert late.shown == pytest.approx(plain.shown)
        for bin in range(10):
            assert late.weights(bin) == pytest.approx(plain.weights(bin))
            assert late.chance(bin) == pytest.approx(plain.chance(bin))
            assert late.moved(bin) == pytest.approx(0.0) == plain.moved(bin)
            assert late.part_unsure(bin) == pytest.approx(plain.part_unsure(bin))


def test_a_kind_below_nothing_leaves_nobody_sure_at_risk() -> None:
    """Of 170 all have the first kind, and of the second one there are 90 less than none."""
    (band, _other) = bands((200, -90, 0, 0, 0, 60), Noise("laplace", 1.0), (0,))
    # 60 are left by the plain sums, and nobody by those that are published.
    assert band.whole.chain[1] > 0 == band.curve.chain[1]
    assert band.sure(MISS) == 0
    # Of one who is censored in a wide bin a half is at risk, too few for a factor.
    (half, _other) = bands((1, -1, 1, 0, 0, 0), QUIET, (0,), wide=(True, True))
    assert half.whole.chain[1] == 0.5 and half.whole.shares[0] == 1
    assert half.sure(MISS) == 0


@given(st.lists(st.integers(-20, 60), min_size=18, max_size=18), st.booleans())
def test_published_incidences_rise_and_stay_at_one_together(noisy: list[int], quiet: bool) -> None:
    asked = replace(ASKED, epsilon=Epsilon.of(20 if quiet else 1))
    rows = table(STUDY, compiler.compile_query(STUDY, asked), (tuple(noisy),)).rows
    assert len(rows) == 6
    first, second = ([Fraction(row[2]) for row in part if row[2]] for part in (rows[:3], rows[3:]))
    assert all(a <= b for line in (first, second) for a, b in pairwise((Fraction(0), *line)))
    assert all(a + b <= 1 for a, b in zip(first, second, strict=True))
    for row in rows:
        if row[2]:
            value, _margin, low, high = map(Fraction, row[2:6])
            assert 0 <= low <= value <= high <= 1
        assert all(int(count) >= 0 for count in row[6:10])


@pytest.mark.parametrize(
    ("mechanism", "scale"),
    some([(m, s) for m in ("laplace", "gaussian") for s in (1.0, 3.0)], 2),
)
@pytest.mark.parametrize("name", delayed.SHAPES)
@EACH_WIDTH
@pytest.mark.in_turn(6)
def test_whole_curves_lie_in_their_bands(
    name: str, mechanism: Mechanism, scale: float, is_wide: bool
) -> None:
    counts, begins = counted(name)
    wide = mixed(delayed.SHAPES[name][2], is_wide)
    noise = Noise(mechanism, scale, "rho" if mechanism == "gaussian" else "epsilon")
    exact, misses = aalen_johansen(counts, begins, wide=wide), 0
    for noisy in drawn(counts, noise, DRAWS):
        held = (
            low - 1e-9 <= one <= high + 1e-9
            for curve, band in zip(exact, bands(noisy, noise, begins, wide=wide), strict=True)
            for one, (low, high) in zip(curve, band.incidence_ends(MISS / 2), strict=True)
        )
        misses += not all(held)
    assert misses / DRAWS <= ALLOWED


@pytest.mark.parametrize("chance", [False, True], ids=["noise", "noise and chance"])
@pytest.mark.parametrize("name", some(["small", "few enter late", "most enter late"], 1))
@EACH_WIDTH
@pytest.mark.in_turn(6)
def test_figures_are_within_their_ends(name: str, chance: bool, is_wide: bool) -> None:
    """Two groups of the same counts, or of people that are drawn anew from them each time."""
    counts, begins = counted(name)
    times, wide = runs(short=40, full=500), mixed(delayed.SHAPES[name][2], is_wide)
    outside = misses(np.array(counts), begins, times, chance, wide=wide)
    allowed = MISS + 3.5 * math.sqrt(MISS * (1 - MISS) / times)
    assert outside and max(outside.values()) / times <= allowed, outside


def misses(
    counts: Any,
    begins: tuple[int, ...],
    times: int,
    chance: bool,
    scale: float = 1.0,
    wide: Wide = (),
) -> dict[tuple[Any, ...], int]:
    """How often each figure was outside; one that is not given is not."""
    noise, dice = Noise("laplace", scale), np.random.default_rng(12)
    exact = aalen_johansen(tuple(map(int, counts)), begins, wide=wide)
    bins = (1, len(exact[0]) // 2)

    def groups() -> Iterator[list[IncidenceBand]]:
        for _ in range(2):
            rates = counts / counts.sum()
            people = dice.multinomial(counts.sum(), rates) if chance else counts
            p = 1 - math.exp(-1 / scale)
            far = dice.geometric(p, len(counts)) - dice.geometric(p, len(counts))
            yield bands(tuple(map(int, people + far)), noise, begins, wide=wide)

    outside: dict[tuple[Any, ...], int] = {}
    for _ in range(times):
        for figure in incidence_figures([*groups()], bins, MISS):
            assert figure.kind is not None and figure.bin is not None
            ends = figure.chance if chance else figure.noise
            truth = exact[figure.kind][figure.bin] if len(figure.groups) == 1 else 0.0
            key = (figure.name, figure.groups, figure.kind, figure.bin)
            missed = ends is not None and not ends[0] - 1e-9 <= truth <= ends[1] + 1e-9
            outside[key] = outside.get(key, 0) + missed
    return outside


@pytest.mark.parametrize("unit", [ex.PERSON, replace(ex.PERSON, neighbours="change-one", people=9)])
@pytest.mark.parametrize("late", ["leave-out", "last-bin"])
def test_its_sensitivity_is_what_somebody_attains(unit: Unit, late: str) -> None:
    study = replace(STUDY, unit=replace(unit, max_rows=1))
    asked = ASKED.having(edges=ASKED.members["edges"][:1], late=late)
    part = compiler.compile_query(study, asked).parts[0]
    assert (part.cells, part.measure.after) == (12, "entered" if late == "leave-out" else None)
    assert part.sensitivity == measured(row_counts(1, 12), unit.neighbours).l1


def test_the_margin_before_the_release_holds_where_nobody_is_censored() -> None:
    found, times = compiler.compile_query(STUDY, ASKED), runs(short=100, full=2_000)
    counts = (150, 100, 0, 100, 50, 0, 40, 30, 30, *(0,) * 9)
    exact, misses = aalen_johansen(counts, (0, 1)), 0
    noise = found.parts[0].noise
    for noisy in drawn(counts, noise, times):
        off = [
            np.abs(band.shown - one).max()
            for band, one in zip(bands(noisy, noise, (0, 1)), exact, strict=True)
        ]
        assert found.half_width is not None
        misses += max(off) > found.half_width
    assert misses / times <= MISS + 4 * math.sqrt(MISS * (1 - MISS) / times)
