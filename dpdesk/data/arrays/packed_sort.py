# SPDX-License-Identifier: Apache-2.0
"""Orders of many rows, by sorting plain integers that carry their row with them.

numpy sorts integers ten times as fast as it sorts positions by integers (it sorts them with
vector instructions), so a key and the row's number share 64 bits. What does not fit is cut off,
and the few rows that then look alike are sorted again by all there is to them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Uint64 = npt.NDArray[np.uint64]
Mask = npt.NDArray[np.bool_]
Unsigned = npt.NDArray[np.unsignedinteger[Any]]

CHUNK_ROWS = 1 << 14
"""So many rows are worked on at a time where fresh memory would cost more than the work."""

_ODD = np.uint64(0x9E3779B97F4A7C15)


def row_width(rows: int) -> int:
    """How many bits the number of a row takes."""
    return max(1, (rows - 1).bit_length())


def pack(parts: Iterable[npt.NDArray[Any]], rows: int) -> Uint64:
    """Keys of 0 or more that come in parts, each with its row's number behind it."""
    packed, width, place = np.empty(rows, np.uint64), row_width(rows), 0
    for part in parts:
        for start in range(0, len(part), CHUNK_ROWS):
            keys = part[start : start + CHUNK_ROWS].astype(np.uint64)
            keys <<= np.uint64(width)
            keys |= np.arange(place, place + len(keys), dtype=np.uint64)
            packed[place : place + len(keys)] = keys
            place += len(keys)
    return packed


def unpack(packed: Uint64, width: int) -> Ints:
    """The rows' numbers."""
    return (packed & np.uint64((1 << width) - 1)).view(np.int64)


def together(low: Ints, high: Ints | None = None) -> tuple[Ints, Mask]:
    """An order in which equal keys stand together.

    Args:
        low: one half of each key; all of it where there is no other.
        high: the other half.

    Returns:
        The rows' positions, and where in that order another key begins, both of shape
        ``(len(low),)``.
    """
    rows, halves = len(low), [low] if high is None else [low, high]
    width = row_width(rows)
    parts = (slice(start, start + CHUNK_ROWS) for start in range(0, rows, CHUNK_ROWS))
    packed = pack((_mixed(halves, part) >> np.uint64(width) for part in parts), rows)
    packed.sort()
    order = unpack(packed, width)
    packed >>= np.uint64(width)
    begins = _begins(order, halves)
    mistaken = _mistaken(packed, begins)
    if mistaken.any():
        order = _settled(order, mistaken, halves)
        begins = _begins(order, halves)
    return order, begins


def _mixed(halves: list[Ints], rows: slice | Ints) -> Uint64:
    """The halves as one number: any bit of a key reaches the highest ones, which are kept."""
    mixed = halves[0][rows].view(np.uint64) * _ODD
    for half in halves[1:]:
        mixed ^= (half[rows].view(np.uint64) ^ (mixed >> np.uint64(32))) * _ODD
    return mixed


def _begins(order: Ints, halves: list[Ints]) -> Mask:
    """Where in an order another key begins than the one before."""
    begins = np.zeros(len(order), np.bool_)
    begins[:1] = True
    for start in range(1, len(order), CHUNK_ROWS):
        rows = order[start - 1 : start + CHUNK_ROWS]
        for half in halves:
            there = half[rows]
            begins[start : start + CHUNK_ROWS] |= there[1:] != there[:-1]
    return begins


def ordered(
    groups: npt.NDArray[Any],
    priorities: Unsigned,
    content: Callable[[Ints], list[npt.NDArray[Any]]] = lambda rows: [],
) -> tuple[Ints, npt.NDArray[Any]]:
    """Sort rows by group, priority and content.

    Args:
        groups: each row's group, 0 or more.
        priorities: each row's priority.
        content: what settles equal priorities, asked for the rows where there are such; the last
            is the most important.

    Returns:
        The rows' positions and the groups in that order, both of shape ``(len(groups),)``.
    """
    width = row_width(len(groups))
    bits = int(groups.max(initial=0)).bit_length()
    room = min(64 - bits - width, 8 * priorities.itemsize)
    if room < 1:
        order = np.lexsort((*content(np.arange(len(groups))), priorities, groups))
        return order, groups[order]
    cut = priorities.dtype.type(8 * priorities.itemsize - room)
    packed = pack(_keys(groups, priorities, room, cut), len(groups))
    packed.sort()
    order = unpack(packed, width)
    packed >>= np.uint64(width)
    places = np.flatnonzero(_alike(packed))
    rows = order[places]
    by = [*content(rows), priorities[rows], groups[rows]]
    order[places] = rows[np.lexsort(by)]
    packed >>= np.uint64(room)
    return order, packed


def _keys(
    groups: npt.NDArray[Any], priorities: Unsigned, room: int, cut: np.unsignedinteger[Any]
) -> Iterable[Uint64]:
    for start in range(0, len(groups), CHUNK_ROWS):
        keys = groups[start : start + CHUNK_ROWS].astype(np.uint64) << np.uint64(room)
        yield keys | (priorities[start : start + CHUNK_ROWS] >> cut).astype(np.uint64)


def _alike(keys: Uint64) -> Mask:
    """Which sorted keys have an equal neighbour."""
    alike = np.zeros(len(keys), np.bool_)
    same = keys[1:] == keys[:-1]
    alike[1:] = same
    alike[:-1] |= same
    return alike


def _mistaken(keys: Uint64, begins: Mask) -> Mask:
    """Which rows share what is left of their key with a row of another key."""
    same = keys[1:] == keys[:-1]
    differs = begins.copy()
    differs[:1] = False
    differs[1:] &= same
    if not differs.any():
        return differs
    run = np.zeros(len(keys), np.int64)
    np.cumsum(~same, out=run[1:])
    return np.isin(run, run[differs])


def _settled(order: Ints, alike: Mask, halves: list[Ints]) -> Ints:
    """Sort the rows that look alike by all there is to them, at the places that they have."""
    places = np.flatnonzero(alike)
    rows = order[places]
    by = [*(half[rows] for half in halves), _mixed(halves, rows)]
    order[places] = rows[np.lexsort(by)]
    return order
