# SPDX-License-Identifier: Apache-2.0
r"""Weighted sums of bins whose weights are the square root of the matrix of running sums.

The matrix L of running sums has ones on and below its diagonal. It is the square of T, lower
triangular with f(k) = C(2k, k) / 4^k in its k-th diagonal, the coefficients of 1 / sqrt(1 - x)
(Fichtenberger, Henzinger and Upadhyay, Constant matters: fine-grained error bound on differentially
private continual observation, 2023). Of the vector x of bins, R x gets Gaussian noise, and

    F = L R^-1 (R x + noise) = L x + L R^-1 noise,    R = T D, D diagonal.

With D = 1, L R^-1 is T again. With D one over the norms of the columns of T a row moves R x equally
far wherever it lies, for which the last lines are more certain (Henzinger, Kalinin and Upadhyay,
Normalized square root: sharper matrix factorization bounds for differentially private continual
counting, 2025). The former is better where rows go from one bin to another of the same cell.

Whole numbers. What is drawn is R' x, R' = T' D' with T' = round(2^14 f(k)) and D' the whole parts
of 2^10 or, over a norm, of 2^10 / norm: whole numbers, so the noise is discrete and each
sensitivity is exact. T' is a triangle with 2^14 in its diagonal and no entry of D' is 0, so R' has
an inverse, whatever was rounded, and F is unbiased: rounding costs accuracy alone, a part in 1,000.
No entry is above 2^24, so sums of ``ROW_CAP`` rows stay below 2^62.

Claim (sensitivity, k rows a person, at most m in one cell of G). Let C be the largest square of a
column's norm and E the largest square of the distance between two columns. Entries are 0 or more.

* add-remove: rows v of a cell move R' v by at most |v|_1 sqrt(C), so that L2 squared is C times
  that of counting rows (``rows_sensitivity``), attained by rows in the bin of that column.
* change-one, several cells: R' v and R' v' have no negative entry, so the square of the norm of
  their difference is at most the sum of both squares: 2 C times that of add-remove; attained where
  a person's rows can all leave their cells for others.
* change-one, one cell: R'(v - v') for v, v' >= 0 of at most m rows each. A norm of a difference is
  convex in both, so largest at corners of what they can be: nothing, or m rows in one bin. L2
  squared is m^2 max(C, E), attained.

Claim (figures). Running counts are worked out in whole numbers of 2^-64 rows. Each rounding is that
of a noise moved by less than 2^-50, or of a count moved by 2^-65: together less than one part in
10^9 of a row, which the margins' rounding has room for. Where the total is known better than by F,
to be N, the count becomes F(i) + c(i) (N - F(n)), c(i) = Cov(F(i), F(n)) / Var(F(n)) rounded to
2^-20, and c(n) = 1: least squares but for that rounding, and unbiased whatever c is.

Claim (weights). Of Gaussian noises a margin takes the norm of their weights and their number alone
(``weighted_sum``), so ``weights`` gives as many equal ones of the same norm; in two parts, as equal
noises alone have a margin of their own, on a lattice. Among noises of other queries (``noise_sum``)
they enter by their characteristic function, and for that the scale is wide enough: a row moves by
2^14 or more, and no share is above 100, so it is at least 2^14 / sqrt(200), beyond 1,000. There the
function of each noise differs from a normal one's by nothing that a float holds, at all places that
are not cut off, so that of their product only the norm is left.

How much is gained, in zCDP, of the worst margin of all lines beside the best tree or bins (of 20,
101 and 200 bins): add-remove, 1.28, 1.38 and 1.41; change-one with a public total 1.22, 1.31 and
1.35. The least that any strategy can do was found by iteration (Denisov, McMahan, Rush, Smith and
Thakurta, Improved differential privacy for SGD via optimal private linear operators on adaptive
streams, 2022): another 1.05 and, with a public total, 1.10 of the worst line of 101; of the mean
variance 1.01 and 1.05. It has no formula, and a matrix that is found by iteration on floats is
another one on another machine, so that nobody could make a release's figures again. Weights in
the levels of trees gain 1.1 at most. In pure epsilon no square root helps: weights make a column
longer in L1, and bins or trees are better by 1.9 and more.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import accumulate
from operator import mul
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dpdesk.privacy.running_counts.strategy import Strategy

FALL_BITS, SCALE_BITS = 14, 10
ROW = 1 << FALL_BITS + SCALE_BITS
"""What a row adds to the sum of its own bin, where columns are not normalised."""
LEAST_BINS = 3
_BITS, _PART_BITS = 64, 20

FloatVector = npt.NDArray[np.float64]


@dataclass(frozen=True)
class SquareRoot(Strategy):
    """The square root over some bins.

    Attributes:
        bins: see ``Strategy``.
        is_normalised: whether all columns have one norm.
        has_public_total: see ``Strategy``.
    """

    bins: int
    is_normalised: bool
    has_public_total: bool = False

    @property
    def drawn(self) -> int:
        """One sum a bin."""
        return self.bins

    @cached_property
    def falls(self) -> tuple[int, ...]:
        """T', by its diagonals.

        >>> SquareRoot(4, False).falls  # 2^14 times 1, 1/2, 3/8 and 5/16
        (16384, 8192, 6144, 5120)
        """
        every = (math.comb(2 * k, k) << FALL_BITS for k in range(self.bins))
        return tuple((one + (1 << 2 * k >> 1)) >> 2 * k for k, one in enumerate(every))

    @cached_property
    def scales(self) -> tuple[int, ...]:
        """D', by its columns."""
        if not self.is_normalised:
            return (1 << SCALE_BITS,) * self.bins
        squares = list(accumulate(fall * fall for fall in self.falls))
        top = 1 << 2 * (SCALE_BITS + FALL_BITS)
        return tuple(math.isqrt(top // square) for square in reversed(squares))

    @cached_property
    def reach(self) -> Reach:
        """How far a row can move what is drawn."""
        return _reach(self.falls, self.scales)

    def counts_below(
        self, noisy: Sequence[int], total: Fraction | int | None
    ) -> tuple[Fraction, ...]:
        """From the first bin on: what the bins before it add to a sum is taken away from it.

        >>> strategy = SquareRoot(3, False)
        >>> sums = (3 << 24, (5 << 24) + (3 << 23), (1 << 24) + (5 << 23) + (9 << 21))
        >>> [str(count) for count in strategy.counts_below(sums, None)]  # bins of 3, 5 and 1 rows
        ['3', '8', '9']
        """
        half = 1 << FALL_BITS >> 1
        later = self.falls[:0:-1]
        solved: list[int] = []
        for place, one in enumerate(noisy):
            before = sum(map(mul, later[self.bins - 1 - place :], solved))
            solved.append(((one << _BITS) - before + half) >> FALL_BITS)
        pairs = zip(solved, self.scales, strict=True)
        whole = accumulate((2 * one + scale) // (2 * scale) for one, scale in pairs)
        counts = [Fraction(one, 1 << _BITS) for one in whole]
        if total is None:
            return tuple(counts)
        beyond = total - counts[-1]
        parts = self._errors.parts
        return tuple(
            count + Fraction(part, 1 << _PART_BITS) * beyond
            for count, part in zip(counts, parts, strict=True)
        )

    def variance(self, bin: int) -> float:
        """By sums that are rounded once, alike on every machine."""
        return self._square(bin, self.part_of_total(bin) if self.has_public_total else 0.0)

    def part_of_total(self, bin: int) -> float:
        """See c in the head of the module."""
        return self._errors.parts[bin] / (1 << _PART_BITS)

    def weights(self, bin: int, share: float = 0.0) -> tuple[tuple[float, int], ...]:
        """As many equal ones, of the same norm; see the head of the module."""
        part = self.part_of_total(bin) if self.has_public_total else share
        square = self._square(bin, part)
        if square <= 0:
            return ()
        each = math.sqrt(square / self.bins)
        return ((each, self.bins - 1), (each, 1))

    def _square(self, bin: int, part: float) -> float:
        """Of the norm of the weights of the rows up to a bin, less a part of all rows."""
        own, shared, all_ = self._errors.squares[bin], self._errors.shared[bin], self._errors.total
        if bin == self.bins - 1:
            return (1 - part) * (1 - part) * all_
        return own - 2 * part * shared + part * part * all_

    @property
    def _errors(self) -> _Errors:
        return _errors(self.falls, self.scales)


class Reach(NamedTuple):
    """How far rows can move what is drawn; see the head of the module.

    Attributes:
        column: C, the largest square of a column's norm.
        columns: the larger of C and E, the largest square of the distance of two columns.
        added: the largest sum of a column, which bounds what a row moves in L1.
        entry: the largest entry.
    """

    column: int
    columns: int
    added: int
    entry: int


@lru_cache(maxsize=32)
def _reach(falls: tuple[int, ...], scales: tuple[int, ...]) -> Reach:
    bins = len(falls)
    own = list(accumulate(fall * fall for fall in falls))[::-1]
    squares = [scale * scale * square for scale, square in zip(scales, own, strict=True)]
    largest = max(squares)
    for apart in range(1, bins):
        # T' of columns i and i + apart, for the last i first: one more row of both at a time.
        pairs = map(mul, falls[: bins - apart], falls[apart:])
        for first, both in zip(reversed(range(bins - apart)), accumulate(pairs), strict=True):
            second = first + apart
            cross = scales[first] * scales[second] * both
            largest = max(largest, squares[first] + squares[second] - 2 * cross)
    sums = list(accumulate(falls))[::-1]
    added = max(map(mul, scales, sums))
    return Reach(max(squares), largest, added, falls[0] * max(scales))


class _Errors(NamedTuple):
    """Of the running counts, in the variance of one noise.

    Attributes:
        squares: the variance of each.
        shared: its covariance with the last.
        total: the variance of the last.
        parts: c of the head of the module, in parts of 2^20.
    """

    squares: tuple[float, ...]
    shared: tuple[float, ...]
    total: float
    parts: tuple[int, ...]


@lru_cache(maxsize=32)
def _errors(falls: tuple[int, ...], scales: tuple[int, ...]) -> _Errors:
    rows = _rows(falls, scales)
    last = rows[-1]
    squares = tuple(math.fsum((row * row).tolist()) for row in rows)
    shared = tuple(math.fsum((row * last).tolist()) for row in rows)
    parts = (*(round((one / squares[-1]) * 2**_PART_BITS) for one in shared[:-1]), 1 << _PART_BITS)
    return _Errors(squares, shared, squares[-1], parts)


def _rows(falls: tuple[int, ...], scales: tuple[int, ...]) -> list[FloatVector]:
    """The rows of L R'^-1: what every running count takes of every noise."""
    bins = len(falls)
    # T'^-1 has diagonals, too: g f = 1 as power series.
    inverse = [1 / falls[0]]
    for place in range(1, bins):
        added = math.fsum(map(mul, falls[1 : place + 1], reversed(inverse)))
        inverse.append(-added / falls[0])
    backwards, rows = np.array(inverse[::-1]), [np.zeros(bins)]
    for place, scale in enumerate(scales):
        row = rows[-1].copy()
        row[: place + 1] += backwards[bins - 1 - place :] / scale
        rows.append(row)
    return rows[1:]


@lru_cache(maxsize=256)
def square_roots(bins: int, has_public_total: bool) -> tuple[SquareRoot, ...]:
    """Both; none of fewer bins than three, of which bins alone are as certain."""
    if bins < LEAST_BINS:
        return ()
    return tuple(SquareRoot(bins, normal, has_public_total) for normal in (False, True))
