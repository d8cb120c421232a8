# SPDX-License-Identifier: Apache-2.0
"""A study's files become its encoded table, in one pass and without a look at what is in them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from dpdesk.data.arrays.packed_sort import Unsigned
from dpdesk.data.arrays.parallel import of_each
from dpdesk.data.encoding.table import EncodedTable, PeopleColumns
from dpdesk.data.opened import TableFile, files_of
from dpdesk.data.people.bounding import KeptRows, Priorities, bound_rows, random_priorities
from dpdesk.data.people.person_keys import PROCESS_KEY
from dpdesk.data.preparation.late_columns import OfPeople, late_columns, make_late
from dpdesk.data.preparation.numbered import NumberedIds, NumberedPeople, number_people
from dpdesk.data.progress import CancelToken, Progress, no_progress, of_files
from dpdesk.data.table_rows import TableRows
from dpdesk.study import limits
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import MAIN
from dpdesk.study.model.unit import Unit


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
        progress: gets the bytes read and the bytes in all.
        cancel: stops the reading within a batch.
        priorities: drawn once for all rows of the main table, those without an id included.
        key: the secret that ids are hashed with, where they are no numbers; the ledger's own, if
            people are to be recognised in another process.

    Raises:
        Refused: a file or its header does not fit the study; see ``opened``.
        Cancelled: ``cancel`` was raised.
    """
    files = files_of(study)
    tables = [TableRows(study, name, key) for name in dict.fromkeys(one.table for one in files)]
    _read(tables, files, folder, progress, cancel or CancelToken())
    return encoded_rows(study, tables, priorities)


def _read(
    tables: Sequence[TableRows],
    files: Sequence[TableFile],
    folder: Path,
    progress: Progress,
    cancel: CancelToken,
) -> None:
    """Read every table, and say how far all files together are."""
    each = iter(of_files(progress, [folder / one.source.path for one in files]))
    for table in tables:
        own = [one for one in files if one.table == table.name]
        table.read(own, folder, [next(each) for _ in own], cancel)


def encoded_rows(
    study: Study, tables: Sequence[TableRows], priorities: Priorities = random_priorities
) -> EncodedTable:
    """The encoded table of rows that were coded elsewhere, at most ``max_rows`` of each person.

    Args:
        study: a complete study.
        tables: all its tables, the main one first, with all rows of each person who is in them.
        priorities: as of :func:`encode`.
    """
    return _Rows(study, tables).table(priorities)


class _Rows:
    """All rows of all tables, before the contribution bound."""

    def __init__(self, study: Study, tables: Sequence[TableRows]) -> None:
        self._study = study
        self._unit = study.unit or Unit()
        self._tables = tables
        self._main = tables[0]
        asks = any(query.declaration.before_limit for query in study.queries)
        self._max_top_code = limits.MAX_TOP_CODE if asks else 0

    @property
    def _needs_people(self) -> bool:
        """Whether people are numbered: they are asked of, or meet."""
        asked = any(query.of == "people" for query in self._study.queries)
        return asked or len(self._tables) > 1 or bool(late_columns(self._study))

    @property
    def _wanted(self) -> tuple[int, bool]:
        """What else of the contribution bound is asked for; see ``bound_rows``."""
        return self._max_top_code, any(query.rows_per_group for query in self._study.queries)

    def table(self, priorities: Priorities) -> EncodedTable:
        """Bound each person's contribution and keep what is left."""
        ids, count, most = self._main.ids, self._main.count, self._unit.max_rows
        if ids is None:
            persons = np.arange(count, dtype=np.int64)
            nobody = np.zeros((0, 2), np.uint64), count, np.zeros(0, np.int64)
            return self._table(KeptRows(persons, persons, *nobody), count, None)
        drawn = [priorities(count)]
        if not self._needs_people:
            # They are given away, to make room as soon as nobody asks for them again.
            kept = bound_rows(ids, most, drawn.pop(), self._main.content, *self._wanted)
            return self._table(kept, kept.people, kept.keys)
        keys = [one.ids.keys() for one in self._tables if one.ids is not None]
        people = number_people(keys, are_asked=True)
        shared = self._of_people(people, drawn[0])
        persons = people.tables[0].persons
        whose = NumberedIds(persons, ids.pools_without_id)
        kept = bound_rows(whose, most, drawn.pop(), self._main.content, *self._wanted)
        columns = {name: one.spread(slice(people.people)) for name, one in shared.items()}
        of_people = EncodedTable(columns, np.arange(people.people), people.people, None)
        shared_by_rows = PeopleColumns(shared, persons[kept.rows])
        count = people.people + self._pooled(people)
        return self._table(kept, count, people.keys, of_people, shared_by_rows)

    def _pooled(self, people: NumberedPeople) -> int:
        """1 where rows without an id, in any table, are together one person; else 0."""
        pools = self._unit.without_id == "one-person"
        return int(pools and any(len(one.rows) < len(one.persons) for one in people.tables))

    def _of_people(self, people: NumberedPeople, drawn: Unsigned) -> OfPeople:
        """Make what all rows of a person say: columns of rows, and columns of people."""
        pairs = zip(self._tables, people.tables, strict=True)
        tables = {
            one.name: one.by_person(rows, drawn if one.name == MAIN else None)
            for one, rows in pairs
        }
        return make_late(self._study, tables)

    def _table(
        self,
        kept: KeptRows,
        people: int,
        keys: npt.NDArray[np.uint64] | None,
        of_people: EncodedTable | None = None,
        shared: PeopleColumns | None = None,
    ) -> EncodedTable:
        stores, rows = self._main.stores, kept.rows
        columns = of_each(lambda coder: coder.column(rows), list(stores.values()), len(rows))
        texts = {name: coder.texts(rows) for name, coder in self._main.texts.items()}
        whole = dict(zip(stores, columns, strict=True))
        by_rows = kept.by_rows if self._max_top_code else None
        of_rows = texts, by_rows, of_people, shared, kept.order
        return EncodedTable(whole, kept.persons, people, keys, *of_rows)
