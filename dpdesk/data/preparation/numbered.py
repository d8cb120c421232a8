# SPDX-License-Identifier: Apache-2.0
"""The people of one or several tables, numbered from 0: all with an id in any of them.

The keys of all tables are sorted together once; each run of equal keys is a person. What is left
for each table is small: the number of each row's person, and the rows by person.

With the keys 9 7 9 in one table and 7 8, and a row without an id, in another:

    person 0 has key 7, person 1 key 8, person 2 key 9
    persons      2 0 2    |  0 1 -1
    rows         1 0 2    |  0 1
    offsets      0 1 1 3  |  0 1 2 2
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dpdesk.data.arrays.packed_sort import Ints, Keys, Order, sort_rows

Persons = npt.NDArray[np.signedinteger[Any]]
NOBODY = -1
"""Stands in place of a number where a row has no id."""


@dataclass(frozen=True, repr=False)
class NumberedRows:
    """The rows of one table.

    Attributes:
        persons: the number of each row's person, ``NOBODY`` where it has no id, shape ``(rows,)``.
        rows: places of the rows with an id, by person, those of one person by place.
        offsets: where each person's rows begin in ``rows``, and where the last one's end, shape
            ``(people + 1,)``; a person may have no row here.
    """

    persons: Persons
    rows: Ints
    offsets: Ints


@dataclass(frozen=True, repr=False)
class NumberedPeople:
    """Who is in the tables.

    Attributes:
        people: how many there are, each with an id in one table at least.
        keys: shape ``(people, 2)``, high and low half of each one's key; none of them where
            nobody asks for them.
        tables: the rows of each table.
    """

    people: int
    keys: npt.NDArray[np.uint64]
    tables: tuple[NumberedRows, ...]


@dataclass(frozen=True, repr=False)
class NumberedIds:
    """The numbers of rows' people in place of their keys.

    Attributes:
        persons: see :class:`NumberedRows`.
        pools_without_id: whether rows without an id are together one person.
    """

    persons: Persons
    pools_without_id: bool

    def keys(self) -> Keys:
        """A key for each row, below 0 where it has no id."""
        return Keys(self.persons.astype(np.int64))


def number_people(tables: Sequence[Keys], are_asked: bool = False) -> NumberedPeople:
    """Number the people of some tables.

    Args:
        tables: whose each row of each table is; low halves are below 0 where a row has no id.
        are_asked: whether somebody asks for people's keys.
    """
    keys = tables[0] if len(tables) == 1 else _joined(tables)
    order = sort_rows(keys, None, lambda rows: [], keys.low >= 0)
    smallest: type[np.signedinteger[Any]] = np.int32 if len(keys.low) < 2**31 else np.int64
    numbers = np.cumsum(order.starts, dtype=smallest)
    numbers -= 1
    people = int(numbers[-1]) + 1 if len(numbers) else 0
    split = _split(order.rows, numbers, [len(one.low) for one in tables], people)
    of_people = _keys(keys, order) if are_asked else np.empty((0, 2), np.uint64)
    return NumberedPeople(people, of_people, tuple(split))


def _joined(tables: Sequence[Keys]) -> Keys:
    """The keys of all tables, one behind the other."""
    low, highs = np.concatenate([one.low for one in tables]), [one.high for one in tables]
    alike = {high for high in highs if isinstance(high, int)}
    if len(alike) == 1 and all(isinstance(high, int) for high in highs):
        return Keys(low, alike.pop())
    halves = (np.broadcast_to(np.asarray(one.high, np.int64), len(one.low)) for one in tables)
    return Keys(low, np.concatenate([*halves]))


def _keys(keys: Keys, order: Order) -> npt.NDArray[np.uint64]:
    firsts = order.rows[np.flatnonzero(order.starts)]
    halves = np.empty((len(firsts), 2), np.int64)
    halves[:, 0] = keys.high if isinstance(keys.high, int) else keys.high[firsts]
    halves[:, 1] = keys.low[firsts]
    return halves.view(np.uint64)


def _split(
    rows: Ints, numbers: Persons, lengths: Sequence[int], people: int
) -> Iterator[NumberedRows]:
    """Rows of all tables, by person, as those of each."""
    before = 0
    for length in lengths:
        own, whose = rows, numbers
        if len(lengths) > 1:
            here = np.flatnonzero((rows >= before) & (rows < before + length))
            own, whose = rows[here] - before, numbers[here]
        persons = np.full(length, NOBODY, numbers.dtype)
        persons[own] = whose
        before += length
        ends = np.cumsum(np.bincount(whose, minlength=people))
        yield NumberedRows(persons, own, np.append(0, ends))
