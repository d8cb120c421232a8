# SPDX-License-Identifier: Apache-2.0
"""Judges one query against the study it stands in."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from dpdesk.study import limits
from dpdesk.study.amount import MAX_EPSILON_MICRO, ZERO
from dpdesk.study.column_checks import too_long
from dpdesk.study.columns import Column, DateColumn, NumberColumn, group_labels
from dpdesk.study.date_checks import days_reversed
from dpdesk.study.document import Study
from dpdesk.study.problem import Problem
from dpdesk.study.queries import (
    MAX_BY,
    NEEDS_COLUMN,
    Between,
    Condition,
    DateBetween,
    IsIn,
    IsMissing,
    Query,
)

LEAST_TO_SPLIT = 2
"""The least share of a mean, in micro-epsilon."""


def check_query(study: Study, query: Query, path: str) -> Iterator[Problem]:
    """Problems of one query."""
    if not limits.ID_PATTERN.match(query.id):
        yield Problem(f"{path}.id", "name-malformed", {"words": limits.ID_WORDS})
    elif query.id in limits.DEVICE_NAMES:
        yield Problem(f"{path}.id", "name-of-device", {"name": query.id})
    yield from _statistic(study, query, path)
    yield from _groups(study, query, path)
    for index, condition in enumerate(query.where):
        yield from _condition(study, condition, f"{path}.where[{index}]")
    yield from _share(query, f"{path}.epsilon")
    if query.expected is not None and not 1 <= query.expected <= limits.ROW_CAP:
        yield Problem(f"{path}.expected", "expected-out-of-range")


def _share(query: Query, path: str) -> Iterator[Problem]:
    """Problems of the share; a mean's must leave a millionth for each of its two parts."""
    if query.epsilon is None or query.epsilon == ZERO:
        yield Problem(path, "share-not-set")
    elif query.epsilon.micro > MAX_EPSILON_MICRO:
        yield Problem(path, "epsilon-too-large")
    elif query.statistic == "mean" and query.epsilon.micro < LEAST_TO_SPLIT:
        yield Problem(path, "share-too-small-to-split")


def _statistic(study: Study, query: Query, path: str) -> Iterator[Problem]:
    if query.statistic not in NEEDS_COLUMN:
        if query.column is not None:
            yield Problem(f"{path}.column", "column-not-wanted")
        return
    if query.column is None:
        yield Problem(f"{path}.column", "column-wanted")
        return
    column = study.column(query.column)
    if column is None:
        yield _undeclared(study, query.column, f"{path}.column")
    elif not isinstance(column, NumberColumn):
        yield Problem(f"{path}.column", "column-not-a-number", {"name": query.column})


def _groups(study: Study, query: Query, path: str) -> Iterator[Problem]:
    if len(query.by) > MAX_BY:
        yield Problem(f"{path}.by", "too-many-groupings", {"most": str(MAX_BY)})
    if len(set(query.by)) < len(query.by):
        yield Problem(f"{path}.by", "grouping-twice")
    columns = [study.column(name) for name in query.by]
    for index, (name, column) in enumerate(zip(query.by, columns, strict=True)):
        if column is None:
            yield _undeclared(study, name, f"{path}.by[{index}]")
        elif isinstance(column, NumberColumn):
            yield Problem(f"{path}.by[{index}]", "grouping-by-number", {"name": name})
        elif isinstance(column, DateColumn):
            yield Problem(f"{path}.by[{index}]", "grouping-by-date", {"name": name})
    cells = prod(len(group_labels(c)) for c in columns if c is not None)
    if cells > limits.MAX_CELLS:
        params = {"cells": str(cells), "most": str(limits.MAX_CELLS)}
        yield Problem(f"{path}.by", "too-many-cells", params)


def _condition(study: Study, condition: Condition, path: str) -> Iterator[Problem]:
    column = study.column(condition.column)
    if column is None:
        yield _undeclared(study, condition.column, f"{path}.column")
    elif isinstance(condition, IsMissing):
        return
    elif isinstance(column, DateColumn) or isinstance(condition, DateBetween):
        yield from _days(column, condition, path)
    elif isinstance(condition, Between):
        yield from _between(column, condition, path)
    elif isinstance(column, NumberColumn):
        yield Problem(path, "condition-wants-category", {"name": column.name})
    else:
        key = "in" if isinstance(condition, IsIn) else "not_in"
        yield from _listed(column, condition.values, f"{path}.{key}")


def _days(column: Column, condition: Condition, path: str) -> Iterator[Problem]:
    if not isinstance(column, DateColumn):
        number = isinstance(column, NumberColumn)
        code = "condition-wants-category" if number else "condition-wants-date"
        yield Problem(path, code, {"name": column.name})
    elif not isinstance(condition, DateBetween):
        yield Problem(path, "condition-wants-days", {"name": column.name})
    else:
        yield from days_reversed(condition.first, condition.last, f"{path}.to")


def _between(column: Column, condition: Between, path: str) -> Iterator[Problem]:
    if not isinstance(column, NumberColumn):
        yield Problem(path, "condition-wants-number", {"name": column.name})
        return
    ends = (condition.lowest, condition.highest)
    long = [index for index, end in enumerate(ends) if not limits.is_plain_number(end)]
    yield from (too_long(f"{path}.between[{index}]") for index in long)
    if not long and condition.lowest > condition.highest:
        yield Problem(f"{path}.between", "between-reversed")


def _listed(column: Column, values: tuple[str, ...], path: str) -> Iterator[Problem]:
    if not values:
        yield Problem(path, "condition-empty")
    known = group_labels(column)
    for index, value in enumerate(values):
        if value not in known:
            params = {"value": value, "name": column.name}
            yield Problem(f"{path}[{index}]", "condition-unknown-value", params)


def _undeclared(study: Study, name: str, path: str) -> Problem:
    person = study.unit.person if study.unit else None
    code = "column-is-person" if name == person else "column-undeclared"
    return Problem(path, code, {"name": name})
