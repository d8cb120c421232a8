# SPDX-License-Identifier: Apache-2.0
"""Budget is counted in whole millionths: nothing is rounded, nothing is lost."""

from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.study.json.json_reader import share_problem
from dpdesk.study.model.amount import MAX_EPSILON_MICRO, MAX_RHO_NANO, ZERO, Delta, Epsilon, Rho

micros = st.integers(0, 10**15)


def test_parts_add_up_as_on_paper() -> None:
    assert Epsilon.of("0.1") + Epsilon.of("0.2") + Epsilon.of("0.7") == Epsilon.of("1")
    assert sum([Epsilon.of("0.1")] * 10, ZERO) == Epsilon.of(1)
    assert Epsilon.of("1") - Epsilon.of("0.9") == Epsilon.of("0.1")


@given(micros, micros)
def test_addition_is_exact_and_undone_by_subtraction(first: int, second: int) -> None:
    total = Epsilon(first) + Epsilon(second)
    assert total.as_fraction() == Fraction(first, 10**6) + Fraction(second, 10**6)
    assert total - Epsilon(second) == Epsilon(first)


@given(st.integers(0, 10**14))
def test_an_amount_is_written_as_it_was_read(micro: int) -> None:
    text = str(Epsilon(micro))
    assert Epsilon.of(text) == Epsilon(micro)
    assert Decimal(text) == Decimal(micro) / 10**6
    assert "E" not in text
    assert not (("." in text) and text.endswith(("0", ".")))


@pytest.mark.parametrize(
    ("text", "written"),
    [("0.100000", "0.1"), ("1.0", "1"), ("1e1", "10"), ("100", "100"), ("1E-6", "0.000001")],
)
def test_one_amount_has_one_text(text: str, written: str) -> None:
    assert str(Epsilon.of(text)) == written


BAD = ["", "abc", "1,5", "NaN", "sNaN", "Infinity", "-1", "0.0000001", "1e-7", "1e999999999"]
BAD += ["0.1000000000000000000000000000001", "1 000", "0x1", "1e-999999999"]


@pytest.mark.parametrize("text", BAD)
def test_what_is_no_amount_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match="an amount of budget"):
        Epsilon.of(text)


@pytest.mark.parametrize("micro", [-1, 0.5, 1.0, True, "1", Decimal(1)])
def test_an_amount_that_is_not_whole_cannot_exist(micro: Any) -> None:
    with pytest.raises(ValueError, match="whole number of micro-epsilon"):
        Epsilon(micro)


def test_nothing_is_spent_twice() -> None:
    with pytest.raises(ValueError, match="0 or more"):
        Epsilon.of("0.1") - Epsilon.of("0.2")


def test_amounts_are_ordered_as_their_size() -> None:
    assert Epsilon.of("0.2") < Epsilon.of("0.3") <= Epsilon.of("0.30") < Epsilon.of("10")


def test_no_setting_of_decimal_changes_an_amount() -> None:
    with localcontext() as context:
        context.prec = 2
        assert Epsilon.of("12.345678").micro == 12_345_678


@given(st.decimals(allow_nan=True, allow_infinity=True))
def test_forms_and_amounts_agree_on_what_can_be_spent(value: Decimal) -> None:
    if share_problem(Epsilon, value) is None:
        assert 0 < Epsilon.of(value).micro <= MAX_EPSILON_MICRO
    elif share_problem(Epsilon, value) == "epsilon-too-fine":
        with pytest.raises(ValueError, match="six decimals"):
            Epsilon.of(value)


@pytest.mark.parametrize("micro", [1, 10, 100_000, 333_333, MAX_EPSILON_MICRO])
def test_every_share_can_be_typed(micro: int) -> None:
    assert share_problem(Epsilon, Epsilon(micro).as_decimal()) is None


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("0", "epsilon-not-positive"),
        ("-1", "epsilon-not-positive"),
        ("NaN", "epsilon-not-positive"),
        ("101", "epsilon-too-large"),
        ("1e-10", "rho-too-fine"),
        ("0.1234567891", "rho-too-fine"),
    ],
)
def test_what_is_no_rho_has_its_code(text: str, code: str) -> None:
    assert share_problem(Rho, Decimal(text)) == code


@pytest.mark.parametrize("nano", [1, 10, 333_333_333, MAX_RHO_NANO])
def test_every_rho_can_be_typed(nano: int) -> None:
    assert share_problem(Rho, Rho(nano).as_decimal()) is None


def test_amounts_of_different_measures_never_mix() -> None:
    assert Epsilon(5) != Rho(5)
    for mix in (Epsilon.__add__, Epsilon.__sub__):
        with pytest.raises(TypeError, match="different measures"):
            mix(Epsilon(5), Rho(5))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        assert Epsilon(5) < Rho(6)


def test_a_delta_is_as_small_as_it_is_typed() -> None:
    assert Delta.of("1e-9").atto == 10**9
    assert str(Delta.of("0.000000001")) == "0.000000001"
