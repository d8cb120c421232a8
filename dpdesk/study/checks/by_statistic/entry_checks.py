# SPDX-License-Identifier: Apache-2.0
"""Judges delayed entry: the column of it, its bins, and what becomes of those who enter late."""

from __future__ import annotations

from collections.abc import Iterator

from dpdesk.study import limits
from dpdesk.study.checks.column_checks import check_column
from dpdesk.study.checks.grouping_checks import check_ascending, check_edges, undeclared
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.magnitudes import is_unbounded
from dpdesk.study.model.parameters import TimeToEventParameters
from dpdesk.study.problem import Problem

MOST_BINS = 60
"""Of the time: of more, each number at risk is a sum of too many noisy counts to be of use."""


def check_entry(study: Study, own: TimeToEventParameters, path: str) -> Iterator[Problem]:
    """Problems of an entry; none where everybody is there from the start."""
    if own.entry is None:
        if own.entry_edges or own.late:
            yield Problem(f"{path}.entry", "entry-wanted")
        return
    yield from _column(study, own, f"{path}.entry")
    yield from _edges(study, own, f"{path}.entry_edges")
    if len(own.edges) >= MOST_BINS:
        yield Problem(f"{path}.edges", "entry-too-many-bins", {"most": str(MOST_BINS)})
    if own.late is None:
        yield Problem(f"{path}.late", "entry-late-missing")


def _column(study: Study, own: TimeToEventParameters, path: str) -> Iterator[Problem]:
    column = study.column(own.entry)
    if column is None:
        yield undeclared(study, own.entry or "", path)
    elif not isinstance(column, NumberColumn):
        yield Problem(path, "column-not-a-number", {"name": column.name})
    elif own.entry == own.column:
        yield Problem(path, "entry-is-the-time")


def _edges(study: Study, own: TimeToEventParameters, path: str) -> Iterator[Problem]:
    """Bins of the entry begin on its own grid, and where bins of the time do."""
    if not own.entry_edges:
        yield Problem(path, "entry-edges-missing")
        return
    column = study.column(own.entry)
    is_ready = isinstance(column, NumberColumn) and not is_unbounded(column)
    if isinstance(column, NumberColumn) and is_ready and not tuple(check_column(column, "")):
        found = tuple(check_edges(column, own.entry_edges, path))
    else:
        found = tuple(check_ascending(own.entry_edges, path))
    yield from found
    if found:
        return
    begins = "; ".join(f"{edge.normalize():f}" for edge in own.edges)
    for index, edge in enumerate(own.entry_edges):
        if edge not in own.edges and limits.is_plain_number(edge):
            params = {"value": f"{edge.normalize():f}", "begins": begins}
            yield Problem(f"{path}[{index}]", "entry-edge-no-begin", params)
