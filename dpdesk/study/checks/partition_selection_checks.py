# SPDX-License-Identifier: Apache-2.0
"""Judges a query for categories that stand in the data, and which columns may do without values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dpdesk.study.model.amount import MAX_DELTA_ATTO, Delta
from dpdesk.study.model.columns import CategoryColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.problem import Problem

MOST_DELTA = Delta(MAX_DELTA_ATTO // 2)
"""Half of the largest delta that an account may have: the other half converts its rho."""


def check_found(study: Study, query: Query, path: str) -> Iterator[Problem]:
    """Problems of a query for categories found in the data; ``path`` is the query's."""
    if study.budget is not None and study.budget.measure != "rho":
        yield Problem(f"{path}.statistic", "found-needs-zcdp")
    if query.column is None:
        yield Problem(f"{path}.column", "category-wanted")
    column = study.column(query.column) if query.column else None
    if column is not None and not isinstance(column, CategoryColumn):
        yield Problem(f"{path}.column", "column-not-a-category", {"name": column.name})
    if query.delta is not None and query.delta > MOST_DELTA:
        yield Problem(f"{path}.delta", "query-delta-too-large")


def open_columns(queries: Iterable[Query]) -> frozenset[str]:
    """The columns that need no values or bounds: all queries that use them look for these."""
    uses = {(name, looks_for(query, name)) for query in queries for name in query.names}
    return frozenset(name for name, looks in uses if looks and (name, False) not in uses)


def looks_for(query: Query, name: str) -> bool:
    """Whether a query gives out the categories, or the bounds, that are found in a column."""
    return query.declaration.finds is not None and query.column == name


def found_columns(study: Study) -> frozenset[str]:
    """The columns whose texts are read as they stand in the file."""
    queries = (query for query in study.queries if query.declaration.finds == "categories")
    return frozenset(query.column for query in queries if query.column is not None)
