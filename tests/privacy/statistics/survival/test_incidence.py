# SPDX-License-Identifier: Apache-2.0
"""Cumulative incidence: one histogram of rows by bin and kind, what follows, and its bands."""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.privacy import compiler
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.published_tables import table
from dpdesk.privacy.statistics import METHODS
from dpdesk.privacy.statistics.survival.band import Band
from dpdesk.privacy.statistics.survival.curve import survival_curve
from dpdesk.privacy.statistics.survival.incidence_band import IncidenceBand
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import CategoryColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import Budget, Unit
from tests.audit.length import runs, some
from tests.privacy import examples as ex
from tests.privacy.statistics.survival import test_survival as survival
from tests.privacy.statistics.survival.shapes import (
    EACH_WIDTH,
    LUNG,
    SHAPES,
    Counts,
    Wide,
    halves,
    mixed,
)
from tests.privacy.statistics.survival.test_survival_band import ALLOWED, DRAWS, MISS, drawn
from tests.privacy.test_sensitivity import measured, row_counts

CAUSE = CategoryColumn("cause", ("none", "tumour", "heart"))
STUDY = replace(survival.STUDY, columns=(*survival.STUDY.columns, CAUSE))
KINDS = (IsIn("cause", ("tumour", "heart")),)
ASKED = survival.ASKED.having(statistic="cumulative-incidence", has=KINDS)


def plan(query: Any = ASKED, study: Study = STUDY) -> QueryPlan:
    return compiler.compile_query(study, query)


def split(counts: Counts, part: float = 0.3) -> Counts:
    """The same people, their events of two kinds; of the second one more, the later."""
    found: list[int] = []
    bins = len(counts) // 2
    for bin, (events, censored) in enumerate(zip(counts[::2], counts[1::2], strict=True)):
        first = round(events * (1 - part - 0.4 * bin / bins))
        found += [first, events - first, censored]
    return tuple(found)


def aalen_johansen(counts: Counts, kinds: int, wide: Wide = ()) -> list[list[float]]:
    """Word for word: who is still without any event, times the part of those at risk."""
    away = halves(wide, len(counts) // (kinds + 1))
    left, alive, so_far = sum(counts), Fraction(1), [Fraction(0)] * kinds
    curves: list[list[float]] = [[] for _ in range(kinds)]
    for start, half in zip(range(0, len(counts), kinds + 1), away, strict=True):
        *events, censored = counts[start : start + kinds + 1]
        exposed = left - half * censored
        for kind, had in enumerate(events):
            so_far[kind] += alive * had / exposed if exposed else 0
            curves[kind].append(float(so_far[kind]))
        alive *= (exposed - sum(events)) / exposed if exposed else 1
        left -= sum(counts[start : start + kinds + 1])
    return curves


def bands(noisy: Counts, noise: Noise, total: int | None = None, wide: Wide = ()) -> Any:
    whole = Band(noise, noisy, survival_curve(noisy, total, 2, wide), total is not None)
    return [IncidenceBand(whole, kind) for kind in (0, 1)]


@EACH_WIDTH
@pytest.mark.parametrize("name", SHAPES)
def test_without_noise_it_is_that_of_aalen_and_johansen(name: str, is_wide: bool) -> None:
    counts = split(SHAPES[name])
    wide = mixed(len(counts) // 3, is_wide)
    curve = survival_curve(counts, None, 2, wide)
    for kind, exact in enumerate(aalen_johansen(counts, 2, wide)):
        assert curve.incidence(kind) == pytest.approx(exact)


def test_it_is_that_of_lifelines() -> None:
    """Which knows no two events of one time: within a bin each has its own, then the censored."""
    lifelines: Any = pytest.importorskip("lifelines")
    counts, curve = split(LUNG), survival_curve(split(LUNG), None, 2)
    people = [
        (bin, kind)
        for bin in range(len(counts) // 3)
        for kind, many in zip((1, 2, 0), counts[3 * bin : 3 * bin + 3], strict=True)
        for _ in range(many)
    ]
    times = [1 + bin + place / 1_000 for place, (bin, _kind) in enumerate(people)]
    fitter = lifelines.AalenJohansenFitter(calculate_variance=False)
    fitted = fitter.fit(times, [kind for _bin, kind in people], 1).cumulative_density_.iloc[:, 0]
    for bin, share in enumerate(curve.incidence(0)):
        last = max(time for time, (at, _kind) in zip(times, people, strict=True) if at <= bin)
        assert float(fitted[fitted.index <= last].iloc[-1]) == pytest.approx(share)


@given(st.lists(st.integers(-30, 90), min_size=9, max_size=9), st.booleans())
def test_published_incidences_rise_and_stay_at_one_together(noisy: list[int], quiet: bool) -> None:
    found = plan(replace(ASKED, epsilon=Epsilon.of(20 if quiet else 1)))
    rows = table(STUDY, found, (tuple(noisy),)).rows
    first, second = ([Fraction(row[2]) for row in part if row[2]] for part in (rows[:3], rows[3:]))
    assert all(a <= b for line in (first, second) for a, b in pairwise((Fraction(0), *line)))
    assert all(a + b <= 1 for a, b in zip(first, second, strict=True))
    for row in rows:
        if row[2]:
            value, margin, low, high = map(Fraction, row[2:6])
            assert 0 <= low <= value <= high <= 1
            assert value - margin <= low and high <= value + margin


def test_of_one_kind_it_is_what_survival_leaves() -> None:
    noise = Noise("laplace", 1.0)
    for total, is_wide in ((None, False), (sum(LUNG), True)):
        curve = survival_curve(LUNG, total, 1, mixed(18, is_wide))
        one = Band(noise, LUNG, curve, total is not None)
        other = IncidenceBand(one, 0)
        for bin in range(one.sure(MISS)):
            assert other.weights(bin) == pytest.approx(one.weights(bin))
            assert other.chance(bin) == pytest.approx(one.chance(bin))
            assert other.around(bin, MISS) == pytest.approx(one.around(bin, MISS))


@pytest.mark.parametrize("is_public", [False, True], ids=["secret total", "public total"])
@pytest.mark.parametrize(
    ("mechanism", "scale"),
    some([(m, s) for m in ("laplace", "gaussian") for s in (1.0, 3.0, 10.0)], 2),
)
@pytest.mark.parametrize("name", SHAPES)
@EACH_WIDTH
@pytest.mark.in_turn(16)
def test_all_curves_lie_in_their_bands(
    name: str, mechanism: Any, scale: float, is_public: bool, is_wide: bool
) -> None:
    counts = split(SHAPES[name])
    wide = mixed(len(counts) // 3, is_wide)
    noise = Noise(mechanism, scale, "rho" if mechanism == "gaussian" else "epsilon")
    exact, public = aalen_johansen(counts, 2, wide), sum(counts) if is_public else None
    misses = 0
    for noisy in drawn(counts, noise, DRAWS):
        held = (
            low - 1e-9 <= one <= high + 1e-9
            for curve, band in zip(exact, bands(noisy, noise, public, wide), strict=True)
            for one, (low, high) in zip(curve, band.incidence_ends(MISS / 2), strict=True)
        )
        misses += not all(held)
    assert misses / DRAWS <= ALLOWED


@pytest.mark.parametrize("unit", [ex.PERSON, replace(ex.PERSON, neighbours="change-one", people=9)])
@pytest.mark.parametrize("groups", [1, 2])
def test_its_sensitivity_is_what_somebody_attains(unit: Unit, groups: int) -> None:
    """Every person of one row, by trying all of them: one cell of three kinds and two bins."""
    study = replace(STUDY, unit=replace(unit, max_rows=1))
    asked = replace(ASKED, by=("sex",) if groups == 2 else ()).having(edges=(Decimal(10),))
    part = plan(asked, study).parts[0]
    found = measured(row_counts(1, 6 * groups), unit.neighbours)
    assert (part.cells, part.sensitivity) == (6 * groups, found.l1)
    assert found.l1 == (2 if unit.neighbours == "change-one" else 1)
    rho = replace(asked, epsilon=None, rho=Rho.of("0.1"), noise="gaussian")
    zcdp = replace(study, budget=Budget("registry", rho=Rho.of(1)))
    assert plan(rho, zcdp).parts[0].sensitivity == found.l2_squared


def test_kinds_have_one_order_however_they_are_listed() -> None:
    """So that an answer that is stored is that of the same cells."""
    turned = plan(ASKED.having(has=(IsIn("cause", ("heart", "tumour")),)))
    assert turned.canonical == plan().canonical
    assert turned.lines == plan().lines
    assert turned.parts[0].measure == plan().parts[0].measure
    assert [line[:2] for line in turned.lines[:2]] == [("heart", "9"), ("heart", "19")]


def test_the_margin_before_the_release_holds_for_every_kind() -> None:
    found, times = plan(), runs(short=200, full=2_000)
    counts = (150, 100, 0, 60, 40, 0, 20, 30, 100)
    exact, misses = aalen_johansen(counts, 2), 0
    for noisy in drawn(counts, found.parts[0].noise, times):
        curve = survival_curve(noisy, None, 2)
        off = [
            np.abs(np.array(curve.incidence(kind)) - one).max() for kind, one in enumerate(exact)
        ]
        assert found.half_width is not None
        misses += max(off) > found.half_width
    assert misses / times <= MISS + 4 * math.sqrt(MISS * (1 - MISS) / times)


def test_intervals_for_the_population_hold_over_noise_and_chance() -> None:
    """People are drawn anew each time: 2 and 1 of 10 have had either kind in the first bin."""
    rates, times = np.array((0.2, 0.1, 0.15, 0.15, 0.1, 0.1, 0.05, 0.05, 0.1)), DRAWS * 2
    truth = aalen_johansen(tuple(int(10_000 * rate) for rate in rates), 2)
    found, method = plan(), METHODS["cumulative-incidence"]
    dice, outside = np.random.default_rng(5), np.zeros((2, 3))
    vectors = drawn((0,) * 9, found.parts[0].noise, times)
    for vector in vectors:
        counts = (dice.multinomial(600, rates) + np.array(vector)).reshape(3, 3)
        noisy = tuple(map(int, counts[:, (2, 0, 1)].ravel()))
        for place, ends in enumerate(method.population(found, (noisy,))):
            kind, bin = divmod(place, 3)
            assert ends is not None
            outside[kind, bin] += not ends[0] <= Fraction(truth[kind][bin]) <= ends[1]
    assert outside.max() / times <= MISS + 4 * math.sqrt(MISS * (1 - MISS) / times)
    assert outside.max() > 0


def test_figures_to_compare_are_the_published_ones_with_margins_of_their_own() -> None:
    found, method = plan(), METHODS["cumulative-incidence"]
    noisy = ((200, 30, 20, 150, 25, 30, 90, 20, 25),)
    rows = table(STUDY, found, noisy).rows
    figures = method.figures_at(found, noisy, 0, 0.05)
    assert len(figures) == len(rows)
    for figure, row in zip(figures, rows, strict=True):
        if not row[2]:
            continue
        value, margin, *_ends = map(Fraction, row[2:6])
        assert figure is not None
        # Published figures are rounded down to two digits of the smallest margin.
        assert 0 <= figure.value - value <= margin / 5
        assert 0 < figure.half_width <= margin
    assert any(figure is not None for figure in figures)
    nobody = method.figures_at(found, ((0,) * 9,), 0, 0.05)
    assert nobody == (None,) * len(rows)
