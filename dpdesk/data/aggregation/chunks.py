# SPDX-License-Identifier: Apache-2.0
"""A table in parts that fit the processor's cache, and what each of them adds to an answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dpdesk.data.arrays.parallel import prefetched
from dpdesk.data.encoding.table import Codes, EncodedTable

Pairs = tuple[Codes, npt.NDArray[np.intp]]
"""The people and the cells of some rows."""

PART_ROWS = 1 << 16
"""Codes and cells of this many rows fit the cache; there work on them costs a third."""

_ROWS_A_CELL = 8
"""With many cells parts have more rows, so that adding the parts up stays the lesser work."""


@dataclass(frozen=True, repr=False)
class PartialAggregate:
    """What some rows add.

    Attributes:
        counts: rows by cell, or by what a cell has.
        sums: exact sums by cell, where any are asked for; of several kinds, one after the other.
    """

    counts: npt.NDArray[np.int64]
    sums: list[int] | None = None


@dataclass(frozen=True, repr=False)
class Total:
    """The sum of all parts; see :class:`Part`."""

    counts: npt.NDArray[np.int64]
    sums: list[int]


def sum_of_parts(
    table: EncodedTable, add: Callable[[EncodedTable], PartialAggregate], cells: int
) -> Total:
    """Add up what the table's parts add; an empty table has one empty part.

    Args:
        add: what some of its rows add; parts of any size add up to the same.
    """
    rows, step = len(table.persons()), max(PART_ROWS, _ROWS_A_CELL * cells)
    counts, sums = np.zeros(0, np.int64), []
    for start in range(0, max(rows, 1), step):
        part = add(table.part(slice(start, start + step)))
        more = part.sums or []
        if start == 0:
            counts, sums = part.counts.astype(np.int64), more
        else:
            counts += part.counts
            sums = [first + second for first, second in zip(sums, more, strict=True)]
    return Total(counts, sums)


def people_of_parts(
    table: EncodedTable, pairs: Callable[[EncodedTable], Pairs], cells: int
) -> npt.NDArray[np.int64]:
    """How many different people have a row in each cell.

    Each pair is ticked off in a table, in two threads: nobody unticks one. Five rows of the people
    0, 0, 1, 2 and 2 in the cells 1, 1, 0, 0 and 1 tick off two people in each:

        person   0  1  2
        cell 0      x  x
        cell 1   x     x

    Args:
        table: the encoded table, of people by cells pairs that fit into memory.
        pairs: the people and the cells of some of its rows.
    """
    people = table.people()
    seen = np.zeros(people * cells, np.bool_)

    def tick(start: int) -> None:
        persons, places = pairs(table.part(slice(start, start + PART_ROWS)))
        seen[places * people + persons] = True

    for _done in prefetched(tick, range(0, len(table.persons()), PART_ROWS), 2):
        pass
    columns = seen.reshape(cells, people)
    return np.array([np.count_nonzero(column) for column in columns], np.int64)
