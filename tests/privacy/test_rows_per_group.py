# SPDX-License-Identifier: Apache-2.0
"""What a limit on a person's rows in one group does to noise, margin and stored answers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.rows_per_group import replaced, together
from dpdesk.study.model.amount import Rho
from dpdesk.study.model.columns import YesNoColumn
from dpdesk.study.model.queries import Query
from dpdesk.study.model.statistics import STATISTICS, Statistic
from dpdesk.study.model.unit import Budget, Unit
from tests.asking import exists, query_for, with_group_limit
from tests.privacy import examples as ex

IN_RHO = replace(ex.STUDY, budget=Budget("registry", rho=Rho.of(1)))
COUNT = Query("q", by=("ward",), rho=Rho.of("0.05"), noise="gaussian")


def plan_of(query: Query, unit: Unit = ex.PERSON) -> QueryPlan:
    return compile_query(replace(IN_RHO, unit=unit), query)


@pytest.mark.parametrize("unit", [ex.PERSON, ex.REPLACED])
def test_one_row_a_group_costs_the_root_of_three(unit: Unit) -> None:
    """Four wards and three rows: L2 falls from 3 to the root of 3; replaced, to the root of 4."""
    plain, limited = (plan_of(one, unit) for one in (COUNT, replace(COUNT, rows_per_group=1)))
    squared = 3 if unit is ex.PERSON else 4
    assert limited.parts[0].sensitivity == squared
    assert plain.half_width is not None
    assert limited.half_width is not None
    ratio = limited.parts[0].scale / plain.parts[0].scale
    assert ratio == pytest.approx((squared / plain.parts[0].sensitivity) ** 0.5, rel=1e-6)
    assert limited.half_width < Fraction(2, 3) * plain.half_width


def test_a_limit_is_another_question_and_so_is_each_limit() -> None:
    asked = [replace(COUNT, rows_per_group=most) for most in (None, 1, 2)]
    plans = [plan_of(query) for query in asked]
    assert len({plan.canonical for plan in plans}) == 3
    assert len({str(plan.question.comparable()) for plan in plans}) == 3
    assert [plan.parts[0].measure.rows_per_group for plan in plans] == [0, 1, 2]


@pytest.mark.parametrize("statistic", [s for s in STATISTICS if exists(s, ex.PERSON, "rho")])
def test_the_groups_of_a_limit_are_those_of_the_query_whatever_else_a_vector_has(
    statistic: Statistic,
) -> None:
    """Bins of a distribution, or groups to choose among, are none of them."""
    query = query_for(statistic, ex.STAY, by=("sex",), rho=Rho.of("0.05"), expected=500)
    query = with_group_limit(replace(query, where=()), ex.PERSON)
    if query.rows_per_group is None:
        said = {"count-people", "standardised-rate", "standardised-ratio"}
        assert not query.declaration.groups or statistic in said
        return
    wards = replace(IN_RHO, columns=(*IN_RHO.columns[:4], YesNoColumn("ok", ("yes",), ("no",))))
    for part in compile_query(replace(wards, queries=(query,)), query).parts:
        assert (part.measure.rows_per_group, part.measure.groupings) == (1, 1)
        assert part.measure.by[0] == "sex"


def test_without_a_limit_of_its_own_a_group_holds_all_rows_of_a_person() -> None:
    for k in (1, 2, 7):
        assert together(k, k, 5) == (k, k * k)
        assert replaced(k, k, 5, 3, 0) == (6 * k, 18 * k * k)
        assert replaced(k, k, 5, 3, 3) == (6 * k, 36 * k * k)
        assert replaced(k, k, 1, 3, 2) == (5 * k, 25 * k * k)
