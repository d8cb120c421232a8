# SPDX-License-Identifier: Apache-2.0
"""Data for the plots, as arrays; made from the plan alone, without Qt and without the data."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpdesk.privacy.distributions import noise_distribution
from dpdesk.privacy.distributions.laplace import FloatVector
from dpdesk.privacy.plan import Part, QueryPlan
from dpdesk.privacy.statistics import METHODS
from dpdesk.study.model.amount import Share

POINTS = 201
REACH = 2.2
"""How far a noise plot reaches, in half-widths."""


@dataclass(frozen=True)
class NoiseCurve:
    """The noise of a query's figures, in the result's unit.

    Attributes:
        x, density: positions and heights, shape ``(201,)``.
        half_width: 95 in 100 lie within this.
        fills_range: the noise is wider than all that the figure can be. A figure is published
            within its range, so that every one lies within ``half_width``, where the curve ends.
    """

    x: FloatVector
    density: FloatVector
    half_width: float
    fills_range: bool = False


def noise_curve(plan: QueryPlan) -> NoiseCurve | None:
    """The curve of a query's noise; ``None`` without a margin or noise, or where one chooses.

    A count's or a sum's noise is drawn as it is, that of a ratio as wide as its margin: at the
    ratio that the noise moves most.
    """
    possible = METHODS[plan.query.statistic].possible(plan)
    # Totals are published as they are drawn.
    furthest = None if possible is None or possible.is_total else possible.width
    curve = _whole_curve(plan)
    if curve is None or furthest is None or curve.half_width < float(furthest):
        return curve
    return _within(curve, plan)


def _within(curve: NoiseCurve, plan: QueryPlan) -> NoiseCurve:
    """Of noise that is wider than the range, what lies within it.

    ``half_width`` is then the range's, and does not say how wide the noise is. Curves that are
    scaled by it are stretched to the first draw's own width.
    """
    first = METHODS[plan.query.statistic].moved_by(plan, plan.parts[0])
    stretched = max(1.0, first / curve.half_width)
    x = np.linspace(-curve.half_width, curve.half_width, POINTS)
    density = np.interp(x, curve.x * stretched, curve.density / stretched)
    return NoiseCurve(x, density, curve.half_width, fills_range=True)


def _whole_curve(plan: QueryPlan) -> NoiseCurve | None:
    if plan.half_width is None or plan.is_public:
        return None
    half_width, own = float(plan.half_width), float(plan.unrounded or plan.half_width)
    part = plan.parts[0]
    if part.noise.mechanism == "randomised-response":
        return _response_curve(part, half_width)
    # What one quantum weighs in the result: less than its width where a ratio divides it.
    unit = own / max(part.half_width, 1) if part.half_width else float(part.width)
    x, density = noise_distribution.curve(part.noise, REACH * max(part.half_width, 1), POINTS)
    return NoiseCurve(x * unit, density / unit, half_width)


def _response_curve(part: Part, half_width: float) -> NoiseCurve:
    """The normal curve with the deviation of the estimate from flipped answers (``response``)."""
    p = part.scale
    deviation = math.sqrt(part.cells * p * (1 - p)) / (2 * p - 1)
    x = np.linspace(-REACH * half_width, REACH * half_width, POINTS)
    return NoiseCurve(x, _normal(x, deviation), half_width)


def _normal(x: FloatVector, spread: float) -> FloatVector:
    result: FloatVector = np.exp(-0.5 * (x / spread) ** 2) / (spread * math.sqrt(2 * math.pi))
    return result


@dataclass(frozen=True)
class AveragingCurve:
    """Why asking again costs: the error of an average of r answers against what they cost.

    Attributes:
        repeats: r, shape ``(n,)``.
        error: standard deviation of the average, relative to one answer.
        spent: budget that r answers cost, each the float nearest to it: as large as a budget that
            is as large, where 7 times the float 0.1 is more than 0.7.
    """

    repeats: FloatVector
    error: FloatVector
    spent: FloatVector


def averaging_curve(share: Share, most: int = 50) -> AveragingCurve:
    """Averaging r independent answers divides the noise's spread by sqrt(r) and costs r shares."""
    repeats = np.arange(1, most + 1, dtype=np.float64)
    one = share.as_fraction()
    spent = np.array([float(number * one) for number in range(1, most + 1)])
    return AveragingCurve(repeats, 1 / np.sqrt(repeats), spent)
