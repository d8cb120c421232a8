# SPDX-License-Identifier: Apache-2.0
"""Population variance and standard deviation: sensitivity, margins, texts."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from dpdesk.exact import Exact
from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.published_tables import Table, table
from dpdesk.privacy.statistics import METHODS
from dpdesk.privacy.statistics.variance import mean_before, mean_beside
from dpdesk.study import limits
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import CLAMP, NumberColumn, Replace
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import NoiseChoice, Query
from dpdesk.study.model.unit import Budget, Unit
from tests.privacy import examples as ex

AGE = NumberColumn("age", Decimal(0), Decimal(110), Decimal(1), label="years")


def study_of(column: NumberColumn = AGE, unit: Unit = ex.PERSON, rho: bool = False) -> Study:
    budget = Budget("registry", rho=Rho.of(50)) if rho else Budget("registry", Epsilon.of(50))
    return replace(ex.STUDY, columns=(column, ex.SEX), unit=unit, budget=budget, queries=())


def plan_of(study: Study, statistic: Any = "variance", **members: Any) -> QueryPlan:
    usual: dict[str, Any] = {"rho" if "rho" in members else "epsilon": Epsilon.of(1)}
    return compile_query(
        study, Query("q").having(statistic=statistic, column="age", **{**usual, **members})
    )


def printed(plan: QueryPlan, study: Study, *drawn: int) -> dict[str, str]:
    made: Table = table(study, plan, (drawn,))
    return dict(zip([column.name for column in made.columns], made.rows[0], strict=True))


@pytest.mark.threat("D2")
@pytest.mark.parametrize("share", [Epsilon(1), Epsilon(7), Epsilon.of(1), Rho(3)])
def test_one_draw_has_all_of_the_share(share: Epsilon | Rho) -> None:
    is_rho = isinstance(share, Rho)
    plan = plan_of(study_of(rho=is_rho), **{"rho" if is_rho else "epsilon": share})
    (part,) = plan.parts
    assert part.share == share
    assert Fraction(part.loss) <= share.as_fraction()


def test_the_dearest_column_at_the_smallest_share_can_still_be_drawn() -> None:
    column = replace(AGE, lower=Decimal(1), upper=Decimal(limits.MAX_QUANTA))
    unit = Unit("pid", limits.MAX_ROWS_PER_PERSON, "change-one", 100)
    plan = plan_of(study_of(column, unit), by=("sex",), epsilon=Epsilon(1))
    assert [(part.name, part.cells) for part in plan.parts] == [("sums", 6)]


@pytest.mark.parametrize("noise", ["auto", "laplace", "gaussian"])
def test_all_noises_of_a_zcdp_account_are_of_one_kind(noise: NoiseChoice) -> None:
    plan = plan_of(study_of(rho=True), rho=Rho.of("0.01"), noise=noise, expected=500)
    kinds = {part.noise.mechanism for part in plan.parts}
    assert kinds == {"laplace" if noise == "laplace" else "gaussian"}
    assert plan.half_width is not None


def test_gaussian_is_the_more_accurate_one_of_the_two() -> None:
    study = study_of(rho=True)
    both = [plan_of(study, rho=Rho.of("0.01"), noise=n, expected=9_000) for n in NOISES]
    assert both[0].half_width == both[1].half_width < both[2].half_width


NOISES: list[NoiseChoice] = ["auto", "gaussian", "laplace"]


def test_with_a_public_number_of_rows_two_numbers_are_drawn() -> None:
    column = replace(
        AGE, missing=Replace(Decimal(50)), unparsable=Replace(Decimal(50)), outside=CLAMP
    )
    study = study_of(column, Unit(None, 1, "change-one", 1_000))
    plan = plan_of(study)
    ((part, share),) = [(part, part.share) for part in plan.parts]
    assert (part.name, part.cells, part.sensitivity, share) == ("sums", 2, 24_200, Epsilon.of(1))
    # 1,000 rows of 30 and 60, half each: i (4 i - 330) and (110 - i) (110 - 4 i) of every row.
    shown = printed(plan, study, *(500 * (one(30) + one(60)) for one in PUBLIC_SUMS))
    assert Decimal(shown["population_variance"]) == 225
    assert plan.half_width > Fraction(shown["half_width_95"]) > 0
    assert "noisy_rows" not in shown


PUBLIC_SUMS: tuple[Callable[[int], int], ...] = (
    lambda i: i * (4 * i - 330),
    lambda i: (110 - i) * (110 - 4 * i),
)


def test_a_worked_variance() -> None:
    """2, 4, 4, 4, 5, 5, 7, 9 have mean 5, population variance 4 and standard deviation 2."""
    study = study_of(replace(AGE, upper=Decimal(10)))
    plan = plan_of(study, epsilon=Epsilon.of(50))
    drawn = [1_000 * one for one in exact_sums(plan, [2, 4, 4, 4, 5, 5, 7, 9])]
    shown = printed(plan, study, *drawn)
    assert Decimal(shown["population_variance"]) == 4
    assert shown["noisy_rows"] == "8000"
    plan = plan_of(study, "standard-deviation", epsilon=Epsilon.of(50))
    shown = printed(plan, study, *drawn)
    assert Decimal(shown["population_standard_deviation"]) == 2
    assert Decimal(shown["lowest_95"]) < 2 < Decimal(shown["highest_95"])


def exact_sums(plan: QueryPlan, indices: list[int]) -> list[int]:
    """The sums of i^2, 2 i (m - i) and (m - i)^2."""
    m = plan.parts[0].measure.last
    rows = ((i * i, 2 * i * (m - i), (m - i) ** 2) for i in indices)
    return list(map(sum, zip(*rows, strict=True)))


def test_the_unit_of_a_variance_is_squared() -> None:
    study = study_of(replace(AGE, label="mg/dl"))
    drawn = ((0, 0, 100),)
    made = table(study, plan_of(study), drawn)
    assert [c.unit for c in made.columns] == ["(mg/dl)²"] * 4 + [""] * 5
    made = table(study, plan_of(study, "standard-deviation"), drawn)
    assert [c.unit for c in made.columns] == ["mg/dl"] * 4 + [""] * 5
    assert table(study_of(), plan_of(study_of()), drawn).columns[0].unit == "years²"


@pytest.mark.parametrize("statistic", ["variance", "standard-deviation"])
def test_an_empty_group_says_nothing_but_what_was_drawn(statistic: Any) -> None:
    plan = plan_of(study_of(), statistic)
    assert list(printed(plan, study_of(), 40, -3, -37).values()) == [
        *[""] * 4, *["0", "40", "-3", "-37"], "yes"
    ]  # fmt: skip
    assert mean_beside(plan, (40, -3, -37)) is None


@pytest.mark.parametrize("statistic", ["variance", "standard-deviation"])
@pytest.mark.parametrize(
    "drawn",
    [(-(10**9), 0, 2 * 10**9), (10**9, 0, 10**9), (0, 10**6, 3), (5, 2, 9**9), (0, 0, 12_100)],
)
def test_wild_draws_stay_between_nothing_and_half_of_the_range(
    statistic: Any, drawn: tuple[int, int, int]
) -> None:
    plan = plan_of(study_of(), statistic)
    texts = list(printed(plan, study_of(), *drawn).values())[:4]
    value, margin, low, high = map(Decimal, texts)
    most = 3025 if statistic == "variance" else 55
    assert 0 <= low <= value <= high <= most
    assert value - low <= margin >= high - value
    assert margin <= most


@pytest.mark.parametrize("statistic", ["variance", "standard-deviation"])
def test_the_margin_before_the_release_needs_an_expected_size(statistic: Any) -> None:
    assert plan_of(study_of(), statistic).half_width is None
    margins = [plan_of(study_of(), statistic, expected=n).half_width for n in (10, 10**3, 10**6)]
    assert margins == sorted(margins, reverse=True)
    assert margins[0] == (3025 if statistic == "variance" else 55)
    assert 0 < margins[2] < 3


def test_the_margin_of_a_deviation_is_the_root_of_that_of_the_variance() -> None:
    variance = plan_of(study_of(), expected=5_000).half_width
    deviation = plan_of(study_of(), "standard-deviation", expected=5_000).half_width
    assert 0 <= deviation**2 - variance < variance / 10**9


@pytest.mark.parametrize("deviation", [Decimal(6), Decimal(30), Decimal(55)])
def test_the_margin_at_an_expected_deviation_is_the_one_there(deviation: Decimal) -> None:
    """Of 400 releases at it; a quarter of the margin would not do. Nothing else depends on it."""
    study = study_of(unit=Unit("pid", 1))
    half, times, wanted = int(deviation), 400, {"expected": 2_000, "expected_deviation": deviation}
    plan = plan_of(study, "standard-deviation", epsilon=Epsilon.of("0.5"), **wanted)
    other = plan_of(study, "standard-deviation", epsilon=Epsilon.of("0.5"), expected=2_000)
    assert plan.half_width < other.half_width
    assert (plan.parts, plan.canonical) == (other.parts, other.canonical)
    (part,) = plan.parts
    exact = np.array(exact_sums(plan, [0, 2 * half] * 1_000))
    noisy = OpenDPDoor().draw(part.name, Exact(np.tile(exact, times)), part.noise, part.sensitivity)
    drawn = [tuple(noisy[3 * i : 3 * i + 3]) for i in range(times)]
    found = [METHODS["standard-deviation"].figures_at(plan, (one,), 0, 0.05)[0] for one in drawn]
    off = [abs(float(one.value) - half) for one in found if one is not None]
    most, margin = binom.isf(1e-9, times, 0.05), float(plan.half_width)
    assert sum(one > margin for one in off) <= most < sum(4 * one > margin for one in off)


def test_the_noise_door_and_the_table_give_a_known_variance() -> None:
    """Through OpenDP's own noise: fewer than 36 of 60 that hold have a chance below 10^-12."""
    study, ages = study_of(unit=Unit("pid", 1)), [i * 110 // 899 for i in range(900)]
    plan = plan_of(study)
    (part,), exact = plan.parts, np.array(exact_sums(plan, ages))
    variance, held = np.var(ages), 0
    for _ in range(60):
        drawn = OpenDPDoor().draw("q", Exact(exact), part.noise, part.sensitivity)
        shown = printed(plan, study, *drawn)
        held += float(shown["lowest_95"]) <= variance <= float(shown["highest_95"])
    assert held >= 36


@pytest.mark.parametrize(
    "unit", [ex.PERSON, Unit("pid", 1, "change-one", 300)], ids=["secret", "n"]
)
@pytest.mark.parametrize("rho", [False, True])
@pytest.mark.parametrize("age", [3, 55])
def test_the_mean_beside_a_variance_lies_within_its_margin(unit: Unit, rho: bool, age: int) -> None:
    share = {"rho": Rho.of("0.02")} if rho else {"epsilon": Epsilon.of("0.2")}
    is_public = unit.people is not None
    column = replace(AGE, missing=Replace(age), unparsable=Replace(age)) if is_public else AGE
    plan = plan_of(study_of(column, unit, rho), "standard-deviation", **share)
    (part,) = plan.parts
    assert (plan.public_rows is not None) == is_public
    rows, times = 300, 400
    sums = _exact_sums(plan, [age] * (rows - 30) + [110] * 30)
    exact = Exact(np.tile(np.array(sums), times))
    noisy = OpenDPDoor().draw(part.name, exact, part.noise, part.sensitivity)
    drawn = np.array(noisy).reshape(times, -1).tolist()
    true = Fraction(age * (rows - 30) + 110 * 30, rows)
    figures = [mean_beside(plan, tuple(one)) for one in drawn]
    assert None not in figures
    off = [(abs(one.value - true), one.half_width) for one in figures if one]
    most = binom.isf(1e-9, times, 0.05)
    assert sum(far > margin for far, margin in off) <= most
    assert sum(3 * far > margin for far, margin in off) > most, "a third of it would not do"
    before = mean_before(replace(plan, query=replace(plan.query, expected=rows)))
    assert before is not None and sum(far > before for far, _margin in off) <= most
    assert before < 3 * max(margin for _far, margin in off)


def _exact_sums(plan: QueryPlan, ages: list[int]) -> list[int]:
    """What one cell's rows add up to, as it is drawn."""
    (part,) = plan.parts
    last, fine = part.measure.last, part.measure.fineness
    squares = [age * (last - age) * fine // last for age in ages]
    return [
        of_rows * len(ages) + of_index * sum(ages) + of_product * sum(squares)
        for of_rows, of_index, of_product in part.measure.weights
    ]
