# SPDX-License-Identifier: Apache-2.0
"""Exact sums of the products of a row's distances from both ends of its grid, cell by cell."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dpdesk.data.encoding.table import Codes

Rows = npt.NDArray[np.intp]

_CHUNK_ROWS = 1 << 20
_BITS = 16
_WIDEST = 32


def product_sums(indices: Codes, cells: Rows, size: int, last: int, fineness: int) -> list[int]:
    """Sums of ``index * (last - index) * fineness / last``, each rounded down.

    ``bincount`` adds in floating point, which is exact below 2**53: so 16 bits at a time, and a
    limited number of rows at a time.

    Args:
        indices: grid index of each row, 0..``last``.
        cells: cell of each row.
        size: number of cells.
        last: the grid's last index.
        fineness: at most ``last``; ``last * fineness`` is below 2**31.

    Returns:
        One whole number a cell.

    Four rows on a grid of 0..10, where nothing is rounded: 0 + 3 * 7 + 5 * 5 + 0.

    >>> product_sums(np.array([0, 3, 5, 10]), np.zeros(4, np.intp), 1, 10, 10)
    [46]
    """
    sums = [0] * size
    for start in range(0, len(indices), _CHUNK_ROWS):
        index = indices[start : start + _CHUNK_ROWS].astype(np.int64)
        # At most last^2 / 4 * fineness, which is below 2**60.
        products = index * (last - index) * fineness // last
        place = cells[start : start + _CHUNK_ROWS]
        # A product of 2**17 + 5 is added as the digits 5 and 2: 5 + (2 << 16).
        for shift in range(0, _WIDEST, _BITS):
            digits = (products >> shift) & ((1 << _BITS) - 1)
            partial = np.bincount(place, digits, size).tolist()
            sums = [s + (int(p) << shift) for s, p in zip(sums, partial, strict=True)]
    return sums
