# SPDX-License-Identifier: Apache-2.0
r"""Sums over the rows of a cell that are drawn together, each with all of the share.

A row with index i on a grid 0..m adds whole numbers to the sums of its cell: a vector phi(i). What
a person can move is the norm of the joint vector, so the sums share one noise scale and none has a
part of the budget. From n = #rows, I = sum of i and S = sum of s, s = floor(i (m - i) t / m), mean
and variance follow. t, the ``fineness``, is m where m^2 is below 2^31, and then s = i (m - i) is
exact; M = t m, so that s <= t i, s <= t (m - i) and 4 s <= M for all i.

For the mean:

* *ends* (i, m - i): Kulesza, Suresh and Wang, Mean estimation in the add-remove model of
  differential privacy (2023); both numbers are 0 or more and add up to m.
* *middle* (2i - m, w): where rows are replaced in one cell, so that n moves little beside I.

For the variance:

* *ends* (ti - s, 2s, M - ti - s): i^2, 2i(m - i) and (m - i)^2 in quanta of m / t, none below 0,
  adding up to M.
* *middle* (ti - 4s, M - ti - 4s, M), and for Gaussian noise (M - 4s - floor(M/2), l (2i - m), a),
  which are the square of the distance from the middle, the distance, and a row.

Claim (k rows a person). The vector of all sums of all cells moves by at most
  Laplace (L1):            mean, ends k m; middle 2 k m.  variance, ends k M; middle 2 k M.
  Gaussian (L2, squared):  mean, ends (k m)^2; middle (2 k m)^2 for w^2 <= 3 m^2.
                           variance, k^2 (H^2 + L^2 + a^2), H = ceil(M/2), L = l m; and where rows
                           are replaced in one cell (2 k L)^2 for 8 l >= 5 t, a^2 <= 3 L^2 - H^2.
under add-remove, and those of one cell (middle) where rows are replaced. Where they are replaced in
several cells, ends move by twice that (L1) or have twice the square (L2); the variance's Gaussian
square is the larger of that and (2 k L)^2. All are attained.

Why. A person's rows add a vector of the hull of 0 and all k phi(i), each phi(i) in any one cell. A
norm is convex, so its largest value is at k times corners: ||k phi(i)|| under add-remove, and where
k rows are replaced ||k phi(i) - k phi(j)|| in one cell, the root of k^2 (|phi(i)|^2 + |phi(j)|^2)
or the sum k (|phi(i)| + |phi(j)|) in two.
Ends: numbers of 0 or more that add up to m have L1 m and L2 at most m, both attained at i = 0 and
i = m; two such vectors are at most 2 m and the root of 2 m^2 apart, in one cell, too (0 and m).
Mean, middle: (2i - m, w) is at most (m, w) long and two of them differ by 2m at most in the first
entry alone: L1 2m for w = m, L2 squared m^2 + w^2 <= 4 m^2.
Variance, middle, L1: |x| + |y| is the larger of |x + y| and |x - y|, so two rows are apart by the
larger of 8 |s - s'| and 2 t |i - j|, at most 2M; a row itself has the larger of |M - 8s| and
|2ti - M|, at most M, and M more in its last entry.
Variance, L2: 0 <= 4s <= M, so the first entry is within H, the second within L; i = m has both.
Two rows of one cell: with e = 2i - m, e' = 2j - m, e - e' = m (1 + u) and t = m they are apart by
the root of M^2 (1 - u^2)^2 + L^2 (1 + u)^2 or less, which is at most 2L where
l^2 / t^2 >= (1 - u) (1 + u)^2 / (3 + u); that is at most 0.3606, and 25/64 is more. Else (ends' l,
below 0.65 t, and a >= (4M - 6) / 7) it is at most 2 (H^2 + L^2 + a^2), as (1 - u^2)^2 +
0.4225 ((1 + u)^2 - 2) <= 1. Where t < m, s is rounded, which adds less than 4 to a difference of
first entries; M is then above 2^30, and what is left over in both bounds is more.

Claim (m of the k rows in one cell, C cells). k is replaced by k' = min(k, C m), and k^2 by
g = floor(k'/m) m^2 + (k' mod m)^2, both from ``rows_per_group.together``. A cell's part of a person
is at most as long as its j rows times the longest phi; the j add up to k' at most and their squares
to g: attained by equal rows. Replaced, ends: all numbers are 0 or more, so j rows and j' others of
a cell are at most the root of j^2 + j'^2 times m (M) apart, and all cells that of 2 g: attained in
the same cells by i = 0 and i = m. In one cell the middle has k' = m rows. The variance's square for
Gaussian noise, replaced in several cells, is largest where each cell has m rows or none on either
side, if m divides k' (it is convex), and m rows that meet m others are m times as far apart as two
rows: g times the claim for one row, attained where all 2 k rows have room (``leaves_groups``).
Elsewhere its ends are drawn: m rows that meet one other may be further apart than the root of half
of m^2 + 1 times the claim.

Which is better follows from the errors, which are linear in the noises (``moments``). Ends are the
best where rows come and go: the hull of the differences is the L1 ball itself (mean). In one cell
where rows are replaced the middle has 1/2 of their variance for a mean. The variance's middle is
the best of three polynomials found for means between a quarter and three quarters of the range;
a^2, l and w are the most that costs nothing. Where n is public, the last entry is left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt

from dpdesk.privacy.noise.noise import Mechanism
from dpdesk.privacy.rows_per_group import together
from dpdesk.study.model.unit import Neighbours

LARGEST = 2**31
"""No row adds more than this, so that 2^31 rows stay within 2^62."""

Weights = tuple[tuple[int, int, int], ...]


@dataclass(frozen=True)
class JointSums:
    """Sums that are drawn together.

    Attributes:
        last: m, the last index of the grid.
        weights: what a row adds to each of its cell's sums: so much for itself, for each of its
            index, and for each of its s.
        moved: how far a person with one row can move them all: L1, or L2 squared.
    """

    last: int
    weights: Weights
    moved: int

    def sensitivity(self, k: int, mechanism: Mechanism, m: int, cells: int) -> int:
        """How far k rows of a person, at most m in a cell, can move them all, in the noise's norm.

        See the head of the module.
        """
        rows, squares = together(k, m, cells)
        return self.moved * (squares if mechanism == "gaussian" else rows)


def fineness(last: int) -> int:
    """t: how finely products are counted; the last index itself where all are exact.

    >>> fineness(110), fineness(10_000_000)
    (110, 214)
    """
    return min(last, LARGEST // last)


def is_middle(cells: int, neighbours: Neighbours) -> bool:
    """Whether rows are replaced in one cell."""
    return neighbours == "change-one" and cells == 1


def mean_sums(last: int, cells: int, neighbours: Neighbours, mechanism: Mechanism) -> JointSums:
    """The two sums of a mean; see the head of the module."""
    if is_middle(cells, neighbours):
        rows = last if mechanism == "laplace" else min(isqrt(3 * last * last), LARGEST)
        moved = 2 * last if mechanism == "laplace" else 4 * last * last
        return JointSums(last, ((-last, 2, 0), (rows, 0, 0)), moved)
    moved = last if mechanism == "laplace" else last * last
    both = 2 if neighbours == "change-one" else 1
    return JointSums(last, ((0, 1, 0), (last, -1, 0)), both * moved)


def leaves_groups(k: int, m: int, cells: int) -> bool:
    """Whether k rows fill whole cells, m in each, and can leave them all for as many others."""
    return k % m == 0 and 2 * k <= cells * m


def variance_sums(
    last: int,
    cells: int,
    neighbours: Neighbours,
    mechanism: Mechanism,
    *,
    is_public: bool,
    is_limited: bool = False,
) -> JointSums:
    """The three sums of a variance, or the two beside a public number of rows.

    Args:
        last: m, the last index of the grid.
        cells: number of cells.
        neighbours: the neighbour notion.
        mechanism: of the noise.
        is_public: whether the number of rows is.
        is_limited: whether a limit for each group leaves some rows no group of their own.
    """
    middle = is_middle(cells, neighbours)
    if mechanism == "gaussian" and is_limited and neighbours == "change-one" and not middle:
        ends = _laplace(last, neighbours, is_middle=False)
        return JointSums(last, ends.weights, 2 * (fineness(last) * last) ** 2)
    if mechanism == "gaussian":
        found = _replaced_squares(last) if middle else _squares(last, neighbours)
    else:
        found = _laplace(last, neighbours, is_middle=middle)
    return JointSums(last, found.weights[:-1], found.moved) if is_public else found


def _laplace(last: int, neighbours: Neighbours, *, is_middle: bool) -> JointSums:
    t = fineness(last)
    whole = t * last
    if is_middle:
        return JointSums(last, ((0, t, -4), (whole, -t, -4), (whole, 0, 0)), 2 * whole)
    both = 2 if neighbours == "change-one" else 1
    return JointSums(last, ((0, t, -1), (0, 0, 2), (whole, -t, -1)), both * whole)


def _squares(last: int, neighbours: Neighbours) -> JointSums:
    t = fineness(last)
    slope, rows = max(1, 9 * t // 14), max(1, 4 * t * last // 7)
    half, reach = (t * last + 1) // 2, slope * last
    moved = half * half + reach * reach + rows * rows
    if neighbours == "change-one":
        moved = max(2 * moved, 4 * reach * reach)
    return JointSums(last, _around(last, slope, rows), moved)


def _replaced_squares(last: int) -> JointSums:
    t = fineness(last)
    slope = -(-5 * t // 8)
    half, reach = (t * last + 1) // 2, slope * last
    rows = min(isqrt(3 * reach * reach - half * half), LARGEST)
    return JointSums(last, _around(last, slope, rows), 4 * reach * reach)


def _around(last: int, slope: int, rows: int) -> Weights:
    half = (fineness(last) * last + 1) // 2
    return ((half, 0, -4), (-slope * last, 2 * slope, 0), (rows, 0, 0))
