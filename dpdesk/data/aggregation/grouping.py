# SPDX-License-Identifier: Apache-2.0
"""Rows into the groups that a query declares.

Groupings are one number together, a row's cell, the last grouping changing fastest. Five rows
by an age in bins from 0, 18 and 65, and by one of two sexes:

    row       0   1   2   3   4
    age      70  18   3  64  17
    bin       2   1   0   1   0    the last that begins at or below the age
    sex       0   1   1   0   0
    cell      4   3   1   2   0    bin * 2 + sex
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from dpdesk.data.encoding.table import EncodedTable
from dpdesk.study.model.columns import Column, DateColumn, NumberColumn, last_day_index
from dpdesk.study.model.groupings import Bins, Grouping, Periods, first_indices, labels_of
from dpdesk.study.model.periods import MONTHS, Period

Rows = npt.NDArray[np.intp]


def grouped(
    table: EncodedTable, column: Column, grouping: Grouping, rows: Rows | slice
) -> tuple[Rows, int]:
    """The group of each of some rows, and the number of groups.

    Args:
        rows: rows whose cell counts, that is, whose code is 0 or more.
    """
    codes = table.column(column.name).counted()[rows]
    size = len(labels_of(grouping, column))
    if isinstance(grouping, Bins) and isinstance(column, NumberColumn):
        starts = np.array(first_indices(column, grouping.edges))
        return np.searchsorted(starts, codes, side="right") - 1, size
    if isinstance(grouping, Periods) and isinstance(column, DateColumn):
        return period_of_days(column, grouping.period)[codes], size
    return codes.astype(np.intp), size


@lru_cache(64)
def period_of_days(column: DateColumn, period: Period) -> Rows:
    """The period that each day of a column's span is in, in the order of ``period_labels``.

    Five days over the end of a month, which is number 600 since 1970; February is 601:

    >>> from datetime import date
    >>> period_of_days(DateColumn("day", date(2020, 1, 30), date(2020, 2, 3)), "month").tolist()
    [0, 0, 1, 1, 1]
    """
    days = np.arange(last_day_index(column) + 1)
    if column.first is None:
        raise ValueError("the column has no span yet")
    if period == "weekday":
        numbers = (days + column.first.weekday()) % 7
    else:
        months = (np.datetime64(column.first, "D") + days).astype("datetime64[M]").astype(np.int64)
        numbers = months // MONTHS[period]
    places: Rows = np.unique(numbers, return_inverse=True)[1].astype(np.intp)
    return places
