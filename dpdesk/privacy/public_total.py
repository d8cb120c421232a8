# SPDX-License-Identifier: Apache-2.0
r"""Counts of cells into which every row falls, where how many rows there are is public.

Under change-one neighbours have equally many people. Where each has one row, and neither a
condition nor a rule can leave it out, the counts n_1 ... n_c add up to the public total N.

**Two cells.** Only the first is drawn; the second is N less what was drawn. Claim (change-one, one
row a person): the vector drawn on is one count, so L1 = L2 squared = 1 (``rows_sensitivity`` of one
cell), where both counts together move by 2. Attained by a person whose row enters the cell. The
second figure is a function of N and of the first, and its error is that of the first, negated.

**Three cells or more.** A row can leave one cell that is drawn for another, so leaving a cell out
would save nothing (L1 stays 2, L2 squared 2). All c are drawn, each with noise X_i of one scale,
and what they miss of the total is spread equally: with T the sum of all noises, the published

    p_i = (n_i + X_i) - (T / c),     T = sum of (n_j + X_j) - N,

is the point nearest to the noisy counts among those that add up to N: the least-squares projection
for equal noises. Its error X_i - T / c depends on no count. Its variance is 1 - 1/c of X_i's. In
zCDP no unbiased Gaussian noise of counts that are alike does better: the largest distance of
neighbours is that of e_j - e_i, and the best covariance on the plane of vectors that add up to 0
may be taken as one that no permutation changes, which is a multiple of the projection.

**Whole digits.** Published to d decimals, the figures add up to N exactly: each is rounded down,
and those cut by the most are one step higher, as many as are missing. A figure is moved by less
than a step, and its margin grows by what its own was moved. All of it is post-processing of what
was drawn and of N.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np

from dpdesk.privacy.distributions import weighted_sum
from dpdesk.privacy.distributions.laplace import MISS, FloatVector
from dpdesk.privacy.noise.noise import Noise

TWO = 2
LONGEST = 1 << 17
_FAR = 25
_ROUNDING = 1e-9


def all_counts(noisy: Sequence[int], total: int, cells: int) -> tuple[int, ...]:
    """The noisy count of every cell: of two, the second is what the first leaves of the total."""
    return (noisy[0], total - noisy[0]) if cells == TWO else tuple(noisy)


def projected(noisy: Sequence[int], total: int) -> tuple[Fraction, ...]:
    """The nearest counts that add up to the total; see the head of the module.

    >>> [str(count) for count in projected((11, 4, 7), 20)]
    ['31/3', '10/3', '19/3']
    """
    beyond = Fraction(sum(noisy) - total, len(noisy))
    return tuple(count - beyond for count in noisy)


def whole_parts(values: Sequence[Fraction]) -> tuple[int, ...]:
    """Whole numbers next to some values, that add up to the same whole sum.

    >>> whole_parts((Fraction(31, 3), Fraction(10, 3), Fraction(19, 3)))
    (11, 3, 6)
    """
    floors = [math.floor(value) for value in values]
    missing = int(sum(values)) - sum(floors)
    # Of equal remainders the first ones rise.
    rising = sorted(range(len(floors)), key=lambda place: floors[place] - values[place])
    for place in rising[:missing]:
        floors[place] += 1
    return tuple(floors)


@lru_cache(maxsize=4096)
def half_width(noise: Noise, cells: int, miss: float = MISS) -> Fraction:
    """The smallest multiple of 1 / c that holds; see the head of the module.

    Args:
        noise: of every entry, Laplace or Gaussian.
        cells: c, 2 or more.
        miss: probability that may lie beyond, above 10^-6.

    Two noises X and Y leave (X - Y) / 2, half of the sum of two:

    >>> from dpdesk.privacy.distributions.half_widths import sum_half_width
    >>> half_width(Noise("laplace", 10.0), 2), sum_half_width("laplace", 10.0, 2)
    (Fraction(41, 2), 41)
    """
    length = _length(noise, cells)
    if length > LONGEST:
        terms = ((1 - 1 / cells, 1), (1 / cells, cells - 1))
        return Fraction(weighted_sum.half_width(noise, terms, miss))
    beyond = _tails(noise, cells, length)
    # Tails fall, so the first place at which one is small enough is that of the half-width.
    return Fraction(int(np.searchsorted(-beyond, _ROUNDING - miss)), cells)


def _length(noise: Noise, cells: int) -> int:
    spread = math.sqrt(2 * cells * (cells - 1)) * max(noise.scale, 1.0)
    return 1 << math.ceil(math.log2(2 * _FAR * spread))


@lru_cache(maxsize=64)
def _tails(noise: Noise, cells: int, length: int) -> FloatVector:
    """P(|c times the noise| > w) for w = 0, 1 and so on."""
    half = length // 2
    one = np.fft.rfft(_single(noise, length)).real
    turned = (cells - 1) * np.arange(half + 1) % length
    own = one[np.minimum(turned, length - turned)]
    chances = np.maximum(np.fft.irfft(own * one ** (cells - 1), length), 0.0)
    # Added up from the far end; the other side is the same.
    upper: FloatVector = np.cumsum(chances[half:0:-1])[::-1]
    return 2 * upper


def _single(noise: Noise, length: int) -> FloatVector:
    """The chances of one noise, those of -1, -2 ... at the end."""
    far = np.minimum(np.arange(length), length - np.arange(length)) / noise.scale
    heights = np.exp(-far if noise.mechanism == "laplace" else -0.5 * far * far)
    result: FloatVector = heights / heights.sum()
    return result
