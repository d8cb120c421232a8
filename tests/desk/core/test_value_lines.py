# SPDX-License-Identifier: Apache-2.0
"""A category's values as lines: what people type, and what is written is read back."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpdesk.desk.core.value_lines import as_lines, declares, read_lines, split_values
from dpdesk.study import limits
from dpdesk.study.model.columns import CategoryColumn
from tests.strategies import category_columns


@pytest.mark.parametrize(
    ("typed", "values", "labels"),
    [
        ("a\nb", ("a", "b"), ()),
        ("1 = Male\n2 = Female", ("1", "2"), ("Male", "Female")),
        ("1=Male\n2 =Female\n3= Other", ("1", "2", "3"), ("Male", "Female", "Other")),
        ("1 = Male\n2", ("1", "2"), ("Male", "2")),
        ("m = Male\nf = Female", ("m", "f"), ("Male", "Female")),
        ("  1   =   Male  ", ("1",), ("Male",)),
        ("1\tMale\n2\tFemale", ("1", "2"), ("Male", "Female")),
        ("1\t\n\t2", ("1", "2"), ()),
        ("-9 = Not asked\n1.5 = Half", ("-9", "1.5"), ("Not asked", "Half")),
        (">=65\n<=5\na=b", (">=65", "<=5", "a=b"), ()),
        (">=65 = old", (">=65",), ("old",)),
        ("1 = a = b", ("1",), ("a = b",)),
        ("1 = 1\n2 = 2", ("1", "2"), ()),
        ("1 =\n2=\nx =", ("1", "2", "x"), ()),
        ("= x\n=", ("= x", "="), ()),
        ('"a = b" = both\n"c = d"', ("a = b", "c = d"), ("both", "c = d")),
        ('"a"\n"b" = B', ('"a"', '"b"'), ('"a"', "B")),
        ("\n  \n1 = Male\n\n", ("1",), ("Male",)),
        ("1\u00a0=\u00a0Ma\u200ble", ("1",), ("Male",)),
    ],
)
def test_what_people_type(typed: str, values: tuple[str, ...], labels: tuple[str, ...]) -> None:
    assert read_lines(typed) == (values, labels)


def test_every_letter_on_the_way_keeps_the_code() -> None:
    """A code that is typed before its name is never another value on the way."""
    line = "1 = Male"
    seen = [read_lines(line[:end]) for end in range(1, len(line) + 1)]
    assert {values for values, _ in seen} == {("1",)}
    assert [labels for _, labels in seen][-2:] == [("Mal",), ("Male",)]


@pytest.mark.parametrize(
    ("typed", "split"),
    [
        ("240-279 = Hormones, nutrition", "240-279 = Hormones, nutrition"),
        ("1 = Male, 2 = Female", "1 = Male\n2 = Female"),
        ("m = Male; f = Female", "m = Male\nf = Female"),
        ("0-9, 10-19", "0-9\n10-19"),
    ],
)
def test_a_separator_in_a_values_name_splits_nothing(typed: str, split: str) -> None:
    assert split_values(typed) == split


@given(category_columns())
@example(CategoryColumn("a", ("a = b", '"', '"x = y"', "1=2", "a ="), labels=()))
@example(CategoryColumn("a", ('"a', "1=2", "x ="), labels=('b"', "= b", "c = d")))
def test_what_is_written_is_read_back(column: CategoryColumn) -> None:
    values = tuple(value.strip() for value in column.values)
    labels = tuple(label.strip() for label in column.labels)
    plain = CategoryColumn("a", values, labels=labels)
    assert read_lines(as_lines(plain)) == (values, () if labels == values else labels)
    assert declares(as_lines(plain), plain)


_lines = st.text(st.sampled_from('1a= \t"\n<é\u200b,-'), max_size=30) | st.text(max_size=60)


@given(_lines)
def test_any_text_is_read_and_stays_what_it_means(text: str) -> None:
    values, labels = read_lines(text)
    assert len(labels) in (0, len(values))
    assert all(v and len(v) <= limits.MAX_TEXT and limits.is_printable_text(v) for v in values)
    column = CategoryColumn("a", values, labels=labels)
    assert read_lines(as_lines(column)) == (values, labels)


def test_labels_that_do_not_fit_are_not_shown() -> None:
    assert as_lines(CategoryColumn("a", ("1", "2"), labels=("Male",))) == "1\n2"


def test_a_long_line_keeps_value_and_name() -> None:
    values, labels = read_lines("v" * 400 + " = " + "n" * 400)
    assert values == ("v" * limits.MAX_TEXT,) and labels == ("n" * limits.MAX_TEXT,)
