# SPDX-License-Identifier: Apache-2.0
"""Rows in the order of their keys, and those of one key in the order of their priorities.

numpy sorts integers ten times as fast as it sorts positions by integers (it sorts them with
vector instructions), so a row is one integer of 64 bits: as much of its key as there is room for,
the upper bits of its priority, and its place. Five rows, with 4 bits of each priority of 8:

    row  key  priority    key - 7 | priority >> 4 | row    sorted     order  starts
    0    9    0x51              2 | 5 | 0                  0 | 1 | 4  4      yes
    1    7    0x83              0 | 8 | 1                  0 | 8 | 1  3
    2    9    0x4f              2 | 4 | 2                  0 | 8 | 3  1
    3    7    0x80              0 | 8 | 3                  2 | 4 | 2  2      yes
    4    7    0x12              0 | 1 | 4                  2 | 5 | 0  0

Rows 1 and 3 look alike but for their places, so they are sorted again by their whole priorities.
Where keys span more than there is room for, a hash is in their place. Two keys may then have
the same bits: each row's whole key is compared with the one before, and a run of equal bits in
which keys differ is sorted again, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dpdesk.data.arrays.parallel import in_halves, sort

Ints = npt.NDArray[np.int64]
Uint64 = npt.NDArray[np.uint64]
Mask = npt.NDArray[np.bool_]
Unsigned = npt.NDArray[np.unsignedinteger[Any]]
Content = Callable[[Ints], list[npt.NDArray[Any]]]
"""What settles equal priorities, of the rows asked for; the last is the most important."""

CHUNK_ROWS = 1 << 14
"""This many rows are worked on at a time where fresh memory would cost more than the work."""

_LEAST_PRIORITY = 6
"""With fewer bits of each priority too many rows look alike at first."""

_HASH_BITS = 10
"""A hash has this many more bits than a place: of 2^n keys one in 2^11 meets another then."""

_ODD = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, repr=False)
class Keys:
    """What rows are sorted by.

    Attributes:
        low: low half of each row's key, shape ``(rows,)``.
        high: high half, of the same shape; one number where all rows have the same.
    """

    low: Ints
    high: Ints | int = 0

    @property
    def halves(self) -> list[Ints]:
        """The halves in which keys differ."""
        return [self.low] if isinstance(self.high, int) else [self.low, self.high]


@dataclass(frozen=True, repr=False)
class Order:
    """Sorted rows.

    Attributes:
        rows: their places, shape ``(sorted rows,)``.
        starts: where in that order another key begins, of the same shape.
    """

    rows: Ints
    starts: Mask


@dataclass(frozen=True)
class _Layout:
    """How many bits of a packed row say its place and its priority; the bits above say its key.

    Attributes:
        place: bits of the place.
        priority: bits of the priority.
        lowest: the smallest key, which is there as 0; ``None`` where a hash is there.
    """

    place: int
    priority: int
    lowest: int | None

    @property
    def above(self) -> np.uint64:
        """Where the key begins."""
        return np.uint64(self.place + self.priority)

    @property
    def mask(self) -> np.uint64:
        return np.uint64((1 << self.place) - 1)

    def places(self, packed: Uint64) -> Ints:
        return (packed & self.mask).view(np.int64)


def bits_of(rows: int) -> int:
    """How many bits the place of a row takes."""
    return max(1, (rows - 1).bit_length())


def sort_rows(
    keys: Keys, priorities: Unsigned | None, content: Content, is_known: Mask | None = None
) -> Order:
    """Sort rows by key; those of one key by priority, then by content, then by place.

    Args:
        keys: each row's key. Keys are in no order of their own.
        priorities: each row's priority, shape ``(rows,)``; where there are none, rows of one key
            go by place alone.
        content: what settles equal priorities, asked for the few rows that have such.
        is_known: which rows are sorted at all, shape ``(rows,)``; all where it is left out.

    The five rows at the head of the module, here with priorities of 8 bits that all fit:

    >>> keys = Keys(np.array([9, 7, 9, 7, 7]))
    >>> priorities = np.array([0x51, 0x83, 0x4F, 0x80, 0x12], np.uint8)
    >>> order = sort_rows(keys, priorities, lambda rows: [])
    >>> order.rows.tolist(), np.flatnonzero(order.starts).tolist()
    ([4, 3, 1, 2, 0], [0, 3])
    """
    layout = _layout(keys, 0 if priorities is None else 8 * priorities.itemsize)
    packed = _packed(keys, priorities, is_known, layout)
    sort(packed)
    starts = _starts(packed, keys, layout)
    places = _doubtful(packed, starts, layout)
    if places.size:
        _settle(packed, places, keys, priorities, content, layout)
        here, before = (_key_values(packed[at], keys, layout) for at in (places, places - 1))
        starts[places] = _differ(here, before)
        starts[0] = True
    # The places alone are left, where the packed rows were.
    packed &= layout.mask
    return Order(packed.view(np.int64), starts)


def _layout(keys: Keys, most: int) -> _Layout:
    """Whole keys where there is room for them, else hashes."""
    # A million rows take 20 bits of place. Ids that span 2^31 take 32 and leave 12 to the priority;
    # ids that span 2^60 would leave none, so 30 bits of hash replace them, and 14 are left.
    place = bits_of(len(keys.low))
    room = 64 - place - min(most, _LEAST_PRIORITY)
    if isinstance(keys.high, int) and keys.low.size:
        lowest = int(keys.low.min())
        span = (int(keys.low.max()) - lowest).bit_length()
        if span <= room:
            return _Layout(place, min(most, 64 - place - span), lowest)
    hashed = max(64 - place - most, min(room, place + _HASH_BITS))
    return _Layout(place, 64 - place - hashed, None)


def _packed(
    keys: Keys, priorities: Unsigned | None, is_known: Mask | None, layout: _Layout
) -> Uint64:
    """Key, priority and place of each row that is sorted."""
    packed, filled = np.empty(len(keys.low), np.uint64), 0
    for part in chunks(len(keys.low)):
        rows = _key_bits(keys, part, layout)
        if priorities is not None:
            # Of each priority the upper bits are kept, which order rows as far as they go.
            cut = priorities.dtype.type(8 * priorities.itemsize - layout.priority)
            rows <<= np.uint64(layout.priority)
            rows |= (priorities[part] >> cut).astype(np.uint64)
        rows <<= np.uint64(layout.place)
        rows |= np.arange(part.start, part.stop, dtype=np.uint64)
        if is_known is not None:
            rows = rows[is_known[part]]
        packed[filled : filled + len(rows)] = rows
        filled += len(rows)
    return packed[:filled]


def chunks(rows: int) -> Iterator[slice]:
    for start in range(0, rows, CHUNK_ROWS):
        yield slice(start, min(start + CHUNK_ROWS, rows))


def _key_bits(keys: Keys, rows: slice, layout: _Layout) -> Uint64:
    """What represents each key, at the low end."""
    if layout.lowest is not None:
        return (keys.low[rows] - layout.lowest).view(np.uint64)
    # Any bit of a key reaches the highest bits of the product, which are kept.
    mixed = keys.low[rows].view(np.uint64) * _ODD
    for half in keys.halves[1:]:
        mixed ^= (half[rows].view(np.uint64) ^ (mixed >> np.uint64(32))) * _ODD
    return mixed >> layout.above


def _starts(packed: Uint64, keys: Keys, layout: _Layout) -> Mask:
    """Where another key begins."""
    starts = np.ones(len(packed), np.bool_)  # the first row begins a key whatever it is

    def mark(rows: slice) -> None:
        for start in range(max(rows.start, 1), rows.stop, CHUNK_ROWS):
            stop = min(start + CHUNK_ROWS, rows.stop)
            # Each chunk looks back at the last row before it.
            values = _key_values(packed[start - 1 : stop], keys, layout)
            starts[start:stop] = _differ([v[1:] for v in values], [v[:-1] for v in values])

    in_halves(mark, len(packed))
    return starts


def _key_values(packed: Uint64, keys: Keys, layout: _Layout) -> list[npt.NDArray[Any]]:
    """What is equal for packed rows if and only if their keys are."""
    if layout.lowest is not None:
        return [packed >> layout.above]
    rows = layout.places(packed)
    return [half[rows] for half in keys.halves]


def _differ(here: list[npt.NDArray[Any]], there: list[npt.NDArray[Any]]) -> Mask:
    differ: Mask = here[0] != there[0]
    for one, other in zip(here[1:], there[1:], strict=True):
        differ |= one != other
    return differ


def _doubtful(packed: Uint64, starts: Mask, layout: _Layout) -> Ints:
    """Places of rows that look like another row, or are in a run of one hash but several keys.

    Rows without a priority are in the order of their places already.
    """
    doubted: Mask = np.zeros(len(packed) + 1, np.bool_)
    mixed = [np.empty(0, np.int64)]
    for part in chunks(len(packed)):
        # One row more than the chunk, so that its last row is compared with the next, too.
        seen = packed[part.start : part.stop + 1] >> np.uint64(layout.place)
        if layout.priority:
            alike = np.flatnonzero(seen[1:] == seen[:-1]) + part.start
            doubted[alike] = doubted[alike + 1] = True
        if layout.lowest is None:
            # One hash, and yet another key begins: two keys share it, and their rows are mixed.
            seen >>= np.uint64(layout.priority)
            same = seen[1:] == seen[:-1]
            same &= starts[part.start + 1 : part.stop + 1]
            mixed.append(np.flatnonzero(same) + part.start)
    doubted[_runs(packed, np.concatenate(mixed), layout.above)] = True
    return np.flatnonzero(doubted)


def _runs(packed: Uint64, places: Ints, above: np.uint64) -> Ints:
    """All places whose upper bits are those at some place.

    Of upper bits 3 5 5 5 8 the run at place 2 begins at place 1 and ends before 4: the change is
    0 1 0 0 -1, its running sum 0 1 1 1 0, and places 1, 2 and 3 are the run.
    """
    if not places.size:
        return places
    lowest = np.unique(packed[places] >> above << above)
    highest = lowest | ((np.uint64(1) << above) - np.uint64(1))
    change = np.zeros(len(packed) + 1, np.int8)
    change[np.searchsorted(packed, lowest)] += 1
    change[np.searchsorted(packed, highest, "right")] -= 1
    return np.flatnonzero(np.cumsum(change[:-1], dtype=np.int8))


def _settle(
    packed: Uint64,
    places: Ints,
    keys: Keys,
    priorities: Unsigned | None,
    content: Content,
    layout: _Layout,
) -> None:
    """Sort the rows at some places by all there is to them; bits above them stay as they are."""
    bits = packed[places] >> layout.above
    rows = layout.places(packed[places])
    # lexsort goes by its last entry first: by the upper bits, so that rows stay in their run, then
    # by the key, then by the whole priority; it is stable, so what is left goes by place.
    by: list[npt.NDArray[Any]] = [*([] if priorities is None else [priorities]), *keys.halves]
    rows = rows[np.lexsort([*(values[rows] for values in by), bits])]
    if priorities is not None:
        _settle_tied(rows, bits, by, content)
    packed[places] = bits << layout.above | rows.view(np.uint64)


def _settle_tied(rows: Ints, bits: Uint64, by: list[npt.NDArray[Any]], content: Content) -> None:
    """Sort rows of equal keys and whole priorities, hardly any, by content, in place."""
    same = bits[1:] == bits[:-1]
    for values in by:
        same &= values[rows[1:]] == values[rows[:-1]]
    tied = np.flatnonzero(np.append(same, False) | np.append(False, same))
    if tied.size:
        some = rows[tied]
        order = np.lexsort([*content(some), *(values[some] for values in by), bits[tied]])
        rows[tied] = some[order]
