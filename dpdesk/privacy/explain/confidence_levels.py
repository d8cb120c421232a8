# SPDX-License-Identifier: Apache-2.0
"""How accurate a plan is at 90, 95 and 99 %: each figure by itself, and all of them at once.

Claim: an entry of ``each`` holds for each single figure (or choice) with that probability, an
entry of ``at_once`` for all figures of the query together; over the noise alone, for the worst
exact values, and for a ratio for the expected or public number of rows. Why: the noises of cells
are drawn independently, so n claims that each hold with 1 - m hold together with (1 - m)^n, and
m = 1 - (1 - miss)^(1/n) gives the miss wanted (``widths.each_miss``). Figures of one cell that
share their noise are bounded by one claim (a top m, a distribution; see there).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from dpdesk.privacy.distributions import noise_distribution, response
from dpdesk.privacy.distributions.ratio import ratio_half_width
from dpdesk.privacy.distributions.selection import top_bound
from dpdesk.privacy.distributions.widths import CONFIDENCES, each_miss
from dpdesk.privacy.plan import Part, Plan, QueryPlan
from dpdesk.privacy.statistics import bounds, distribution, variance
from dpdesk.privacy.statistics.base import way_of
from dpdesk.privacy.statistics.roots import close_root_up
from dpdesk.study.model.columns import Grid
from dpdesk.study.model.statistics import Statistic


@dataclass(frozen=True)
class Levels:
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


Width = Callable[[QueryPlan, float], Fraction]


def levels(plan: Plan) -> tuple[Levels, ...]:
    """The levels of every query that has a margin before the release."""
    found = (levels_of(query) for query in plan.queries)
    return tuple(one for one in found if one is not None)


def levels_of(plan: QueryPlan) -> Levels | None:
    """The levels of one query; ``None`` where its margin is not known before the release."""
    if plan.accuracy is None:
        return None
    width, claims = _WIDTHS[plan.query.statistic], _claims(plan)
    at_once = _DISTINCT.get(plan.query.statistic, _together)
    misses = [miss for _, miss in CONFIDENCES]
    return Levels(
        id=plan.query.id,
        what="unit" if plan.bound is None else plan.bound.what,
        claims=claims,
        in_100=tuple(times for times, _ in CONFIDENCES),
        each=tuple(width(plan, miss) for miss in misses),
        at_once=tuple(at_once(plan, miss) for miss in misses) if claims else (),
    )


def _claims(plan: QueryPlan) -> int:
    """How many independent claims a query makes: one a cell, and one a draw where it chooses."""
    if plan.query.statistic == "categories-found":
        return 0
    if plan.query.statistic == "bounds":
        return 2
    chosen = sum(part.noise.mechanism == "noisy-max" for part in plan.parts)
    return len(plan.cells) * max(chosen, 1)


def _together(plan: QueryPlan, miss: float) -> Fraction:
    claims = _claims(plan)
    each = miss if claims == 1 else each_miss(claims, miss)
    return _WIDTHS[plan.query.statistic](plan, each)


def _figure(plan: QueryPlan, miss: float) -> Fraction:
    """A count or a sum: its own noise."""
    part = plan.parts[0]
    return noise_distribution.half_width(part.noise, miss) * part.width


def _share(plan: QueryPlan, miss: float) -> Fraction:
    """Both counts of a share within one margin; see ``statistics.share``."""
    part, public = plan.parts[0], not plan.parts[0].measure.split
    both = miss if public else 1 - math.sqrt(1 - miss)
    found = noise_distribution.half_width(part.noise, both)
    return min(Fraction(found, _rows(plan)), Fraction(1))


def _mean(plan: QueryPlan, miss: float) -> Fraction:
    """The sum's noise over a public count, or the ratio of both noises."""
    total, grid = plan.parts[0], _grid(plan)
    if len(plan.parts) == 1:
        found = noise_distribution.half_width(total.noise, miss)
    else:
        reach = grid.last - grid.last // 2
        found = ratio_half_width(total.noise, plan.parts[1].noise, reach, miss)
    return min(found * total.width / _rows(plan), grid.last * total.width)


def _variance(plan: QueryPlan, miss: float) -> Fraction:
    return variance.before(_grid(plan), plan.parts, _rows(plan), miss)


def _deviation(plan: QueryPlan, miss: float) -> Fraction:
    return close_root_up(_variance(plan, miss))


def _response(plan: QueryPlan, miss: float) -> Fraction:
    rows, noise = plan.parts[0].cells, plan.parts[0].noise
    return Fraction(min(response.half_width(rows, noise.scale, miss), rows))


def _choice(plan: QueryPlan, miss: float) -> Fraction:
    """How far below the best a choice may be: of several draws, the one that says least."""
    return max(_chosen(part, miss) for part in plan.parts)


def _chosen(part: Part, miss: float) -> Fraction:
    noise = part.noise
    candidates = part.cells // noise.blocks
    found = top_bound(candidates, noise.scale, noise.picks, way_of(noise), miss)
    points = sum(part.measure.levels) if part.measure.kind == "quantile-scores" else 1
    return found * part.width / points


def _bounds(plan: QueryPlan, miss: float) -> Fraction:
    """From how many rows on a magnitude is seen: the threshold, and the noise below it."""
    noise = plan.parts[0].noise
    return Fraction(bounds.threshold(noise) + noise_distribution.half_width(noise, miss) + 1)


def _distribution(plan: QueryPlan, miss: float) -> Fraction:
    """Of the least certain running count."""
    return Fraction(
        max(distribution.margins(plan.parts[0].noise, distribution.tree_of(plan), miss))
    )


def _band(plan: QueryPlan, miss: float) -> Fraction:
    return Fraction(distribution.band(plan, miss))


def _rows(plan: QueryPlan) -> int:
    """The public or the expected number of rows that a ratio divides by."""
    rows = plan.public_rows or plan.query.expected
    if rows is None:
        raise ValueError("a ratio's margin needs a number of rows")
    return rows


def _grid(plan: QueryPlan) -> Grid:
    if plan.grid is None:
        raise ValueError("the statistic needs a number column")
    return plan.grid


_WIDTHS: dict[Statistic, Width] = {
    "count": _figure,
    "count-people": _figure,
    "sum": _figure,
    "share": _share,
    "mean": _mean,
    "variance": _variance,
    "standard-deviation": _deviation,
    "median": _choice,
    "quantiles": _choice,
    "interquartile-range": _choice,
    "distribution": _distribution,
    "most-common": _choice,
    "cut-off": _choice,
    "randomised-response": _response,
    "categories-found": _figure,
    "bounds": _bounds,
}
"""The half-width, or the bound, of one figure of each statistic, for what may miss."""

_DISTINCT: dict[Statistic, Width] = {"distribution": _band}
"""Statistics whose figures share their noise, with their own bound for all at once."""
