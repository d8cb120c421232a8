# SPDX-License-Identifier: Apache-2.0
r"""How far noise can have moved the cumulative incidence of one of several kinds of event.

With the counts of ``curve`` the incidence of kind k is F_j = sum of f_i over i up to j, where
f_i = S_(i-1) e_ik / n_i. As S_(i-1) is a product of (n_l - e_l) / n_l, it moves to first order with

    each number at risk n_l by (F_j - F_l) (1/m_l - 1/n_l) - f_l / n_l,
    each number of events e_l, of whatever kind, by -(F_j - F_l) / m_l,
    and with e_lk by S_(l-1) / n_l besides.

Which counts make these up, and so how far the noise in each of them moves F_j, the curve's own band
knows, with delayed entry or without. That is what the band of ``band`` holds for the part without
an event of the kind, 1 - F_j, which falls and is never below S_j: its logarithm moves by the same
over F_j - 1. Of one kind of event it is the band of the curve itself.

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
over N, and each weight lies between -1/N and 1/N. Why: with D_l = F_j - F_l, n_l = m_(l-1) and
f_l = D_(l-1) - D_l the sum of the first line from bin a to b is D_b / m_b - D_(a-1) / m_(a-1), both
between 0 and 1/N, as D_l is at most S_l = m_l / N. An event takes D_b / m_b away, and one of kind k
adds 1/N. So the margin is at most that of the sum of all noises, divided by N.
"""

from __future__ import annotations

import math
from itertools import accumulate

import numpy as np

from dpdesk.privacy.statistics.survival.band import LEAST, Band, Ends, FloatArray


class IncidenceBand(Band):
    """Between what the part without an event of one kind runs.

    Args:
        whole: of the curve without an event of any kind.
        kind: which one.
    """

    def __init__(self, whole: Band, kind: int) -> None:
        curve = whole.curve
        super().__init__(whole.noise, whole.drawn, curve, whole.is_public)
        self.whole, self.kind, self.beside = whole, kind, whole.beside
        self.shown: FloatArray = np.array(curve.incidence(kind))
        counts = np.array(curve.counts) / curve.parts
        self._events: FloatArray = counts.reshape(self.bins, curve.size)[:, :-1]
        self._before: FloatArray = np.array((1.0, *curve.survival[:-1]))

    @property
    def shares(self) -> tuple[float, ...]:
        """The part without an event of the kind at the end of each bin."""
        return tuple(1 - self.shown)

    def events(self, bin: int) -> float:
        """How many events of the kind there are up to the end of a bin."""
        return float(self._events[: bin + 1, self.kind].sum())

    def at_risk(self, bin: int) -> int:
        """How many rows are at risk in a bin."""
        return self.whole.at_risk(bin)

    def entered_in(self, bin: int) -> tuple[int, ...]:
        """How many rows come under observation in a bin."""
        return self.whole.entered_in(bin)

    def sure(self, miss: float) -> int:
        """Of how many bins, from the first one on, the count at risk is surely above 0."""
        return self.whole.sure(miss)

    @property
    def drawn_of(self) -> tuple[FloatArray, FloatArray]:
        """Of each bin how many counts make up the number at risk, and how many the events."""
        return self.whole.drawn_of

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
        moved = np.outer((self.shown[until] - self.shown[bin]) * at_risk / after, [1.0])
        moved = moved + self._before[until, None] * (np.arange(parts.shape[1]) == self.kind)
        spread = (moved**2 * parts).sum(axis=1) - (moved * parts).sum(axis=1) ** 2
        return math.sqrt(max(0.0, float((spread / at_risk).sum()))) / self.shares[bin]

    def weights(self, bin: int) -> FloatArray:
        """How far one of each count moves the logarithm at the end of a bin."""
        at_risk, after = self.chain[: 2 * bin + 2 : 2], self.chain[1 : 2 * bin + 2 : 2]
        later = self.shown[bin] - self.shown[: bin + 1]
        steps = np.diff(self.shown[: bin + 1], prepend=0.0)
        behind = np.zeros(self.bins - bin - 1)
        moved = self.whole.spread(
            np.concatenate([later * (1 / after - 1 / at_risk) - steps / at_risk, behind]),
            np.concatenate([-later / after, behind]),
        )
        own = np.concatenate([self._before[: bin + 1] / at_risk, behind])
        moved = moved + self.whole.of_kind(own, self.kind)
        return self.drawn_together(-moved / self.shares[bin])

    def moved(self, bin: int) -> float:
        """How far the logarithm is from what the noisy counts say, to first order."""
        shown = self.shares[bin]
        cut = math.log(max(1 - float(self.whole.incidence(self.kind)[bin]), LEAST) / shown)
        return super().moved(bin) + cut

    def part_unsure(self, bin: int) -> float:
        """How large the noise in numbers at risk is beside them, over what each one divides."""
        drawn, _events = self.drawn_of
        steps = np.diff(self.shown[: bin + 1], prepend=0.0)
        deviations = self.noise.scale * np.sqrt(2 * drawn[: bin + 1])
        beside = float(steps @ (deviations / self.chain[: 2 * bin + 2 : 2]))
        return beside / max(float(self.shown[bin]), LEAST)
