# SPDX-License-Identifier: Apache-2.0
"""Made-up rows for a rehearsal: spread evenly over what a study declares, without any data.

Nothing is drawn by chance: all that is random in a rehearsal is the noise, which comes through
the door. Row i of a query takes, in its n-th column, the place frac((i + 1/2) * root of the n-th
prime) of that column's declared values. Multiples of an irrational number fill an interval evenly
(Weyl, Über die Gleichverteilung von Zahlen mod. Eins, 1916), and roots of different primes do so
independently of one another: no two columns run in step.

Each group of a query has as many rows as the custodian guesses. A value that a condition excludes
is not taken; a group that the conditions leave no value has no rows. Every row is a person of its
own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import count

import numpy as np
import numpy.typing as npt

from dpdesk.data.aggregation.grouping import period_of_days
from dpdesk.data.encoding.condition_masks import day_range, index_range
from dpdesk.data.encoding.missing_and_invalid import MISSING, missing_code
from dpdesk.data.encoding.table import EncodedColumn, EncodedTable, EncodedTexts
from dpdesk.study import limits
from dpdesk.study.model.columns import (
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    group_index,
    group_labels,
    last_day_index,
    number_grid,
)
from dpdesk.study.model.conditions import Between, Condition, DateBetween, IsIn, IsMissing, IsNotIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Bins, Grouping, column_of, first_indices, labels_of
from dpdesk.study.model.magnitudes import BITS, is_unbounded
from dpdesk.study.model.parameters import RowsPerPersonParameters
from dpdesk.study.model.queries import Query

Codes = npt.NDArray[np.int64]
Places = npt.NDArray[np.float64]
Groups = Sequence[tuple[Grouping, Codes]]
"""The groupings of one column, each with the group of every row."""

NO_VALUE = -(2**31)
"""The code of a row that cannot be: its group and the conditions exclude each other."""

MAGNITUDES_TAKEN = 10
"""Values of a column without bounds are taken between 0 and 2^10 steps."""

TEXTS = tuple(f"made up {number}" for number in range(1, 13))
"""The texts of a column that declares none."""

MOST_ROWS = 2_000_000
"""More rows of one query are not made; groups that would have more are made smaller alike."""


def made_up_table(study: Study, query: Query, size: int | Sequence[int]) -> EncodedTable:
    """The rows that one query of a rehearsal sees.

    Args:
        study: a study whose columns are complete, as far as the query uses them.
        size: rows of each group, 1 or more; or of every group in the plan's order, 0 or more.
    """
    declared = {c.name: c for c in study.columns}
    shape = [len(labels_of(g, declared[column_of(g)])) for g in query.by]
    cells = math.prod(shape)
    cell_of_row = np.repeat(np.arange(cells), _rows_of_groups(size, cells))
    groups = np.unravel_index(cell_of_row, shape) if shape else ()
    pairs = list(zip(query.by, groups, strict=True))
    codes: dict[str, Codes] = {}
    for name, root in zip(sorted(query.names), _roots(), strict=False):
        places: Places = np.mod((np.arange(len(cell_of_row)) + 0.5) * root, 1.0, dtype=np.float64)
        own = [(g, of_row) for g, of_row in pairs if column_of(g) == name]
        conditions = [c for c in query.where if c.column == name]
        codes[name] = _codes(declared[name], conditions, own, places)
        codes[name][_made_missing(query, name, places)] = MISSING
    possible = np.all([column != NO_VALUE for column in codes.values()] or [cell_of_row >= 0], 0)
    return _table(
        query,
        declared,
        {name: column[possible] for name, column in codes.items()},
        int(possible.sum()),
    )


def _rows_of_groups(size: int | Sequence[int], cells: int) -> Codes:
    """How many rows each group has; all of them made smaller alike where they are too many.

    >>> _rows_of_groups(5, 3).tolist(), _rows_of_groups([4_000_000, 0, 4], 3).tolist()
    ([5, 5, 5], [1999998, 0, 1])
    """
    if isinstance(size, int):
        return np.full(cells, max(1, min(size, MOST_ROWS // cells)), np.int64)
    wanted = np.array(size, np.int64)
    total = int(wanted.sum())
    if total <= MOST_ROWS:
        return wanted
    result: Codes = np.maximum(wanted * MOST_ROWS // total, np.minimum(wanted, 1))
    return result


def _table(
    query: Query, declared: Mapping[str, Column], codes: Mapping[str, Codes], rows: int
) -> EncodedTable:
    columns = {
        name: EncodedColumn(column, missing_code(declared[name])) for name, column in codes.items()
    }
    texts = {}
    if query.declaration.finds == "categories" and query.column is not None:
        texts[query.column] = _texts(declared[query.column], rows)
    people = EncodedTable(columns, np.arange(rows), rows, None) if query.of == "people" else None
    by_rows, order = _by_rows(query, rows), np.zeros(rows, np.int16)
    persons = np.arange(rows)
    return EncodedTable(columns, persons, rows, None, texts, by_rows, people, order=order)


def _by_rows(query: Query, people: int) -> Codes | None:
    """Made-up people by their number of rows: equally many in each line of the query."""
    own = query.parameters
    if not isinstance(own, RowsPerPersonParameters):
        return None
    rows = 1 + np.arange(people) % (own.top_code or 1)
    return np.bincount(rows, minlength=limits.MAX_TOP_CODE + 1).astype(np.int64)


def _texts(column: Column, rows: int) -> EncodedTexts:
    """Declared values, and where there are none, texts that say what they are."""
    named = column.values if isinstance(column, CategoryColumn) else ()
    texts = named or TEXTS
    return EncodedTexts(np.arange(rows) % len(texts), texts)


def _roots() -> Iterator[float]:
    primes: list[int] = []
    for number in count(2):
        if all(number % prime for prime in primes if prime * prime <= number):
            primes.append(number)
            yield math.sqrt(number)


def _made_missing(query: Query, name: str, places: Places) -> npt.NDArray[np.bool_]:
    """Where a cell is missing: where a condition asks for it, and in half of the rows for a share.

    Of a property "is missing" half of the rows are to have it.
    """
    nowhere: npt.NDArray[np.bool_] = np.zeros(len(places), np.bool_)
    asked = [c.missing for c in query.where if isinstance(c, IsMissing) and c.column == name]
    if asked:
        return nowhere | all(asked)
    has = query.members.get("has", ())
    if any(isinstance(c, IsMissing) and c.column == name for c in has):
        half: npt.NDArray[np.bool_] = places * 2**20 % 2 < 1
        return half
    return nowhere


def _codes(
    column: Column, conditions: Sequence[Condition], groups: Groups, places: Places
) -> Codes:
    """The code of every row, of those that its groups and all conditions allow."""
    if isinstance(column, NumberColumn):
        if is_unbounded(column):
            return BITS + _spread(places, np.int64(0), np.int64(MAGNITUDES_TAKEN))
        return _indices(column, conditions, groups, places)
    return _listed(column, conditions, groups, places)


def _spread(places: Places, lowest: Codes | np.int64, highest: Codes | np.int64) -> Codes:
    """Whole numbers from the lowest to the highest; ``NO_VALUE`` where there is none."""
    width = np.maximum(highest - lowest + 1, 0)
    taken = np.minimum(lowest + (places * width).astype(np.int64), highest)
    result: Codes = np.where(width > 0, taken, NO_VALUE)
    return result


def _indices(
    column: NumberColumn, conditions: Sequence[Condition], groups: Groups, places: Places
) -> Codes:
    """Grid indices: bins and conditions on numbers are ranges of them."""
    last = number_grid(column).last
    low, high = np.zeros(len(places), np.int64), np.full(len(places), last, np.int64)
    for condition in conditions:
        if isinstance(condition, Between):
            lowest, highest = index_range(column, condition)
            low, high = np.maximum(low, lowest), np.minimum(high, highest)
    for grouping, of_row in groups:
        if isinstance(grouping, Bins):
            starts = np.array(first_indices(column, grouping.edges))
            ends = np.append(starts[1:] - 1, last)
            low, high = np.maximum(low, starts[of_row]), np.minimum(high, ends[of_row])
    return _spread(places, low, high)


def _listed(
    column: Column, conditions: Sequence[Condition], groups: Groups, places: Places
) -> Codes:
    """Groups of a list, or days of a period: codes are sorted by the groups that they lie in."""
    allowed = np.flatnonzero(_allowed(column, conditions))
    sort_key, wanted = np.zeros(len(allowed), np.int64), np.zeros(len(places), np.int64)
    for grouping, of_row in groups:
        size = len(labels_of(grouping, column))
        sort_key = sort_key * size + _groups_of(column, grouping)[allowed]
        wanted = wanted * size + of_row
    order = np.argsort(sort_key, kind="stable")
    first = np.searchsorted(sort_key[order], wanted, "left")
    behind = np.searchsorted(sort_key[order], wanted, "right")
    at = _spread(places, first, behind - 1)
    result: Codes = np.full(len(places), NO_VALUE, np.int64)
    possible = at != NO_VALUE
    result[possible] = allowed[order][at[possible]]
    return result


def _groups_of(column: Column, grouping: Grouping) -> Codes:
    if isinstance(column, DateColumn) and not isinstance(grouping, str | Bins):
        return period_of_days(column, grouping.period).astype(np.int64)
    return np.arange(len(labels_of(grouping, column)))


def _allowed(column: Column, conditions: Sequence[Condition]) -> npt.NDArray[np.bool_]:
    """Which codes of a list or a period all conditions let through."""
    size = (
        last_day_index(column) + 1 if isinstance(column, DateColumn) else len(group_labels(column))
    )
    allowed: npt.NDArray[np.bool_] = np.ones(size, np.bool_)
    for condition in conditions:
        if isinstance(condition, DateBetween):
            lowest, highest = day_range(column, condition)
            allowed &= (np.arange(size) >= lowest) & (np.arange(size) <= highest)
        elif isinstance(condition, IsIn | IsNotIn):
            named = [group_index(column, value) for value in condition.values]
            listed = np.isin(np.arange(size), [code for code in named if code is not None])
            allowed &= listed if isinstance(condition, IsIn) else ~listed
    return allowed
