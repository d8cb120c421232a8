# SPDX-License-Identifier: Apache-2.0
"""Judges queries that look for categories or bounds in the data, and their columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal

from dpdesk.study import limits
from dpdesk.study.model.amount import MAX_DELTA_ATTO, Delta
from dpdesk.study.model.columns import CategoryColumn, Column, NumberColumn, Replace
from dpdesk.study.model.conditions import IsMissing
from dpdesk.study.model.document import Study
from dpdesk.study.model.magnitudes import BITS, is_unbounded
from dpdesk.study.model.queries import Query
from dpdesk.study.model.steps.derivation import operands
from dpdesk.study.problem import Problem

MOST_DELTA = Delta(MAX_DELTA_ATTO // 2)
"""Half of the largest delta that an account may have: some of that always converts its rho."""


def check_found(study: Study, query: Query, path: str) -> Iterator[Problem]:
    if study.budget is not None and study.budget.measure != "rho":
        yield Problem(f"{path}.statistic", "found-needs-zcdp")
    if query.column is None:
        yield Problem(f"{path}.column", "category-wanted")
    column = study.column(query.column)
    if column is not None and not isinstance(column, CategoryColumn):
        yield Problem(f"{path}.column", "column-not-a-category", {"name": column.name})
    elif column is not None and column.made_from is not None:
        yield Problem(f"{path}.column", "found-of-derived", {"name": column.name})
    elif column is not None and column.table:
        yield Problem(f"{path}.column", "found-of-table", {"name": column.name})
    if query.delta > MOST_DELTA:
        yield Problem(f"{path}.delta", "query-delta-too-large")


def open_columns(queries: Iterable[Query], columns: Iterable[Column]) -> frozenset[str]:
    """The columns that need no values or bounds: all queries that use them look for these.

    A derived column needs its own, and those of the columns that it is made of; so does a column of
    a further table.
    """
    queries = tuple(queries)
    if all(query.declaration.finds is None for query in queries):
        return frozenset()
    uses = {(name, looks_for(query, name)) for query in queries for name in query.names}
    derived = [column for column in columns if column.made_from is not None]
    closed = {name for column in derived for name in (column.name, *operands(column))}
    closed |= {column.name for column in columns if column.table}
    return frozenset(n for n, looks in uses if looks and n not in closed and (n, False) not in uses)


def looks_for(query: Query, name: str) -> bool:
    """Whether a query gives out the categories, or the bounds, that are found in a column."""
    return query.declaration.finds is not None and query.column == name


def found_columns(study: Study) -> frozenset[str]:
    """The columns whose texts are read as they stand in the file."""
    queries = (query for query in study.queries if query.declaration.finds == "categories")
    return frozenset(query.column for query in queries if query.column is not None)


def check_bounds(study: Study, query: Query, path: str) -> Iterator[Problem]:
    column = study.column(query.column)
    if not isinstance(column, NumberColumn) or not is_unbounded(column):
        return
    for index, condition in enumerate(query.where):
        if condition.column == column.name and not isinstance(condition, IsMissing):
            params = {"name": column.name}
            yield Problem(f"{path}.where[{index}]", "condition-without-bounds", params)


def check_unbounded(column: NumberColumn, path: str) -> Iterator[Problem]:
    """Problems of a number column whose bounds are asked for: its step, and what replaces cells."""
    if column.step is None:
        yield Problem(f"{path}.step", "step-not-declared", {"name": column.name})
    elif column.step <= 0:
        yield Problem(f"{path}.step", "step-not-positive")
    elif not limits.is_plain_number(column.step) or not _holds(column.step):
        yield Problem(f"{path}.step", "step-too-long", {"bits": str(BITS)})
    for key in ("missing", "unparsable", "outside"):
        rule = getattr(column, key)
        if isinstance(rule, Replace) and not isinstance(rule.value, Decimal):
            yield Problem(f"{path}.{key}.replace", "constant-outside-bounds")
        elif isinstance(rule, Replace) and not limits.is_plain_number(Decimal(rule.value)):
            most = {"most": str(limits.MAX_SIGNIFICANT_DIGITS)}
            yield Problem(f"{path}.{key}.replace", "number-too-long", most)


def _holds(step: Decimal) -> bool:
    """Whether every bound that may come out can be kept in a study."""
    return all(limits.is_plain_number(step * 2**bits) for bits in range(BITS + 1))
