# SPDX-License-Identifier: Apache-2.0
"""Numbers to their magnitudes: cells of a column whose bounds nobody knows, and grid values."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from dpdesk.data.encoding.number import DecimalNumber, GridReader, NumberReader
from dpdesk.study.model.columns import Column, NumberColumn, number_grid
from dpdesk.study.model.magnitudes import (
    BITS,
    MAGNITUDES,
    is_unbounded,
    magnitude_of,
    magnitude_of_ratio,
)

Codes = npt.NDArray[np.signedinteger[Any]]
Rows = npt.NDArray[np.intp]

_MANY_DIGITS = 80
"""A number of this many digits before the point has more than 2^40 steps of any step."""


class MagnitudeReader(NumberReader):
    """Reads numbers and says their magnitude in steps; total, and as cheap for ``1e999999999``."""

    def __init__(self, column: NumberColumn, decimal: str, thousands: str = "") -> None:
        if column.step is None:
            raise ValueError("the column has no step yet")
        super().__init__(decimal, thousands)
        self._numerator, self._denominator = column.step.as_integer_ratio()

    def index(self, number: DecimalNumber) -> tuple[int, bool]:
        """The code of a number's magnitude, and whether it is below the largest one."""
        digits, exponent = number
        length = len(str(abs(digits))) + exponent
        if digits == 0 or length < -_MANY_DIGITS:
            return BITS, True
        if length > _MANY_DIGITS:
            return magnitude_of(2**BITS if digits > 0 else -(2**BITS))
        value = digits * 10 ** max(0, exponent) * self._denominator
        return magnitude_of_ratio(value, 10 ** max(0, -exponent) * self._numerator)


def number_reader(
    column: NumberColumn, decimal: str, thousands: str = ""
) -> GridReader | MagnitudeReader:
    """What reads a column's cells."""
    return (MagnitudeReader if is_unbounded(column) else GridReader)(column, decimal, thousands)


def rows_by_magnitude(codes: Codes, column: Column) -> npt.NDArray[np.int64]:
    """How many rows have each magnitude.

    Args:
        codes: of the rows that count: magnitudes where the column has no bounds, else grid indices.
        column: the column.
    """
    if not isinstance(column, NumberColumn):
        raise ValueError("only numbers have a magnitude")
    magnitudes = codes if is_unbounded(column) else _of_grid(codes, column)
    return np.bincount(magnitudes, minlength=MAGNITUDES).astype(np.int64)


def _of_grid(indices: Codes, column: NumberColumn) -> Rows:
    """The magnitude of grid values; what is beyond the largest has the largest."""
    grid = number_grid(column)
    quanta = grid.offset + grid.factor * indices.astype(np.int64)
    steps = np.abs(quanta) // grid.factor
    digits = np.searchsorted(2 ** np.arange(BITS, dtype=np.int64), steps, side="right")
    rows: Rows = BITS + np.sign(quanta) * digits
    return rows
