# SPDX-License-Identifier: Apache-2.0
r"""A funnel: rates or ratios of units over their exposure, between limits around all of them.

Claim of the limits, for one unit: if its events are Poisson with the rate r of all units, its
published rate E' / T' is within r -+ Q(T') / T' with the chance of the limit, Q(T') the half-width
of E' - r T': the noise of ``rate_margin`` (or ``pooled_margin``) and, independent of it, a normal
number of variance r T' for chance. r is taken as the released rate of all units, T' for T, and the
Poisson for normal: limits to look by, not tests. ``is_outside`` of one unit in twenty is expected
where units do not differ. All of it follows from what was released.

A unit whose exposure cannot be told from 0 has no point, and is counted.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist

from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.statistics.base import Noisy, by_cell
from dpdesk.privacy.statistics.rates.over_ages import cells_of, ratio_of
from dpdesk.privacy.statistics.rates.pooled_margin import Drawn, PooledRate
from dpdesk.privacy.statistics.rates.rate import drawn_rate, factor_of
from dpdesk.release.record.values import ReleasedQuery
from dpdesk.study.model.columns import CategoryColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.standard_populations import ages_of

LEVELS = 0.05, 0.002
"""What lies outside the limits: of 95 and of 99.8 per cent."""
FEWEST_UNITS, MOST_UNITS = 5, 300
_STEPS = 24


@dataclass(frozen=True)
class FunnelPoint:
    """One unit.

    Attributes:
        name: of the unit.
        exposure: as released; of a ratio the events expected.
        value: its rate or ratio, as it is published.
        outside: beyond how many of both limits it is.
    """

    name: str
    exposure: float
    value: float
    outside: int


@dataclass(frozen=True)
class FunnelLimits:
    """Both limits at some exposures.

    Attributes:
        exposures: rising.
        noisy: of each level and exposure, half of the distance between its limits.
        chance: the same of the first level without the noise.
    """

    exposures: tuple[float, ...]
    noisy: tuple[tuple[float, ...], ...]
    chance: tuple[float, ...]


@dataclass(frozen=True)
class Funnel:
    """What a funnel plot draws.

    Attributes:
        centre: the rate or ratio of all units together.
        without: how many units have no point.
        of_ratio: whether ratios over expected events are drawn.
    """

    points: tuple[FunnelPoint, ...]
    limits: FunnelLimits
    centre: float
    without: int
    of_ratio: bool


def has_funnel(study: Study, query: Query) -> bool:
    """Whether a query asks for rates or ratios of units: groups that are no ages nor periods."""
    if not query.declaration.has_funnel or len(query.by) != 1:
        return False
    column = study.column(query.by[0]) if isinstance(query.by[0], str) else None
    if not isinstance(column, CategoryColumn) or ages_of(column):
        return False
    return FEWEST_UNITS <= len(column.values) <= MOST_UNITS


def funnel_of(
    study: Study, query: Query, released: ReleasedQuery, names: Sequence[str]
) -> Funnel | None:
    """The funnel of a released query; ``None`` where all units together have no rate.

    Args:
        study: as released.
        query: one that has a funnel.
        released: the same, with what was drawn.
        names: of the units, as people read them.
    """
    plan = compile_query(study, query)
    of_ratio = query.unit == "ratio"
    pooled, units = _units(plan, released.drawn.noisy, of_ratio)
    factor = Fraction(1) if of_ratio else factor_of(plan)
    sums = [pooled.sums(unit) for unit in units]
    least = pooled.off_of_exposure(LEVELS[0])
    kept = [(name, *both) for name, both in zip(names, sums, strict=True) if both[1] > least]
    events, exposure = (sum((one[at] for one in sums), Fraction(0)) for at in (0, 1))
    if len(kept) < FEWEST_UNITS or exposure <= 0 or events <= 0:
        return None
    centre = float(events / exposure)
    off = _limits(pooled, centre)
    places = _places([float(one[2]) for one in kept])
    scale = float(factor)
    points = tuple(
        FunnelPoint(
            name,
            float(t * _quantum(plan, of_ratio)),
            float(e / t) * scale,
            sum(abs(float(e / t) - centre) > off(float(t), level) for level in LEVELS),
        )
        for name, e, t in kept
    )
    z = -NormalDist().inv_cdf(LEVELS[0] / 2)
    limits = FunnelLimits(
        tuple(place * float(_quantum(plan, of_ratio)) for place in places),
        tuple(tuple(off(place, level) * scale for place in places) for level in LEVELS),
        tuple(z * math.sqrt(centre / place) * scale for place in places),
    )
    return Funnel(points, limits, centre * scale, len(sums) - len(kept), of_ratio)


def _quantum(plan: QueryPlan, of_ratio: bool) -> Fraction:
    """What an exposure of 1 is in the unit of its axis; expected events are shown as they are."""
    grid = plan.grid
    return Fraction(1) if of_ratio or grid is None else grid.quantum


def _units(plan: QueryPlan, noisy: Noisy, of_ratio: bool) -> tuple[PooledRate, list[Drawn]]:
    if of_ratio:
        return ratio_of(plan.question, plan.parts[0]), cells_of(plan, noisy)
    how = drawn_rate(plan, plan.parts[0])
    return PooledRate(how, (Fraction(1),), how.most), [(pair,) for pair in by_cell(plan, noisy)]


def _limits(pooled: PooledRate, centre: float) -> Callable[[float, float], float]:
    def off(exposure: float, level: float) -> float:
        return pooled.off_with_chance(centre, exposure, level) / exposure

    return off


def _places(exposures: Sequence[float]) -> list[float]:
    """Exposures at which limits are worked out: even steps of their roots, as limits narrow."""
    low, high = math.sqrt(min(exposures)), math.sqrt(max(exposures))
    return [(low + (high - low) * at / _STEPS) ** 2 for at in range(_STEPS + 1)]
