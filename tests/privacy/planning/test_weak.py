# SPDX-License-Identifier: Apache-2.0
"""What is weak in a plan is named before anything is spent, with the one change that helps."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings

from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.planning.remedies import _round_shares
from dpdesk.privacy.planning.weak import (
    Weakness,
    guessed_size,
    rows_of_an_age,
    takes_guess,
    weaknesses,
)
from dpdesk.privacy.reconcile.planned import planned
from dpdesk.privacy.statistics import METHODS
from dpdesk.privacy.statistics.rates.rate import assumed_rate, planned_rate
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.baseline.declared import BaselineTable
from dpdesk.study.model.baseline.expansion import with_baseline_queries
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
from dpdesk.study.model.parameters import (
    CandidateParameters,
    ColumnParameters,
    PropertyParameters,
    QuantileParameters,
    RateParameters,
    StandardParameters,
    TimeToEventParameters,
)
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit
from dpdesk.study.text.unit_names import POINTS
from dpdesk.texts.weaknesses import REST
from tests.strategies import studies
from tests.study.baselines import BASELINE, TABLE

COST = NumberColumn("cost", Decimal(0), Decimal(45_000), Decimal(1), label="EUR")
STAY = NumberColumn("los_days", Decimal(0), Decimal(7305), Decimal(1), label="days")
AGE = NumberColumn("age", Decimal(0), Decimal(100), Decimal(1), label="years")
WARD = CategoryColumn("ward", tuple(f"w{i}" for i in range(38)))
KIND = CategoryColumn("kind", ("planned", "urgent", "birth"), title="Kind of admission")
SEX = CategoryColumn("sex", ("Female", "Male"))
TENTH = Epsilon.of("0.1")
STUDY = Study(
    title="Stays",
    data=DataSource("stays.csv"),
    unit=Unit("patient", max_rows=2),
    budget=Budget("registry", Epsilon.of("1")),
    columns=(COST, STAY, AGE, WARD, KIND, SEX),
)
MEAN = Query("cost", "mean", ColumnParameters("cost"), by=("ward",), epsilon=TENTH, expected=40)


def weak(*queries: Query, spare: Epsilon | None = None, study: Study = STUDY) -> list[Weakness]:
    study = replace(study, queries=queries)
    plans = {query.id: compile_query(study, query) for query in queries}
    return list(weaknesses(study, plans, spare))


def codes(*queries: Query, **more: Any) -> list[tuple[str, str]]:
    return [(found.code, found.remedy.code) for found in weak(*queries, **more)]


def after(found: Weakness) -> tuple[Query, Fraction]:
    """The query as the remedy leaves it, and its margin compiled anew."""
    assert found.remedy.study is not None
    query = found.remedy.study.queries[0]
    margin = compile_query(found.remedy.study, query).accuracy
    assert margin is not None
    return query, margin


def test_a_plan_that_says_something_has_no_weakness() -> None:
    assert weak(replace(MEAN, by=(), expected=5_000), Query("n", epsilon=TENTH)) == []


def test_a_margin_as_wide_as_the_range_is_helped_by_a_coarser_column() -> None:
    (found,) = weak(MEAN)
    assert (found.code, found.remedy.code) == ("whole-range", "other-groups")
    assert found.remedy.names == {"name": "Kind of admission"}
    query, margin = after(found)
    assert query.by == ("kind",)
    assert query.expected == 40 * 38 // 3
    assert found.remedy.margin == margin < 22_500
    assert found.numbers == {"lowest": 0, "highest": 45_000}


def test_of_two_groupings_the_one_that_keeps_most_groups_is_tried_first() -> None:
    (found,) = weak(replace(MEAN, by=("ward", "sex"), expected=40))
    assert (found.remedy.code, found.remedy.names["name"]) == ("fewer-groups", "ward")
    assert after(found)[0].by == ("sex",)
    (found,) = weak(replace(MEAN, by=("kind", "sex"), expected=60))
    assert found.remedy.names["name"] == "sex"


def test_half_of_the_range_is_weak_as_well() -> None:
    for size in range(100, 1000, 25):
        query = replace(MEAN, expected=size)
        margin = compile_query(replace(STUDY, queries=(query,)), query).half_width
        assert margin is not None
        wanted = "whole-range" if margin >= 45_000 else "half-range" if margin >= 22_500 else None
        assert [f.code for f in weak(query)] == ([wanted] if wanted else [])


def test_neighbouring_bins_and_periods_are_joined() -> None:
    bare = replace(STUDY, columns=(COST, AGE))
    edges = tuple(Decimal(edge) for edge in range(5, 100, 5))
    query = replace(MEAN, by=(Bins("age", edges),), expected=76)
    (found,) = weak(query, study=bare)
    assert found.remedy.code == "join"
    joined, margin = after(found)
    (bins,) = joined.by
    assert isinstance(bins, Bins)
    assert set(bins.edges) < set(edges)
    assert margin < 22_500
    day = DateColumn("day", first=_day(2024, 1), last=_day(2024, 12))
    dated = replace(STUDY, columns=(COST, day))
    (found,) = weak(replace(MEAN, by=(Periods("day", "month"),), expected=76), study=dated)
    assert (found.remedy.code, after(found)[0].by) == ("join", (Periods("day", "quarter"),))


def _day(year: int, month: int) -> Any:
    from datetime import date

    return date(year, month, 28)


def test_bounds_far_beyond_the_typical_ones_are_narrowed() -> None:
    query = Query("stay", "mean", ColumnParameters("los_days"), epsilon=TENTH, expected=1000)
    (found,) = weak(query)
    assert (found.code, found.remedy.code) == ("wide-bounds", "narrower")
    assert found.numbers["typical_highest"] == 45
    assert found.remedy.study is not None
    column = found.remedy.study.column("los_days")
    assert isinstance(column, NumberColumn)
    assert (column.lower, column.upper) == (0, 45)
    assert "BMC" in column.basis
    before = compile_query(replace(STUDY, queries=(query,)), query).half_width
    assert before is not None and found.remedy.margin is not None
    assert found.remedy.margin < before / 100
    assert (
        codes(
            Query("n", "median", CandidateParameters("los_days", candidates=_two()), epsilon=TENTH)
        )
        == []
    )


@pytest.mark.parametrize("lower", [Decimal(1), Decimal(-5_000)])
def test_typical_bounds_beyond_the_declared_ones_narrow_nothing(lower: Decimal) -> None:
    """0 to 45 days lie within -5000 to 7305, and not within 1 to 7305."""
    column = replace(STAY, lower=lower)
    query = Query("stay", "mean", ColumnParameters("los_days"), epsilon=TENTH, expected=9_000)
    found = codes(query, study=replace(STUDY, columns=(column,)))
    assert found == ([] if lower > 0 else [("wide-bounds", "narrower")])


def test_bounds_are_not_narrowed_below_a_value_that_another_query_names() -> None:
    query = Query("stay", "mean", ColumnParameters("los_days"), epsilon=TENTH, expected=9_000)
    long = Query("long", by=(Bins("los_days", (Decimal(100),)),), epsilon=TENTH, expected=4_000)
    short = replace(long, by=(Bins("los_days", (Decimal(20),)),))
    assert codes(query, short) == [("wide-bounds", "narrower")]
    assert codes(query, long) == []
    assert codes(replace(query, by=long.by)) == []


@pytest.mark.parametrize("statistic", ["mean", "variance", "standard-deviation", "sum"])
@pytest.mark.parametrize("unit", [Unit("p", 2), Unit("p", 2, "change-one", people=70)])
def test_narrower_bounds_are_as_full_of_noise_as_wide_ones(statistic: Any, unit: Unit) -> None:
    """So they are no help for a margin as wide as what is possible, only for its length."""
    query = Query("q", "mean", ColumnParameters("los_days"), epsilon=TENTH, expected=400)
    study, parts = replace(STUDY, unit=unit), []
    for upper in (7305, 1000, 45):
        narrow = replace(study, columns=(replace(STAY, upper=Decimal(upper)),))
        plan = compile_query(narrow, query.having(statistic=statistic))
        possible = METHODS[statistic].possible(plan)
        assert possible is not None and plan.half_width is not None
        whole = possible.width if statistic != "sum" else METHODS["sum"].row_adds(plan)
        parts.append(float(plan.half_width / (whole or 1)))
    assert parts == pytest.approx([parts[0]] * 3, rel=0.05)


def test_a_column_that_is_not_complete_is_no_help() -> None:
    """Of kinds of admission one stands twice: the query would not compile by them."""
    broken = replace(KIND, values=("planned", "urgent", "urgent"))
    columns = (COST, WARD, broken, CategoryColumn("four", ("a", "b", "c", "d")))
    (found,) = weak(replace(MEAN, expected=45), study=replace(STUDY, columns=columns))
    assert after(found)[0].by == ("four",)
    (found,) = weak(replace(MEAN, expected=45), study=replace(STUDY, columns=columns[:3]))
    assert found.remedy.code == "no-groups"


def test_a_query_that_is_not_complete_is_not_judged() -> None:
    study = replace(STUDY, queries=(replace(MEAN, epsilon=None), replace(MEAN, id="b")))
    plans = {"b": compile_query(study, study.queries[1])}
    assert [found.query for found in weaknesses(study, plans)] == ["b"]


def test_a_share_is_stated_in_points_of_100() -> None:
    has = PropertyParameters(has=(IsIn("sex", ("Male",)),))
    (found,) = weak(Query("q", "share", has, epsilon=TENTH, expected=50))
    assert (found.code, found.unit, found.percent_factor) == ("whole-range", POINTS, 100)
    (found,) = weak(replace(MEAN, by=()))
    assert (found.unit, found.percent_factor) == ("EUR", 1)


def test_a_ratio_takes_a_guess_unless_the_number_of_rows_is_public() -> None:
    zero = Replace(Decimal(0))
    sure = replace(COST, missing=zero, unparsable=zero)
    for unit, takes in ((Unit(), True), (Unit(None, 1, "change-one", people=900), False)):
        study = replace(STUDY, unit=unit, columns=(sure,))
        assert takes_guess(compile_query(study, replace(MEAN, by=(), expected=None))) == takes


def _two() -> tuple[Decimal, ...]:
    return (Decimal(1), Decimal(5))


def test_more_budget_is_offered_where_it_is_left_and_enough() -> None:
    bare = replace(STUDY, columns=(COST,))
    query = replace(MEAN, by=(), expected=70)
    (found,) = weak(query, study=bare, spare=Epsilon.of("0.4"))
    assert found.remedy.code == "more-budget"
    asked, margin = after(found)
    assert asked.share is not None and TENTH < asked.epsilon <= Epsilon.of("0.5")  # type: ignore[operator]
    assert margin < 22_500
    assert codes(query, study=bare, spare=Epsilon.of("0.01")) == [("half-range", "leave-out")]
    assert codes(query, study=bare) == [("half-range", "leave-out")]


def test_more_budget_is_no_more_than_the_consistent_figures_need() -> None:
    """The share offered is enough for them; the round one below it, or its own noise, is not."""
    rest = Replace("1")
    columns = (
        CategoryColumn("three", ("1", "2", "3"), missing=rest, unknown=rest),
        CategoryColumn("four", ("1", "2", "3", "4"), missing=rest, unknown=rest),
    )
    coarse = Query("three", by=("three",), epsilon=Epsilon.of("0.02"), expected=50)
    fine = Query("both", by=("three", "four"), epsilon=TENTH, expected=50)
    study = replace(STUDY, unit=Unit("patient"), columns=columns, queries=(coarse, fine))
    tables = planned([compile_query(study, query) for query in study.queries])
    plans = {plan.query.id: plan for plan in tables}
    spare = Epsilon.of("0.5")
    found = next(one for one in weaknesses(study, plans, spare) if one.query == "three")
    assert (found.code, found.remedy.code) == ("groups", "more-budget")

    def margin(share: int, *queries: Query) -> Fraction:
        asked = replace(study, queries=(replace(coarse, epsilon=Epsilon(share)), *queries))
        return planned([compile_query(asked, query) for query in asked.queries])[
            0
        ].accuracy or Fraction(0)

    assert found.remedy.study is not None
    share = found.remedy.study.queries[0].epsilon
    assert share is not None
    offered = _round_shares(20_000, 520_000)
    below = [20_000, *offered][offered.index(share.units)]
    assert found.remedy.margin == margin(share.units, fine) < 25 <= margin(below, fine)
    assert margin(share.units) > 25


def test_no_groups_at_all_is_tried_last() -> None:
    bare = replace(STUDY, columns=(COST, WARD))
    assert codes(MEAN, study=bare) == [("whole-range", "no-groups")]


def test_what_nothing_helps_can_be_left_out() -> None:
    found, *_ = weak(replace(MEAN, expected=1), Query("n", epsilon=TENTH))
    assert found.remedy.code == "leave-out"
    assert found.remedy.study is not None
    assert [query.id for query in found.remedy.study.queries] == ["n"]


def test_a_ratio_without_a_guess_says_how_large_groups_must_be() -> None:
    (found,) = weak(replace(MEAN, expected=None))
    assert (found.code, found.remedy.code, found.remedy.study) == ("no-guess", "guess", None)
    assert found.numbers["cells"] == 38, "it says how many groups there are"
    size = int(found.numbers["size"])
    assert weak(replace(MEAN, expected=size)) == []
    assert weak(replace(MEAN, expected=size // 3)) != []


@pytest.mark.parametrize("statistic", ["count", "count-people", "sum", "median", "most-common"])
def test_a_group_no_larger_than_the_margin_drowns(statistic: Any) -> None:
    column = {"sum": "age", "median": "age", "most-common": "sex"}.get(statistic)
    more = {"candidates": (Decimal(20), Decimal(60))} if statistic == "median" else {}
    query = Query("q").having(
        statistic=statistic, column=column, epsilon=TENTH, expected=10, **more
    )
    after = "-choice" if statistic in ("median", "most-common") else ""
    assert [found.code for found in weak(query)] == [f"group{after}"]
    assert [found.code for found in weak(replace(query, by=("ward",)))] == [f"groups{after}"]
    assert weak(replace(query, expected=100_000)) == []
    assert all(("from 0" in REST[f"{code}{after}"]) == (not after) for code in ("group", "groups"))


@pytest.mark.parametrize("statistic", ["median", "quantiles", "interquartile-range"])
def test_a_rank_that_is_off_by_half_of_a_group_says_nothing(statistic: Any) -> None:
    """Of 199 rows, 145 off the middle is any of them; only groups below 145 were warned of."""
    query = Query("q").having(statistic=statistic, column="age", epsilon=TENTH)
    quarters = (Decimal("0.25"), Decimal("0.75"))
    query = query.having(quantiles=quarters) if statistic == "quantiles" else query
    twice = int(2 * compile_query(STUDY, query).bound.distance)  # type: ignore[union-attr]
    assert weak(replace(query, expected=twice)) != []
    assert weak(replace(query, expected=twice + 1)) == []
    (found,) = weak(replace(query, by=("ward",)))
    assert found.code == "no-guess-choice"
    size = int(found.numbers["size"])
    assert weak(replace(query, by=("ward",), expected=size + 1)) == []
    assert weak(replace(query, by=("ward",), expected=size * 9 // 10)) != []


def test_more_groups_than_the_budget_carries_by_another_querys_guess() -> None:
    total = replace(MEAN, by=(), expected=2_000)
    count = Query("wards", by=("ward", "kind"), epsilon=TENTH)
    (found,) = [f for f in weak(total, count) if f.query == "wards"]
    assert found.code == "groups"
    assert found.numbers["cells"] == 38 * 3
    assert found.remedy.code == "fewer-groups"
    assert found.remedy.names == {"name": "ward"}
    # A guess about some of the rows says nothing of all.
    some = replace(total, where=(IsIn("sex", ("Male",)),))
    assert [f.code for f in weak(some, count) if f.query == "wards"] == ["no-guess-total"]


@pytest.mark.parametrize("statistic", ["count", "count-people", "sum", "most-common"])
def test_groups_of_which_nobody_said_how_large_they_are(statistic: Any) -> None:
    column = {"sum": "age", "most-common": "sex"}.get(statistic)
    query = Query("q").having(statistic=statistic, column=column, by=("ward",), epsilon=TENTH)
    (found,) = weak(query)
    code = "no-guess-choice" if statistic == "most-common" else "no-guess-total"
    assert (found.code, found.remedy.code, found.remedy.study) == (code, "guess", None)
    assert ("from 0" in REST[code]) == (code == "no-guess-total")
    assert takes_guess(compile_query(STUDY, query))
    assert found.numbers["cells"] == 38, "it says how many groups there are"
    size = int(found.numbers["size"])
    assert weak(replace(query, expected=size + 1)) == []
    assert weak(replace(query, expected=size * 9 // 10)) != [], "as many drown as it says"
    # One guess of all, or none of groups, is enough.
    total = replace(MEAN, by=(), expected=(size + 1) * 38)
    assert [f for f in weak(total, query) if f.query == "q"] == []
    assert weak(replace(query, by=())) == []


@pytest.mark.parametrize("by", [(), ("sex",)])
def test_places_for_all_groups_are_the_declared_list_and_a_count_has_their_order(by: Any) -> None:
    query = Query("q").having(statistic="most-common", column="kind", top=3, epsilon=TENTH)
    query = replace(query, by=by, expected=6_000, title="Kinds")
    (found,) = weak(query)
    assert (found.code, found.numbers) == ("all-places", {"cells": 3})
    count, margin = after(found)
    assert (count.statistic, count.by, count.share) == ("count", (*by, "kind"), TENTH)
    assert (count.id, count.title, count.expected) == ("q", "Kinds", 2_000)
    assert found.remedy.margin == margin
    assert weak(query.having(top=2)) == weak(query.having(top=None)) == []
    columns = (YesNoColumn("a", yes=("1",), no=("0",)), YesNoColumn("b", yes=("1",), no=("0",)))
    of_columns = query.having(column=None, columns=("a", "b"), top=2)
    assert weak(of_columns, study=replace(STUDY, columns=(*STUDY.columns, *columns))) == []


def test_age_groups_too_small_for_a_standardised_rate_are_joined() -> None:
    """With too little exposure in one of them there is no rate, whatever its margin was to be."""
    has, edges = (IsIn("kind", ("birth",)),), tuple(map(Decimal, range(5, 90, 5)))
    own = StandardParameters(
        column="los_days",
        has=has,
        per=1_000,
        expected_exposure=Decimal(3_600),
        over="age",
        edges=edges,
        standard="european-2013",
    )
    query = Query("q", "standardised-rate", own, epsilon=TENTH, expected=12_000)
    (found,) = weak(query)
    _ages, size = rows_of_an_age(compile_query(STUDY, query)) or (0, 0)
    assert (found.code, found.numbers) == ("ages", {"cells": 18, "size": size})
    assert size * 18 > 12_000
    assert (found.remedy.code, found.remedy.names) == ("join-ages", {"cells": "9"})
    changed, _margin = after(found)
    assert changed.members["edges"] == edges[1::2]
    assert weak(changed) == []
    assert weak(replace(query, expected=size * 18)) == []
    assert rows_of_an_age(compile_query(STUDY, MEAN)) is None


@pytest.mark.parametrize("typical", [None, Decimal(40)])
def test_a_rate_is_compared_with_the_one_its_margin_is_planned_at(typical: Decimal | None) -> None:
    """A margin of 1,000 times the rate was no weakness, and "figures need about 1" row."""
    has = (IsIn("kind", ("birth",)),)
    own = RateParameters(column="los_days", has=has, per=1_000, typical=typical)
    query = Query("q", "rate", own, ("sex",), epsilon=TENTH)
    (found,) = weak(query)
    size = int(found.numbers["size"])
    assert (found.code, found.remedy.code) == ("no-guess", "guess") and size > 1
    assert weak(replace(query, expected=size)) == []
    small = replace(query, expected=size // 3)
    plan = compile_query(STUDY, small)
    rate = planned_rate(plan)
    assert rate == (typical or assumed_rate(STAY.upper or Decimal(0), 1_000))
    assert plan.half_width is not None and rate is not None and plan.half_width >= rate
    (found,) = weak(small)
    assert (found.code, found.numbers) == ("groups", {"cells": len(plan.cells), "size": size // 3})
    (whole,) = weak(replace(small, by=()))
    assert (whole.code, whole.numbers["size"]) == ("group", size // 3)


def test_a_curve_over_time_gets_a_bin_beyond_its_highest_time() -> None:
    """Where it has none, those censored in the last bin count as followed to its end."""
    edges, has = (Decimal(30), Decimal(90)), (IsIn("kind", ("birth",)),)
    own = TimeToEventParameters("los_days", edges=edges, has=has, times=(Decimal(89), STAY.upper))
    query = Query("q", "survival", own, epsilon=TENTH, expected=5_000)
    study = replace(STUDY, unit=Unit("patient"))
    (found,) = weak(query, study=study)
    assert (found.code, found.numbers) == ("last-bin", {"highest": 7305})
    assert (found.remedy.code, found.remedy.names) == ("last-bin", {"first": "7305"})
    changed, _margin = after(found)
    assert changed.members["edges"] == (*edges, 7305)
    assert changed.members["times"] == (89, 7304), "the same times as before"
    assert weak(changed, study=study) == []


def test_with_delayed_entry_the_lowest_time_gets_a_bin_of_its_own() -> None:
    """Who enters later in the first bin counted from its start."""
    edges, has = (Decimal(30), STAY.upper), (IsIn("kind", ("birth",)),)
    entered = replace(STAY, name="entered")
    own = TimeToEventParameters(
        "los_days", edges=edges, has=has, entry="entered", entry_edges=edges, late="leave-out"
    )
    query = Query("q", "survival", own, epsilon=TENTH, expected=5_000)
    study = replace(STUDY, unit=Unit("patient"), columns=(*STUDY.columns, entered))
    (found,) = weak(query, study=study)
    first = Decimal(STAY.lower or 0) + 1
    assert (found.code, found.numbers) == ("first-bin", {"lowest": first - 1})
    assert (found.remedy.code, found.remedy.names) == ("first-bin", {"first": f"{first}"})
    changed, _margin = after(found)
    assert changed.members["edges"] == changed.members["entry_edges"] == (first, *edges)
    assert weak(changed, study=study) == []
    there = query.having(edges=(first, *edges))
    assert after(*weak(there, study=study))[0].members["edges"] == (first, *edges)
    # Where nobody can be there at the lowest time, and where there are as many bins as can be.
    late = replace(entered, lower=first + 1)
    assert weak(query, study=replace(study, columns=(*STUDY.columns, late))) == []
    many = tuple(map(Decimal, range(30, 88)))
    full = query.having(edges=(*many, STAY.upper), entry_edges=many)
    assert "first-bin" not in {one.code for one in weak(full, study=study)}


def test_a_public_number_of_people_is_a_guess() -> None:
    study = replace(STUDY, unit=Unit("patient", 2, "change-one", people=100))
    assert codes(Query("q", by=("ward",), epsilon=TENTH), study=study)[0][0] == "groups"


def test_rows_that_were_typed_come_before_the_most_that_people_can_have() -> None:
    unit = Unit("patient", 3, "change-one", people=1_000)
    study, mean = replace(STUDY, unit=unit), replace(MEAN, by=("kind",), expected=None)
    assert guessed_size(study, mean) == 1_000
    assert guessed_size(study, mean, at_most=False) is None
    assert guessed_size(study, replace(mean, of="people"), at_most=False) == Fraction(1_000, 3)
    typed = replace(study, queries=(Query("n", epsilon=TENTH, expected=1_200),))
    assert guessed_size(typed, mean) == guessed_size(typed, mean, at_most=False) == 400


def test_the_same_question_twice_is_asked_once_with_both_shares() -> None:
    first = Query("first", by=("sex",), epsilon=TENTH, expected=5_000)
    second = replace(first, id="second", epsilon=Epsilon.of("0.2"))
    (found,) = weak(first, second)
    assert (found.query, found.code, found.other) == ("second", "twice", "first")
    assert found.remedy.code == "one-question"
    assert found.remedy.names == {"share": "0.3"}
    assert found.remedy.study is not None
    (asked,) = found.remedy.study.queries
    assert (asked.id, asked.epsilon) == ("first", Epsilon.of("0.3"))
    assert found.remedy.margin == after(found)[1]
    # Joined with one that was answered, both would be paid for, one of them again.
    study = replace(STUDY, queries=(first, second))
    plans = {query.id: compile_query(study, query) for query in study.queries}
    (again,) = weaknesses(study, plans, answered={"first"})
    assert (again.code, again.remedy.code) == ("twice-answered", "leave-out")
    assert again.remedy.study is not None and again.remedy.study.queries == (first,)


@pytest.mark.parametrize(
    ("statistic", "max_rows", "is_public"),
    [("count", 1, True), ("count", 2, False), ("count-people", 1, True), ("count-people", 2, True)],
)
def test_a_number_that_is_public_needs_no_budget(
    statistic: Any, max_rows: int, is_public: bool
) -> None:
    """And one that a group, a condition or secret neighbours keep from being public does."""
    study = replace(STUDY, unit=Unit("patient", max_rows, "change-one", people=900))
    query = Query("all", statistic, epsilon=TENTH)
    assert codes(query, study=study) == ([("public", "no-share")] if is_public else [])
    if is_public:
        (found,) = weak(query, study=study)
        assert found.numbers == {"size": 900}
        assert found.remedy.study is not None and found.remedy.study.queries == (query.unpriced,)
        assert codes(query.unpriced, study=study) == []
    narrowed = replace(query, where=(IsIn("kind", ("urgent",)),))
    for asked in (narrowed, replace(query, by=("sex",))):
        assert "public" not in {code for code, _ in codes(asked, study=study)}
    assert codes(query) == []


def test_the_same_question_at_the_same_price_is_answered_once() -> None:
    two = IsIn("kind", ("urgent", "birth"))
    first = Query("first", by=("sex",), where=(two,), epsilon=TENTH, expected=5_000)
    turned = (IsIn("kind", ("birth", "urgent")),)
    assert codes(first, replace(first, id="b", where=turned)) == [("twice-free", "leave-out")]
    other = (IsIn("kind", ("birth",)),)
    assert weak(first, replace(first, id="b", where=other)) == []


def test_a_question_that_cannot_be_asked_at_the_others_price_is_another() -> None:
    """Nine quantiles have no smallest share for each where one has one."""
    nine = QuantileParameters("age", quantiles=tuple(Decimal(n) / 10 for n in range(1, 10)))
    first = Query("nine", "quantiles", nine, epsilon=TENTH)
    half = QuantileParameters("age", quantiles=(Decimal("0.5"),))
    second = Query("one", "quantiles", half, epsilon=Epsilon(1))
    assert weak(first, second) == []
    assert weak(first, replace(second, epsilon=TENTH)) == []


def test_one_question_costs_no_more_than_the_most_that_there_is() -> None:
    first = Query("first", epsilon=Epsilon.of(60))
    (found,) = weak(first, replace(first, id="second", epsilon=Epsilon.of(70)))
    assert (found.remedy.code, found.remedy.names) == ("one-question", {"share": "100"})
    assert found.remedy.margin == after(found)[1]


def test_every_remedy_keeps_the_other_queries_and_helps() -> None:
    other = Query("n", by=("sex",), epsilon=TENTH)
    for size in (30, 60, 200, 400):
        for by in (("ward",), ("ward", "sex"), (), ("kind",)):
            for found in weak(replace(MEAN, by=by, expected=size), other, spare=TENTH):
                if found.query == "n":
                    continue
                assert found.remedy.study is not None
                assert other in found.remedy.study.queries
                if found.remedy.margin is not None:
                    assert found.remedy.margin < 22_500


@settings(max_examples=40, deadline=None)
@given(studies())
def test_whatever_can_be_compiled_can_be_judged(study: Study) -> None:
    plans = {query.id: compile_query(study, query) for query in study.queries}
    for found in weaknesses(study, plans, (study.budget or Budget()).limit):
        assert found.query in plans
        assert found.numbers is not None
        after = found.remedy.study
        assert after is None or after.unit == study.unit


def of_table(table: BaselineTable, spare: Epsilon | None = None) -> list[Weakness]:
    """What is weak in a Table 1, as its study would be released."""
    study = with_baseline_queries(replace(BASELINE, baseline_tables=(table,)))
    plans = {one.query.id: one for one in planned([compile_query(study, q) for q in study.queries])}
    return list(weaknesses(study, plans, spare))


def test_the_size_of_a_tables_groups_is_asked_for_once() -> None:
    assert [one.code for one in of_table(replace(TABLE, expected=None))] == ["no-guess-total"]
    of_all = of_table(replace(TABLE, expected=None, by=()))
    assert [one.code for one in of_all] == ["no-guess"]
    assert of_table(TABLE) == []


def test_what_helps_a_table_is_its_price_or_a_row_less() -> None:
    dear = replace(TABLE, epsilon=Epsilon.of("0.2"), expected=100)
    found = of_table(dear, Epsilon.of(8))
    assert found and {one.remedy.code for one in found} == {"more-budget"}
    after = found[0].remedy.study
    assert after is not None
    (table,) = after.baseline_tables
    assert table.share is not None and table.share.units > Epsilon.of("0.2").units
    assert sum(q.share.units for q in after.queries if q.share) == table.share.units
    assert found[0].query not in {one.query for one in of_table(table)}
    # More that is not enough for its figures is not offered.
    assert {one.remedy.code for one in of_table(dear, Epsilon.of("0.01"))} == {
        "no-columns",
        "leave-out-row",
    }
    by_row = {one.query: one.remedy for one in of_table(dear)}
    assert by_row["table-1-n"].code == "no-columns"
    of_sex = by_row["table-1-1-counts"]
    assert of_sex.code == "leave-out-row" and of_sex.study is not None
    assert of_sex.study.baseline_tables[0].characteristics == dear.characteristics[1:]
