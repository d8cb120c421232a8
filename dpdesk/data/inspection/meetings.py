# SPDX-License-Identifier: Apache-2.0
"""Whether the rows of several tables find each other; what is counted is never shown as it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from dpdesk.data.arrays.packed_sort import Keys
from dpdesk.data.inspection.finding import Finding, how_many_read
from dpdesk.data.opened import TableFile
from dpdesk.data.people.person_keys import PersonCoder
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import MAIN, FurtherTable
from dpdesk.study.model.unit import Unit

Marks = npt.NDArray[np.uint64]

_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_OTHER_FACTOR = np.uint64(0xC2B2AE3D27D4EB4F)


@dataclass(frozen=True, repr=False)
class IdCells:
    """A batch's ids.

    Attributes:
        persons: the keys of its people.
        cases: the keys of its case numbers; ``None`` where none are read.
    """

    persons: Keys
    cases: Keys | None


class FileIds:
    """The ids of one file's rows, in file order."""

    def __init__(self, unit: Unit, file: TableFile) -> None:
        source, zeros = file.source, unit.leading_zeros
        self._persons = PersonCoder(
            source.missing, zeros, fills_down=source.fill_down, shape=unit.id_shape
        )
        self._cases = PersonCoder(source.missing, zeros)
        self._has_cases = False

    @property
    def rows(self) -> int:
        return len(self._persons.seen().low)

    def look(self, persons: pa.Array, cases: pa.Array | None) -> IdCells:
        """The keys of a batch; may be asked in several threads at once."""
        return IdCells(
            self._persons.ids(persons), None if cases is None else self._cases.ids(cases)
        )

    def add(self, ids: IdCells) -> None:
        self._persons.add(ids.persons)
        if ids.cases is not None:
            self._has_cases = True
            self._cases.add(ids.cases)

    def marks(self, with_case: bool) -> Marks:
        """A mark for each row that has what is asked for: a person, or a case as well.

        Two have the same mark with a chance below 1e-10 among a million: enough for a coarse word.
        """
        keys = self._persons.seen()
        has, marks = keys.low >= 0, _mixed(keys, _FACTOR)
        if with_case:
            if not self._has_cases:
                return marks[:0]
            cases = self._cases.seen()
            has &= cases.low >= 0
            marks = marks + _mixed(cases, _OTHER_FACTOR)
        return marks[has]


def _mixed(keys: Keys, factor: np.uint64) -> Marks:
    high = np.asarray(keys.high, np.int64).view(np.uint64)
    mixed = (keys.low.view(np.uint64) ^ (high * _OTHER_FACTOR)) * factor
    return (mixed ^ (mixed >> np.uint64(29))) * _FACTOR


class Meetings:
    """The ids of all tables; kept only where there are several."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._tables: dict[str, list[FileIds]] = {}

    def file(self, file: TableFile) -> FileIds | None:
        """Where the ids of a file are collected; ``None`` where nothing is to meet."""
        unit = self._study.unit
        if not self._study.tables or unit is None or unit.person is None:
            return None
        ids = FileIds(unit, file)
        self._tables.setdefault(file.table, []).append(ids)
        return ids

    def findings(self) -> Iterator[Finding]:
        """How many rows of each further table have their partner in the main one.

        Of a table of people it is said how many rows of the main one have their person there.
        Where either table has no rows nothing is: that it has none is said of its file.
        """
        for table in self._study.tables:
            if table.name in self._tables and self._has_rows(MAIN) and self._has_rows(table.name):
                yield self._finding(table)

    def _has_rows(self, table: str) -> bool:
        return any(ids.rows for ids in self._tables.get(table, []))

    def _finding(self, table: FurtherTable) -> Finding:
        with_case = bool(table.case)
        main, further = (self._marks(name, with_case) for name in (MAIN, table.name))
        rows, partners = (main, further) if table.is_of_people else (further, main)
        met = int(np.count_nonzero(np.isin(rows, partners)))
        code = "rows-of-people" if table.is_of_people else "rows-meet"
        return Finding(code, how_many_read(met, len(rows) - met), table=table.name)

    def _marks(self, table: str, with_case: bool) -> Marks:
        marks = [ids.marks(with_case) for ids in self._tables.get(table, [])]
        return np.concatenate(marks) if marks else np.zeros(0, np.uint64)
