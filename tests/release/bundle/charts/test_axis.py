# SPDX-License-Identifier: Apache-2.0
"""The ticks of an axis are few round numbers within it."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from dpdesk.release.bundle.charts.axis import MOST_TICKS, ticks
from dpdesk.study.text.number_text import NumberStyle

ENDS = st.floats(-1e9, 1e9, allow_nan=False)


@given(ENDS, st.floats(1e-6, 1e9))
def test_ticks_are_a_few_round_numbers_within_the_ends(low: float, span: float) -> None:
    high = low + span
    if not high > low:
        return
    found = ticks(low, high)
    assert 1 <= len(found) <= MOST_TICKS + 1
    slack = span * 1e-5
    assert all(low - slack <= tick.value <= high + slack for tick in found)
    assert len({len(tick.text.partition(".")[2]) for tick in found}) == 1
    assert len({tick.text for tick in found}) == len(found)


def test_an_axis_from_0_has_its_0_and_at_least_two_more() -> None:
    for high in (0.003, 0.9, 1.0, 7.1, 1149.0, 58692487.0):
        found = ticks(0, high)
        assert found[0].value == 0 and len(found) >= 3


def test_ticks_are_written_in_the_language() -> None:
    german = NumberStyle(",", ".")
    assert [tick.text for tick in ticks(0, 3000, german, most=3)] == [
        "0",
        "1.000",
        "2.000",
        "3.000",
    ]
    assert [tick.text for tick in ticks(0, 1, german, " %", most=2)] == ["0,0 %", "0,5 %", "1,0 %"]
    assert Decimal(ticks(-2, 2, most=2)[0].text.replace("\N{MINUS SIGN}", "-")) == -2
