# SPDX-License-Identifier: Apache-2.0
"""One table's rows by person, and in the order of a date: sorted once for all steps.

With three people, the second of whom has no row here, and five rows:

    rows         3   0   4   1   2
    offsets      0           3  3      5
    codes        7   5  -1   2   2
    largest      7              -      2

Nothing of it depends on anybody else's rows, or on the order of the file. A row without an id is
not among them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from dpdesk.data.arrays.packed_sort import Keys, sort_rows
from dpdesk.data.encoding.condition_masks import Mask
from dpdesk.data.encoding.missing_and_invalid import MISSING
from dpdesk.data.encoding.table import Codes
from dpdesk.data.preparation.grid_places import Ints
from dpdesk.data.preparation.numbered import NumberedRows, Persons
from dpdesk.study.model.steps.step import MOST_ROWS

Content = Callable[[Ints], list[npt.NDArray[Any]]]
"""What some rows of the file hold; the last is the most important."""

_DAY_SHIFT: Final = np.uint32(14)
"""The sort looks at the upper bits of 32 first; a day has 17, for 200 years at most."""


@dataclass(frozen=True, repr=False)
class DayOrder:
    """Rows by person, day and what they hold.

    Attributes:
        at: places among the sorted rows, but for those without a day.
        runs: the number of each one's day of a person, rising.
    """

    at: Ints
    runs: Persons

    def settled(self, kept: Mask, wanted: Codes | None) -> Ints:
        """Some of the rows, those of one day in the order of the wanted value first.

        Args:
            kept: which of the sorted rows have a place in the order.
            wanted: a value of each of the sorted rows.
        """
        inside = kept[self.at]
        at = self.at[inside]
        if wanted is None:
            return at
        runs = self.runs[inside]
        same = np.flatnonzero(runs[1:] == runs[:-1])
        tied = np.unique(np.concatenate([same, same + 1]))
        # It is stable: what is equal even so stays in the order of what rows hold.
        order = np.lexsort([wanted[at[tied]], runs[tied]])
        at[tied] = at[tied[order]]
        return at


@dataclass(frozen=True, repr=False)
class PersonRows:
    """The rows of people with an id, sorted by person.

    Attributes:
        persons: the number of each row's person in the file, -1 where it has no id.
        rows: places of the rows that are seen, by person, shape ``(seen,)``.
        offsets: as in :class:`~dpdesk.data.preparation.numbered.NumberedRows`.
        content: what some rows hold, to settle equal days.
    """

    persons: Persons
    rows: Ints
    offsets: Ints
    content: Content
    _orders: dict[str, DayOrder] = field(default_factory=dict)

    @classmethod
    def of(cls, table: NumberedRows, content: Content, most: int = MOST_ROWS) -> PersonRows:
        """Bound what is seen of each person.

        Args:
            table: the rows.
            content: what rows hold.
            most: rows of a person beyond this many are not seen, in the order of what they hold.
        """
        lengths = np.diff(table.offsets)
        if lengths.max(initial=0) <= most:
            return cls(table.persons, table.rows, table.offsets, content)
        rows = _within(table, lengths, content, most)
        return cls(table.persons, rows, np.append(0, np.cumsum(np.minimum(lengths, most))), content)

    @property
    def people(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> Ints:
        """How many rows of each person are seen."""
        return np.diff(self.offsets)

    def spread(self, of_people: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """A value of each person as one of each sorted row."""
        return np.repeat(of_people, self.lengths)

    def reduced(self, how: np.ufunc, values: npt.NDArray[Any], empty: int) -> npt.NDArray[Any]:
        """The values of each person's sorted rows together; ``empty`` of a person without any."""
        kind = np.dtype(np.int64) if values.dtype == np.bool_ else values.dtype
        result = np.full(self.people, empty, kind)
        has_rows = self.lengths > 0
        if len(self.rows):
            begins = self.offsets[:-1][has_rows]
            result[has_rows] = how.reduceat(values, begins, dtype=kind)
        return result

    def smallest(self, codes: Codes) -> Codes:
        """The lowest code of each person's sorted rows, ``MISSING`` where none is 0 or more."""
        # Without their sign, codes below 0 are above all others.
        unsigned = codes.view(f"u{codes.itemsize}")
        least = self.reduced(np.minimum, unsigned, np.iinfo(unsigned.dtype).max)
        return _or_missing(least.view(codes.dtype))

    def largest(self, codes: Codes) -> Codes:
        """The highest code of each person's sorted rows, ``MISSING`` where none is 0 or more."""
        return _or_missing(self.reduced(np.maximum, codes, MISSING))

    def by_day(self, name: str, days: Codes) -> DayOrder:
        """The order of a date column; it is worked out once.

        Args:
            name: the column's name.
            days: the day of each sorted row; below 0 where it has no place in the order.
        """
        if name not in self._orders:
            self._orders[name] = self._by_day(days)
        return self._orders[name]

    def _by_day(self, days: Codes) -> DayOrder:
        at = np.flatnonzero(days >= 0)
        whose = self.persons[self.rows[at]].astype(np.int64)
        shifted = days[at].astype(np.uint32) << _DAY_SHIFT
        order = sort_rows(Keys(whose), shifted, lambda some: self.content(self.rows[at[some]]))
        begins = order.starts
        begins[1:] |= shifted[order.rows[1:]] != shifted[order.rows[:-1]]
        return DayOrder(at[order.rows], np.cumsum(begins, dtype=self.persons.dtype))

    def forget(self, names: frozenset[str]) -> None:
        """Drop the orders of date columns that nobody asks for again."""
        for name in [*self._orders]:
            if name not in names:
                del self._orders[name]


def _or_missing(codes: Codes) -> Codes:
    codes[codes < 0] = MISSING
    return codes


def _within(table: NumberedRows, lengths: Ints, content: Content, most: int) -> Ints:
    """The rows within the public bound on what is seen of a person."""
    rows, whose = table.rows, table.persons[table.rows]
    long = np.flatnonzero(lengths[whose] > most)
    held = content(rows[long])
    order = long[np.lexsort((*held, whose[long]))]
    kept = np.ones(len(rows), np.bool_)
    places = np.arange(len(order)) - np.searchsorted(whose[order], whose[order])
    kept[order[places >= most]] = False
    return rows[kept]
