# SPDX-License-Identifier: Apache-2.0
"""A Table 1 of 12 characteristics by 4 groups is more accurate than its figures asked one by one.

Each separate query has an equal share of the same total, and no figures are made consistent.
"""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest

from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.distributions import moments
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.reconcile import noise_sum
from dpdesk.privacy.reconcile.planned import planned
from dpdesk.privacy.statistics.base import drawn_sums, grid_of
from dpdesk.study.model.amount import Epsilon, Rho, Share
from dpdesk.study.model.baseline.declared import BaselineTable, Characteristic
from dpdesk.study.model.baseline.expansion import with_baseline_queries
from dpdesk.study.model.columns import CATEGORY, CategoryColumn, NumberColumn, Replace
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit

SIZES = (2, 2, 2, 3, 3, 4, 5, 6, 9)
NUMBERS = (("age", 110, "1"), ("hba1c", 15, "0.1"), ("stay", 60, "1"))
Margins = dict[tuple[str, str], tuple[int, Fraction]]
"""By query and figure: how many figures have which margin."""


def study_of(kind: type[Share]) -> Study:
    def category(name: str, size: int) -> CategoryColumn:
        values = tuple(f"{name}{place}" for place in range(size))
        return CategoryColumn(name, values, missing=CATEGORY, unknown=Replace(values[0]))

    ward = replace(category("ward", 4), missing=Replace("ward0"))
    categories = [category(f"c{place}", size) for place, size in enumerate(SIZES)]
    numbers = [NumberColumn(n, Decimal(0), Decimal(most), Decimal(s)) for n, most, s in NUMBERS]
    asked = (*(c.name for c in categories), *(n.name for n in numbers))
    rows = [Characteristic(name) for name in asked]
    rows[-1] = Characteristic("stay", "median")
    price, limit = {kind.measure: kind.of(1)}, {kind.measure: kind.of(9)}
    table = BaselineTable("table-1", ("ward",), tuple(rows), expected=1000, **price)
    return with_baseline_queries(
        Study(
            columns=(ward, *categories, *numbers),
            unit=Unit("id"),
            data=DataSource("stays.csv"),
            budget=Budget("registry", **limit),
            baseline_tables=(table,),
        )
    )


def together(study: Study) -> Iterator[tuple[tuple[str, str], tuple[int, Fraction]]]:
    """The margins of the table's figures before its release."""
    for plan in planned([compile_query(study, query) for query in study.queries]):
        name, component = plan.query.id, plan.query.component
        assert component is not None
        if component.figures == "moments":
            yield (name, "mean"), (len(plan.lines), _mean(plan))
            yield (name, "sd"), (len(plan.lines), plan.half_width or Fraction(0))
        elif component.figures == "quantiles":
            assert plan.bound is not None
            yield (name, "rank"), (len(plan.lines), plan.bound.distance)
        else:
            assert plan.errors is not None, "the table's counts add up"
            yield (name, "groups"), (len(plan.lines), plan.half_width or Fraction(0))
            overall = noise_sum.half_width(plan.errors.summed(plan.query.by[1:]))
            yield (name, "all"), (len(plan.lines) // 4, overall)


def _mean(plan: QueryPlan) -> Fraction:
    grid, rows = grid_of(plan), plan.query.expected or 0
    steps = moments.mean_before(drawn_sums(plan, plan.parts), rows)
    return steps * grid.quantum * grid.factor


def separately(study: Study, kind: type[Share]) -> Iterator[tuple[tuple[str, str], Fraction]]:
    asked = [one for query in study.queries for one in _asked(query)]
    share = kind(kind.of(1).units // len(asked))
    for key, query in asked:
        plan = compile_query(study, query.having(**{kind.measure: share}))
        margin = plan.half_width if plan.bound is None else plan.bound.distance
        assert margin is not None
        yield key, margin


def _asked(query: Query) -> Iterator[tuple[tuple[str, str], Query]]:
    """What a custodian would ask for the same figures."""
    figures = query.component.figures if query.component else ""
    if figures == "moments":
        yield (query.id, "mean"), query.having(statistic="mean")
        yield (query.id, "sd"), query
    elif figures == "quantiles":
        yield (query.id, "rank"), query
    else:
        yield (query.id, "groups"), query
        yield (query.id, "all"), replace(query, by=query.by[1:])


@pytest.mark.parametrize("kind", [Epsilon, Rho])
def test_the_mean_squared_margin_is_two_thirds_of_that_of_separate_queries(
    kind: type[Share],
) -> None:
    study = study_of(kind)
    own, others = dict(together(study)), dict(separately(study, kind))
    assert own.keys() == others.keys()
    figures = sum(many for many, _margin in own.values())
    ratios = (many * (margin / others[key]) ** 2 for key, (many, margin) in own.items())
    assert figures == 265
    assert float(sum(ratios)) / figures <= 1 / 1.5
