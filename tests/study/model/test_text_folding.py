# SPDX-License-Identifier: Apache-2.0
"""When a cell is a declared text: letter by letter, or without case and outer spaces."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.data.encoding.cell_parser import cell_parser
from dpdesk.data.encoding.missing_and_invalid import MISSING, UNKNOWN
from dpdesk.privacy.compiler import compile
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.json.study_writer import column_to_members, study_to_bytes
from dpdesk.study.model.columns import CategoryColumn, Column, NumberColumn, YesNoColumn
from dpdesk.study.model.text_folding import (
    EXACT,
    FOLDED,
    comparison_of,
    comparisons,
    folded,
    has_collision,
    tidy,
)
from tests.release.studies import STUDY
from tests.strategies import category_columns, yes_no_columns

SEX = CategoryColumn("sex", ("Female", "Male"), compare="folded")
ILL = YesNoColumn("ill", ("Yes", "1"), ("No", "0"), compare="folded")


def read(column: Column, text: str, missing: tuple[str, ...] = ()) -> int:
    return cell_parser(column, missing, ".")(text)


@pytest.mark.parametrize(
    "text",
    ["male", "MALE", " Male ", "\u00a0male\u00a0", "\u202fmAlE\t", "\ufeffmale", "male\u2007"],
)
def test_case_and_outer_spaces_make_no_difference(text: str) -> None:
    assert read(SEX, text) == 1
    assert read(replace(SEX, compare="exact"), text) == (1 if tidy(text) == "Male" else UNKNOWN)


@pytest.mark.parametrize("text", ["m", "ma le", "males", "\u00b9male", "\uff2dale", "ma\u00a0le"])
def test_nothing_else_is_made_alike(text: str) -> None:
    """No compatibility forms, no spaces inside: a value that is merged is counted wrong."""
    assert read(SEX, text) == UNKNOWN


def test_yes_and_no_and_markers_are_folded_too() -> None:
    assert [read(ILL, text, ("NA",)) for text in (" YES", "no\u00a0", "na", "")] == [1, 0, -1, -1]
    named = CategoryColumn("sex", ("1", "2"), labels=("Female", "Male"), compare="folded")
    assert [read(named, text) for text in ("1", "female", "MALE")] == [0, 0, 1]


@pytest.mark.parametrize(
    ("column", "missing"),
    [
        (CategoryColumn("x", ("m", "M"), compare="folded"), ()),
        (CategoryColumn("x", ("a", "b"), labels=("B", "C"), compare="folded"), ()),
        (CategoryColumn("x", ("a", "b"), labels=("One", "one"), compare="folded"), ()),
        (CategoryColumn("x", ("NO", "SE"), compare="folded"), ("no",)),
        (CategoryColumn("x", ("na", "b"), missing_values=("NA",), compare="folded"), ()),
        (YesNoColumn("x", ("y",), ("Y",), compare="folded"), ()),
        (CategoryColumn("x", ("Straße", "STRASSE"), compare="folded"), ()),
    ],
)
def test_a_column_in_which_two_meanings_collide_is_compared_exactly(
    column: Any, missing: tuple[str, ...]
) -> None:
    assert comparison_of(column, missing) == EXACT
    assert has_collision(column, missing)
    exact = replace(column, compare="exact")
    texts = [
        *getattr(column, "values", ()),
        *getattr(column, "labels", ()),
        *missing,
        "NA",
        "X",
        "b",
    ]
    for text in texts:
        for spelled in (text, text.upper(), text.lower()):
            assert read(column, spelled, missing) == read(exact, spelled, missing)


def test_two_spellings_of_one_meaning_are_no_collision() -> None:
    assert comparison_of(YesNoColumn("x", ("y", "Y"), ("n",), compare="folded")) == FOLDED
    same = CategoryColumn("x", ("f", "m"), labels=("F", "M"), compare="folded")
    assert comparison_of(same, ("NA", "na")) == FOLDED
    assert not has_collision(same)
    assert comparison_of(replace(same, compare="exact")) == EXACT
    assert not has_collision(replace(same, compare="exact"))
    assert comparison_of(NumberColumn("x")) == EXACT


@given(st.text(max_size=12))
def test_folding_is_a_function_of_the_text_that_is_done_at_once(text: str) -> None:
    once = folded(text)
    assert folded(once) == once
    assert folded(tidy(text)) == once
    assert folded(f" \u00a0{text}\u3000\u200b ") == once
    assert unicodedata.is_normalized("NFC", once)


@given(st.one_of(category_columns(), yes_no_columns()), st.text(max_size=8))
def test_folding_only_adds_what_is_read(column: Any, text: str) -> None:
    """What letter by letter was a value or missing stays what it was."""
    exact, other = replace(column, compare="exact"), replace(column, compare="folded")
    listed = (*getattr(column, "values", ()), *getattr(column, "yes", ()), *column.missing_values)
    for cell in (text, *listed):
        code = read(exact, cell)
        assert code in (UNKNOWN, read(other, cell)) or read(other, cell) >= MISSING


def test_a_study_that_does_not_say_compares_exactly_and_asks_the_same_question() -> None:
    """Written as before, so that old answers and old bundles stay what they were."""
    (sex,) = (c for c in STUDY.columns if c.name == "sex")
    assert "compare" not in column_to_members(sex)
    assert "compare" not in compile(STUDY).queries[1].canonical
    other = replace(STUDY, columns=(STUDY.columns[0], replace(sex, compare="folded")))
    assert study_from_bytes(study_to_bytes(other)) == other
    before, after = compile(STUDY).queries, compile(other).queries
    assert before[0].canonical == after[0].canonical, "the column is not used there"
    assert before[1].canonical != after[1].canonical


def test_what_a_query_uses_is_listed_with_how_it_is_compared() -> None:
    (sex,) = (c for c in STUDY.columns if c.name == "sex")
    assert comparisons(STUDY) == {sex: EXACT}
    assert comparisons(replace(STUDY, queries=STUDY.queries[:1])) == {}
