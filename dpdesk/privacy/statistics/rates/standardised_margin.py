# SPDX-License-Identifier: Apache-2.0
r"""The margin of a directly standardised rate: rates of age groups, weighted by a standard's.

With w_i the weights (together 1), r_i = E_i / T_i the exact rates and E_i', T_i' as released,
D' = sum of w_i E_i' / T_i' is published for D = sum of w_i r_i. With N_i = E_i' - r_i T_i' (noise
alone, ``rate_margin``) and U_i = T_i' - T_i,

    D' - D = sum of w_i N_i / T_i' = sum of w_i N_i / T_i - sum of w_i N_i U_i / T_i^2 + ...

What is left out is of third order in noise over exposure. Claim, to second order: |D' - D| is
within the margin with probability 1 - miss or more. Why.

* The first sum is one of independent noises with weights (w_i / T_i) a_i and (w_i / T_i) b_i, a_i
  and b_i those of N_i at r_i; its half-width is that of ``weighted_sum``.
* The second has the mean sum of (w_i / T_i^2) (a_i g_i + b_i h_i) v at most in size, v the noise's
  variance and g_i, h_i the weights of U_i, and by Cauchy and Schwarz the variance
  sum of (w_i / T_i^2)^2 (a_i^2 + b_i^2) (g_i^2 + h_i^2) m at most, m its fourth moment where
  6 v^2 <= 2 m. Of a Laplace of scale s v <= 2 s^2 and m <= 24 s^4, as X + U is a continuous one
  (``weighted_sum``); of a Gaussian v <= s^2 and m <= 16 s^4, as it is sub-Gaussian. It is not
  correlated with the first sum, since all noises are symmetric: ``DEVIATIONS`` of it and the first
  half-width are added as squares, and the mean is added to both.

T_i, r_i and the weights at them are taken as released. So no D is published where the exposure of
a used group is less than ``CLEAR`` times the half-width of its own noise: with nearly nothing,
nothing, or less, no rate of it is ever divided. The tests measure the claim at that limit and
beyond, with few and many groups, in both kinds of noise.

For the population D is the sum of w_i times the expected rates: N_i has beside it the chance of
E_i, taken for a normal number of variance V, the sum of (w_i / T_i')^2 E_i (Poisson), of all E_i no
more than noise lets them be; half an event of the weightiest group is added. Where one weighty
group has few events, perhaps none, the upper end of a normal number is too low: with c the largest
w_i / T_i', the end is at least that of a gamma distribution of mean D' + c and variance V + c^2
(Fay and Feuer, Confidence intervals for directly standardized rates, 1997), whose distance from D'
and the noise's half-width are added as squares (Zou and Donner, Construction of confidence limits
about effect measures, 2008). Approximate for few events: with fewer than ``FEWEST`` that are surely
there nothing is said.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist

from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.distributions.moments import SLACK
from dpdesk.privacy.distributions.weighted_sum import half_width_beside
from dpdesk.privacy.population.counts_and_shares import Ends
from dpdesk.privacy.statistics.figures_text import Figure
from dpdesk.privacy.statistics.rates.pooled_margin import FEWEST, OF_BOUNDS, Drawn, rounded_ends
from dpdesk.privacy.statistics.rates.rate_margin import TINY, DrawnRate

CLEAR = 3
DEVIATIONS = 3


@dataclass(frozen=True)
class _Cell:
    """One age group as released.

    Attributes:
        weight: of its rate.
        rate: in events a quantum.
        events: as released.
        exposure: as released, in quanta.
        sizes: a and b, the weights of N.
    """

    weight: Fraction
    rate: Fraction
    events: float
    exposure: float
    sizes: tuple[float, float]

    @property
    def per_event(self) -> float:
        """What an event adds to D."""
        return float(self.weight) / self.exposure


@dataclass(frozen=True)
class StandardisedRate:
    """How the sums of the age groups were drawn, and what each group counts.

    Attributes:
        how: of one cell.
        weights: of each age group, together 1.
    """

    how: DrawnRate
    weights: tuple[Fraction, ...]

    def released(self, drawn: Drawn, miss: float) -> Figure | None:
        """D in events a quantum with its margin; ``None`` where there is none.

        Args:
            drawn: both noisy sums of each age group.
            miss: how often the margin may fail.
        """
        cells = self._cells(drawn)
        if not cells:
            return None
        value = max(Fraction(0), _value(cells))
        value = value if self.how.most is None else min(value, self.how.most)
        return Figure(value, Fraction(self._off(cells, miss) * (1 + SLACK)))

    def population(self, drawn: Drawn, miss: float) -> Ends | None:
        """Between what D of the population lies; see the head of the module."""
        cells = self._cells(drawn)
        if not cells or self._sure_events(cells) < FEWEST:
            return None
        near, deviation = float(_value(cells)), self._deviation(cells)
        left, most = miss - OF_BOUNDS, max(cell.per_event for cell in cells)
        off = self._off(cells, left, deviation) + 0.5 * most
        above = gamma_above(max(near, 0.0) + most, math.hypot(deviation, most), left / 2) - near
        beyond = max(off, math.hypot(self._off(cells, left), above))
        return rounded_ends((near - off, near + beyond), self.how.most)

    def before(self, exposure: float, rate: float, miss: float) -> float:
        """The margin of D where each age group has this exposure and this rate."""
        sizes = self.how.weights(rate)
        cells = [_Cell(w, Fraction(rate), 0.0, exposure, sizes) for w in self.weights if w]
        return self._off(cells, miss)

    @property
    def least_exposure(self) -> float:
        """What each age group has to exceed, in quanta, so that there is a rate."""
        return CLEAR * self.how.half_width_of_exposure(MISS)

    def _cells(self, drawn: Drawn) -> list[_Cell]:
        """The age groups that count; none where the exposure of one is not clear of its noise."""
        least = self.least_exposure
        cells = []
        for weight, pair in zip(self.weights, drawn, strict=True):
            events, exposure = self.how.solved(pair)
            if weight and exposure <= least:
                return []
            if weight:
                rate = events / exposure
                sizes = self.how.weights(max(0.0, float(rate)))
                cells.append(_Cell(weight, rate, float(events), float(exposure), sizes))
        return cells

    def _off(self, cells: Sequence[_Cell], miss: float, chance: float = 0.0) -> float:
        sizes = [cell.per_event * one for cell in cells for one in cell.sizes]
        mean, deviation = self._second_order(cells)
        return math.hypot(self._sum_off(sizes, chance, miss), DEVIATIONS * deviation) + mean

    def _sum_off(self, sizes: list[float], chance: float, miss: float) -> float:
        event, scale = self.how.sums.event, max(sizes)
        # In parts of the largest: weights as small as rates of one in a million lose no digits.
        kept = tuple(max(TINY, size / scale) for size in sizes)
        off = half_width_beside(self.how.noise, kept, chance * event / scale, miss)
        return off * scale / event

    def _second_order(self, cells: Sequence[_Cell]) -> tuple[float, float]:
        """The second sum's mean and deviation, at most."""
        unit = float(self.how.noise.scale) / self.how.sums.event
        is_laplace = self.how.noise.mechanism == "laplace"
        variance = (2 if is_laplace else 1) * unit**2
        fourth = (24 if is_laplace else 16) * unit**4
        g, h = map(abs, self.how.growth)
        mean = squares = 0.0
        for cell in cells:
            (a, b), factor = cell.sizes, cell.per_event / cell.exposure
            mean += factor * (a * g + b * h) * variance
            squares += factor**2 * (a * a + b * b) * (g * g + h * h) * fourth
        return mean, math.sqrt(squares)

    def _deviation(self, cells: Sequence[_Cell]) -> float:
        """Of the chance of D, where all events together are the most that noise lets them be."""
        squares = [cell.per_event**2 for cell in cells]
        events = math.fsum(
            c * max(0.0, cell.events) for c, cell in zip(squares, cells, strict=True)
        )
        return math.sqrt(events + self._sum_off(squares, 0.0, OF_BOUNDS))

    def _sure_events(self, cells: Sequence[_Cell]) -> float:
        off = self._sum_off([1.0] * len(cells), 0.0, OF_BOUNDS)
        return math.fsum(cell.events for cell in cells) - off


def gamma_above(mean: float, deviation: float, miss: float) -> float:
    """What a gamma distribution exceeds with probability ``miss``.

    By Wilson and Hilferty, The distribution of chi-square, 1931. 10 events: 18.4 (Garwood 1936).

    >>> round(gamma_above(11.0, 11.0**0.5, 0.025), 1)
    18.4
    """
    part = deviation / mean / 3
    return mean * (1 - part * part + NormalDist().inv_cdf(1 - miss) * part) ** 3


def _value(cells: Sequence[_Cell]) -> Fraction:
    return sum((cell.weight * cell.rate for cell in cells), Fraction(0))
