# SPDX-License-Identifier: Apache-2.0
"""One column's cells to its codes, batch by batch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from dpdesk.data.arrays.growable_array import GrowableArray, Ints
from dpdesk.data.encoding.cell_parser import CellParser, cell_parser
from dpdesk.data.encoding.date import Times
from dpdesk.data.encoding.missing_and_invalid import (
    MISSING,
    invalid_codes,
    missing_code,
    missing_markers,
    number_markers,
)
from dpdesk.data.encoding.number import GridReader
from dpdesk.data.encoding.plain_numbers import PlainNumbers
from dpdesk.data.encoding.table import Codes, EncodedColumn
from dpdesk.data.files.cells import distinct_texts
from dpdesk.study.model.columns import (
    CLAMP,
    Column,
    DateColumn,
    NumberColumn,
    group_labels,
    last_day_index,
    number_grid,
)
from dpdesk.study.model.magnitudes import MAGNITUDES, is_unbounded
from dpdesk.study.model.unit import DataSource

MEMO_TEXTS = 200_000
"""How many different texts a column's memory holds before it is emptied."""

_SIGNED: tuple[type[np.signedinteger[Any]], ...] = (np.int8, np.int16, np.int32, np.int64)


class CodedColumn:
    """The codes of one column, batch by batch."""

    def __init__(self, column: Column) -> None:
        self._missing_code = missing_code(column)
        self._dtype = smallest_dtype(column)
        self._codes = GrowableArray(self._dtype)

    def __len__(self) -> int:
        return len(self._codes)

    def add(self, codes: Codes) -> None:
        self._codes.add(codes)

    def all(self) -> Codes:
        """All rows' codes, without a copy; while they are about, none can be added."""
        return self._codes.all()

    def rows(self, rows: Ints) -> Codes:
        return self._codes.all()[rows]

    def as_stored(self, codes: Codes) -> Codes:
        """Codes in the smallest whole numbers that hold the column's."""
        stored: Codes = codes.astype(self._dtype)
        return stored

    def encoded(self, codes: Codes) -> EncodedColumn:
        """Some of the column's codes, with what a missing cell counts as."""
        return EncodedColumn(codes, self._missing_code)

    def column(self, rows: Ints) -> EncodedColumn:
        """The codes of these rows, rising; the others are gone."""
        return self.encoded(self._codes.keep(rows))


class ColumnCoder(CodedColumn):
    """Codes one column; each distinct text is parsed once, plain numbers many at a time.

    What a cell's code is depends on its text alone, never on how it was read.
    """

    def __init__(self, column: Column, data: DataSource) -> None:
        super().__init__(column)
        if isinstance(column, NumberColumn) and column.decimal:
            data = replace(data, decimal=column.decimal)
        self._decimal = data.decimal
        typed = data.format != "csv"
        self._memo = _Memo(cell_parser(column, data.missing, data.decimal, data.thousands, typed))
        self._numbers = plain_numbers(column, data)
        self._times = None
        if isinstance(column, DateColumn):
            self._times = Times(column, typed, missing_markers(column, data.missing))

    def codes(self, cells: pa.Array) -> Codes:
        """The codes of a batch's cells; may be asked in several threads at once."""
        kind = cells.type
        if self._numbers is None or not (pa.types.is_string(kind) or _is_number(kind)):
            return self._of_texts(cells)
        read = self._numbers.code if pa.types.is_string(kind) else self._numbers.code_values
        return self._of_numbers(cells, read)

    def _of_numbers(self, cells: pa.Array, read: Callable[[pa.Array], Any]) -> Codes:
        numbers, invalid = read(cells)
        codes: Codes = numbers.astype(self._dtype)
        if invalid.any():
            if cells.null_count == np.count_nonzero(invalid):
                codes[invalid] = MISSING
            else:
                codes[invalid] = self._of_texts(cells.filter(pa.array(invalid)))
        return codes

    def _of_texts(self, cells: pa.Array) -> Codes:
        if self._times is not None:
            cells = self._times.off(cells)
        column = distinct_texts(cells, self._decimal)
        if len(self._memo) > MEMO_TEXTS:
            self._memo.clear()
        parsed = map(self._memo.__getitem__, column.texts)
        codes: Codes = np.fromiter(parsed, self._dtype, len(column.texts))[column.codes]
        return codes


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


class _Memo(dict[str, int]):
    """Texts and their codes; a text not seen yet is parsed."""

    def __init__(self, parse: CellParser) -> None:
        super().__init__()
        self._parse = parse

    def __missing__(self, text: str) -> int:
        code = self[text] = self._parse(text)
        return code


def plain_numbers(column: Column, data: DataSource) -> PlainNumbers | None:
    """What codes a column's plain numbers, if it has any that can be coded so."""
    if not isinstance(column, NumberColumn) or is_unbounded(column):
        return None
    grid = GridReader(column, data.decimal, data.thousands)
    _, beyond = invalid_codes(column)
    outside = (0, grid.last) if column.outside == CLAMP else (beyond, beyond)
    markers = number_markers(missing_markers(column, data.missing), grid)
    numbers = PlainNumbers(grid, data.decimal, outside, markers)
    return numbers if numbers.possible else None


def smallest_dtype(column: Column) -> np.dtype[np.signedinteger[Any]]:
    """The smallest signed integers that hold every code the declaration allows."""
    if isinstance(column, NumberColumn):
        last = MAGNITUDES - 1 if is_unbounded(column) else number_grid(column).last
    elif isinstance(column, DateColumn):
        last = last_day_index(column)
    else:
        last = len(group_labels(column))
    return next(np.dtype(kind) for kind in _SIGNED if last <= np.iinfo(kind).max)
