# SPDX-License-Identifier: Apache-2.0
"""Judges one condition, of a query or of a derived column."""

from __future__ import annotations

from collections.abc import Iterator

from dpdesk.study import limits
from dpdesk.study.checks.column_checks import too_long
from dpdesk.study.checks.date_checks import days_reversed
from dpdesk.study.checks.grouping_checks import undeclared
from dpdesk.study.model.columns import Column, DateColumn, NumberColumn, group_index
from dpdesk.study.model.conditions import Between, Condition, DateBetween, IsIn, IsMissing
from dpdesk.study.model.document import Study
from dpdesk.study.problem import Problem


def check_condition(study: Study, condition: Condition, path: str) -> Iterator[Problem]:
    column = study.column(condition.column)
    if column is None:
        yield undeclared(study, condition.column, f"{path}.column")
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
    for index, value in enumerate(values):
        if group_index(column, value) is None:
            params = {"value": value, "name": column.name}
            yield Problem(f"{path}[{index}]", "condition-unknown-value", params)
