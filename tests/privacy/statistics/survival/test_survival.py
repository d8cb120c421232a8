# SPDX-License-Identifier: Apache-2.0
"""Survival: one histogram of rows by bin and event, a published curve, and what it takes."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate, product
from operator import mul
from typing import Any

import numpy as np
import pytest

from dpdesk.exact import Exact
from dpdesk.privacy import compiler
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.planning.survival.derived_table import derived_lines, with_derived
from dpdesk.privacy.published_tables import table
from dpdesk.privacy.statistics import METHODS
from dpdesk.privacy.statistics.survival.band import Band
from dpdesk.privacy.statistics.survival.curve import survival_curve
from dpdesk.privacy.statistics.survival.entry_band import EntryBins
from dpdesk.release.bundle.derived_lines import readings
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import NumberColumn, Replace, YesNoColumn
from dpdesk.study.model.conditions import IsIn, IsMissing
from dpdesk.study.model.groupings import bin_spans, has_open_end, wide_bins
from dpdesk.study.model.parameters import TimeToEventParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, Unit
from tests.audit.length import runs
from tests.privacy import examples as ex
from tests.privacy.statistics.survival.shapes import Made
from tests.privacy.test_sensitivity import measured, row_counts

TIME = NumberColumn("time", Decimal(0), Decimal(29), Decimal(1), label="days")
KNOWN_TIME = replace(TIME, missing=Replace(Decimal(0)), unparsable=Replace(Decimal(0)))
SURE = YesNoColumn("dead", ("1",), ("0",), missing="category", unknown="category")
STUDY = replace(ex.STUDY, columns=(*ex.STUDY.columns, TIME), unit=replace(ex.PERSON, max_rows=1))
KNOWN = replace(STUDY, columns=(KNOWN_TIME, SURE), unit=Unit(None, 1, "change-one", people=500))
DIED = (IsIn("dead", ("1",)),)
EDGES = (Decimal(10), Decimal(20))
ASKED = Query(
    "alive",
    "survival",
    TimeToEventParameters("time", edges=EDGES, has=DIED),
    epsilon=Epsilon.of(1),
    expected=500,
)
DRAWS = runs(short=200, full=2_000)


def plan(query: Query = ASKED, study: Any = STUDY) -> QueryPlan:
    return compiler.compile_query(study, query)


def test_each_line_has_the_curve_its_band_and_what_it_is_made_of() -> None:
    """Censored before events in what is drawn: 100 people, 20 events in the first bin."""
    found = plan(replace(ASKED, epsilon=Epsilon.of(20)))
    made_table = table(STUDY, found, ((10, 20, 5, 10, 40, 15),))
    names = [column.name for column in made_table.columns]
    assert names == [
        *("up_to", "survival", "curve_half_width_95", "curve_lowest_95", "curve_highest_95"),
        *("at_risk", "events", "censored", "noisy_events", "noisy_censored", "too_noisy"),
    ]
    rows = [dict(zip(names, row, strict=True)) for row in made_table.rows]
    assert [row["up_to"] for row in rows] == ["9", "19", "29"]
    assert [row["at_risk"] for row in rows] == ["100", "70", "55"]
    assert [row["noisy_events"] for row in rows] == ["20", "10", "15"]
    # Of those censored in a bin half are at risk in it, in the last one all: 75 of 95 and so on.
    shares = accumulate((75 / 95, 57.5 / 67.5, 40 / 55), mul)
    for row, exact in zip(rows, shares, strict=True):
        assert abs(float(row["survival"]) - exact) < 0.01
        assert (
            float(row["curve_lowest_95"])
            <= float(row["survival"])
            <= float(row["curve_highest_95"])
        )
        off = Decimal(row["curve_half_width_95"])
        assert Decimal(row["survival"]) - off <= Decimal(row["curve_lowest_95"])
        assert Decimal(row["survival"]) + off >= Decimal(row["curve_highest_95"])


def test_bins_of_one_time_are_told_from_wide_ones() -> None:
    """0 to 9, 10, 11 to 28, 29."""
    edges = tuple(map(Decimal, (10, 11, 29)))
    assert bin_spans(TIME, edges) == ((0, 9), (10, 10), (11, 28), (29, 29))
    entries = EntryBins((0,), 3, bin_spans(TIME, edges[:2]))
    assert entries.wide == (True, False, True)
    assert wide_bins(TIME, edges) == (True, False, True, False)
    assert wide_bins(TIME, edges[:2]) == (True, False, True)
    assert has_open_end(TIME, edges)
    assert not has_open_end(TIME, edges[:2]), "the last bin has several times"
    assert not has_open_end(TIME, tuple(map(Decimal, range(1, 30)))), "each bin has one time"


def test_a_bin_beyond_the_highest_time_is_no_figure_that_could_be_too_noisy() -> None:
    """Of two groups: in each the last line of four; what follows is stated of the one before."""
    found = plan(
        replace(ASKED, by=("sex",), epsilon=Epsilon.of(20)).having(edges=(*EDGES, TIME.upper))
    )
    counts = (10, 20, 5, 10, 40, 15, 0, 0)
    made_table = table(STUDY, found, ((*counts, *counts),))
    assert (made_table.marked, made_table.too_noisy) == ((3, 7), 0)
    # Also where somebody is left for it: events at any later time are no value of the curve.
    later = (10, 20, 5, 10, 40, 15, 30, 30)
    lines = table(STUDY, found, ((*later, *later),)).rows
    assert [bool(row[2]) for row in lines] == [True, True, True, False] * 2
    assert lines[3][6:9] == ("60", "30", "30")
    assert {line.cells[2] for line in derived_lines(found, ((*counts, *counts),))} == {"", "28"}
    nothing = table(STUDY, found, ((0,) * 16,))
    assert (nothing.too_noisy, nothing.says_nothing) == (6, True)


def test_readings_are_at_the_last_time_of_which_noise_leaves_something() -> None:
    asked = replace(ASKED, epsilon=Epsilon.of(20)).having(times=(Decimal(9), Decimal(29)))
    found, counts = plan(asked), (10, 20, 5, 10, 0, 0)
    made_table = with_derived(table(STUDY, found, (counts,)), found, (counts,))
    assert [line[0] for line in readings(made_table, "days")] == ["Without an event after 9 days"]
    nothing = with_derived(table(STUDY, found, ((0,) * 6,)), found, ((0,) * 6,))
    assert [line[0] for line in readings(nothing, "days")] == ["Without an event after 29 days"]


def test_nothing_is_said_where_fewer_than_one_is_at_risk() -> None:
    made_table = table(STUDY, plan(), ((0, 5, -3, -4, -2, -6),))
    assert [row[1] for row in made_table.rows][1:] == ["", ""]
    assert all(row[-1] == "yes" for row in made_table.rows)


@pytest.mark.parametrize("unit", [ex.PERSON, replace(ex.PERSON, neighbours="change-one", people=9)])
@pytest.mark.parametrize("groups", [1, 2])
def test_its_sensitivity_is_what_somebody_attains(unit: Unit, groups: int) -> None:
    """Every person of one row, by trying all of them."""
    study = replace(STUDY, unit=replace(unit, max_rows=1))
    by: tuple[Any, ...] = ("sex",) if groups == 2 else ()
    asked = replace(ASKED, by=by).having(edges=EDGES[:1])
    found = measured(row_counts(1, 4 * groups), unit.neighbours)
    assert plan(asked, study).parts[0].sensitivity == found.l1
    rho = replace(asked, epsilon=None, rho=Rho.of("0.1"), noise="gaussian")
    zcdp = replace(study, budget=Budget("registry", rho=Rho.of(1)))
    assert plan(rho, zcdp).parts[0].sensitivity == found.l2_squared


def test_people_with_one_row_cost_as_little_as_they_can() -> None:
    other = replace(STUDY, unit=replace(STUDY.unit, neighbours="change-one", people=500))
    assert plan().parts[0].sensitivity == 1
    assert plan(study=other).parts[0].sensitivity == 2


def test_a_public_number_of_people_is_used() -> None:
    found = plan(study=KNOWN)
    assert found.public_rows == 500
    names = [column.name for column in table(KNOWN, found, ((90, 90, 90, 90, 90, 90),)).columns]
    made_table = table(KNOWN, found, ((90, 90, 90, 90, 90, 90),))
    assert made_table.rows[0][names.index("at_risk")] == "500"
    for column in (TIME, replace(SURE, missing="drop")):
        columns = [column if old.name == column.name else old for old in KNOWN.columns]
        assert plan(study=replace(KNOWN, columns=tuple(columns))).public_rows is None
    is_there = ASKED.having(has=(IsMissing("dead", missing=False),))
    columns = (KNOWN_TIME, replace(SURE, missing="drop"))
    assert plan(is_there, replace(KNOWN, columns=columns)).public_rows == 500


def test_the_margin_before_the_release_holds_where_nobody_is_censored() -> None:
    """Whatever the curve is: 4 standard deviations more than 5 in 100 miss once in 10,000."""
    shapes = Made(500, 3, 1.5, 1e9).counts, Made(500, 3, 10, 1e9).counts, (250, 0, 249, 0, 0, 1)
    for counts in shapes:
        exact = survival_curve(counts, None).survival
        found = plan()
        noise = found.parts[0].noise
        vector = Exact(np.tile(counts, DRAWS))
        noisy = OpenDPDoor().draw("margin", vector, noise, found.parts[0].sensitivity)
        misses = 0
        for start in range(0, len(noisy), 6):
            curve = survival_curve(noisy[start : start + 6], None)
            off = max(abs(a - b) for a, b in zip(curve.survival[:2], exact[:2], strict=True))
            assert found.half_width is not None
            misses += off > found.half_width
        assert misses / DRAWS <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / DRAWS)


def test_intervals_for_the_population_hold_over_noise_and_chance() -> None:
    """People are drawn anew each time: 6 in 10 are without the event after the first bin."""
    noise, chance = Noise("laplace", 2.0), np.random.default_rng(3)
    rates = (0.25, 0.15, 0.2, 0.1, 0.2, 0.1)
    survival, method = (0.75, 0.75 * 0.4 / 0.6), METHODS["survival"]
    found = plan(replace(ASKED, epsilon=Epsilon.of(1), population=True))
    assert found.parts[0].noise.scale <= noise.scale
    misses = [0, 0]
    for _ in range(DRAWS):
        counts = chance.multinomial(400, rates)
        flipped = counts.reshape(3, 2)[:, ::-1].ravel()
        noisy = OpenDPDoor().draw("chance", Exact(flipped), found.parts[0].noise, 1)
        for bin, ends in enumerate(list(method.population(found, (tuple(noisy),)))[:2]):
            assert ends is not None
            misses[bin] += not ends[0] <= survival[bin] <= ends[1]
    assert max(misses) / DRAWS <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / DRAWS)


def test_little_is_said_of_chance_where_hardly_anybody_has_the_event() -> None:
    found = plan(replace(ASKED, population=True))
    ends = tuple(METHODS["survival"].population(found, ((100, 3, 100, 3, 100, 9),)))
    assert ends[:2] == (None, None)
    assert ends[2] is not None


def test_figures_have_margins_of_their_own_inside_the_band() -> None:
    found, method = plan(), METHODS["survival"]
    noisy = ((30, 60, 40, 50, 200, 30),)
    figures = method.figures_at(found, noisy, 0, 0.05)
    drawn = tuple(
        count for pair in product(range(3), (1, 0)) for count in (noisy[0][2 * pair[0] + pair[1]],)
    )
    band = Band(found.parts[0].noise, drawn, survival_curve(drawn, None), False)
    for figure, (low, high) in zip(figures, band.ends(0.05), strict=True):
        assert figure is not None
        assert (
            2 * figure.half_width < Fraction(high) - Fraction(low) + Fraction(1, 1000) or low == 0
        )
