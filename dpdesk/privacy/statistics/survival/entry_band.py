# SPDX-License-Identifier: Apache-2.0
r"""The survival curve of rows that come under observation late, and how far it may be off.

Each row lies in one cell: the bin of its entry, that of its exit, and whether it has the event. A
bin of entries begins where a time bin does, at B_a, from which on its rows are at risk:

    n_j = sum of the counts with B_a <= j that leave in bin j or later,
    m_j = n_j - e_j, e_j those of them that have the event in bin j,

and the curve is S_j = product of m_i / n_i over i up to j, the product limit of left-truncated
times (Tsai, Jewell and Wang, 1987): each row enters when its bin of entries begins and leaves when
its time bin ends. Rows whose entry is not before their exit are either left out before anything is
counted, or are at risk in their last bin alone; which of both is declared.

Here n_j and e_j are the plain sums of noisy counts: of many cells that are mostly empty a fit above
0 would move rows from those at risk to empty ones. What is published is cut: n_j to 0 or more, e_j
to between 0 and n_j, so that each factor is between 0 and 1 and the curve falls. The band is around
what the noisy counts say before that.

**Band.** Noise X of a count moves log S_j by a X, a = sum over i up to j of [it is in m_i] / m_i -
[it is in n_i] / n_i. Half-widths and simultaneous misses are those of ``band``; a bin counts as
long as n_j and m_j are surely above 0 in it and all before. Chance is Greenwood's.

Claim: 95 times in 100 a group's whole curve of the exact counts lies in its band; what is of second
order was measured, not proven (``tests/privacy/statistics/survival/test_delayed_entry.py``).

Claim (before the release): of N rows that are all there from the beginning, nobody censored, each
|a| S_j is 1/N at most. For a cell that is at risk from bin l on, the sum of 1/m_i - 1/n_i from l on
is 1/m_j - 1/n_l, and for one that leaves in a bin b before that 1/m_b - 1/n_l, less 1/m_b for an
event; times S_j = m_j / N these lie between -1/N and 1/N, as m_j <= m_b <= n_l. So the margin is
at most that of the sum of all noises, divided by N.
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import accumulate
from operator import mul

import numpy as np

from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.statistics.survival.band import Band, FloatArray, half_width
from dpdesk.privacy.statistics.survival.curve import SurvivalCurve


class EntryBand(Band):
    """Between what the curve of rows that enter late runs.

    Args:
        noise: of every count.
        noisy: of each bin of entries, and in it of each time bin, the events, then the censored.
        begins: of each bin of entries the time bin from which on its rows are at risk, rising.
        keeps_late: whether rows that enter after their last bin count in it.

    Attributes:
        entered: how many rows are at risk first in each time bin.
    """

    def __init__(
        self, noise: Noise, noisy: tuple[int, ...], begins: tuple[int, ...], *, keeps_late: bool
    ) -> None:
        shape = (len(begins), len(noisy) // (2 * len(begins)), 2)
        self._at_risk, self._had, left, first = _members(shape, begins, keeps_late)
        at_risk, had, censored, self.entered = (
            which @ np.array(noisy) for which in (self._at_risk, self._had, left, first)
        )
        # Of each time bin the events and the censored, over all bins of entries.
        drawn = tuple(map(int, np.ravel([had, censored], order="F")))
        super().__init__(noise, drawn, _cut(at_risk, had, censored), False)
        self.beside = np.zeros(len(noisy))
        self.chain = np.ravel([at_risk, at_risk - had], order="F")

    def entered_in(self, bin: int) -> int:
        """How many rows are at risk from a bin on, cut at 0."""
        return max(0, round(float(self.entered[bin])))

    def sure(self, miss: float) -> int:
        """Of how many bins, from the first one on, all numbers at risk are surely above 0."""
        after = self._at_risk - self._had
        for bin in range(self.bins):
            for which, count in ((self._at_risk, 2 * bin), (after, 2 * bin + 1)):
                width = _width(self.noise, int(which[bin].sum()), miss)
                if self.chain[count] <= width:
                    return bin
        return self.bins

    def chance(self, bin: int) -> float:
        """How far chance moves the logarithm: its standard deviation (Greenwood, 1926)."""
        chain = np.array(self.curve.chain[: 2 * bin + 2], dtype=float)
        at_risk, after = chain[::2], chain[1::2]
        return math.sqrt(float(((at_risk - after) / (at_risk * after)).sum()))

    def moved(self, bin: int) -> float:
        """How far the published curve was cut."""
        at_risk, after = self.chain[: 2 * bin + 2 : 2], self.chain[1 : 2 * bin + 2 : 2]
        return float(np.log(after / at_risk).sum()) - math.log(self.shares[bin])

    def spread(self, at_risk: FloatArray, events: FloatArray) -> FloatArray:
        """How far one of each count moves a sum of numbers at risk and of events."""
        found: FloatArray = at_risk @ self._at_risk + events @ self._had
        return found

    @property
    def drawn_of(self) -> tuple[FloatArray, FloatArray]:
        """Of each bin how many counts make up the number at risk, and how many the events."""
        return self._at_risk.sum(axis=1), self._had.sum(axis=1)


@lru_cache(maxsize=32)
def _members(
    shape: tuple[int, int, int], begins: tuple[int, ...], keeps_late: bool
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Which counts are at risk in each bin, have the event, are censored, and are first at risk.

    Args:
        shape: how many bins of entries there are, how many time bins, and 2.
        begins: see ``EntryBand``.
        keeps_late: see there.
    """
    bins = np.arange(shape[1])
    exits = bins[None, :, None]
    entries = np.array(begins)[:, None, None]
    entries = np.minimum(entries, exits) if keeps_late else entries
    entries, exits, has = np.broadcast_arrays(entries, exits, np.array([True, False]))
    each = bins[:, None]
    entry, exit, event = (one.reshape(1, -1) for one in (entries, exits, has))
    at_risk = (entry <= each) & (each <= exit)
    leaves, first = at_risk & (exit == each), at_risk & (entry == each)
    found = (at_risk, leaves & event, leaves & ~event, first)
    at, had, left, entered = (one.astype(float) for one in found)
    return at, had, left, entered


def _cut(at_risk: FloatArray, had: FloatArray, censored: FloatArray) -> SurvivalCurve:
    """The published curve, with counts of 0 or more."""
    left = np.maximum(at_risk, 0.0)
    events = np.clip(had, 0.0, left)
    counts = np.ravel([events, np.maximum(censored, 0.0)], order="F")
    chain = np.ravel([left, left - events], order="F")
    factors = (1 - had / n if n >= 1 else 1.0 for had, n in zip(events, left, strict=True))
    survival = tuple(map(float, accumulate(factors, mul)))
    return SurvivalCurve(tuple(map(int, counts)), tuple(map(int, chain)), 1, survival)


@lru_cache(maxsize=4096)
def _width(noise: Noise, counts: int, miss: float) -> float:
    """The half-width of a sum of this many noises."""
    return half_width(noise, np.ones(counts), miss)
