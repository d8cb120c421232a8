# SPDX-License-Identifier: Apache-2.0
"""The words for a query's accuracy, of compiled queries of every kind."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import get_args

import pytest

from dpdesk.desk.text import accuracy_words, query_words, words
from dpdesk.privacy import compiler
from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.plan import QueryPlan, ScoreBound
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import CandidateParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.statistics import Statistic
from dpdesk.study.model.unit import Unit
from tests.privacy import examples as ex
from tests.release.studies import STUDY

HALF = Epsilon.of("0.5")
DAYS = replace(STUDY.columns[0], label="days")
WITH_UNIT: Study = replace(STUDY, columns=(DAYS, *STUDY.columns[1:]))
ICON_FILES = Path(__file__).parents[3] / "resources" / "icons"


def plan(statistic: Statistic, **more: object) -> QueryPlan:
    query = Query("q").having(statistic=statistic, epsilon=HALF)
    return compile_query(WITH_UNIT, query.having(**more))


def test_every_statistic_has_an_icon_that_exists() -> None:
    for statistic in get_args(Statistic):
        assert (ICON_FILES / f"{query_words.icon(statistic)}.svg").is_file(), statistic


def test_a_median_says_how_far_off_its_rank_may_be() -> None:
    found = plan("median", column="days")
    assert found.bound is not None
    rows = accuracy_words.number(found.bound.distance)
    shown = accuracy_words.of_plan(WITH_UNIT, found)
    assert shown == f"rank at most {rows} rows away"
    said = accuracy_words.sentence(WITH_UNIT, found)
    assert said == f"95 times in 100 at most {rows} rows away, for 0.50 of budget."
    assert accuracy_words.mark(WITH_UNIT, found) == f"{rows} rows"
    assert accuracy_words.number(Fraction(1500)) == "1500"
    assert accuracy_words.number(Fraction(1500), in_column=True) == "1,500", "below one another"


def test_among_declared_candidates_a_rank_is_counted_from_the_best_of_them() -> None:
    """No public number bounds how far off that one is: no sentence calls it the exact one."""
    found = plan("median", column="days", candidates=(Decimal(1), Decimal(7), Decimal(14)))
    assert found.bound is not None and found.bound.is_from_best
    rows = accuracy_words.number(found.bound.distance)
    assert accuracy_words.of_plan(WITH_UNIT, found) == (
        f"rank at most {rows} rows further away than the best candidate’s"
    )
    said = accuracy_words.sentence(WITH_UNIT, found)
    assert f"at most {rows} rows further away than the best candidate" in said
    meaning = accuracy_words.meaning_of_rank(WITH_UNIT, found)
    assert "than the best candidate" in meaning and "any number of rows away" in meaning
    exact = plan("median", column="days")
    both = accuracy_words.meaning_of_ranks(WITH_UNIT, [exact, found, None]).split("\n")
    assert ["best candidate" in line for line in both] == [False, True]


def test_marks_have_the_separators_of_figures_under_each_other() -> None:
    found = replace(plan("median", column="days"), bound=ScoreBound(Fraction(1500), "rows", False))
    assert accuracy_words.mark(WITH_UNIT, found) == "1,500 rows"
    assert accuracy_words.of_plan(WITH_UNIT, found) == "rank at most 1500 rows away"
    count = compile_query(WITH_UNIT, Query("q").having(statistic="count", epsilon=Epsilon(1_500)))
    assert accuracy_words.mark(WITH_UNIT, count) == "±6,000"


def test_one_scale_has_one_rounding() -> None:
    """1,500 rows stood beside 725, of which one was rounded and the other was not."""
    found = plan("median", column="days")
    texts = [
        [
            accuracy_words.mark(
                WITH_UNIT, replace(found, bound=ScoreBound(Fraction(rows), "rows")), in_full
            )
            for rows in (1448.5, 725, 72.5, 5.5)
        ]
        for in_full in (True, False)
    ]
    assert texts == [
        ["1,449 rows", "725 rows", "73 rows", "5.5 rows"],
        ["1,500 rows", "730 rows", "73 rows", "5.5 rows"],
    ]
    small = replace(found, bound=ScoreBound(Fraction(145), "rows"))
    large = replace(found, bound=ScoreBound(Fraction(1449), "rows"))
    assert accuracy_words.is_in_full(small) and not accuracy_words.is_in_full(large)


def test_the_most_common_is_off_and_a_cut_off_counts_points() -> None:
    assert accuracy_words.of_plan(WITH_UNIT, plan("most-common", column="sex")).startswith(
        "at most "
    )
    points = plan(
        "cut-off", column="days", candidates=(Decimal(1), Decimal(5)), score="value-times-count"
    )
    assert accuracy_words.of_plan(WITH_UNIT, points).endswith(" points away")
    assert accuracy_words.margin_unit(WITH_UNIT, points.query, points) == "points away"


def test_bounds_reach_what_so_many_rows_have() -> None:
    found = plan("bounds", column="days")
    assert found.bound is not None
    rows = accuracy_words.number(found.bound.distance)
    assert accuracy_words.of_plan(WITH_UNIT, found) == f"reach what {rows} rows have"
    assert accuracy_words.margin_label(found.query).replace("&", "").endswith("found from")


@pytest.mark.parametrize(
    ("statistic", "more", "unit"),
    [
        ("sum", {"column": "days"}, "days"),
        ("mean", {"column": "days", "expected": 40}, "days"),
        ("variance", {"column": "days", "expected": 40}, "days²"),
        ("standard-deviation", {"column": "days", "expected": 40}, "days"),
        ("distribution", {"column": "days", "edges": (Decimal(3),)}, "rows"),
        ("share", {"has": (IsIn("sex", ("f",)),), "expected": 40}, "percentage points"),
        ("count", {}, "rows"),
        ("count-people", {}, "people"),
    ],
)
def test_figures_say_their_margin_in_the_unit_of_the_result(
    statistic: Statistic, more: dict[str, object], unit: str
) -> None:
    found = plan(statistic, **more)
    assert found.half_width is not None
    assert accuracy_words.unit(WITH_UNIT, found.query) == unit
    shown = accuracy_words.of_plan(WITH_UNIT, found)
    assert shown.startswith("± ") and shown.endswith(unit)
    assert shown in accuracy_words.sentence(WITH_UNIT, found)


def test_a_ratio_without_a_size_says_nothing() -> None:
    found = plan("mean", column="days")
    texts = (accuracy_words.of_plan(WITH_UNIT, found), accuracy_words.sentence(WITH_UNIT, found))
    assert (*texts, accuracy_words.mark(WITH_UNIT, found)) == ("", "", "")


def test_one_row_half_rows_and_one_person() -> None:
    one = ScoreBound(Fraction(1), "rows")
    assert accuracy_words.distance(STUDY, one) == "1 row"
    assert accuracy_words.distance(STUDY, replace(one, distance=Fraction(11, 2))) == "5.5 rows"
    many = accuracy_words.distance(STUDY, replace(one, distance=Fraction(12345)))
    assert many == f"{words.grouped(13000)} rows"
    assert accuracy_words.distance(STUDY, replace(one, what="people")) == "1 person"


def test_a_rank_is_off_in_rows_where_people_are_replaced_too() -> None:
    swapped = replace(WITH_UNIT, unit=Unit(neighbours="change-one", people=100))
    found = compile_query(swapped, Query("q", "median", CandidateParameters("days"), epsilon=HALF))
    assert accuracy_words.of_plan(swapped, found).startswith("rank at most ")


def test_other_confidences_are_shown_where_they_cost_nothing() -> None:
    study = ex.STUDY
    facts = accuracy_words.facts(study, compiler.compile_query(study, ex.PEOPLE))
    assert "90 in 100: ± " in facts
    assert "99 in 100: ± " in facts
    assert "All 4 at once, 95 in 100: ± " in facts
    alone = accuracy_words.facts(study, compiler.compile_query(study, ex.ROWS))
    assert "at once" not in alone
    mean = accuracy_words.facts(study, compiler.compile_query(study, ex.MEAN))
    assert "90 in 100" not in mean


def test_a_table_of_several_ranks_says_once_what_a_rank_is() -> None:
    found = [
        plan("median", column="days"),
        plan("mean", column="days"),
        plan("median", column="days"),
    ]
    said = accuracy_words.meaning_of_ranks(WITH_UNIT, [*found, None])
    assert said.count("sorted by value") == 1
    assert accuracy_words.meaning_of_ranks(WITH_UNIT, found[1:2]) == ""
