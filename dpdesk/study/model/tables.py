# SPDX-License-Identifier: Apache-2.0
"""Further tables, which meet the main one over the person, or over the person and a case number."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from dpdesk.study.model.unit import DataSource

RowsOfTable = Literal["many", "one-per-person"]
Keep = Literal["smallest", "first", "last"]
MAIN: Final = ""
"""The table of ``study.data``, whose rows queries count."""
PEOPLE: Final = "(people)"
"""Home of columns that have one value for each person; no table has such a name."""


@dataclass(frozen=True)
class FurtherTable:
    """A further table: its files, and of what a row is.

    A person may have rows in one table alone. A row without an id meets nobody.

    Attributes:
        name: what it is called; 1 to 40 of a-z, 0-9 and -.
        data: its first file or sheet, and further ones of the same columns.
        person: header of the column that tells people apart.
        case: header of the column with the case number, by which a row meets those rows of the
            main table that have the same person and the same case number; left out where it meets
            them over the person alone.
        rows: many: a person has any number of rows; one-per-person: one, which has the person's
            attributes.
        keep: of a person with several rows in a table of one per person, which value of each
            column counts. smallest: the smallest that is there, of a category the first listed;
            first, last: that of the row with the earliest or the latest day, of one day the
            smallest; a row without a day counts where none has one.
        by: the date column of this table that first and last go by.
    """

    name: str
    data: DataSource
    person: str
    case: str = ""
    rows: RowsOfTable = "many"
    keep: Keep = "smallest"
    by: str | None = None

    @property
    def is_of_people(self) -> bool:
        """Whether each person has one row, whose columns stand in every query."""
        return self.rows == "one-per-person"


def table_called(tables: Iterable[FurtherTable], name: str) -> FurtherTable | None:
    return next((table for table in tables if table.name == name), None)
