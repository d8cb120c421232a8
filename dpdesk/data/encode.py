# SPDX-License-Identifier: Apache-2.0
"""A study's file becomes its encoded table, in one pass and without a look at what is in it."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dpdesk.data.arrays.packed_sort import Keys, Unsigned
from dpdesk.data.arrays.parallel import of_each, prefetched
from dpdesk.data.encoding.clock import ClockReader
from dpdesk.data.encoding.column_coder import CodedColumn, ColumnCoder
from dpdesk.data.encoding.partition_selection import TextCoder
from dpdesk.data.encoding.table import Codes, EncodedTable, PeopleColumns
from dpdesk.data.files.batch import Load, Wanted
from dpdesk.data.files.cells import TextColumn, distinct_texts
from dpdesk.data.opened import ColumnPlaces, locate_columns, open_table, public_header
from dpdesk.data.people.bounding import Ints, Priorities, bound_rows, random_priorities
from dpdesk.data.people.person_keys import PROCESS_KEY, PersonCoder
from dpdesk.data.preparation.derived import DerivedColumns, OfPeople
from dpdesk.data.preparation.numbered import NumberedIds, NumberedPeople, number_people
from dpdesk.data.preparation.person_rows import PersonRows
from dpdesk.data.progress import CancelToken, Progress, no_progress
from dpdesk.study import limits
from dpdesk.study.checks.finding_checks import found_columns
from dpdesk.study.model.columns import DateColumn, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import MAIN
from dpdesk.study.model.unit import DataSource, Unit
from dpdesk.study.problem import refuse


def encode(
    study: Study,
    folder: Path,
    progress: Progress = no_progress,
    cancel: CancelToken | None = None,
    priorities: Priorities = random_priorities,
    key: bytes = PROCESS_KEY,
) -> EncodedTable:
    """Read the declared columns and keep at most ``max_rows`` rows of each person.

    Args:
        study: a complete study.
        folder: what a relative data path starts from.
        progress: told the bytes read and the bytes in all.
        cancel: stops the reading within a batch.
        priorities: drawn once for all rows of the file, those without an id included.
        key: the secret that ids are hashed with, where they are no numbers; the ledger's own, if
            people are to be recognised in another process.

    Raises:
        Refused: the file or its header does not fit the study; see ``opened``.
        Cancelled: ``cancel`` was raised.
    """
    if study.data is None:
        raise refuse("data-not-chosen", "$.data.path")
    unit = study.unit or Unit()
    rows = _Rows(study, study.data, unit, key)
    with open_table(study.data, folder, progress, cancel) as table:
        places = locate_columns(study, public_header(study, table.header))
        ids = [] if places.person is None else [Wanted(places.person, is_id=True)]
        wanted = ids + wanted_columns(study, places)
        with closing(prefetched(rows.code, table.loads(wanted))) as batches:
            for batch in batches:
                rows.add(batch)
    return rows.table(priorities)


def wanted_columns(study: Study, places: ColumnPlaces, table: str = MAIN) -> list[Wanted]:
    """How each declared column that a file has is read, in the study's order."""
    texts = found_columns(study)
    return [
        Wanted(place, repeats=column.name in texts, decimal=column.decimal, seconds=True)
        if isinstance(column, NumberColumn)
        else Wanted(place, repeats=True)
        for column, place in zip(study.read_from(table), places.columns, strict=True)
        if place is not None
    ]


@dataclass(frozen=True, repr=False)
class _Coded:
    """A batch as codes.

    Attributes:
        ids: whose they are; ``None`` where every row is a person.
        columns: the codes of each declared column, the derived ones too.
        texts: the cells of the columns in which categories are looked for, by place.
    """

    rows: int
    ids: Keys | None
    columns: dict[str, Codes]
    texts: dict[int, TextColumn]


class _Rows:
    """All rows of the file as codes, before the contribution bound."""

    def __init__(self, study: Study, data: DataSource, unit: Unit, key: bytes) -> None:
        self._unit = unit
        self._decimal = data.decimal
        self._read = [ColumnCoder(column, data) for column in study.read_columns]
        self._read_names = [column.name for column in study.read_columns]
        self._derived = DerivedColumns(study)
        self._clocks = {
            column.name: ClockReader(column, data.format != "csv")
            for column in study.read_columns
            if isinstance(column, DateColumn) and column.name in self._derived.clocks
        }
        coders = dict(zip(self._read_names, self._read, strict=True))
        self._coders: dict[str, CodedColumn] = {
            column.name: coders.get(column.name) or CodedColumn(column) for column in study.columns
        }
        found = found_columns(study)
        self._texts = {
            place: TextCoder(column, data.missing)
            for place, column in enumerate(study.read_columns)
            if column.name in found
        }
        self._ids: PersonCoder | None = None
        self._count = 0
        asks = any(query.declaration.before_limit for query in study.queries)
        self._told_apart = limits.MAX_TOP_CODE if asks else 0
        self._asks_people = any(query.of == "people" for query in study.queries)
        columns = study.by_name
        self._of_person = {name for name in columns if study.is_of_person(name)}
        if unit.person is not None:
            zeros, without = unit.leading_zeros, unit.without_id
            self._ids = PersonCoder(data.missing, zeros, without, key, data.fill_down)

    def code(self, load: Load) -> _Coded:
        """Read and code a batch; in any thread, for what it gives depends on the batch alone."""
        batch = load()
        cells = list(batch.columns)
        ids = self._ids.ids(cells.pop(0)) if self._ids else None
        read = (coder.codes(cells[place]) for place, coder in enumerate(self._read))
        codes: dict[str, Codes] = dict(zip(self._read_names, read, strict=True))
        clocks = {
            name: clock.codes(cells[self._read_names.index(name)])
            for name, clock in self._clocks.items()
        }
        self._derived.add_to(codes, self._coders, clocks)
        texts = {place: distinct_texts(cells[place], self._decimal) for place in self._texts}
        return _Coded(batch.rows, ids, codes, texts)

    def add(self, batch: _Coded) -> None:
        self._count += batch.rows
        if self._ids is not None and batch.ids is not None:
            self._ids.add(batch.ids)
        for name, codes in batch.columns.items():
            self._coders[name].add(codes)
        for place, texts in self._texts.items():
            texts.add(batch.texts[place])

    def table(self, priorities: Priorities) -> EncodedTable:
        """Bound each person's contribution and keep what is left."""
        if self._ids is None:
            persons = np.arange(self._count, dtype=np.int64)
            return self._table(persons, persons, self._count, None)
        most, drawn = self._unit.max_rows, [priorities(self._count)]
        if not (self._asks_people or self._derived.late):
            # They are given away, to make room as soon as nobody asks for them again.
            kept = bound_rows(self._ids, most, drawn.pop(), self._content, self._told_apart)
            return self._table(kept.rows, kept.persons, kept.people, kept.keys, kept.by_rows)
        people = number_people([self._ids.keys()])
        persons = people.tables[0].persons
        shared = self._of_people(people, drawn[0])
        ids = NumberedIds(persons, self._ids.pools_without_id)
        kept = bound_rows(ids, most, drawn.pop(), self._content, self._told_apart)
        table_of_people = EncodedTable(
            {name: column.spread(slice(people.people)) for name, column in shared.items()},
            np.arange(people.people),
            people.people,
            None,
        )
        bounded = (kept.rows, kept.persons, kept.people, people.keys, kept.by_rows)
        entries = PeopleColumns(shared, persons[kept.rows])
        return self._table(*bounded, table_of_people, entries)

    def _of_people(self, people: NumberedPeople, drawn: Unsigned) -> OfPeople:
        """Make what all rows of a person say: columns of rows, and columns of people.

        Rows that hold the same are told apart by their priorities: the number among a person's
        rows that one of them gets must not depend on the file's order, and the row limit lets one
        of them through by its priority.
        """
        late = self._derived.late
        read = [coder for name, coder in self._coders.items() if name not in late]

        def content(rows: Ints) -> list[npt.NDArray[Any]]:
            texts = (coder.content(rows) for coder in self._texts.values())
            return [drawn[rows], *(coder.rows(rows) for coder in read), *texts]

        seen = PersonRows.of(people.tables[0], content)
        return self._derived.add_late(self._coders, seen)

    def _at_rows(self) -> dict[str, CodedColumn]:
        """The columns that may differ between a person's rows."""
        return {n: coder for n, coder in self._coders.items() if n not in self._of_person}

    def _content(self, rows: Ints) -> list[Codes]:
        """What some rows hold, to settle which of them comes first."""
        content = [coder.rows(rows) for coder in self._at_rows().values()]
        return content + [coder.content(rows) for coder in self._texts.values()]

    def _table(
        self,
        rows: Ints,
        persons: Codes,
        people: int,
        keys: npt.NDArray[np.uint64] | None,
        by_rows: Ints | None = None,
        of_people: EncodedTable | None = None,
        shared: PeopleColumns | None = None,
    ) -> EncodedTable:
        coders = self._at_rows()
        columns = of_each(lambda coder: coder.column(rows), list(coders.values()), len(rows))
        texts = {self._read_names[at]: coder.texts(rows) for at, coder in self._texts.items()}
        whole = dict(zip(coders, columns, strict=True))
        by_rows = by_rows if self._told_apart else None
        return EncodedTable(whole, persons, people, keys, texts, by_rows, of_people, shared)
