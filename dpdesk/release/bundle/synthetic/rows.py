# SPDX-License-Identifier: Apache-2.0
"""The synthetic rows of a release, made of its record and its tables, and how far they are off.

Claim: they cost nothing and say nothing that the tables do not say. Why: they are a function of the
released tables, of the study and of the release's number, which is drawn without looking at the
data (Dwork and Roth 2014, proposition 2.1). Anyone who checks a bundle makes them again.

There are as many rows as the counts add up to, at most ``MOST_ROWS`` and ``MOST_BYTES``; tables
that were made consistent agree on it, of others the one of fewest cells says it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from dpdesk.privacy.published_tables import Table
from dpdesk.release.bundle.csv_format import text_cell
from dpdesk.release.bundle.synthetic.alone import count_alone, join_the_alone
from dpdesk.release.bundle.synthetic.atoms import atoms_of
from dpdesk.release.bundle.synthetic.first_rows import FittedTable, apportioned, first_rows
from dpdesk.release.bundle.synthetic.stream import Places, Stream
from dpdesk.release.bundle.synthetic.swaps import Swaps
from dpdesk.release.record.values import ReleaseRecord
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Grouping, column_of, labels_of
from dpdesk.study.model.queries import Query, SyntheticRows

FILE = "synthetic/made-up-rows.csv"
MARK, MARKED = "made_up", "yes"
"""The first column of every row, so that no copy of a part of the file passes for data."""

MOST_ROWS = 100_000
MOST_BYTES = 10_000_000
"""With all its tables a bundle has at most 80 MB, and whoever checks it makes the rows again."""

_MOST_COUNTED = 10**10
"""No file has more rows; the noise of the smallest shares, and strangers, may state more."""
_PARTS = 1000
"""Of a row, in which fractions of released counts are taken."""


@dataclass(frozen=True)
class KeptTable:
    """How near the rows are to one table.

    Attributes:
        id: of its query.
        largest: by how many rows the farthest cell is off.
        misplaced: rows that would have to be in other cells for all of them to be met, in percent
            of all; what the tables count beyond the made-up rows counts as well.
    """

    id: str
    largest: Decimal
    misplaced: Decimal


@dataclass(frozen=True)
class ReleasedRows:
    """The synthetic rows of a release.

    Attributes:
        columns: of each column, by name, the type of its cells as Table Schema calls it.
        count: how many there are.
        wanted: how many the tables count.
        tables: how near they are to each table.
        joined: how many rows took the values of others so as not to be alone.
        before: how near they were to the tables before that, in the same order.
        alone: how many are alone for all that: one, where it is the only row.
        content: the file.
    """

    columns: Mapping[str, str]
    count: int
    wanted: int
    tables: tuple[KeptTable, ...]
    joined: int
    before: tuple[KeptTable, ...]
    alone: int
    content: bytes

    @property
    def farthest(self) -> KeptTable:
        """The table from which they are farthest."""
        return max(self.tables, key=lambda table: table.misplaced)

    @property
    def cost_of_joining(self) -> Decimal:
        """By how many percent of all rows the farthest table is farther than before, if it is."""
        before = max(table.misplaced for table in self.before)
        return max(Decimal(0), self.farthest.misplaced - before)


def synthetic_file_names(record: ReleaseRecord) -> set[str]:
    """The name of a release's file of synthetic rows, whether or not they can be made."""
    study = record.study.study
    declared = None if study is None else study.synthetic_rows
    if study is None or declared is None:
        return set()
    return {FILE} if any(declared.keeps(query) for query in study.queries) else set()


def released_rows(record: ReleaseRecord, tables: Sequence[Table]) -> ReleasedRows | None:
    """The synthetic rows of a release; ``None`` where it has none, or they cannot be made.

    Args:
        tables: one for each query, in the same order.
    """
    study = record.study.study
    declared = None if study is None else study.synthetic_rows
    if study is None or declared is None:
        return None
    kept = [
        (query, found)
        for one, table in zip(record.queries, tables, strict=True)
        if (query := study.query(one.id)) is not None
        and declared.keeps(query)
        and (found := _counts(study, query, table)) is not None
    ]
    return _Fit(study, declared, kept, Stream(f"synthetic rows {record.id}")).made if kept else None


def _counts(study: Study, query: Query, table: Table) -> Places | None:
    """A table's counts in thousandths, none below zero, one axis a grouping."""
    columns = [study.column(column_of(grouping)) for grouping in query.by]
    shape = [len(labels_of(g, c)) if c else 0 for g, c in zip(query.by, columns, strict=True)]
    values = [place for place, column in enumerate(table.columns) if column.role == "value"]
    if len(values) != 1 or len(table.rows) != np.prod(shape) or not table.rows:
        return None
    figures = [Decimal(row[values[0]] or 0) for row in table.rows]
    counts = [min(max(0, int(figure * _PARTS)), _MOST_COUNTED * _PARTS) for figure in figures]
    return np.array(counts, np.int64).reshape(shape)


class _Fit:
    """Rows fitted to counts.

    Args:
        kept: each query with its counts, one or more.
    """

    def __init__(
        self,
        study: Study,
        declared: SyntheticRows,
        kept: Sequence[tuple[Query, Places]],
        stream: Stream,
    ) -> None:
        self._stream, self._kept = stream, kept
        used: dict[str, list[Grouping]] = {}
        for query, _ in kept:
            for grouping in query.by:
                cuts = used.setdefault(column_of(grouping), [])
                cuts += [] if grouping in cuts else [grouping]
        self._cuts, self._names = used, tuple(used)
        self._atoms = {name: atoms_of(study.by_name[name], cuts) for name, cuts in used.items()}
        self._alone = [self._names.index(n) for n in declared.none_alone_in if n in used]
        _, fewest = min(kept, key=lambda one: one[1].size)
        self._wanted = int(fewest.sum() + _PARTS // 2) // _PARTS

    @property
    def made(self) -> ReleasedRows:
        widest = sum(atoms.widest + 1 for atoms in self._atoms.values()) + len(MARKED) + 1
        count = min(self._wanted, MOST_ROWS, MOST_BYTES // widest)
        tables = [self._table(query, counts, count) for query, counts in self._kept]
        sizes = [self._atoms[name].count for name in self._names]
        rows = first_rows(sizes, tables, count, self._stream)
        Swaps(rows, tables, self._stream).run()
        before = self._distances(rows, tables)
        joined = join_the_alone(rows, self._alone) if self._alone else 0
        return ReleasedRows(
            columns={name: atoms.type for name, atoms in self._atoms.items()},
            count=count,
            wanted=self._wanted,
            tables=self._distances(rows, tables) if joined else before,
            joined=joined,
            before=before,
            alone=count_alone(rows, self._alone) if self._alone else 0,
            content=self._written(rows),
        )

    def _table(self, query: Query, counts: Places, count: int) -> FittedTable:
        names = [column_of(grouping) for grouping in query.by]
        groups = (
            self._atoms[name].groups[self._cuts[name].index(grouping)]
            for name, grouping in zip(names, query.by, strict=True)
        )
        places = tuple(self._names.index(name) for name in names)
        return FittedTable(places, tuple(groups), apportioned(counts, count))

    def _distances(
        self, rows: Sequence[Places], tables: Sequence[FittedTable]
    ) -> tuple[KeptTable, ...]:
        """How far the rows are from what was released, not from what they were fitted to."""
        count = max(len(rows[0]), 1)
        found = []
        for (query, counts), table in zip(self._kept, tables, strict=True):
            many = np.bincount(table.cells(rows), minlength=counts.size)
            off = np.abs(many * _PARTS - counts.ravel())
            misplaced = Decimal(int(off.sum()) * 100) / (2 * _PARTS * count)
            largest = Decimal(int(off.max())) / _PARTS
            found.append(KeptTable(query.id, largest, round(misplaced, 3)))
        return tuple(found)

    def _written(self, rows: Sequence[Places]) -> bytes:
        texts = [self._atoms[n].cells(rows[at], self._stream) for at, n in enumerate(self._names)]
        lines = [",".join((MARK, *map(text_cell, self._names)))]
        lines += [",".join((MARKED, *cells)) for cells in zip(*texts, strict=True)]
        return "".join(f"{line}\n" for line in lines).encode("utf-8")
