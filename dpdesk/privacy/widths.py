# SPDX-License-Identifier: Apache-2.0
"""Half-widths of noise: of one figure, of all cells of a vector at once, and of a sum of cells.

Claim: each half-width w is the smallest whole number for which what its function says holds with
probability 1 - miss or more, over the noise alone (``all_at_once`` and ``sum_half_width`` because
the noises of one vector are drawn independently; nothing is said about what clipping loses).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from dpdesk.privacy import gaussian, laplace, sums
from dpdesk.privacy.laplace import MISS

Noise = Literal["laplace", "gaussian"]

CONFIDENCES = ((90, 0.10), (95, 0.05), (99, 0.01))
"""The shown confidences in times of 100, each with what may miss."""


@dataclass(frozen=True)
class Level:
    """One confidence and its half-width.

    Attributes:
        in_100: how many times in 100 the noise lies within.
        width: half-width, in quanta.
    """

    in_100: int
    width: int


def tail(noise: Noise, width: int, scale: float) -> float:
    """P(|X| > width) for one noise."""
    return laplace.tail(width, scale) if noise == "laplace" else gaussian.tail(width, scale)


def half_width(noise: Noise, scale: float, miss: float = MISS) -> int:
    """The half-width of one noise."""
    if noise == "laplace":
        return laplace.half_width(scale, miss)
    return gaussian.half_width(scale, miss)


def levels(noise: Noise, scale: float) -> tuple[Level, ...]:
    """The half-widths of one noise for 90, 95 and 99 times in 100."""
    return tuple(Level(times, half_width(noise, scale, miss)) for times, miss in CONFIDENCES)


def each_miss(cells: int, miss: float = MISS) -> float:
    """What one of n independent noises may miss so that all hold at once: 1 - (1 - miss)^(1/n).

    Rounded down by some last places, so that the half-width rests on the safe side.
    """
    return -math.expm1(math.log1p(-miss) / cells) * (1 - 2.0**-50)


def all_at_once(noise: Noise, scale: float, cells: int, miss: float = MISS) -> int:
    """The half-width within which all of ``cells`` independent noises lie at once.

    Exact, and narrower than by Bonferroni: P(all within w) = (1 - P(|X| > w))^n.

    Args:
        noise: which noise.
        scale: its scale, the same for every cell, in quanta.
        cells: how many cells are drawn, one or more.
        miss: probability that any cell lies beyond.
    """
    return half_width(noise, scale, each_miss(cells, miss))


@lru_cache(maxsize=1024)
def sum_half_width(noise: Noise, scale: float, count: int, miss: float = MISS) -> int:
    """The half-width of the sum of ``count`` independent noises of one scale.

    Args:
        noise: which noise.
        scale: its scale, the same for every summand, in quanta.
        count: how many noises are added, one or more.
        miss: probability that the sum lies beyond, above 10^-25.
    """
    beyond = sums.TAILS[noise]
    low, high = -1, half_width(noise, scale, miss) + 1
    while beyond(high, scale, count) > miss:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        held = beyond(middle, scale, count) <= miss
        low, high = (low, middle) if held else (middle, high)
    return high
