# SPDX-License-Identifier: Apache-2.0
"""A study's derived columns: for each batch what one row says, then what a person's rows say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from dpdesk.data.encoding.column_coder import CodedColumn
from dpdesk.data.encoding.missing_and_invalid import MISSING
from dpdesk.data.encoding.table import Codes, EncodedColumn
from dpdesk.data.preparation.person_rows import PersonRows
from dpdesk.data.preparation.person_steps import codes_beside, codes_of_people
from dpdesk.data.preparation.row_steps import clock_of, compile_step
from dpdesk.study.model.columns import Column
from dpdesk.study.model.document import Study
from dpdesk.study.model.steps.derivation import (
    derived_in_order,
    needs_all_rows,
    operands,
)
from dpdesk.study.model.steps.step import BesideRow, OfPerson, PersonStep, with_clock
from dpdesk.study.model.tables import PEOPLE

OfPeople = dict[str, EncodedColumn]
"""Columns of people by name: a code for each person, and behind these that of nobody."""

_PART_ROWS = 1 << 18
"""Of columns that are made late these many rows are worked on at a time."""


class DerivedColumns:
    """Makes the derived columns, each after those that it is made of."""

    def __init__(self, study: Study) -> None:
        """Compile the steps.

        Args:
            study: a sound study; see ``study.checks.step_checks``.
        """
        self._columns = study.by_name
        self._homes = study.homes
        made = [c for c in derived_in_order(self._columns) if c.header is None]
        self._late = [
            column for column in made if needs_all_rows(self._columns, study.homes, column)
        ]
        self._steps = [
            (c.name, compile_step(c, self._columns)) for c in made if c not in self._late
        ]

    @property
    def late(self) -> frozenset[str]:
        """The columns that are made once all rows are there."""
        return frozenset(column.name for column in self._late)

    @property
    def clocks(self) -> frozenset[str]:
        """The date columns whose time of day is asked for."""
        steps = (column.made_from for column in self._columns.values())
        return frozenset(name for step in steps for name in with_clock(step))

    def add_to(
        self,
        codes: dict[str, Codes],
        stores: dict[str, CodedColumn],
        clocks: Mapping[str, Codes],
    ) -> None:
        """Add the codes of derived columns to those of the others, but for the late ones.

        Args:
            codes: a batch's codes by name.
            stores: the store of each column, which knows its rule for missing cells.
            clocks: the seconds of the day of date columns, by name.
        """
        cells = {name: stores[name].encoded(of_rows) for name, of_rows in codes.items()}
        cells |= {clock_of(name): EncodedColumn(c, MISSING) for name, c in clocks.items()}
        for name, step in self._steps:
            codes[name] = stores[name].as_stored(step(cells))
            cells[name] = stores[name].encoded(codes[name])

    def add_late(self, stores: dict[str, CodedColumn], seen: PersonRows) -> OfPeople:
        """Make the late columns of all rows, each at its home.

        Args:
            stores: the columns by name; those that are not late hold all rows.
            seen: the rows by person.

        Returns:
            The columns of people: a code for each of them, and behind these that of a row without
            an id.
        """
        made = _LateColumns(self._columns, self._homes, stores, seen)
        for at, column in enumerate(self._late):
            made.add(column)
            made.forget(self._late[at + 1 :])
        return made.of_people


class _LateColumns:
    """Columns that are made one after the other of all rows, at home at rows or at people."""

    def __init__(
        self,
        columns: Mapping[str, Column],
        homes: Mapping[str, str],
        stores: dict[str, CodedColumn],
        seen: PersonRows,
    ) -> None:
        self.of_people: dict[str, EncodedColumn] = {}
        self._columns = columns
        self._homes = homes
        self._stores = stores
        self._seen = seen
        self._by_person: dict[str, EncodedColumn] = {}

    def add(self, column: Column) -> None:
        """Make a column of those before it."""
        step, store = column.made_from, self._stores[column.name]
        if isinstance(step, PersonStep):
            cells = {name: self._sorted(name) for name in step.names}
            if isinstance(step, OfPerson):
                codes = codes_of_people(step, column, self._columns, cells, self._seen)
                codes = np.append(codes, MISSING)
                self.of_people[column.name] = store.encoded(store.as_stored(codes))
            elif isinstance(step, BesideRow):
                codes = codes_beside(step, column, self._columns, cells, self._seen)
                store.add(self._in_file_order(store.as_stored(codes)))
        elif self._homes[column.name] == PEOPLE:
            codes = compile_step(column, self._columns)(self.of_people)
            self.of_people[column.name] = store.encoded(store.as_stored(codes))
        else:
            self._add_to_rows(column, store)

    def _in_file_order(self, codes: Codes) -> Codes:
        """Codes of the sorted rows as those of the file's; missing where a row is not seen."""
        whole = np.full(len(self._seen.persons), MISSING, codes.dtype)
        whole[self._seen.rows] = codes
        return whole

    def _sorted(self, name: str) -> EncodedColumn:
        """A column's codes of the rows by person."""
        if name not in self._by_person:
            store = self._stores[name]
            if name in self.of_people:
                codes = self._seen.spread(self.of_people[name].codes[:-1])
            else:
                codes = store.rows(self._seen.rows)
            self._by_person[name] = store.encoded(codes)
        return self._by_person[name]

    def _add_to_rows(self, column: Column, store: CodedColumn) -> None:
        names = () if column.made_from is None else column.made_from.names
        step, made = compile_step(column, self._columns), [np.zeros(0, np.int8)]
        for start in range(0, len(self._seen.persons), _PART_ROWS):
            part = slice(start, start + _PART_ROWS)
            made.append(store.as_stored(step({name: self._part(name, part) for name in names})))
        store.add(np.concatenate(made))

    def _part(self, name: str, rows: slice) -> EncodedColumn:
        """A column's codes of some rows next to each other in the file."""
        if name in self.of_people:
            return self.of_people[name].spread(self._seen.persons[rows])
        store = self._stores[name]
        return store.encoded(store.all()[rows])

    def forget(self, left: Sequence[Column]) -> None:
        """Drop what none of the columns that are left is made of."""
        needed = frozenset(name for column in left for name in operands(column))
        self._by_person = {n: c for n, c in self._by_person.items() if n in needed}
        self._seen.forget(needed)
