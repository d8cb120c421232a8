# SPDX-License-Identifier: Apache-2.0
"""Judges what the most common and the best cut-off are chosen from, and by which score."""

from __future__ import annotations

from collections.abc import Iterator

from dpdesk.study import limits
from dpdesk.study.checks.column_checks import check_column
from dpdesk.study.checks.grouping_checks import undeclared
from dpdesk.study.model.columns import NumberColumn, YesNoColumn, group_labels, number_grid
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import column_of, grid_index
from dpdesk.study.model.parameters import SCORES, CutOffParameters, MostCommonParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.problem import Problem

MOST_RANKS = 50


def check_most_common(study: Study, query: Query, path: str) -> Iterator[Problem]:
    own = query.parameters_as(MostCommonParameters)
    if own.column is not None and own.columns:
        yield Problem(f"{path}.columns", "column-and-columns")
    elif own.columns:
        yield from _columns(study, own.columns, f"{path}.columns")
    elif own.column is None:
        yield Problem(f"{path}.column", "groups-wanted")
    else:
        yield from _groups(study, query, path)
    most = min(MOST_RANKS, choices(study, query) or MOST_RANKS)
    if own.top is not None and not 1 <= own.top <= most:
        yield Problem(f"{path}.top", "top-out-of-range", {"most": str(most)})


def choices(study: Study, query: Query) -> int:
    """How many groups or columns a most common is chosen from; 0 where that is not yet known."""
    if columns := query.parameters_as(MostCommonParameters).columns:
        return len(columns)
    column = study.column(query.column)
    return len(group_labels(column)) if column else 0


def _columns(study: Study, columns: tuple[str, ...], path: str) -> Iterator[Problem]:
    if len(columns) < 2:
        yield Problem(path, "columns-too-few")
    for index, name in enumerate(columns):
        place, column = f"{path}[{index}]", study.column(name)
        if name in columns[:index]:
            yield Problem(place, "value-twice", {"value": name})
        elif column is None:
            yield undeclared(study, name, place)
        elif not isinstance(column, YesNoColumn):
            yield Problem(place, "column-not-yes-no", {"name": name})


def _groups(study: Study, query: Query, path: str) -> Iterator[Problem]:
    """Nothing is said of a column that is not declared, or not complete; its own problems do."""
    column = study.column(query.column)
    if column is None:
        return
    if not isinstance(column, NumberColumn) and column.kind != "date":
        if len(group_labels(column)) == 1:
            yield Problem(f"{path}.column", "choice-of-one", {"name": column.name})
    else:
        yield Problem(f"{path}.column", "column-without-groups", {"name": column.name})
    for index, grouping in enumerate(query.by):
        if column_of(grouping) == column.name:
            yield Problem(f"{path}.by[{index}]", "grouping-is-choice", {"name": column.name})


def check_cut_off(study: Study, query: Query, path: str) -> Iterator[Problem]:
    own = query.parameters_as(CutOffParameters)
    if own.score is None:
        return
    if own.score not in SCORES:
        params = {"score": str(own.score)[:40], "choices": ", ".join(SCORES)}
        yield Problem(f"{path}.score", "score-without-sensitivity", params)
    elif own.score == "closest-to-target":
        yield from _target(own.target, f"{path}.target")
    else:
        if own.target is not None:
            yield Problem(f"{path}.target", "target-not-wanted")
        yield from _spread(study, own, f"{path}.candidates")


def _target(target: int | None, path: str) -> Iterator[Problem]:
    if target is None:
        yield Problem(path, "target-wanted")
    elif not 1 <= target <= limits.ROW_CAP:
        yield Problem(path, "target-out-of-range")


def _spread(study: Study, cut_off: CutOffParameters, path: str) -> Iterator[Problem]:
    """The scores of a row may not spread beyond what 64-bit scales carry.

    Only candidates of both signs can: one alone is within ``MAX_QUANTA`` of 0.
    """
    column = study.column(cut_off.column)
    if not isinstance(column, NumberColumn) or tuple(check_column(column, "")):
        return
    known = [v for v in cut_off.candidates if limits.is_plain_number(v)]
    places = [place for v in known if (place := grid_index(column, v)) is not None]
    grid = number_grid(column)
    values = [0, *(grid.offset + grid.factor * place for place in places)]
    if max(values) - min(values) > limits.MAX_QUANTA:
        yield Problem(path, "candidates-too-far-apart")
