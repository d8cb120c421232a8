# SPDX-License-Identifier: Apache-2.0
"""Typed amounts: read exactly or refused, never guessed."""

from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.release.record.amounts import (
    DEFAULT_DELTA,
    delta_text,
    parse_delta,
    parse_share,
)
from dpdesk.study.model.amount import (
    MAX_DELTA_ATTO,
    MAX_EPSILON_MICRO,
    MAX_RHO_NANO,
    Delta,
    Epsilon,
    Rho,
)
from dpdesk.study.problem import Refused


def code_of(text: str) -> str:
    with pytest.raises(Refused) as refused:
        parse_share(Epsilon, text)
    return refused.value.problems[0].code


@given(st.integers(1, MAX_EPSILON_MICRO))
def test_every_amount_reads_back(micro: int) -> None:
    assert parse_share(Epsilon, str(Epsilon(micro))).micro == micro


@pytest.mark.threat("E12")
@given(st.text(max_size=12))
def test_a_text_is_an_amount_or_refused(text: str) -> None:
    try:
        amount = parse_share(Epsilon, text)
    except Refused:
        return
    assert text.isascii() and 0 < amount.micro <= MAX_EPSILON_MICRO


@pytest.mark.parametrize("text", ["0,1", "1,000.5", "1.000,5", ",5"])
def test_a_comma_is_named(text: str) -> None:
    assert code_of(text) == "amount-comma"


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "1 ", " 1", "1\n", "+1", "-1", ".5", "5.", "1e-1", "1E2", "0x1", "1_000", "nan"),
        *("inf", "Infinity", "1.2.3", "\u0661", "\uff11", "\u00bd", "\u0967.5", "1\u066b5", "1/2"),
    ],
)
def test_what_is_no_plain_decimal_is_refused(text: str) -> None:
    assert code_of(text) == "amount-malformed"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("0", "epsilon-not-positive"),
        ("0.000000", "epsilon-not-positive"),
        ("0.0000001", "epsilon-too-fine"),
        ("100.000001", "epsilon-too-large"),
        ("999999999", "epsilon-too-large"),
    ],
)
def test_amounts_out_of_range_are_refused(text: str, code: str) -> None:
    assert code_of(text) == code


@pytest.mark.threat("E12")
def test_three_amounts_that_floats_get_wrong() -> None:
    total = parse_share(Epsilon, "0.1") + parse_share(Epsilon, "0.2") + parse_share(Epsilon, "0.7")
    assert total == parse_share(Epsilon, "1")


@given(st.integers(1, MAX_RHO_NANO))
def test_every_rho_reads_back(nano: int) -> None:
    assert parse_share(Rho, str(Rho(nano))) == Rho(nano)


@given(st.integers(2, MAX_DELTA_ATTO))
def test_every_delta_reads_back(atto: int) -> None:
    assert parse_delta(str(Delta(atto))) == Delta(atto)


@given(st.integers(1, 10**10 - 1), st.integers(9, 14))
def test_a_delta_reads_back_as_people_write_it(digits: int, places: int) -> None:
    delta = Delta(min(digits * 10 ** max(0, 14 - places), MAX_DELTA_ATTO))
    assert delta.atto < 2 or parse_delta(delta_text(delta)) == delta


@given(st.text("0123456789.,e-+E \u0661", max_size=12))
def test_a_text_is_a_rho_or_a_delta_or_refused(text: str) -> None:
    for parse, least, most in (
        (partial(parse_share, Rho), 1, MAX_RHO_NANO),
        (parse_delta, 2, MAX_DELTA_ATTO),
    ):
        try:
            amount = parse(text)
        except Refused:
            continue
        assert text.isascii() and least <= amount.units <= most


@pytest.mark.parametrize(
    "text",
    ["", "1e9", "1e+9", "1E-9", " 1e-9", "1e-9 ", "e-9", ".1e-9", "1.e-9", "10e-9", "1e-999"],
)
def test_a_delta_has_one_of_two_forms(text: str) -> None:
    with pytest.raises(Refused, match="delta-malformed"):
        parse_delta(text)


@pytest.mark.threat("A15")
def test_the_default_delta_is_one_in_a_thousand_million() -> None:
    assert parse_delta("1e-9") == parse_delta("0.000000001") == DEFAULT_DELTA
