# SPDX-License-Identifier: Apache-2.0
"""First queries follow from complete declarations alone, and each can be compiled."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from dpdesk.privacy.compiler import compile_query
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, Column, NumberColumn, YesNoColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.steps.step import OfPerson
from dpdesk.study.model.unit import Unit
from dpdesk.study.reuse.first_queries import MOST, MOST_GROUPS, first_queries, is_asked
from dpdesk.study.text.titles import sentence

DAYS = NumberColumn("days", lower=Decimal(1), upper=Decimal(14), step=Decimal(1))
AGE = NumberColumn("age", lower=Decimal(0), upper=Decimal(110), step=Decimal(1))
SEX = CategoryColumn("sex", values=("f", "m"))
WARD = CategoryColumn("ward", values=tuple(f"w{n}" for n in range(MOST_GROUPS)))
DIED = YesNoColumn("died", yes=("yes",), no=("no",))
BY_PERSON = Unit(person="id", max_rows=2)


def study(*columns: Column, unit: Unit | None = BY_PERSON) -> Study:
    return Study(unit=unit, columns=columns)


def said(made: Study, most: int = MOST) -> list[str]:
    return [sentence(made, query) for query in first_queries(made, most)]


def test_each_kind_of_question_comes_in_its_turn() -> None:
    assert said(study(SEX, DAYS, DIED), most=20) == [
        "Number of people, by sex",
        "Mean of days",
        "Median of days",
        "Share of rows with sex classified as f",
        "Number of people, by died",
        "Share of rows: died",
    ]
    assert len(said(study(SEX, DAYS, DIED))) == MOST


def test_rows_are_counted_where_no_column_tells_people_apart() -> None:
    assert said(study(SEX, unit=Unit()))[0] == "Count of rows, by sex"


def test_without_a_column_to_group_by_all_are_counted() -> None:
    assert said(study(DAYS))[0] == "Number of people"


def test_many_groups_are_not_suggested() -> None:
    larger = replace(WARD, values=(*WARD.values, "one more"))
    assert "Number of people, by ward" in said(study(WARD))
    assert said(study(larger)) == ["Number of people"]


@pytest.mark.parametrize(
    "lacking",
    [
        replace(DAYS, upper=None),
        replace(DAYS, upper=Decimal(0)),
        replace(SEX, values=()),
        replace(DIED, no=()),
    ],
)
def test_what_is_not_declared_to_its_end_is_left_out(lacking: Column) -> None:
    assert said(study(lacking), most=20) == ["Number of people"]


def test_the_column_of_people_is_never_asked_about() -> None:
    assert said(study(replace(SEX, name="id")), most=20) == ["Number of people"]


@pytest.mark.parametrize("unit", [BY_PERSON, Unit(), Unit(neighbours="change-one", people=50)])
def test_each_can_be_compiled_as_it_is(unit: Unit) -> None:
    made = study(SEX, DAYS, AGE, DIED, WARD, unit=unit)
    for suggestion in first_queries(made, most=20):
        query = replace(suggestion.at_share(Epsilon.of("0.1")), id="q")
        assert compile_query(replace(made, queries=(query,)), query).cells


def test_a_suggestion_stays_in_its_place_and_is_known_to_be_asked() -> None:
    before = study(SEX, DAYS)
    count, mean, *_others = first_queries(before)
    named = replace(count.at_share(Epsilon.of("0.3")), id="people", title="Ours", expected=7)
    after = replace(before, queries=(named,))
    assert first_queries(after) == first_queries(before)
    assert is_asked(after, count) and not is_asked(after, mean)
    assert not is_asked(replace(before, queries=(Query("all", "count-people"),)), count)


def test_values_of_a_person_are_asked_of_people() -> None:
    """Of rows, the mean number of stays would count a person with many of them as often."""
    stays = replace(DAYS, name="stays", made_from=OfPerson("count"))
    ever = replace(DIED, name="ever", made_from=OfPerson("any", where=(IsIn("sex", ("f",)),)))
    made = study(SEX, stays, ever)
    queries = first_queries(made, most=20)
    assert [q.of for q in queries if q.names & {"stays", "ever"}] == ["people"] * 4
    assert said(made, most=20)[1] == "Mean of stays among people"
    assert is_asked(replace(made, queries=queries), queries[1])
    of_rows = tuple(replace(query, of="rows") for query in queries)
    assert not is_asked(replace(made, queries=of_rows), queries[1])
    alone = first_queries(study(SEX, stays, unit=Unit()))
    assert {query.of for query in alone} == {"rows"}


def test_what_is_said_of_each_person_is_no_share_of_rows() -> None:
    """The share of rows took the place of the share of people, which is never shown then."""
    dead = (IsIn("died", ("yes",)),)
    ever = replace(DIED, name="ever", title="Ever died", made_from=OfPerson("any", where=dead))
    assert said(study(SEX, DAYS, DIED, ever))[3] == "Share of people: Ever died"
    assert "Share of rows: died" not in said(study(DAYS, DIED, ever), most=20)
    of_two = replace(ever, made_from=OfPerson("any", where=(*dead, IsIn("sex", ("f",)))))
    assert "Share of rows: died" in said(study(DAYS, DIED, of_two), most=20)
