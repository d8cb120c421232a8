# SPDX-License-Identifier: Apache-2.0
r"""Intervals for the mean of the population behind a cell, from its mean and its variance.

The N rows of a cell are taken for a sample of a population of mean mu: each person independently,
one row each. p and V are mean and variance of these rows in parts of the column's range, both
released with noise: n' and I' = n' p' are solved from the sums that were drawn (``moments``).

Claim: at least 95 times in 100, over the noise and over who came, mu is in the interval; as far as
the mean of the rows has a normal distribution. That is so for many rows, and of few rows, or where
few people have values far from all others, approximately: what is said of it says so.

Why. With u(mu) the noise's weights of ``moments``, the sum I - n mu of the rows is N (p - mu), so

    n' (p' - mu) = (sum of the noises with weights u(mu)) + N (p - mu),

without the noise of n' anywhere else (Fieller's argument, with chance beside the noise). N (p - mu)
is taken for a normal number of variance N S^2, S^2 = V N / (N - 1), and then |n' (p' - mu)| is
within its half-width Q(mu) (``half_width_beside``) but for a miss m. Q grows with N and V. V is
below V' and its margin but for 0.51 of that margin's miss (``moments``), N within n' and that of
its noise but for ``OF_ROWS``; m is what these leave of 5 %. mu is confined by passes, as there.

Two things are added for the sample that chance alone would not need if it were normal:

* S^2 is an estimate: by Student the deviation is wider, by (z^2 + 1) / (4 N) to first order,
  z = 1.96 (Fisher's expansion, 1925).
* Skewness g moves the end of the longer tail out by S g (2 z^2 + 1) / (6 N) (Johnson, Modified t
  tests and confidence intervals for asymmetrical populations, 1978; Hall 1992). g S is not known.
  No value is further than 1 - p above the mean, so the third central moment is at most (1 - p) V,
  and g S <= 1 - p; to the other side p. The upper end is moved by 1.45 (1 - p) / N, the lower one
  by 1.45 p / N: nothing that shows for many rows.

A cell of fewer than ``FEWEST`` rows has no interval, nor has one where noise leaves that open.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.distributions.moments import (
    ONE_SIDE,
    PASSES,
    DrawnSums,
    half_width_between,
)
from dpdesk.privacy.distributions.weighted_sum import half_width_beside
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.population.counts_and_shares import Ends

FEWEST = 30
"""Of fewer rows the mean may be far from a normal distribution."""

OF_ROWS = 0.002
OF_SPREAD = 0.004
"""What the bounds of N, and the margin of V, may miss."""

_STUDENT = (1.96**2 + 1) / 4
_SKEWED = (2 * 1.96**2 + 1) / 6
_STEPS = 2**18

Widest = Callable[[float, float, float], float]
"""The largest Q between two means for a deviation, in rows."""


def expected_mean(
    how: DrawnSums, drawn: Sequence[int], variance: float, miss: float = MISS
) -> Ends | None:
    """Between what the mean of the population lies, in parts of the column's range.

    Args:
        how: how the sums of the mean were drawn.
        drawn: the noisy sums of a cell.
        variance: in squares of the range, V and its margin, which misses ``OF_SPREAD``.
        miss: how often the interval may fail.

    Returns:
        ``None`` where it may be of fewer than ``FEWEST`` rows.
    """
    n, total, *_, parts = how.solved(drawn)
    weights, unit = how.noise_weights, how.unit
    rows = n / parts
    off = half_width_between(how.noise, (weights((1.0, 0.0)),), OF_ROWS) / unit
    if rows - off < FEWEST:
        return None

    def widest(low: float, high: float, deviation: float) -> float:
        ends = (weights((-mean, 1.0)) for mean in (low, high))
        beside, left = deviation * unit, _of_both(miss)
        return max(half_width_beside(how.noise, one, beside, left) for one in ends) / unit

    return _ends(total / n, (rows - off, rows, rows + off), variance, widest)


def expected_mean_of_known(
    noise: Noise,
    last: int,
    mean: float,
    rows: int,
    variance: float,
    miss: float = MISS,
) -> Ends | None:
    """The same where the number of rows is public.

    Args:
        noise: of the sum, in steps of the column's grid.
        last: how many steps the range has.
        mean: the noisy mean, in parts of the range; it may lie beyond.
        rows: N.
        variance: see ``expected_mean``.
        miss: see ``expected_mean``.
    """
    if rows < FEWEST:
        return None

    def widest(_low: float, _high: float, deviation: float) -> float:
        return half_width_beside(noise, (1.0,), deviation * last, _of_both(miss)) / last

    return _ends(mean, (rows, rows, rows), variance, widest)


def _of_both(miss: float) -> float:
    """What noise and chance may miss together."""
    return miss - OF_ROWS - ONE_SIDE * OF_SPREAD


def _ends(mean: float, rows: tuple[float, float, float], variance: float, widest: Widest) -> Ends:
    least, near, most = rows
    # N^2 times the variance of a mean of N.
    deviation = math.sqrt(min(variance, 0.25) * most * most / (most - 1)) * (1 + _STUDENT / least)
    left = (0.0, 1.0)
    for _ in range(PASSES):
        off = widest(*left, deviation) / near
        found = (max(0.0, mean - off), min(1.0, mean + off))
        if found[0] > found[1]:  # the event fails; nothing is promised then
            break
        left = found
    low = mean - off - _SKEWED / least * left[1]
    high = mean + off + _SKEWED / least * (1 - left[0])
    # On a fixed grid: machines whose last bits differ find the same.
    ends = math.floor(_held(low) * _STEPS), math.ceil(_held(high) * _STEPS)
    return Fraction(ends[0], _STEPS), Fraction(ends[1], _STEPS)


def _held(value: float) -> float:
    return min(max(value, 0.0), 1.0)
