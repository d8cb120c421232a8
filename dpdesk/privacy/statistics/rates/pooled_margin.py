# SPDX-License-Identifier: Apache-2.0
r"""Events over a weighted exposure of several cells: a crude rate, and a standardised ratio.

With E_i' and T_i' as released and c_i >= 0 declared, R = sum of E_i / sum of c_i T_i: with all
c_i = 1 the crude rate of all cells, with c_i the reference rates the ratio of events to those that
were expected (indirect standardisation). As in ``rate_margin`` for one cell,

    sum of E_i' - R (sum of c_i T_i') = sum of the noises of E_i' - R c_i T_i',

a weighted sum of independent noises of one scale whose weights are linear in R and known at each R.
Its half-width Q(R) is that of ``weighted_sum``, convex in the weights, so Q(R) <= Q(0) + R s with s
that of their growth, and the passes of ``rate_margin`` hold word for word. Where the weighted
exposure cannot be told from 0 there is no R.

For the population R is events expected over exposure, the exposures taken as they are: beside the
noise stands sum of E_i - R (sum of c_i T_i), taken for a normal number of variance R times the
largest weighted exposure that fits (Poisson), and half an event is added at both ends for its
being whole. That is approximate for few events: with fewer than ``FEWEST`` that
are surely there nothing is said.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpdesk.privacy.distributions.moments import PASSES, SLACK
from dpdesk.privacy.distributions.weighted_sum import half_width_beside
from dpdesk.privacy.population.counts_and_shares import Ends
from dpdesk.privacy.statistics.figures_text import Figure
from dpdesk.privacy.statistics.rates.rate_margin import TINY, DrawnRate

Drawn = Sequence[tuple[int, ...]]
"""Both noisy sums of each cell."""

FEWEST = 10
OF_BOUNDS = 0.002
"""What the bounds of exposure and of events may miss, each, of an interval for the population."""


@dataclass(frozen=True)
class PooledRate:
    """How the sums of the cells were drawn, and what their exposures count.

    Attributes:
        how: of one cell.
        factors: c of each cell, 0 or more, not all 0; in what R is published, an event a quantum.
        most: the largest R there can be; ``None`` for no end.
    """

    how: DrawnRate
    factors: tuple[Fraction, ...]
    most: Fraction | None = None

    def sums(self, drawn: Drawn) -> tuple[Fraction, Fraction]:
        """Events, and the weighted exposure."""
        solved = [self.how.solved(pair) for pair in drawn]
        exposures = zip(self.factors, solved, strict=True)
        events = sum((one for one, _ in solved), Fraction(0))
        return events, sum((c * t for c, (_, t) in exposures), Fraction(0))

    def off_of_events(self, miss: float) -> float:
        """The half-width of the events."""
        return self._off(0.0, miss)

    def off_at_one(self, miss: float) -> float:
        """The half-width at an R of 1, in events."""
        return self._off(1.0, miss)

    def off_with_chance(self, rate: float, exposure: float, miss: float) -> float:
        """The half-width of E' - R X' with the chance of as many events as R makes of X."""
        return self._off(rate, miss, math.sqrt(rate * exposure))

    def off_of_exposure(self, miss: float) -> float:
        """The half-width of the weighted exposure."""
        first, second = self.how.growth
        sizes = tuple(float(c) * one for c in self.factors for one in (first, second))
        return self._beside(sizes, 0.0, miss)

    def released(self, drawn: Drawn, miss: float) -> Figure | None:
        """R with its margin.

        Claim: the exact R is within it with probability 1 - miss or more; ``None`` where the
        weighted exposure cannot be told from 0.

        Args:
            drawn: see ``Drawn``.
            miss: how often the margin may fail.
        """
        events, exposure = self.sums(drawn)
        off = self.off_of_exposure(miss)
        if float(exposure) <= off * (1 + SLACK):
            return None
        start = self._start(float(events), float(exposure), off, miss)
        low, high = self._passed(float(events / exposure), float(exposure), start, miss)
        value = self._held(events / exposure)
        width = max(value - Fraction(low), Fraction(high) - value, Fraction(0))
        return Figure(value, width * (1 + Fraction(SLACK)))

    def population(self, drawn: Drawn, miss: float) -> Ends | None:
        """Between what R of the population lies; see the head of the module."""
        events, exposure = self.sums(drawn)
        off = self.off_of_exposure(OF_BOUNDS)
        sure = float(events) - self.off_of_events(OF_BOUNDS)
        if float(exposure) <= off or sure < FEWEST:
            return None
        left, reach = miss - 2 * OF_BOUNDS, float(exposure) + off
        # The exposure is clear of what it is off by less often, so of this as well.
        start = self._start(
            float(events), float(exposure), self.off_of_exposure(left / 2), left / 2
        )
        start = (start + 2 * math.sqrt(start / float(exposure))) * 2
        near, ends = float(events / exposure), (0.0, start)
        for _ in range(PASSES):
            deviation = math.sqrt(ends[1] * reach)
            widest = max(self._off(rate, left, deviation) for rate in ends)
            width = (widest + 0.5) / float(exposure) * (1 + SLACK)
            ends = max(0.0, near - width), near + width
        return rounded_ends(ends, self.most)

    def _passed(
        self, near: float, exposure: float, start: float, miss: float
    ) -> tuple[float, float]:
        left = (0.0, start)
        for _ in range(PASSES):
            off = max(self._off(rate, miss) for rate in left) / exposure * (1 + SLACK)
            low, high = max(left[0], near - off), min(left[1], near + off)
            if low > high:  # the event fails; nothing is promised then
                break
            left = (low, high)
        return left

    def _start(self, events: float, exposure: float, off: float, miss: float) -> float:
        """An upper end of R, where the exposure is clear of what it is off by."""
        start = max(0.0, events + self._off(0.0, miss)) / (exposure - off) * (1 + SLACK)
        return start if self.most is None else min(start, float(self.most))

    def _off(self, rate: float, miss: float, deviation: float = 0.0) -> float:
        """Q at one R, in events, with a normal number of events beside the noise."""
        sizes = (one for c in self.factors for one in self.how.weights(rate * float(c)))
        return self._beside(tuple(sizes), deviation, miss)

    def _beside(self, sizes: tuple[float, ...], deviation: float, miss: float) -> float:
        event = self.how.sums.event
        kept = tuple(max(TINY, abs(size)) for size in sizes)
        return half_width_beside(self.how.noise, kept, deviation * event, miss) / event

    def _held(self, value: Fraction) -> Fraction:
        value = max(Fraction(0), value)
        return value if self.most is None else min(value, self.most)


def rounded_ends(ends: tuple[float, float], most: Fraction | None) -> Ends:
    """Outwards to a grid: machines whose last bits differ find the same."""
    mantissa = math.frexp(ends[1])[1] if ends[1] else 0
    unit = Fraction(2) ** (mantissa - 20)
    low = math.floor(Fraction(max(0.0, ends[0])) / unit) * unit
    high = math.ceil(Fraction(ends[1]) / unit) * unit
    return low, high if most is None else min(high, most)
