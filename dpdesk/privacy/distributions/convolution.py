# SPDX-License-Identifier: Apache-2.0
r"""The sum of m independent noises of one scale: what a running total of noisy cells carries.

Laplace. With p = exp(-1/s), A and B the transforms of a geometric number upwards and downwards,
one noise is A B = (A + p/z B) / (1 + p). Taking the factors of A^m B^m away one by one by this
rule leaves A^k shifted by -(m - k), or nothing that is positive. With N = w + m that gives

    P(S > w) = sum over k = 1..m of
        C(2m - k - 1, m - 1) p^(m - k) / (1 + p)^(2m - k) * P(Binomial(N, 1 - p) < k),

all terms positive, exact for every scale.

Gaussian. The sum of discrete Gaussians of squared scales a and b is the one of a + b, but for a
factor between (1 - e) / (1 + e) and its inverse, with e = 2 sum of exp(-2 pi^2 k^2 a b / (a + b))
over k = 1, 2, ...: complete the square, and sum by Poisson (Kairouz, Liu and Steinke, The
distributed discrete Gaussian mechanism, 2021). From scale ``SMOOTH`` on this is the way, and the
factor differs from 1 by less than 10^-15 a noise. Below, the noises are added by convolution,
whose terms are all positive.

Claim: ``tail`` is never below P(|S| > w), except where that is below 10^-25. Why: the rounding of
each way is bounded and added.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from dpdesk.privacy.distributions import gaussian, laplace

FloatVector = npt.NDArray[np.float64]

SMOOTH = 2.0
"""From this scale on a sum of discrete Gaussians is one, to the last place."""

_EPS = 2.0**-50


def laplace_tail(width: int, scale: float, count: int) -> float:
    """P(|S| > width) for ``count`` discrete Laplace noises and a whole width >= 0.

    As adding two of them up says, sign by sign:

    >>> p = math.exp(-1)
    >>> one = [(1 - p) / (1 + p) * p ** abs(x) for x in range(-60, 61)]
    >>> beyond = [chance for s, chance in enumerate(np.convolve(one, one), -120) if abs(s) > 3]
    >>> math.isclose(sum(beyond), laplace_tail(3, 1.0, 2), rel_tol=1e-9)
    True
    """
    if width < 0:
        return 1.0
    if count == 1:
        return min(1.0, laplace.tail(width, scale) * (1 + 1e-12))
    trials = width + count  # N at the head of the module
    weights, fewer = _races(scale, count), _fewer(trials, scale, count)
    terms = np.exp(weights + np.log(fewer))
    size = 100 + float(np.abs(weights).max()) + trials / scale
    # Each of the at most ``count`` steps rounds a logarithm no larger than ``size``, and an error
    # in a logarithm is one part of the number itself.
    slack = 1e-12 + _EPS * count * size
    return min(1.0, 2 * math.fsum(terms) * (1 + slack))


def _races(scale: float, count: int) -> FloatVector:
    """The logarithm of each factor before the binomial, k = 1..m."""
    down = np.arange(count, dtype=np.float64)  # m - k, from k = m downwards
    # C(m - 1 + d, m - 1) is 1 for d = 0, and grows by (m - 1 + d) / d with each d.
    steps = np.log((count - 1 + down[1:]) / down[1:])
    chosen = np.append(0.0, np.cumsum(steps))
    # log p is -1 / scale; in logarithms, because p^d underflows where the factor before it is huge.
    logs = chosen - down / scale - (count + down) * math.log1p(math.exp(-1 / scale))
    result: FloatVector = logs[::-1]
    return result


def _fewer(trials: int, scale: float, count: int) -> FloatVector:
    """P(Binomial(trials, 1 - p) < k) for k = 1..m, added up from the term without success."""
    i = np.arange(count - 1, dtype=np.float64)
    success = math.log(-math.expm1(-1 / scale))  # log(1 - p)
    # The term with i + 1 successes is the one with i, times (N - i) / (i + 1) * (1 - p) / p.
    steps = np.log((float(trials) - i) / (i + 1)) + success + 1 / scale
    logs = np.append(0.0, np.cumsum(steps)) - trials / scale  # none succeeds: p^N
    # Never 0, of which there is no logarithm; upwards, as the claim needs it.
    result: FloatVector = np.maximum(np.cumsum(np.exp(logs)), 1e-300)
    return result


def gaussian_tail(width: int, scale: float, count: int) -> float:
    """P(|S| > width) for ``count`` discrete Gaussian noises and a whole width >= 0."""
    if width < 0:
        return 1.0
    if count == 1:
        return gaussian.tail(width, scale)
    if scale >= SMOOTH:
        # A noise is added m - 1 times, and a b / (a + b) is at least scale^2 / 2 each time: the
        # first term of e is at most 2 wave, all of it below 2.1 wave; (1 + e) / (1 - e) is
        # exp(2 atanh e).
        wave = math.exp(-((math.pi * scale) ** 2))
        factor = math.exp((count - 1) * 2 * math.atanh(2.1 * wave))
        # The root is rounded up, so that the one Gaussian is no narrower than the sum.
        whole = math.nextafter(scale * math.sqrt(count), math.inf)
        return min(1.0, gaussian.tail(width, whole) * factor)
    sums = _added(scale, count)
    return min(1.0, float(sums[min(width, sums.size - 1)]))


@lru_cache(maxsize=64)
def _added(scale: float, count: int) -> FloatVector:
    """P(|S| > w), rounded up, for w = 0, 1, 2 and so on; the last one for all beyond."""
    chances = _convolved(scale, count)
    # Added up from the outside, the smallest first; what lies right of the middle, twice.
    upper: FloatVector = np.cumsum(chances[::-1])[::-1][chances.size // 2 + 1 :]
    result: FloatVector = np.append(2 * upper, 0.0) * (1 + 1e-10) + 1e-28
    return result


def _convolved(scale: float, count: int) -> FloatVector:
    """The distribution of the sum: halves are added to themselves, and one where it is odd."""
    if count == 1:
        return _single(scale)
    half = _convolved(scale, count // 2)
    both = np.convolve(half, half)
    return _trimmed(np.convolve(both, _single(scale)) if count % 2 else both, scale, count)


def _single(scale: float) -> FloatVector:
    reach = _reach(scale, 1)
    return np.array([gaussian.pmf(x, scale) for x in range(-reach, reach + 1)])


def _reach(scale: float, count: int) -> int:
    """Beyond this a sum lies with less than 10^-30: it is sub-Gaussian with the summed variance."""
    return math.ceil(12 * scale * math.sqrt(count)) + 1


def _trimmed(chances: FloatVector, scale: float, count: int) -> FloatVector:
    extra = max(0, chances.size // 2 - _reach(scale, count))
    return chances[extra : chances.size - extra]


TAILS: dict[str, Callable[[int, float, int], float]] = {
    "laplace": laplace_tail,
    "gaussian": gaussian_tail,
}
