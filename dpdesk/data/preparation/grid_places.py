# SPDX-License-Identifier: Apache-2.0
"""Exact results to the codes of a derived number or date column, many at a time."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt

from dpdesk.data.encoding.condition_masks import Mask
from dpdesk.data.encoding.missing_and_invalid import MISSING, invalid_codes
from dpdesk.study.model.columns import CLAMP, DateColumn, NumberColumn, last_day_index
from dpdesk.study.model.steps.placement import placement

Ints = npt.NDArray[np.int64]


class NumberPlaces:
    """Places results of one unit on a number column's grid; see ``study.model.steps.placement``."""

    def __init__(self, column: NumberColumn, unit: Fraction) -> None:
        self._places = placement(column, unit)
        self._undefined, outside = invalid_codes(column)
        self._below, self._above = _outside(column, outside, self._places.last)

    def codes(self, numerators: Ints, there: Mask, denominators: Ints | None = None) -> Ints:
        """The code of each row.

        Args:
            numerators: shape ``(rows,)``.
            there: whether each row has a result; the others are missing.
            denominators: what they are divided by; 1 where left out, no result where 0.
        """
        places = self._places
        has_result, positive = there, numerators
        divisors: Ints = np.ones(1, np.int64)
        if denominators is not None:
            has_result, sign = denominators != 0, np.sign(denominators)
            positive = numerators * sign
            divisors = np.where(has_result, denominators * sign, 1)
        offset = positive * places.times - divisors * places.minus
        per = divisors * places.per
        twice = 2 * offset
        # Half away from zero: a value below zero is rounded down in the middle.
        indices = np.where(positive < 0, -((per - twice) // (2 * per)), (twice + per) // (2 * per))
        codes = np.clip(indices, 0, places.last)
        codes[offset < 0] = self._below
        codes[offset > per * places.last] = self._above
        if denominators is not None:
            codes[~has_result] = self._undefined
        codes[~there] = MISSING
        return codes


class DayPlaces:
    """Places days in a date column's period."""

    def __init__(self, column: DateColumn) -> None:
        if column.first is None:
            raise ValueError("the column has no period yet")
        self._first, self._last = column.first.toordinal(), last_day_index(column)
        self._below, self._above = _outside(column, invalid_codes(column)[1], self._last)

    def codes(self, days: Ints, there: Mask) -> Ints:
        """The code of each row; ``days`` are counted from the year 1, as Python does."""
        codes = days - self._first
        is_below, is_above = codes < 0, codes > self._last
        codes[is_below], codes[is_above] = self._below, self._above
        codes[~there] = MISSING
        return codes


def _outside(column: NumberColumn | DateColumn, outside: int, last: int) -> tuple[int, int]:
    """The codes of results below and above the bounds."""
    return (0, last) if column.outside == CLAMP else (outside, outside)
