# SPDX-License-Identifier: Apache-2.0
"""Exact sums of rounded squares of grid indices around a centre, cell by cell."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dpdesk.data.encoding.table import Codes

Rows = npt.NDArray[np.intp]

_CHUNK_ROWS = 1 << 20
_BITS = 16
_WIDEST = 48


def square_sums(indices: Codes, cells: Rows, size: int, centre: int, grain: int) -> list[int]:
    """Sums of ``round((index - centre)^2 / grain)``, halves upwards.

    ``bincount`` adds in floating point, which is exact below 2**53: so 16 bits at a time, and a
    limited number of rows at a time.

    Args:
        indices: grid index of each row; at most 2**31 away from the centre.
        cells: cell of each row.
        size: number of cells.
        centre: the index around which squares are taken.
        grain: divides the squares; rounded squares have fewer than 48 bits.

    Returns:
        One whole number a cell.

    Five rows around 10 are -3, -1, -1, 0 and 4 away; their squares halved are 5, 1, 1, 0 and 8.

    >>> square_sums(np.array([7, 9, 9, 10, 14]), np.zeros(5, np.intp), 1, 10, 2)
    [15]
    """
    sums = [0] * size
    for start in range(0, len(indices), _CHUNK_ROWS):
        away = indices[start : start + _CHUNK_ROWS].astype(np.int64) - centre
        squares = (away * away + grain // 2) // grain
        place = cells[start : start + _CHUNK_ROWS]
        # A square of 2**33 + 5 is added as the digits 5, 0 and 2: 5 + (0 << 16) + (2 << 32).
        for shift in range(0, _WIDEST, _BITS):
            digits = (squares >> shift) & ((1 << _BITS) - 1)
            partial = np.bincount(place, digits, size).tolist()
            sums = [s + (int(p) << shift) for s, p in zip(sums, partial, strict=True)]
    return sums
