# SPDX-License-Identifier: Apache-2.0
r"""The discrete Gaussian distribution: probabilities, tails, half-widths and the drawn curve.

P(X = x) = exp(-x^2 / (2 s^2)) / Z on the integers, where s is ``scale`` and Z is the sum of all
the exponentials. ``scale`` is what OpenDP calls so; the standard deviation is a little below it.

A tail up to ``SUMMED_SCALE`` is the sum itself. Beyond, it is the integral from w + 1/2 with the
first two terms of the midpoint rule (Euler and Maclaurin); what is left out is smaller than
10^-13 of the tail. Z beyond scale 1 is Poisson's sum, s sqrt(2 pi) (1 + 2 exp(-2 pi^2 s^2) + ...).

Claim: ``tail`` is never below the true tail, and above it by at most 2 parts in 10^12 (or it is
``LEAST``, where the true tail is smaller). Why: each step above is accurate to less than
``SLACK``, and ``SLACK`` is added. ``half_width`` rests on that, so that its width always holds.

Source: Canonne, Kamath and Steinke, The discrete Gaussian for differential privacy (2020).
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from dpdesk.privacy.distributions.laplace import MISS

FloatVector = npt.NDArray[np.float64]
_Number = TypeVar("_Number", float, FloatVector)

SUMMED_SCALE = 1000.0
"""Up to this scale a tail is summed term by term: at most some 10,000 terms."""

SLACK = 1e-12
"""What is added to a tail, as a part of it, for the rounding of floating point."""

LEAST = 1e-300
"""A tail is never said to be smaller than this."""

_FAR = 40.0
"""Beyond this many scales nothing is left that a float could hold."""


def pmf(value: int, scale: float) -> float:
    """P(X = value)."""
    return math.exp(-_exponent(value, scale)) / _total(scale)


def tail(width: int, scale: float) -> float:
    """P(|X| > width) for a whole width >= 0; never understated, see the claim above."""
    if width < 0:
        return 1.0
    upper = _summed(width, scale) if scale <= SUMMED_SCALE else _integrated(width, scale)
    return min(1.0, max(LEAST, 2 * upper * (1 + SLACK)))


def _exponent(value: int, scale: float) -> float:
    """x^2 / (2 s^2), by way of x / s so that nothing overflows."""
    return 0.5 * (value / scale) ** 2


def _summed(width: int, scale: float) -> float:
    """P(X > width): the first term, times the sum of the others relative to it."""
    first = width + 1
    steps = np.arange(math.ceil(10 * scale) + 2, dtype=np.float64)
    ratios = np.exp(-steps * (2.0 * first + steps) / (2 * scale * scale))
    return math.exp(-_exponent(first, scale)) * math.fsum(ratios) / _total(scale)


def _integrated(width: int, scale: float) -> float:
    """P(X > width) where the step of one is tiny beside the scale."""
    u = (width + 0.5) / scale
    height = math.exp(-0.5 * u * u) / math.sqrt(2 * math.pi)
    return 0.5 * math.erfc(u / math.sqrt(2)) - height * _correction(u, scale)


def _correction(u: _Number, scale: float) -> _Number:
    """The midpoint rule's two terms, as parts of the density at u scales."""
    step = 1 / (scale * scale)
    return step * u * (1 / 24 - step * 7 / 5760 * (u * u - 3))


@lru_cache(maxsize=256)
def _total(scale: float) -> float:
    """The sum Z, over the integers up to scale 1 and as Poisson's sum beyond."""
    if scale <= 1:
        return 1 + 2 * math.fsum(math.exp(-_exponent(x, scale)) for x in range(1, 42))
    waves = math.fsum(math.exp(-2 * (math.pi * scale * k) ** 2) for k in (1, 2))
    return scale * math.sqrt(2 * math.pi) * (1 + 2 * waves)


@lru_cache(maxsize=1024)
def half_width(scale: float, miss: float = MISS) -> int:
    """The smallest whole w with P(|X| > w) <= miss.

    It always holds. It is the smallest unless a tail is within 2 parts in 10^12 of ``miss``,
    when it may be the next. The search halves an interval whose upper end holds because the
    tail is below 2 exp(-(w + 1)^2 / (2 s^2)) (sub-Gaussian; Canonne, Kamath and Steinke).

    Args:
        scale: scale of the noise, in quanta; positive.
        miss: probability that may lie beyond; above ``LEAST``.
    """
    low, high = -1, math.ceil(scale * math.sqrt(2 * math.log(2 / miss))) + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if tail(middle, scale) <= miss else (middle, high)
    return high


def within(low: FloatVector, high: FloatVector, scale: float) -> FloatVector:
    """P(low <= X <= high) elementwise, for real ends with low <= high.

    Args:
        low: lower ends, in quanta.
        high: upper ends, of the same shape.
        scale: scale of the noise, in quanta; positive.
    """
    result: FloatVector = _below(np.floor(high), scale) - _below(np.ceil(low) - 1, scale)
    return result


def _below(whole: FloatVector, scale: float) -> FloatVector:
    """P(X <= whole), elementwise, for whole numbers: one tail, on the nearer side."""
    left = whole < 0
    beyond = _upper(np.where(left, -whole - 1, whole), scale)
    result: FloatVector = np.where(left, beyond, 1.0 - beyond)
    return result


def _upper(whole: FloatVector, scale: float) -> FloatVector:
    """P(X > whole), elementwise, for whole numbers >= 0."""
    if scale <= SUMMED_SCALE:
        sums = _tail_sums(scale)
        return sums[np.minimum(whole, sums.size - 1).astype(np.int64)]
    u = np.minimum((whole + 0.5) / scale, _FAR)
    density = np.exp(-0.5 * u * u) / math.sqrt(2 * math.pi)
    area = np.array([math.erfc(v) for v in (u / math.sqrt(2)).flat]).reshape(u.shape)
    result: FloatVector = 0.5 * area - density * _correction(u, scale)
    return result


@lru_cache(maxsize=8)
def _tail_sums(scale: float) -> FloatVector:
    """P(X > w) for w = 0, 1, 2 and so on, added from the far end; the last one is 0."""
    x = np.arange(1, math.ceil(_FAR * scale) + 2, dtype=np.float64)
    terms = np.exp(-0.5 * (x / scale) ** 2) / _total(scale)
    return np.append(np.cumsum(terms[::-1])[::-1], 0.0)


def curve(scale: float, reach: float, points: int = 201) -> tuple[FloatVector, FloatVector]:
    """The envelope of the probabilities over ``-reach..reach``, in quanta.

    Args:
        scale: scale of the noise.
        reach: how far to draw on either side.
        points: how many points; odd numbers put one on zero.

    Returns:
        Positions and densities, both of shape ``(points,)``. Between whole numbers the
        probabilities are joined by the same exponential.
    """
    x = np.linspace(-reach, reach, points)
    return x, np.exp(-0.5 * (x / scale) ** 2) / _total(scale)
