# SPDX-License-Identifier: Apache-2.0
"""What a derived column is refused for: each mistake with its place."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import NamedTuple

import pytest

from dpdesk.study.checks.study_checks import check
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, Column, DateColumn, NumberColumn, YesNoColumn
from dpdesk.study.model.conditions import Between, IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.steps.step import (
    Arithmetic,
    Bands,
    BesideRow,
    CodePrefix,
    DatePart,
    FirstThere,
    Holds,
    OfPerson,
    Operand,
    Recode,
    RecodeEntry,
    Step,
    TimeBetween,
)
from dpdesk.study.model.unit import Unit
from tests.study.checks.test_study_checks import ADMITTED, DEAD, FOUND, GOOD, SEX, STAY

AT = "$.columns[4]"
FROM = f"{AT}.from"
NUMBER = NumberColumn("made", Decimal(0), Decimal(60), Decimal(1))
GROUPS = CategoryColumn("made", ("a", "b"))
ANSWER = YesNoColumn("made", ("yes",), ("no",))
DAY = DateColumn("made", date(2020, 1, 1), date(2024, 12, 31))
FINE = NumberColumn("fine", Decimal(0), Decimal(2**31 - 1), Decimal(1))
BETWEEN = TimeBetween(("admitted", date(2024, 12, 31)))
CODES = (RecodeEntry("a", ("I00-I99",)), RecodeEntry("b", ("C",)))


class Case(NamedTuple):
    """A derived column, and the problem that it has."""

    column: Column
    step: Step
    path: str
    code: str


def codes(*of: str, digits: int = 0) -> CodePrefix:
    return CodePrefix("diag", (RecodeEntry("a", of), CODES[1]), digits)


def merged(*of: str) -> Recode:
    return Recode("sex", (RecodeEntry("a", of), RecodeEntry("b", ("Male",))))


CASES = [
    Case(NUMBER, TimeBetween(("stay", "admitted")), f"{FROM}.between[0]", "step-wants-date"),
    Case(NUMBER, TimeBetween(("gone", "admitted")), FROM, "column-undeclared"),
    Case(
        NUMBER,
        TimeBetween(("admitted", date(1, 1, 1))),
        f"{FROM}.between[1].day",
        "step-day-out-of-range",
    ),
    Case(
        NUMBER,
        TimeBetween((date(2020, 1, 1), date(2021, 1, 1))),
        f"{FROM}.between",
        "step-of-no-column",
    ),
    Case(GROUPS, BETWEEN, f"{AT}.kind", "step-other-kind"),
    Case(NUMBER, replace(BETWEEN, unit="hours"), f"{FROM}.between[1]", "step-wants-time"),
    Case(replace(NUMBER, lower=None, upper=None), BETWEEN, f"{AT}.lower", "step-without-bounds"),
    Case(GROUPS, Recode("stay", CODES), f"{FROM}.recode", "step-wants-category"),
    Case(GROUPS, Recode("sex", ()), f"{FROM}.to", "step-without-entries"),
    Case(GROUPS, merged(), f"{FROM}.to[0].of", "step-entry-empty"),
    Case(GROUPS, merged("Divers"), f"{FROM}.to[0].of[0]", "condition-unknown-value"),
    Case(GROUPS, merged("Male"), f"{FROM}.to[1].of[0]", "value-twice"),
    Case(
        replace(GROUPS, values=("b",)), merged("Female"), f"{AT}.values", "step-value-not-declared"
    ),
    Case(GROUPS, codes("i21"), f"{FROM}.to[0].of[0]", "code-range-malformed"),
    Case(GROUPS, codes("I99-I00"), f"{FROM}.to[0].of[0]", "code-range-malformed"),
    Case(GROUPS, codes("I0-I99"), f"{FROM}.to[0].of[0]", "code-range-malformed"),
    Case(GROUPS, codes("I0-I1-I2"), f"{FROM}.to[0].of[0]", "code-range-malformed"),
    Case(GROUPS, codes("I", digits=11), f"{FROM}.digits", "code-digits-out-of-range"),
    Case(GROUPS, CodePrefix(" ", CODES), f"{FROM}.codes", "column-nameless"),
    Case(GROUPS, CodePrefix("patient", CODES), f"{FROM}.codes", "column-is-person"),
    Case(GROUPS, Bands("sex", (Decimal(1), Decimal(2))), f"{FROM}.bands", "step-wants-number"),
    Case(GROUPS, Bands("stay", (Decimal(1),)), f"{FROM}.edges", "bands-other-number"),
    Case(GROUPS, Bands("stay", (Decimal(2), Decimal(2))), f"{FROM}.edges[1]", "values-not-rising"),
    Case(replace(GROUPS, values=()), Bands("stay", ()), f"{FROM}.edges", "edges-missing"),
    Case(ANSWER, Holds(()), f"{FROM}.all", "step-without-conditions"),
    Case(
        ANSWER,
        Holds((IsIn("sex", ("Divers",)),), "any"),
        f"{FROM}.any[0].in[0]",
        "condition-unknown-value",
    ),
    Case(
        NUMBER,
        Arithmetic("add", (Operand("sex"), Decimal(1))),
        f"{FROM}.add[0]",
        "step-wants-number",
    ),
    Case(
        NUMBER,
        Arithmetic("add", (Operand("stay", 3), Decimal(1))),
        f"{FROM}.add[0].power",
        "step-power",
    ),
    Case(
        NUMBER,
        Arithmetic("divide", (Operand("stay"), Decimal(0))),
        f"{FROM}.divide[1]",
        "step-divides-by-zero",
    ),
    Case(
        NUMBER,
        Arithmetic("add", (Decimal(1), Decimal(2))),
        f"{FROM}.add",
        "step-of-no-column",
    ),
    Case(
        NUMBER,
        Arithmetic("add", (Operand("stay"), Decimal(1).scaleb(-40))),
        f"{FROM}.add[1]",
        "number-too-long",
    ),
    Case(
        NUMBER,
        Arithmetic("multiply", (Operand("fine", 2), Operand("fine"))),
        f"{AT}.step",
        "step-too-fine",
    ),
    Case(NUMBER, DatePart("year", "stay"), f"{FROM}.of", "step-wants-date"),
    Case(GROUPS, DatePart("quarter", "admitted"), f"{AT}.values", "step-value-not-declared"),
    Case(NUMBER, FirstThere(("stay",)), f"{FROM}.first_of", "step-wants-two"),
    Case(NUMBER, FirstThere(("stay", "stay")), f"{FROM}.first_of", "column-twice"),
    Case(NUMBER, FirstThere(("stay", "sex")), f"{FROM}.first_of[1]", "step-mixed-kinds"),
    Case(
        NUMBER,
        Arithmetic("add", (Operand("made"), Operand("stay"))),
        FROM,
        "step-circle",
    ),
    Case(NUMBER, OfPerson("sum"), f"{FROM}.column", "step-column-wanted"),
    Case(NUMBER, OfPerson("count", "stay"), f"{FROM}.column", "step-column-not-wanted"),
    Case(NUMBER, OfPerson("first", "stay"), f"{FROM}.by", "step-date-wanted"),
    Case(NUMBER, OfPerson("first", "stay", "sex"), f"{FROM}.by", "step-wants-date"),
    Case(NUMBER, OfPerson("sum", "stay", "admitted"), f"{FROM}.by", "step-date-not-wanted"),
    Case(NUMBER, OfPerson("sum", "sex"), f"{FROM}.column", "step-wants-number"),
    Case(NUMBER, OfPerson("days", "stay"), f"{FROM}.column", "step-wants-date"),
    Case(GROUPS, OfPerson("most-frequent", "stay"), f"{FROM}.column", "step-wants-category"),
    Case(ANSWER, OfPerson("any"), f"{FROM}.where", "step-without-conditions"),
    Case(ANSWER, BesideRow("before", "admitted"), f"{FROM}.where", "step-without-conditions"),
    Case(NUMBER, BesideRow("previous", "admitted"), f"{FROM}.column", "step-column-wanted"),
    Case(
        NUMBER,
        OfPerson("count", where=(IsIn("sex", ("Divers",)),)),
        f"{FROM}.where[0].in[0]",
        "condition-unknown-value",
    ),
]
"""In the place of the fifth column; ``fine`` is the sixth."""

SOUND: list[tuple[Column, Step]] = [
    (NUMBER, BETWEEN),
    (NUMBER, TimeBetween(("admitted", "admitted"), "hours")),
    (NUMBER, DatePart("hour", "admitted")),
    (GROUPS, merged("Female")),
    (GROUPS, codes("I00-I99", "J")),
    (GROUPS, Bands("stay", (Decimal(1), Decimal(7)))),
    (ANSWER, Holds((Between("stay", Decimal(1), Decimal(3)),))),
    (NUMBER, Arithmetic("divide", (Operand("stay"), Operand("stay", 2)))),
    (replace(NUMBER, lower=Decimal(2000), upper=Decimal(2030)), DatePart("year", "admitted")),
    (NUMBER, FirstThere(("stay", "fine"))),
    (NUMBER, OfPerson("count")),
    (NUMBER, OfPerson("first", "stay", "admitted")),
    (ANSWER, OfPerson("any", where=(Between("stay", Decimal(1), Decimal(3)),))),
    (NUMBER, BesideRow("number", "admitted")),
    (DAY, BesideRow("previous", "admitted", "admitted")),
]


def study_with(column: Column, step: Step) -> Study:
    made = replace(column, made_from=step)
    return replace(GOOD, columns=(STAY, SEX, DEAD, ADMITTED, made, FINE))


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{type(c.step).__name__} {c.code}")
def test_each_mistake_is_reported_where_it_is(case: Case) -> None:
    found = [(problem.path, problem.code) for problem in check(study_with(case.column, case.step))]
    assert (case.path, case.code) in found


@pytest.mark.parametrize(("column", "step"), SOUND, ids=lambda x: type(x).__name__)
def test_a_sound_one_has_none(column: Column, step: Step) -> None:
    assert not check(study_with(column, step))


@pytest.mark.parametrize(
    "step", [TimeBetween(("admitted", "later"), "hours"), DatePart("hour", "later")]
)
def test_a_derived_day_has_no_time_of_day(step: Step) -> None:
    later = replace(DAY, name="later", made_from=FirstThere(("admitted", "admitted")))
    made = replace(NUMBER, made_from=step)
    study = replace(GOOD, columns=(STAY, SEX, ADMITTED, later, made))
    assert "step-wants-time" in [p.code for p in check(study)]


def test_a_circle_is_reported_with_its_chain() -> None:
    first = replace(NUMBER, name="a", made_from=Arithmetic("add", (Operand("b"), Decimal(1))))
    second = replace(NUMBER, name="b", made_from=Arithmetic("add", (Operand("a"), Decimal(1))))
    study = replace(GOOD, columns=(STAY, first, second))
    circles = [p for p in check(study) if p.code == "step-circle"]
    assert [p.params["chain"] for p in circles] == ["a ← b ← a", "b ← a ← b"]


def test_a_persons_values_need_persons() -> None:
    study = study_with(NUMBER, OfPerson("count"))
    study = replace(study, unit=Unit())
    assert [(p.path, p.code) for p in check(study)] == [
        (f"{FROM}.of_person", "step-without-person")
    ]


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (Query("q", of="people", by=("sex",)), "people-wants-person-columns"),
        (Query("q", of="people", where=(IsIn("sex", ("Male",)),)), "people-wants-person-columns"),
        (Query("q", "count-people", of="people"), "people-of-statistic"),
        (Query("q", of="people", by=("made",)), None),
        (Query("q", of="people"), None),
    ],
)
def test_a_query_of_people_asks_what_people_have(asked: Query, code: str | None) -> None:
    study = study_with(ANSWER, OfPerson("any", where=(IsIn("sex", ("Male",)),)))
    study = replace(study, queries=(replace(asked, epsilon=Epsilon.of("0.1")),))
    assert [p.code for p in check(study)] == ([] if code is None else [code])
    alone = replace(study, unit=Unit())
    assert "people-without-person" in [p.code for p in check(alone)]


def test_categories_are_not_looked_for_in_a_derived_column() -> None:
    made = replace(GROUPS, made_from=merged("Female"))
    asked = FOUND.having(column="made")
    study = replace(GOOD, columns=(STAY, SEX, made), queries=(asked,))
    assert "found-of-derived" in [p.code for p in check(study)]


def test_the_columns_that_a_derived_one_is_made_of_need_their_bounds() -> None:
    """A query for bounds leaves a column open, unless something is made of it."""
    open_ = replace(STAY, lower=None, upper=None)
    bounds = GOOD.queries[0].having(id="b", statistic="bounds", column="stay")
    study = replace(GOOD, columns=(open_, SEX), queries=(bounds,))
    assert "lower-not-declared" not in [p.code for p in check(study)]
    made = replace(NUMBER, made_from=Arithmetic("add", (Operand("stay"), Decimal(1))))
    study = replace(study, columns=(*study.columns, made))
    assert "lower-not-declared" in [p.code for p in check(study)]


@pytest.mark.parametrize("step", ["0", "-1"])
def test_a_step_that_is_not_above_0_is_said_and_not_worked_with(step: str) -> None:
    made = replace(NUMBER, step=Decimal(step), made_from=DatePart("year", ADMITTED.name))
    found = check(replace(GOOD, columns=(*GOOD.columns, made)))
    assert [(problem.path, problem.code) for problem in found] == [
        (f"{AT}.step", "step-not-positive")
    ]
