# SPDX-License-Identifier: Apache-2.0
"""Rows of several columns whose counts are near those of some tables, in whole numbers alone.

What is fitted are **atoms**: a column's groups, or where it is cut in several ways the parts into
which all cuts together divide it. A table counts groups of some columns' atoms.

1. **One column after another.** The next one is that which shares most tables with those that are
   there. Its atoms are distributed, among rows that are alike in what these tables know of them, in
   proportion to the product of the tables' conditional counts: where tables meet in single columns
   as a tree does, this is the distribution of largest entropy that has them (Lauritzen, Graphical
   Models, 1996, section 4.4). A systematic sample with a random beginning keeps each group's part
   to within one row.
2. **Swaps and moves.** Where tables meet in circles, and for what rounding left, rows exchange
   their atoms of one column, or take another one, where the sum of all distances falls (``swaps``).

No floating point: the same rows on every machine, so that a bundle can be checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from dpdesk.release.bundle.synthetic.stream import Places, Stream

BITS = 20
"""Of the weights of one row's atoms; a number of rows has no more."""

_WEIGHT_BITS = 42
ROUNDS = 30
"""Of fitting one column's atoms to its cuts, where there are several."""

MOST_WEIGHTS = 1 << 21
"""Of rows that are alike, as many at a time as have this many weights."""


@dataclass(frozen=True)
class FittedTable:
    """A table that rows are fitted to.

    Attributes:
        columns: its columns, by their places among all.
        groups: of each column, the group of every atom.
        counts: how many rows each cell is to have, 0 or more; one axis a column.
    """

    columns: tuple[int, ...]
    groups: tuple[Places, ...]
    counts: Places

    def cells(self, rows: Sequence[Places]) -> Places:
        """The cell of each row, of all columns' atoms, counted along the last axis first."""
        found = np.zeros(len(rows[self.columns[0]]), np.int64)
        for column, groups, size in zip(self.columns, self.groups, self.counts.shape, strict=True):
            found = found * size + groups[rows[column]]
        return found

    def stride(self, column: int) -> int:
        return prod(self.counts.shape[self.columns.index(column) + 1 :])

    def groups_of(self, column: int) -> Places:
        return self.groups[self.columns.index(column)]

    def along(self, kept: Sequence[int]) -> Places:
        """Its counts over some of its columns, in their order in the table."""
        axes = tuple(axis for axis, column in enumerate(self.columns) if column not in kept)
        summed: Places = self.counts.sum(axis=axes)
        return summed

    def differences(self, rows: Sequence[Places]) -> Places:
        """By how much each cell has too many rows."""
        found = np.bincount(self.cells(rows), minlength=self.counts.size)
        result: Places = found - self.counts.ravel()
        return result


def apportioned(weights: Places, total: int) -> Places:
    """A whole number in parts that are in proportion to weights; the largest remainders rise.

    >>> apportioned(np.array([1, 1, 2]), 5).tolist(), apportioned(np.array([0, 0]), 3).tolist()
    ([1, 1, 3], [2, 1])
    """
    flat = weights.ravel() if weights.any() else np.ones(weights.size, np.int64)
    # A number of rows has 20 bits; noise that leaves nothing may have counts of many more.
    flat = flat >> max(0, int(flat.max()).bit_length() - _WEIGHT_BITS)
    whole, rest = np.divmod(flat * total, flat.sum())
    rising = np.argsort(-rest, kind="stable")[: total - int(whole.sum())]
    whole[rising] += 1
    result: Places = whole.reshape(weights.shape)
    return result


def first_rows(
    atoms: Sequence[int], tables: Sequence[FittedTable], count: int, stream: Stream
) -> list[Places]:
    """Rows with the counts of all tables, where these meet as a tree does, to within rounding.

    Args:
        atoms: how many atoms each column has; each column is in a table.
        tables: whose counts add up to the number of rows each.
        count: how many rows, below 2^20.

    Returns:
        For each column the atoms of all rows.
    """
    rows = [np.zeros(count, np.int64) for _ in atoms]
    if not count:
        return rows
    there: list[int] = []
    while len(there) < len(atoms):
        column = _next(len(atoms), tables, there)
        rows[column] = _distributed(column, atoms[column], tables, there, rows, stream)
        there.append(column)
    return rows


def _next(columns: int, tables: Sequence[FittedTable], there: Sequence[int]) -> int:
    """The column that shares most tables with those there; then that of most tables."""

    def ranked(column: int) -> tuple[int, int, int]:
        own = [table for table in tables if column in table.columns]
        return sum(bool(set(t.columns) & set(there)) for t in own), len(own), -column

    return max((c for c in range(columns) if c not in there), key=ranked)


def _distributed(
    column: int,
    atoms: int,
    tables: Sequence[FittedTable],
    there: Sequence[int],
    rows: Sequence[Places],
    stream: Stream,
) -> Places:
    """The atoms of one more column, for every row."""
    base = _base(column, atoms, tables)
    known = [t for t in tables if column in t.columns and set(t.columns) & set(there)]
    known = [t for t in known if not any(_knows_less(t, other, there) for other in known)]
    alike = np.zeros(len(rows[0]), np.int64)
    places = []
    for table in known:
        shared = [one for one in table.columns if one in there]
        counts = table.along((*shared, column))
        at = _without(table, column, shared, rows)
        places.append((np.moveaxis(counts, _axis(table, column, shared), -1), at, table))
        alike = np.unique(alike * (int(at.max()) + 1) + at, return_inverse=True)[1]
    _, firsts, of_row = np.unique(alike, return_index=True, return_inverse=True)
    weights = []
    for begin in range(0, len(firsts), max(1, MOST_WEIGHTS // atoms)):
        some = firsts[begin : begin + max(1, MOST_WEIGHTS // atoms)]
        own = np.broadcast_to(base << BITS, (len(some), atoms)).copy()
        for counts, at, table in places:
            groups = table.groups_of(column)
            whole = np.bincount(groups, base, counts.shape[-1]).astype(np.int64)
            own = own * counts.reshape(-1, counts.shape[-1])[at[some]][:, groups]
            own //= np.maximum(whole[groups], 1)
        weights.append((some, _scaled(own, base)))
    return _sampled(of_row, firsts, weights, stream)


def _base(column: int, atoms: int, tables: Sequence[FittedTable]) -> Places:
    """Weights of a column's atoms, of 20 bits together, with its counts in every cut.

    Iterative proportional fitting (Deming and Stephan 1940) over the cuts, in whole numbers.
    """
    own = [(t.along((column,)), t.groups_of(column)) for t in tables if column in t.columns]
    weights = np.full(atoms, 1 << (2 * BITS), dtype=object)
    for _ in range(1 if len(own) == 1 else ROUNDS):
        for counts, groups in own:
            whole = np.zeros(len(counts), dtype=object)
            np.add.at(whole, groups, weights)
            scaled = counts.astype(object) << (2 * BITS)
            weights = weights * scaled[groups] // np.maximum(whole[groups], 1)
    total = weights.sum()
    if not total:
        return np.ones(atoms, np.int64)
    scaled_weights: Places = (weights * (1 << BITS) // total).astype(np.int64)
    return scaled_weights


def _knows_less(table: FittedTable, other: FittedTable, there: Sequence[int]) -> bool:
    """Whether another one knows all that a table does of a column among those there, and more."""
    return set(table.columns) & set(there) < set(other.columns) & set(there)


def _without(
    table: FittedTable, column: int, shared: Sequence[int], rows: Sequence[Places]
) -> Places:
    """Where each row is among the groups of the columns that are there."""
    found = np.zeros(len(rows[0]), np.int64)
    for one, groups, size in zip(table.columns, table.groups, table.counts.shape, strict=True):
        if one in shared:
            found = found * size + groups[rows[one]]
    return found


def _axis(table: FittedTable, column: int, shared: Sequence[int]) -> int:
    return [one for one in table.columns if one in shared or one == column].index(column)


def _scaled(weights: Places, base: Places) -> Places:
    """Weights of 20 bits a line; a line without any takes those of the column alone."""
    empty = ~weights.any(axis=1)
    weights[empty] = base
    shift = np.maximum(0, _bits(weights.sum(axis=1)) - BITS)
    scaled: Places = weights >> shift[:, None]
    lost = ~scaled.any(axis=1)
    scaled[lost] = weights[lost] > 0
    return scaled


def _bits(numbers: Places) -> Places:
    """How many bits each number has.

    >>> _bits(np.array([0, 1, 2, 255, 256])).tolist()
    [0, 1, 2, 8, 9]
    """
    found = np.zeros(len(numbers), np.int64)
    for bit in range(63):
        found += (numbers >> bit) > 0
    return found


def _sampled(
    of_row: Places, firsts: Places, weights: Sequence[tuple[Places, Places]], stream: Stream
) -> Places:
    """An atom for every row: a systematic sample of each group of rows that are alike."""
    order = np.lexsort((stream.words(len(of_row)), of_row))
    sizes = np.bincount(of_row, minlength=len(firsts))
    begins = np.cumsum(sizes) - sizes
    starts = stream.below(np.full(len(firsts), 1 << BITS))
    result = np.zeros(len(of_row), np.int64)
    done = 0
    for some, own in weights:
        groups = np.arange(done, done + len(some))
        done += len(some)
        of_part = np.repeat(groups, sizes[groups])
        place = np.arange(len(of_part)) - (begins[of_part] - begins[groups[0]])
        ends = np.cumsum(own, axis=1)
        total = ends[of_part - groups[0], -1]
        at = ((place << BITS) + starts[of_part]) * total // (sizes[of_part] << BITS)
        lines = np.arange(len(some))[:, None] << (BITS + 1)
        found = np.searchsorted(
            (ends + lines).ravel(), at + ((of_part - groups[0]) << (BITS + 1)), "right"
        )
        rows = order[begins[groups[0]] : begins[groups[0]] + len(of_part)]
        result[rows] = found - (of_part - groups[0]) * own.shape[1]
    return result
