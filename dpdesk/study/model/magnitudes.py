# SPDX-License-Identifier: Apache-2.0
"""Numbers by their magnitude: powers of two of a column's step, on either side of zero.

What a private estimate of bounds counts, for a column whose bounds nobody knows yet. A value is
cut towards zero to whole steps; u steps then lie in the bin of how many binary digits u has.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor
from typing import Final

from dpdesk.study import limits
from dpdesk.study.model.columns import NumberColumn, Origin

BITS: Final = 40
"""Public: numbers of 2^40 steps and more count as if they had 40 binary digits."""

MAGNITUDES: Final = 2 * BITS + 1
"""How many bins there are; code ``BITS`` is that of 0, higher codes are positive numbers."""


def is_unbounded(column: NumberColumn) -> bool:
    """Whether neither bound is declared: such a column is encoded by magnitude."""
    return column.lower is None and column.upper is None


def magnitude_of(steps: int) -> tuple[int, bool]:
    """The code of a whole number of steps, and whether it is below the largest magnitude.

    >>> magnitude_of(0), magnitude_of(5), magnitude_of(-1), magnitude_of(2**40)
    ((40, True), (43, True), (39, True), (80, False))
    """
    digits = abs(steps).bit_length()
    held = min(digits, BITS)
    return BITS + (held if steps > 0 else -held), digits <= BITS


def magnitude_of_ratio(value: int, step: int) -> tuple[int, bool]:
    """The code of a value that is cut towards zero to whole steps; the step is above 0.

    >>> magnitude_of_ratio(7, 2) == magnitude_of(3), magnitude_of_ratio(-7, 2) == magnitude_of(-3)
    (True, True)
    """
    steps = abs(value) // step
    return magnitude_of(steps if value > 0 else -steps)


def ends_of(code: int) -> tuple[int, int]:
    """Between how many steps the numbers of a bin lie.

    >>> ends_of(40), ends_of(43), ends_of(39)
    ((0, 0), (4, 8), (-2, -1))
    """
    digits = abs(code - BITS)
    near, far = (2**digits >> 1, 2**digits) if digits else (0, 0)
    return (near, far) if code >= BITS else (-far, -near)


def span_of(column: NumberColumn, codes: list[int]) -> tuple[Fraction, Fraction]:
    """From the lower end of the lowest bin to the upper end of the highest, in the column's unit.

    Within the declared bounds, where there are any; never empty, even where all is 0.

    Raises:
        ValueError: the column has no step.
    """
    if column.step is None:
        raise ValueError("the column has no step yet")
    low, high = ends_of(min(codes))[0], ends_of(max(codes))[1]
    step = Fraction(column.step)
    lower, upper = low * step, (high if high > low else low + 1) * step
    if column.lower is not None and column.upper is not None:
        lower, upper = max(lower, Fraction(column.lower)), min(upper, Fraction(column.upper))
    return lower, upper


def offered(column: NumberColumn, lower: Decimal, upper: Decimal, release: int) -> NumberColumn:
    """The column with estimated bounds as its declaration, so that it can be released.

    They are moved outwards onto a grid: the column's own, where it has bounds, else whole steps.
    Where that grid would be too fine for such wide bounds the step is doubled until it is not.

    Args:
        column: as the estimate was asked of.
        lower: the estimate.
        upper: the estimate.
        release: number of the account's release that estimated them.
    """
    if column.step is None:
        raise ValueError("the column has no step yet")
    step, start = Fraction(column.step), Fraction(column.lower or 0)
    low, high = Fraction(lower), Fraction(upper)
    while is_unbounded(column) and max(abs(low), abs(high)) > step * (limits.MAX_QUANTA // 2):
        step *= 2
    first = start + floor((low - start) / step) * step
    last = max(start + ceil((high - start) / step) * step, first + step)
    low_end, high_end, width = map(_decimal, (first, last, step))
    origin = Origin(release=release)
    return replace(column, lower=low_end, upper=high_end, step=width, basis="", origin=origin)


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)
