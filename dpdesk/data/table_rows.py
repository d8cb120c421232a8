# SPDX-License-Identifier: Apache-2.0
"""All rows of one table as codes, from one file after the other, before the contribution bound."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dpdesk.data.arrays.packed_sort import Keys
from dpdesk.data.arrays.parallel import prefetched
from dpdesk.data.encoding.clock import ClockReader
from dpdesk.data.encoding.column_coder import CodedColumn, ColumnCoder
from dpdesk.data.encoding.missing_and_invalid import MISSING, unknown_code
from dpdesk.data.encoding.partition_selection import TextCoder
from dpdesk.data.encoding.table import Codes
from dpdesk.data.files.batch import Load, Wanted
from dpdesk.data.files.cells import TextColumn, distinct_texts
from dpdesk.data.opened import (
    ColumnPlaces,
    TableFile,
    declared_header,
    locate_in_files,
    open_file,
    refuse_same_file,
)
from dpdesk.data.people.person_keys import PersonCoder
from dpdesk.data.preparation.derived import DerivedColumns
from dpdesk.data.preparation.late_columns import TableColumns
from dpdesk.data.preparation.numbered import NumberedRows
from dpdesk.data.preparation.person_rows import PersonRows
from dpdesk.data.progress import CancelToken, Progress
from dpdesk.study.checks.finding_checks import found_columns
from dpdesk.study.model.columns import Column, DateColumn, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.steps.derivation import tables_with_cases
from dpdesk.study.model.steps.result import own_values
from dpdesk.study.model.steps.step import FileLabel
from dpdesk.study.model.tables import MAIN
from dpdesk.study.model.unit import DataSource, Unit
from dpdesk.study.problem import refuse

Ints = npt.NDArray[np.int64]


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
class CodedBatch:
    """A batch of one table's rows as codes.

    Attributes:
        ids: whose they are; ``None`` where every row is a person.
        cases: their case numbers; ``None`` where none are read.
        columns: the codes of each column of the table, but for those that are made late.
        texts: the cells of the columns in which categories are looked for.
    """

    rows: int
    ids: Keys | None
    cases: Keys | None
    columns: dict[str, Codes]
    texts: dict[str, TextColumn]


class TableRows:
    """One table.

    Attributes:
        name: its name, ``MAIN`` for that whose rows queries count.
        ids: whose the rows are; ``None`` where every row is a person.
        cases: their case numbers; ``None`` where none are needed.
        stores: the columns that have codes for each row, by name.
        texts: the texts of the columns in which categories are looked for, by name.
        count: how many rows there are.
    """

    def __init__(self, study: Study, name: str, key: bytes) -> None:
        unit, data = study.unit or Unit(), study.data_of(name) or DataSource()
        table = study.table(name)
        self.study = study
        self.name = name
        self.ids: PersonCoder | None = None
        self.cases: PersonCoder | None = None
        self.count = 0
        markers, zeros = data.missing, unit.leading_zeros
        if (unit.person if table is None else table.person) is not None:
            rules = (zeros, unit.without_id, key, data.fill_down, unit.id_shape)
            self.ids = PersonCoder(markers, *rules)
        by_case = tables_with_cases(study.columns)
        if by_case if table is None else name in by_case:
            self.cases = PersonCoder(markers, zeros, key=key)
        self.stores = {one.name: CodedColumn(one) for one in study.columns if self._has(one)}
        found = found_columns(study)
        self.texts = {
            one.name: TextCoder(one, markers) for one in study.read_from(name) if one.name in found
        }
        self.derived = DerivedColumns(study, name)

    def _has(self, column: Column) -> bool:
        """Whether a column has codes for each row of this table; read ones have them at first."""
        if column.header is not None or isinstance(column.made_from, FileLabel):
            return column.table == self.name
        return self.study.homes[column.name] == self.name

    def read(
        self,
        files: Sequence[TableFile],
        folder: Path,
        progress: Sequence[Progress],
        cancel: CancelToken,
    ) -> None:
        """Read the rows of all of its files.

        Args:
            files: in declared order.
            folder: what a relative path starts from.
            progress: of each file.
            cancel: stops the reading within a batch.

        Raises:
            Refused: a file or its header does not fit the study; see ``opened``.
            Cancelled: ``cancel`` was raised.
        """
        refuse_same_file(files, folder)
        headers = [] if len(files) == 1 else self._headers(files, folder, cancel)
        places = locate_in_files(self.study, self.name, headers) if headers else ()
        for at, file in enumerate(files):
            with open_file(file, folder, progress[at], cancel) as table:
                header = declared_header(self.study, self.name, file.source, table.header)
                if headers and header != headers[at]:
                    raise refuse("data-file-changed", f"{file.place}.path")
                here = places[at] if places else locate_in_files(self.study, self.name, [header])[0]
                coder = _FileCoder(self, file.source, here)
                if self.ids is not None:
                    self.ids.begin_file()
                with closing(prefetched(coder.code, table.loads(coder.wanted))) as batches:
                    for batch in batches:
                        self.add(batch)

    def _headers(
        self, files: Sequence[TableFile], folder: Path, cancel: CancelToken
    ) -> list[tuple[str, ...]]:
        """The header of each file, before any is read: one that lacks a column relies on others."""
        headers = []
        for file in files:
            with open_file(file, folder, cancel=cancel) as table:
                header = declared_header(self.study, self.name, file.source, table.header)
                headers.append(header)
        return headers

    def add(self, batch: CodedBatch) -> None:
        """Take in the next rows."""
        self.count += batch.rows
        if self.ids is not None and batch.ids is not None:
            self.ids.add(batch.ids)
        if self.cases is not None and batch.cases is not None:
            self.cases.add(batch.cases)
        for name, codes in batch.columns.items():
            self.stores[name].add(codes)
        for name, texts in self.texts.items():
            texts.add(batch.texts[name])

    def by_person(
        self, rows: NumberedRows, priorities: npt.NDArray[Any] | None = None
    ) -> TableColumns:
        """The rows by person, for columns that are made late.

        Rows that hold the same are told apart by their priorities, where they have such: the
        number among a person's rows that one of them gets must not depend on the file's order,
        and the row limit lets one of them through by its priority.
        """
        read = [one for one in self.stores.values() if len(one)]
        cases = None if self.cases is None else self.cases.keys()

        def content(at: Ints) -> list[npt.NDArray[Any]]:
            drawn = [] if priorities is None else [priorities[at]]
            numbers = [] if cases is None else [half[at] for half in cases.halves]
            texts = (coder.content(at) for coder in self.texts.values())
            return [*drawn, *numbers, *(coder.rows(at) for coder in read), *texts]

        table = self.study.table(self.name)
        # Of a table of people no more than one value is kept, of however many.
        most = {"most": self.count} if table is not None and table.is_of_people else {}
        return TableColumns(self.stores, PersonRows.of(rows, content, **most), cases)

    def content(self, rows: Ints) -> list[Codes]:
        """What some rows hold, to settle which of them comes first."""
        held = [coder.rows(rows) for coder in self.stores.values()]
        return held + [coder.content(rows) for coder in self.texts.values()]


class _FileCoder:
    """Codes the rows of one file; each file is read by a declaration of its own."""

    def __init__(self, table: TableRows, source: DataSource, places: ColumnPlaces) -> None:
        self._table = table
        self._decimal = source.decimal
        read = table.study.read_from(table.name)
        pairs = [*zip(read, places.columns, strict=True)]
        self._there = {one.name: ColumnCoder(one, source) for one, at in pairs if at is not None}
        self._absent = [one.name for one, at in pairs if at is None]
        self._clocks = {
            one.name: ClockReader(one, source.format != "csv")
            for one in read
            if isinstance(one, DateColumn) and one.name in table.derived.clocks
        }
        self._labels = {
            one.name: label_code(one, source.label)
            for one in table.study.columns
            if isinstance(one.made_from, FileLabel) and one.table == table.name
        }
        self.wanted = [
            *([] if places.person is None else [Wanted(places.person, is_id=True)]),
            *([] if table.cases is None or places.case is None else [Wanted(places.case)]),
            *wanted_columns(table.study, places, table.name),
        ]

    def code(self, load: Load) -> CodedBatch:
        """Read and code a batch; in any thread, for what it gives depends on the batch alone."""
        batch, table = load(), self._table
        arrays = list(batch.columns)
        ids = None if table.ids is None else table.ids.ids(arrays.pop(0))
        cases = None if table.cases is None else table.cases.ids(arrays.pop(0))
        cells = dict(zip(self._there, arrays, strict=True))
        codes = {name: coder.codes(cells[name]) for name, coder in self._there.items()}
        same = self._labels | dict.fromkeys(self._absent, MISSING)
        for name, code in same.items():
            codes[name] = table.stores[name].as_stored(np.full(batch.rows, code))
        clocks = {
            name: clock.codes(cells[name])
            if name in cells
            else np.full(batch.rows, MISSING, np.int32)
            for name, clock in self._clocks.items()
        }
        table.derived.add_to(codes, table.stores, clocks)
        texts = {
            name: distinct_texts(cells[name], self._decimal)
            if name in cells
            else TextColumn(np.zeros(batch.rows, np.int8), [""])
            for name in table.texts
        }
        return CodedBatch(batch.rows, ids, cases, codes, texts)


def label_code(column: Column, label: str) -> int:
    """The code of a file's label among a column's values."""
    values = own_values(column)
    return values.index(label) if label in values else unknown_code(column)
