# SPDX-License-Identifier: Apache-2.0
"""Rates: what a person moves, what is drawn, margins, and an exposure that may be nothing."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.noise.noise import Mechanism
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.planning.weak import unit_of
from dpdesk.privacy.published_tables import table
from dpdesk.privacy.statistics import METHODS
from dpdesk.privacy.statistics.figures_text import Figure
from dpdesk.privacy.statistics.rates.pooled_margin import PooledRate
from dpdesk.privacy.statistics.rates.rate_margin import DrawnRate
from dpdesk.privacy.statistics.rates.rate_sums import RateSums, rate_sums
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, Neighbours, Unit
from tests.privacy import examples as ex

DAYS = NumberColumn("days", Decimal(0), Decimal(60), Decimal(1), label="days")
ONE_ROW = Unit("pid", 1)
DIED = (IsIn("sex", ("Male",)),)
MECHANISMS: list[Mechanism] = ["laplace", "gaussian"]
NOTIONS: list[Neighbours] = ["add-remove", "change-one"]

Vector = tuple[int, ...]


def plan_of(column: NumberColumn = DAYS, unit: Unit = ONE_ROW, **members: Any) -> QueryPlan:
    is_rho = "rho" in members
    budget = Budget("registry", rho=Rho.of(50)) if is_rho else Budget("registry", Epsilon.of(50))
    study = replace(ex.STUDY, columns=(column, ex.SEX), unit=unit, budget=budget, queries=())
    usual: dict[str, Any] = {} if is_rho else {"epsilon": Epsilon.of(1)}
    usual |= {"column": "days", "has": DIED, "per": 1_000, "expected": 1_000}
    return compile_query(study, Query("q").having(statistic="rate", **usual | members))


def row(sums: RateSums, event: int, exposure: int) -> Vector:
    return tuple(a * event + b * exposure for a, b, _ in sums.weights)


def persons(sums: RateSums, bounds: tuple[int, int], k: int, m: int, cells: int) -> set[Vector]:
    """The joint vectors of all persons whose rows are the corners of what a row can be."""
    rows = [row(sums, event, exposure) for event in (0, 1) for exposure in bounds]
    in_cell = [
        {(0, 0)}
        | {tuple(map(sum, zip(*chosen, strict=True))) for chosen in product(rows, repeat=j)}
        for j in range(1, m + 1)
    ]
    # How many rows a cell has follows from the first that can make its vector.
    found = set()
    for numbers in product(range(m + 1), repeat=cells):
        if sum(numbers) <= k:
            parts = ([(0, 0)] if j == 0 else in_cell[j - 1] for j in numbers)
            found |= {tuple(sum(each, ())) for each in product(*parts)}
    return found


def norm(vector: Iterator[int], mechanism: Mechanism) -> int:
    return sum(abs(one) if mechanism == "laplace" else one * one for one in vector)


@pytest.mark.threat("A1")
@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("neighbours", NOTIONS)
@pytest.mark.parametrize("bounds", [(0, 7), (2, 7), (7, 7)])
@pytest.mark.parametrize(
    "limits_and_cells", [(1, 1, 1), (2, 2, 1), (1, 1, 2), (2, 2, 2), (2, 1, 3)]
)
def test_the_sensitivity_is_what_somebody_attains(
    limits_and_cells: tuple[int, int, int],
    bounds: tuple[int, int],
    neighbours: Neighbours,
    mechanism: Mechanism,
) -> None:
    k, m, cells = limits_and_cells
    sums = rate_sums(bounds, cells, neighbours, mechanism)
    people = persons(sums, bounds, k, m, cells)
    others = [(0,) * (2 * cells)] if neighbours == "add-remove" else list(people)
    moved = max(
        norm((a - b for a, b in zip(one, other, strict=True)), mechanism)
        for one in people
        for other in others
    )
    said = sums.sensitivity(k, m, cells, neighbours, mechanism)
    assert moved <= said
    # L2 is rounded up to whole numbers.
    assert said <= moved * (1 if mechanism == "laplace" else 1.001)


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("neighbours", NOTIONS)
@pytest.mark.parametrize("typical", [Fraction(1, 10**6), Fraction(1, 3), Fraction(40)])
@pytest.mark.parametrize("highest", [1, 60, 2**29])
def test_sums_stay_within_what_a_computer_holds(
    highest: int, typical: Fraction, neighbours: Neighbours, mechanism: Mechanism
) -> None:
    for cells in (1, 4):
        sums = rate_sums((0, highest), cells, neighbours, mechanism, typical)
        added = [row(sums, event, t) for event in (0, 1) for t in (0, highest)]
        assert max(abs(one) for vector in added for one in vector) <= 2**31
        assert sums.event >= 1


def test_a_typical_rate_buys_a_smaller_margin_at_it() -> None:
    for rate in (1, 20):
        plain, fitted = plan_of(), plan_of(typical=Decimal(rate))
        shown = [how(plan).half_width_of_events(rate / 1000, 0.05) for plan in (plain, fitted)]
        assert shown[1] < shown[0] * 0.97


def test_noise_is_less_than_that_of_two_sums_of_their_own() -> None:
    """At the usual rate, beside the best split of the share: a count and a sum for itself."""
    plan = plan_of(unit=ONE_ROW)
    rho, scale = 0.2, plan.parts[0].noise.scale
    weights = how(plan).weights(rho / 60)
    own = math.hypot(*weights) * scale / plan.parts[0].measure.weights[0][0]
    split = min(math.hypot(1 / share, rho / (1 - share)) for share in np.linspace(0.01, 0.99, 99))
    assert own < 0.87 * split


def how(plan: QueryPlan) -> DrawnRate:
    (part,) = plan.parts
    mechanism: Mechanism = "gaussian" if part.noise.mechanism == "gaussian" else "laplace"
    sums = rate_sums((0, 60), 1, plan.unit.neighbours, mechanism, typical_of(plan))
    return DrawnRate(sums, part.noise)


def typical_of(plan: QueryPlan) -> Fraction | None:
    typical = plan.query.members.get("typical")
    return None if typical is None else Fraction(typical) * 60 / 1000


def test_a_worked_rate() -> None:
    """80 events in 10,000 days are 8 per 1,000."""
    plan = plan_of()
    shown = printed(plan, drawn_of(plan, 80, 10_000))
    assert shown["rate"] == "8.00"
    assert (shown["noisy_events"], shown["noisy_exposure"]) == ("80", "10000")
    assert Decimal(shown["lowest_95"]) < 8 < Decimal(shown["highest_95"])


@pytest.mark.parametrize(("events", "exposure"), [(3, 0), (3, -40), (0, 0), (5, 100)])
def test_no_rate_over_an_exposure_that_may_be_nothing(events: int, exposure: int) -> None:
    plan = plan_of()
    shown = printed(plan, drawn_of(plan, events, exposure))
    assert (shown["rate"], shown["half_width_95"], shown["too_noisy"]) == ("", "", "yes")
    assert shown["noisy_exposure"] == str(exposure)


def test_a_rate_is_within_what_is_possible() -> None:
    plan = plan_of(replace(DAYS, lower=Decimal(2)))
    shown = printed(plan, drawn_of(plan, 6_000, 10_000))
    assert shown["rate"] == "500"
    shown = printed(plan, drawn_of(plan, -5, 10_000))
    assert Decimal(shown["rate"]) == 0


def drawn_of(plan: QueryPlan, events: int, exposure: int) -> Vector:
    return tuple(a * events + b * exposure for a, b, _ in plan.parts[0].measure.weights)


def printed(plan: QueryPlan, drawn: Vector) -> dict[str, str]:
    made = table(replace(ex.STUDY, columns=(DAYS, ex.SEX)), plan, (drawn,))
    return dict(zip([column.name for column in made.columns], made.rows[0], strict=True))


RUNS = 2_000


def released(plan: QueryPlan, events: int, exposure: int) -> list[Figure | None]:
    """The rates in events a day that the real noise makes of one cell, time and again."""
    (part,) = plan.parts
    exact = np.tile(drawn_of(plan, events, exposure), RUNS)
    noisy = OpenDPDoor().add_noise("q", exact, part.noise, 1)
    return [how(plan).released(pair, 0.05) for pair in zip(noisy[::2], noisy[1::2], strict=True)]


@pytest.mark.audit
@pytest.mark.parametrize(("events", "exposure"), [(0, 3_000), (9, 900), (40, 800), (900, 1_000)])
@pytest.mark.parametrize("share", [Epsilon.of("0.2"), Rho.of("0.05")])
@pytest.mark.parametrize("unit", [ex.PERSON, Unit(None, 1, "change-one", 5_000)])
@pytest.mark.in_turn(6)
def test_the_margin_holds_as_often_as_it_says(
    unit: Unit, share: Epsilon | Rho, events: int, exposure: int
) -> None:
    figures = released(plan_of(unit=unit, **{share.measure: share}), events, exposure)
    rate = Fraction(events, exposure)
    # Where the exposure may be nothing there is no rate, and no promise.
    held = sum(one is None or abs(one.value - rate) <= one.half_width for one in figures)
    assert binom.cdf(held, RUNS, 0.95) > 1e-6


def test_a_smaller_margin_would_not_hold() -> None:
    figures = released(plan_of(epsilon=Epsilon.of("0.2")), 40, 40_000)
    rate = Fraction(40, 40_000)
    held = sum(
        one is not None and abs(one.value - rate) <= one.half_width * Fraction(3, 4)
        for one in figures
    )
    assert binom.cdf(held, RUNS, 0.95) < 1e-6


@pytest.mark.in_turn(2)
def test_the_rate_of_the_population_holds_and_few_events_have_none() -> None:
    plan, method, chance = plan_of(), METHODS["rate"], np.random.default_rng(3)
    rate, exposure, runs, held, near = 0.01, 20_000, 300, 0, 0
    pooled = PooledRate(how(plan), (Fraction(1),))
    by_chance = pooled.off_with_chance(rate, exposure, 0.05)
    for _ in range(runs):
        exact = np.array(drawn_of(plan, int(chance.poisson(rate * exposure)), exposure))
        noisy = (tuple(OpenDPDoor().add_noise("q", exact, plan.parts[0].noise, 1)),)
        (ends,) = method.population(plan, noisy)
        assert ends is not None
        held += ends[0] <= 1_000 * rate <= ends[1]
        events, days = pooled.sums((noisy[0],))
        near += abs(float(events) - rate * float(days)) <= by_chance
        (figure,) = method.figures_at(plan, noisy, 0, 0.05)
        assert figure is not None and ends[0] <= figure.value <= ends[1]
    assert binom.cdf(held, runs, 0.95) > 1e-4 < binom.cdf(near, runs, 0.95)
    assert near < runs, "one that never fails is wider than it says"
    assert list(method.population(plan, (drawn_of(plan, 5, exposure),))) == [None]
    assert unit_of(plan) == "", "per 1,000 days is no number of days"


def test_a_pooled_rate_beyond_what_is_possible_is_the_most_there_is() -> None:
    pooled = PooledRate(how(plan_of()), (Fraction(1),), Fraction(1, 2))
    figure = pooled.released((drawn_of(plan_of(), 9_000, 10_000),), 0.05)
    assert figure is not None and figure.value == Fraction(1, 2)
