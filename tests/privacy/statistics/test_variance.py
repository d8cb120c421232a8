# SPDX-License-Identifier: Apache-2.0
"""Population variance and standard deviation: sensitivity, margins, texts."""

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import opendp.prelude as dp
import pytest

import dpdesk.privacy.noise.door  # noqa: F401 - switches the constructors on, as in the program
from dpdesk.exact import Exact
from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.distributions.moments import IndexGrid
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.published_tables import Table, table
from dpdesk.study import limits
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import CLAMP, NumberColumn, Replace
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import NoiseChoice, Query
from dpdesk.study.model.unit import Budget, Neighbours, Unit
from tests.privacy import examples as ex
from tests.privacy.distributions.test_moments import DATA, exactly

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
    made: Table = table(study, plan, tuple((number,) for number in drawn))
    return dict(zip([column.name for column in made.columns], made.rows[0], strict=True))


@pytest.mark.threat("D2")
@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("cells", [1, 2])
@pytest.mark.parametrize("neighbours", ["add-remove", "change-one"])
@pytest.mark.parametrize("last", [1, 4, 5])
def test_the_worst_person_moves_each_draw_by_all_of_its_sensitivity_and_none_by_more(
    last: int, neighbours: Neighbours, cells: int, k: int
) -> None:
    column = replace(AGE, upper=Decimal(last))
    people = None if neighbours == "add-remove" else 9
    study = study_of(column, Unit("pid", k, neighbours, people))
    by = ("sex",) if cells == 2 else ()
    plan = plan_of(study, by=by)
    frame = IndexGrid(last)
    weights: dict[str, Callable[[int], int]] = {
        "squares": lambda i: exactly(frame, [i])[0],
        "sum": lambda i: exactly(frame, [i])[1],
        "rows": lambda _: 1,
    }
    rows = [None, *product(range(cells), range(last + 1))]
    persons = list(product(rows, repeat=k))
    for part in plan.parts:
        seen = {tuple(vector(person, cells, weights[part.name])) for person in persons}
        others = seen if neighbours == "change-one" else {(0,) * cells}
        moved = max(np.abs(np.subtract(a, b)).sum() for a in seen for b in others)
        assert part.sensitivity == moved, part.name


def vector(person: Any, cells: int, weight: Callable[[int], int]) -> list[int]:
    found = [0] * cells
    for row in person:
        if row is not None:
            found[row[0]] += weight(row[1])
    return found


@pytest.mark.parametrize("k", [1, 3, 50])
@pytest.mark.parametrize("last", [1, 13, 110, 131_073])
def test_opendp_says_the_same_of_sums_of_bounded_squares(last: int, k: int) -> None:
    """OpenDP sums clamped numbers; the squares are such numbers, within these bounds."""
    frame = IndexGrid(last)
    plan = plan_of(study_of(replace(AGE, upper=Decimal(last)), Unit("pid", k)))
    for part, bounds in zip(
        plan.parts,
        [(-frame.shift, frame.top - frame.shift), (-frame.centre, frame.reach), (1, 1)],
        strict=True,
    ):
        space = dp.vector_domain(dp.atom_domain(T="i64")), dp.symmetric_distance()
        clamp = dp.t.make_clamp(*space, bounds)
        made = clamp >> dp.t.make_sum(clamp.output_domain, clamp.output_metric)
        assert part.sensitivity == made.map(k)


@pytest.mark.threat("D2")
@pytest.mark.parametrize("share", [Epsilon(3), Epsilon(4), Epsilon(7), Epsilon.of(1), Rho(3)])
def test_the_parts_add_up_to_the_share_and_none_is_empty(share: Epsilon | Rho) -> None:
    is_rho = isinstance(share, Rho)
    plan = plan_of(study_of(rho=is_rho), **{"rho" if is_rho else "epsilon": share})
    units = [part.share.units for part in plan.parts]
    assert sum(units) == share.units
    assert min(units) >= 1
    assert all(Fraction(part.loss) <= part.share.as_fraction() for part in plan.parts)


def test_the_dearest_column_at_the_smallest_share_can_still_be_drawn() -> None:
    column = replace(AGE, lower=Decimal(1), upper=Decimal(limits.MAX_QUANTA))
    unit = Unit("pid", limits.MAX_ROWS_PER_PERSON, "change-one", 100)
    plan = plan_of(study_of(column, unit), by=("sex",), epsilon=Epsilon(3))
    assert [part.name for part in plan.parts] == ["squares", "sum", "rows"]


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
    assert [(part.name, part.sensitivity) for part in plan.parts] == [
        ("squares", 3025),
        ("sum", 110),
    ]
    assert [part.share for part in plan.parts] == [Epsilon.of("0.4"), Epsilon.of("0.6")]
    shown = printed(plan, study, 1_000 * (225 - 1512), 1_000 * -10)
    assert Decimal(shown["population_variance"]) == 125
    assert plan.half_width > Fraction(shown["half_width_95"]) > 0


def test_a_worked_variance() -> None:
    """2, 4, 4, 4, 5, 5, 7, 9 have mean 5, population variance 4 and standard deviation 2."""
    study = study_of(replace(AGE, upper=Decimal(10)))
    squares, total, n, variance = exactly(IndexGrid(10), [2, 4, 4, 4, 5, 5, 7, 9])
    assert variance == 4
    plan = plan_of(study, epsilon=Epsilon.of(50))
    shown = printed(plan, study, 1_000 * squares, 1_000 * total, 1_000 * n)
    assert Decimal(shown["population_variance"]) == 4
    plan = plan_of(study, "standard-deviation", epsilon=Epsilon.of(50))
    shown = printed(plan, study, 1_000 * squares, 1_000 * total, 1_000 * n)
    assert Decimal(shown["population_standard_deviation"]) == 2
    assert Decimal(shown["lowest_95"]) < 2 < Decimal(shown["highest_95"])


def test_the_unit_of_a_variance_is_squared() -> None:
    study = study_of(replace(AGE, label="mg/dl"))
    drawn = ((0,), (0,), (100,))
    made = table(study, plan_of(study), drawn)
    assert [c.unit for c in made.columns] == ["(mg/dl)²"] * 4 + [""] * 4
    made = table(study, plan_of(study, "standard-deviation"), drawn)
    assert [c.unit for c in made.columns] == ["mg/dl"] * 4 + [""] * 4
    assert table(study_of(), plan_of(study_of()), drawn).columns[0].unit == "years²"


@pytest.mark.parametrize("statistic", ["variance", "standard-deviation"])
def test_an_empty_group_says_nothing_but_what_was_drawn(statistic: Any) -> None:
    plan = plan_of(study_of(), statistic)
    assert list(printed(plan, study_of(), 40, -3, 0).values()) == [
        *[""] * 4, *["40", "-3", "0"], "yes"
    ]  # fmt: skip


@pytest.mark.parametrize("statistic", ["variance", "standard-deviation"])
@pytest.mark.parametrize("drawn", [(-(10**9), 0, 1), (10**9, 0, 1), (0, 10**6, 3), (5, 2, 9**9)])
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


def test_the_noise_door_and_the_table_give_a_known_variance() -> None:
    """Through OpenDP's own noise: fewer than 36 of 60 that hold have a chance below 10^-12."""
    frame, study = IndexGrid(110), study_of(unit=Unit("pid", 1))
    plan = plan_of(study)
    *exact, variance = exactly(frame, DATA["spread evenly"](110, 900))
    held = 0
    for _ in range(60):
        drawn = [
            OpenDPDoor().draw("q", Exact(np.array([number])), part.noise, part.sensitivity)[0]
            for part, number in zip(plan.parts, exact, strict=True)
        ]
        shown = printed(plan, study, *drawn)
        held += Fraction(shown["lowest_95"]) <= variance <= Fraction(shown["highest_95"])
    assert held >= 36
