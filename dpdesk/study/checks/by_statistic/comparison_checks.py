# SPDX-License-Identifier: Apache-2.0
"""Judges the comparisons of a query's groups: whether its figures and its groups allow them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dpdesk.study.checks.by_statistic.member_checks import no_population
from dpdesk.study.limits import MAX_MODEL_GROUPS
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Bins, Grouping, Periods, column_of, labels_of
from dpdesk.study.model.queries import (
    COMPARISON_KINDS,
    WITH_REFERENCE,
    ComparisonKind,
    GroupComparison,
    Query,
)
from dpdesk.study.problem import Problem
from dpdesk.study.public_numbers import asked_of, public_total

FEWEST_OF_TREND = 3


def check_comparisons(study: Study, query: Query, path: str) -> Iterator[Problem]:
    if query.comparisons and (why := no_comparison(study, query)):
        yield Problem(f"{path}.comparisons", why)
        return
    for index, one in enumerate(query.comparisons):
        place = f"{path}.comparisons[{index}]"
        if one in query.comparisons[:index]:
            yield Problem(place, "comparison-twice")
        yield from _check(study, query, one, place)


def no_comparison(study: Study, query: Query) -> str | None:
    """Why no groups of a query can be compared, as a code."""
    if not query.declaration.is_comparable and query.declaration.model is None:
        return "comparison-not-known"
    if not query.by:
        return "comparison-without-groups"
    # Counted once in each group, somebody with several rows would be on both sides.
    if query.of != "people" and study.unit is not None and study.unit.max_rows != 1:
        return "comparison-several-rows"
    if why := no_population(study, query):
        return why
    cells = _labels(study, query.by[0]) if len(query.by) == 1 else ()
    return "comparison-public-total" if len(cells) == 2 and _is_public(study, query) else None


def kinds_of(study: Study, query: Query, by: Grouping) -> tuple[ComparisonKind, ...]:
    """Which comparisons of the groups of a grouping there can be."""
    return tuple(kind for kind in COMPARISON_KINDS if _no_kind(study, query, by, kind) is None)


def without_vain_comparisons(study: Study, query: Query) -> Query:
    """The query without the comparisons that its statistic or its groups do not allow."""
    if no_comparison(study, query) not in (None, "population-no-variance"):
        return replace(query, comparisons=())
    kept = (one for one in query.comparisons if not any(_check(study, query, one, "")))
    return replace(query, comparisons=tuple(kept))


def _check(study: Study, query: Query, one: GroupComparison, path: str) -> Iterator[Problem]:
    by = next((by for by in query.by if column_of(by) == one.by), None)
    if by is None:
        yield Problem(f"{path}.by", "comparison-not-a-group", {"name": one.by})
    elif why := _no_kind(study, query, by, one.kind):
        yield Problem(f"{path}.kind", why, {"most": str(MAX_MODEL_GROUPS)})
    elif one.kind not in WITH_REFERENCE and one.reference:
        yield Problem(f"{path}.reference", "comparison-reference-not-wanted")
    elif one.kind in WITH_REFERENCE and one.reference not in _labels(study, by):
        params = {"group": one.reference, "name": one.by}
        code = "comparison-reference-unknown" if one.reference else "comparison-reference-wanted"
        yield Problem(f"{path}.reference", code, params if one.reference else {})


def _no_kind(study: Study, query: Query, by: Grouping, kind: ComparisonKind) -> str | None:
    """Why groups cannot be compared like that, as a code."""
    count, declared = len(_labels(study, by)), query.declaration
    if kind == "model":
        if declared.model is None:
            return "comparison-model-of-what"
        groups = sum(len(_labels(study, one)) for one in query.by)
        too_large = "comparison-model-too-large" if groups > MAX_MODEL_GROUPS else None
        return too_large if count > 1 else "comparison-one-group"
    if not declared.is_comparable:
        return "comparison-not-known"
    if kind == "trend":
        is_ordered = isinstance(by, Bins) or (isinstance(by, Periods) and by.period != "weekday")
        return None if is_ordered and count >= FEWEST_OF_TREND else "comparison-trend-of-what"
    if count < 2:
        return "comparison-one-group"
    if kind == "test":
        is_crossed = declared.is_total and len(query.by) == 2
        return None if declared.is_share or is_crossed else "comparison-test-of-what"
    return None


def _labels(study: Study, by: Grouping) -> tuple[str, ...]:
    column = study.column(column_of(by))
    return labels_of(by, column) if column is not None else ()


def _is_public(study: Study, query: Query) -> bool:
    """Whether its counts add up to a public number, so that two of them are one draw."""
    if not query.declaration.is_total or study.unit is None:
        return False
    unit, used, tables = asked_of(study, study.unit, query)
    return public_total(unit, query, used, tables) is not None
