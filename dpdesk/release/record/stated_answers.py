# SPDX-License-Identifier: Apache-2.0
"""What a release states of a plan and of its queries' answers."""

from __future__ import annotations

from dataclasses import dataclass

from dpdesk.privacy.accounting.conversion import account_epsilon
from dpdesk.privacy.plan import QueryPlan
from dpdesk.release.record.drawn import Drawn
from dpdesk.release.record.released_study import ReleasedQuestion
from dpdesk.release.record.values import ReleasedClaim, ReleasedDraw, ReleasedQuery
from dpdesk.study.model.amount import NO_DELTA, AccountDelta, Delta, Epsilon, Share, zero
from dpdesk.study.model.unit import Unit


@dataclass(frozen=True)
class QueryAnswer:
    """One query's answer in a release.

    Attributes:
        is_new: whether it was drawn and paid for now, by this query; else it is a stored answer,
            or that of an earlier query of the release.
        drawn_in: sequence of the entry in which its noise was drawn.
        drawn_at: that entry's minute.
        counted_by: see ``ReleasedQuery``.
    """

    plan: QueryPlan
    drawn: Drawn
    is_new: bool
    drawn_in: int
    drawn_at: str
    counted_by: str = ""

    @property
    def charged(self) -> Share:
        """What was paid for it now."""
        share = self.plan.share
        return share if self.is_new else zero(share.measure)

    @property
    def delta_charged(self) -> Delta:
        """What was paid of the account's delta, with what was paid of its budget."""
        return self.plan.delta if self.is_new else NO_DELTA


def claim_of(unit: Unit, total: Share, delta: AccountDelta) -> ReleasedClaim:
    """What all figures of the release together may cost.

    In zCDP rho is the cost, and epsilon what it means at the account's delta.
    """
    return ReleasedClaim(
        neighbours=unit.neighbours,
        unit="row" if unit.person is None else "person",
        max_rows=unit.max_rows,
        people=unit.people,
        total=total,
        epsilon=total if isinstance(total, Epsilon) else account_epsilon(total, delta),
        delta=delta,
    )


def draws_of(plan: QueryPlan) -> tuple[ReleasedDraw, ...]:
    return tuple(
        ReleasedDraw(p.name, p.noise, p.sensitivity, p.loss, p.share, p.width, p.half_width)
        for p in plan.parts
    )


def released_query(answer: QueryAnswer, called: str, name: str, sequence: int) -> ReleasedQuery:
    """A query's answer. An earlier release's says when that was: its own bundle says so too.

    Args:
        sequence: the entry of the release.
    """
    query = answer.plan.query
    return ReleasedQuery(
        id=query.id,
        title=called,
        name=name,
        statistic=query.statistic,
        question=ReleasedQuestion.of(query),
        cells=len(answer.plan.lines),
        share=answer.plan.share,
        charged=answer.charged,
        delta=answer.plan.delta,
        delta_charged=answer.delta_charged,
        drawn_in=answer.drawn_in,
        drawn_at=answer.drawn_at if answer.drawn_in < sequence else "",
        draws=draws_of(answer.plan),
        drawn=answer.drawn,
        counted_by=answer.counted_by,
    )
