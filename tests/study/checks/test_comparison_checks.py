# SPDX-License-Identifier: Apache-2.0
"""A comparison of groups is refused where its figures or its groups do not allow it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any, NamedTuple

import pytest

from dpdesk.study.checks.by_statistic.comparison_checks import kinds_of
from dpdesk.study.checks.study_checks import check
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.json.study_writer import study_to_bytes
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import (
    CategoryColumn,
    DateColumn,
    NumberColumn,
    Replace,
    YesNoColumn,
)
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Bins, Periods
from dpdesk.study.model.queries import GroupComparison, Query
from dpdesk.study.model.unit import Budget, DataSource, Unit

WITH_F = GroupComparison("sex", "groups", "f")
AGES, YEARS = Bins("age", (Decimal(18), Decimal(65))), Periods("day", "year")
COUNT = Query("q", by=("sex", AGES), epsilon=Epsilon.of("0.1"), comparisons=(WITH_F,))
SHARE = COUNT.having(statistic="share", has=(IsIn("dead", ("1",)),))
RATE = SHARE.having(statistic="rate", column="age", per=1000)
GOOD = Study(
    data=DataSource("stays.csv", extract="made up"),
    unit=Unit(),
    budget=Budget("registry", Epsilon.of("1")),
    columns=(
        CategoryColumn("sex", ("f", "m")),
        CategoryColumn("many", tuple(f"v{n}" for n in range(300))),
        CategoryColumn("one", ("only",), missing="drop", unknown="drop"),
        YesNoColumn("dead", ("1",), ("0",)),
        NumberColumn("age", Decimal(0), Decimal(100), Decimal(1)),
        DateColumn("day", date(2020, 1, 1), date(2023, 12, 31)),
    ),
    queries=(COUNT,),
)


class Case(NamedTuple):
    """How the study is spoilt, and the problem that follows."""

    spoil: Callable[[Study], Study]
    path: str
    code: str


def of(query: Query, **members: Any) -> Callable[[Study], Study]:
    return lambda study: replace(study, queries=(replace(query, **members),))


def compared(*comparisons: GroupComparison) -> Callable[[Study], Study]:
    return of(COUNT, comparisons=comparisons)


def in_public_number(study: Study) -> Study:
    public = Unit(neighbours="change-one", people=500, max_rows=1)
    rest = Replace("f")
    kept = CategoryColumn("sex", ("f", "m"), missing=rest, unknown=rest)
    return replace(study, unit=public, columns=(kept,), queries=(replace(COUNT, by=("sex",)),))


QUERY = "$.queries[0].comparisons"
CASES = (
    Case(of(COUNT.having(statistic="median", column="age")), QUERY, "comparison-not-known"),
    Case(of(COUNT, by=()), QUERY, "comparison-without-groups"),
    Case(lambda s: replace(s, unit=Unit("id", 3)), QUERY, "comparison-several-rows"),
    Case(of(COUNT.having(statistic="mean", column="age")), QUERY, "population-no-variance"),
    Case(of(COUNT, by=("sex", "many")), QUERY, "population-cells"),
    Case(compared(replace(WITH_F, by="dead")), f"{QUERY}[0].by", "comparison-not-a-group"),
    Case(compared(WITH_F, WITH_F), f"{QUERY}[1]", "comparison-twice"),
    Case(compared(GroupComparison("sex")), f"{QUERY}[0].reference", "comparison-reference-wanted"),
    Case(
        compared(replace(WITH_F, reference="x")),
        f"{QUERY}[0].reference",
        "comparison-reference-unknown",
    ),
    Case(
        compared(GroupComparison("age", "trend", "f")),
        f"{QUERY}[0].reference",
        "comparison-reference-not-wanted",
    ),
    Case(compared(replace(WITH_F, kind="model")), f"{QUERY}[0].kind", "comparison-model-of-what"),
    Case(
        of(SHARE, by=("many",), comparisons=(GroupComparison("many", "model", "v0"),)),
        f"{QUERY}[0].kind",
        "comparison-model-too-large",
    ),
    Case(of(RATE, comparisons=(WITH_F,)), f"{QUERY}[0].kind", "comparison-not-known"),
    Case(
        of(SHARE, comparisons=(GroupComparison("sex", "model"),)),
        f"{QUERY}[0].reference",
        "comparison-reference-wanted",
    ),
    Case(compared(GroupComparison("sex", "trend")), f"{QUERY}[0].kind", "comparison-trend-of-what"),
    Case(
        of(COUNT, by=("sex",), comparisons=(GroupComparison("sex", "test"),)),
        f"{QUERY}[0].kind",
        "comparison-test-of-what",
    ),
    Case(
        of(COUNT, by=("one",), comparisons=(GroupComparison("one", "groups", "only"),)),
        f"{QUERY}[0].kind",
        "comparison-one-group",
    ),
    Case(in_public_number, QUERY, "comparison-public-total"),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.code)
def test_it_is_refused_at_its_place(case: Case) -> None:
    found = {(one.path, one.code) for one in check(case.spoil(GOOD))}
    assert (case.path, case.code) in found


def test_what_is_sound_is_kept_by_its_file() -> None:
    more = (WITH_F, GroupComparison("age", "trend"), GroupComparison("sex", "test"))
    crossed = replace(COUNT, comparisons=more)
    modelled = (GroupComparison("sex", "model", "f"), GroupComparison("age", "model", "0 to 17"))
    share = replace(SHARE, id="share", comparisons=(*more, *modelled))
    rate = replace(RATE, id="rate", comparisons=modelled)
    years = replace(COUNT, id="years", by=(YEARS,), comparisons=(GroupComparison("day", "trend"),))
    study = replace(GOOD, queries=(crossed, share, rate, years))
    assert check(study) == ()
    assert study_from_bytes(study_to_bytes(study)) == study


def test_only_what_fits_a_grouping_is_offered() -> None:
    assert kinds_of(GOOD, COUNT, AGES) == ("groups", "trend", "test")
    assert kinds_of(GOOD, COUNT, "sex") == ("groups", "test")
    every = ("groups", "model", "trend", "test")
    assert kinds_of(GOOD, replace(SHARE, by=(YEARS,)), YEARS) == every
    assert kinds_of(GOOD, RATE, AGES) == ("model",)
    assert kinds_of(GOOD, RATE, "one") == ()
    weekdays = Periods("day", "weekday")
    assert kinds_of(GOOD, replace(COUNT, by=(weekdays,)), weekdays) == ("groups",)
