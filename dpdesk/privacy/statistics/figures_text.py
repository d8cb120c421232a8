# SPDX-License-Identifier: Apache-2.0
"""Published numbers as decimal texts: exact where they are whole multiples, else rounded honestly.

A margin promises that something holds 95 times in 100; rounding never takes from the promise.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import count

from dpdesk.privacy.usable import Number

EXTRA_DIGITS = 2
NOTHING = ("", "", "", "")
"""Value, margin and range of a line that says nothing (a ratio to a count that is not positive)."""


@dataclass(frozen=True)
class Figure:
    """One published number with its margin, exact."""

    value: Fraction
    half_width: Fraction


def exact_texts(quanta: int, half_width: int, width: Fraction) -> tuple[str, str, str, str]:
    """Value, margin and range in full: whole multiples of a width that is a finite decimal."""
    text = exact_text(width)
    low, high = quanta - half_width, quanta + half_width
    return text(quanta), text(half_width), text(low), text(high)


@lru_cache(maxsize=256)
def exact_text(width: Fraction) -> Callable[[Number], str]:
    """What writes whole multiples of a width that is a finite decimal, in full.

    >>> exact_text(Fraction(1, 2))(-5)
    '-2.5'
    """
    digits = next(n for n in count() if (width * 10**n).denominator == 1)
    unit = int(width * 10**digits)
    return lambda quanta: plain(fixed(int(quanta * unit), digits))


def fixed(whole: int, digits: int) -> str:
    """``whole / 10**digits`` with that many decimals; no precision cuts it short."""
    return f"{Decimal(f'{whole}E-{digits}'):f}" if digits else str(whole)


def plain(text: str) -> str:
    """Without trailing zeros behind the point."""
    return text.rstrip("0").rstrip(".") if "." in text else text


def rounded_texts(
    figure: Figure | None, lowest: Fraction, highest: Fraction
) -> tuple[str, str, str, str]:
    """Value and margin to two digits of the margin; the margin grows by what rounding moves.

    The range is cut at the bounds, rounded outwards: what the margin promises to hold stays in.
    """
    if figure is None:
        return NOTHING
    digits = rounding_digits(figure.half_width)
    unit = 10**digits
    value = round(figure.value * unit)
    moved = abs(value - figure.value * unit)
    margin = math.ceil(figure.half_width * unit + moved)
    low = max(math.floor(lowest * unit), value - margin)
    high = min(math.ceil(highest * unit), value + margin)
    first, second, third, fourth = (fixed(whole, digits) for whole in (value, margin, low, high))
    return first, second, third, fourth


def range_texts(ends: tuple[Fraction, Fraction] | None) -> tuple[str, str]:
    """Both ends of an interval, outwards to two digits of half of its width.

    >>> range_texts((Fraction(4, 7), Fraction(6, 7)))
    ('0.57', '0.86')
    """
    if ends is None:
        return "", ""
    low, high = ends
    digits = rounding_digits((high - low) / 2)
    unit = 10**digits
    return fixed(math.floor(low * unit), digits), fixed(math.ceil(high * unit), digits)


def rounding_digits(half_width: Fraction) -> int:
    """Decimals that show a margin with two significant digits."""
    if half_width <= 0:
        return EXTRA_DIGITS
    return max(0, EXTRA_DIGITS - 1 - math.floor(math.log10(half_width)))
