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
    """The curve of a query's noise; ``None`` without a margin, or where a value is chosen.

    A count's or a sum's noise is drawn as it is. For a ratio of two noisy numbers the noise of
    its parts, divided by the expected size, is drawn at the ratio that the noise moves most.
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
    scaled by it, which are those of a ratio's first draw, are stretched to that draw's own width.
    """
    stretched = max(1.0, _first_draw(plan) / curve.half_width)
    x = np.linspace(-curve.half_width, curve.half_width, POINTS)
    density = np.interp(x, curve.x * stretched, curve.density / stretched)
    return NoiseCurve(x, density, curve.half_width, fills_range=True)


def _first_draw(plan: QueryPlan) -> float:
    """How far a ratio's first draw alone moves it; 0 where the curve is drawn of all draws."""
    if is_sum_over_count(plan):
        return 0.0
    return METHODS[plan.query.statistic].moved_by(plan, plan.parts[0])


def _whole_curve(plan: QueryPlan) -> NoiseCurve | None:
    if plan.half_width is None:
        return None
    half_width = float(plan.half_width)
    if is_sum_over_count(plan) and plan.grid is not None:
        return _mean_curve(plan, plan.grid.last - plan.grid.last // 2, half_width)
    part = plan.parts[0]
    if part.noise.mechanism == "randomised-response":
        return _response_curve(part, half_width)
    # What one quantum weighs in the result: less than its width where a ratio divides it.
    unit = half_width / max(part.half_width, 1) if part.half_width else float(part.width)
    x, density = noise_distribution.curve(part.noise, REACH * max(part.half_width, 1), POINTS)
    return NoiseCurve(x * unit, density / unit, half_width)


def is_sum_over_count(plan: QueryPlan) -> bool:
    """Whether a noisy sum is divided by a noisy count, and nothing else is drawn."""
    return [part.name for part in plan.parts] == ["sum", "rows"]


def _response_curve(part: Part, half_width: float) -> NoiseCurve:
    """The normal curve with the deviation of the estimate from flipped answers (``response``)."""
    p = part.scale
    deviation = math.sqrt(part.cells * p * (1 - p)) / (2 * p - 1)
    x = np.linspace(-REACH * half_width, REACH * half_width, POINTS)
    return NoiseCurve(x, _normal(x, deviation), half_width)


def _mean_curve(plan: QueryPlan, furthest: int, half_width: float) -> NoiseCurve:
    """Density of (X - t*Y) / n for the worst mean t, the furthest from the centre."""
    noisy_sum, noisy_count = plan.parts
    size = plan.query.expected or 1
    unit = float(noisy_sum.width)
    first = noisy_sum.scale * unit / size
    second = noisy_count.scale * furthest * unit / size
    x = np.linspace(-REACH * half_width, REACH * half_width, POINTS)
    kinds = {noisy_sum.noise.mechanism, noisy_count.noise.mechanism}
    if kinds == {"laplace"}:
        return NoiseCurve(x, _two_laplace(np.abs(x), first, second), half_width)
    # Where a Gaussian is in it, the sum is nearly one of the same spread.
    spread = math.hypot(
        first * _SPREAD[noisy_sum.noise.mechanism], second * _SPREAD[noisy_count.noise.mechanism]
    )
    return NoiseCurve(x, _normal(x, spread), half_width)


_SPREAD = {"laplace": math.sqrt(2), "gaussian": 1.0}
"""Standard deviation of a noise of scale 1."""


def _normal(x: FloatVector, spread: float) -> FloatVector:
    result: FloatVector = np.exp(-0.5 * (x / spread) ** 2) / (spread * math.sqrt(2 * math.pi))
    return result


def _two_laplace(distance: FloatVector, first: float, second: float) -> FloatVector:
    """Density of the sum of two independent Laplace noises of the given scales.

    Equal scales b: (1 + d/b) e^(-d/b) / (4b); others: the difference of the two curves.
    """
    if abs(first - second) < 1e-6 * max(first, second):
        ratio = distance / first
        result: FloatVector = (1 + ratio) * np.exp(-ratio) / (4 * first)
        return result
    spread = 2 * (first**2 - second**2)
    return (first * np.exp(-distance / first) - second * np.exp(-distance / second)) / spread


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
