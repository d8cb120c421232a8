# SPDX-License-Identifier: Apache-2.0
"""Days grouped by year, quarter, month or weekday: every such period of a declared span.

A period that the span cuts, say a first month from the 15th on, is a group like any other: the
span is declared, so that which periods there are says nothing about the data.
"""

from __future__ import annotations

from datetime import timedelta
from functools import lru_cache
from typing import Final, Literal

from dpdesk.study.model.columns import DateColumn

Period = Literal["year", "quarter", "month", "weekday"]
PERIODS: tuple[Period, ...] = ("year", "quarter", "month", "weekday")

MONTHS: Final[dict[Period, int]] = {"year": 12, "quarter": 3, "month": 1}
"""How many months a period has; a weekday has none."""

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@lru_cache(maxsize=256)
def period_labels(column: DateColumn, period: Period) -> tuple[str, ...]:
    """Every period with a day in the column's span: in order of time, weekdays from Monday.

    >>> from datetime import date
    >>> period_labels(DateColumn("day", date(2021, 11, 30), date(2022, 1, 1)), "month")
    ('2021-11', '2021-12', '2022-01')

    Raises:
        ValueError: the column's span is missing or reversed.
    """
    first, last = column.first, column.last
    if first is None or last is None or last < first:
        raise ValueError("the column has no span yet")
    if period == "weekday":
        days = (first + timedelta(index) for index in range(min((last - first).days, 6) + 1))
        return tuple(WEEKDAYS[number] for number in sorted(day.weekday() for day in days))
    size = MONTHS[period]
    starts, ends = (12 * day.year + day.month - 1 for day in (first, last))
    return tuple(
        _label(number * size, period) for number in range(starts // size, ends // size + 1)
    )


def _label(month: int, period: Period) -> str:
    """The label of the period that begins with a month, counted from January of the year 0."""
    year, index = divmod(month, 12)
    if period == "year":
        return f"{year:04}"
    return f"{year:04}-Q{index // 3 + 1}" if period == "quarter" else f"{year:04}-{index + 1:02}"
