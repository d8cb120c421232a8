# SPDX-License-Identifier: Apache-2.0
r"""The half-width of X - t Y, two independent noises in whole quanta, for all real |t| <= h.

Fix y and let s = |t y|, a number in [0, h |y|] that need not be whole. Within q of s lie the
2q + 1 whole numbers s-q..s+q where s is whole, and only the 2q numbers ceil(s)-q..ceil(s)+q-1 where
it is not. X is symmetric and unimodal, so both are the less likely the larger s is, and the least
likely of all, for s above 0, are the 2q numbers for the s just below T = ceil(h |y|). The worst t
is therefore one just inside the bound. Hence, with q the smallest whole number for which

    P(X in T-q..T+q-1, where T = ceil(h |Y|) > 0, or X in -q..q, where Y = 0) >= 1 - miss,

|X - t Y| <= q with probability 1 - miss or more, for every such t.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from dpdesk.privacy.distributions.laplace import MISS, FloatVector
from dpdesk.privacy.distributions.noise_distribution import half_width, tail, within
from dpdesk.privacy.noise.noise import Noise

MAX_TERMS = 4_000
NEGLIGIBLE = 1e-9


@lru_cache(maxsize=4096)
def ratio_half_width(of_sum: Noise, of_count: Noise, reach: float, miss: float = MISS) -> int:
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
    high = half_width(of_sum, miss / 2) + math.ceil(reach * half_width(of_count, miss / 2))
    while low < high:
        middle = (low + high) // 2
        missed = beyond + float(weights @ _missed(middle, shifts, of_sum))
        low, high = (low, middle) if missed <= miss else (middle + 1, high)
    return low


def _shifts(noise: Noise, reach: float) -> tuple[FloatVector, FloatVector, float]:
    """Distances ceil(reach*|Y|) with their probabilities, and what is left beyond the last."""
    last = half_width(noise, NEGLIGIBLE)
    ends = np.unique(np.linspace(0, last, min(last + 1, MAX_TERMS)).round())
    inside = within(-ends, ends, noise)
    return np.ceil(reach * ends), np.diff(inside, prepend=0.0), tail(last, noise)


def _missed(width: int, shifts: FloatVector, noise: Noise) -> FloatVector:
    """The most that P(|X - s| > width) is for any real s in 0..shift, elementwise."""
    return 1.0 - within(shifts - width, shifts + width - (shifts > 0), noise)
