# SPDX-License-Identifier: Apache-2.0
r"""How far the estimate from randomised answers is from the truth, for the worst true count.

Up to ``EXACT_ROWS`` rows the two binomials are added up for every true count. Beyond, three
bounds are taken that hold for every true count, whichever is least: for a sum of n independent
numbers of variance p (1 - p), each within p of its mean and of range one,

- Hoeffding (1963): P(|sum| > x) <= 2 exp(-2 x^2 / n);
- Bernstein (1927): <= 2 exp(-x^2 / (2 (n p (1 - p) + x p / 3)));
- Berry and Esseen with Shevtsova's constant 0.56 (2010): <= the normal law's two tails, plus
  2 * 0.56 (p^2 + (1 - p)^2) / sqrt(n p (1 - p)).
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from dpdesk.privacy.distributions.laplace import MISS

FloatVector = npt.NDArray[np.float64]

EXACT_ROWS = 2_000
"""Up to this many rows the half-width is the smallest there is; that takes 40 ms, as long as a hand
that drags may wait. Just beyond it is about a quarter wider than it must be, at 10,000 a tenth."""

SHEVTSOVA = 0.56

SLACK = 1e-9
"""What is added to a chance, as a part of it, for the rounding of floating point."""

_LEAST = 1e-19
"""Terms of a binomial below this are left out, and their number times this is added back."""


def parts(truth: float) -> tuple[int, int]:
    """Numerator and denominator of the probability of the truth, exact.

    Raises:
        ValueError: not above one half and below one.
    """
    if not 0.5 < truth < 1:
        raise ValueError("the probability of the truth is above one half and below one")
    return truth.as_integer_ratio()


@lru_cache(maxsize=256)
def half_width(rows: int, truth: float, miss: float = MISS) -> int:
    """A whole w with P(|estimate - true count| > w) <= miss, for every true count 0..rows.

    Up to ``EXACT_ROWS`` rows it is the smallest (unless a chance is within a billionth part of
    ``miss``); beyond, the smallest that the bounds prove.

    Args:
        rows: how many rows answer, one or more.
        truth: probability of the truth, above one half and below one.
        miss: probability that may lie beyond.
    """
    parts(truth)
    if rows > EXACT_ROWS:
        return _bounded(rows, truth, miss)
    width = 0
    logs = _log_factorials(rows)
    for yes in range(rows // 2 + 1):  # as many noes as yeses: the same errors, mirrored
        width = _widened(width, _Said(rows, yes, truth, logs), miss)
    return width


class _Said:
    """The distribution of the yeses that are said, for one true count."""

    def __init__(self, rows: int, yes: int, truth: float, logs: FloatVector) -> None:
        honest, self._whole = parts(truth)
        self._mean = yes * honest + (rows - yes) * (self._whole - honest)
        self._slope = 2 * honest - self._whole
        first, left = _binomial(yes, truth, logs)
        second, right = _binomial(rows - yes, 1 - truth, logs)
        chances = np.convolve(left, right)
        self._first = first + second
        self._below = np.append(0.0, np.cumsum(chances))
        self._above = np.append(np.cumsum(chances[::-1])[::-1], 0.0)
        self._dropped = 2 * (rows + 2) * _LEAST

    def beyond(self, width: int) -> float:
        """P(|estimate - true| > width), rounded up; the ends are compared as whole numbers."""
        reach = width * self._slope
        low = -((reach - self._mean) // self._whole)
        high = (self._mean + reach) // self._whole
        below = self._below[min(max(low - self._first, 0), self._below.size - 1)]
        above = self._above[min(max(high + 1 - self._first, 0), self._above.size - 1)]
        return float(below + above) * (1 + SLACK) + self._dropped


def _widened(width: int, said: _Said, miss: float) -> int:
    """The smallest width from ``width`` on that holds for this true count too."""
    if said.beyond(width) <= miss:
        return width
    step = 1
    while said.beyond(width + step) > miss:
        step *= 2
    low, high = width, width + step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if said.beyond(middle) <= miss else (middle, high)
    return high


def _log_factorials(most: int) -> FloatVector:
    return np.array([math.lgamma(n + 1) for n in range(most + 1)])


def _binomial(trials: int, chance: float, logs: FloatVector) -> tuple[int, FloatVector]:
    """Where the terms of a binomial that count begin, and those terms.

    Bernstein's bound is below ``_LEAST`` farther than 10 deviations and 30 from the mean.
    """
    mean = trials * chance
    reach = 10 * math.sqrt(mean * (1 - chance)) + 30
    first, last = max(0, math.floor(mean - reach)), min(trials, math.ceil(mean + reach))
    k = np.arange(first, last + 1)
    chosen = logs[trials] - logs[k] - logs[trials - k]
    terms = np.exp(chosen + k * math.log(chance) + (trials - k) * math.log1p(-chance))
    kept = np.flatnonzero(terms > _LEAST)
    return first + int(kept[0]), terms[kept[0] : kept[-1] + 1]


def _bounded(rows: int, truth: float, miss: float) -> int:
    """The smallest whole width for which one of the bounds is at most ``miss``."""
    low, high = -1, 1
    while error_bound(rows, truth, high) > miss:
        high *= 2
    while high - low > 1:
        middle = (low + high) // 2
        held = error_bound(rows, truth, middle) <= miss
        low, high = (low, middle) if held else (middle, high)
    return high


def error_bound(rows: int, truth: float, width: int) -> float:
    """A bound on P(|estimate - true count| > width) for every true count; see the module."""
    x = width * (2 * truth - 1)
    variance = rows * truth * (1 - truth)
    hoeffding = 2 * math.exp(-2 * x * x / rows)
    bernstein = 2 * math.exp(-x * x / (2 * (variance + x * truth / 3)))
    skew = (truth * truth + (1 - truth) ** 2) / math.sqrt(variance)
    normal = math.erfc(x / math.sqrt(2 * variance)) + 2 * SHEVTSOVA * skew
    return min(1.0, hoeffding, bernstein, normal) * (1 + SLACK)
