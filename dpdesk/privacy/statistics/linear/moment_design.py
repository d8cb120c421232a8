# SPDX-License-Identifier: Apache-2.0
r"""What is drawn for the second moments of d columns, together, each entry with all of the share.

Each value is taken as t in -1..1, -1 and 1 at its bounds, so that products are as small as bounds
let them be. The moments are n, the sums of t_i, of t_i t_j and of t_i^2 (``second_moments`` in
``data.aggregation`` adds them up). They follow from these entries:

* Laplace, *corners*: a row is spread over the 2^d corners of the box, N = 2^24 parts, the part p_s
  of corner s the product of (1 + s_i t_i) / 2, rounded so that all parts are 0 or more and add up
  to N. With <m, p> the sum of p_s times the signs that s has in the columns of m, that of t_i is
  <i, p> / N and that of t_i t_j is <ij, p> / N. Beside it C (2 t_i^2 - 1) for each column whose
  values have a middle, rounded: a square is half of that over C and of n.
* Gaussian, *products*: with u = R t, R = 2^13, rounded to whole numbers, A R^2, B R u_i, E u_i u_j
  and c (2 u_i^2 - R^2), all exact. Where n is public the first is left out.

Corners are much better than products where the norm is L1: a row has L1 N, however many moments
there are. With q = 1 + d + d (d - 1) / 2 moments drawn themselves at equal weights the noise of
each has the variance q^2 in squares of N; here it is 2^d: for 5 columns 32 and not 256, and less up
to 13 columns. Under L2 a turn changes nothing, and few entries are the same as many.

Claim (k rows a person, one cell: a query has no groups). The vector of all entries moves at most by
  add-remove, L1:          k (N + sum of C);
  add-remove, L2 squared:  k^2 R^4 (A^2 + d B^2 + d (d - 1) / 2 E^2 + sum of c^2);
  change-one, L1:          k (2 N + sum of (C - C_0)), C_0 the least C (2 t^2 - 1), rounded;
  change-one, L2 squared:  k^2 times the larger of that of add-remove, and of
                           4 R^4 (f B^2 + f (d - f) E^2) over f in 1..d, for 8 c^2 <= B^2.
Why. A person's rows add a vector of the hull of 0 and k times those of single rows; a norm is
convex, so k times a row's norm, or that of a difference of two rows, is the most.
L1: parts of 0 or more that add up to N have L1 N, and two such vectors are 2 N apart at most. A
square is between C_0 and C, with C_0 >= -C as |2 t^2 - 1| <= 1 and what is between whole numbers
stays so when it is rounded. Both add. Attained by rows at a corner, where t^2 = 1; under change-one
by one at a corner and one in the middle of all that have a middle and at the other end of another
column. Without such a column it is less by 2 N / 2^d at most.
L2, one row: with v = t^2 all squared entries are convex in each v: B^2 v, E^2 v v' and
c^2 (2 v - 1)^2.
So the most is where each v is 0 or 1. There c^2 is the same and the others are the largest at 1:
attained at the corners.
L2, two rows: with d_i half of |t_i - t_i'| and s_i half of |t_i + t_i'|, so that d_i + s_i <= 1,
the entries differ by 2 B d_i, 8 c s_i d_i and at most 2 E (s_i d_j + s_j d_i), which grow with s_i:
so s_i = 1 - d_i, and the square of the distance is 4 times

    sum of B^2 d_i^2 + 16 c^2 d_i^2 (1 - d_i)^2, and of E^2 (d_i + d_j - 2 d_i d_j)^2 over pairs.

In each d_i it is convex: the first term has the second derivative 2 B^2, the next one
32 c^2 (1 - 6 d_i + 6 d_i^2), at least -16 c^2, the last is a square of a linear one. So the most is
where each d_i is 0 or 1, f of them 1: attained by two corners that differ in f columns.

Weights. In L1, C / N is the same for all, the largest c with 16 d 2^d c^3 <= 1: that makes
(1 + d c)^2 (2^d + 1 / (16 c^2)) least, the variance of a product and a quarter of what C adds to
that of a square. In L2 the fourth powers of A, B, E and c are in the ratio of
1/8, 1 / (2 d), 5 / (2 d (d - 1)) and 1 / (16 d): the least weighted sum of variances at a given
norm, where a coefficient takes 5/4 of that of a product, 1/2 of that of a sum and so on, with means
halfway between middle and bound. Public things alone decide.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from dpdesk.privacy.distributions.weighted_sum import Terms, half_width
from dpdesk.privacy.noise.noise import Mechanism, Noise
from dpdesk.study.model.unit import Neighbours

PARTS = 1 << 24
"""N: as what ``data.aggregation.second_moments`` spreads a row."""

ONE = 1 << 26
"""R^2: what it makes of a product of two ends."""

_FINE = 28
"""Weights are this many times a number below 1.1, so that none is above 31."""

FloatArray = npt.NDArray[np.float64]
Pair = tuple[int, int]


@dataclass(frozen=True)
class MomentDesign:
    """What is drawn; letters as in the head of the module.

    Attributes:
        lasts: of each column the last index of its values; 1 for one without a middle.
        contrasts: (m, A), (m, B), (m, E); none for corners.
        square: C, or c.
        neighbours: the neighbour notion.
        mechanism: of the noise.
    """

    lasts: tuple[int, ...]
    contrasts: tuple[Pair, ...]
    square: int
    neighbours: Neighbours
    mechanism: Mechanism

    @property
    def columns(self) -> int:
        """How many columns there are: d."""
        return len(self.lasts)

    @property
    def curved(self) -> tuple[bool, ...]:
        """Of each column whether its values have a middle, so that squares are drawn."""
        return tuple(last > 1 for last in self.lasts)

    @property
    def squares(self) -> tuple[int, ...]:
        """The weight of each square, 0 where none is drawn."""
        return tuple(self.square if is_curved else 0 for is_curved in self.curved)

    @property
    def unit(self) -> int:
        """What a row at a corner adds for a weight of 1."""
        return ONE if self.contrasts else PARTS

    @property
    def of_square(self) -> int:
        """What a row at a bound adds for a square."""
        return self.square * (ONE if self.contrasts else 1)

    @property
    def entries(self) -> int:
        """How many entries the vector has."""
        return (len(self.contrasts) or 1 << self.columns) + sum(self.curved)

    @cached_property
    def weights(self) -> dict[int, int]:
        """By the columns of a contrast what it is multiplied by."""
        return dict(self.contrasts)

    def sensitivity(self, k: int) -> int:
        """How far k rows of a person can move all entries, in the noise's norm; see the head."""
        is_replaced = self.neighbours == "change-one"
        if self.mechanism == "laplace":
            added = self.square * sum(self.curved)
            fallen = sum(self._lowest(last) for last in self.lasts if last > 1)
            return k * (2 * PARTS + added - fallen if is_replaced else PARTS + added)
        row = sum(weight**2 for _, weight in self.contrasts) + self.square**2 * sum(self.curved)
        return (k * ONE) ** 2 * (max(row, self._replaced()) if is_replaced else row)

    def _lowest(self, last: int) -> int:
        """C_0 of a column, as the sums are worked out."""
        ends = (2 * (index / last) - 1 for index in (last // 2, (last + 1) // 2))
        return min(round(self.square * (2 * t * t - 1)) for t in ends)

    def _replaced(self) -> int:
        d, weights = self.columns, self.weights
        single, double = weights[1] ** 2, weights[3] ** 2
        return max(4 * f * (single + (d - f) * double) for f in range(1, d + 1))


@lru_cache(maxsize=256)
def moment_design(
    lasts: tuple[int, ...], neighbours: Neighbours, mechanism: Mechanism, *, is_public: bool
) -> MomentDesign:
    """What is drawn for some columns, two or more; see the head of the module.

    Args:
        lasts: of each column the last index of its values.
        neighbours: the neighbour notion.
        mechanism: of the noise.
        is_public: whether the number of rows is.
    """
    d = len(lasts)
    if mechanism == "laplace":
        square = int((PARTS**3 / (16 * d * 2**d)) ** (1 / 3)) + 2
        while 16 * d * 2**d * square**3 > PARTS**3:
            square -= 1
        return MomentDesign(lasts, (), square, neighbours, mechanism)
    contrasts = [] if is_public else [(0, _weight(1, 8))]
    contrasts += [(1 << at, _weight(1, 2 * d)) for at in range(d)]
    contrasts += [
        ((1 << first) + (1 << second), _weight(5, 2 * d * (d - 1)))
        for first, second in combinations(range(d), 2)
    ]
    square = _weight(1, 16 * d)
    if neighbours == "change-one":
        square = min(square, math.isqrt(_weight(1, 2 * d) ** 2 // 8))
    return MomentDesign(lasts, tuple(contrasts), square, neighbours, mechanism)


def _weight(numerator: int, denominator: int) -> int:
    """The fourth root of a fraction, in parts of ``_FINE``, rounded down.

    >>> _weight(1, 16)
    14
    """
    return math.isqrt(math.isqrt(_FINE**4 * numerator // denominator))


def moment_lines(design: MomentDesign, public_rows: int | None) -> tuple[Pair, ...]:
    """The moments that are drawn: rows, sums, and then squares and products.

    Args:
        design: what is drawn.
        public_rows: n, where that is public and not drawn.
    """
    columns = range(1, design.columns + 1)
    rows = [] if public_rows is not None else [(0, 0)]
    products = [
        (first, second)
        for first in columns
        for second in columns[first - 1 :]
        if first != second or design.curved[first - 1]
    ]
    return (*rows, *((0, at) for at in columns), *products)


@dataclass(frozen=True)
class DrawnMoments:
    """How moments follow from what was drawn, and how their noise is made up.

    A moment is a pair (i, j), i <= j, of columns counted from 1; 0 is the column that is 1 in each
    row. Claim: each is a sum of independent noises away from the exact one, with the weights of
    ``terms``; but for the rounding of each row, of at most d in 2^24 parts or of 1 in 2^13. Why:
    see the head of the module; it is post-processing.

    Attributes:
        design: what is drawn.
        noise: of each entry.
        public_rows: n, where that is public.
    """

    design: MomentDesign
    noise: Noise
    public_rows: int | None = None

    @cached_property
    def lines(self) -> tuple[Pair, ...]:
        """The moments that are drawn: rows, sums, and then squares and products."""
        return moment_lines(self.design, self.public_rows)

    def moments(self, drawn: Sequence[int]) -> dict[Pair, Fraction]:
        """Every moment, of what was drawn; the square of a column without a middle is n."""
        design = self.design
        if design.contrasts:
            start = len(design.contrasts)
            pairs = zip(design.weights, drawn[:start], strict=True)
            found = {mask: Fraction(one) for mask, one in pairs}
        else:
            masks = [_mask(pair) for pair in self.lines if pair[0] != pair[1] or not pair[0]]
            start = 1 << design.columns
            found = {mask: Fraction(sum_with_signs(drawn[:start], mask)) for mask in masks}
        rows = self._rows(found)
        moments = {(0, 0): rows}
        columns, squares = range(design.columns + 1), iter(drawn[start:])
        for first, second in combinations(columns, 2):
            mask = _mask((first, second))
            moments[first, second] = found[mask] / self._unit(mask)
        for at, is_curved in enumerate(design.curved, 1):
            half = Fraction(next(squares), design.of_square) + rows if is_curved else 2 * rows
            moments[at, at] = half / 2
        return moments

    def _rows(self, found: dict[int, Fraction]) -> Fraction:
        if self.public_rows is not None:
            return Fraction(self.public_rows)
        return found[0] / self._unit(0)

    def _unit(self, mask: int) -> int:
        """What an entry has for a row at its largest; of corners added up likewise."""
        return self.design.unit * self.design.weights.get(mask, 1)

    def matrix(self, drawn: Sequence[int]) -> FloatArray:
        """The moments as a symmetric matrix, the column of ones first; shape (d + 1, d + 1)."""
        size = self.design.columns + 1
        found: FloatArray = np.zeros((size, size))
        for (first, second), moment in self.moments(drawn).items():
            found[first, second] = found[second, first] = float(moment)
        return found

    def weights(self, left: FloatArray, right: FloatArray) -> FloatArray:
        """What left' N right takes of the noise of each entry, N the noise of the matrix.

        Args:
            left: a vector of shape (d + 1,).
            right: another one.

        Returns:
            Shape (entries,).
        """
        both = np.outer(left, right)
        found: FloatArray = np.tensordot(both, self._noises, 2)
        return found

    @property
    def cumulants(self) -> tuple[float, float]:
        """The second and the fourth one of the noise of an entry, as of a continuous one."""
        squared = float(self.noise.scale) ** 2
        return (2 * squared, 12 * squared**2) if self.noise.mechanism == "laplace" else (squared, 0)

    @cached_property
    def _noises(self) -> FloatArray:
        """What each moment takes of the noise of each entry; shape (d + 1, d + 1, entries)."""
        design, size = self.design, self.design.columns + 1
        start = len(design.contrasts) or 1 << design.columns
        found: FloatArray = np.zeros((size, size, design.entries))
        for first, second in combinations(range(size), 2):
            taken = self._of_contrast(_mask((first, second)))
            found[first, second, :start] = found[second, first, :start] = taken
        if self.public_rows is None:
            found[0, 0, :start] = self._of_contrast(0)
        squares = iter(range(start, design.entries))
        for at, is_curved in enumerate(design.curved, 1):
            found[at, at] = found[0, 0] / (2 if is_curved else 1)
            if is_curved:
                found[at, at, next(squares)] = 1 / (2 * design.of_square)
        return found

    def _of_contrast(self, mask: int) -> FloatArray:
        """What a sum with signs takes of the noises of the entries that are no squares."""
        if self.design.contrasts:
            own = np.array([one == mask for one in self.design.weights], np.float64)
        else:
            own = np.array(signs(mask, self.design.columns), np.float64)
        taken: FloatArray = own / self._unit(mask)
        return taken

    def terms(self, pair: Pair) -> tuple[Terms, Fraction]:
        """The weights of the noises that a drawn moment has, and what such a sum is worth."""
        design = self.design
        many = 1 if design.contrasts else 1 << design.columns
        first, second = pair
        if first != second or not first:
            return ((1.0, many),), Fraction(1, self._unit(_mask(pair)))
        if self.public_rows is not None:
            return ((1.0, 1),), Fraction(1, 2 * design.of_square)
        unit = self._unit(0)
        return ((1.0, many), (unit / design.of_square, 1)), Fraction(1, 2 * unit)

    def half_width(self, pair: Pair, miss: float) -> Fraction:
        """Of one moment, in rows: what its noise is within, but for what may miss."""
        terms, worth = self.terms(pair)
        return half_width(self.noise, terms, miss) * worth

    def widest(self, miss: float) -> Fraction:
        """Of the least certain moment."""
        return max(self.half_width(pair, miss) for pair in self.lines)


def _mask(pair: Pair) -> int:
    """The columns of a moment as bits; the column of ones is none.

    >>> _mask((0, 0)), _mask((0, 2)), _mask((1, 3))
    (0, 2, 5)
    """
    return sum(1 << (at - 1) for at in pair if at)


@lru_cache(maxsize=1024)
def signs(mask: int, columns: int) -> tuple[int, ...]:
    """Of each corner the product of its signs in the columns of a mask.

    >>> signs(0, 2), signs(1, 2), signs(3, 2)
    ((1, 1, 1, 1), (-1, 1, -1, 1), (1, -1, -1, 1))
    """
    return tuple(-1 if (mask & ~at).bit_count() % 2 else 1 for at in range(1 << columns))


def sum_with_signs(corners: Sequence[int], mask: int) -> int:
    """The sum of all corners, each with the product of its signs in the columns of a mask."""
    both = zip(corners, signs(mask, len(corners).bit_length() - 1), strict=True)
    return sum(corner * sign for corner, sign in both)
