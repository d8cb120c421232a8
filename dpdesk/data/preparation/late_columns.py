# SPDX-License-Identifier: Apache-2.0
"""Columns that are made once all rows of all tables are there, each at its home.

A column has its values for the rows of a table, or for people. What is of people is held once for
each person, and spread over rows where a step at rows needs it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dpdesk.data.arrays.packed_sort import Keys
from dpdesk.data.encoding.column_coder import CodedColumn
from dpdesk.data.encoding.missing_and_invalid import MISSING
from dpdesk.data.encoding.table import Codes, EncodedColumn
from dpdesk.data.preparation.case_rows import CaseRows
from dpdesk.data.preparation.person_rows import PersonRows
from dpdesk.data.preparation.person_steps import codes_beside, codes_of_groups, kept_codes
from dpdesk.data.preparation.row_steps import compile_step
from dpdesk.study.model.columns import Column
from dpdesk.study.model.document import Study
from dpdesk.study.model.steps.derivation import derived_in_order, needs_all_rows, operands
from dpdesk.study.model.steps.step import BesideRow, OfCase, OfPerson
from dpdesk.study.model.tables import MAIN, PEOPLE, FurtherTable

OfPeople = dict[str, EncodedColumn]
"""Columns of people by name: a code for each person, and behind these that of nobody."""

_PART_ROWS = 1 << 18
"""Of columns of rows that are made late these many rows are worked on at a time."""


@dataclass(frozen=True, repr=False)
class TableColumns:
    """One table's rows, once all are there.

    Attributes:
        stores: the columns that have codes for each row, by name; those that are made late are
            empty at first.
        seen: the rows by person.
        cases: the case numbers of the rows, where they are read.
    """

    stores: Mapping[str, CodedColumn]
    seen: PersonRows
    cases: Keys | None = None


def late_columns(study: Study) -> tuple[Column, ...]:
    """The columns that are made once all rows are there, each after those that it is made of.

    Args:
        study: a sound study; see ``study.checks.step_checks``.
    """
    columns = study.by_name
    made = (one for one in derived_in_order(columns) if one.header is None)
    return tuple(one for one in made if needs_all_rows(columns, study.homes, one))


def make_late(study: Study, tables: Mapping[str, TableColumns]) -> OfPeople:
    """Make the late columns of all tables: those of rows in place, those of people by name.

    Args:
        study: a sound study.
        tables: the tables by name.

    Returns:
        The columns of people: a code for each of them, and behind these that of a row without an
        id.
    """
    late = late_columns(study)
    made = _LateColumns(study, tables)
    for table in study.tables:
        if table.is_of_people:
            made.keep_one(table)
    made.forget(late)
    for at, column in enumerate(late):
        made.add(column)
        made.forget(late[at + 1 :])
    return made.of_people


class _LateColumns:
    def __init__(self, study: Study, tables: Mapping[str, TableColumns]) -> None:
        self.of_people: OfPeople = {}
        self._columns = study.by_name
        self._homes = study.homes
        self._tables = tables
        self._by_person: dict[tuple[str, str], EncodedColumn] = {}
        self._cases: dict[str, CaseRows] = {}

    def keep_one(self, table: FurtherTable) -> None:
        """Of a table of people, of each column the one value of a person that counts."""
        rows = self._tables[table.name]
        ordered = table.by is not None and table.by in rows.stores
        days = self._sorted(table.by or "", table.name).counted() if ordered else None
        for name, store in rows.stores.items():
            codes = kept_codes(table, self._sorted(name, table.name).codes, days, rows.seen)
            self._keep(name, store, np.append(codes, MISSING))

    def add(self, column: Column) -> None:
        """Make a column of those before it."""
        step, home = column.made_from, self._homes[column.name]
        if isinstance(step, OfPerson):
            seen = self._tables[step.table].seen
            cells = {name: self._sorted(name, step.table) for name in step.names}
            codes = codes_of_groups(step, column, self._columns, cells, seen)
            self._keep(column.name, CodedColumn(column), np.append(codes, MISSING))
        elif home == PEOPLE:
            codes = compile_step(column, self._columns)(self.of_people)
            self._keep(column.name, CodedColumn(column), codes)
        elif isinstance(step, BesideRow):
            self._add_beside(step, column, self._tables[home])
        elif isinstance(step, OfCase):
            self._add_of_case(step, column)
        else:
            self._add_to_rows(column, self._tables[home])

    def _keep(self, name: str, store: CodedColumn, codes: Codes) -> None:
        self.of_people[name] = store.encoded(store.as_stored(codes))

    def _add_beside(self, step: BesideRow, column: Column, table: TableColumns) -> None:
        cells = {name: self._sorted(name, self._homes[column.name]) for name in step.names}
        store, seen = table.stores[column.name], table.seen
        codes = store.as_stored(codes_beside(step, column, self._columns, cells, seen))
        # A row that is not seen of its person, or has none, has no value.
        whole = np.full(len(seen.persons), MISSING, codes.dtype)
        whole[seen.rows] = codes
        store.add(whole)

    def _add_of_case(self, step: OfCase, column: Column) -> None:
        cases = self._case_rows(step.table)
        rows = cases.seen.rows
        cells = {name: self._at(name, step.table, rows) for name in step.names}
        codes = codes_of_groups(step, column, self._columns, cells, cases.seen)
        store = self._tables[MAIN].stores[column.name]
        store.add(store.as_stored(np.append(codes, MISSING))[cases.entries])

    def _case_rows(self, name: str) -> CaseRows:
        if name not in self._cases:
            main, further = self._tables[MAIN], self._tables[name]
            if main.cases is None or further.cases is None:
                raise ValueError("the tables do not meet over cases")
            persons = main.seen.persons
            self._cases[name] = CaseRows.of(persons, main.cases, further.seen, further.cases)
        return self._cases[name]

    def _add_to_rows(self, column: Column, table: TableColumns) -> None:
        store, home = table.stores[column.name], self._homes[column.name]
        step, made = compile_step(column, self._columns), [np.zeros(0, np.int8)]
        for start in range(0, len(table.seen.persons), _PART_ROWS):
            part = slice(start, start + _PART_ROWS)
            cells = {name: self._at(name, home, part) for name in operands(column)}
            made.append(store.as_stored(step(cells)))
        store.add(np.concatenate(made))

    def _sorted(self, name: str, table: str) -> EncodedColumn:
        """A column's codes of a table's rows by person."""
        if (name, table) not in self._by_person:
            seen = self._tables[table].seen
            if name in self.of_people:
                of_people = self.of_people[name]
                codes = seen.spread(of_people.codes[:-1])
                self._by_person[name, table] = EncodedColumn(codes, of_people.missing_code)
            else:
                self._by_person[name, table] = self._at(name, table, seen.rows)
        return self._by_person[name, table]

    def _at(self, name: str, table: str, rows: Codes | slice) -> EncodedColumn:
        """A column's codes of some rows of a table's files."""
        if name in self.of_people:
            return self.of_people[name].spread(self._tables[table].seen.persons[rows])
        store = self._tables[table].stores[name]
        return store.encoded(store.all()[rows])

    def forget(self, left: Sequence[Column]) -> None:
        """Drop what none of the columns that are left is made of."""
        needed = frozenset(name for column in left for name in operands(column))
        self._by_person = {key: c for key, c in self._by_person.items() if key[0] in needed}
        for table in self._tables.values():
            table.seen.forget(needed)
        of_cases = {c.made_from.table for c in left if isinstance(c.made_from, OfCase)}
        self._cases = {name: rows for name, rows in self._cases.items() if name in of_cases}
