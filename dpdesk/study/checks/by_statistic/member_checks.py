# SPDX-License-Identifier: Apache-2.0
"""Judges what only some statistics declare: property, quantiles, candidates and so on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from dpdesk.study import limits
from dpdesk.study.checks.by_statistic.choice_checks import choices
from dpdesk.study.checks.by_statistic.model_checks import MOST_EXPLAINING
from dpdesk.study.checks.column_checks import check_column
from dpdesk.study.checks.grouping_checks import check_ascending, check_edges
from dpdesk.study.model.columns import NumberColumn, number_grid
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import grid_index, labels_of
from dpdesk.study.model.parameters import (
    MEMBERS,
    ByAgeParameters,
    CandidateParameters,
    DistributionParameters,
    IncidenceParameters,
    LinearModelParameters,
    MostCommonParameters,
    PropertyParameters,
    RowsPerPersonParameters,
    TimeToEventParameters,
)
from dpdesk.study.model.queries import Query
from dpdesk.study.problem import Problem

MOST_QUANTILES = 20
MOST_EDGES = 999
"""A distribution of more lines is read by nobody, and its plan would take long."""

WANTED = {
    "has": "has-wanted",
    "columns": "model-columns-wanted",
    "quantiles": "quantiles-wanted",
    "candidates": "candidates-wanted",
    "score": "score-wanted",
    "edges": "edges-missing",
    "top_code": "top-code-wanted",
    "delta": "delta-wanted",
    "per": "rate-per-wanted",
    "over": "age-groups-wanted",
    "standard": "standard-wanted",
    "reference": "reference-wanted",
}
"""What is reported where a member is missing."""

Numbers = tuple[Decimal, ...]
MemberCheck = Callable[[Study, Query, str], Iterator[Problem]]


def check_members(study: Study, query: Query, path: str) -> Iterator[Problem]:
    stray, own = dict(query.stray), query.members
    for key in MEMBERS:
        place = f"{path}.{key}"
        if key == "column" and key in stray:
            yield Problem(place, "column-not-wanted")
        elif key in stray:
            yield Problem(place, "member-not-wanted", {"statistic": query.statistic})
        elif key in query.parameters.needed and key not in own:
            yield Problem(place, WANTED[key])
        elif key in own and key in _CHECKS:
            yield from _CHECKS[key](_cut_column(study, query), own[key], place)
    lines = lines_of(study, query)
    if lines > limits.MAX_CELLS:
        params = {"count": str(lines), "most": str(limits.MAX_CELLS)}
        yield Problem(f"{path}.candidates", "too-many-candidates", params)
    if query.noise != "auto" and query.declaration.chooses is not None:
        yield Problem(f"{path}.noise", "noise-not-wanted")
    elif query.noise == "gaussian" and (study.budget is None or study.budget.measure != "rho"):
        yield Problem(f"{path}.noise", "gaussian-needs-zcdp")
    if query.population and (why := no_population(study, query)):
        yield Problem(f"{path}.population", why)
    if query.whole_numbers and not query.declaration.has_whole_numbers:
        yield Problem(f"{path}.whole_numbers", "whole-numbers-not-counts")
    if query.rows_per_group is not None:
        yield from _group_limit(study, query, f"{path}.rows_per_group")


def no_population(study: Study, query: Query) -> str | None:
    """Why no interval for the population can stand beside a query's figures, as a code."""
    if not query.declaration.has_population:
        return "population-not-known"
    unit = study.unit
    # In each group a person is counted once.
    has_one_row = query.of == "people" or query.declaration.unit == "people"
    if not has_one_row and unit is not None and unit.max_rows != 1:
        return "population-several-rows"
    if query.declaration.needs_spread and study.spread_of(query) is None:
        return "population-no-variance"
    return None


def no_group_limit(study: Study, query: Query) -> str | None:
    """Why a person's rows in one group can have no limit of their own, as a code."""
    if not query.declaration.has_group_limit:
        return "group-limit-of-statistic"
    if study.unit is not None and (study.unit.max_rows == 1 or query.of == "people"):
        return "group-limit-one-row"
    return None if query.by else "group-limit-without-groups"


def without_vain_limit(study: Study, query: Query) -> Query:
    """The query without a limit on a person's rows in one group where it cannot have one."""
    return query if no_group_limit(study, query) is None else replace(query, rows_per_group=None)


def _group_limit(study: Study, query: Query, path: str) -> Iterator[Problem]:
    most = study.unit.max_rows - 1 if study.unit is not None else 0
    if why := no_group_limit(study, query):
        yield Problem(path, why)
    elif study.unit is not None and not 1 <= (query.rows_per_group or 0) <= most:
        yield Problem(path, "group-limit-out-of-range", {"most": str(most)})


def _quantiles(_column: NumberColumn | None, quantiles: Numbers, path: str) -> Iterator[Problem]:
    if len(quantiles) > MOST_QUANTILES:
        yield Problem(path, "list-too-long", {"most": str(MOST_QUANTILES)})
    for index, probability in enumerate(quantiles):
        if not 0 < probability < 1:
            yield Problem(f"{path}[{index}]", "quantile-out-of-range")
        elif Fraction(probability) * 1000 % 1:
            yield Problem(f"{path}[{index}]", "quantile-too-fine")
    yield from check_ascending(quantiles, path)


def _edges(column: NumberColumn | None, edges: Numbers, path: str) -> Iterator[Problem]:
    if len(edges) > MOST_EDGES:
        yield Problem(path, "list-too-long", {"most": str(MOST_EDGES)})
    if column is None:
        yield from check_ascending(edges, path)
    else:
        yield from check_edges(column, edges, path)


def _candidates(column: NumberColumn | None, candidates: Numbers, path: str) -> Iterator[Problem]:
    if len(candidates) < 2:
        yield Problem(path, "candidates-too-few")
    yield from check_ascending(candidates, path)
    if column is None:
        return
    for index, value in enumerate(candidates):
        if limits.is_plain_number(value) and grid_index(column, value) is None:
            params = {"value": f"{value:f}"[:40], "name": column.name}
            yield Problem(f"{path}[{index}]", "candidate-not-on-grid", params)


def _cut_column(study: Study, query: Query) -> NumberColumn | None:
    """The number column whose bins, candidates or quantiles are declared."""
    own = query.parameters
    over = study.column(own.over) if isinstance(own, ByAgeParameters) else None
    if over is None:
        return _number(study, query)
    is_ready = isinstance(over, NumberColumn) and not tuple(check_column(over, ""))
    return over if isinstance(over, NumberColumn) and is_ready else None


def _number(study: Study, query: Query) -> NumberColumn | None:
    column = study.column(query.column)
    if not isinstance(column, NumberColumn) or tuple(check_column(column, "")):
        return None
    return column


_CHECKS: dict[str, Callable[[NumberColumn | None, Numbers, str], Iterator[Problem]]] = {
    "quantiles": _quantiles,
    "candidates": _candidates,
    "edges": _edges,
}


def bins_of(study: Study, query: Query) -> int:
    """Over how many bins a query may count, at most; with more edges than ``MOST_EDGES`` none does.

    Of candidates that are listed each two may have a bin between them.
    """
    if isinstance(query.parameters, DistributionParameters):
        return len(query.parameters.edges)
    lines = lines_of(study, query) if query.declaration.reads_counts else 0
    if lines > MOST_EDGES + 1:
        return 0
    return min(2 * lines - 1, MOST_EDGES + 1) if query.members.get("candidates") else lines


def lines_of(study: Study, query: Query) -> int:
    """How many entries each cell of a query's vectors has, at most: what memory must hold."""
    match query.parameters:
        case TimeToEventParameters(edges=edges, entry_edges=begins) as own if edges:
            kinds = len(own.kinds) if isinstance(own, IncidenceParameters) else 1
            return (1 + kinds) * (len(edges) + 1) * (len(begins) + 1)
        case DistributionParameters(edges=edges) if edges:
            return 2 * (len(edges) + 1)
        case ByAgeParameters(over=over) if over and (column := study.column(over)):
            return 2 * max(1, len(labels_of(query.parameters.grouping, column)))
        case PropertyParameters(has=has) if has:
            return 2
        case LinearModelParameters(columns=columns) if columns:
            return 2 << min(len(columns), MOST_EXPLAINING + 1)
        case MostCommonParameters():
            return choices(study, query) or 1
        case RowsPerPersonParameters(top_code=top_code) if top_code:
            return top_code
        case CandidateParameters(candidates=candidates):
            column = _number(study, query)
            return 1 if column is None else len(candidates) or number_grid(column).last + 1
    return 1
