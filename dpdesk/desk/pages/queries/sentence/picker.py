# SPDX-License-Identifier: Apache-2.0
"""What each picker of a query's sentence is given: a query, a callback, and where it opens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from dpdesk.desk.pages.sentence.anchor import Anchor
from dpdesk.study.checks.column_checks import check_column
from dpdesk.study.model.columns import Column
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query

NOTHING = "\0nothing"
SEPARATOR = "\0"

Kind = TypeVar("Kind", bound=Column)
SORTED_UP_TO = 1_000
"""So many columns are looked through before a list of them opens."""

Done = Callable[[Query], object]
"""Is called with the query as it was picked."""


def described_first(columns: Sequence[Kind]) -> list[Kind]:
    """Columns in their order, those that a query can use as they are before the others.

    A codebook that names fifty columns and describes none leaves fifty lines of which few help.
    """
    if len(columns) > SORTED_UP_TO:
        return list(columns)
    return sorted(columns, key=lambda column: any(check_column(column, "$")))


@dataclass(frozen=True)
class Picker:
    """Picks one thing of a query.

    Attributes:
        study: the study that the query is in.
        query: the query.
        done: what the query is handed to once the thing is picked.
    """

    study: Study
    query: Query
    done: Done

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns that the query may use: of rows or people, as it asks."""
        columns = self.study.asked_columns
        if self.query.of == "rows":
            return columns
        return tuple(column for column in columns if self.study.is_of_person(column.name))

    def open(self, at: Anchor) -> None:
        """Let it be picked at a chip."""
        raise NotImplementedError


MakePicker = Callable[[Study, Query, Done], Picker]
