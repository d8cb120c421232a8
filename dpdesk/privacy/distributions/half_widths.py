# SPDX-License-Identifier: Apache-2.0
"""Half-widths of noise: of one figure, of all cells of a vector, of a sum of cells; the range.

Claim: each half-width w is the smallest whole number for which what its function says holds with
probability 1 - miss or more, over the noise alone (``each_miss`` and ``sum_half_width`` because
the noises of one vector are drawn independently; nothing is said about what clipping loses).
``range_width`` says so, too, but may be wider by half of one in a hundred.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Literal

import numpy as np

from dpdesk.privacy.distributions import convolution, gaussian, laplace
from dpdesk.privacy.distributions.laplace import MISS

NoiseName = Literal["laplace", "gaussian"]

CONFIDENCES = ((90, 0.10), (95, 0.05), (99, 0.01))
"""The shown confidences in times of 100, each with what may miss."""


def half_width(noise: NoiseName, scale: float, miss: float = MISS) -> int:
    """The half-width of one noise."""
    if noise == "laplace":
        return laplace.half_width(scale, miss)
    return gaussian.half_width(scale, miss)


def each_miss(cells: int, miss: float = MISS) -> float:
    """What one of n independent noises may miss so that all hold at once: 1 - (1 - miss)^(1/n).

    Rounded down by some last places, so that the half-width rests on the safe side.
    """
    return -math.expm1(math.log1p(-miss) / cells) * (1 - 2.0**-50)


@lru_cache(maxsize=1024)
def sum_half_width(noise: NoiseName, scale: float, count: int, miss: float = MISS) -> int:
    """The half-width of the sum of ``count`` independent noises of one scale.

    Args:
        noise: which noise.
        scale: its scale, the same for every summand, in quanta.
        count: how many noises are added, one or more.
        miss: probability that the sum lies beyond, above 10^-25.
    """
    beyond = convolution.TAILS[noise]
    # A sum spreads by the root of its count, and its tails are lighter than those of one noise.
    low, high = -1, math.ceil(half_width(noise, scale, miss) * math.sqrt(count)) + 1
    while beyond(high, scale, count) > miss:
        low, high = high, 2 * high
    return _least(lambda width: beyond(width, scale, count), low, high, miss)


def _least(tail_of: Callable[[int], float], low: int, high: int, miss: float) -> int:
    """The first width of ``low + 1 .. high`` whose tail is at most ``miss``.

    The logarithm of a tail is nearly straight, so the place is read off its chord, and looked at a
    little below and a little above: each pair of looks doubles the digits that are known, ten
    looks instead of forty where the scale is a billion. Whatever is proposed, a look keeps
    ``tail_of(low) > miss >= tail_of(high)``, and every fourth halves, so the width found is the
    one that halving alone would find.

    Args:
        tail_of: falls as its argument rises; above ``miss`` at ``low``, not above it at ``high``.
        low: a width too small, or -1.
        high: a width large enough.
        miss: what the tail may have.
    """
    ends = [(low, tail_of(low)), (high, tail_of(high))]
    looks = 0 if low >= 0 else -1  # nothing can be read off a chord from -1: one quarter below
    while (span := ends[1][0] - ends[0][0]) > 1:
        looks += 1
        place = span // 2 if looks else span * 3 // 4
        if looks % 4 and ends[1][1] > 0:
            # How far a curve of this width leaves its chord.
            beside = span * span // (8 * (ends[1][0] + 1))
            place = _chord(span, ends[0][1], ends[1][1], miss) + (-1, 1)[looks % 2] * beside
        middle = ends[0][0] + min(span - 1, max(1, place))
        at_middle = tail_of(middle)
        ends[at_middle <= miss] = (middle, at_middle)
    return ends[1][0]


def _chord(span: int, at_low: float, at_high: float, miss: float) -> int:
    """How far above the lower end the chord of the logarithms crosses ``miss``."""
    fall = math.log(at_low / at_high)
    return round(span * math.log(at_low / miss) / fall) if fall > 0 else span // 2


@lru_cache(maxsize=4096)
def range_width(
    noise: NoiseName, scale: float, count: int, miss: float = MISS, lows: int | None = None
) -> int:
    """A whole q that the highest of ``count`` noises is above the lowest of some at most.

    Claim: P(highest of all - lowest of the first m > q) <= miss. Why: where the lowest of m is in
    a, a + 1 ... a + h - 1 and all are at most a + q, it is. With W(x, y) the chance that one noise
    is in x..y, that has the chance (W(a, a + q)^m - W(a + h, a + q)^m) W(-inf, a + q)^(n - m),
    added over steps of h; noises that lie further out are left out, and what is rounded is taken
    off. Where that does not reach 1 - miss, twice the half-width within which all of them are does.

    Args:
        noise: which noise.
        scale: its scale, in quanta.
        count: n, one or more.
        miss: probability that they are further apart.
        lows: m; all of them where it is left out, so that q is the range.

    >>> range_width("laplace", 20.0, 1), range_width("laplace", 20.0, 2)
    (0, 82)
    """
    if count == 1:
        return 0
    far = half_width(noise, scale, miss / (100 * count))
    least = np.arange(-far, far + 1, max(1, far // 200), dtype=np.float64)
    low, high = -1, 2 * half_width(noise, scale, each_miss(count, miss))
    while high - low > 1:
        middle = (low + high) // 2
        held = _within_range(noise, scale, (lows or count, count), middle, least)
        low, high = (low, middle) if 1 - held <= miss else (middle, high)
    return high


def _within_range(
    noise: NoiseName,
    scale: float,
    counts: tuple[int, int],
    most: int,
    least: laplace.FloatVector,
) -> float:
    """P(the highest is at most so far above the lowest of m), never overstated.

    Args:
        noise: which noise.
        scale: its scale.
        counts: m and n.
        most: so far.
        least: where the lowest of m may lie, in equal steps.
    """
    within = laplace.within if noise == "laplace" else gaussian.within
    step, ends, (lows, count) = least[1] - least[0], least + most, counts
    started = within(least, ends, scale) ** lows
    later = within(np.minimum(least + step, ends), ends, scale) ** lows
    # Where no number is left above the step, all of it counts.
    parts = started - np.where(least + step > ends, 0.0, later)
    if count > lows:
        parts = parts * within(np.full_like(ends, 2 * least[0]), ends, scale) ** (count - lows)
    return float(parts.sum()) - 4e-12 * count * len(least)
