# SPDX-License-Identifier: Apache-2.0
"""Whose rows are whose and which are kept, in two sorts, where ids are not too long numbers.

A row's id, a random priority and its place in the file share 64 bits. Sorted, a person's rows
stand together in the order of their priorities; the row k places before one is the same
person's where the row is beyond the bound. What is kept is sorted back to the file's order with
the person's number behind it. Memory is gone through from end to end, a piece at a time, which
is many times as fast as to jump about in it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dpdesk.data.arrays.packed_sort import CHUNK_ROWS, row_width
from dpdesk.data.arrays.parallel import in_halves, sort

Ints = npt.NDArray[np.int64]
Uint64 = npt.NDArray[np.uint64]
Codes = npt.NDArray[np.signedinteger[Any]]
Unsigned = npt.NDArray[np.unsignedinteger[Any]]
Content = Callable[[Ints], list[Codes]]
"""What settles equal priorities, of the rows asked for; the last is the most important."""

_LEAST_BITS = 6
"""With fewer bits of each priority too many rows look alike at first."""


@dataclass(frozen=True, repr=False)
class BoundedIntegers:
    """Rows within the contribution bound.

    Attributes:
        rows: their places in the file, rising.
        persons: each one's person, in ``0..people - 1``.
        ids: each person's id, rising; without the one that stands for rows without an id.
        people: how many people there are.
    """

    rows: Ints
    persons: Codes
    ids: Ints
    people: int


@dataclass(frozen=True)
class _Layout:
    """What stands where in 64 bits: id, priority, row.

    Attributes:
        lowest: the smallest id, which stands there as 0.
        nobody: what stands there for rows without an id; ``None`` where they are left out.
        row: how many bits a row takes.
        priority: how many bits are left for its priority.
    """

    lowest: int
    nobody: int | None
    row: int
    priority: int

    @property
    def rows(self) -> np.uint64:
        """The bits of a row."""
        return np.uint64((1 << self.row) - 1)

    @property
    def id(self) -> np.uint64:
        """Where the id begins."""
        return np.uint64(self.row + self.priority)


def bound_integers(
    ids: Ints, k: int, priorities: Unsigned, content: Content, pooled: bool = False
) -> BoundedIntegers | None:
    """Number people by their ids and keep of each the k rows with the smallest priorities.

    Equal priorities are settled by content and, between rows that are alike, by position.

    Args:
        ids: ids of the file's rows; -1 where a row has none. They are written over.
        k: contribution bound, 1 or more.
        priorities: each row's priority.
        content: what settles equal priorities.
        pooled: whether rows without an id are one person together; else they are left out.

    Returns:
        The rows, or ``None`` where ids are too long for this way; then they are untouched.
    """
    layout = _layout(ids, 8 * priorities.itemsize, pooled)
    if layout is None:
        return None
    packed = _packed(ids, priorities, layout)
    sort(packed)
    _settle(packed, layout, priorities, content)
    packed, people = _bounded(packed, k, layout)
    sort(packed)
    persons = _persons(packed, layout)
    count = len(people)
    if count and layout.nobody is not None and people[-1] == layout.nobody:
        people = people[:-1]
    people += layout.lowest
    return BoundedIntegers(packed.view(np.int64), persons, people, count)


def most_bits(rows: int, pooled: bool) -> int:
    """How many bits ids may have that :func:`bound_integers` surely takes."""
    row = row_width(rows)
    return -1 if 2 * row > 64 else min(62, 64 - _LEAST_BITS - row) - pooled


def _layout(ids: Ints, most: int, pooled: bool) -> _Layout | None:
    known = ids[ids >= 0] if ids.size and ids.min() < 0 else ids
    lowest, highest = (int(known.min()), int(known.max())) if known.size else (0, 0)
    span, row = highest - lowest, row_width(len(ids))
    priority = min(most, 64 - (span + pooled).bit_length() - row)
    if priority < _LEAST_BITS or 2 * row > 64:
        return None
    return _Layout(lowest, span + 1 if pooled else None, row, priority)


def _packed(ids: Ints, priorities: Unsigned, layout: _Layout) -> Uint64:
    """Id, priority and row of each row, over the ids."""
    packed, filled = ids.view(np.uint64), 0
    cut = priorities.dtype.type(8 * priorities.itemsize - layout.priority)
    for start in range(0, len(ids), CHUNK_ROWS):
        part = ids[start : start + CHUNK_ROWS]
        keys = (part - layout.lowest).view(np.uint64)
        keys <<= np.uint64(layout.priority)
        keys |= (priorities[start : start + len(part)] >> cut).astype(np.uint64)
        keys <<= np.uint64(layout.row)
        keys |= np.arange(start, start + len(part), dtype=np.uint64)
        keys = _of_nobody(keys, part < 0, layout)
        packed[filled : filled + len(keys)] = keys
        filled += len(keys)
    return packed[:filled]


def _of_nobody(keys: Uint64, nobody: npt.NDArray[np.bool_], layout: _Layout) -> Uint64:
    """What becomes of rows without an id."""
    if not nobody.any():
        return keys
    if layout.nobody is None:
        return keys[~nobody]
    below = (np.uint64(1) << layout.id) - np.uint64(1)
    keys[nobody] = (keys[nobody] & below) | (np.uint64(layout.nobody) << layout.id)
    return keys


def _settle(packed: Uint64, layout: _Layout, priorities: Unsigned, content: Content) -> None:
    """Order rows of one person that look alike by all there is to them."""
    row, alike = np.uint64(layout.row), []
    for start in range(0, len(packed), CHUNK_ROWS):
        keys = packed[start : start + CHUNK_ROWS + 1] >> row
        alike.append(np.flatnonzero(keys[1:] == keys[:-1]) + start)
    first = np.concatenate([np.empty(0, np.int64), *alike])
    if first.size:
        places = np.union1d(first, first + 1)
        keys = packed[places] >> row
        rows = (packed[places] & layout.rows).view(np.int64)
        rows = rows[np.lexsort([priorities[rows], keys])]
        _settle_by_content(rows, keys, priorities, content)
        packed[places] = (keys << row) | rows.view(np.uint64)


def _settle_by_content(rows: Ints, keys: Uint64, priorities: Unsigned, content: Content) -> None:
    """Order rows whose whole priorities are equal, too, in place; there are hardly any."""
    drawn = priorities[rows]
    first = np.flatnonzero((keys[1:] == keys[:-1]) & (drawn[1:] == drawn[:-1]))
    if first.size:
        tied = np.union1d(first, first + 1)
        some = rows[tied]
        rows[tied] = some[np.lexsort([*content(some), drawn[tied], keys[tied]])]


def _bounded(packed: Uint64, k: int, layout: _Layout) -> tuple[Uint64, Ints]:
    """The rows within the bound, each with its person's number behind it, and the people's ids.

    They are written over what was packed.
    """
    middle = len(packed) // 2
    if middle:
        # No person stands on both sides.
        middle = int(np.searchsorted(packed, packed[middle] >> layout.id << layout.id))
    (first, ids), (second, others) = in_halves(
        lambda places: _bounded_part(packed[places], k, layout), len(packed), middle
    )
    second += np.uint64(sum(map(len, ids)))
    count = len(first) + len(second)
    packed[len(first) : count] = second
    return packed[:count], np.concatenate([*ids, *others]).view(np.int64)


def _bounded_part(packed: Uint64, k: int, layout: _Layout) -> tuple[Uint64, list[Uint64]]:
    """The same of some people, whose numbers begin at 0."""
    before, number, filled, found = np.empty(0, np.uint64), -1, 0, [np.empty(0, np.uint64)]
    # Two threads that let go of Python's lock more often wait for each other.
    step = max(4 * CHUNK_ROWS, k)
    for start in range(0, len(packed), step):
        part = packed[start : start + step]
        ids = part >> layout.id
        seen = np.concatenate([before, ids])
        new = np.ones(len(ids), np.bool_)
        np.not_equal(seen[len(before) :][1:], ids[:-1], out=new[1:])
        new[0] = not before.size or ids[0] != before[-1]
        numbers = np.cumsum(new) + number
        # By places rather than by a mask: numpy guesses at each truth, and guesses wrong.
        found.append(ids[np.flatnonzero(new)])
        kept = ((part & layout.rows) << np.uint64(layout.row)) | numbers.view(np.uint64)
        free = k - len(before)
        beyond = ids[free:] == seen[: len(ids) - free] if free < len(ids) else ids[:0] > 0
        head, tail = kept[:free], kept[free:]
        if beyond.any():
            tail = tail[np.flatnonzero(~beyond)]
        for rows in (head, tail):
            packed[filled : filled + len(rows)] = rows
            filled += len(rows)
        before, number = seen[-k:], int(numbers[-1])
    return packed[:filled], found


def _persons(packed: Uint64, layout: _Layout) -> Codes:
    """The persons' numbers from behind their rows, which stay behind alone."""
    persons: Codes = np.empty(len(packed), np.int32 if layout.row < 32 else np.int64)

    def take(places: slice) -> None:
        for start in range(places.start, places.stop, CHUNK_ROWS):
            part = slice(start, min(start + CHUNK_ROWS, places.stop))
            persons[part] = packed[part] & layout.rows
            packed[part] >>= np.uint64(layout.row)

    in_halves(take, len(packed))
    return persons
