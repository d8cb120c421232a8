# SPDX-License-Identifier: Apache-2.0
"""Data for the plots, as arrays; made from the plan alone, without Qt and without the data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpdesk.privacy.laplace import FloatVector, curve
from dpdesk.privacy.plan import QueryPlan
from dpdesk.study.amount import Epsilon

POINTS = 201
REACH = 2.2
"""How far a noise plot reaches, in half-widths."""


@dataclass(frozen=True)
class NoiseCurve:
    """The noise of a query's figures, in the result's unit.

    Attributes:
        x, density: positions and heights, shape ``(201,)``.
        half_width: 95 in 100 lie within this.
    """

    x: FloatVector
    density: FloatVector
    half_width: float


def noise_curve(plan: QueryPlan) -> NoiseCurve | None:
    """The curve of a query's noise; ``None`` for a mean without an expected group size.

    A count's or a sum's noise is drawn as it is. For a mean the noise of its parts, divided by
    the expected size, is drawn at the mean that the noise moves most.
    """
    if plan.half_width is None:
        return None
    half_width = float(plan.half_width)
    if plan.query.statistic == "mean" and plan.grid is not None:
        return _mean_curve(plan, plan.grid.last - plan.grid.last // 2, half_width)
    part = plan.parts[0]
    unit = float(part.width)
    reach = REACH * max(part.half_width, 1)
    x, density = curve(part.scale, reach, POINTS)
    return NoiseCurve(x * unit, density / unit, half_width)


def _mean_curve(plan: QueryPlan, furthest: int, half_width: float) -> NoiseCurve:
    """Density of (X - t*Y) / n for the worst mean t, the furthest from the centre."""
    noisy_sum, noisy_count = plan.parts
    size = plan.query.expected or 1
    unit = float(noisy_sum.width)
    first = noisy_sum.scale * unit / size
    second = noisy_count.scale * furthest * unit / size
    x = np.linspace(-REACH * half_width, REACH * half_width, POINTS)
    return NoiseCurve(x, _two_laplace(np.abs(x), first, second), half_width)


def _two_laplace(distance: FloatVector, first: float, second: float) -> FloatVector:
    """Density of the sum of two independent Laplace noises of the given scales.

    Equal scales b: (1 + d/b) e^(-d/b) / (4b); others: the difference of the two curves.
    """
    if abs(first - second) < 1e-6 * max(first, second):
        ratio = distance / first
        result: FloatVector = (1 + ratio) * np.exp(-ratio) / (4 * first)
        return result
    spread = 2 * (first**2 - second**2)
    result = (first * np.exp(-distance / first) - second * np.exp(-distance / second)) / spread
    return result


@dataclass(frozen=True)
class AveragingCurve:
    """Why asking again costs: the error of an average of r answers against what they cost.

    Attributes:
        repeats: r, shape ``(n,)``.
        error: standard deviation of the average, relative to one answer.
        spent: budget that r answers cost.
    """

    repeats: FloatVector
    error: FloatVector
    spent: FloatVector


def averaging_curve(share: Epsilon, most: int = 50) -> AveragingCurve:
    """Averaging r independent answers divides the noise's spread by sqrt(r) and costs r shares."""
    repeats = np.arange(1, most + 1, dtype=np.float64)
    return AveragingCurve(repeats, 1 / np.sqrt(repeats), repeats * (share.micro / 1e6))


@dataclass(frozen=True)
class TwoWorlds:
    """The distribution of one figure with and without one person.

    Attributes:
        x: positions in the result's unit, relative to the figure without the person.
        without, with_person: densities.
        ratio: without / with_person at each position.
        bound: e^loss, which the ratio never leaves (nor its inverse).
    """

    x: FloatVector
    without: FloatVector
    with_person: FloatVector
    ratio: FloatVector
    bound: float


def two_worlds(plan: QueryPlan) -> TwoWorlds:
    """The worst pair of worlds for a query's first part: shifted by its whole sensitivity."""
    part = plan.parts[0]
    unit = float(part.width)
    reach = max(REACH * part.half_width, 2.0 * part.sensitivity)
    x = np.linspace(-reach, reach + part.sensitivity, POINTS)
    height = np.tanh(0.5 / part.scale)
    here = height * np.exp(-np.abs(x) / part.scale)
    there = height * np.exp(-np.abs(x - part.sensitivity) / part.scale)
    return TwoWorlds(x * unit, here / unit, there / unit, here / there, float(np.exp(part.loss)))
