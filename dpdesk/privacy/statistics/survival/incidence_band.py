# SPDX-License-Identifier: Apache-2.0
r"""How far noise can have moved the cumulative incidence of one of several kinds of event.

With the counts of ``curve`` the incidence of kind k is F_j = sum of f_i over i up to j, where
f_i = S_(i-1) e_ik / n_i. Noise X in a count of bin b moves log S_i by A_i X, with

    A_i = sum over l up to i of 1/m_l - 1/n_l = C_i    for i < b,
    A_i = C_(b-1) - 1/n_b for an event, + 1/m_b for a censored    from b on,

so it moves F_j to first order by the sum over i up to j of f_i (A_(i-1) - [i <= b] / n_i), and an
event of kind k in bin b up to j by S_(b-1) / n_b besides. That is what the band of ``band`` holds
for the part without an event of the kind, 1 - F_j, which falls and is never below S_j: its
logarithm moves by the same over F_j - 1. Of one kind of event it is the band of the curve itself.

**Chance.** Of the n_i at risk in a bin the parts h_l = e_il / n_i have an event of kind l. F_j
moves with h_l by g_l = S_(i-1) [l = k] - (F_j - F_i) n_i / m_i, so that its variance, of numbers
drawn in each bin apart, is the sum over i of (sum of g_l^2 h_l - (sum of g_l h_l)^2) / n_i
(delta method). Of one kind it is Greenwood's.

Claim: 95 times in 100 the incidences of all kinds of a group lie in their bands, as a whole. It is
that of ``band`` with each of the kinds missing a part of what the group may (union bound), and its
terms of second order were measured, not proven
(``tests/privacy/statistics/survival/test_incidence_band.py``). From where the number at risk is
not surely above 0 an incidence is known to be no lower than before: it rises.

Claim (before the release): with nobody censored and N rows at the start, F_j is a number of events
over N, and each weight lies between -1/N and 1/N. So the margin is at most that of the sum of all
noises, divided by N.
"""

from __future__ import annotations

import math
from itertools import accumulate

import numpy as np

from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.statistics.survival.band import Band, Ends, FloatArray
from dpdesk.privacy.statistics.survival.curve import SurvivalCurve


class IncidenceBand(Band):
    """Between what the part without an event of one kind runs.

    Args:
        noise: of every count.
        noisy: of each bin the events, of every kind, then the censored.
        curve: that fits them.
        is_public: whether the number of rows is.
        kind: which one.
    """

    def __init__(
        self,
        noise: Noise,
        noisy: tuple[int, ...],
        curve: SurvivalCurve,
        is_public: bool,
        kind: int,
    ) -> None:
        super().__init__(noise, noisy, curve, is_public)
        self.kind = kind
        self.incidence: FloatArray = np.array(curve.incidence(kind))
        counts = np.array(curve.counts) / curve.parts
        self._events: FloatArray = counts.reshape(self.bins, curve.size)[:, :-1]
        self._before: FloatArray = np.array((1.0, *curve.survival[:-1]))

    @property
    def shares(self) -> tuple[float, ...]:
        """The part without an event of the kind at the end of each bin."""
        return tuple(1 - self.incidence)

    def events(self, bin: int) -> float:
        """How many events of the kind there are up to the end of a bin."""
        return float(self._events[: bin + 1, self.kind].sum())

    def incidence_ends(self, miss: float) -> tuple[Ends, ...]:
        """Of each bin the lowest and the highest incidence, of all bins together.

        Args:
            miss: how often the curve may be outside anywhere.
        """
        ends = [(1 - high, 1 - low) for low, high in self.ends(miss)]
        lows = accumulate((low for low, _high in ends), max)
        return tuple((low, high) for low, (_low, high) in zip(lows, ends, strict=True))

    def chance(self, bin: int) -> float:
        """How far chance moves the logarithm: its standard deviation."""
        until = slice(bin + 1)
        at_risk, after = self.chain[: 2 * bin + 2 : 2], self.chain[1 : 2 * bin + 2 : 2]
        parts = self._events[until] / at_risk[:, None]
        moved = np.outer((self.incidence[until] - self.incidence[bin]) * at_risk / after, [1.0])
        moved = moved + self._before[until, None] * (np.arange(parts.shape[1]) == self.kind)
        spread = (moved**2 * parts).sum(axis=1) - (moved * parts).sum(axis=1) ** 2
        return math.sqrt(max(0.0, float((spread / at_risk).sum()))) / self.shares[bin]

    def weights(self, bin: int) -> FloatArray:
        """How far one of each count moves the logarithm at the end of a bin."""
        at_risk, after = self.chain[: 2 * bin + 2 : 2], self.chain[1 : 2 * bin + 2 : 2]
        steps = np.diff(self.incidence[: bin + 1], prepend=0.0)
        moved = np.concatenate([[0.0], np.cumsum(1 / after - 1 / at_risk)])[:-1]
        own = np.cumsum(steps * (moved - 1 / at_risk))
        later = self.incidence[bin] - self.incidence[: bin + 1]
        found: FloatArray = np.full((self.bins, self.curve.size), own[-1])
        found[: bin + 1, :] = (own + later * (moved - 1 / at_risk))[:, None]
        found[: bin + 1, -1] += later / after
        found[: bin + 1, self.kind] += self._before[: bin + 1] / at_risk
        return self.drawn_together(-found.ravel() / self.shares[bin])
