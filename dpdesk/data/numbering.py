# SPDX-License-Identifier: Apache-2.0
"""Equal keys get equal numbers from 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dpdesk.data.packed_sort import CHUNK_ROWS, pack, room_for, row_width, together, unpack

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


def number_integers(parts: list[Ints]) -> Numbered:
    """Number integers that come in parts, by their order where that is the faster way."""
    parts = [part for part in parts if part.size]
    rows = sum(map(len, parts))
    lowest = min((int(part.min()) for part in parts), default=0)
    highest = max((int(part.max()) for part in parts), default=0)
    if not room_for(highest - lowest, rows):
        low = np.concatenate(parts)
        return number_pairs(low, None)
    packed = pack((part - lowest for part in parts), rows)
    packed.sort()
    codes, counts, distinct = _numbered_runs(packed, row_width(rows))
    return Numbered(codes, counts, distinct + lowest, np.zeros_like(distinct))


def _numbered_runs(packed: npt.NDArray[np.uint64], width: int) -> tuple[Codes, Codes, Ints]:
    """Number runs of one key: codes, lengths of the runs, keys. What was packed is gone.

    Each row's number is put behind the row's, and sorted back to the rows' order: memory is gone
    through from end to end, which is many times as fast as to jump about in it.
    """
    starts, keys, number, last = [], [], -1, None
    for place in range(0, len(packed), CHUNK_ROWS):
        part = packed[place : place + CHUNK_ROWS]
        key = part >> np.uint64(width)
        new = np.empty(len(key), np.bool_)
        np.not_equal(key[1:], key[:-1], out=new[1:])
        new[0] = last is None or key[0] != last
        numbers = np.cumsum(new) + number
        starts.append(np.flatnonzero(new) + place)
        keys.append(key[new])
        number, last = int(numbers[-1]), key[-1]
        part <<= np.uint64(64 - width)
        part >>= np.uint64(64 - 2 * width)
        part |= numbers.view(np.uint64)
    begin = np.concatenate([np.empty(0, np.int64), *starts])
    distinct = np.concatenate([np.empty(0, np.uint64), *keys]).view(np.int64)
    packed.sort()
    codes = unpack(packed, width).astype(code_type(len(packed)))
    return codes, _lengths(begin, len(packed)).astype(codes.dtype), distinct


def number_pairs(low: Ints, high: Ints | None) -> Numbered:
    """Number keys of two halves, or of one that is any integer."""
    order = together(low, high)
    halves = [low] if high is None else [low, high]
    new = np.zeros(len(low), np.bool_)
    new[:1] = True
    for half in halves:
        there = half[order]
        new[1:] |= there[1:] != there[:-1]
    codes: Codes = np.empty(len(low), code_type(len(low)))
    codes[order] = np.cumsum(new, dtype=codes.dtype) - 1
    begin = np.flatnonzero(new)
    first = order[begin]
    counts = _lengths(begin, len(low)).astype(codes.dtype)
    upper = np.zeros(len(first), np.int64) if high is None else high[first]
    return Numbered(codes, counts, low[first], upper)


def _lengths(begin: Ints, end: int) -> Ints:
    return np.diff(begin, append=end)


def code_type(rows: int) -> type[np.signedinteger[Any]]:
    """The smallest of the usual integers that number so many rows."""
    return np.int32 if rows < 2**31 else np.int64
