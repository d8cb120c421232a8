# SPDX-License-Identifier: Apache-2.0
r"""The survival curve of rows that come under observation late, and how far it may be off.

Each row lies in one cell: the bin of its entry, that of its exit, and how it leaves: with an event,
of one or of several kinds, or censored. A bin of entries begins where a time bin does, at B_a. When
in it a row enters is not known, so a row is at risk in a time bin for the part of it that it is
there on average, entries being spread evenly over their bin (``_members``):

    n_j = sum of the counts times that part, of those that leave in bin j or later,
    m_j = n_j - e_j, e_j those of them that have the event in bin j,

and the curve is S_j = product of m_i / n_i over i up to j, the product limit of left-truncated
times (Tsai, Jewell and Wang, 1987) in the form of a life table: where each bin of entries is one
time bin, a row counts for half of that (Cutler and Ederer, 1958). The first bin of entries counts
whole, as most in it are there from the start. A row leaves when its time bin ends, or, if censored,
in its middle (``curve``). Rows whose entry is not before their exit are either left out before
anything is counted, or are at risk in their last bin alone; which of both is declared.

Counted from the start of their bin of entries, made-up people who enter all through bins of two
and three time bins have a curve 3.8 points above that of each day after a year; so it is 0.1 points
below it, and never farther (``tests/acceptance/publish/entry.py``). Did all of them enter on the
first day of their bin it would be 5.0 points too low, on the last one 4.8 too high, and no range
allows for that.

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
event; at risk in part, it takes a part of each term, and none of these is below 0. Times S_j =
m_j / N they lie between -1/N and 1/N, as m_j <= m_b <= n_l. So the margin is at most that of the
sum of all noises, divided by N.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from operator import mul

import numpy as np

from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.statistics.survival.band import LEAST, Band, FloatArray, half_width
from dpdesk.privacy.statistics.survival.curve import SurvivalCurve, halved_in

PARTS = 1 << 20
"""Parts of one in which the published curve keeps numbers at risk."""


@dataclass(frozen=True)
class EntryBins:
    """Where bins of entries lie beside the bins of the time.

    Attributes:
        begins: of each bin of entries the time bin with which it begins, rising from 0.
        behind: the time bin behind the last one; how many time bins there are at most.
        spans: of each time bin the first and the last place on the time's grid.
    """

    begins: tuple[int, ...]
    behind: int
    spans: tuple[tuple[int, int], ...]

    @property
    def wide(self) -> tuple[bool, ...]:
        """Of each time bin whether it holds several times."""
        return tuple(first < last for first, last in self.spans)


class EntryBand(Band):
    """Between what the curve of rows that enter late runs.

    Args:
        noise: of every count.
        noisy: of each bin of entries, and in it of each time bin, the events, of every kind, then
            the censored.
        entries: where the bins of entries lie.
        keeps_late: whether rows that enter after their last bin count in it.
        kinds: of how many kinds events are.
    """

    def __init__(
        self,
        noise: Noise,
        noisy: tuple[int, ...],
        entries: EntryBins,
        *,
        keeps_late: bool,
        kinds: int = 1,
    ) -> None:
        self._at_risk, self._left, there = _members(entries, kinds + 1, keeps_late)
        at_risk, left, self._there = (
            which @ np.array(noisy) for which in (self._at_risk, self._left, there)
        )
        # Of each time bin the events and the censored, over all bins of entries.
        drawn = tuple(map(int, np.ravel(left, order="F")))
        super().__init__(noise, drawn, _cut(at_risk, left, entries.wide), False)
        self.beside = np.zeros(len(noisy))
        self.chain = np.ravel([at_risk, at_risk - left[:-1].sum(axis=0)], order="F")
        self._events: FloatArray = left[:-1]
        before = [0.0, *(self._there - left.sum(axis=0))[:-1]]
        self._entered: FloatArray = self._there - np.array(before)

    def at_risk(self, bin: int) -> int:
        """How many rows are at risk at any time of a bin, cut at 0 and rounded."""
        return max(0, round(float(self._there[bin])))

    def entered_in(self, bin: int) -> tuple[int, ...]:
        """How many rows come under observation in a bin, cut at 0 and rounded."""
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
                width = _width(self.noise, np.count_nonzero(which[bin]), miss)
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
    entries: EntryBins, ways: int, keeps_late: bool
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """How far each count is at risk in each bin, leaves in it in each way, and is there in it.

    Claim: with the entry E and the exit X of a row spread evenly over the times of their bins, as
    far as E < X, the part of bin i's times that are behind E is on average, where X is in bin j,

        (M_i - L) / n                   if X is behind the bin of entries, and bin i is in it,
        (M_i - L) / (M_j - L)           if X is in the bin of entries and behind bin i,
        (D + g) / (M_j - L)             if X is in the bin of entries and in bin i, with
                                        g = (w - 1)(2 w - 1) / (6 w),

    and 1 behind the bin of entries: L is the first of the n times of the bin of entries, M_i the
    mean time of bin i, w how many times bin j has, D its first time less L. Why: of the pairs
    E < X each is as frequent as any other, and sums of 1 to w and of their squares give the rest. A
    row at risk in its last bin is so up to the end of that, as in any life table, and, if censored,
    for half as much (``curve``). What ``keeps_late`` keeps counts whole.

    Args:
        entries: see ``EntryBand``.
        ways: how many ways to leave there are: an event of each kind, then being censored.
        keeps_late: see there.
    """
    spans = np.array(entries.spans, dtype=float)
    first, last, bins = spans[:, 0], spans[:, 1], len(spans)
    halved = np.array(halved_in(entries.wide, bins))
    middle, times, starts = (first + last) / 2, last - first + 1, np.append(first, last[-1] + 1)
    own_times = (times - 1) * (2 * times - 1) / (6 * times)
    shape = (bins, len(entries.begins), bins, ways)
    bin, entry, exit, way = np.ogrid[tuple(slice(size) for size in shape)]
    begin = np.array(entries.begins)[entry]
    behind = np.array((*entries.begins[1:], entries.behind))[entry]
    start, own = starts[begin], bin == exit
    inside = (begin <= exit) & (exit < behind)
    length = np.where(inside, middle[exit], starts[behind]) - start
    # Who enters in a bin of one time does not leave in it: what noise counts there counts whole.
    whole = (entry == 0) | (behind <= bin) | (length <= 0) | (begin > exit)
    length = np.where(whole, 1.0, length)
    leaving = np.where(inside, first[exit] - start + own_times[exit], length)
    part = np.where(whole, 1.0, np.where(own, leaving, middle[bin] - start) / length)
    part = part * np.where(own & (way == ways - 1) & halved[exit], 0.5, 1.0)
    there = np.where(whole | own, 1.0, (starts[bin + 1] - start) / length)
    is_there = np.where(begin > exit, own & keeps_late, (begin <= bin) & (bin <= exit))
    leaves = is_there & own & (way == np.arange(ways).reshape(-1, 1, 1, 1, 1))
    counts = len(entries.begins) * bins * ways
    return (
        (part * is_there).reshape(bins, counts),
        leaves.astype(float).reshape(ways, bins, counts),
        np.broadcast_to(there * is_there, shape).reshape(bins, counts),
    )


def _cut(at_risk: FloatArray, left: FloatArray, wide: tuple[bool, ...]) -> SurvivalCurve:
    """The published curve, with counts of 0 or more."""
    rest = before = np.maximum(at_risk, 0.0)
    events = []
    for had in left[:-1]:
        events.append(np.clip(had, 0.0, rest))
        rest = rest - events[-1]
    counts = PARTS * np.ravel([*events, np.maximum(left[-1], 0.0)], order="F")
    chain = PARTS * np.ravel([before, rest], order="F")
    factors = (after / n if n >= 1 else 1.0 for after, n in zip(rest, before, strict=True))
    survival = tuple(map(float, accumulate(factors, mul)))
    return SurvivalCurve(
        tuple(map(int, counts)), tuple(map(int, chain)), PARTS, survival, len(left) - 1, wide
    )


@lru_cache(maxsize=4096)
def _width(noise: Noise, counts: int, miss: float) -> float:
    """The half-width of a sum of this many noises."""
    return half_width(noise, np.ones(counts), miss)
