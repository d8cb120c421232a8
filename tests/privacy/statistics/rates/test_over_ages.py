# SPDX-License-Identifier: Apache-2.0
"""Standardised rates and ratios: their formulas, their margins, and no rate over nearly nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy.stats import binom

from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.published_tables import table
from dpdesk.privacy.statistics import METHODS
from dpdesk.privacy.statistics.rates.over_ages import (
    StandardisedRates,
    cells_of,
    ratio_of,
    standardised_of,
)
from dpdesk.privacy.statistics.rates.pooled_margin import Drawn
from dpdesk.study.model.amount import Epsilon, Rho, Share
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Bins
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget
from dpdesk.study.standard_populations import people_of
from tests.privacy import examples as ex
from tests.privacy.statistics.rates.test_rate import DAYS, DIED, ONE_ROW

AGE = NumberColumn("age", Decimal(0), Decimal(100), Decimal(1))
WARD = CategoryColumn("ward", ("a", "b"))
BANDS = tuple(map(Decimal, range(5, 90, 5)))
MUCH = Epsilon(1_000_000)
Numbers = npt.NDArray[np.float64]
RUNS = 400


def plan_of(statistic: str, share: Share = MUCH, **members: Any) -> QueryPlan:
    budget = Budget("registry", Epsilon.of(50))
    if isinstance(share, Rho):
        budget = Budget("registry", rho=Rho.of(50))
    usual: dict[str, Any] = {"column": "days", "has": DIED, "per": 1_000, "expected": 20_000}
    usual |= {"over": "age", "edges": BANDS, "population": True, share.measure: share}
    query = Query("q").having(statistic=statistic, **usual | members)
    return compile_query(replace(STUDY, budget=budget, queries=()), query)


STUDY = Study(unit=ONE_ROW, columns=(DAYS, AGE, WARD, ex.SEX))


def exact(plan: QueryPlan, events: Numbers, exposures: Numbers) -> tuple[int, ...]:
    """The sums of cells of so many events and days, all groups of a cell one after the other."""
    weights = plan.parts[0].measure.weights
    pairs = zip(events.astype(int), exposures.astype(int), strict=True)
    return tuple(int(a * e + b * t) for e, t in pairs for a, b, _ in weights)


def printed(plan: QueryPlan, drawn: tuple[int, ...]) -> list[dict[str, str]]:
    made = table(STUDY, plan, (drawn,))
    return [dict(zip([c.name for c in made.columns], row, strict=True)) for row in made.rows]


EVENTS = np.array([30, 10, 60, 90], dtype=np.float64)
EXPOSED = np.array([20_000, 30_000, 30_000, 15_000], dtype=np.float64)
AGES: dict[str, Any] = {"edges": tuple(map(Decimal, (15, 45, 65)))}


PEOPLE = np.array([16_000, 38_000, 26_500, 19_500])
"""Of the European standard population 2013: 0 to 14, 15 to 44, 45 to 64, and older."""
REFERENCE = np.array([1, 0.5, 2, 5])
BY_REFERENCE: dict[str, Any] = {"reference": tuple(Decimal(str(rate)) for rate in REFERENCE)}
BY_STANDARD: dict[str, Any] = {"standard": "european-2013"}


def test_a_standard_is_fitted_to_whole_bands_and_to_nothing_else() -> None:
    found = people_of("european-2013", Bins("age", AGES["edges"]), AGE)
    assert [*found.values()] == PEOPLE.tolist()
    cut = people_of("segi", Bins("age", tuple(map(Decimal, (15, 47)))), AGE)
    assert [*cut.values()] == [31_000, None, None]
    decades = CategoryColumn("age", ("[0-10)", "[10-20)", "[90-100)"), missing="category")
    assert people_of("european-2013", "age", decades) == {
        "[0-10)": 10_500,
        "[10-20)": 11_000,
        "[90-100)": 1_000,
    }


def test_the_formulas_are_those_of_the_textbook() -> None:
    """Direct: rates weighted by a standard; indirect: events over those expected."""
    plan = plan_of("standardised-rate", by=("ward",), **BY_STANDARD, **AGES)
    both = np.concatenate([EVENTS, EVENTS / 2]), np.concatenate([EXPOSED, EXPOSED])
    first, second = printed(plan, exact(plan, *both))
    weighted = 1_000 * float((PEOPLE * EVENTS / EXPOSED).sum()) / PEOPLE.sum()
    assert float(first["standardised_rate"]) == pytest.approx(weighted, abs=0.01)
    assert float(second["standardised_rate"]) == pytest.approx(weighted / 2, abs=0.01)
    assert float(first["crude_rate"]) == pytest.approx(1_000 * 190 / 95_000, abs=0.01)
    assert float(first["events"]) == 190
    asked = plan_of("standardised-ratio", **BY_REFERENCE, **AGES)
    made = table(STUDY, asked, (exact(asked, EVENTS, EXPOSED),))
    assert {column.unit for column in made.columns} == {""}, "neither days nor years"
    (line,) = printed(asked, exact(asked, EVENTS, EXPOSED))
    expected = float((REFERENCE * EXPOSED).sum()) / 1_000
    assert float(line["expected"]) == pytest.approx(expected, abs=1)
    assert float(line["ratio"]) == pytest.approx(190 / expected, abs=0.01)


@pytest.mark.parametrize("exposed", [0, -500, 700])
def test_no_rate_is_divided_by_an_exposure_that_may_be_nothing(exposed: int) -> None:
    plan = plan_of("standardised-rate", **BY_STANDARD, **AGES)
    (line,) = printed(plan, exact(plan, EVENTS, np.array([exposed, 30_000, 30_000, 15_000])))
    assert (line["standardised_rate"], line["half_width_95"], line["too_noisy"]) == ("", "", "yes")
    assert line["crude_rate"], "what can be published is"
    assert float(line["events"]) == 190
    ratio = plan_of("standardised-ratio", **BY_REFERENCE, **AGES)
    nothing = np.array([exposed, 0, 0, -exposed])
    (line,) = printed(ratio, exact(ratio, EVENTS, nothing))
    assert (line["ratio"], line["population_lowest_95"], line["too_noisy"]) == ("", "", "yes")


@pytest.mark.threat("A1")
def test_what_is_drawn_is_the_rate_by_age_group_and_paid_once() -> None:
    standard = plan_of("standardised-rate", by=("ward",), **BY_STANDARD, **AGES)
    other = plan_of("standardised-rate", by=("ward",), standard="segi", **AGES)
    ratio = plan_of("standardised-ratio", by=("ward",), **BY_REFERENCE, **AGES)
    by = ("ward", Bins("age", AGES["edges"]))
    rate = plan_of("rate", by=by, over=None, edges=())
    assert rate.parts == standard.parts == ratio.parts
    assert len({one.canonical for one in (rate, standard, other, ratio)}) == 1
    turned = plan_of("rate", by=by[::-1], over=None, edges=())
    assert turned.canonical != rate.canonical, "its sums are in another order"


def releases(plan: QueryPlan, rates: Numbers, exposed: Numbers) -> Iterator[tuple[Numbers, Drawn]]:
    """Time and again who comes, by chance, and the real noise."""
    chance = np.random.default_rng(5)
    for _ in range(RUNS):
        events = chance.poisson(rates * exposed).astype(np.float64)
        sums = np.array(exact(plan, events, exposed))
        noisy = OpenDPDoor().add_noise("q", sums, plan.parts[0].noise, 1)
        yield events, cells_of(plan, (tuple(noisy),))[0]


FEW = np.array([0.9, 0.01, 0.9, 0.4]), np.array([1_700, 50_000, 4_000, 2_500])
MANY = np.linspace(0.002, 0.03, 18), np.linspace(3_000, 20_000, 18)


@pytest.mark.audit
@pytest.mark.parametrize("share", [Epsilon.of(1), Rho.of("0.5")])
@pytest.mark.parametrize("setting", [FEW, MANY])
@pytest.mark.in_turn(2)
def test_margin_and_interval_of_a_standardised_rate_hold(
    setting: tuple[Numbers, Numbers], share: Share
) -> None:
    """The few: groups at the least exposure that is told from nothing, at extreme rates."""
    rates, exposed = setting
    members = {**BY_STANDARD, **({} if len(rates) == 18 else AGES)}
    plan = plan_of("standardised-rate", share, **members)
    how = standardised_of(plan.question, plan.parts[0])
    weights = np.array([*map(float, how.weights)])
    held = inside = said = with_chance = 0
    for events, drawn in releases(plan, rates, exposed):
        figure, ends = how.released(drawn, MISS), how.population(drawn, MISS)
        if figure is not None:
            said += 1
            exact_one = float(weights @ (events / exposed))
            held += abs(float(figure.value) - exact_one) <= float(figure.half_width)
        if ends is not None:
            with_chance += 1
            inside += float(ends[0]) <= float(weights @ rates) <= float(ends[1])
    assert min(said, with_chance) > RUNS / 4
    assert binom.cdf(held, said, 0.95) > 1e-4 < binom.cdf(inside, with_chance, 0.95)
    if len(rates) == 18:
        assert held < said, "a margin that never fails is wider than it says"


@pytest.mark.audit
@pytest.mark.parametrize("events_of_children", [0.3, 1.5, 4])
@pytest.mark.in_turn(3)
def test_few_events_of_a_weighty_group_are_in_the_interval(events_of_children: float) -> None:
    """Often it has no event at all, and then nothing of the chance of having some either."""
    exposed = np.array([3_000, 3e6, 3e6, 3e6])
    rates = np.array([events_of_children, 10, 10, 10]) / exposed
    plan = plan_of("standardised-rate", Epsilon.of(30), **BY_STANDARD, **AGES)
    how = standardised_of(plan.question, plan.parts[0])
    truth, inside, said = float(np.array([*map(float, how.weights)]) @ rates), 0, 0
    for _events, drawn in releases(plan, rates, exposed):
        ends = how.population(drawn, MISS)
        if ends is not None:
            said += 1
            inside += float(ends[0]) <= truth <= float(ends[1])
    assert said > RUNS / 2
    assert binom.cdf(inside, said, 0.95) > 1e-4


@pytest.mark.audit
@pytest.mark.parametrize("share", [Epsilon.of(1), Rho.of("0.5")])
@pytest.mark.in_turn(2)
def test_margin_and_interval_of_a_ratio_hold(share: Share) -> None:
    rates, exposed = FEW[0] / 60, FEW[1]
    plan = plan_of("standardised-ratio", share, **BY_REFERENCE, **AGES)
    how = ratio_of(plan.question, plan.parts[0])
    factors = np.array([*map(float, how.factors)])
    truth, held, inside, smaller = float(rates @ exposed / (factors @ exposed)), 0, 0, 0
    for events, drawn in releases(plan, rates, exposed):
        figure, ends = how.released(drawn, MISS), how.population(drawn, MISS)
        assert figure is not None
        assert ends is not None
        off = abs(float(figure.value) - float(events.sum() / (factors @ exposed)))
        held += off <= float(figure.half_width)
        smaller += off <= 0.7 * float(figure.half_width)
        inside += float(ends[0]) <= truth <= float(ends[1])
    assert binom.cdf(held, RUNS, 0.95) > 1e-4 < binom.cdf(inside, RUNS, 0.95)
    assert binom.cdf(smaller, RUNS, 0.95) < 1e-4, "a smaller one would not hold"


def test_the_planned_margin_is_that_of_the_release() -> None:
    plan = plan_of("standardised-rate", Epsilon.of(1), expected=18 * 700, **BY_STANDARD)
    rates, exposed = np.full(18, 0.2 / 60), np.full(18, 700 * 30.0)
    how = standardised_of(plan.question, plan.parts[0])
    drawn = cells_of(plan, (exact(plan, rates * exposed, exposed),))[0]
    figure = how.released(drawn, MISS)
    assert figure is not None
    assert plan.half_width is not None
    assert float(figure.half_width * 1_000 / plan.half_width) == pytest.approx(1, abs=0.02)


@pytest.mark.parametrize("mean", [None, "7.5"])
def test_an_age_group_needs_as_many_rows_as_it_says(mean: str | None) -> None:
    """Of the expected exposure: with one less in one of them there is no rate."""
    expected = None if mean is None else Decimal(mean)
    members = {**AGES, "expected_exposure": expected, "expected": 1_000}
    plan = plan_of("standardised-rate", Epsilon.of("0.1"), **BY_STANDARD, **members)
    how = standardised_of(plan.question, plan.parts[0])
    needed, events = StandardisedRates().rows_of_an_age(plan), np.full(4, 5.0)
    assert needed > 10
    for rows, is_there in ((needed, True), (needed - 1, False)):
        exposed = np.array([9e5, 9e5, 9e5, rows * float(mean or 30)])
        drawn = cells_of(plan, (exact(plan, events, exposed),))[0]
        assert (how.released(drawn, MISS) is not None) is is_there, rows


@pytest.mark.parametrize("statistic", ["standardised-rate", "standardised-ratio"])
def test_the_expected_exposure_moves_the_planned_margin_and_nothing_that_is_drawn(
    statistic: str,
) -> None:
    own = BY_STANDARD if statistic == "standardised-rate" else BY_REFERENCE
    share, members = Epsilon.of(1), {**own, **AGES}
    assumed = plan_of(statistic, share, **members)
    less = plan_of(statistic, share, expected_exposure=Decimal("7.5"), **members)
    assert assumed.half_width is not None and less.half_width is not None
    assert float(less.half_width / assumed.half_width) >= 3.9, "a fourth of the exposure"
    assert less.parts == assumed.parts
    method = METHODS[less.query.statistic]
    keys = {method.answer_key(plan.question, plan.parts) for plan in (assumed, less)}
    assert len(keys) == 1, "a stored answer is the same"


def test_a_group_of_no_weight_says_nothing_of_the_standardised_rate() -> None:
    """As rows without an age, however little they were exposed."""
    plan = plan_of("standardised-rate", **BY_STANDARD, **AGES)
    how = standardised_of(plan.question, plan.parts[0])
    noisy = (exact(plan, EVENTS, np.array([20_000, 30_000, 30_000, 0])),)
    (drawn,) = cells_of(plan, noisy)
    assert METHODS["standardised-rate"].figures_at(plan, noisy, 0, MISS) == (None,)
    weightless = replace(how, weights=(*how.weights[:3], how.weights[3] * 0))
    without = replace(how, weights=how.weights[:3])
    figure = weightless.released(drawn, MISS)
    assert figure is not None and figure == without.released(drawn[:3], MISS)
