# SPDX-License-Identifier: Apache-2.0
"""What is made of all rows of a person: values of the person, and values beside a row.

Rows are sorted by person once; each step works on the runs. Nothing of it depends on anybody
else's rows, or on the order of the file. A row without an id has no value and gives none.

With two people and five rows, sorted by person and day:

    row          3   0   4   1   2
    starts       x           x
    largest      7   5   7   2   -     7 for rows 3, 0 and 4; 2 for rows 1 and 2
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from dpdesk.data.arrays.packed_sort import Keys, bits_of, sort_rows
from dpdesk.data.encoding.condition_masks import Mask, passing
from dpdesk.data.encoding.missing_and_invalid import MISSING
from dpdesk.data.encoding.table import Codes, EncodedColumn
from dpdesk.data.preparation.grid_places import Ints, NumberPlaces
from dpdesk.data.preparation.row_steps import Cells, as_own, number_column
from dpdesk.study.model.columns import Column, number_grid
from dpdesk.study.model.steps.step import MEAN, MOST_ROWS, SUM, BesideRow, OfPerson

Columns = Mapping[str, Column]
Content = Callable[[Ints], list[npt.NDArray[Any]]]

_LAST: Final = np.iinfo(np.int64).max


@dataclass(frozen=True, repr=False)
class PersonRows:
    """The rows of people with an id, sorted by person.

    Attributes:
        count: rows of the file, those without an id among them.
        rows: places of the rows that are seen, by person, shape ``(seen,)``.
        persons: the number of each one's person, of the same shape, rising.
        people: how many people there are.
        firsts: the first row of each person in ``rows``, shape ``(people,)``.
        content: what some rows hold, to settle equal days.
    """

    count: int
    rows: Ints
    persons: Ints
    people: int
    firsts: Ints
    content: Content

    @classmethod
    def of(cls, keys: Keys, content: Content, most: int = MOST_ROWS) -> PersonRows:
        """Sort rows by person.

        Args:
            keys: whose each row is.
            content: what rows hold.
            most: rows of a person beyond this many are not seen, in the order of what they hold.
        """
        count = len(keys.low)
        # By place, which is moved up: the sort looks at the upper bits first.
        places = np.arange(count, dtype=np.uint32) << np.uint32(32 - bits_of(count))
        order = sort_rows(keys, places, content, keys.low >= 0)
        persons = np.cumsum(order.starts) - 1
        rows = order.rows
        people = int(persons[-1]) + 1 if len(persons) else 0
        if people and np.bincount(persons).max() > most:
            rows, persons = _within(rows, persons, content, most)
        return cls(count, rows, persons, people, _firsts(rows, persons, people), content)

    def by_day(self, days: Ints, wanted: Ints | None) -> tuple[Ints, Ints]:
        """Rows by person, day, wanted value and content, with each one's person.

        Args:
            days: the day of each row of the file; below 0 where it has no place in the order.
            wanted: what settles equal days first.
        """
        has_place = days[self.rows] >= 0
        rows, persons = self.rows[has_place], self.persons[has_place]

        def settle(places: Ints) -> list[npt.NDArray[Any]]:
            first = [] if wanted is None else [wanted[rows[places]]]
            return [*self.content(rows[places]), *first]

        # The sort looks at the upper bits first, and days have 17.
        shifted = days[rows].astype(np.uint32) << np.uint32(14)
        order = sort_rows(Keys(persons.astype(np.int64)), shifted, settle)
        return rows[order.rows], persons[order.rows]


def _firsts(rows: Ints, persons: Ints, people: int) -> Ints:
    """The first row in the file of each person."""
    firsts = np.full(people, _LAST, np.int64)
    np.minimum.at(firsts, persons, rows)
    return firsts


def _within(rows: Ints, persons: Ints, content: Content, most: int) -> tuple[Ints, Ints]:
    """The rows within the public bound on what is seen of a person."""
    lengths = np.bincount(persons)
    long = np.flatnonzero(lengths[persons] > most)
    held = content(rows[long])
    order = long[np.lexsort((*held, persons[long]))]
    kept = np.ones(len(rows), np.bool_)
    places = np.arange(len(order)) - np.searchsorted(persons[order], persons[order])
    kept[order[places >= most]] = False
    return rows[kept], persons[kept]


def person_codes(column: Column, columns: Columns, cells: Cells, seen: PersonRows) -> Codes:
    """The codes of a derived column whose step sees all rows of a person.

    Args:
        column: the column.
        columns: every declared column, by name.
        cells: all rows' codes of the columns that it is made of.
        seen: the rows by person.

    Returns:
        A code for each row of the file, shape ``(rows,)``; ``MISSING`` for rows without an id.
    """
    if isinstance(column.made_from, BesideRow):
        return _beside(column.made_from, column, columns, cells, seen)
    if not isinstance(column.made_from, OfPerson):
        raise ValueError("the step sees one row alone")
    of_people = _of_person(column.made_from, column, columns, cells, seen)
    result = np.full(seen.count, MISSING, np.int64)
    result[seen.rows] = of_people[seen.persons]
    return result


def _passing(step: OfPerson | BesideRow, columns: Columns, cells: Cells, count: int) -> Mask:
    kept = np.ones(count, np.bool_)
    for condition in step.where:
        kept &= passing(cells[condition.column], columns[condition.column], condition)
    return kept


def _of_person(
    step: OfPerson, column: Column, columns: Columns, cells: Cells, seen: PersonRows
) -> Codes:
    """The code of each person."""
    passes = _passing(step, columns, cells, seen.count)
    inside = passes[seen.rows]
    if step.what in ("count", "any", "all"):
        return _counted(step, column, inside, seen)
    if step.column is None:
        raise ValueError("a value is taken of a column")
    own = np.where(passes, cells[step.column].counted(), MISSING)
    if step.what in ("first", "last"):
        taken = _at_an_end(step, cells, own, seen)
        return _as_own(step.column, column, columns, taken)
    codes = own[seen.rows]
    there = codes >= 0
    codes, persons = codes[there].astype(np.int64), seen.persons[there]
    if step.what == "most-frequent":
        return _as_own(step.column, column, columns, _most_frequent(codes, persons, seen.people))
    if step.what in (SUM, MEAN):
        return _added(step, column, columns, codes, persons, seen.people)
    least = np.full(seen.people, _LAST)
    most = np.full(seen.people, MISSING)
    np.minimum.at(least, persons, codes)
    np.maximum.at(most, persons, codes)
    if step.what == "days":
        places = NumberPlaces(number_column(column), Fraction(1))
        return places.codes(np.where(most < 0, 0, most - least), most >= 0)
    least[most < 0] = MISSING
    return _as_own(step.column, column, columns, least if step.what == "smallest" else most)


def _counted(step: OfPerson, column: Column, inside: Mask, seen: PersonRows) -> Codes:
    rows = np.bincount(seen.persons, minlength=seen.people)
    passed = np.bincount(seen.persons[inside], minlength=seen.people)
    if step.what == "count":
        everybody = np.ones(seen.people, np.bool_)
        return NumberPlaces(number_column(column), Fraction(1)).codes(passed, everybody)
    holds = passed > 0 if step.what == "any" else passed == rows
    return holds.astype(np.int64)


def _at_an_end(step: OfPerson, cells: Cells, own: Codes, seen: PersonRows) -> Codes:
    """The value of each person's first or last day that has one; of one day the smallest."""
    days = np.where(own < 0, MISSING, cells[step.by or ""].counted()).astype(np.int64)
    rows, persons = seen.by_day(days if step.what == "first" else _turned(days), own)
    begins = np.flatnonzero(np.diff(persons, prepend=-1))
    taken = np.full(seen.people, MISSING, np.int64)
    taken[persons[begins]] = own[rows[begins]]
    return taken


def _turned(days: Ints) -> Ints:
    """Days counted backwards from the last one that a column can have."""
    return np.where(days < 0, MISSING, _LONGEST - days)


_LONGEST: Final = (1 << 17) - 1
"""Above every day's index: a period is at most 200 years long."""


def _most_frequent(codes: Ints, persons: Ints, people: int) -> Ints:
    """The code that most rows of each person have; of equally frequent ones the lowest."""
    taken = np.full(people, MISSING, np.int64)
    if not len(codes):
        return taken
    groups = int(codes.max()) + 1
    pairs, counts = np.unique(persons * groups + codes, return_counts=True)
    # By person, then the most rows, then the lowest code: the first of each person counts.
    order = np.lexsort((pairs % groups, -counts, pairs // groups))
    whose = pairs[order] // groups
    begins = np.flatnonzero(np.diff(whose, prepend=-1))
    taken[whose[begins]] = pairs[order][begins] % groups
    return taken


def _added(
    step: OfPerson, column: Column, columns: Columns, codes: Ints, persons: Ints, people: int
) -> Codes:
    operand = columns[step.column or ""]
    grid = number_grid(number_column(operand))
    sums = np.zeros(people, np.int64)
    np.add.at(sums, persons, grid.offset + grid.factor * codes)
    rows = np.bincount(persons, minlength=people).astype(np.int64)
    places = NumberPlaces(number_column(column), grid.quantum)
    if step.what == MEAN:
        return places.codes(sums, rows > 0, np.maximum(rows, 1))
    return places.codes(sums, rows > 0)


def _as_own(name: str, column: Column, columns: Columns, codes: Codes) -> Codes:
    """Codes of a column as those of the derived one."""
    return as_own(name, column, columns)({name: EncodedColumn(codes, MISSING)})


def _beside(
    step: BesideRow, column: Column, columns: Columns, cells: Cells, seen: PersonRows
) -> Codes:
    passes = _passing(step, columns, cells, seen.count)
    days = cells[step.by].counted().astype(np.int64)
    result = np.full(seen.count, MISSING, np.int64)
    if step.what == "before":
        return _before(days, passes, seen, result)
    taken = None if step.column is None else cells[step.column].counted().astype(np.int64)
    rows, persons = seen.by_day(np.where(passes, days, MISSING), taken)
    if step.what == "number":
        places = np.arange(len(rows)) - np.searchsorted(persons, persons)
        whole = NumberPlaces(number_column(column), Fraction(1))
        result[rows] = whole.codes(places + 1, np.ones(len(rows), np.bool_))
        return result
    if taken is None or step.column is None:
        raise ValueError("a value is taken of a column")
    beside = np.full(len(rows), MISSING, np.int64)
    is_same = persons[1:] == persons[:-1]
    later, earlier = slice(1, None), slice(None, -1)
    here, there = (later, earlier) if step.what == "previous" else (earlier, later)
    beside[here] = np.where(is_same, taken[rows[there]], MISSING)
    result[rows] = beside
    return _as_own(step.column, column, columns, result)


def _before(days: Ints, passes: Mask, seen: PersonRows, result: Ints) -> Ints:
    """Whether a row of an earlier day meets the conditions, of each row that has a day."""
    no, yes = 0, 1
    held = passes[seen.rows] & (days[seen.rows] >= 0)
    first = np.full(seen.people, _LAST)
    np.minimum.at(first, seen.persons[held], days[seen.rows[held]])
    own = days[seen.rows]
    result[seen.rows] = np.where(own < 0, MISSING, np.where(first[seen.persons] < own, yes, no))
    return result
