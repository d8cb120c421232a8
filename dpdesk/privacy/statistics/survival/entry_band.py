# SPDX-License-Identifier: Apache-2.0
r"""The survival curve of rows that come under observation late, and how far it may be off.

Each row lies in one cell: the bin of its entry, that of its exit, and how it leaves: with an event,
of one or of several kinds, or censored. A bin of entries begins where a time bin does, at B_a, from
which on its rows are at risk:

    n_j = sum of the counts with B_a <= j that leave in bin j or later, those censored in it halved,
    m_j = n_j - e_j, e_j those of them that have the event in bin j,

and the curve is S_j = product of m_i / n_i over i up to j, the product limit of left-truncated
times (Tsai, Jewell and Wang, 1987): each row enters when its bin of entries begins and leaves when
its time bin ends, or, if censored, in its middle (``curve``). Rows whose entry is not before their
exit are either left out before anything is counted, or are at risk in their last bin alone; which
of both is declared.

Here n_j and e_j are the plain sums of noisy counts: of many cells that are mostly empty a fit above
0 would move rows from those at risk to empty ones. What is published is cut: n_j to 0 or more, e_j
to between 0 and n_j, of several kinds one after the other to what is left, so that each factor is
between 0 and 1 and the curve falls. The band is around what the noisy counts say before that.

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
from dpdesk.privacy.statistics.survival.band import LEAST, Band, FloatArray, half_width
from dpdesk.privacy.statistics.survival.curve import SurvivalCurve, halved_in


class EntryBand(Band):
    """Between what the curve of rows that enter late runs.

    Args:
        noise: of every count.
        noisy: of each bin of entries, and in it of each time bin, the events, of every kind, then
            the censored.
        begins: of each bin of entries the time bin from which on its rows are at risk, rising.
        keeps_late: whether rows that enter after their last bin count in it.
        kinds: of how many kinds events are.
        wide: of each time bin whether it holds several times; empty where none does.
    """

    def __init__(
        self,
        noise: Noise,
        noisy: tuple[int, ...],
        begins: tuple[int, ...],
        *,
        keeps_late: bool,
        kinds: int = 1,
        wide: tuple[bool, ...] = (),
    ) -> None:
        size = kinds + 1
        shape = (len(begins), len(noisy) // (size * len(begins)), size)
        halved = halved_in(wide, shape[1])
        self._at_risk, self._left, first = _members(shape, begins, keeps_late, halved)
        at_risk, left, self._entered = (
            which @ np.array(noisy) for which in (self._at_risk, self._left, first)
        )
        # Of each time bin the events and the censored, over all bins of entries.
        drawn = tuple(map(int, np.ravel(left, order="F")))
        super().__init__(noise, drawn, _cut(at_risk, left, wide), False)
        self.beside = np.zeros(len(noisy))
        self.chain = np.ravel([at_risk, at_risk - left[:-1].sum(axis=0)], order="F")
        self._events: FloatArray = left[:-1]

    def entered_in(self, bin: int) -> tuple[int, ...]:
        """How many rows are at risk from a bin on, cut at 0."""
        return (max(0, round(float(self._entered[bin]))),)

    def incidence(self, kind: int) -> FloatArray:
        """Cumulative incidence of the plain sums; nothing is added where nobody is at risk."""
        at_risk, after = np.maximum(self.chain[::2], 1.0), np.maximum(self.chain[1::2], 0.0)
        before = np.cumprod([1.0, *(after / at_risk)[:-1]])
        found: FloatArray = np.cumsum(before * self._events[kind] / at_risk)
        return found

    def sure(self, miss: float) -> int:
        """Of how many bins, from the first one on, all numbers at risk are surely above 0."""
        after = self._at_risk - self._left[:-1].sum(axis=0)
        for bin in range(self.bins):
            if self.shares[bin] < LEAST:
                return bin
            for which, count in ((self._at_risk, 2 * bin), (after, 2 * bin + 1)):
                width = _width(self.noise, int((which[bin] > 0).sum()), miss)
                # Where a kind is below 0 the others, cut to those at risk, may leave nobody.
                if self.chain[count] <= width or not self.curve.chain[count]:
                    return bin
        return self.bins

    def chance(self, bin: int) -> float:
        """How far chance moves the logarithm: its standard deviation (Greenwood, 1926)."""
        chain = np.array(self.curve.chain[: 2 * bin + 2], dtype=float) / self.curve.parts
        at_risk, after = chain[::2], chain[1::2]
        return math.sqrt(float(((at_risk - after) / (at_risk * after)).sum()))

    def moved(self, bin: int) -> float:
        """How far the published curve was cut."""
        at_risk, after = self.chain[: 2 * bin + 2 : 2], self.chain[1 : 2 * bin + 2 : 2]
        return float(np.log(after / at_risk).sum()) - math.log(self.shares[bin])

    def spread(self, at_risk: FloatArray, events: FloatArray) -> FloatArray:
        """How far one of each count moves a sum of numbers at risk and of events."""
        found: FloatArray = at_risk @ self._at_risk + events @ self._left[:-1].sum(axis=0)
        return found

    def of_kind(self, events: FloatArray, kind: int) -> FloatArray:
        """How far one of each count moves a sum of events of one kind."""
        found: FloatArray = events @ self._left[kind]
        return found

    @property
    def drawn_of(self) -> tuple[FloatArray, FloatArray]:
        """Of each bin how many counts make up the number at risk, and how many the events."""
        return (self._at_risk**2).sum(axis=1), self._left[:-1].sum(axis=(0, 2))


@lru_cache(maxsize=32)
def _members(
    shape: tuple[int, int, int],
    begins: tuple[int, ...],
    keeps_late: bool,
    halved: tuple[bool, ...],
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Which counts are at risk in each bin, leave in it in each way, and are first at risk in it.

    Args:
        shape: how many bins of entries there are, how many time bins, and how many ways to leave:
            an event of each kind, then being censored.
        begins: see ``EntryBand``.
        keeps_late: see there.
        halved: of each time bin whether those censored in it count for half.
    """
    bins = np.arange(shape[1])
    exits = bins[None, :, None]
    entries = np.array(begins)[:, None, None]
    entries = np.minimum(entries, exits) if keeps_late else entries
    each = np.broadcast_arrays(entries, exits, np.arange(shape[2]))
    entry, exit, way = (one.reshape(1, -1) for one in each)
    bin, ways = bins[:, None], np.arange(shape[2])[:, None, None]
    at_risk = (entry <= bin) & (bin <= exit)
    leaves, first = at_risk & (exit == bin) & (way == ways), at_risk & (entry == bin)
    at, left, entered = (one.astype(float) for one in (at_risk, leaves, first))
    return at - left[-1] * np.array(halved)[:, None] / 2, left, entered


def _cut(at_risk: FloatArray, left: FloatArray, wide: tuple[bool, ...]) -> SurvivalCurve:
    """The published curve, with counts of 0 or more."""
    rest = before = np.maximum(at_risk, 0.0)
    events = []
    for had in left[:-1]:
        events.append(np.clip(had, 0.0, rest))
        rest = rest - events[-1]
    counts = 2 * np.ravel([*events, np.maximum(left[-1], 0.0)], order="F")
    chain = 2 * np.ravel([before, rest], order="F")
    factors = (after / n if n >= 1 else 1.0 for after, n in zip(rest, before, strict=True))
    survival = tuple(map(float, accumulate(factors, mul)))
    return SurvivalCurve(
        tuple(map(int, counts)), tuple(map(int, chain)), 2, survival, len(left) - 1, wide
    )


@lru_cache(maxsize=4096)
def _width(noise: Noise, counts: int, miss: float) -> float:
    """The half-width of a sum of this many noises."""
    return half_width(noise, np.ones(counts), miss)
