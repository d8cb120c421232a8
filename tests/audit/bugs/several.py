# SPDX-License-Identifier: Apache-2.0
"""Bugs of several tables: who meets whom, which of several rows counts, and where a file begins."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpdesk.data import encode
from dpdesk.data.arrays.packed_sort import Keys
from dpdesk.data.encoding.table import EncodedColumn, EncodedTable, PeopleColumns
from dpdesk.data.people.id_shape import ShapeReader
from dpdesk.data.people.person_keys import PersonCoder
from dpdesk.data.preparation import case_rows, late_columns, numbered, person_rows
from dpdesk.data.preparation.person_rows import DayOrder, PersonRows
from tests.audit.bugs.planting import Bug, bug

SEVERAL: list[Bug] = []


@bug(SEVERAL, "a row that meets several rows is there as often", "several", "guess")
def _(patch: pytest.MonkeyPatch) -> None:
    real, number = encode._Rows._table, numbered.number_people
    met: list[Any] = []

    def numbers(tables: Any, **more: Any) -> Any:
        found = number(tables, **more)
        met[:] = [np.diff(found.tables[-1].offsets)]
        return found

    def table(self: Any, rows: Any, *more: Any) -> EncodedTable:
        made = real(self, rows, *more)
        shared = made._shared
        if shared is None or len(self._tables) == 1:
            return made
        entries = shared.entries
        times = np.where(entries < 0, 1, np.maximum(np.append(met[0], 1)[entries], 1))
        columns = {
            name: EncodedColumn(np.repeat(one.codes, times), one.missing_code)
            for name, one in made._columns.items()
        }
        persons, entries = np.repeat(made.persons(), times), np.repeat(entries, times)
        both = PeopleColumns(shared.columns, entries)
        people = made.of_people()
        return EncodedTable(columns, persons, made.people(), None, of_people=people, shared=both)

    patch.setattr(encode, "number_people", numbers)
    patch.setattr(encode._Rows, "_table", table)


@bug(SEVERAL, "a person in two tables is two people", "several", "guess")
def _(patch: pytest.MonkeyPatch) -> None:
    real = numbered.number_people

    def number(tables: Any, are_asked: bool = False) -> Any:
        salted = (replace(one, low=one.low ^ (at << 55)) for at, one in enumerate(tables))
        pairs = zip(tables, salted, strict=True)
        apart = [replace(a, low=np.where(a.low < 0, a.low, b.low)) for a, b in pairs]
        return real(apart, are_asked)

    patch.setattr(encode, "number_people", number)


@bug(SEVERAL, "of two rows in a table of people another person's counts", "several")
def _(patch: pytest.MonkeyPatch) -> None:
    real = late_columns.kept_codes

    def kept(table: Any, codes: Any, days: Any, seen: PersonRows) -> Any:
        found = real(table, codes, days, seen)
        return np.where(seen.lengths > 1, np.roll(found, 1), found)

    patch.setattr(late_columns, "kept_codes", kept)


@bug(SEVERAL, "of two rows in a table of people the first in the file counts", "several")
def _(patch: pytest.MonkeyPatch) -> None:
    def kept(table: Any, codes: Any, days: Any, seen: PersonRows) -> Any:
        result = np.full(seen.people, -1, codes.dtype)
        has_rows = seen.lengths > 0
        result[has_rows] = codes[seen.offsets[:-1][has_rows]]
        return result

    patch.setattr(late_columns, "kept_codes", kept)


@bug(SEVERAL, "equal case numbers of two people are one case", "several", "guess")
def _(patch: pytest.MonkeyPatch) -> None:
    real = case_rows._keys

    def keys(persons: Any, cases: Any) -> list[Keys]:
        return real([np.minimum(who, 0) for who in persons], cases)

    patch.setattr(case_rows, "_keys", keys)


@bug(SEVERAL, "a person's rows meet by the order of two tables", "several")
def _(patch: pytest.MonkeyPatch) -> None:
    real = numbered._split

    def split(*given: Any) -> Any:
        first, *rest = real(*given)
        yield first
        for table in rest:
            offsets = np.append(0, np.cumsum(np.roll(np.diff(table.offsets), 1)))
            people = len(offsets) - 1
            persons = table.persons.copy()
            persons[table.rows] = np.repeat(np.arange(people), np.diff(offsets))
            yield replace(table, offsets=offsets, persons=persons)

    patch.setattr(numbered, "_split", split)


@bug(SEVERAL, "rows of a second file have the last id of the first", "several")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(PersonCoder, "begin_file", lambda self: None)


@bug(SEVERAL, "an id of another shape is one", "several")
def _(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ShapeReader, "fits", lambda self, cells: np.ones(len(cells), np.bool_))


@bug(SEVERAL, "a person who is in another table alone is nobody", "several")
def _(patch: pytest.MonkeyPatch) -> None:
    real = encode._Rows._table

    def table(self: Any, kept: Any, people: int, keys: Any, of_people: Any = None,
              shared: Any = None) -> EncodedTable:  # fmt: skip
        if shared is not None and of_people is not None:
            there = np.unique(shared.entries[shared.entries >= 0])
            columns = {name: one.spread(there) for name, one in of_people._columns.items()}
            of_people = EncodedTable(columns, np.arange(len(there)), len(there), None)
        return real(self, kept, people, keys, of_people, shared)

    patch.setattr(encode._Rows, "_table", table)


@bug(SEVERAL, "the row before is another person's, in any table", "several")
def _(patch: pytest.MonkeyPatch) -> None:
    real = late_columns.codes_beside

    def beside(*given: Any) -> Any:
        *declared, seen = given
        return real(*declared, replace(seen, persons=np.zeros_like(seen.persons)))

    patch.setattr(late_columns, "codes_beside", beside)


@bug(SEVERAL, "rows of one day in a further table are in the order of its file", "several")
def _(patch: pytest.MonkeyPatch) -> None:
    def settled(self: Any, kept: Any, wanted: Any) -> Any:
        inside = kept[self.at]
        return self.at[inside][np.lexsort([self.at[inside], self.runs[inside]])]

    patch.setattr(DayOrder, "settled", settled)


@bug(SEVERAL, "the smallest of a person is that of the rows up to the next one's", "several")
def _(patch: pytest.MonkeyPatch) -> None:
    def reduced(self: Any, how: Any, values: Any, empty: int) -> Any:
        kind = np.dtype(np.int64) if values.dtype == np.bool_ else values.dtype
        if not self.people or not len(self.rows):
            return np.full(self.people, empty, kind)
        # Of a person without rows here, numpy takes the next one's.
        begins = np.minimum(self.offsets[:-1], len(self.rows) - 1)
        return how.reduceat(values, begins, dtype=kind)

    patch.setattr(person_rows.PersonRows, "reduced", reduced)


@bug(SEVERAL, "a warning tells that hardly any row finds its case", "constant")
def _(patch: pytest.MonkeyPatch) -> None:
    real = late_columns.CaseRows.of

    def of(*given: Any) -> Any:
        found = real(*given)
        if not len(found.seen.rows):
            warnings.warn("no row of the table meets another", stacklevel=2)
        return found

    patch.setattr(late_columns.CaseRows, "of", of)
