# SPDX-License-Identifier: Apache-2.0
"""A declaration on two lines, whatever of it is declared."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from dpdesk.data.codebook.change import Change, MemberChange
from dpdesk.desk.text.codebook_words import field_name, line_of, side
from dpdesk.study.model.columns import CategoryColumn, Column, DateColumn, NumberColumn, YesNoColumn
from dpdesk.study.problem import Problem


@pytest.mark.parametrize(
    ("column", "said"),
    [
        (NumberColumn("n"), "Number, no bounds"),
        (NumberColumn("n", label="days"), "Number, no bounds, days"),
        (NumberColumn("n", lower=Decimal("-0.5")), "Number, from −0.5"),
        (NumberColumn("n", upper=Decimal(9), label="kg"), "Number, up to 9 kg"),
        (
            NumberColumn("n", Decimal(0), Decimal(9), Decimal("0.1"), label="kg"),
            "Number, 0 to 9 kg, step 0.1",
        ),
        (CategoryColumn("c"), "Category, no values listed"),
        (CategoryColumn("c", ("a",)), "Category, 1 value: a"),
        (CategoryColumn("c", ("1", "2"), labels=("one",)), "Category, 2 values: 1, 2"),
        (CategoryColumn("c", tuple("abcdef")), "Category, 6 values: a, b, c, d, …"),
        (YesNoColumn("y"), "Yes/no, texts not listed"),
        (YesNoColumn("y", ("ja", "1"), ("nein",)), "Yes/no, yes: ja, 1; no: nein"),
        (DateColumn("d"), "Date, no first and last day, written YYYY-MM-DD"),
        (
            DateColumn("d", date(2020, 1, 1), date(2021, 1, 1), "DD.MM.YYYY"),
            "Date, 2020-01-01 to 2021-01-01, written DD.MM.YYYY",
        ),
    ],
)
def test_a_domain_is_said_in_one_line(qapp: object, column: Column, said: str) -> None:
    assert side(column).first == said


def test_title_missing_values_and_basis_stand_below(qapp: object) -> None:
    column = NumberColumn("n", title="Weight", missing_values=("-9", "-8"), basis="protocol")
    assert side(column).second == "“Weight”; missing: -9, -8"
    assert side(column, with_basis=True).second == "“Weight”; missing: -9, -8; source: protocol"


def test_a_rule_that_would_change_is_named(qapp: object) -> None:
    before, after = NumberColumn("n"), NumberColumn("n", outside="drop")
    change = Change("n", "differs", before, after, (MemberChange("outside", "clamp", "drop"),))
    assert line_of(change).below == ("Would change: rules for invalid cells.",)


def test_notes_of_one_sentence_are_said_once(qapp: object) -> None:
    notes = (Problem("line 2", "codebook-free-text"), Problem("line 9", "codebook-free-text"))
    change = Change("n", "nothing-proposed", notes=notes)
    assert line_of(change).below == ("This is free text, which no statistic counts.",)


@pytest.mark.parametrize("code", ["codebook-record-id", "codebook-type-unused"])
def test_of_what_tells_people_apart_nothing_is_lacking(qapp: object, code: str) -> None:
    """It is declared in People; that no column holds such values would contradict the mark."""
    line = line_of(Change("patient_id", "person", notes=(Problem("line 2", code),)))
    assert (line.mark, line.below) == ("Person ID column", ())


def test_every_field_of_a_column_has_a_name(qapp: object) -> None:
    rules = field_name("missing")
    named = {"title", "label", "lower", "upper", "step", "values", "labels", "yes", "no"}
    names = [field_name(key) for key in (*named, "first", "last", "format", "missing_values")]
    assert len(set(names)) == len(names)
    assert rules not in names
