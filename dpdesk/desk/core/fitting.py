# SPDX-License-Identifier: Apache-2.0
"""What a plan would become under wishes: shares for wanted margins, or for a total."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Literal

from dpdesk.desk.core.edits import study_edits
from dpdesk.privacy.planning.allocate import check_limit, fit, spread, within_margins
from dpdesk.release.record.totals import together
from dpdesk.study.model.amount import MAX_SHARE, Share
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget
from dpdesk.study.problem import Problem, Refused
from dpdesk.study.public_numbers import share_paid

Way = Literal["fit", "spread"]


@dataclass(frozen=True)
class FitRequest:
    """What is wanted of a plan.

    Attributes:
        way: the smallest shares for the margins, or the total spread.
        margins: by query id; queries without one keep their shares.
        total: what all queries may cost together.
        weights: by query id; 1 for the others.
        locked: ids of queries that keep their shares while a total is spread.
    """

    way: Way = "fit"
    margins: Mapping[str, Fraction] = field(default_factory=dict)
    total: Share | None = None
    weights: Mapping[str, Fraction] = field(default_factory=dict)
    locked: frozenset[str] = frozenset()


@dataclass(frozen=True)
class FitOutcome:
    """What would come of wishes.

    Attributes:
        shares: by query id, as far as they are known.
        wrong: what keeps a query from what is wanted of it, by its id.
        problem: what keeps the plan as a whole from it.
    """

    shares: Mapping[str, Share] = field(default_factory=dict)
    wrong: Mapping[str, Problem] = field(default_factory=dict)
    problem: Problem | None = None

    @property
    def is_right(self) -> bool:
        """Whether the shares can be used."""
        return not self.wrong and self.problem is None


def fitted(study: Study, wishes: FitRequest) -> FitOutcome:
    """What would come of wishes; the study stays as it is."""
    if wishes.way == "fit":
        return _fitted(study, wishes.margins)
    if wishes.total is None:
        return FitOutcome()
    weights = {key: w for key, w in wishes.weights.items() if key not in wishes.locked}
    try:
        return FitOutcome(shares_of(spread(study, wishes.total, weights, wishes.locked)))
    except Refused as refused:
        return FitOutcome(problem=refused.problems[0])


def _fitted(study: Study, margins: Mapping[str, Fraction]) -> FitOutcome:
    """First each query by itself, so that it hears what is wrong with its own margin."""
    shares, wrong = shares_of(study), {}
    for query in study.queries:
        if query.id not in margins:
            continue
        shares.pop(query.id, None)
        try:
            shares |= shares_of(fit(_alone(study, query), {query.id: margins[query.id]}))
        except Refused as refused:
            wrong[query.id] = refused.problems[0]
    if wrong:
        return FitOutcome(shares, wrong)
    together = within_margins(study, margins)
    try:
        check_limit(together)
    except Refused as refused:
        return FitOutcome(shares_of(together), problem=refused.problems[0])
    return FitOutcome(shares_of(together))


def _alone(study: Study, query: Query) -> Study:
    """A study of one query that may cost anything: limits are for all queries together."""
    alone = replace(study, queries=(query,))
    return study_edits.set_limit(alone, MAX_SHARE[measure_of(study)])


def measure_of(study: Study) -> str:
    """What the study's shares are counted in."""
    return (study.budget or Budget()).measure


def shares_of(study: Study) -> dict[str, Share]:
    """The shares that queries pay in the study's measure, by query id."""
    wanted = measure_of(study)
    paid = ((q.id, share_paid(study, q)) for q in study.queries)
    return {key: share for key, share in paid if share and share.units and share.measure == wanted}


def with_shares(study: Study, shares: Mapping[str, Share]) -> Study:
    """The study at other shares; queries that are not named keep theirs."""
    queries = (q.at_share(shares[q.id]) if q.id in shares else q for q in study.queries)
    return replace(study, queries=tuple(queries))


def total_of(study: Study, shares: Mapping[str, Share]) -> Share:
    """What shares of a study's queries come to."""
    return together(measure_of(study), shares.values())


def to_pay(study: Study, shares: Mapping[str, Share], answered: frozenset[str]) -> Share:
    """What the account would be charged: a stored answer is free while its share stays."""
    before = shares_of(study)
    free = {key for key in answered if shares.get(key) == before.get(key)}
    return total_of(study, {key: s for key, s in shares.items() if key not in free})
