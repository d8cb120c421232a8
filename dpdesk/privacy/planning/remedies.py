# SPDX-License-Identifier: Apache-2.0
"""The one change that would make a weak query say something, with the margin that it would give.

Tried in this order: fewer groups, joined neighbours, more of the budget that is left, no groups at
all. The first that is good enough is offered; where none is, the query says nothing, and can be
left out. Each is a whole study, so that taking it is one edit. Only declarations, guesses and
public tables go in.

Narrower bounds, which a public table holds for some columns, are another matter: noise grows with
the bounds as what is possible does, so that a margin fills as much of it as before (``narrower``).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor, log10, prod

from dpdesk.privacy.compiler import compile_at_share, compile_query
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.reconcile.planned import beside
from dpdesk.study.model.amount import MAX_SHARE, Share
from dpdesk.study.model.baseline.declared import BaselineTable, Component
from dpdesk.study.model.baseline.expansion import with_baseline_queries
from dpdesk.study.model.columns import SUGGESTED, NumberColumn, column_title, group_labels
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import (
    Bins,
    Grouping,
    Periods,
    bin_ends,
    column_of,
    labels_of,
)
from dpdesk.study.model.parameters import (
    Parameters,
    StandardParameters,
    TimeToEventParameters,
)
from dpdesk.study.model.periods import Period
from dpdesk.study.model.queries import Query
from dpdesk.study.problem import Refused
from dpdesk.study.suggest.range_match import Suggestion

COARSER: dict[Period, Period] = {"month": "quarter", "quarter": "year"}

Good = Callable[[QueryPlan], bool]


@dataclass(frozen=True)
class Remedy:
    """A change that helps.

    Attributes:
        code: ``other-groups`` (name), ``fewer-groups`` (name), ``no-groups``, ``join`` and
            ``join-ages`` (cells),
            ``narrower`` (lowest, highest), ``more-budget`` and ``one-question`` (share),
            ``leave-out``, ``no-share``, ``count-groups``, ``last-bin`` and ``first-bin``
            (first); of a Table 1 ``leave-out-row`` and ``no-columns``; ``guess``: something must be
            typed, so that there is no study.
        study: with the change; ``None`` where only the custodian can make it.
        margin: what the query's would be; ``None`` where nobody knows, or nothing is left of it.
        names: what the code says in words: names, and numbers as plain texts.
    """

    code: str
    study: Study | None = None
    margin: Fraction | None = None
    names: dict[str, str] = field(default_factory=dict, hash=False)


def remedy(study: Study, known: QueryPlan, good: Good, spare: Share | None) -> Remedy:
    """The first change after which a query is good enough; else to leave it out.

    A changed query is judged as it would be released: beside the tables that its figures are made
    consistent with, whose margins are smaller than those of its own noise.

    Args:
        study: the study that holds the query.
        known: the query's plan in it.
        good: whether a changed query's plan is good enough.
        spare: what may be spent beyond the study's own plan; ``None`` where nobody knows.
    """
    query = study.query(known.query.id) or known.query

    def judged(plan: QueryPlan) -> bool:
        # What is good alone is so beside others, and costs a third of that to say.
        return good(plan) or good(beside(plan, known))

    if query.component is not None:
        return _of_table(study, query, query.component, judged, spare)
    for found, plan in _changes(study, query, known, judged, spare):
        return replace(found, margin=beside(plan, known).accuracy)
    return leave_out(study, query)


def _of_table(
    study: Study, query: Query, component: Component, good: Good, spare: Share | None
) -> Remedy:
    """What helps a query of a Table 1: a higher price of the table, else without that row.

    Where it is how many are in each group, without groups.
    """
    table = next(one for one in study.baseline_tables if one.id == component.table)

    def put(changed: BaselineTable) -> Study:
        tables = (changed if one.id == table.id else one for one in study.baseline_tables)
        return with_baseline_queries(replace(study, baseline_tables=tuple(tables)))

    price = table.share
    if price is not None and spare is not None and spare.measure == price.measure:
        most = min(price.units + spare.units, MAX_SHARE[price.measure].units)
        for units in _round_shares(price.units, most):
            share = type(price)(units)
            after = put(table.at_share(share))
            changed = after.query(query.id)
            plan = None if changed is None else _good_plan(after, changed, good)
            if plan is not None:
                return Remedy("more-budget", after, plan.accuracy, {"share": str(share)})
    if component.place is None:
        return Remedy("no-columns", put(replace(table, by=())))
    rows = table.characteristics
    rest = (*rows[: component.place], *rows[component.place + 1 :])
    return Remedy("leave-out-row", put(replace(table, characteristics=rest)))


def leave_out(study: Study, query: Query) -> Remedy:
    """Without the query."""
    rest = tuple(other for other in study.queries if other.id != query.id)
    return Remedy("leave-out", replace(study, queries=rest))


def without_share(study: Study, query: Query) -> Remedy:
    """The query at no share."""
    return Remedy("no-share", _with(study, query, query.unpriced))


def count_groups(study: Study, known: QueryPlan) -> Remedy:
    """A count by the groups of the most common in its place, at its share."""
    query = study.query(known.query.id) or known.query
    by = (*query.by, *query.parameters.names)
    count = replace(_regrouped(study, query, by), statistic="count", parameters=Parameters())
    after = _with(study, query, count)
    # It has as many cells as the most common has counts, and nothing else is asked of it.
    return Remedy("count-groups", after, beside(compile_query(after, count), known).accuracy)


def with_last_bin(study: Study, known: QueryPlan, column: NumberColumn) -> Remedy:
    """A curve over time with a last bin of the highest time alone.

    A figure at the highest time is then that at the end of the bin before.
    """
    query, highest = study.query(known.query.id) or known.query, column.upper or Decimal(0)
    own = query.parameters_as(TimeToEventParameters)
    edges = (*own.edges, highest)
    before = Decimal(bin_ends(column, edges)[-2])
    times = tuple(before if time == highest else time for time in own.times)
    after = _with(study, query, query.having(edges=edges, times=times))
    return Remedy("last-bin", after, None, {"first": f"{highest.normalize():f}"})


def with_first_bin(study: Study, known: QueryPlan, first: Decimal) -> Remedy:
    """A curve with delayed entry with a first bin of the lowest time alone, ``first`` behind it."""
    query = study.query(known.query.id) or known.query
    own = query.parameters_as(TimeToEventParameters)
    edges = own.edges if first in own.edges else (first, *own.edges)
    changed = query.having(edges=edges, entry_edges=(first, *own.entry_edges))
    after = _with(study, query, changed)
    return Remedy("first-bin", after, None, {"first": f"{first.normalize():f}"})


def narrower(study: Study, query: Query, column: NumberColumn, known: Suggestion) -> Remedy | None:
    """With typical bounds that lie within the declared ones of the query's column.

    None where a query of the study names a value that would be out of bounds then.
    """
    changed = replace(
        column,
        lower=known.lower,
        upper=known.upper,
        step=known.step,
        basis=known.basis,
        origin=SUGGESTED,
    )
    columns = tuple(changed if other == column else other for other in study.columns)
    after = replace(study, columns=columns)
    if any(_compiles(study, other) and not _compiles(after, other) for other in study.queries):
        return None
    names = {"lowest": f"{known.lower:f}", "highest": f"{known.upper:f}"}
    return Remedy("narrower", after, compile_query(after, query).accuracy, names)


Found = tuple[Remedy, QueryPlan]
"""A change, and the plan of the query that it leaves."""


def _changes(
    study: Study, query: Query, known: QueryPlan, good: Good, spare: Share | None
) -> Iterator[Found]:
    tried = (
        *_fewer(study, query),
        *_joined(study, query),
    )
    for code, changed, names in tried:
        yield from _if_good(study, query, changed, good, code, names)
    yield from _more_budget(study, query, known, good, spare)
    if query.by:
        yield from _if_good(study, query, _regrouped(study, query, ()), good, "no-groups", {})


QueryChange = tuple[str, Query, dict[str, str]]


def _fewer(study: Study, query: Query) -> Iterator[QueryChange]:
    """Without one of several groupings, or by another column that has fewer groups.

    Those that keep the most groups come first.
    """
    changes: list[tuple[int, QueryChange]] = []
    for place, grouping in enumerate(query.by):
        rest = (*query.by[:place], *query.by[place + 1 :])
        names = {"name": _title(study, grouping)}
        if rest:
            changes.append(
                (cells(study, rest), ("fewer-groups", _regrouped(study, query, rest), names))
            )
    if len(query.by) == 1:
        changes.extend(_other_columns(study, query))
    yield from (change for _, change in sorted(changes, key=lambda pair: -pair[0]))


def _other_columns(study: Study, query: Query) -> Iterator[tuple[int, QueryChange]]:
    own, names = cells(study, query.by), query.names
    for column in study.columns:
        size = len(group_labels(column))
        if 1 < size < own and column.name not in names:
            by: tuple[Grouping, ...] = (column.name,)
            change = ("other-groups", _regrouped(study, query, by), {"name": column_title(column)})
            yield size, change


def _joined(study: Study, query: Query) -> Iterator[QueryChange]:
    """With neighbouring bins or periods taken together, the fewest that is enough."""
    for place, grouping in enumerate(query.by):
        coarser: Grouping | None = grouping
        while coarser := _coarser(coarser):
            by = (*query.by[:place], coarser, *query.by[place + 1 :])
            yield "join", _regrouped(study, query, by), {"cells": str(cells(study, by))}
    own = query.parameters
    edges = own.edges if isinstance(own, StandardParameters) and not own.weights else ()
    while len(edges) > 1:
        edges = edges[1::2]
        yield "join-ages", query.having(edges=edges), {"cells": str(len(edges) + 1)}


def _coarser(grouping: Grouping | None) -> Grouping | None:
    if isinstance(grouping, Bins) and len(grouping.edges) > 1:
        return replace(grouping, edges=grouping.edges[1::2])
    if isinstance(grouping, Periods) and grouping.period in COARSER:
        return replace(grouping, period=COARSER[grouping.period])
    return None


def _regrouped(study: Study, query: Query, by: tuple[Grouping, ...]) -> Query:
    """The query by other groups; the guess of their size is of the same rows in all."""
    expected = query.expected
    if expected is not None:
        expected = max(1, expected * cells(study, query.by) // max(1, cells(study, by)))
    limit = query.rows_per_group if by else None
    return replace(query, by=by, expected=expected, rows_per_group=limit)


def cells(study: Study, by: tuple[Grouping, ...]) -> int:
    """How many groups there are."""
    columns = [(grouping, study.column(column_of(grouping))) for grouping in by]
    return prod(len(labels_of(grouping, column)) for grouping, column in columns if column)


def _more_budget(
    study: Study, query: Query, known: QueryPlan, good: Good, spare: Share | None
) -> Iterator[Found]:
    """The smallest round share that is enough, by halving: no margin grows with the share."""
    own = query.share
    if own is None or spare is None or spare.measure != own.measure or not spare.units:
        return
    most = min(own.units + spare.units, MAX_SHARE[own.measure].units)
    shares = [type(own)(units) for units in _round_shares(own.units, most)]

    def plan_at(share: Share) -> QueryPlan:
        return compile_at_share(study, known, query.at_share(share))

    place = bisect_left(shares, True, key=lambda share: good(plan_at(share)))
    if place < len(shares):
        share = shares[place]
        after = _with(study, query, query.at_share(share))
        yield Remedy("more-budget", after, None, {"share": str(share)}), plan_at(share)


def _round_shares(own: int, most: int) -> list[int]:
    """Shares of two digits above one's own, each about a tenth above the one before."""
    round_shares: list[int] = []
    units = own
    while units < most:
        digit = 10 ** max(0, floor(log10(units)) - 1)
        units = max(ceil(units * 1.1 / digit), units // digit + 1) * digit
        round_shares.append(min(units, most))
    return round_shares


def _if_good(
    study: Study, query: Query, changed: Query, good: Good, code: str, names: dict[str, str]
) -> Iterator[Found]:
    after = _with(study, query, changed)
    plan = _good_plan(after, changed, good)
    if plan is not None:
        yield Remedy(code, after, None, names), plan


def _with(study: Study, query: Query, changed: Query) -> Study:
    queries = tuple(changed if other.id == query.id else other for other in study.queries)
    return replace(study, queries=queries)


def _good_plan(study: Study, query: Query, good: Good) -> QueryPlan | None:
    """A query's plan, if it has one that is good enough."""
    try:
        plan = compile_query(study, query)
    except Refused:
        return None
    return plan if good(plan) else None


def _compiles(study: Study, query: Query) -> bool:
    return _good_plan(study, query, lambda _plan: True) is not None


def _title(study: Study, grouping: Grouping) -> str:
    column = study.column(column_of(grouping))
    return column_title(column) if column else column_of(grouping)
