# SPDX-License-Identifier: Apache-2.0
"""What a column made from others begins with: by names and declarations alone."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from dpdesk.desk.pages.columns.derived.derived_edits import (
    age_at,
    column_of,
    entries_as_text,
    entries_from_text,
    stay_of,
    usual_step,
    with_bounds,
    worked_out,
)
from dpdesk.study.model.columns import CategoryColumn, DateColumn, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.steps.result import result_of
from dpdesk.study.model.steps.step import (
    SUM,
    Arithmetic,
    FirstThere,
    OfPerson,
    Operand,
    RecodeEntry,
    TimeBetween,
)
from dpdesk.study.model.unit import Unit
from tests.desk.pages.columns.derived.derived_study import FIRST, LAST, READ


def dates(*names: str) -> Study:
    return Study(columns=tuple(DateColumn(name, first=FIRST, last=LAST) for name in names))


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("admission", "discharge"), ("admission", "discharge")),
        (("entlassdatum", "aufnahmedatum"), ("aufnahmedatum", "entlassdatum")),
        (("day_1", "day_2"), ("day_1", "day_2")),
    ],
)
def test_a_stay_begins_with_what_its_name_says(
    names: tuple[str, str], expected: tuple[str, str]
) -> None:
    for name in names:
        assert stay_of(dates(*names), name) == TimeBetween(expected)
    assert stay_of(dates(names[0]), names[0]) is None


def test_an_age_needs_a_birth() -> None:
    study = dates("birth_date", "admission")
    for name in ("birth_date", "admission"):
        assert age_at(study, name) == TimeBetween(("birth_date", "admission"), "years")
    assert stay_of(study, "admission") is None, "nobody stays since birth"
    assert age_at(dates("admission", "discharge"), "admission") is None


def test_bounds_are_worked_out_on_the_step_and_typed_ones_stay() -> None:
    study = Study(columns=READ)
    step = Arithmetic("divide", (Operand("kg"), Operand("m", 2)))
    result = result_of(step, study.by_name)
    assert usual_step(step, result) is None, "nobody said how fine it is"
    assert worked_out(result, Decimal("0.1")) == (Decimal("3.2"), Decimal("200.0"))
    assert worked_out(result, Decimal(3)) == (3, 201), "no result is beyond them"
    made = column_of(step, study, "bmi")
    assert isinstance(made, NumberColumn)
    typed = with_bounds(made, result, {"step": Decimal("0.1"), "upper": Decimal(80)})
    assert (typed.lower, typed.upper, typed.step) == (Decimal("3.2"), 80, Decimal("0.1"))


@pytest.mark.parametrize(
    ("low", "high", "ends"),
    [(1, 14, (1, 280)), (-14, -1, (-280, -1)), (-5, 5, (-100, 100)), (0, 3, (0, 60))],
)
def test_a_sum_of_a_person_begins_with_bounds_on_its_step(
    low: int, high: int, ends: tuple[int, int]
) -> None:
    days = NumberColumn("days", lower=Decimal(low), upper=Decimal(high), step=Decimal(1))
    study = Study(unit=Unit(person="id", max_rows=3), columns=(days,))
    step = OfPerson(SUM, "days")
    result = result_of(step, study.by_name)
    made = column_of(step, study, "all days")
    assert isinstance(made, NumberColumn)
    begun = with_bounds(made, result, {})
    assert (begun.lower, begun.upper, begun.step) == (*ends, 1)


def test_the_first_that_is_there_has_the_values_and_names_of_all() -> None:
    first = CategoryColumn("a", ("1", "2"), labels=("one", "two"))
    study = Study(columns=(first, CategoryColumn("b", ("2", "3"))))
    made = column_of(FirstThere(("a", "b")), study, "c")
    assert isinstance(made, CategoryColumn)
    assert (made.values, made.labels) == (("1", "2", "3"), ("one", "two", "3"))
    again = column_of(FirstThere(("a", "b")), study, "c", replace(made, title="C"))
    assert again == replace(made, title="C"), "what was declared stays"


@pytest.mark.parametrize("text", ["a", "a;b", "a = b", 'a "b"', '"a"', "5% ; x"])
def test_any_value_can_be_merged(text: str) -> None:
    entries = (RecodeEntry(text, (text, "other")), RecodeEntry("rest", ("x", text)))
    assert entries_from_text(entries_as_text(entries)) == entries
