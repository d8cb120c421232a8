# SPDX-License-Identifier: Apache-2.0
"""At most k rows of each person, chosen at random within the person.

The choice looks at one person's rows and their priorities alone, so what is kept of one person
does not depend on anybody else. The bound gives the privacy, the randomness only keeps the
choice fair: the file's order may be that of severity or time.

There is one way, whatever ids look like. Rows are sorted by person and priority
(``packed_sort``); each run of rows with one key is a person, and the runs are numbered. A row is
beyond the bound where the row k places before it is the same person's. With k = 2:

    sorted rows           4   3   1   2   0
    another key starts    x           x
    person                0   0   0   1   1
    two places before             0   0   0
    kept                  x   x       x   x

What is kept goes back to the file's order: rows 0, 2, 3, 4 of persons 1, 1, 0, 0.

How many rows each person has in the file is known here alone, by the length of each run: 3 and 2.
Where a query asks, people are counted by it, and no more than these counts is kept.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from dpdesk.data.arrays.packed_sort import (
    Content,
    Keys,
    Order,
    Unsigned,
    bits_of,
    chunks,
    sort_rows,
)
from dpdesk.data.arrays.parallel import in_halves, sort

Ints = npt.NDArray[np.int64]
Persons = npt.NDArray[np.signedinteger[Any]]
Priorities = Callable[[int], Unsigned]
"""Draws one priority for each of the next rows of the file."""

_DRAWN_AT_ONCE = 1 << 17


def random_priorities(rows: int) -> Unsigned:
    """Priorities from the operating system's generator, shape ``(rows,)``."""
    drawn = np.empty(rows, np.uint32)

    def draw(places: slice) -> None:
        for start in range(places.start, places.stop, _DRAWN_AT_ONCE):
            part = drawn[start : min(start + _DRAWN_AT_ONCE, places.stop)]
            part[:] = np.frombuffer(os.urandom(part.nbytes), np.uint32)

    in_halves(draw, rows)
    return drawn


class RowIds(Protocol):
    """Whose rows are.

    Attributes:
        pools_without_id: whether rows without an id are together one person.
    """

    @property
    def pools_without_id(self) -> bool:
        """See above."""

    def keys(self) -> Keys:
        """Give the keys of all rows away; those without an id have one that is below 0."""


@dataclass(frozen=True, repr=False)
class KeptRows:
    """Rows within the contribution bound.

    Attributes:
        rows: their places in the file, rising.
        persons: each one's person, in ``0..people - 1``.
        keys: shape ``(people with an id, 2)``, high and low half of each one's key.
        people: how many people there are, those without an id counted as declared.
        by_rows: how many people with an id have this many rows in the file; see ``people_by_rows``.
        order: each row's number among its person's, from 0, by priority; ``None`` where nobody
            asks.
    """

    rows: Ints
    persons: Persons
    keys: npt.NDArray[np.uint64]
    people: int
    by_rows: Ints
    order: npt.NDArray[np.int16] | None = None


def bound_rows(
    ids: RowIds,
    k: int,
    priorities: Unsigned,
    content: Content,
    max_top_code: int = 0,
    is_order_kept: bool = False,
) -> KeptRows:
    """Of each person the k rows with the smallest priorities.

    Equal priorities are settled by content and, between rows that are alike, by position: no tie
    lets a row more through, and no order of the file changes what is kept.

    Args:
        ids: whose the file's rows are; it gives its keys away.
        k: contribution bound, 1 or more.
        priorities: each row's priority.
        content: what settles equal priorities.
        max_top_code: up to how many rows people are counted by how many they have; 0 where
            nobody asks.
        is_order_kept: whether somebody asks which of a person's rows comes first.
    """
    keys = ids.keys()
    in_file = len(keys.low)
    width = np.uint64(bits_of(in_file))
    is_known = None if ids.pools_without_id or not keys.low.size else keys.low >= 0
    order = sort_rows(keys, priorities, content, is_known)
    # What nobody asks for again makes room for what is kept.
    del is_known, priorities
    people, count = _people_keys(keys, order), int(np.count_nonzero(order.starts))
    by_rows = people_by_rows(keys, order, max_top_code) if max_top_code else np.zeros(0, np.int64)
    del keys
    rows, persons = _within(order, k)
    numbers = _numbers(rows, persons, in_file) if is_order_kept else None
    rows, persons = _in_file_order(rows, persons, width)
    in_order = None if numbers is None else numbers[rows]
    return KeptRows(rows, persons, people, count, by_rows, in_order)


def people_by_rows(keys: Keys, order: Order, most: int) -> Ints:
    """How many people with an id have 0, 1, 2 ... rows, of all rows in order; the last or more.

    Rows without an id are nobody's here, also where they are bounded as one person's together.

    Args:
        keys: each row's key.
        order: all rows that are bounded, by person.
        most: people with this many rows or more are counted together.

    Returns:
        Shape ``(most + 1,)``; the first entry is 0, for nobody in the file has no row.

    Two people with 2 rows and one with 1, who has key 9, and one row without an id:

    >>> keys = Keys(np.array([7, 9, 7, 8, -1, 8]))
    >>> starts = np.array([1, 1, 0, 1, 0, 1], np.bool_)
    >>> people_by_rows(keys, Order(np.array([4, 0, 2, 3, 5, 1]), starts), 3).tolist()
    [0, 1, 2, 0]
    """
    counts = np.zeros(most + 1, np.int64)
    first, is_known = 0, False
    for part in chunks(len(order.rows)):
        # The runs that end in this chunk; the last one that begins in it ends in a later one.
        begins = np.flatnonzero(order.starts[part]) + part.start
        known = keys.low[order.rows[begins]] >= 0
        lengths = np.diff(begins, prepend=first)
        are_known = np.concatenate(([is_known], known))[: len(begins)]
        counts += _by_length(lengths[are_known], most)
        if begins.size:
            first, is_known = int(begins[-1]), bool(known[-1])
    if is_known:
        counts += _by_length(np.array([len(order.rows) - first]), most)
    return counts


def _by_length(lengths: Ints, most: int) -> Ints:
    return np.bincount(np.minimum(lengths, most), minlength=most + 1)


def _within(order: Order, k: int) -> tuple[Ints, Persons]:
    """The rows within the bound, over those in order, and the number of each one's person."""
    # The running sum of starts numbers the runs from 1: x . . x . gives 1 1 1 2 2, less one. Half
    # of the memory is enough for that as long as there are fewer than 2^31 rows.
    smallest: type[np.signedinteger[Any]] = np.int32 if len(order.rows) < 2**31 else np.int64
    numbers = order.starts.astype(smallest)
    np.cumsum(numbers, out=numbers)
    numbers -= 1
    is_within = np.ones(len(numbers), np.bool_)
    # Rows of a person are together, so one who has a row k places before has k before this one.
    is_within[k:] = numbers[k:] != numbers[:-k]
    count = 0
    for part in chunks(len(numbers)):
        # Picked by places rather than by a mask, whose truths numpy would have to guess. What is
        # kept moves towards the front: nothing is overwritten before it is read.
        kept = np.flatnonzero(is_within[part]) + part.start
        after = count + len(kept)
        order.rows[count:after], numbers[count:after] = order.rows[kept], numbers[kept]
        count = after
    return order.rows[:count], numbers[:count]


def _numbers(rows: Ints, persons: Persons, in_file: int) -> npt.NDArray[np.int16]:
    """Each kept row's number among its person's, from 0, at its place in the file.

    Rows 4 3 2 0 of the persons 0 0 1 1 of a file of five get the numbers 0 1 0 1:

    >>> _numbers(np.array([4, 3, 2, 0]), np.array([0, 0, 1, 1]), 5).tolist()
    [1, 0, 0, 1, 0]
    """
    places = np.arange(len(rows))
    begins = np.flatnonzero(np.diff(persons, prepend=-1))
    numbers = np.zeros(in_file, np.int16)
    numbers[rows] = places - np.repeat(begins, np.diff(begins, append=len(rows)))
    return numbers


def _in_file_order(rows: Ints, numbers: Persons, width: np.uint64) -> tuple[Ints, Persons]:
    """Rows of this many bits in rising order, each with its number: one sort of both, in place.

    Rows 4 3 2 0 of persons 0 0 1 1 are, with three bits to a person, 32 24 17 1; sorted 1 17 24 32,
    which are the rows 0 2 3 4 of persons 1 1 0 0.
    """
    packed = rows.view(np.uint64)
    packed <<= width
    packed |= numbers.view(f"u{numbers.itemsize}")
    sort(packed)
    np.bitwise_and(packed, (np.uint64(1) << width) - np.uint64(1), out=numbers, casting="unsafe")
    packed >>= width
    return rows, numbers


def _people_keys(keys: Keys, order: Order) -> npt.NDArray[np.uint64]:
    """Each person's key, read at the first of its rows, but for the one without an id."""
    people, count = np.empty((np.count_nonzero(order.starts), 2), np.int64), 0
    for part in chunks(len(order.rows)):
        firsts = order.rows[part][np.flatnonzero(order.starts[part])]
        people_keys = people[count : count + len(firsts)]
        people_keys[:, 0] = keys.high if isinstance(keys.high, int) else keys.high[firsts]
        people_keys[:, 1] = keys.low[firsts]
        count += len(firsts)
    known = people[:, 1] >= 0
    return (people if known.all() else people[known]).view(np.uint64)
