# SPDX-License-Identifier: Apache-2.0
"""Numbers as people type them: either decimal mark, and nothing that could be two numbers."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.desk.text import words
from dpdesk.desk.text.typed_numbers import (
    amount_from_text,
    decimal_from_text,
    numbers_from_text,
    regrouped,
    whole_from_text,
)
from dpdesk.study.model.amount import Epsilon
from tests.desk.languages import written_as_in


@given(st.decimals(-(10**9), 10**9, places=4))
def test_either_decimal_mark_means_the_same(value: Decimal) -> None:
    text = f"{value:f}"
    assert decimal_from_text(text) == value
    assert decimal_from_text(text.replace(".", ",")) == value
    assert decimal_from_text(text.replace("-", words.MINUS)) == value


@given(st.text(max_size=12))
def test_whatever_is_typed_is_a_number_or_none(text: str) -> None:
    found = decimal_from_text(text)
    assert found is None or found.is_finite()
    amount = amount_from_text(Epsilon, text)
    assert isinstance(amount, str) or amount.micro > 0


@pytest.mark.parametrize(
    "text", ["1.234,5", "1,234.5", "1 00", "1e3", "", "\u0661", "0x1", "1_0", ".", "+"]
)
def test_grouped_and_odd_numbers_are_none(text: str) -> None:
    assert decimal_from_text(text) is None


@pytest.mark.parametrize(
    ("text", "shown"),
    [("45000", "45,000"), ("-45000.50", "−45,000.5"), ("1,500", "1,500"), ("0.40", "0.40"),
     ("4500", "4500"), ("x", "x"), ("45,000", "45,000")],
)  # fmt: skip
def test_a_left_field_has_separators_and_is_read_back(text: str, shown: str) -> None:
    assert regrouped(text) == shown
    if decimal_from_text(text) is not None:
        assert decimal_from_text(shown) == decimal_from_text(text)
    assert decimal_from_text("1,500") is None, "could be 1.5 or 1500"
    assert (whole_from_text("45,000"), whole_from_text("-3")) == (
        45_000,
        None,
    )


@pytest.mark.parametrize(
    ("locale", "text"),
    [("en_US", "1,500"), ("de_DE", "1.500"), ("de_AT", "1\u00a0500"), ("de_AT", "1 500"),
     ("de_AT", "1.500"), ("de_CH", "1\u2019500"), ("de_CH", "1'500"), ("fr_FR", "1\u202f500")],
)  # fmt: skip
def test_a_whole_number_may_have_the_separator_of_the_language(locale: str, text: str) -> None:
    with written_as_in(locale):
        assert whole_from_text(text) == 1500
        assert whole_from_text(text.replace("500", "50")) is None
        meant = None if {",", "."} & {*text} else 1500
        assert decimal_from_text(text) == meant, "where a fraction may be meant, nothing is guessed"


@pytest.mark.parametrize("blank", ["\u00a0", "\u202f", "\u2007", "\u2009"])
def test_a_copied_number_with_separators_is_never_two(blank: str) -> None:
    assert numbers_from_text(f"45{blank}000; 65") == (Decimal(45_000), Decimal(65))
    assert numbers_from_text(f"45{blank}00") is None
    assert numbers_from_text("18; 65\n") == (Decimal(18), Decimal(65))


def test_a_leading_decimal_mark_is_not_dropped() -> None:
    assert numbers_from_text(",5; .25, 1") == (Decimal("0.5"), Decimal("0.25"), Decimal(1))
