# SPDX-License-Identifier: Apache-2.0
"""Cells to codes: exact, total, and by the declared rules."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.data.encoding.cell_parser import cell_parser
from dpdesk.data.encoding.missing_and_invalid import (
    MISSING,
    OUTSIDE,
    UNKNOWN,
    UNPARSABLE,
    missing_code,
)
from dpdesk.data.encoding.number import GridReader, round_half_even
from dpdesk.study.model.columns import CategoryColumn, Column, NumberColumn, Replace, YesNoColumn
from tests.data.reference import decimal_of, grid_index


def number(lower: str = "0", upper: str = "10", step: str = "1", **rules: object) -> NumberColumn:
    return NumberColumn("n", Decimal(lower), Decimal(upper), Decimal(step), **rules)


def code(column: Column, text: str, missing: tuple[str, ...] = (), decimal: str = ".") -> int:
    return cell_parser(column, missing, decimal)(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3", 3), (" 3\t", 3), ("3.0", 3), ("+3", 3), ("03", 3), ("3e0", 3), ("30E-1", 3),
        (".3e1", 3), ("3.", 3), ("\u00a03\u00a0", 3), ("\uff13", 3), ("-0", 0), ("0e999", 0),
        ("2.5", 2), ("3.5", 4), ("2.5000000000000000000000000000000000000001", 3),
        ("2.4999999999999999999999999999999999999999", 2), ("0.5", 0), ("9.5", 10),
        ("10.0001", 10), ("-1", 0), ("\u22121", 0), ("1e30", 10), ("-1e30", 0),
        ("1e999999999999999999999999999", 10), ("-1e999999999999999999999999999", 0),
        ("1e-999999999999999999999999999", 0), ("9" * 64, 10), ("0" * 63 + "3", 3),
        ("0" * 64 + "3", 3), ("-" + "0" * 64 + "3", 0), ("0" * 65, 0),
    ],
)  # fmt: skip
def test_numbers_land_on_the_nearest_grid_point(text: str, expected: int) -> None:
    assert code(number(), text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "abc", "1,5", "1 000", "1'000", "1_000", "0x10", "inf", "-inf", "Infinity", "nan", "NaN",
        "1e", "e5", ".", "-", "+", "--1", "1-", "1e1.5", "1.2.3", "\u0661", "\u00bd", "1\u00b2",
        "5 days", "<5", "5%", "\x003", "3\x00", "3\n4", "TRUE", "9" * 65, "1" * 10**6,
        "0." + "0" * 64, "0" + "9" * 65,
        "\ufdfa" * 10, "\U0001d7d8" * 65,
    ],
)  # fmt: skip
def test_what_is_no_number(text: str) -> None:
    assert code(number(), text) == UNPARSABLE
    assert code(number(unparsable=Replace(Decimal(4))), text) == 4


def test_the_decimal_mark_is_the_declared_one() -> None:
    column = number(step="0.5")
    assert code(column, "2,5", decimal=",") == 5
    assert code(column, "2.5", decimal=",") == UNPARSABLE
    assert code(column, "1.234,5", decimal=",") == UNPARSABLE
    assert code(column, "1,5", decimal=".") == UNPARSABLE


@pytest.mark.parametrize(
    ("column", "text", "expected"),
    [
        (number("-5", "5", "2.5"), "-5", 0),
        (number("-5", "5", "2.5"), "-3.75", 0),
        (number("-5", "5", "2.5"), "-1.25", 2),
        (number("0.1", "0.9", "0.1"), "0.3", 2),
        (number("0", "1E+3", "1E+1"), "25", 2),
        (number("0", "1E+3", "1E+1"), "25.0000001", 3),
        (number("1E-30", "9E-30", "1E-30"), "3.4E-30", 2),
        (number("-2147483647", "2147483647", "2"), "2147483646", 2**31 - 2),
        (number("1000000", "1000001", "0.001"), "1000000.4996", 500),
    ],
)
def test_grids_of_every_kind(column: NumberColumn, text: str, expected: int) -> None:
    assert code(column, text) == expected


@given(
    text=st.one_of(
        st.floats(allow_nan=False, allow_infinity=False, width=64).map(repr),
        st.decimals(-50, 50, places=3).map(str),
        st.text(st.sampled_from("0123456789.,eE+- x"), max_size=9),
        st.integers(-(2**70), 2**70).map(str),
    ),
    lower=st.sampled_from(["-6", "0", "0.5", "-1E+2"]),
    step=st.sampled_from(["1", "0.1", "0.25", "3", "1E+1"]),
    last=st.integers(1, 1000),
    mark=st.sampled_from([".", ","]),
)
def test_numbers_agree_with_fractions(
    text: str, lower: str, step: str, last: int, mark: str
) -> None:
    column = number(lower, str(Decimal(lower) + last * Decimal(step)), step, missing="drop")
    found = decimal_of(text, mark)
    if found is None:
        expected = UNPARSABLE if text.strip() else MISSING
    else:
        inside = min(max(Fraction(found), Fraction(column.lower)), Fraction(column.upper))
        expected = grid_index(column, inside)
    assert code(column, text, decimal=mark) == expected


@pytest.mark.threat("A5")
@given(top=st.integers(-(10**6), 10**6), bottom=st.integers(1, 10**4))
def test_rounding_is_half_to_even(top: int, bottom: int) -> None:
    assert round_half_even(top, bottom) == round(Fraction(top, bottom))


@given(text=st.text(max_size=20))
def test_no_text_raises(text: str) -> None:
    columns = (
        number(),
        CategoryColumn("c", ("a", "b"), unknown="category"),
        YesNoColumn("y", ("yes",), ("no",), unknown=Replace("no")),
    )
    assert code(columns[0], text) in (MISSING, UNPARSABLE, *range(11))
    assert code(columns[1], text) in (MISSING, 0, 1, 2)
    assert code(columns[2], text) in (MISSING, 0, 1)


def test_numbers_outside_the_bounds() -> None:
    assert code(number(), "10.4") == 10
    for text in ("10.4", "-0.0001", "1e400"):
        assert code(number(outside="drop"), text) == OUTSIDE
        assert code(number(outside=Replace(Decimal("7.4"))), text) == 7
    assert code(number(outside="drop"), "10.0") == 10


@pytest.mark.threat("A8")
@pytest.mark.parametrize("text", ["", " ", "\t", "\u00a0", "\ufeff", "?", " ? ", "99", "99.0", "n"])
def test_missing_numbers(text: str) -> None:
    column = number(missing=Replace(Decimal(3)), missing_values=("99", "n"))
    assert code(column, text, missing=("?",)) == MISSING
    assert missing_code(column) == 3
    assert missing_code(number()) == MISSING


def test_a_missing_marker_holds_for_its_own_column_alone() -> None:
    assert code(number("0", "100"), "99") == 99
    assert code(number("0", "100", missing_values=("99",)), "99") == MISSING
    assert code(number("0", "100", missing_values=("99",)), "98.9") == 99


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A", 0), (" A ", 0), ("\ufeffA", 0), ("a", UNKNOWN), ("\u00c4", 1), ("A\u0308", 1),
        ("01", 2), ("1", UNKNOWN), ("None", 3), ("NA", UNKNOWN), ("", MISSING), ("?", MISSING),
        ("nan", UNKNOWN), ("A\x00", UNKNOWN), ("A B", UNKNOWN), ("(other)", UNKNOWN),
    ],
)  # fmt: skip
def test_categories(text: str, expected: int) -> None:
    column = CategoryColumn("c", (" A", "\u00c4", "01", "None"))
    assert code(column, text, missing=("?",)) == expected


def test_unknown_categories() -> None:
    values = ("A", "B")
    assert code(CategoryColumn("c", values, unknown="category"), "C") == 2
    assert code(CategoryColumn("c", values, unknown="category", missing="category"), "C") == 2
    assert code(CategoryColumn("c", values, unknown=Replace("B")), "C") == 1
    assert missing_code(CategoryColumn("c", values, missing="category")) == 2
    both = CategoryColumn("c", values, unknown="category", missing="category")
    assert missing_code(both) == 3
    assert missing_code(CategoryColumn("c", values, missing=Replace("B"))) == 1


def test_yes_and_no() -> None:
    column = YesNoColumn("y", ("<30", "1"), (">30", "NO"), unknown="category", missing="category")
    texts = ("NO", ">30", "<30", " 1", "no", "", "?")
    assert [code(column, text, missing=("?",)) for text in texts] == [0, 0, 1, 1, 2, -1, -1]
    assert missing_code(column) == 3
    assert missing_code(YesNoColumn("y", ("1",), ("0",), missing=Replace("1"))) == 1


def test_a_number_needs_its_bounds() -> None:
    with pytest.raises(ValueError, match="no bounds"):
        GridReader(NumberColumn("n"), ".")
    with pytest.raises(ValueError, match="constant"):
        cell_parser(number(outside=Replace("much")), (), ".")


@pytest.mark.parametrize("mark", [".", ",", " ", "'"])
def test_groups_of_a_number_have_three_digits_each_and_begin_with_no_zero(mark: str) -> None:
    """``0.123`` with points between thousands is no 123: somebody wrote a decimal point."""
    column = NumberColumn("x", lower=Decimal(0), upper=Decimal(9_999_999), step=Decimal(1))
    parse = cell_parser(column, (), "," if mark == "." else ".", mark)
    numbers = {"1{0}234{0}567": 1_234_567, "12{0}000": 12_000, "1234567": 1_234_567}
    for text, value in numbers.items():
        assert parse(text.format(mark)) == value
    for text in (
        "0{0}123",
        "01{0}234",
        "1{0}23",
        "1{0}2345",
        "1234{0}567",
        "1{0}234567",
        "1{0}{0}234",
    ):
        assert parse(text.format(mark)) == UNPARSABLE, text
