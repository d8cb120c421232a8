# SPDX-License-Identifier: Apache-2.0
"""Second moments of several columns: rows spread over the corners of a box, or sums of products.

Each value is taken as t, -1 at the lower and 1 at the upper end of its column. There are two ways:

* *corners*. A row is 2^24 parts. The first column splits them between its upper and its lower end
  as its value is between both, the second splits each of these again, and so on: a corner has the
  product of the shares, rounded. However that is rounded, all parts of a row are 0 or more and add
  up to 2^24. Beside them each column adds w (2 t^2 - 1), rounded: at most w in size.
* *products*. Each t is a whole number u of parts of 2^13, rounded: what a row adds is exact in
  these, w u_i u_j, and w (2 u^2 - 2^26) for a square.

A row is worked out by itself, with multiplication, division and rounding of floats alone, whose
results are the same on every machine; all sums are of whole numbers below 2^53, so they are exact
in any order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

PARTS = 1 << 24
"""What each row is spread as."""

HALF = 1 << 13
"""What 1 is as a whole number, where products are added up."""

_CHUNK_CELLS = 1 << 18
"""Rows times corners at a time: what fits the cache. All sums of them stay below 2^46."""

Shares = npt.NDArray[np.float64]
Indices = Sequence[npt.NDArray[Any]]
Contrasts = Sequence[tuple[int, int]]


def second_moments(
    indices: Indices, lasts: Sequence[int], contrasts: Contrasts, squares: Sequence[int]
) -> list[int]:
    """The sums over all rows.

    Args:
        indices: of each column the grid index of each row, 0..last.
        lasts: of each column the last index, 1 or more.
        contrasts: the products with their weights, as in ``AggregateSpec``; none for corners.
        squares: of each column the weight of its square, 0 for none; below 2^31 with corners.

    Returns:
        Of each corner, that of the first column's upper end being bit 0, and so on, or of each
        contrast; then of each square with a weight.

    Two rows of two columns, one in the middle of the first and at the upper end of the second:

    >>> rows = [np.array([1, 0]), np.array([9, 0])]
    >>> [parts / PARTS for parts in second_moments(rows, (2, 9), (), (0, 0))]
    [1.0, 0.0, 0.5, 0.5]
    >>> found = second_moments(rows, (2, 9), [(0, 1), (1, 1), (2, 1), (3, 5)], (0, 0))
    >>> [products / HALF**2 for products in found]
    [2.0, -1.0, 0.0, 5.0]
    """
    corners, rows = 1 << len(lasts), len(indices[0])
    sums = [0] * ((len(contrasts) or corners) + sum(weight > 0 for weight in squares))
    step = max(1, _CHUNK_CELLS // corners)
    for start in range(0, rows, step):
        shares = [
            np.asarray(index[start : start + step], np.float64) / last
            for index, last in zip(indices, lasts, strict=True)
        ]
        found = _products(shares, contrasts, squares) if contrasts else _parts(shares, squares)
        sums = [before + more for before, more in zip(sums, found, strict=True)]
    return sums


def _parts(shares: Sequence[Shares], squares: Sequence[int]) -> list[int]:
    """The parts of some rows by corner, and their squares."""
    parts = np.full((1, len(shares[0])), float(PARTS))
    for share in shares:
        upper = np.rint(parts * share)
        parts = np.concatenate((parts - upper, upper))
    pairs = ((2 * share - 1, w) for share, w in zip(shares, squares, strict=True) if w)
    squared = [np.rint(weight * (2 * t * t - 1)).sum() for t, weight in pairs]
    return [*map(int, parts.sum(axis=1)), *map(int, squared)]


def _products(shares: Sequence[Shares], contrasts: Contrasts, squares: Sequence[int]) -> list[int]:
    """The products of some rows, and their squares; the number of rows for no column."""
    whole = [np.full(len(shares[0]), float(HALF))]
    whole += [np.rint(HALF * (2 * share - 1)) for share in shares]
    each = np.stack(whole)
    table = each @ each.T
    found = []
    for mask, weight in contrasts:
        places = [at for at in range(len(whole)) if mask << 1 >> at & 1]
        first, second = [0, 0, *places][-2:]
        found.append(weight * int(table[first, second]))
    ones = int(table[0, 0])
    for at, weight in enumerate(squares, 1):
        if weight:
            found.append(weight * (2 * int(table[at, at]) - ones))
    return found
