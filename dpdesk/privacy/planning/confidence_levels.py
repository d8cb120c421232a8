# SPDX-License-Identifier: Apache-2.0
"""How accurate a plan is at 90, 95 and 99 %: each figure by itself, and all of them at once.

Claim: an entry of ``each`` holds for each single figure (or choice) with that probability, an
entry of ``at_once`` for all figures of the query together; over the noise alone, for the worst
exact values, and for a ratio for the expected or public number of rows. Why: the noises of cells
are drawn independently, so n claims that each hold with 1 - m hold together with (1 - m)^n, and
m = 1 - (1 - miss)^(1/n) gives the miss wanted (``half_widths.each_miss``). Figures of one cell
that share their noise are bounded by one claim (a top m, a distribution; see there).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dpdesk.privacy.distributions.half_widths import CONFIDENCES
from dpdesk.privacy.plan import Plan, QueryPlan
from dpdesk.privacy.published_form import widest
from dpdesk.privacy.statistics import METHODS


@dataclass(frozen=True)
class ConfidenceLevels:
    """One query's accuracy at every confidence.

    Attributes:
        id: the query's id.
        what: what the numbers count: ``unit`` for the unit of the result, or what a choice's
            bound counts.
        claims: how many independent claims hold at once.
        in_100: the confidences, in times of 100.
        each: the half-width, or the bound, of one figure; one number a confidence.
        at_once: the same for all figures together; empty where nobody knows how many there are.
    """

    id: str
    what: str
    claims: int
    in_100: tuple[int, ...]
    each: tuple[Fraction, ...]
    at_once: tuple[Fraction, ...]


def levels(plan: Plan) -> tuple[ConfidenceLevels, ...]:
    """The levels of every query that has a margin before the release."""
    by_query = (levels_of(query) for query in plan.queries)
    return tuple(one for one in by_query if one is not None)


def levels_of(plan: QueryPlan) -> ConfidenceLevels | None:
    """The levels of one query; ``None`` where its margin is not known before the release."""
    if plan.accuracy is None:
        return None
    method = METHODS[plan.query.statistic]
    claims, misses = method.claims(plan), [miss for _, miss in CONFIDENCES]
    return ConfidenceLevels(
        id=plan.query.id,
        what="unit" if plan.bound is None else plan.bound.what,
        claims=claims,
        in_100=tuple(times for times, _ in CONFIDENCES),
        each=tuple(_accuracy(plan, miss) for miss in misses),
        at_once=tuple(_together(plan, miss) for miss in misses) if claims else (),
    )


def _accuracy(plan: QueryPlan, miss: float) -> Fraction:
    method = METHODS[plan.query.statistic]
    if plan.errors is None:
        width = method.accuracy_at(plan, miss)
    else:
        width = method.consistent_accuracy(plan, plan.errors, miss)
    return width if plan.form is None else widest(width, plan.form)


def _together(plan: QueryPlan, miss: float) -> Fraction:
    """Consistent figures share their noises: the union of what each may miss."""
    if plan.errors is None:
        width = METHODS[plan.query.statistic].accuracy_together(plan, miss)
        return width if plan.form is None else widest(width, plan.form)
    return _accuracy(plan, miss / len(plan.lines))
