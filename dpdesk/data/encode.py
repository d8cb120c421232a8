# SPDX-License-Identifier: Apache-2.0
"""A study's file becomes its encoded table, in one pass and without a look at what is in it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from dpdesk.data.bounding import Priorities, bound_contributions, random_priorities
from dpdesk.data.csv_file import locate_columns, open_records
from dpdesk.data.found import TextCoder, text_content
from dpdesk.data.parse import CellParser, cell_parser, missing_code
from dpdesk.data.person_keys import PersonCoder
from dpdesk.data.progress import CancelToken, Progress, no_progress
from dpdesk.data.reader import Batch, TextColumn, read_batches
from dpdesk.data.table import Codes, EncodedColumn, EncodedTable
from dpdesk.study.columns import (
    Column,
    DateColumn,
    NumberColumn,
    group_labels,
    last_day_index,
    number_grid,
)
from dpdesk.study.document import Study
from dpdesk.study.found_checks import found_columns
from dpdesk.study.magnitudes import MAGNITUDES, is_unbounded
from dpdesk.study.problem import refuse
from dpdesk.study.unit import DataSource, Unit

MEMO_TEXTS = 200_000
"""So many different texts a column's memory holds before it starts anew."""

_SIGNED: tuple[type[np.signedinteger[Any]], ...] = (np.int8, np.int16, np.int32, np.int64)


def encode(
    study: Study,
    folder: Path,
    progress: Progress = no_progress,
    cancel: CancelToken | None = None,
    priorities: Priorities = random_priorities,
) -> EncodedTable:
    """Read the declared columns and keep at most ``max_rows`` rows of each person.

    Args:
        study: a complete study.
        folder: what a relative data path starts from.
        progress: told the bytes read and the bytes in all.
        cancel: stops the reading within a batch.
        priorities: drawn once for all rows of the file, those without an id included.

    Raises:
        Refused: the file or its header does not fit the study; see ``csv_file``.
        Cancelled: ``cancel`` was raised.
    """
    if study.data is None:
        raise refuse("data-not-chosen", "$.data.path")
    unit = study.unit or Unit()
    rows = _Rows(study, study.data, unit)
    with open_records(study.data, folder, progress, cancel) as records:
        places = locate_columns(study, records.header)
        persons = () if places.person is None else (places.person,)
        for batch in read_batches(records, persons + places.columns):
            rows.add(batch)
    return rows.table(priorities)


class _Rows:
    """All rows of the file as codes, before the contribution bound."""

    def __init__(self, study: Study, data: DataSource, unit: Unit) -> None:
        self._unit = unit
        self._names = [column.name for column in study.columns]
        self._coders = [ColumnCoder(column, data) for column in study.columns]
        found = found_columns(study)
        self._texts = {
            place: TextCoder(column, data.missing)
            for place, column in enumerate(study.columns)
            if column.name in found
        }
        self._ids: PersonCoder | None = None
        self._count = 0
        if unit.person is not None:
            self._ids = PersonCoder(data.missing, unit.leading_zeros, unit.without_id)

    def add(self, batch: Batch) -> None:
        """Take in a batch."""
        self._count += batch.rows
        columns = list(batch.columns)
        if self._ids is not None:
            self._ids.add(columns.pop(0))
        for coder, column in zip(self._coders, columns, strict=True):
            coder.add(column)
        for place, texts in self._texts.items():
            texts.add(columns[place])

    def table(self, priorities: Priorities) -> EncodedTable:
        """Bound each person's contribution and keep what is left."""
        columns = {n: c.column() for n, c in zip(self._names, self._coders, strict=True)}
        texts = {self._names[place]: coder.texts() for place, coder in self._texts.items()}
        if self._ids is None:
            persons = np.arange(self._count, dtype=np.int64)
            return EncodedTable(columns, persons, self._count, None, texts)
        people = self._ids.people()
        content = [column.codes for column in columns.values()]
        content += [text_content(column) for column in texts.values()]
        drawn = priorities(self._count)
        kept = bound_contributions(people.codes, self._unit.max_rows, drawn, content)
        bounded = {
            name: EncodedColumn(column.codes[kept], column.missing_code)
            for name, column in columns.items()
        }
        read = {name: replace(column, codes=column.codes[kept]) for name, column in texts.items()}
        return EncodedTable(bounded, people.codes[kept], people.count, people.keys, read)


class ColumnCoder:
    """Codes one column batch by batch; each distinct text is parsed once, not each cell."""

    def __init__(self, column: Column, data: DataSource) -> None:
        self._memo = _Memo(cell_parser(column, data.missing, data.decimal))
        self._missing_code = missing_code(column, data.decimal)
        self._dtype = _smallest_dtype(column)
        self._parts: list[Codes] = []

    def add(self, column: TextColumn) -> None:
        """Take in the cells of a batch."""
        if len(self._memo) > MEMO_TEXTS:
            self._memo.clear()
        texts = column.texts
        codes = np.fromiter(map(self._memo.__getitem__, texts), self._dtype, len(texts))
        self._parts.append(codes[column.codes])

    def column(self) -> EncodedColumn:
        """All batches together."""
        return EncodedColumn(
            np.concatenate([np.empty(0, self._dtype), *self._parts]), self._missing_code
        )


class _Memo(dict[str, int]):
    """Texts and their codes; a text not seen yet is parsed."""

    def __init__(self, parse: CellParser) -> None:
        super().__init__()
        self._parse = parse

    def __missing__(self, text: str) -> int:
        code = self[text] = self._parse(text)
        return code


def _smallest_dtype(column: Column) -> np.dtype[np.signedinteger[Any]]:
    """The smallest signed integers that hold every code the declaration allows."""
    if isinstance(column, NumberColumn):
        last = MAGNITUDES - 1 if is_unbounded(column) else number_grid(column).last
    elif isinstance(column, DateColumn):
        last = last_day_index(column)
    else:
        last = len(group_labels(column))
    return next(np.dtype(kind) for kind in _SIGNED if last <= np.iinfo(kind).max)
