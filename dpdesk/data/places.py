# SPDX-License-Identifier: Apache-2.0
"""Some of a file's rows, out of columns that are kept in parts."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.signedinteger[Any]]
Ints = npt.NDArray[np.int64]


class Places:
    """Where some rows stand."""

    def __init__(self, rows: Ints, lengths: Sequence[int]) -> None:
        """Find each row's part.

        Args:
            rows: places in the file, rising.
            lengths: how many rows each part has.
        """
        starts = np.cumsum([0, *lengths])
        self._cuts = np.searchsorted(rows, starts).tolist()
        self._starts = starts.tolist()
        self._rows = rows

    def take(self, parts: Sequence[Codes], kind: np.dtype[Any]) -> Codes:
        """What these rows have in a column that comes in such parts."""
        taken: Codes = np.empty(len(self._rows), kind)
        for part, start, (begin, end) in zip(
            parts, self._starts, pairwise(self._cuts), strict=False
        ):
            rows = self._rows[begin:end] - start
            # Every row is there: to clip changes nothing but spares numpy a copy.
            np.take(part, rows, out=taken[begin:end], mode="clip")
        return taken


def rows_of(parts: Sequence[Codes], rows: Ints, kind: np.dtype[Any]) -> Codes:
    """What some rows, in any order, have in a column that comes in parts."""
    order = np.argsort(rows)
    taken: Codes = np.empty(len(rows), kind)
    taken[order] = Places(rows[order], [len(part) for part in parts]).take(parts, kind)
    return taken
