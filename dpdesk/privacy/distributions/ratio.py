# SPDX-License-Identifier: Apache-2.0
r"""The margin of a mean: noisy sum over noisy count.

Let S and n be the exact centred sum and count, mu = S/n the exact centred mean in quanta, X and
Y the noises. The published mean is (S+X)/(n+Y), and

    (S + X) - mu * (n + Y) = X - mu * Y,

so |published - mu| = |X - mu*Y| / (n+Y) whenever the noisy count n+Y is positive. mu lies in
[-h, h], h the larger distance from the centre to a bound. Fix y and let s = |mu*y|, a number
in [0, h*|y|] that need not be whole. Within q of s lie the 2q + 1 whole numbers s-q..s+q where
s is whole, and only the 2q numbers ceil(s)-q..ceil(s)+q-1 where it is not. X is symmetric and
unimodal, so both are the less likely the larger s is, and the least likely of all, for s above
0, are the 2q numbers for the s just below h*|y|. The worst mu is therefore the one just inside
its bound. Hence, with q the smallest whole number for which

    P(X in T-q..T+q-1, where T = h*|Y| > 0, or X in -q..q, where Y = 0) >= 95 %,

    |published - mu| <= q / (noisy count)      at least 95 times in 100,

for every data set. It needs no exact value: q comes from the scales, the noisy count is
released. This is Fieller's argument (Some problems in interval estimation, 1954) with the exact
noise in place of a normal one. Clamping the published mean to the bounds only brings it nearer.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from dpdesk.privacy.distributions.laplace import MISS, FloatVector
from dpdesk.privacy.distributions.noise_distribution import half_width, tail, within
from dpdesk.privacy.noise.noise import Noise

MAX_TERMS = 4_000
NEGLIGIBLE = 1e-9


@lru_cache(maxsize=4096)
def ratio_half_width(of_sum: Noise, of_count: Noise, reach: int, miss: float = MISS) -> int:
    """The smallest whole q with P(|X - t*Y| > q) <= miss for all |t| <= reach, or a little more.

    Y's values are gathered into at most ``MAX_TERMS`` groups, each standing at its far end, and
    what lies beyond the last counts as a miss: the answer is an upper bound, exact where the
    count's scale is below about ``MAX_TERMS`` / 21 and less than 1 % above it elsewhere.

    Args:
        of_sum: the sum's noise X, in quanta; symmetric and unimodal, as both mechanisms are.
        of_count: the count's noise Y, in rows.
        reach: h, the largest distance of a value from the centre, in quanta.
        miss: probability that may lie beyond.
    """
    shifts, weights, beyond = _shifts(of_count, reach)
    low = 0
    high = half_width(of_sum, miss / 2) + reach * half_width(of_count, miss / 2)
    while low < high:
        middle = (low + high) // 2
        missed = beyond + float(weights @ _missed(middle, shifts, of_sum))
        low, high = (low, middle) if missed <= miss else (middle + 1, high)
    return low


def _shifts(noise: Noise, reach: int) -> tuple[FloatVector, FloatVector, float]:
    """Distances reach*|Y| with their probabilities, and the probability left beyond the last."""
    last = half_width(noise, NEGLIGIBLE)
    ends = np.unique(np.linspace(0, last, min(last + 1, MAX_TERMS)).round())
    inside = within(-ends, ends, noise)
    return reach * ends, np.diff(inside, prepend=0.0), tail(last, noise)


def _missed(width: int, shifts: FloatVector, noise: Noise) -> FloatVector:
    """The most that P(|X - s| > width) is for any real s in 0..shift, elementwise."""
    return 1.0 - within(shifts - width, shifts + width - (shifts > 0), noise)
