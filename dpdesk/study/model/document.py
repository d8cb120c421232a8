# SPDX-License-Identifier: Apache-2.0
"""The study: everything the custodian declares, in one immutable value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from dpdesk.study.model.columns import Column
from dpdesk.study.model.queries import Query
from dpdesk.study.model.steps.derivation import with_operands
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
        columns: declared columns; other columns of the file are never read. No two have the same
            name.
        queries: what is asked, in the order it is released. No two have the same id.
    """

    title: str = ""
    organisation: str = ""
    data: DataSource | None = None
    unit: Unit | None = None
    budget: Budget | None = None
    columns: tuple[Column, ...] = ()
    queries: tuple[Query, ...] = ()

    def column(self, name: str | None) -> Column | None:
        """The declared column of that name, if there is one."""
        return self.by_name.get(name) if name else None

    @cached_property
    def by_name(self) -> Mapping[str, Column]:
        """The first column of each name; pages ask for thousands."""
        return {column.name: column for column in reversed(self.columns)}

    def query(self, query_id: str) -> Query | None:
        return next((q for q in self.queries if q.id == query_id), None)

    @cached_property
    def used_names(self) -> frozenset[str]:
        """The columns that a query uses, and those that they are made of."""
        return with_operands(self.by_name, (name for q in self.queries for name in q.names))

    @cached_property
    def read_columns(self) -> tuple[Column, ...]:
        """The columns whose cells are read from the file; the others are made from them."""
        return tuple(column for column in self.columns if column.header is not None)
