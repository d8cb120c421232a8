# SPDX-License-Identifier: Apache-2.0
"""Numbers as people write and read them: what is shown is read back, what could be two is not."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.study.text.number_text import (
    NumberStyle,
    exact,
    in_column,
    in_text,
    margin,
    plain,
    read_number,
    rounded,
    two_digits,
)

ENGLISH, GERMAN = NumberStyle(".", ","), NumberStyle(",", ".")
FRENCH, SWISS, PLAIN = NumberStyle(",", "\u202f"), NumberStyle(".", "’"), NumberStyle(".", "")
STYLES = [ENGLISH, GERMAN, FRENCH, SWISS, PLAIN]
DECIMALS = st.builds(
    lambda digits, places: Decimal(digits).scaleb(-places),
    st.integers(-(10**15) + 1, 10**15 - 1),
    st.integers(0, 12),
)


@given(DECIMALS, st.sampled_from(STYLES))
def test_what_stands_in_a_sentence_is_read_back_as_the_same_number(
    value: Decimal, style: NumberStyle
) -> None:
    shown = in_text(plain(value), style)
    read = read_number(shown, style)
    # A decimal mark of this style is never the separator of it: "1,500" is no text of ENGLISH.
    assert read == value, (shown, read)


@given(st.text("0123456789.,-+’ \u202f−", max_size=12), st.sampled_from(STYLES))
def test_a_text_with_separators_is_read_only_as_the_number_that_is_shown_so(
    text: str, style: NumberStyle
) -> None:
    value = read_number(text, style)
    typed = text.strip().replace("−", "-").lstrip("+")
    marks = sum(typed.count(mark) for mark in ".,’ \u202f")
    if value is not None and marks > 1:
        shown = in_text(f"{value:f}", style).replace("−", "-").replace("\u202f", " ")
        assert typed.replace("\u202f", " ").startswith(shown.split(style.decimal)[0])


@pytest.mark.parametrize(
    ("text", "style"),
    [
        *((text, ENGLISH) for text in ("1,500", "4,50,000", "0,001,000", "1,5,0", "45,000,")),
        *((text, GERMAN) for text in ("1.500", "1.500.00", "4500.000,5.", "12.50.0")),
        *((text, FRENCH) for text in ("1.500", "45.000", "-45.000", "1.500,5")),
        *((text, GERMAN) for text in ("1 500.000", "1 500’000", "1 5 000", "1 500 ,5", "1  500")),
        *((text, SWISS) for text in ("1,500", "45,000", "1,500.5")),
        *((text, ENGLISH) for text in ("", "-", ".", "1e5", "٣", "1 00", "0 500", "0x10")),
        *((text, ENGLISH) for text in ("nan", "--5")),
    ],
)  # fmt: skip
def test_what_could_be_two_numbers_or_is_none_is_refused(text: str, style: NumberStyle) -> None:
    assert read_number(text, style) is None


@pytest.mark.parametrize(
    ("text", "style", "value"),
    [
        ("0,25", ENGLISH, "0.25"),
        ("0.25", GERMAN, "0.25"),
        ("45,000", ENGLISH, "45000"),
        ("45.000", GERMAN, "45000"),
        ("45 000,5", FRENCH, "45000.5"),
        ("45\u00a0000", FRENCH, "45000"),
        ("−12’345.5", SWISS, "-12345.5"),
        ("1.500", ENGLISH, "1.5"),
        ("1,500", FRENCH, "1.5"),
        ("0.125", GERMAN, "0.125"),
        ("0,125", ENGLISH, "0.125"),
        ("+7", ENGLISH, "7"),
        *(
            (f"1{blank}500", style, "1500")
            for blank in " \u00a0\u2007\u2009\u202f’'"
            for style in STYLES
        ),
        ("−1 234 500,75", GERMAN, "-1234500.75"),
        ("1\u202f500.5", GERMAN, "1500.5"),
        ("12 500,000", GERMAN, "12500"),
    ],
)
def test_what_people_type(text: str, style: NumberStyle, value: str) -> None:
    assert read_number(text, style) == Decimal(value)


def test_a_number_is_written_as_a_person_would() -> None:
    assert rounded(Fraction(20.000000000000004)) == "20"
    assert [in_text(text) for text in ("4500000", "-1234", "-12345", "0.00012345", "2025")] == [
        "4,500,000", "−1234", "−12,345", "0.00012345", "2025",
    ]  # fmt: skip
    assert [in_column(text, GERMAN) for text in ("4500.5", "999")] == ["4.500,5", "999"]
    assert (exact(Fraction(1, 8)), exact(Fraction(1, 3))) == ("0.125", None)
    assert margin(Fraction(45_000), "EUR", GERMAN) == "± 45.000 EUR"


@given(st.fractions(min_value=Fraction(1, 10**9), max_value=10**12))
def test_two_digits_are_never_less_than_the_margin(value: Fraction) -> None:
    shown = Fraction(two_digits(value))
    assert value <= shown <= value * Fraction(111, 100)
    assert abs(Fraction(rounded(value)) - value) <= value / 1000
    assert Fraction(rounded(value, up=True)) >= value
