# SPDX-License-Identifier: Apache-2.0
r"""How far noise can have moved a survival curve, and where it leaves nothing.

With the chain of ``curve`` (n_1, m_1, n_2, m_2 ...) the logarithm of the curve is

    log S_j = sum over i up to j of log m_i - log n_i,

and each n_i, m_i is the sum of the counts behind it. With the noise X_k of count k it moves by

    sum over k of a_k X_k,    a_k = sum of 1/m_i - 1/n_i over the members of the chain that hold k,

and by terms of second order. So the band is log S + sum of a_k (y_k - x_k), what the noisy counts y
say beside the fitted ones x, give or take a half-width of the weighted sum of noises: with the
weights of x, which are released.

**Half-width.** For every l > 0, P(|sum of a_k X_k| > w) <= 2 exp(-l w) * product of E exp(l a_k X)
(Chernoff, both sides alike). For discrete Laplace noise of scale s and p = exp(-1/s) that
expectation is (1-p)^2 / ((1-p e^u)(1-p e^-u)) at u = l a, |u| < 1/s; for discrete Gaussian noise
it is exp(s^2 u^2 / 2) at most (Canonne, Kamath and Steinke 2020). The best l of a fixed list is
taken: each is right. A normal number of deviation d beside the noises adds l^2 d^2 / 2.

**Where it ends.** An at-risk count that is not surely above 0 divides nothing: from the first bin
on after whose events the noisy count at risk is within its own half-width of 0, the band reaches
down to 0 and up to where it was before.

**All of a curve at once.** Each bin may miss a part of what the curve may (union bound), the curve
falls, and so the highest of the band falls from bin to bin, and its lowest, too.

Claim: 95 times in 100 a group's whole curve of the exact counts lies in its band. Why: union and
Chernoff bounds are never too small for the linear part; what the terms of second order take is
less than what both of them are too wide, as long as the count at risk is surely above 0. That is
no proof but was measured: of 300 draws of each of ten shapes of data, in bins of one time and in
wide ones, at four scales, with both noises, a secret and a public total, at most 10 left their
band anywhere (``tests/privacy/statistics/survival/test_survival_band.py`` draws 2,000 of them).

Claim (before the release): with nobody censored before and N rows at the start, S_j = m_j / N, and
each |a_k| S_j <= 1/N: for events up to j, a_k = -1/N; for other counts a_k lies between 0 and
1/m_j - 1/N, and S_j (1/m_j - 1/N) = (1 - S_j)/N. So the margin is at most that of the sum of all
noises, divided by N. With censored rows it is the same with m_j / S_j for N.
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.statistics.survival.curve import SurvivalCurve

FloatArray = npt.NDArray[np.float64]
Ends = tuple[float, float]
TRIED = np.geomspace(0.004, 0.98, 56)
"""Parts of the largest l that are tried: neighbours are 1.1 apart, which costs 1 in 400."""
ROUNDING = 1e-9
LEAST = 1e-9
"""A smaller share is nothing: what is left of a number of 64 bits is then no number any more."""


def half_width(noise: Noise, weights: FloatArray, miss: float, deviation: float = 0.0) -> float:
    """A w with P(|sum of weights times noises + G| > w) <= miss; see the head of the module.

    Args:
        noise: Laplace or Gaussian.
        weights: one a noise.
        miss: what may lie beyond.
        deviation: of G, a normal number beside the noises; 0 for none.

    One Laplace noise of scale 10 is beyond 30 five times in 100.

    >>> round(half_width(Noise("laplace", 10.0), np.array([1.0]), 0.05)), round(10 * math.log(20))
    (59, 30)
    """
    weights = np.abs(weights[weights != 0])
    norm = math.sqrt(float(weights @ weights))
    if noise.mechanism == "gaussian" or not norm:
        far = math.hypot(noise.scale * norm, deviation)
        return far * math.sqrt(2 * math.log(2 / miss)) * (1 + ROUNDING)
    p, tried = math.exp(-1 / noise.scale), TRIED / (noise.scale * float(weights.max()))
    u = np.outer(tried, weights)
    # (1 - p e^u)(1 - p e^-u) = (1 - p)^2 - 2 p (cosh u - 1)
    logs = -np.log1p(-2 * p * (np.cosh(u) - 1) / (1 - p) ** 2).sum(axis=1)
    logs += (tried * deviation) ** 2 / 2
    return float(((math.log(2 / miss) + logs) / tried).min()) * (1 + ROUNDING)


class Band:
    """Between what the curve of a group's exact counts runs.

    Args:
        noise: of every count.
        noisy: of each bin the events, of every kind, then the censored.
        curve: that fits them.
        is_public: whether the number of rows is.

    Attributes:
        beside: what the noisy counts say beside the fitted ones.
        chain: of each bin the number at risk, then that number after its events.
        halves: of each bin what those censored in it do not count of it: a half or nothing.
        drawn: the noisy counts.
    """

    def __init__(
        self, noise: Noise, noisy: tuple[int, ...], curve: SurvivalCurve, is_public: bool
    ) -> None:
        self.curve = curve
        self.noise, self.is_public, self.drawn = noise, is_public, noisy
        beside = np.array(noisy, float) - np.array(curve.counts, float) / curve.parts
        self.beside: FloatArray = beside - beside.mean() if is_public else beside
        self.chain: FloatArray = np.array(curve.chain, dtype=float) / curve.parts
        self.halves: FloatArray = np.array(curve.halved) / 2

    @property
    def bins(self) -> int:
        """How many there are."""
        return len(self.curve.survival)

    @property
    def shares(self) -> tuple[float, ...]:
        """The curve at the end of each bin."""
        return self.curve.survival

    def at_risk(self, bin: int) -> int:
        """How many rows are at risk when a bin begins, rounded."""
        return self.curve.at_risk(bin)

    def entered_in(self, bin: int) -> tuple[int, ...]:
        """How many rows are at risk from a bin on; nothing where all are from the start."""
        return ()

    def incidence(self, kind: int) -> FloatArray:
        """Cumulative incidence of a kind of event at the end of each bin, of plain numbers."""
        return np.array(self.curve.incidence(kind))

    def events(self, bin: int) -> float:
        """How many events the curve has up to the end of a bin."""
        return float((self.chain[: 2 * bin + 2 : 2] - self.chain[1 : 2 * bin + 2 : 2]).sum())

    def sure(self, miss: float) -> int:
        """Of how many bins, from the first one on, the count at risk is surely above 0.

        And the curve is: with delayed entry it may fall below any share with many left at risk.
        """
        size = self.curve.size
        after, beside = self.chain[1::2], np.cumsum(self.beside[::-1])[::-1][size - 1 :: size]
        beside = beside - self.halves * self.beside[size - 1 :: size]
        least = np.minimum(after + beside, after)
        widths = _at_risk(self.noise, size, self.is_public, miss, self.curve.halved)
        short = np.flatnonzero((least <= widths) | (np.array(self.shares) < LEAST))
        return int(short[0]) if len(short) else self.bins

    def ends(self, miss: float) -> tuple[tuple[float, float], ...]:
        """Of each bin the lowest and the highest value, of all of them together.

        Args:
            miss: how often the curve may be outside anywhere.
        """
        each = miss / self.bins
        sure = self.sure(each)
        found = [self.around(bin, each) for bin in range(sure)]
        highs = accumulate((high for _low, high in found), min, initial=1.0)
        *_, last = highest = tuple(highs)
        lowest = tuple(accumulate((low for low, _high in reversed(found)), max))[::-1]
        behind = ((0.0, last),) * (self.bins - sure)
        return (*((min(ends), ends[1]) for ends in zip(lowest, highest[1:], strict=True)), *behind)

    def around(
        self, bin: int, miss: float, deviation: float = 0.0, wider: float = 1.0
    ) -> tuple[float, float]:
        """The lowest and the highest value at the end of one bin whose count at risk is sure.

        They are around the noisy counts' curve. Where noise alone does not reach from there to the
        published one, of the nearest possible counts, it was rare, and which of the two is nearer
        is not known: they are then those around either, which miss no more often.

        Args:
            bin: the bin.
            miss: how often the curve may be outside there.
            deviation: of a normal number beside the noise, that moves the logarithm.
            wider: what the half-width is times.
        """
        published, moved = math.log(self.shares[bin]), self.moved(bin)
        width = wider * half_width(self.noise, self.weights(bin), miss, deviation)
        about = [published + moved]
        if moved and abs(moved) > wider * half_width(self.noise, self.weights(bin), miss, 0.0):
            about.append(published)
        return math.exp(min(min(about) - width, 0.0)), math.exp(min(max(about) + width, 0.0))

    def chance(self, bin: int) -> float:
        """How far chance moves the logarithm: its standard deviation (Greenwood, 1926)."""
        at_risk, after = self.chain[: 2 * (bin + 1) : 2], self.chain[1 : 2 * (bin + 1) : 2]
        return math.sqrt(float(((at_risk - after) / (at_risk * after)).sum()))

    def unsure(self, bin: int) -> float:
        """How large the noise in a number at risk is beside it, at most, up to the end of a bin."""
        drawn, _events = self.drawn_of
        at_risk = np.maximum(self.chain[: 2 * bin + 2 : 2], 1.0)
        return float((self.noise.scale * np.sqrt(2 * drawn[: bin + 1]) / at_risk).max())

    def weights(self, bin: int) -> FloatArray:
        """How far one of each count moves the curve's logarithm at the end of a bin."""
        at_risk, after = self.chain[: 2 * bin + 2 : 2], self.chain[1 : 2 * bin + 2 : 2]
        later = np.zeros(self.bins - bin - 1)
        spread = self.spread(
            np.concatenate([1 / after - 1 / at_risk, later]), np.concatenate([-1 / after, later])
        )
        return self.drawn_together(spread)

    def moved(self, bin: int) -> float:
        """How far the logarithm is from what the noisy counts say, to first order."""
        return float(self.weights(bin) @ self.beside)

    def spread(self, at_risk: FloatArray, events: FloatArray) -> FloatArray:
        """How far one of each count moves a sum of numbers at risk and of events.

        Args:
            at_risk: what each bin's number at risk counts in it; lines are sums of their own.
            events: what each bin's events do.
        """
        found: FloatArray = np.repeat(np.cumsum(at_risk, axis=-1), self.curve.size, axis=-1)
        found[..., self.curve.kinds :: self.curve.size] -= self.halves * at_risk
        for kind in range(self.curve.kinds):
            found += self.of_kind(events, kind)
        return found

    def of_kind(self, events: FloatArray, kind: int) -> FloatArray:
        """How far one of each count moves a sum of events of one kind."""
        found = np.zeros((*events.shape[:-1], self.bins * self.curve.size))
        found[..., kind :: self.curve.size] = events
        return found

    @property
    def drawn_of(self) -> tuple[FloatArray, FloatArray]:
        """Of each bin how many counts make up the number at risk, and how many the events.

        The variance of a half of one is a quarter of it.
        """
        left = np.arange(self.bins, 0, -1.0) * self.curve.size - 1.5 * self.halves
        return left, np.full(self.bins, float(self.curve.kinds))

    def drawn_together(self, weights: FloatArray) -> FloatArray:
        """Noises of counts that are made to add up to a public total lose their mean."""
        return weights - weights.mean() if self.is_public else weights


@lru_cache(maxsize=64)
def _at_risk(
    noise: Noise, size: int, is_public: bool, miss: float, halved: tuple[bool, ...]
) -> FloatArray:
    """Half-widths of the counts that are at risk after the events of each bin.

    The size is how many counts a bin has.
    """
    widths = []
    for bin, half in enumerate(halved):
        weights = np.zeros(size * len(halved))
        weights[size * bin + size - 1 :] = 1.0
        weights[size * bin + size - 1] -= half / 2
        widths.append(half_width(noise, weights - weights.mean() * is_public, miss))
    return np.array(widths)
