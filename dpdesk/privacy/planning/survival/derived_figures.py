# SPDX-License-Identifier: Apache-2.0
r"""Figures that follow from survival curves: of what was drawn, public plans, and nothing else.

Each is a function of a group's curve S, the fitted one of ``curve``, or of two groups' curves.

* **Survival at a time**: S at the end of a bin.
* **Median**: the end of the first bin with S <= 1/2.
* **Restricted mean**: the mean time without the event, up to the end of bin J: the area below S,
  which falls along a line in a bin of several times, at the end of a bin of one. Up to the time's
  lowest value, where the first bin begins, S is 1: if everybody has the event on day 1, the mean is
  1 day. So it is that of the times themselves, T or the end of bin J if T is later (Royston and
  Parmar 2013), wherever the bins begin.
* **Difference** of two groups' survival at a time.

**Survival and differences** have the ends of ``shares``, as what is left of those with the event.

**Margins of a restricted mean.** The logarithm of S_j moves by a_jk X_k for noise X_k of count k
(see ``band``), so S_j by S_j a_jk X_k, a sum of curves by the sum of these. The half-width is that
of the weighted sum (``noise_sum``), widened for what is of second order as in ``shares``, around
the figure of the noisy counts to first order. Noise and chance add a normal number: for the
logarithm of S_j its variance is that of Greenwood, sum over i up to j of e_i / (n_i m_i), for a
restricted mean the sum of A_i^2 times the same, with A_i the area below S from t_i to t_J. They are
given from ``FEWEST_EVENTS`` events of a group on.

**Median.** Its ends are where those of the curve cross 1/2. With the noise's whole band, L and H:
the first bin with L <= 1/2, and the first with H <= 1/2, not reached where there is none. Claim:
95 times in 100 the median of the exact counts' curve is between. Why: the whole curve S lies in
the band, so S_j <= 1/2 follows from H_j <= 1/2, and L_j <= 1/2 from S_j <= 1/2. With noise and
chance each bin has an interval of its own, missed on each side half as often. The first bin with
L <= 1/2 is behind the median m only if S_m < L_m. The upper end is the first bin from which on all
H <= 1/2; it is before m only if H < S in bin m - 1. So both ends together miss as often as one
interval may miss on both sides (Brookmeyer and Crowley 1982).

Claim of the others: the exact figure, or with chance that of the population, lies between the ends
95 times in 100. The linear part has its exact distribution; what is of second order is no proof,
but was measured (``tests/privacy/planning/survival/test_derived_figures.py``, at full length 500
draws each). A figure is given as long as the number at risk is surely above 0 up to its bin.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.planning.survival.log_rank import LogRank, log_rank
from dpdesk.privacy.planning.survival.shares import (
    FEWEST_EVENTS,
    PART,
    at,
    difference,
    half_width,
    share_of,
    wider_at,
)
from dpdesk.privacy.statistics.survival.band import Band, Ends, FloatArray
from dpdesk.privacy.statistics.survival.incidence_band import IncidenceBand

FigureName = Literal[
    "survival-at",
    "median-time",
    "restricted-mean",
    "survival-difference",
    "log-rank",
    "incidence-at",
    "incidence-difference",
]
HALF = 0.5


@dataclass(frozen=True)
class DerivedFigure:
    """One figure with its ends.

    Attributes:
        name: what it is.
        groups: of which group, or two; none of a test of all.
        bin: up to the end of which bin; ``None`` where it has none.
        value: it; ``None`` where it is not reached, or noise leaves nothing of it.
        noise: between what the figure of the exact counts lies; ``None`` where nothing is known.
            An upper end of infinity is not reached.
        chance: the same over noise and chance, of the population's figure.
        test: of a test its outcome.
        kind: of which kind of event; ``None`` where there are no kinds.
    """

    name: FigureName
    groups: tuple[int, ...] = ()
    bin: int | None = None
    value: float | None = None
    noise: Ends | None = None
    chance: Ends | None = None
    test: LogRank | None = None
    kind: int | None = None


@dataclass(frozen=True)
class _Linear:
    """A figure that noise and chance move by weighted sums.

    Attributes:
        value: as it is published.
        middle: of the noisy counts, to first order.
        weights: of each group's noises.
        deviation: of chance; ``None`` where nothing is said of it.
    """

    value: float
    middle: float
    weights: tuple[tuple[Noise, FloatArray], ...]
    deviation: float | None


def derived_figures(
    bands: Sequence[Band], ends: Sequence[float], begins: float, times: Sequence[int], miss: float
) -> Iterator[DerivedFigure]:
    """All figures: of each group, then of each but the first beside the first, then the test.

    Args:
        bands: one a group.
        ends: where each bin ends, in the unit of the time.
        begins: where the first bin begins.
        times: the declared ones, as bins at whose ends they are, rising; at least one.
        miss: how often each may be outside.
    """
    for group, band in enumerate(bands):
        for bin in times:
            yield _survival_at(band, group, bin, miss)
        yield _median(band, group, ends, miss)
        yield _restricted_mean(band, group, ends, begins, times[-1], miss)
    for group in range(1, len(bands)):
        for bin in times:
            yield _difference_at((bands[group], bands[0]), (group, 0), bin, miss)
    if len(bands) > 1:
        yield DerivedFigure("log-rank", test=log_rank(bands, miss))


def _survival_at(band: Band, group: int, bin: int, miss: float) -> DerivedFigure:
    """A group's curve at the end of a bin: what is left of those with the event."""
    found = at(share_of(IncidenceBand(band, 0), bin, miss), miss)
    if found is None:
        return DerivedFigure("survival-at", (group,), bin)
    had, noise, chance = found
    left = None if chance is None else _left(chance)
    return DerivedFigure("survival-at", (group,), bin, 1 - had, _left(noise), left)


def _left(ends: Ends) -> Ends:
    return 1 - ends[1], 1 - ends[0]


def _of_logarithm(band: Band, bin: int, miss: float, deviation: float) -> Ends:
    """Between what survival at the end of a bin lies, by its logarithm."""
    middle = math.log(band.shares[bin]) + band.moved(bin)
    width = half_width(((band.noise, band.weights(bin)),), miss, deviation)
    return math.exp(min(middle - width, 0.0)), math.exp(min(middle + width, 0.0))


def _median(band: Band, group: int, ends: Sequence[float], miss: float) -> DerivedFigure:
    low, high = zip(*band.ends(miss), strict=True)
    noise = (_at(_first(low), ends), _at(_first(high), ends))
    value = _first(band.shares)
    sure = band.sure(miss / band.bins)
    chance = None
    if sure and _events(band, min(sure, band.bins) - 1):
        each = [_of_logarithm(band, bin, miss, band.chance(bin)) for bin in range(sure)]
        lows = [*(one for one, _ in each), *[0.0] * (band.bins - sure)]
        # Behind the last sure bin nothing is known: the upper end must be crossed before.
        above = [bin for bin, (_, one) in enumerate(each) if one > HALF]
        last = above[-1] + 1 if above else 0
        # The noise's range is of the whole curve: that of noise and chance never ends inside it.
        both = (_at(_first(lows), ends), _at(last if last < sure else None, ends))
        chance = (min(noise[0], both[0]), max(noise[1], both[1]))
    middle = None if value is None or value >= max(sure, 1) else _within(ends[value], noise)
    if noise == (ends[0], math.inf) and sure == 0:
        return DerivedFigure("median-time", (group,))
    return DerivedFigure("median-time", (group,), None, middle, noise, chance)


def _first(shares: Sequence[float]) -> int | None:
    """The first bin with at most one half."""
    return next((bin for bin, share in enumerate(shares) if share <= HALF), None)


def _at(bin: int | None, ends: Sequence[float]) -> float:
    return math.inf if bin is None else ends[bin]


def _restricted_mean(
    band: Band, group: int, ends: Sequence[float], begins: float, bin: int, miss: float
) -> DerivedFigure:
    found = DerivedFigure("restricted-mean", (group,), bin)
    # Where the curve falls at the end of the last bin alone, its value there takes no area.
    wide = np.array(band.curve.wide or (False,) * band.bins)[: bin + 1]
    last = bin + int(wide[bin])
    if last > band.sure(miss / band.bins):
        return found
    widths = np.diff([begins, *ends[: bin + 1]])
    before, behind = widths * (1 - wide / 2), widths * wide / 2
    areas = np.array([1.0, *band.shares[:last]])
    areas *= np.append(before, 0.0)[: last + 1] + np.append(0.0, behind)[: last + 1]
    weights = sum((areas[i + 1] * band.weights(i) for i in range(last)), 0 * band.beside)
    deviation = None
    if last == 0 or _events(band, last - 1):
        beyond = np.cumsum(areas[::-1])[::-1][1:]
        variances = np.diff([0.0, *(band.chance(i) ** 2 for i in range(last))])
        deviation = math.sqrt(float(beyond**2 @ variances))
    value = begins + float(areas.sum())
    middle = value + sum(areas[i + 1] * band.moved(i) for i in range(last))
    linear = _Linear(value, middle, ((band.noise, weights),), deviation)
    wider = wider_at(IncidenceBand(band, 0), last - 1) if last else 1.0
    noise, chance = _ends(linear, miss, (begins, ends[bin]), wider)
    return DerivedFigure("restricted-mean", (group,), bin, value, noise, chance)


def _difference_at(
    both: Sequence[Band], groups: tuple[int, int], bin: int, miss: float
) -> DerivedFigure:
    """A group's curve less another one's: how many more of the other one have had the event."""
    mine, other = (share_of(IncidenceBand(band, 0), bin, miss) for band in both)
    found = difference(other, mine, miss) or (None, None, None)
    return DerivedFigure("survival-difference", groups, bin, *found)


def _ends(linear: _Linear, miss: float, possible: Ends, wider: float) -> tuple[Ends, Ends | None]:
    """The ends of the noise, then of noise and chance; around either value, as in ``shares``."""
    bare = wider * half_width(linear.weights, PART * miss, 0.0)
    far = abs(linear.value - linear.middle) > bare
    about = (linear.middle, linear.value) if far else (linear.middle,)

    def around(width: float) -> Ends:
        return max(min(about) - width, possible[0]), min(max(about) + width, possible[1])

    if linear.deviation is None:
        return around(bare), None
    with_chance = wider * half_width(linear.weights, PART * miss, linear.deviation)
    return around(bare), around(with_chance)


def _within(value: float, ends: Ends) -> float:
    return min(max(value, ends[0]), ends[1])


def _events(band: Band, bin: int) -> bool:
    """Whether there are enough events up to a bin to say something of chance."""
    return band.events(bin) >= FEWEST_EVENTS
