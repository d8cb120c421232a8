# SPDX-License-Identifier: Apache-2.0
"""Accuracy at three confidences, of each figure and of all at once, for every statistic."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpdesk.privacy import compiler
from dpdesk.privacy.distributions import noise_distribution
from dpdesk.privacy.plan import Plan, QueryPlan
from dpdesk.privacy.planning.confidence_levels import ConfidenceLevels, levels, levels_of
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.columns import CategoryColumn, NumberColumn, Replace, YesNoColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.statistics import DECLARATIONS, STATISTICS, Statistic
from dpdesk.study.model.unit import Budget, DataSource, Unit
from tests.asking import exists, query_for

ZERO = Replace(Decimal(0))
STAY = NumberColumn("stay", Decimal(0), Decimal(60), Decimal(1), missing=ZERO, unparsable=ZERO)
ALONE = Unit(None, 1, "change-one", 900)
SEVERAL = Unit("pid", 3)
MEASURES = ["epsilon", "rho"]
ASKED = [
    (statistic, unit, measure)
    for statistic in STATISTICS
    for unit in (SEVERAL, ALONE)
    for measure in MEASURES
    if exists(statistic, unit, measure)
]


def study_of(unit: Unit, measure: str) -> Study:
    limits: dict[str, Any] = {measure: (Rho if measure == "rho" else Epsilon).of(50)}
    return Study(
        title="Levels",
        data=DataSource("stays.csv"),
        unit=unit,
        budget=Budget("wards", **limits),
        columns=(
            STAY,
            CategoryColumn("ward", ("A", "B", "C")),
            CategoryColumn("sex", ("F", "M")),
            YesNoColumn("ok", ("yes",), ("no",)),
        ),
    )


def plan_of(statistic: Statistic, unit: Unit, measure: str, **more: Any) -> QueryPlan:
    share = Rho.of("0.05") if measure == "rho" else Epsilon.of("0.6")
    shares: dict[str, Any] = {measure: share, "expected": 800}
    query = query_for(statistic, STAY, **{**shares, **more})
    return compiler.compile_query(study_of(unit, measure), query)


def found_of(plan: QueryPlan) -> ConfidenceLevels:
    found = levels_of(plan)
    assert found is not None
    return found


@pytest.mark.parametrize(("statistic", "unit", "measure"), ASKED)
@pytest.mark.in_turn(8)
def test_95_of_100_is_what_the_plan_says(statistic: Statistic, unit: Unit, measure: str) -> None:
    plan = plan_of(statistic, unit, measure)
    found = found_of(plan)
    assert found.in_100 == (90, 95, 99)
    assert found.each[1] == plan.accuracy
    assert (found.what == "unit") == (plan.bound is None)


@pytest.mark.parametrize(("statistic", "unit", "measure"), ASKED)
@pytest.mark.in_turn(8)
def test_more_confidence_and_more_figures_take_more_room(
    statistic: Statistic, unit: Unit, measure: str
) -> None:
    by = ("ward", "sex")[: min(2, DECLARATIONS[statistic].groups)]
    if statistic == "most-common":
        by = ("ward",)
    found = found_of(plan_of(statistic, unit, measure, by=by))
    assert list(found.each) == sorted(found.each)
    assert list(found.at_once) == sorted(found.at_once)
    for each, at_once in zip(found.each, found.at_once, strict=False):
        assert each <= at_once


def test_one_figure_holds_at_once_as_it_holds_by_itself() -> None:
    for statistic in ("count", "sum", "mean", "variance", "share", "median"):
        found = found_of(plan_of(statistic, SEVERAL, "epsilon"))
        assert found.claims == 1
        assert found.each == found.at_once


def test_the_number_of_found_categories_is_not_known_before() -> None:
    found = found_of(plan_of("categories-found", SEVERAL, "rho"))
    assert (found.claims, found.at_once) == (0, ())


@pytest.mark.parametrize("statistic", ["mean", "variance", "standard-deviation", "share"])
def test_a_ratio_without_an_expected_size_has_no_levels(statistic: Statistic) -> None:
    plan = plan_of(statistic, SEVERAL, "epsilon", expected=None)
    assert levels_of(plan) is None
    study = replace(study_of(SEVERAL, "epsilon"), queries=(plan.query, Query("rows")))
    counted = compiler.compile_query(study, Query("rows", epsilon=Epsilon.of(1)))
    assert [one.id for one in levels(Plan(study, (plan, counted), Epsilon.of(2)))] == ["rows"]


@pytest.mark.parametrize("measure", MEASURES)
def test_six_counts_hold_at_once_by_the_product_of_their_chances(measure: str) -> None:
    plan = plan_of("count", SEVERAL, measure, by=("ward", "sex"))
    found, noise = found_of(plan), plan.parts[0].noise
    assert found.claims == 6
    for width, miss in zip(found.at_once, (0.1, 0.05, 0.01), strict=True):
        held = (1 - noise_distribution.tail(int(width), noise)) ** 6
        fewer = (1 - noise_distribution.tail(int(width) - 1, noise)) ** 6
        assert fewer < 1 - miss <= held


def test_six_means_lie_within_at_once_as_often_as_promised() -> None:
    """Of 20,000 releases; an honest margin fails this with a chance below 10^-9."""
    plan = plan_of("mean", SEVERAL, "epsilon", by=("ward", "sex"))
    found, rng, releases, n = found_of(plan), np.random.default_rng(2), 20_000, 800
    p = -np.expm1(-1 / plan.parts[0].scale)
    # For the worst mean, a bound: there one of both sums has all of the noise. The margin is for
    # the noisy count that was expected; a smaller one is said after the release.
    off = np.abs(rng.geometric(p, (releases, 6)) - rng.geometric(p, (releases, 6))) / n
    for width, miss in zip(found.at_once, (0.1, 0.05, 0.01), strict=True):
        missed = float((off.max(axis=1) > float(width)).mean())
        assert missed <= miss + 6.1 * (miss * (1 - miss) / releases) ** 0.5
        assert missed >= 0.8 * miss


def test_every_choice_of_two_quartiles_in_three_groups_counts_once() -> None:
    assert found_of(plan_of("interquartile-range", SEVERAL, "epsilon", by=("ward",))).claims == 6
    assert found_of(plan_of("most-common", SEVERAL, "epsilon", by=("sex",))).claims == 2


def test_a_public_number_of_rows_needs_no_expected_one() -> None:
    found = found_of(plan_of("variance", ALONE, "epsilon", expected=None))
    assert Fraction(0) < found.each[0] < found.each[2] < 900
