# SPDX-License-Identifier: Apache-2.0
"""Equal keys get equal numbers from 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dpdesk.data.arrays.packed_sort import together

Ints = npt.NDArray[np.int64]
Codes = npt.NDArray[np.signedinteger[Any]]


@dataclass(frozen=True, repr=False)
class Numbered:
    """Numbered rows.

    Attributes:
        codes: each row's number.
        rows: how many rows have each number.
        low: low half of the key of each number.
        high: high half of it.
    """

    codes: Codes
    rows: Codes
    low: Ints
    high: Ints


def number_pairs(low: Ints, high: Ints | int) -> Numbered:
    """Number keys of two halves, or of one beside another that all have."""
    order, new = together(low, None if isinstance(high, int) else high)
    codes: Codes = np.empty(len(low), code_type(len(low)))
    codes[order] = np.cumsum(new, dtype=codes.dtype) - 1
    begin = np.flatnonzero(new)
    first = order[begin]
    counts = _lengths(begin, len(low)).astype(codes.dtype)
    upper = np.full(len(first), high) if isinstance(high, int) else high[first]
    return Numbered(codes, counts, low[first], upper)


def _lengths(begin: Ints, end: int) -> Ints:
    return np.diff(begin, append=end)


def code_type(rows: int) -> type[np.signedinteger[Any]]:
    """The smallest of the usual integers that number so many rows."""
    return np.int32 if rows < 2**31 else np.int64
