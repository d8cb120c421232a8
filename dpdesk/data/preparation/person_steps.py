# SPDX-License-Identifier: Apache-2.0
"""What is made of all rows of a person or a case, and what is made beside a row.

Each step gets its cells by person, see ``person_rows``, and passes over them a few times; nothing
is looked up person by person. A case is as good as a person here, see ``case_rows``.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from dpdesk.data.arrays.parallel import sort
from dpdesk.data.encoding.condition_masks import Mask, passing
from dpdesk.data.encoding.missing_and_invalid import MISSING
from dpdesk.data.encoding.table import Codes, EncodedColumn
from dpdesk.data.preparation.grid_places import Ints, NumberPlaces
from dpdesk.data.preparation.person_rows import PersonRows
from dpdesk.data.preparation.row_steps import Cells, as_own, number_column
from dpdesk.study.model.columns import Column, number_grid
from dpdesk.study.model.steps.step import MEAN, SUM, BesideRow, OfRows
from dpdesk.study.model.tables import FurtherTable

Columns = Mapping[str, Column]
_NO, _YES = 0, 1


def codes_of_groups(
    step: OfRows, column: Column, columns: Columns, cells: Cells, seen: PersonRows
) -> Codes:
    """The code of each person or case, shape ``(people,)``.

    Args:
        step: what the column is made of.
        column: the column.
        columns: every declared column, by name.
        cells: the codes of the columns that it is made of, of the sorted rows.
        seen: the rows by person.
    """
    inside = _passing(step, columns, cells, len(seen.rows))
    if step.what in ("count", "any", "all"):
        return _counted(step, column, inside, seen)
    if step.column is None:
        raise ValueError("a value is taken of a column")
    own = np.where(inside, cells[step.column].counted(), MISSING)
    if step.what in (SUM, MEAN):
        return _added(step, column, columns, own, seen)
    if step.what == "days":
        least, most = (each.astype(np.int64) for each in (seen.smallest(own), seen.largest(own)))
        places = NumberPlaces(number_column(column), Fraction(1))
        return places.codes(most - least, most >= 0)
    if step.what == "most-frequent":
        taken = _most_frequent(own, seen)
    elif step.what in ("smallest", "largest"):
        taken = seen.smallest(own) if step.what == "smallest" else seen.largest(own)
    else:
        taken = _at_an_end(step, cells, own, seen)
    return _as_own(step.column, column, columns, taken)


def codes_beside(
    step: BesideRow, column: Column, columns: Columns, cells: Cells, seen: PersonRows
) -> Codes:
    """The code of each of the sorted rows; see :func:`codes_of_groups`."""
    inside = _passing(step, columns, cells, len(seen.rows))
    days = cells[step.by].counted()
    if step.what == "before":
        return _before(days, inside, seen)
    taken = None if step.column is None else cells[step.column].counted()
    at = seen.by_day(step.by, days).settled(inside, taken)
    whose = seen.persons[seen.rows[at]]
    result = np.full(len(seen.rows), MISSING, np.int64)
    if step.what == "number":
        places = np.arange(len(at)) - _begins(whose)
        whole = NumberPlaces(number_column(column), Fraction(1))
        result[at] = whole.codes(places + 1, np.ones(len(at), np.bool_))
        return result
    if taken is None or step.column is None:
        raise ValueError("a value is taken of a column")
    is_same = whose[1:] == whose[:-1]
    here, there = (at[1:], at[:-1]) if step.what == "previous" else (at[:-1], at[1:])
    result[here] = np.where(is_same, taken[there], MISSING)
    return _as_own(step.column, column, columns, result)


def kept_codes(table: FurtherTable, codes: Codes, days: Codes | None, seen: PersonRows) -> Codes:
    """Of a column of a table of people the one code of each person that counts.

    A cell that is there comes before one that is missing, and a row with a day before one without.
    Where no cell of a person is there, the rule for what they hold applies as if it were one cell.

    Args:
        table: which row counts.
        codes: of the sorted rows, before the column's rule for missing cells.
        days: the day of each sorted row, where the table goes by it.
        seen: the rows by person.
    """
    there = codes
    if days is not None:
        own = np.where(codes < 0, MISSING, days)
        ends = seen.smallest(own) if table.keep == "first" else seen.largest(own)
        # Of a person without any day all rows are alike.
        is_there = np.where(seen.spread(ends) < 0, codes >= 0, own == seen.spread(ends))
        there = np.where(is_there, codes, MISSING)
    taken = seen.smallest(there)
    return np.where(taken < 0, seen.reduced(np.maximum, codes, MISSING), taken)


def _passing(step: OfRows | BesideRow, columns: Columns, cells: Cells, count: int) -> Mask:
    kept = np.ones(count, np.bool_)
    for condition in step.where:
        kept &= passing(cells[condition.column], columns[condition.column], condition)
    return kept


def _counted(step: OfRows, column: Column, inside: Mask, seen: PersonRows) -> Codes:
    passed = seen.reduced(np.add, inside, 0)
    if step.what == "count":
        everybody = np.ones(seen.people, np.bool_)
        return NumberPlaces(number_column(column), Fraction(1)).codes(passed, everybody)
    if step.what == "any":
        return np.where(passed > 0, _YES, _NO)
    return np.where(seen.lengths == 0, MISSING, np.where(passed == seen.lengths, _YES, _NO))


def _at_an_end(step: OfRows, cells: Cells, own: Codes, seen: PersonRows) -> Codes:
    """The value of each person's first or last day that has one; of one day the smallest."""
    days = np.where(own < 0, MISSING, cells[step.by or ""].counted())
    ends = seen.smallest(days) if step.what == "first" else seen.largest(days)
    is_there = (days >= 0) & (days == seen.spread(ends))
    return seen.smallest(np.where(is_there, own, MISSING))


def _most_frequent(own: Codes, seen: PersonRows) -> Codes:
    """The code that most rows of each person have; of equally frequent ones the lowest."""
    there = np.flatnonzero(own >= 0)
    taken = np.full(seen.people, MISSING, np.int64)
    if not there.size:
        return taken
    groups = int(own.max()) + 1
    pairs = seen.persons[seen.rows[there]].astype(np.uint64) * np.uint64(groups)
    pairs += own[there].astype(np.uint64)
    sort(pairs)
    begins = np.flatnonzero(np.append(True, pairs[1:] != pairs[:-1]))
    whose, codes = np.divmod(pairs[begins].view(np.int64), groups)
    # More rows are better, then a lower code: one number says both.
    worth = np.diff(np.append(begins, len(pairs))) * groups + (groups - 1 - codes)
    firsts = np.flatnonzero(np.append(True, whose[1:] != whose[:-1]))
    taken[whose[firsts]] = groups - 1 - np.maximum.reduceat(worth, firsts) % groups
    return taken


def _added(step: OfRows, column: Column, columns: Columns, own: Codes, seen: PersonRows) -> Codes:
    grid = number_grid(number_column(columns[step.column or ""]))
    is_there = own >= 0
    numbers = np.where(is_there, grid.offset + grid.factor * own.astype(np.int64), 0)
    sums, rows = seen.reduced(np.add, numbers, 0), seen.reduced(np.add, is_there, 0)
    places = NumberPlaces(number_column(column), grid.quantum)
    if step.what == MEAN:
        return places.codes(sums, rows > 0, np.maximum(rows, 1))
    return places.codes(sums, rows > 0)


def _before(days: Codes, inside: Mask, seen: PersonRows) -> Codes:
    """Whether a row of an earlier day meets the conditions, of each row that has a day."""
    first = seen.spread(seen.smallest(np.where(inside, days, MISSING)))
    has_earlier = (first >= 0) & (first < days)
    return np.where(days < 0, MISSING, np.where(has_earlier, _YES, _NO))


def _begins(whose: Ints) -> Ints:
    """For each row the place of the first one of its person."""
    is_first = np.append(True, whose[1:] != whose[:-1])[: len(whose)]
    return np.maximum.accumulate(np.where(is_first, np.arange(len(whose)), 0))


def _as_own(name: str, column: Column, columns: Columns, codes: Codes) -> Codes:
    """Codes of a column as those of the derived one."""
    return as_own(name, column, columns)({name: EncodedColumn(codes, MISSING)})
