# SPDX-License-Identifier: Apache-2.0
r"""The shares of overlapping tables whose consistent figures are within margins that are wanted.

Each table has a share that keeps its margin by itself. Made consistent, the figures of all are more
accurate than wanted, so that less is enough. Sought are the shares r of the least sum for which
each table's variance V_q(r) (``table_weights``) is at most what its margin allows: with
multipliers l_q of the tables, those of the least sum of l_q V_q, and multipliers in proportion to
by how much a variance is too large (the multiplicative weights method, Arora, Hazan and Kale 2012).
In zCDP every V_q is convex; in pure epsilon what is found is a local least.

Variances stand for margins, of which they are nearly a multiple; what multiple is seen from the
margins themselves, a few times. Returned are only shares whose margins, as a plan states them, are
all within those wanted; those of the shares for each table by itself may be above by what the sum
of many noises is rounded. No table gets less than ``LEAST`` of its own, so that it is of use where
a later edit leaves it alone.
Public constants alone go in, and what comes out is a wish for shares, which the study declares.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpdesk.privacy.compiler import compile_at_share, compile_query
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.reconcile.joined_tables import JoinedTables
from dpdesk.privacy.reconcile.planned import planned
from dpdesk.privacy.reconcile.same_rows import joined
from dpdesk.privacy.reconcile.table_weights import (
    LEAST,
    MOST_TABLES,
    Shares,
    TablePart,
    table_parts,
)
from dpdesk.study.model.amount import Share
from dpdesk.study.model.document import Study
from dpdesk.study.problem import Refused

_LOOKS = 4
_TURNS = 3
_STEPS = 150
_ABOVE = 1.0002
"""Shares are so much larger than the search says, as margins are rounded."""


def fitted_shares(study: Study, margins: Mapping[str, Fraction]) -> dict[str, Share]:
    """By query id, smaller shares that keep the margins; empty where no tables overlap.

    Args:
        study: its queries named in ``margins`` have the shares that keep them by themselves; the
            others have those they keep.
        margins: by query id, what the plan may state at most, in the result's unit.
    """
    plans = [plan for query in study.queries if (plan := _plan(study, query.id)) is not None]
    result: dict[str, Share] = {}
    for places in joined(plans, [None] * len(plans)):
        own = [plans[place] for place in places]
        is_plain = len({plan.canonical for plan in own}) == len(own) <= MOST_TABLES
        if is_plain and any(plan.query.id in margins for plan in own):
            result |= _Set(study, tuple(own), margins).shares()
    return result


def _plan(study: Study, name: str) -> QueryPlan | None:
    query = study.query(name)
    try:
        return None if query is None or not query.share else compile_query(study, query)
    except Refused:
        return None


@dataclass(frozen=True)
class _Set:
    """Tables over the same rows; shares are relative to those of ``plans``."""

    study: Study
    plans: tuple[QueryPlan, ...]
    margins: Mapping[str, Fraction]

    def shares(self) -> dict[str, Share]:
        """The smaller shares, by query id; empty where none were found."""
        named = [place for place, plan in enumerate(self.plans) if plan.query.id in self.margins]
        parts = table_parts(JoinedTables(self.plans).marginals)
        power = 2 if self.plans[0].share.measure == "epsilon" else 1
        search = _Search(parts, named, [plan.share.units for plan in self.plans], power)
        shares, best = [1.0] * len(self.plans), None
        for _look in range(_LOOKS):
            made, shares, excess = self._within(shares, named, 2 / power)
            if made is not None and (best is None or _cost(made) < _cost(best)):
                best = made
            now = search.variances(shares)
            shares = search.cheapest(shares, {at: one**2 / now[at] for at, one in excess.items()})
        if best is None:
            return {}
        return {best[place].query.id: best[place].share for place in named}

    def _within(
        self, shares: Shares, named: Sequence[int], power: float
    ) -> tuple[tuple[QueryPlan, ...] | None, Shares, dict[int, float]]:
        """Plans at shares, or at a little more, that keep all margins, with what they have left."""
        for _turn in range(_TURNS):
            made = self._at(shares)
            excess = self._excess(made)
            if (most := max(excess.values())) <= 1:
                return made, shares, excess
            more = _ABOVE * most**power
            shares = [one * more if at in named else one for at, one in enumerate(shares)]
        return None, shares, excess

    def _at(self, shares: Shares) -> tuple[QueryPlan, ...]:
        pairs = zip(self.plans, shares, strict=True)
        return tuple(plan if one == 1 else self._repriced(plan, one) for plan, one in pairs)

    def _repriced(self, plan: QueryPlan, part: float) -> QueryPlan:
        units = max(math.ceil(plan.share.units * part * _ABOVE), plan.query.least_units)
        return compile_at_share(self.study, plan, plan.query.at_share(type(plan.share)(units)))

    def _excess(self, plans: tuple[QueryPlan, ...]) -> dict[int, float]:
        """By place, the margin that is stated over the one that is wanted."""
        stated = enumerate(plan.half_width for plan in planned(plans))
        wanted = [self.margins.get(plan.query.id) for plan in plans]
        return {
            place: float(margin / most)
            for place, margin in stated
            if margin is not None and (most := wanted[place]) is not None
        }


def _cost(plans: Sequence[QueryPlan]) -> int:
    return sum(plan.share.units for plan in plans)


@dataclass(frozen=True)
class _Search:
    """See the head of the module.

    Attributes:
        parts: of the tables, at their own shares.
        named: the places of the tables whose shares are sought.
        units: what each table costs at its own share.
        power: a precision grows with that power of a share.
    """

    parts: Sequence[TablePart]
    named: Sequence[int]
    units: Sequence[int]
    power: int

    def variances(self, shares: Shares) -> Shares:
        """Of all figures of each table together."""
        result = [0.0] * len(self.units)
        for part in self.parts:
            precision = part.precision(shares, self.power)
            for place, value in part.values.items():
                result[place] += value / precision
        return result

    def cheapest(self, shares: Shares, allowed: Mapping[int, float]) -> Shares:
        """Shares with all variances at most one over ``allowed``, by place, for the least sum."""
        weights = dict.fromkeys(allowed, 1.0)
        best, least = shares, math.inf
        for _step in range(_STEPS):
            shares = self._scaled(shares, allowed)
            now = self.variances(shares)
            if (cost := self._cost(shares)) < least:
                best, least = shares, cost
            excess = {place: one * now[place] for place, one in allowed.items()}
            weights = {place: one * excess[place] for place, one in weights.items()}
            slopes = self._slopes(shares, {at: weights[at] * one for at, one in allowed.items()})
            # Where the sum is least, a unit more of any share is worth the same.
            worth = {at: math.sqrt(slope / self.units[at]) for at, slope in slopes.items()}
            most = max(worth.values())
            shares = [one * worth.get(at, most) / most for at, one in enumerate(shares)]
        return best

    def _scaled(self, shares: Shares, allowed: Mapping[int, float]) -> Shares:
        """The least multiple of the shares sought that all variances allow."""
        for _turn in range(3):
            now = self.variances(shares)
            beyond = max(one * now[place] for place, one in allowed.items()) ** (1 / self.power)
            shares = [
                max(one * beyond, LEAST) if at in self.named else one
                for at, one in enumerate(shares)
            ]
        return shares

    def _cost(self, shares: Shares) -> float:
        return sum(shares[at] * self.units[at] for at in self.named)

    def _slopes(self, shares: Shares, weights: Mapping[int, float]) -> dict[int, float]:
        """By place, by how much the weighted variances fall with a share."""
        slopes = dict.fromkeys(self.named, 0.0)
        for part in self.parts:
            value = sum(weights.get(place, 0.0) * one for place, one in part.values.items())
            height = value / part.precision(shares, self.power) ** 2
            for place, worth in part.seen.items():
                if place in slopes:
                    slopes[place] += height * self.power * worth * shares[place] ** (self.power - 1)
        return slopes
