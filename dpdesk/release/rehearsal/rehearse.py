# SPDX-License-Identifier: Apache-2.0
"""The rehearsal: each query's plan on made-up rows, its noise drawn as a release draws it.

Rows come of the declarations and the custodian's guesses alone (``made_up_rows``); noise comes
through the same door, tables through the same code. What differs is the margin of a figure that
is divided by a noisy count: a rehearsal states the plan's, from the guessed size, so that drawing
again changes no margin (``planned_margins``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from dpdesk.data.made_up_rows import made_up_table
from dpdesk.data.progress import CancelToken, Progress, no_progress
from dpdesk.privacy import compiler
from dpdesk.privacy.group_comparisons.compared import with_comparisons
from dpdesk.privacy.noise.door import Door
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.planning.survival.derived_table import with_derived
from dpdesk.privacy.planning.weak import guessed_size
from dpdesk.privacy.published_tables import Table, table
from dpdesk.privacy.reconcile.planned import beside, planned
from dpdesk.privacy.statistics.base import PlannedNoisy
from dpdesk.release.record.stated_answers import QueryAnswer, released_query
from dpdesk.release.record.table_names import names_in, titles_in
from dpdesk.release.record.totals import together
from dpdesk.release.record.values import ReleasedQuery
from dpdesk.release.rehearsal.planned_margins import with_planned_margins
from dpdesk.release.run.drawing import draw_query
from dpdesk.study.checks.study_checks import check
from dpdesk.study.limits import MADE_UP_ROWS
from dpdesk.study.model.amount import Share
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.problem import Refused, refuse
from dpdesk.study.text.titles import title

MOST_ROWS = 1_000_000_000
MISSING = 20
"""One in so many rows has a missing cell, where a Table 1 counts them."""
GroupSizes = Mapping[str, Mapping[tuple[str, ...], int]]
"""By a query's id, about how many rows its groups have; a group is named by all its labels."""
NO_SIZES: GroupSizes = {}
NOT_ASKED = ("$.budget", "$.data")
"""Where a study may have problems: a rehearsal comes before account and file."""


@dataclass(frozen=True)
class RehearsedQuery:
    """One query of a rehearsal.

    Attributes:
        plan: its plan, with the size that was made up as its expected one.
        sizes: how many rows each of its groups was given, in the plan's order.
        is_guessed: whether the custodian guessed sizes; else all rows were split equally.
        drawn: how its noise was drawn, as a report says it; charged to nobody.
    """

    plan: QueryPlan
    sizes: tuple[int, ...]
    is_guessed: bool
    drawn: ReleasedQuery
    table: Table

    @property
    def ends(self) -> tuple[int, int]:
        """The rows of its smallest and of its largest group."""
        return min(self.sizes), max(self.sizes)

    @property
    def rows_a_group(self) -> int | list[int]:
        """For programs: one number for all groups, or one for each in the plan's order."""
        least, most = self.ends
        return most if least == most else list(self.sizes)


@dataclass(frozen=True)
class Rehearsal:
    """A whole study on made-up rows.

    Attributes:
        queries: in the order of release.
        total: what a release would cost.
    """

    study: Study
    queries: tuple[RehearsedQuery, ...]
    total: Share


def rehearse(
    study: Study,
    door: Door,
    rows: int = MADE_UP_ROWS,
    progress: Progress = no_progress,
    cancel: CancelToken | None = None,
    sizes: GroupSizes = NO_SIZES,
    language: str = "en",
) -> Rehearsal:
    """Rehearse a study: opens no file, ledger or key, and spends nothing.

    Args:
        study: a study whose unit, columns and queries are complete.
        door: where the noise comes from.
        rows: how many rows there are in all, for queries whose groups nobody guessed.
        progress: gets the queries done and the queries in all.
        cancel: honoured between two queries.
        sizes: groups whose size was guessed by itself; the others have what all would have.
        language: that the files of queries without a title are named in.

    Raises:
        Refused: what keeps unit, columns or queries from being compiled; ``made-up-rows`` (params
            least, most), ``made-up-query`` (query), ``made-up-group`` (query,
            group, first).
        Cancelled: ``cancel`` was raised.
    """
    if not 1 <= rows <= MOST_ROWS:
        raise refuse("made-up-rows", least="1", most=str(MOST_ROWS))
    problems = [p for p in check(study) if not p.path.startswith(NOT_ASKED)]
    if problems:
        raise Refused(tuple(problems))
    if unknown := [key for key in sizes if study.query(key) is None]:
        raise refuse("made-up-query", query=unknown[0])
    titles = {query.id: title(study, query) for query in study.queries}
    names = names_in(study, titles_in(study, titles.items(), language))
    named = list(zip(study.queries, titles.values(), names, strict=True))
    cancel = cancel or CancelToken()
    rehearsed: list[RehearsedQuery] = []
    plans = planned([compiler.compile_query(study, query) for query in study.queries])
    for plan, (query, called, name) in zip(plans, named, strict=True):
        cancel.check()
        rehearsed.append(
            _rehearse(study, plan, (called, name), door, (rows, sizes.get(query.id, {})))
        )
        progress(len(rehearsed), len(named))
    return Rehearsal(study, tuple(rehearsed), _total(rehearsed))


def _total(queries: Sequence[RehearsedQuery]) -> Share:
    return together(queries[0].plan.share.measure, (query.plan.share for query in queries))


def _rehearse(
    study: Study,
    plan: QueryPlan,
    names: tuple[str, str],
    door: Door,
    guessed: tuple[int, Mapping[tuple[str, ...], int]],
) -> RehearsedQuery:
    (rows, own), query = guessed, plan.query
    guess = guessed_size(study, query)
    size = max(1, round(guess if guess is not None else rows / max(1, len(plan.cells))))
    if query.component is not None and query.component.figures == "missing":
        size = max(1, size // MISSING)
    if plan.public_rows is not None:
        size = plan.public_rows
    sizes = _sizes(plan, size, own)
    plan = _planned(study, plan, size)
    made_up_sizes = sizes if own else size
    drawn = draw_query(study, plan, made_up_table(study, query, made_up_sizes), door)
    spread = _spread(study, query, made_up_sizes, door)
    made_up = table(study, plan, drawn.noisy, drawn.found, spread=spread)
    if own:
        made_up = _with_margins_of_groups(study, plan, sizes, made_up)
    else:
        made_up = with_planned_margins(plan, size, made_up)
    made_up = with_derived(made_up, plan, drawn.noisy)
    made_up = with_comparisons(made_up, plan, drawn.noisy, spread=spread)
    answer = QueryAnswer(plan, drawn, True, 0, "")
    released = released_query(answer, *names, sequence=0)
    return RehearsedQuery(plan, sizes, guess is not None or bool(own), released, made_up)


def _spread(
    study: Study, query: Query, sizes: int | tuple[int, ...], door: Door
) -> PlannedNoisy | None:
    """The variance of as many made-up rows, where an interval for the population needs it."""
    spread = study.spread_of(query) if query.has_intervals else None
    if spread is None:
        return None
    plan = compiler.compile_query(study, spread)
    return plan, draw_query(study, plan, made_up_table(study, spread, sizes), door).noisy


def _planned(study: Study, plan: QueryPlan, size: int) -> QueryPlan:
    """The plan of a group of a size: a margin before the release needs one."""
    query = plan.query
    if plan.public_rows is not None or not query.declaration.is_ratio or query.expected is not None:
        return plan
    guessed = compiler.compile_query(study, replace(query, expected=max(1, size)))
    return beside(guessed, plan)


def _sizes(plan: QueryPlan, size: int, own: Mapping[tuple[str, ...], int]) -> tuple[int, ...]:
    """The rows of each group, in the plan's order.

    Raises:
        Refused: ``made-up-group``, ``made-up-rows``.
    """
    for group, rows in own.items():
        if group not in plan.cells:
            named, first = "; ".join(group), "; ".join(plan.cells[0])
            raise refuse("made-up-group", query=plan.query.id, group=named, first=first)
        if not 0 <= rows <= MOST_ROWS:
            raise refuse("made-up-rows", least="0", most=str(MOST_ROWS))
    return tuple(own.get(cell, size) for cell in plan.cells)


def _with_margins_of_groups(
    study: Study, plan: QueryPlan, sizes: Sequence[int], made_up: Table
) -> Table:
    by_size = dict(zip(plan.cells, sizes, strict=True))
    plans = {size: _planned(study, _unguessed(plan), size) for size in set(sizes)}

    def rows() -> Iterator[tuple[str, ...]]:
        for row in made_up.rows:
            size = by_size.get(row[: len(plan.query.by)], sizes[0])
            yield from with_planned_margins(plans[size], size, replace(made_up, rows=(row,))).rows

    return replace(made_up, rows=tuple(rows()))


def _unguessed(plan: QueryPlan) -> QueryPlan:
    """A plan as if nobody had guessed one size for all groups."""
    return replace(plan, query=replace(plan.query, expected=None))
