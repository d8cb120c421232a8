# SPDX-License-Identifier: Apache-2.0
"""What a plan says of figures that its release will make consistent: the margins of those.

Claim: the margin of a plan is the very number that the release states before it rounds. Why: both
are the half-width of the same weighted sum of noises, a function of plans alone (``joined_tables``,
``noise_sum``), as long as the same answers are over the same rows, that is, drawn by the same
entries. A released margin is wider by what rounding moved its figure: below two steps of its last
decimal for one or two groupings (``marginals.rounded``), which only the release knows. That of a
count in a published form is at most the plan's (``published_form.widest``).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace

from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.plan import JoinedPlan, QueryPlan
from dpdesk.privacy.published_form import widest
from dpdesk.privacy.reconcile.joined_tables import JoinedTables
from dpdesk.privacy.reconcile.same_rows import is_additive, is_too_large, sets_of
from dpdesk.privacy.statistics import METHODS

NO_PLANS: Mapping[str, QueryPlan] = {}


def planned(
    plans: Sequence[QueryPlan],
    entry_of: Callable[[QueryPlan], Hashable] = lambda _plan: None,
    before: Mapping[str, QueryPlan] = NO_PLANS,
) -> tuple[QueryPlan, ...]:
    """The plans of a release with the margins of its consistent figures.

    Args:
        plans: of all its queries, in its order.
        entry_of: what will have drawn an answer: an earlier entry for a stored one.
        before: plans by query id, of which those that would become the same are returned again.
    """
    result = [plan if plan.joined is None else plan.alone for plan in plans]
    for places in sets_of(result, lambda place: entry_of(result[place])):
        is_small, tables = not is_too_large(result, places), _draws(result, places)
        of_set: JoinedTables | None = None
        for place in places:
            known = before.get(result[place].query.id)
            if known is not None and _is_same(known, result[place], tables):
                result[place] = known
                continue
            of_set = of_set or JoinedTables(tables)
            result[place] = _with_others(result[place], of_set, is_small)
    return tuple(result)


def _draws(plans: Sequence[QueryPlan], places: Sequence[int]) -> tuple[QueryPlan, ...]:
    """The plans at these places; a question that is asked twice is drawn once."""
    return tuple({plans[place].canonical: plans[place] for place in places}.values())


def beside(plan: QueryPlan, known: QueryPlan | None) -> QueryPlan:
    """A query's plan at another price, or with another declaration, beside the same tables.

    Args:
        plan: its new plan.
        known: its plan in the study, which says the tables.
    """
    if known is None or known.joined is None or not is_additive(plan):
        return plan
    own = known.alone
    others = (one for one in known.joined.tables if one.canonical != own.canonical)
    plans = (plan.alone, *others)
    for places in sets_of(plans, lambda _place: None):
        if 0 in places:  # the margins of the others are not asked for
            return _with_others(
                plans[0], JoinedTables(_draws(plans, places)), not is_too_large(plans, places)
            )
    return plans[0]


def _is_same(known: QueryPlan, plan: QueryPlan, tables: tuple[QueryPlan, ...]) -> bool:
    joint = known.joined
    if joint is None or joint.alone is not plan or len(joint.tables) != len(tables):
        return False
    return all(one is other for one, other in zip(joint.tables, tables, strict=True))


def _with_others(plan: QueryPlan, tables: JoinedTables, is_small: bool) -> QueryPlan:
    errors, margin = tables.errors(plan) if is_small else None, plan.unrounded
    if errors is not None and margin is not None:
        margin = METHODS[plan.query.statistic].consistent_accuracy(plan, errors, MISS)
    own = margin
    if own is not None and plan.form is not None:
        margin = widest(own, plan.form)
    joint = JoinedPlan(plan, tables.plans, errors)
    # What it asks is the same text, made once.
    return replace(
        plan,
        half_width=margin,
        unrounded=own,
        joined=joint,
        find_canonical=lambda: plan.canonical,
    )
