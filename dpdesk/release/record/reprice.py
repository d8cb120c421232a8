# SPDX-License-Identifier: Apache-2.0
"""A released study priced again by anyone who checks a bundle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.consistent import ConsistentFigures
from dpdesk.privacy.group_comparisons.compared import with_comparisons
from dpdesk.privacy.noise.door import DoorRefused
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.planning.survival.derived_table import with_derived
from dpdesk.privacy.published_tables import Table, table
from dpdesk.privacy.reconcile.figures import consistent_figures
from dpdesk.privacy.reconcile.same_rows import Answer, too_large
from dpdesk.privacy.statistics.base import PlannedNoisy
from dpdesk.release.record.released_study import ReleasedStudy, public_data
from dpdesk.release.record.size import Size
from dpdesk.release.record.values import ReleasedQuery
from dpdesk.study.model.document import Study
from dpdesk.study.problem import Refused


@dataclass(frozen=True)
class RepricedStudy:
    """A released study compiled again, once for all who ask.

    Attributes:
        released: the study as a manifest states it.
    """

    released: ReleasedStudy

    @cached_property
    def plans(self) -> dict[str, QueryPlan] | None:
        """Every query's plan by id; ``None`` where one cannot be made."""
        study = self.released.study
        return priced_again(study) if study is not None else None


def priced_again(study: Study) -> dict[str, QueryPlan] | None:
    """Every query of a released study compiled again, by id; ``None`` where one cannot be.

    A signer's study is still a stranger's: what is too large to be released is not made.
    """
    if Size.of(study).is_too_large:
        return None
    try:
        return {query.id: compile_query(study, query) for query in study.queries}
    except (Refused, DoorRefused, ValueError):
        return None


def consistent_in(
    queries: Sequence[ReleasedQuery], plans: Mapping[str, QueryPlan]
) -> dict[str, ConsistentFigures]:
    """The figures that a release made consistent, by the ids of their queries.

    Args:
        queries: a release's answers, in its order.
        plans: their plans by id.
    """
    answers = [Answer(plans[one.id], one.drawn.noisy, one.drawn_in) for one in queries]
    found = consistent_figures(answers)
    return {queries[place].id: figures for place, figures in found.items()}


def spreads_in(
    study: Study, queries: Sequence[ReleasedQuery], plans: Mapping[str, QueryPlan]
) -> dict[str, PlannedNoisy]:
    """The answer with the variance of each mean's cells, where its interval needs it.

    Args:
        study: the release's.
        queries: see ``consistent_in``.
        plans: see ``consistent_in``.
    """
    drawn = {one.id: one.drawn.noisy for one in queries}
    wanted = ((id, study.spread_of(plan.query)) for id, plan in plans.items())
    return {
        id: (plans[spread.id], drawn[spread.id])
        for id, spread in wanted
        if spread is not None and plans[id].query.has_intervals
    }


def tables_of(
    study: Study, queries: Sequence[ReleasedQuery], plans: Mapping[str, QueryPlan]
) -> tuple[Table, ...]:
    """Every table of a release, in its order; arguments as above."""
    consistent = consistent_in(queries, plans)
    large = too_large([plans[one.id] for one in queries], [one.drawn_in for one in queries])
    left = {queries[place].id for places in large for place in places}
    spreads = spreads_in(study, queries, plans)

    def made(one: ReleasedQuery) -> Table:
        plan, noisy = plans[one.id], one.drawn.noisy
        others = consistent.get(one.id), spreads.get(one.id)
        found = table(study, plan, noisy, one.drawn.found, *others)
        found = replace(found, is_left_as_drawn=one.id in left)
        return with_comparisons(with_derived(found, plan, noisy), plan, noisy, *others)

    return tuple(map(made, queries))


def unreleased(released: ReleasedStudy, study: Study) -> list[str]:
    """Members of a manifest's data source that no program writes.

    Args:
        released: the study as the manifest states it.
        study: the same, read back.
    """
    written = public_data(study.data) if study.data else {}
    return sorted(key for key, said in released.data.items() if written.get(key) != said)
