# SPDX-License-Identifier: Apache-2.0
"""What the values of a table mean: the codes that ``dpdesk.data`` gives to cells of a file.

No text is parsed by the database and no number is cast: each different value of a column is
fetched once, coded by the one parser of the program, and put beside it as a whole number. So a
value has the same code in every engine as in a file, and none can stop the run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from dpdesk.data.encoding.clock import ClockReader
from dpdesk.data.encoding.column_coder import CodedColumn, ColumnCoder, smallest_dtype
from dpdesk.data.encoding.missing_and_invalid import MISSING, unknown_code
from dpdesk.data.encoding.partition_selection import TextCoder
from dpdesk.data.encoding.table import EncodedColumn, EncodedTable
from dpdesk.data.files.arrow_types import one_value_cells
from dpdesk.data.files.cells import distinct_texts
from dpdesk.data.people.person_keys import PROCESS_KEY, PersonCoder
from dpdesk.data.preparation.row_steps import clock_of, compile_step
from dpdesk.study.checks.finding_checks import found_columns
from dpdesk.study.model.columns import Column, DateColumn, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.steps.derivation import derived_in_order, needs_all_rows, tables_with_cases
from dpdesk.study.model.steps.result import own_values
from dpdesk.study.model.steps.step import FileLabel, with_clock
from dpdesk.study.model.tables import MAIN
from dpdesk.study.model.unit import DataSource, Unit

Ints = npt.NDArray[np.int64]
Kind = np.dtype[np.signedinteger[Any]]

_OTHER_KIND = np.dtype(np.int32)
"""Of times of day, and of texts that categories are found among."""

NOBODY = -1
"""The person of a row that is left out, because it has no id."""

TOGETHER = -2
"""The one person of all rows without an id, where they are together one."""


@dataclass(frozen=True)
class ReadColumn:
    """A column that is read from the table.

    Attributes:
        name: what it is called among the codes.
        header: the table's column.
        kind: the whole numbers that hold every code, by its declaration.
        code: the codes of different values, as Arrow has them.
    """

    name: str
    header: str
    kind: Kind
    code: Callable[[pa.Array], Ints]


@dataclass(frozen=True)
class DerivedColumn:
    """A column that is made of others of the same row.

    Attributes:
        name: what it is called among the codes.
        of: the columns of codes that it is made of; none where it is one value for all rows.
        kind: the whole numbers that hold every code, by its declaration.
        code: its codes of different combinations of theirs.
    """

    name: str
    of: tuple[str, ...]
    kind: Kind
    code: Callable[[dict[str, Ints], int], Ints]


class Meaning:
    """What a study's columns make of values, all of one table.

    Attributes:
        read: the columns of codes that are read, the texts of found categories among them.
        derived: those that are made of others, each after what it is made of.
        texts: of each column in which categories are looked for the text of each code, once its
            values are coded.
    """

    def __init__(self, study: Study, table: str = MAIN) -> None:
        """Look at one table of a study.

        Args:
            study: a sound study that a database can be asked for.
        """
        self.study = study
        self.table = table
        names = [MAIN, *(one.name for one in study.tables)]
        self.number = names.index(table)
        data = replace(study.data_of(table) or DataSource(), more=())
        # The values of a table are typed, as those of a Parquet file are.
        self._data = replace(data, format="parquet")
        self._stores = {one.name: CodedColumn(one) for one in study.columns}
        self._finding = found_columns(study)
        self.texts: dict[str, tuple[str, ...]] = {}
        self._made = [
            one
            for one in derived_in_order(study.by_name)
            if one.header is None
            and study.homes[one.name] == table
            and not needs_all_rows(study.by_name, study.homes, one)
        ]
        self.read = tuple(self._read())
        self.derived = tuple(map(self._derived, self._made))

    @property
    def person(self) -> str | None:
        """The header of the column that tells people apart."""
        table = self.study.table(self.table)
        return (self.study.unit or Unit()).person if table is None else table.person

    @property
    def label(self) -> str:
        """What the table's file is called, where a column says which file a row is from."""
        return self._data.label

    @property
    def markers(self) -> tuple[str, ...]:
        """The texts that mean that there is no value."""
        return self._data.missing

    @property
    def case(self) -> str | None:
        """The header of the column of case numbers, where somebody asks for cases."""
        asked = tables_with_cases(self.study.columns)
        table = self.study.table(self.table)
        if table is None:
            return (self.study.unit or Unit()).case if asked else None
        return table.case if table.name in asked else None

    def _read(self) -> list[ReadColumn]:
        every = self.study.by_name.values()
        clocks = {n for one in every if one.made_from for n in with_clock(one.made_from)}
        found = []
        for column in self.study.read_from(self.table):
            header = column.header or column.name
            kind = smallest_dtype(column)
            found.append(ReadColumn(column.name, header, kind, self._coder(column)))
            if isinstance(column, DateColumn) and column.name in clocks:
                name = clock_of(column.name)
                found.append(ReadColumn(name, header, _OTHER_KIND, self._clock(column)))
            if column.name in self._finding:
                name = text_of(column.name)
                found.append(ReadColumn(name, header, _OTHER_KIND, self._text(column)))
        return found

    def _cells(self, column: Column) -> Callable[[pa.Array], pa.Array]:
        decimal, seconds = self._data.decimal, isinstance(column, NumberColumn)
        if isinstance(column, NumberColumn) and column.decimal:
            decimal = column.decimal
        return lambda values: one_value_cells(values, decimal, seconds)

    def _coder(self, column: Column) -> Callable[[pa.Array], Ints]:
        coder, cells = ColumnCoder(column, self._data), self._cells(column)
        return lambda values: coder.codes(cells(values)).astype(np.int64)

    def _clock(self, column: DateColumn) -> Callable[[pa.Array], Ints]:
        reader, cells = ClockReader(column, typed=True), self._cells(column)
        return lambda values: reader.codes(cells(values)).astype(np.int64)

    def _text(self, column: Column) -> Callable[[pa.Array], Ints]:
        cells = self._cells(column)

        def code(values: pa.Array) -> Ints:
            coder = TextCoder(column, self._data.missing)
            coder.add(distinct_texts(cells(values), self._data.decimal))
            coded = coder.texts(np.arange(len(values)))
            self.texts[column.name] = coded.texts
            return coded.codes.astype(np.int64)

        return code

    def _derived(self, column: Column) -> DerivedColumn:
        step = column.made_from
        if isinstance(step, FileLabel):
            code = _label_code(column, self._data.label)
            kind = smallest_dtype(column)
            return DerivedColumn(column.name, (), kind, lambda _codes, rows: np.full(rows, code))
        if step is None:
            raise ValueError("the column is read")
        make = compile_step(column, self.study.by_name)
        clocks = tuple(map(clock_of, with_clock(step)))

        def codes(of: dict[str, Ints], _rows: int) -> Ints:
            cells = {name: self.encoded(name, own) for name, own in of.items()}
            made = self._stores[column.name].as_stored(make(cells))
            return made.astype(np.int64)

        of = tuple(dict.fromkeys((*step.names, *clocks)))
        return DerivedColumn(column.name, of, smallest_dtype(column), codes)

    def encoded(self, name: str, codes: Ints) -> EncodedColumn:
        """Codes of a column as a table of a file has them."""
        store = self._stores.get(name)
        return EncodedColumn(codes, MISSING) if store is None else store.encoded(codes)

    def encoded_rows(self, codes: dict[str, Ints], rows: int) -> EncodedTable:
        """Different rows as a table; whose they are says nothing."""
        columns = {name: self.encoded(name, own) for name, own in codes.items()}
        return EncodedTable(columns, np.zeros(rows, np.int64), 0, None)


def text_of(name: str) -> str:
    """What the texts of a column are called among the codes; no column is."""
    return f"{name}\0text"


def _label_code(column: Column, label: str) -> int:
    values = own_values(column)
    return values.index(label) if label in values else unknown_code(column)


def numbers_of(
    ids: Mapping[str, pa.Array], meanings: Mapping[str, Meaning], *, is_case: bool = False
) -> dict[str, Ints]:
    """Equal numbers from 0 for ids of one person, or for equal case numbers, in all tables.

    Args:
        ids: different ids, or case numbers, by table.
        is_case: whether they are case numbers.

    Returns:
        By table; ``NOBODY`` or ``TOGETHER`` where an id is none.
    """
    keys = {name: _keys(values, meanings[name], is_case) for name, values in ids.items()}
    whole = np.concatenate([np.zeros((2, 0), np.int64), *keys.values()], axis=1)
    # Plain numbers have no upper half: one half is sorted in a third of the time.
    is_short = not whole[0][whole[1] >= 0].any()
    halves = whole[1] if is_short else whole
    numbers = np.unique(halves, axis=-1, return_inverse=True)[1].reshape(-1).astype(np.int64)
    found, begin = {}, 0
    for name, own in keys.items():
        part = numbers[begin : begin + own.shape[1]]
        begin += own.shape[1]
        unit = meanings[name].study.unit or Unit()
        pools = unit.without_id == "one-person" and not is_case
        found[name] = np.where(own[1] >= 0, part, TOGETHER if pools else NOBODY)
    return found


def _keys(values: pa.Array, meaning: Meaning, is_case: bool) -> Ints:
    """High and low half of each id's key; the low one is below 0 where it is none."""
    unit, data = meaning.study.unit or Unit(), meaning.study.data_of(meaning.table) or DataSource()
    if is_case:
        coder = PersonCoder(data.missing, unit.leading_zeros)
    else:
        rules = (unit.leading_zeros, unit.without_id, PROCESS_KEY, False, unit.id_shape)
        coder = PersonCoder(data.missing, *rules)
    keys = coder.ids(one_value_cells(values, data.decimal))
    known = keys.low >= 0
    high = np.broadcast_to(np.asarray(keys.high, np.int64), len(values))
    return np.stack([np.where(known, high, -1), np.where(known, keys.low, -1)])
