# SPDX-License-Identifier: Apache-2.0
"""The encoded table: integers in memory, for the rooms of this package alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from dpdesk.data.encoding.missing_and_invalid import MISSING
from dpdesk.study.model.document import Study
from dpdesk.study.problem import refuse

Codes = npt.NDArray[np.signedinteger[Any]]


@dataclass(frozen=True, repr=False, eq=False)
class EncodedColumn:
    """One column's codes.

    Attributes:
        codes: for each row its group or grid index, or a negative code (``missing_and_invalid``).
        missing_code: what a missing cell counts as.
    """

    codes: Codes
    missing_code: int

    def counted(self) -> Codes:
        """The codes after the rule for missing cells; negative where a row is left out."""
        if self.missing_code == MISSING:
            return self.codes
        return np.where(self.codes == MISSING, self.codes.dtype.type(self.missing_code), self.codes)

    def is_missing(self) -> npt.NDArray[np.bool_]:
        """Which cells were missing, whatever they count as."""
        missing: npt.NDArray[np.bool_] = self.codes == MISSING
        return missing

    def spread(self, entries: Codes | slice) -> EncodedColumn:
        """Some of the entries, each perhaps several times; -1 is the last."""
        return EncodedColumn(self.codes[entries], self.missing_code)


@dataclass(frozen=True, repr=False, eq=False)
class PeopleColumns:
    """Columns that have one value for all rows of a person.

    Attributes:
        columns: codes by name, an entry for each person and a last one for rows without an id.
        entries: for each row of the table its person's entry, -1 for the last one.
    """

    columns: dict[str, EncodedColumn]
    entries: Codes


@dataclass(frozen=True, repr=False, eq=False)
class EncodedTexts:
    """One column's texts, where a query looks for categories.

    Attributes:
        codes: for each row the place of its text, or -1.
        texts: different texts; some may have no row.
    """

    codes: Codes
    texts: tuple[str, ...]


class EncodedTable:
    """The rows that queries see, after the contribution bound. It cannot be printed or stored."""

    __slots__ = (
        "_by_rows",
        "_columns",
        "_keys",
        "_limited",
        "_of_people",
        "_order",
        "_people",
        "_persons",
        "_shared",
        "_texts",
    )

    def __init__(
        self,
        columns: dict[str, EncodedColumn],
        persons: Codes,
        people: int,
        keys: npt.NDArray[np.uint64] | None,
        texts: dict[str, EncodedTexts] | None = None,
        by_rows: npt.NDArray[np.int64] | None = None,
        of_people: EncodedTable | None = None,
        shared: PeopleColumns | None = None,
        order: Codes | None = None,
        limited: npt.NDArray[np.bool_] | None = None,
    ) -> None:
        """Take over the columns.

        Args:
            columns: columns by name, each of as many rows as ``persons``.
            persons: each row's person in ``0..people - 1``.
            people: how many people there are.
            keys: the 128-bit keys of those with an id, high and low half; ``None`` where rows
                are people.
            texts: texts by column, of columns in which categories are looked for.
            by_rows: how many people with an id had 0, 1, 2 ... rows before the contribution
                bound, the last or more; ``None`` where nobody asks.
            of_people: a row for each person with an id; ``None`` where nobody asks.
            shared: the columns that a person's rows share; they become columns of rows where
                somebody asks for them.
            order: each row's number among its person's, from 0, in the random order in which
                they were kept; ``None`` where nobody asks.
            limited: which rows are within a limit for each group; ``None`` without one.
        """
        self._columns = columns
        self._persons = persons
        self._people = people
        self._keys = keys
        self._texts = texts or {}
        self._by_rows = by_rows
        self._of_people = of_people
        self._shared = shared
        self._order = order
        self._limited = limited

    def __repr__(self) -> str:
        return "EncodedTable(private)"

    def __reduce_ex__(self, _protocol: object) -> NoReturn:
        raise TypeError("an encoded table stays in memory")

    def column(self, name: str) -> EncodedColumn:
        """The codes of a declared column; for this package alone."""
        if self._shared is not None and name in self._shared.columns:
            return self._shared.columns[name].spread(self._shared.entries)
        return self._columns[name]

    def texts(self, name: str) -> EncodedTexts:
        """The texts of a column in which categories are looked for; for this package alone."""
        return self._texts[name]

    def people_by_rows(self) -> npt.NDArray[np.int64]:
        """People with an id by how many rows they had in the file; for this package alone.

        Raises:
            ValueError: the table was read for a study that does not ask.
        """
        if self._by_rows is None:
            raise ValueError("rows per person were not counted")
        return self._by_rows

    def of_people(self) -> EncodedTable:
        """The table of people with an id, a row for each; for this package alone.

        Raises:
            ValueError: the table was read for a study that does not ask.
        """
        if self._of_people is None:
            raise ValueError("people were not made a table")
        return self._of_people

    def order(self) -> Codes:
        """Each row's number among its person's, in random order; for this package alone.

        Raises:
            ValueError: the table was read for a study that does not ask.
        """
        if self._order is None:
            raise ValueError("the random order of a person's rows was not kept")
        return self._order

    def limited(self) -> npt.NDArray[np.bool_]:
        """Which rows can count, in an array of the caller's own; for this package alone."""
        if self._limited is None:
            return np.ones(len(self._persons), np.bool_)
        return self._limited.copy()

    def limited_to(self, rows: npt.NDArray[np.bool_]) -> EncodedTable:
        """The same table, of which only these rows can count; for this package alone."""
        return EncodedTable(
            self._columns, self._persons, self._people, None, shared=self._shared, limited=rows
        )

    def columns(self) -> tuple[EncodedColumn, ...]:
        """All columns, those that a person's rows share last; for this package alone."""
        shared = () if self._shared is None else self._shared.columns
        return tuple(map(self.column, (*self._columns, *shared)))

    def part(self, rows: slice) -> EncodedTable:
        """Some rows next to each other, without a copy; for this package alone."""
        columns = {name: column.spread(rows) for name, column in self._columns.items()}
        shared = self._shared
        if shared is not None:
            shared = PeopleColumns(shared.columns, shared.entries[rows])
        limited = None if self._limited is None else self._limited[rows]
        persons = self._persons[rows]
        return EncodedTable(columns, persons, self._people, None, shared=shared, limited=limited)

    def persons(self) -> Codes:
        """Each row's person; for this package alone."""
        return self._persons

    def people(self) -> int:
        """How many people there are; for this package alone."""
        return self._people

    def keys(self) -> npt.NDArray[np.uint64] | None:
        """Keys of the people with an id, high and low half; for this package alone."""
        return self._keys


def check_public_count(table: EncodedTable, study: Study) -> None:
    """Refuse a file whose number of people is not the declared, public one.

    Under ``add-remove`` there is no such number, and nothing is checked.

    Raises:
        Refused: ``people-count-differs`` at ``$.unit.people``. The true number is not shown.
    """
    unit = study.unit
    if unit and unit.neighbours == "change-one" and table.people() != unit.people:
        raise refuse("people-count-differs", "$.unit.people")
