# SPDX-License-Identifier: Apache-2.0
"""Data for the picture of a choice, as arrays; made from the plan alone, without the data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, sqrt
from statistics import NormalDist

import numpy as np

from dpdesk.privacy.distributions import noise_distribution
from dpdesk.privacy.distributions.laplace import FloatVector
from dpdesk.privacy.distributions.selection import chances
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.plan import Part, QueryPlan
from dpdesk.privacy.running_counts.strategy import worst_variance
from dpdesk.privacy.statistics.base import score_points, way_of
from dpdesk.privacy.statistics.bounds import threshold
from dpdesk.privacy.statistics.distribution import tree_of
from dpdesk.privacy.statistics.quantile_counts import candidates_of, rows_an_error

POINTS = 111
REACH = 2.2
"""How far the picture reaches, in bounds."""


@dataclass(frozen=True)
class ChoiceCurve:
    """How likely something happens by how many rows or points it is away.

    Attributes:
        x, chance: distances in the bound's unit, rising from 0, and probabilities.
        bound: the plan's bound, in the same unit.
        at_bound: the probability there.
        rises: whether it becomes likelier: sizes of value that are found; a worse candidate
            becomes less likely.
        reads_ranks: whether a value is read off noisy counts of the values up to it, and none is
            chosen: how likely noise moves one across the wanted rank.
    """

    x: FloatVector
    chance: FloatVector
    bound: float
    at_bound: float
    rises: bool
    reads_ranks: bool = False


def choice_curve(plan: QueryPlan) -> ChoiceCurve | None:
    """The curve of a choice; ``None`` where figures get noise and no bound is declared."""
    if plan.bound is None:
        return None
    part = plan.parts[0]
    if plan.query.declaration.finds is not None:
        return _found_curve(part.noise, int(plan.bound.distance))
    if plan.query.declaration.chooses == "group" and part.noise.is_additive:
        # Of two groups the difference of their counts has both noises.
        return _search_curve(sqrt(2) * _deviation(part), float(plan.bound.distance))
    if part.noise.is_additive:
        tree = tree_of(plan)
        rows = rows_an_error(tree, len(candidates_of(plan)))
        deviation = rows * _deviation(part) * sqrt(worst_variance(tree))
        curve = _search_curve(deviation, float(plan.bound.distance))
        return replace(curve, reads_ranks=True)
    return _worse_curve(max(plan.parts, key=_distance))


def _found_curve(noise: Noise, found_from: int) -> ChoiceCurve:
    """How often a count of this many passes the threshold of private bounds: P(n + X > t)."""
    least = threshold(noise)
    counts = _steps(REACH * found_from)
    chance = np.array([_exceeds(noise, least - n) for n in counts])
    at_bound = _exceeds(noise, least - found_from)
    return ChoiceCurve(np.array(counts, np.float64), chance, float(found_from), at_bound, True)


def _exceeds(noise: Noise, least: int) -> float:
    """P(X > least) of a symmetric noise."""
    if least >= 0:
        return noise_distribution.tail(least, noise) / 2
    return 1 - noise_distribution.tail(-least - 1, noise) / 2


def _search_curve(deviation: float, bound: float) -> ChoiceCurve:
    """How often a noisy count, the least certain one, is taken for one across the wanted rank.

    Many noises add up in it, so that the normal curve of their deviation is drawn.
    """
    x = np.array(_steps(REACH * bound), np.float64)
    normal = NormalDist(0, deviation)
    chance = np.array([normal.cdf(-gap) for gap in x])
    return ChoiceCurve(x, chance, bound, normal.cdf(-bound), rises=False)


def _deviation(part: Part) -> float:
    return part.scale * (sqrt(2) if part.noise.mechanism == "laplace" else 1)


def _worse_curve(part: Part) -> ChoiceCurve:
    """How often, of two candidates, the one with the lower score is chosen."""
    gaps = _steps(max(REACH * part.half_width, 3 * part.noise.scale))
    point = _point(part)
    chance = np.array([_worse(part, gap) for gap in gaps])
    bound = _distance(part)
    return ChoiceCurve(
        np.array(gaps) * point, chance, bound, _worse(part, part.half_width), rises=False
    )


def _worse(part: Part, gap: int) -> float:
    return float(chances((0, -gap), part.noise.scale, way_of(part.noise))[1])


def _point(part: Part) -> float:
    """What a point of score is worth."""
    return float(part.width / score_points(part))


def _distance(part: Part) -> float:
    return part.half_width * _point(part)


def _steps(reach: float) -> list[int]:
    """Whole numbers from 0 to the reach or just beyond, a hundred or so."""
    last = max(2, ceil(reach))
    return sorted({round(last * k / (POINTS - 1)) for k in range(POINTS)})
