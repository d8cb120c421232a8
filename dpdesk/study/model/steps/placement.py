# SPDX-License-Identifier: Apache-2.0
"""Where an exact result is on the grid of a derived number column, in whole numbers.

A result is ``numerator / denominator * unit``, the unit a fraction, the others whole numbers. Its
place on the grid is

    (numerator * times - denominator * minus) / (denominator * per)

with three whole numbers that follow from the unit and the declaration. It is rounded to the
nearest value of the grid, in the middle between two to the one farther from zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm

from dpdesk.study.model.columns import NumberColumn, number_grid

LARGEST: int = 2**63 - 1
"""Of the whole numbers that results are worked out with."""


@dataclass(frozen=True)
class Placement:
    """How results of one unit become grid indices.

    Attributes:
        times: what the numerator is multiplied with.
        minus: what the denominator is multiplied with and taken away.
        per: by what, times the denominator, the rest is divided.
        last: index of the upper bound.
    """

    times: int
    minus: int
    per: int
    last: int

    def largest(self, numerator: int, denominator: int = 1) -> int:
        """The largest whole number that placing meets, or a bound on it.

        Args:
            numerator: the largest size of a numerator.
            denominator: the largest size of a denominator.
        """
        offset = numerator * self.times + denominator * abs(self.minus)
        return 2 * offset + denominator * self.per * max(2, self.last)


@lru_cache(maxsize=256)
def placement(column: NumberColumn, unit: Fraction) -> Placement:
    """How results in a unit above 0 are placed on a complete column's grid.

    Raises:
        ValueError: the column has no bounds yet.
    """
    grid = number_grid(column)
    step = grid.quantum * grid.factor
    lower = grid.quantum * grid.offset
    width, start = unit / step, lower / step
    per = lcm(width.denominator, start.denominator)
    return Placement(int(width * per), int(start * per), per, grid.last)
