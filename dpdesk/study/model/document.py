# SPDX-License-Identifier: Apache-2.0
"""The study: everything the custodian declares, in one immutable value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from dpdesk.study.model.baseline.declared import BaselineTable
from dpdesk.study.model.columns import Column
from dpdesk.study.model.queries import ROUNDINGS, PublishedForm, Query, SyntheticRows
from dpdesk.study.model.steps.derivation import homes_of, with_operands
from dpdesk.study.model.steps.step import OfRows
from dpdesk.study.model.tables import MAIN, PEOPLE, FurtherTable, table_called
from dpdesk.study.model.unit import Budget, DataSource, Unit

STUDY_VERSION = 1


@dataclass(frozen=True)
class Study:
    """A study, complete or still being filled in; ``check`` says which.

    Attributes:
        title: heading of the release.
        organisation: who releases.
        data: where the data is and how its text is to be read.
        unit: whose privacy is protected, and against which neighbouring data.
        budget: who pays, and how much this study may spend.
        rounding: to multiples of what every count is published, 5 or 10, after noise was added and
            tables were made consistent; a house rule. Sums, means and shares are not counts.
        tables: further tables, which meet that of ``data`` over the person. No two have the same
            name.
        columns: declared columns; other columns of the file are never read. No two have the same
            name.
        queries: what is asked, in the order it is released. No two have the same id.
        baseline_tables: Table 1s, each asked at one price; their queries stand behind the others.
        synthetic_rows: made-up rows that the bundle is to have, fitted to the released counts; none
            where it is left out. They cost nothing.
    """

    title: str = ""
    organisation: str = ""
    data: DataSource | None = None
    unit: Unit | None = None
    budget: Budget | None = None
    rounding: int | None = None
    tables: tuple[FurtherTable, ...] = ()
    columns: tuple[Column, ...] = ()
    queries: tuple[Query, ...] = ()
    baseline_tables: tuple[BaselineTable, ...] = ()
    synthetic_rows: SyntheticRows | None = None

    def column(self, name: str | None) -> Column | None:
        """The declared column of that name, if there is one."""
        return self.by_name.get(name) if name else None

    @cached_property
    def by_name(self) -> Mapping[str, Column]:
        """The first column of each name; pages ask for thousands."""
        return {column.name: column for column in reversed(self.columns)}

    def query(self, query_id: str) -> Query | None:
        return next((q for q in self.queries if q.id == query_id), None)

    def baseline_table(self, table_id: str) -> BaselineTable | None:
        """The Table 1 of that id, if there is one."""
        return next((one for one in self.baseline_tables if one.id == table_id), None)

    def with_operands(self, names: Iterable[str]) -> frozenset[str]:
        """These columns with all that they are made of, directly or not.

        The date by which a table keeps one row of a person is among what its columns are made of.
        """
        found = with_operands(self.by_name, names)
        if not self.tables:
            return found
        kept_by = {t.by for t in self.tables_of(found) if t.by is not None}
        return found if kept_by <= found else with_operands(self.by_name, {*found, *kept_by})

    def tables_of(self, names: Iterable[str]) -> tuple[FurtherTable, ...]:
        """The further tables whose rows these columns come from."""
        columns = [self.by_name[name] for name in names if name in self.by_name]
        used = {column.table for column in columns}
        used |= {c.made_from.table for c in columns if isinstance(c.made_from, OfRows)}
        return tuple(table for table in self.tables if table.name in used)

    @cached_property
    def used_names(self) -> frozenset[str]:
        """The columns that a query uses, and those that they are made of."""
        return self.with_operands(name for q in self.queries for name in q.names)

    @cached_property
    def read_columns(self) -> tuple[Column, ...]:
        """The columns whose cells are read from the main table's files."""
        return self.read_from(MAIN)

    def read_from(self, table: str) -> tuple[Column, ...]:
        """The columns whose cells are read from a table's files; the others are made from them."""
        return tuple(c for c in self.columns if c.header is not None and c.table == table)

    def table(self, name: str) -> FurtherTable | None:
        """The further table of that name, if there is one."""
        return table_called(self.tables, name)

    def data_of(self, table: str) -> DataSource | None:
        """The files of a table; ``None`` where there is no such table, or no file yet."""
        if table == MAIN:
            return self.data
        found = self.table(table)
        return None if found is None else found.data

    def missing_of(self, column: Column) -> tuple[str, ...]:
        """The texts that mean "missing" in every column of a column's table."""
        data = self.data_of(column.table)
        return () if data is None else data.missing

    @property
    def sources(self) -> tuple[DataSource, ...]:
        """Every file or sheet: those of the main table, then those of each further one."""
        tables = [*([] if self.data is None else [self.data]), *(t.data for t in self.tables)]
        return tuple(file for data in tables for file in data.files)

    def spread_of(self, query: Query) -> Query | None:
        """The query with the variance of another one's cells; ``None`` where none is needed."""
        if not query.declaration.needs_spread:
            return None
        asked = query.whose_rows
        spreads = (one for one in self.queries if one.declaration.is_spread)
        return next((one for one in spreads if one.whose_rows == asked), None)

    def form_of(self, query: Query) -> PublishedForm | None:
        """In which form a query's figures are published; ``None`` for as they come from noise."""
        step = self.rounding if query.declaration.is_count and self.rounding in ROUNDINGS else None
        if step is None and not query.whole_numbers:
            return None
        return PublishedForm(step or 1, query.whole_numbers)

    @cached_property
    def homes(self) -> Mapping[str, str]:
        """Where each column has its values; see ``derivation.homes_of``."""
        return homes_of(self.by_name, self.tables)

    @cached_property
    def asked_columns(self) -> tuple[Column, ...]:
        """The columns that queries may use: with a value for each row of the main table."""
        return tuple(c for c in self.columns if self.homes[c.name] in (MAIN, PEOPLE))

    def is_of_person(self, name: str) -> bool:
        """Whether a column has one value for each person."""
        return self.homes.get(name) == PEOPLE
