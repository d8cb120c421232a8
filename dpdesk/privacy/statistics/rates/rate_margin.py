# SPDX-License-Identifier: Apache-2.0
r"""The margin of a rate that follows from two noisy sums.

With E' and T' events and exposure as released, r = E / T the true rate and X, Y the noises of the
sums, E' - r T' is a X + b Y with weights that are linear in r (``rate_sums``). With q(r) its
half-width, |E' - r T'| <= q(r) with probability 1 - miss or more, for every data set with T > 0:
Fieller's argument (Some problems in interval estimation, 1954) with the exact noise.

All else follows from this one event. r is 0 or more, and at most 1 / L where each row is exposed
for L quanta at least. q is convex in r for each bound of ``mixed_sum``, so q(r) <= q(0) + r s with
s what it grows by in the end, the half-width of the weights' growth; hence r <= (E' + q(0)) /
(T' - s) where T' > s. Else the exposure cannot be told from 0, every large rate fits, and none is
published. Each pass then takes the largest q over the rates that are left, which is at one of
both ends, and leaves those within it of E' / T' (as in ``moments``).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dpdesk.privacy.distributions.mixed_sum import mixed_bounds
from dpdesk.privacy.distributions.moments import PASSES, SLACK, half_width_between
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.statistics.figures_text import Figure
from dpdesk.privacy.statistics.rates.rate_sums import RateSums

TINY = 1e-12


@dataclass(frozen=True)
class DrawnRate:
    """How the sums of a cell were drawn.

    Attributes:
        sums: what a row adds.
        noise: of each sum.
        most: the largest rate that there can be, in events a quantum; ``None`` for no end.
    """

    sums: RateSums
    noise: Noise
    most: Fraction | None = None

    def solved(self, drawn: tuple[int, ...]) -> tuple[Fraction, Fraction]:
        """Events, and exposure in quanta."""
        events = Fraction(drawn[0], self.sums.event)
        return events, (drawn[1] - self.sums.beside * events) / self.sums.exposure

    def weights(self, rate: float) -> tuple[float, float]:
        """What E' - r T' takes of both noises, times W, without signs.

        Never nothing: the bounds of ``mixed_sum`` are convex where the number of noises stays.
        """
        first, second = self.growth
        return max(TINY, abs(1.0 + rate * first)), max(TINY, rate * second)

    @property
    def growth(self) -> tuple[float, float]:
        """What both weights grow by, with the rate."""
        sums = self.sums
        return sums.beside / sums.exposure, sums.event / sums.exposure

    def half_width_of_events(self, rate: float, miss: float) -> float:
        """Q at one rate, in events."""
        return self._widest(rate, rate, miss) / self.sums.event

    def half_width_of_exposure(self, miss: float) -> float:
        """Of T', in quanta."""
        return min(self._bounds(*self.growth, miss)) / self.sums.event

    def released(self, drawn: tuple[int, ...], miss: float) -> Figure | None:
        """The rate in events a quantum, with its margin.

        Claim: the exact rate is within the margin with probability 1 - miss or more; ``None``
        where the exposure cannot be told from 0.

        Args:
            drawn: both noisy sums.
            miss: how often the margin may fail.
        """
        events, exposure = self.solved(drawn)
        start = self._start(float(events), float(exposure), miss)
        if start is None:
            return None
        near, left = float(events / exposure), (0.0, start)
        for _ in range(PASSES):
            off = self._widest(*left, miss) / (self.sums.event * float(exposure)) * (1 + SLACK)
            low, high = max(left[0], near - off), min(left[1], near + off)
            if low > high:  # the event fails; nothing is promised then
                break
            left = (low, high)
        value = max(Fraction(0), events / exposure)
        value = value if self.most is None else min(value, self.most)
        least, last = map(Fraction, left)
        return Figure(value, max(value - least, last - value) * (1 + Fraction(SLACK)))

    def _start(self, events: float, exposure: float, miss: float) -> float | None:
        """A rate that none which fits is above; ``None`` where all large ones fit."""
        scale = self.sums.event
        still, growing = self._bounds(1.0, TINY, miss), self._bounds(*self.growth, miss)
        ends = [
            max(0.0, events + at / scale) / (exposure - by / scale) * (1 + SLACK)
            for at, by in zip(still, growing, strict=True)
            if exposure * scale > by * (1 + SLACK)
        ]
        if not ends:
            return None
        return min(ends) if self.most is None else min(*ends, float(self.most))

    def _widest(self, low: float, high: float, miss: float) -> float:
        """The largest q between two rates, in parts of an event."""
        ends = (self.weights(low), self.weights(high))
        return half_width_between(self.noise, ends, miss)

    def _bounds(self, first: float, second: float, miss: float) -> tuple[float, ...]:
        sizes = (max(TINY, abs(first)), max(TINY, abs(second)))
        return mixed_bounds((self.noise,) * 2, sizes, miss)
