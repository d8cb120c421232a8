# SPDX-License-Identifier: Apache-2.0
"""Rows exchange the atoms of one column, or take another one, where tables come nearer by it.

One pass is over one table, that which is farthest: rows in its cells that have too many propose to
take an atom of a cell that has too few. Each tries some partners that have that atom, and doing it
alone; what the sum of all distances says is best is done, where it falls. Many rows move at once:
a batch after which the sum is no smaller is taken back and halved.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dpdesk.release.bundle.synthetic.first_rows import FittedTable
from dpdesk.release.bundle.synthetic.stream import Places, Stream

PASSES, PROPOSALS, TRIES = 200, 1 << 12, 8
"""Passes at most, rows that propose in each, and partners that each row tries."""

ALONE = -1
MOST_ATOMS = 500
"""Of a column of more, a row that moves alone takes the first atom of a group."""
FAR = 1 << 40


class Exchange(NamedTuple):
    """What some rows do: each takes an atom, and its partner the one that it had.

    Attributes:
        rows: those that propose; none twice.
        partners: of each, or ``ALONE``.
        atoms: what each takes.
    """

    rows: Places
    partners: Places
    atoms: Places


class Swaps:
    """Brings rows nearer to tables.

    Args:
        rows: for each column the atoms of all rows; changed in place.
    """

    def __init__(self, rows: list[Places], tables: Sequence[FittedTable], stream: Stream) -> None:
        self._rows, self._tables, self._stream = rows, tables, stream
        self._cells = [table.cells(rows) for table in tables]
        self._over = [table.differences(rows) for table in tables]

    @property
    def distance(self) -> int:
        """The sum over all cells of all tables of how many rows each has too many or too few."""
        return sum(int(np.abs(over).sum()) for over in self._over)

    def run(self) -> None:
        """Until no table comes nearer, or for as many passes as there are."""
        idle: set[tuple[int, int]] = set()
        for _ in range(PASSES):
            wanted = [
                (int(np.abs(self._over[at]).sum()), at, column)
                for at, table in enumerate(self._tables)
                for column in table.columns
                if (at, column) not in idle and self._over[at].any()
            ]
            if not wanted:
                return
            _, at, column = max(wanted, key=lambda one: (one[0], -one[1], -one[2]))
            idle = set() if self._pass(at, column) else {*idle, (at, column)}

    def _pass(self, at: int, column: int) -> bool:
        """One pass over a table by one column; whether anything came nearer."""
        change = self._proposed(at, column)
        before, size = self.distance, len(change.rows)
        while size:
            some = Exchange(*(part[:size] for part in change))
            undo = self._done(column, some)
            if self.distance < before:
                return True
            self._done(column, undo)
            size //= 2
        return False

    def _proposed(self, at: int, column: int) -> Exchange:
        """What rows in cells that have too many would do, the best first."""
        table, over = self._tables[at], self._over[at]
        rows = self._surplus(at)
        groups, size = table.groups_of(column), table.counts.shape[table.columns.index(column)]
        stride = table.stride(column)
        cells, own = self._cells[at][rows], groups[self._rows[column][rows]]
        first = cells - own * stride
        line = over[first[:, None] + np.arange(size) * stride]
        line[np.arange(len(rows)), own] = 0
        # Among cells with too few, one at random: all rows would crowd into the emptiest.
        lacking = np.maximum(-line, 0)
        has = lacking.any(axis=1)
        rows, lacking = rows[has], lacking[has]
        if not len(rows):
            return Exchange(rows, rows, rows)
        ends = np.cumsum(lacking, axis=1)
        picked = self._stream.below(ends[:, -1])
        wanted = (ends <= picked[:, None]).sum(axis=1)
        return self._best(column, rows, wanted, groups)

    def _surplus(self, at: int) -> Places:
        """Rows of cells that have too many, in random order: of each cell as many as it has."""
        order = self._stream.order(len(self._cells[at]))
        cells, over = self._cells[at][order], self._over[at]
        full = over[cells] > 0
        order, cells = order[full], cells[full]
        sorted_by = np.argsort(cells, kind="stable")
        of_cell = cells[sorted_by]
        begins = np.searchsorted(of_cell, of_cell)
        rank = np.empty(len(cells), np.int64)
        rank[sorted_by] = np.arange(len(cells)) - begins
        result: Places = order[rank < over[cells]][:PROPOSALS]
        return result

    def _best(self, column: int, rows: Places, wanted: Places, groups: Places) -> Exchange:
        """The best partner of each row among those tried, where the sum of distances falls."""
        by_group = np.argsort(groups[self._rows[column]], kind="stable")
        sorted_groups = groups[self._rows[column]][by_group]
        begins = np.searchsorted(sorted_groups, wanted)
        counts = np.searchsorted(sorted_groups, wanted, "right") - begins
        atoms = self._nearest(column, groups)[self._rows[column][rows], wanted]
        partners = np.full(len(rows), ALONE)
        best = self._gain(column, rows, partners, atoms)
        for _ in range(TRIES):
            tried = (
                by_group[
                    np.where(counts > 0, begins + self._stream.below(np.maximum(counts, 1)), 0)
                ]
                if len(by_group)
                else partners
            )
            theirs = self._rows[column][tried]
            gain = np.where(counts > 0, self._gain(column, rows, tried, theirs), FAR)
            better = gain < best
            best = np.where(better, gain, best)
            partners = np.where(better, tried, partners)
            atoms = np.where(better, theirs, atoms)
        falls = np.flatnonzero(best < 0)
        falls = falls[np.argsort(best[falls], kind="stable")]
        return _each_row_once(Exchange(rows[falls], partners[falls], atoms[falls]))

    def _nearest(self, column: int, groups: Places) -> Places:
        """For each atom and group of one cut, the atom of that group most like it in others."""
        atoms, size = len(groups), int(groups.max()) + 1
        alike = np.zeros((atoms, atoms), np.int64)
        if atoms <= MOST_ATOMS:
            for table in self._tables:
                if column in table.columns:
                    other = table.groups_of(column)
                    alike += other[:, None] == other
        result = np.zeros((atoms, size), np.int64)
        for group in range(size):
            result[:, group] = np.where(groups == group, alike, -1).argmax(axis=1)
        return result

    def _gain(self, column: int, rows: Places, partners: Places, atoms: Places) -> Places:
        """What each change adds to the sum of distances, by itself; negative where it falls."""
        own, total = self._rows[column][rows], np.zeros(len(rows), np.int64)
        for at, table in enumerate(self._tables):
            if column not in table.columns:
                continue
            groups, stride, over = table.groups_of(column), table.stride(column), self._over[at]
            moved = (groups[atoms] - groups[own]) * stride
            mine, theirs = self._cells[at][rows], self._cells[at][partners]
            found = _moved(over, mine, mine + moved)
            left = np.where(partners == ALONE, theirs, theirs - moved)
            back = np.where(partners == ALONE, 0, _moved(over, theirs, left))
            # Two rows that differ in this column alone only change places.
            change = np.where((partners != ALONE) & (mine + moved == theirs), 0, found + back)
            total += np.where(moved == 0, 0, change)
        return total

    def _done(self, column: int, change: Exchange) -> Exchange:
        """Do it; returns what takes it back."""
        atoms, paired = self._rows[column], change.partners != ALONE
        own = atoms[change.rows].copy()
        atoms[change.rows] = change.atoms
        atoms[change.partners[paired]] = own[paired]
        for at, table in enumerate(self._tables):
            if column in table.columns:
                self._cells[at] = table.cells(self._rows)
                self._over[at] = table.differences(self._rows)
        return Exchange(change.rows, change.partners, own)


def _moved(over: Places, left: Places, entered: Places) -> Places:
    """What it adds to a table's distance when a row leaves one cell and enters another."""
    result: Places = np.where(over[left] > 0, -1, 1) + np.where(over[entered] < 0, -1, 1)
    return result


def _each_row_once(change: Exchange) -> Exchange:
    """The changes whose rows are in no change before them."""
    both = np.stack([change.rows, np.where(change.partners == ALONE, change.rows, change.partners)])
    # In the order of the changes, each with its row before its partner.
    flat = both.T.ravel()
    firsts = np.zeros(len(flat), np.bool_)
    firsts[np.unique(flat, return_index=True)[1]] = True
    alone = change.partners == ALONE
    kept = firsts[0::2] & (firsts[1::2] | alone)
    return Exchange(change.rows[kept], change.partners[kept], change.atoms[kept])
