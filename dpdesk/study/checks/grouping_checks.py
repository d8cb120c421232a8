# SPDX-License-Identifier: Apache-2.0
"""Judges one grouping of a query: its column, the bins of a number, the periods of a date."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise

from dpdesk.study import limits
from dpdesk.study.checks.column_checks import check_column, too_long
from dpdesk.study.model.columns import DateColumn, NumberColumn, number_grid
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Bins, Grouping, Periods, column_of, grid_index
from dpdesk.study.problem import Problem


def check_grouping(study: Study, grouping: Grouping, path: str) -> Iterator[Problem]:
    name = column_of(grouping)
    column = study.column(name)
    if column is None:
        yield undeclared(study, name, path)
    elif isinstance(grouping, Bins):
        yield from _bins(column, grouping, path)
    elif isinstance(grouping, Periods):
        if not isinstance(column, DateColumn):
            yield Problem(path, "period-of-no-date", {"name": name})
    elif isinstance(column, NumberColumn):
        yield Problem(path, "grouping-by-number", {"name": name})
    elif isinstance(column, DateColumn):
        yield Problem(path, "grouping-by-date", {"name": name})


def _bins(column: object, bins: Bins, path: str) -> Iterator[Problem]:
    if not isinstance(column, NumberColumn):
        yield Problem(path, "bins-of-no-number", {"name": bins.column})
    else:
        yield from check_edges(column, bins.edges, f"{path}.edges")


def check_edges(column: NumberColumn, edges: tuple[Decimal, ...], path: str) -> Iterator[Problem]:
    """Problems of where bins begin: rising, on the grid, above the lower bound.

    Nothing is said while the column itself is not complete; its own problems say that.
    """
    if not edges:
        yield Problem(path, "edges-missing")
        return
    yield from check_ascending(edges, path)
    if tuple(check_column(column, "")):
        return
    last = number_grid(column).last
    for index, edge in enumerate(edges):
        place = grid_index(column, edge) if limits.is_plain_number(edge) else None
        if place is None or not 1 <= place <= last:
            params = {"value": f"{edge:f}"[:40], "name": column.name}
            yield Problem(f"{path}[{index}]", "edge-not-on-grid", params)


def check_ascending(values: tuple[Decimal, ...], path: str) -> Iterator[Problem]:
    """Problems of a list that must rise: a value that is too long, comes twice or goes down."""
    for index, value in enumerate(values):
        if not limits.is_plain_number(value):
            yield too_long(f"{path}[{index}]")
            return
    for index, (before, value) in enumerate(pairwise(values), 1):
        if value == before:
            yield Problem(f"{path}[{index}]", "number-twice", {"value": f"{value:f}"})
        elif value < before:
            yield Problem(f"{path}[{index}]", "values-not-rising", {"value": f"{value:f}"})


def undeclared(study: Study, name: str, path: str) -> Problem:
    """The problem of a column that the study does not declare."""
    person = study.unit.person if study.unit else None
    code = "column-is-person" if name == person else "column-undeclared"
    return Problem(path, code, {"name": name})
