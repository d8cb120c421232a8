# SPDX-License-Identifier: Apache-2.0
"""Survival of people who come under observation late: who is at risk, and how sure that is."""

from __future__ import annotations

import math
import operator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.privacy import compiler
from dpdesk.privacy.noise.noise import Mechanism, Noise
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.planning.survival.derived_figures import derived_figures
from dpdesk.privacy.planning.survival.incidence_figures import incidence_figures
from dpdesk.privacy.published_tables import table
from dpdesk.privacy.statistics.survival.band import Band, half_width
from dpdesk.privacy.statistics.survival.curve import survival_curve
from dpdesk.privacy.statistics.survival.entry_band import EntryBand
from dpdesk.privacy.statistics.survival.incidence_band import IncidenceBand
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.unit import Unit
from tests.audit.length import runs, some
from tests.privacy import examples as ex
from tests.privacy.statistics.survival import test_survival as survival
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

ENTERED = NumberColumn("entered", Decimal(0), Decimal(29), Decimal(1), label="days")
STUDY = replace(survival.STUDY, columns=(*survival.STUDY.columns, ENTERED))
ASKED = survival.ASKED.having(entry="entered", entry_edges=(Decimal(10),), late="leave-out")
Ints = npt.NDArray[np.int64]


def plan(query: Any = ASKED, study: Any = STUDY) -> QueryPlan:
    return compiler.compile_query(study, query)


def people(many: int, bins: int, late: float) -> tuple[Ints, Ints, Ints]:
    """Bin of entry, bin of exit, and whether with the event: some enter within the first half."""
    dice = np.random.default_rng(8)
    exits = np.minimum(bins * 0.6 * dice.weibull(1.2, many), bins - 1).astype(int)
    entries = np.where(dice.random(many) < late, dice.integers(0, bins // 2, many), 0)
    kept = entries <= exits
    return entries[kept], exits[kept], (dice.random(many) < 0.7)[kept].astype(int)


def counted(entries: Ints, exits: Ints, has: Ints, begins: tuple[int, ...], bins: int) -> Counts:
    """Of each bin of entries, and in it of each time bin, the events, then the censored."""
    of_entry = np.searchsorted(begins, entries, side="right") - 1
    places = (of_entry * bins + exits) * 2 + (1 - has)
    return tuple(map(int, np.bincount(places, minlength=2 * bins * len(begins))))


def product_limit(
    counts: Counts,
    begins: tuple[int, ...],
    keeps_late: bool = False,
    wide: Wide = (),
    times: int = 4,
) -> list[float]:
    """Word for word, count by count."""
    bins, now, curve = len(counts) // (2 * len(begins)), Fraction(1), []
    entries = entry_bins(begins, bins, wide, times)
    for bin, half in enumerate(halves(wide, bins)):
        at_risk = had = Fraction(0)
        for place, count in enumerate(counts):
            entry, rest = divmod(place, 2 * bins)
            exit, is_censored = divmod(rest, 2)
            part = at_risk_of(entries, entry, exit, bin, keeps_late)
            at_risk += count * part * (1 - half * (exit == bin and is_censored))
            had += count if part and exit == bin and not is_censored else 0
        now *= (at_risk - had) / at_risk if at_risk else 1
        curve.append(float(now))
    return curve


SHAPES = {
    "few enter late": (people(2_000, 10, 0.2), (0, 2, 4), 10),
    "most enter late": (people(4_000, 12, 0.8), (0, 1, 2, 3, 4, 5), 12),
    "small": (people(300, 5, 0.5), (0, 1), 5),
}


@EACH_WIDTH
@pytest.mark.parametrize("keeps_late", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_without_noise_it_is_the_product_limit(name: str, keeps_late: bool, is_wide: bool) -> None:
    who, begins, bins = SHAPES[name]
    wide = mixed(bins, is_wide)
    # Some more whose entry is behind their exit, which one rule takes in and the other one not.
    more = np.arange(2 * bins * len(begins)) % 3
    counts = tuple(map(int, np.array(counted(*who, begins, bins)) + more))
    entries = entry_bins(begins, bins, wide)
    band = EntryBand(Noise("laplace", 0.01), counts, entries, keeps_late=keeps_late)
    assert band.curve.survival == pytest.approx(product_limit(counts, begins, keeps_late, wide))


def test_of_a_study_those_censored_within_a_bin_count_for_half_of_it() -> None:
    """Of each bin the censored, then the events, as they are drawn; two enter in the second bin."""
    counts = (10, 20, 5, 10, 40, 15, 0, 0, 20, 30, 40, 10)
    (first, second, last) = table(
        STUDY, plan(replace(ASKED, epsilon=Epsilon.of(50))), (counts,)
    ).rows
    shares = [float(row[1]) for row in (first, second, last)]
    exact = product_limit(
        (20, 10, 10, 5, 15, 40, 0, 0, 30, 20, 10, 40), (0, 1), False, (True,) * 3, 10
    )
    assert shares == pytest.approx(exact, abs=0.005)
    assert [row[5] for row in (first, second, last)] == ["100", "154", "105"]
    # Where nobody enters behind the second bin all of them are there at its end.
    early = replace(STUDY, columns=(*survival.STUDY.columns, replace(ENTERED, upper=Decimal(19))))
    rows = table(early, plan(replace(ASKED, epsilon=Epsilon.of(50)), early), (counts,)).rows
    assert [row[5] for row in rows] == ["100", "170", "105"]
    assert [row[6] for row in rows] == ["100", "100", "0"]


def test_it_is_that_of_lifelines() -> None:
    lifelines: Any = pytest.importorskip("lifelines")
    who, begins, bins = SHAPES["most enter late"]
    # In bins of one time who enters late is at risk behind the time of entry, the others from 0 on.
    kept = (who[0] == 0) | (who[0] < who[1])
    entries, exits, has = (one[kept] for one in who)
    counts = counted(entries, exits, has, begins, bins)
    entered = np.where(entries > 0, entries + 1, 0)
    fitted = lifelines.KaplanMeierFitter().fit(exits + 1, has, entry=entered)
    ends = fitted.survival_function_at_times(range(1, bins + 1))
    entry = replace(entry_bins(begins, bins), behind=len(begins))
    band = EntryBand(Noise("laplace", 0.01), counts, entry, keeps_late=False)
    assert band.curve.survival == pytest.approx(list(ends), abs=1e-9)


@EACH_WIDTH
def test_where_all_are_there_from_the_start_it_is_the_curve_without_entries(is_wide: bool) -> None:
    noise, wide = Noise("laplace", 1.0), mixed(18, is_wide)
    plain = Band(noise, LUNG, survival_curve(LUNG, None, 1, wide), False)
    late = EntryBand(noise, LUNG, entry_bins((0,), 18, wide), keeps_late=False)
    for bin in range(10):
        assert late.weights(bin) == pytest.approx(plain.weights(bin))
        assert late.chance(bin) == pytest.approx(plain.chance(bin))
        assert late.at_risk(bin) == plain.at_risk(bin) == sum(LUNG[2 * bin :])
    assert late.curve.survival == pytest.approx(plain.curve.survival)
    both = [
        list(derived_figures([one, one], range(1, 19), 0.0, (3,), MISS)) for one in (plain, late)
    ]
    for one, other in zip(*both, strict=True):
        assert (one.value is None) == (other.value is None)
        assert one.value is None or other.value == pytest.approx(one.value)
        assert one.noise is None or other.noise == pytest.approx(one.noise)


def test_bins_count_as_long_as_those_at_risk_are_surely_there() -> None:
    """Before and after events; each count takes the noise of a whole one, also where it is half."""
    noise, dice, found = Noise("laplace", 1.0), np.random.default_rng(3), set()
    wide = mixed(4)
    entries = entry_bins((0, 2), 4, wide)
    for _ in range(300):
        noisy = tuple(map(int, dice.integers(-2, 10, 16)))
        band = EntryBand(noise, noisy, entries, keeps_late=False)
        sure = 0
        for bin, half in enumerate(halves(wide, 4)):
            each = [Fraction(0)] * 16, [Fraction(0)] * 16
            for place in range(16):
                entry, exit, way = place // 8, place // 2 % 4, place % 2
                part = at_risk_of(entries, entry, exit, bin)
                each[0][place] = part * (1 - half * (exit == bin) * way)
                each[1][place] = each[0][place] - (part > 0) * (exit == bin) * (1 - way)
            at_risk, left = (sum(map(operator.mul, one, noisy)) for one in each)
            far = [half_width(noise, np.ones(16 - one.count(Fraction(0))), MISS) for one in each]
            if at_risk <= far[0] or left <= far[1] or band.curve.chain[2 * bin + 1] == 0:
                break
            sure += 1
        assert band.sure(MISS) == sure
        found.add(sure)
    assert len(found) == 5


@given(st.lists(st.integers(-20, 60), min_size=12, max_size=12), st.booleans())
def test_a_published_curve_falls_between_one_and_nothing(noisy: list[int], quiet: bool) -> None:
    found = plan(replace(ASKED, epsilon=Epsilon.of(20 if quiet else 1)))
    rows = table(STUDY, found, (tuple(noisy),)).rows
    assert len(rows) == 3
    for row in rows:
        if row[1]:
            value, margin, low, high = map(Fraction, row[1:5])
            assert 0 <= low <= value <= high <= 1 and value - margin <= low
        assert all(int(count) >= 0 for count in row[5:9])
    band = EntryBand(Noise("laplace", 1.0), tuple(noisy), entry_bins((0, 1), 3), keeps_late=quiet)
    assert all(b <= a for a, b in pairwise((1.0, *band.curve.survival)))


@pytest.mark.parametrize(
    ("mechanism", "scale"),
    some([(m, s) for m in ("laplace", "gaussian") for s in (1.0, 3.0)], 2),
)
@pytest.mark.parametrize("name", SHAPES)
@EACH_WIDTH
@pytest.mark.in_turn(6)
def test_whole_curves_lie_in_their_bands(
    name: str, mechanism: Mechanism, scale: float, is_wide: bool
) -> None:
    who, begins, bins = SHAPES[name]
    wide = mixed(bins, is_wide)
    noise = Noise(mechanism, scale, "rho" if mechanism == "gaussian" else "epsilon")
    counts, misses = counted(*who, begins, bins), 0
    entries = entry_bins(begins, bins, wide)
    exact = product_limit(counts, begins, wide=wide)
    for noisy in drawn(counts, noise, DRAWS):
        ends = EntryBand(noise, noisy, entries, keeps_late=False).ends(MISS)
        held = (
            low - 1e-9 <= one <= high + 1e-9 for one, (low, high) in zip(exact, ends, strict=True)
        )
        misses += not all(held)
    assert misses / DRAWS <= ALLOWED


@pytest.mark.in_turn(2)
def test_figures_of_noise_and_chance_are_within_their_ends() -> None:
    """People are drawn anew each time, in two groups alike, in bins of any width."""
    who, begins, bins = SHAPES["few enter late"]
    wide = mixed(bins)
    counts, times = np.array(counted(*who, begins, bins)), runs(short=50, full=500)
    noise, exact = Noise("laplace", 1.0), product_limit(tuple(map(int, counts)), begins, wide=wide)
    dice = np.random.default_rng(2)
    vectors, outside, wrong = iter(drawn((0,) * len(counts), noise, 2 * times)), 0, 0
    for _ in range(times):
        both = [
            EntryBand(
                noise,
                tuple(
                    map(int, dice.multinomial(counts.sum(), counts / counts.sum()) + next(vectors))
                ),
                entry_bins(begins, bins, wide),
                keeps_late=False,
            )
            for _ in range(2)
        ]
        figures = {
            (one.name, one.groups): one
            for one in derived_figures(both, range(1, bins + 1), 0.0, (4,), MISS)
        }
        at = figures["survival-at", (0,)].chance
        assert at is not None
        outside += not at[0] <= exact[4] <= at[1]
        test = figures["log-rank", ()].test
        assert test is not None
        wrong += test.p <= MISS
    allowed = MISS + 4 * math.sqrt(MISS * (1 - MISS) / times)
    assert outside / times <= allowed and wrong / times <= allowed


@pytest.mark.parametrize("unit", [ex.PERSON, replace(ex.PERSON, neighbours="change-one", people=9)])
@pytest.mark.parametrize("late", ["leave-out", "last-bin"])
def test_its_sensitivity_is_what_somebody_attains(unit: Unit, late: str) -> None:
    study = replace(STUDY, unit=replace(unit, max_rows=1))
    part = plan(ASKED.having(edges=(Decimal(10),), late=late), study).parts[0]
    assert (part.cells, part.measure.after) == (8, "entered" if late == "leave-out" else None)
    assert part.sensitivity == measured(row_counts(1, 8), unit.neighbours).l1


def test_who_is_left_out_is_secret_so_the_number_of_people_is_no_public_total() -> None:
    known = replace(
        survival.KNOWN,
        columns=(*survival.KNOWN.columns, replace(survival.KNOWN_TIME, name="entered")),
    )
    assert plan(ASKED, known).public_rows is None
    assert plan(ASKED.having(late="last-bin"), known).public_rows == 500


@pytest.mark.parametrize("kinds", [1, 2])
def test_a_curve_that_falls_below_any_share_still_has_its_table(kinds: int) -> None:
    """Stays on a calendar: in each of 20 months nearly all of those there leave, and others come.

    An error after the draw would be an outcome that nobody paid for.
    """
    months = range(20)
    own = [[30_000 - 7 * month, *[0] * (kinds - 1), 600] for month in months]
    noisy = [n for b in months for m in months for n in (own[m] if b == m else [0] * (kinds + 1))]
    band = EntryBand(
        Noise("laplace", 1.0),
        tuple(noisy),
        entry_bins(tuple(months), 20),
        keeps_late=False,
        kinds=kinds,
    )
    assert band.shares[-1] < 1e-30 < band.chain[-1]
    sure, ends = band.sure(MISS / band.bins), [float(month + 1) for month in months]
    assert 4 < sure < 10 and band.ends(MISS)[-1][0] == 0.0
    if kinds == 1:
        found = [*derived_figures([band], ends, 0.0, (sure - 1, 19), MISS)]
    else:
        by_kind = [[IncidenceBand(band, kind) for kind in range(kinds)]]
        found = [*incidence_figures(by_kind, (sure - 1, 19), MISS)]
    near, far = found[:2]
    assert near.value is not None and far.value is far.noise is None


def test_the_margin_before_the_release_holds_where_nobody_is_censored() -> None:
    found, times = plan(), runs(short=200, full=2_000)
    counts = (150, 0, 200, 0, 100, 50, 0, 0, 0, 0, 0, 0)
    exact, misses = product_limit(counts, (0, 1)), 0
    for noisy in drawn(counts, found.parts[0].noise, times):
        band = EntryBand(found.parts[0].noise, noisy, entry_bins((0, 1), 3), keeps_late=False)
        curve = band.curve.survival
        assert found.half_width is not None
        misses += max(abs(a - b) for a, b in zip(curve, exact, strict=True)) > found.half_width
    assert misses / times <= MISS + 4 * math.sqrt(MISS * (1 - MISS) / times)
