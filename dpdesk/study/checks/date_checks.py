# SPDX-License-Identifier: Apache-2.0
"""Judges a date column's period and constants, and ranges of days."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from dpdesk.study.model.columns import DateColumn, Replace
from dpdesk.study.model.dates import (
    CENTURY,
    FIRST_YEAR,
    LAST_YEAR,
    MAX_YEARS,
    day_from_text,
    is_too_long,
    needs_pivot,
)
from dpdesk.study.problem import Problem


def check_dates(column: DateColumn, path: str) -> Iterator[Problem]:
    """Problems of a date column, beyond those that columns of every kind can have."""
    problems = [
        *_end(column, "first", column.first, path),
        *_end(column, "last", column.last, path),
    ]
    if not problems and column.first is not None and column.last is not None:
        problems = [*_period(column.first, column.last, f"{path}.last")]
        problems = problems or [*_constants(column, path, column.first, column.last)]
    yield from problems
    yield from _pivot(column, f"{path}.pivot")


def days_reversed(first: date, last: date, path: str) -> Iterator[Problem]:
    """The problem of a range of days that ends before it starts."""
    if last < first:
        yield Problem(path, "days-reversed", _both(first, last))


def _end(column: DateColumn, key: str, day: date | None, path: str) -> Iterator[Problem]:
    if day is None:
        yield Problem(f"{path}.{key}", f"{key}-not-declared", {"name": column.name})
    elif not FIRST_YEAR <= day.year <= LAST_YEAR:
        years = {"least": str(FIRST_YEAR), "most": str(LAST_YEAR)}
        yield Problem(f"{path}.{key}", "year-out-of-range", years)


def _pivot(column: DateColumn, path: str) -> Iterator[Problem]:
    if column.pivot is None:
        if needs_pivot(column.format):
            yield Problem(path, "pivot-not-declared")
    elif not FIRST_YEAR <= column.pivot <= LAST_YEAR - CENTURY + 1:
        years = {"least": str(FIRST_YEAR), "most": str(LAST_YEAR - CENTURY + 1)}
        yield Problem(path, "pivot-out-of-range", years)


def _period(first: date, last: date, path: str) -> Iterator[Problem]:
    yield from days_reversed(first, last, path)
    if is_too_long(first, last):
        yield Problem(path, "period-too-long", {"most": str(MAX_YEARS)})


def _constants(column: DateColumn, path: str, first: date, last: date) -> Iterator[Problem]:
    for key in ("missing", "unparsable", "outside"):
        rule = getattr(column, key)
        if not isinstance(rule, Replace):
            continue
        day = day_from_text(rule.value) if isinstance(rule.value, str) else None
        if day is None or not first <= day <= last:
            yield Problem(f"{path}.{key}.replace", "constant-not-a-day", _both(first, last))


def _both(first: date, last: date) -> dict[str, str]:
    return {"first": first.isoformat(), "last": last.isoformat()}
