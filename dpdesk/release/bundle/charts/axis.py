# SPDX-License-Identifier: Apache-2.0
"""The axis of numbers of a chart: where its ticks are, and how they are written."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import ceil, floor, log10
from typing import NamedTuple

from dpdesk.study.text.number_text import ENGLISH, NumberStyle, in_column, plain

MOST_TICKS = 6
_STEPS = (1, 2, 5, 10)


class Tick(NamedTuple):
    """A number of an axis, and what is written there."""

    value: float
    text: str


def ticks(
    low: float, high: float, style: NumberStyle = ENGLISH, behind: str = "", most: int = MOST_TICKS
) -> tuple[Tick, ...]:
    """Round numbers between two ends, about that many, all with as many decimals.

    Args:
        low: where the axis begins.
        high: where it ends; above ``low``.
        behind: what is behind each number, such as a percent sign.
        most: how many steps there may be.

    >>> [tick.text for tick in ticks(0, 1149)], [tick.text for tick in ticks(-0.3, 0.61)]
    (['0', '200', '400', '600', '800', '1,000'], ['−0.2', '0.0', '0.2', '0.4', '0.6'])
    >>> [tick.text for tick in ticks(0, 100, behind=" %", most=4)]
    ['0 %', '50 %', '100 %']
    """
    if not high > low:
        return (Tick(low, in_column(plain(Decimal(repr(low))), style) + behind),)
    step = _step((high - low) / most)
    places = max(0, -floor(log10(step)))
    first, last = (
        ceil(Fraction(low) / step - Fraction(1, 10**6)),
        floor(Fraction(high) / step + Fraction(1, 10**6)),
    )
    values = (step * number for number in range(first, last + 1))
    return tuple(Tick(float(one), _text(one, places, style) + behind) for one in values)


def _step(least: float) -> Fraction:
    """The smallest of 1, 2 and 5 times a power of ten that is no smaller."""
    power = Fraction(10) ** floor(log10(least))
    return next(power * times for times in _STEPS if float(power * times) >= least * (1 - 1e-9))


def _text(value: Fraction, places: int, style: NumberStyle) -> str:
    return in_column(f"{Decimal(round(value * 10**places)).scaleb(-places):f}", style)
