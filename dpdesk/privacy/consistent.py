# SPDX-License-Identifier: Apache-2.0
"""The figures of one query after they were made consistent with those of others."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np
import numpy.typing as npt

from dpdesk.privacy.noise.noise import Noise

FloatArray = npt.NDArray[np.float64]

NoiseTerm = tuple[Noise, float, int]
NoiseTerms = tuple[NoiseTerm, ...]
"""A weighted sum of independent noises: noise, weight, and how many have that weight."""


class FigureErrors(Protocol):
    """How far off consistent figures can be: known before the release, alike for all cells."""

    @property
    def least_certain(self) -> int:
        """Up to which line of a cell the rows have the largest variance."""

    def terms(self, line: int = 0, share: float = 0.0) -> NoiseTerms:
        """The error of the rows of a cell up to one of its lines, less a share of all its rows.

        In whole numbers of the noise. Where a cell has one line, it is the figure's own.
        """

    def half_width(self, line: int = 0, share: float = 0.0, *, miss: float) -> Fraction:
        """It is within that, 1 - miss times in 1."""

    def variance(self, weights: FloatArray) -> float:
        """Of a weighted sum of all lines of the table, in squares of whole numbers of the noise.

        Args:
            weights: one a line, in the table's order.
        """

    def summed(
        self, by: tuple[Hashable, ...], lines: tuple[tuple[float, int], ...] = ()
    ) -> NoiseTerms:
        """The error of the sum of all cells that agree in some of the table's groupings.

        Args:
            by: these groupings.
            lines: of sums that differ in the last of them alone, with their weights, the error of
                the weighted sum.
        """


@dataclass(frozen=True)
class ConsistentFigures:
    """One figure a line, in the unit of the table; of a tree, one a cell.

    Attributes:
        numerators: the exact figures, over ``denominator``.
        published: the same to ``digits`` decimals, as whole numbers; they add up, too.
        margin: each exact figure is within it of the true one, 95 times in 100.
        errors: how far off they can be, in the unit of ``width``.
        width: what a whole number of the noise is worth.
        others: ids of the queries whose tables they add up with.
    """

    numerators: tuple[int, ...]
    denominator: int
    published: tuple[int, ...]
    digits: int
    margin: Fraction
    errors: FigureErrors
    width: Fraction
    others: tuple[str, ...]

    @property
    def noises(self) -> NoiseTerms:
        """The error of each figure, in the unit of ``width``."""
        return self.errors.terms()

    def value(self, line: int) -> Fraction:
        """A figure, exact."""
        return Fraction(self.numerators[line], self.denominator)

    def moved(self, line: int) -> Fraction:
        """How far publishing to that many decimals moved a figure, in steps of the last one."""
        exact = self.numerators[line] * 10**self.digits
        return Fraction(abs(self.published[line] * self.denominator - exact), self.denominator)
