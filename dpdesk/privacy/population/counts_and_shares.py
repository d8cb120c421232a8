# SPDX-License-Identifier: Apache-2.0
r"""Intervals for the population behind a table: noise and chance together.

The margin of a figure is about the rows of the file. Here those rows are taken for a sample: who
came is a matter of chance, each person independently of the others. Claim: at least 95 times in
100, over that chance and the noise, the interval holds

* ``expected_count``: the mean of a count W that has a Poisson distribution;
* ``share_of_known``: the probability p of a property that W of a public number N of rows have;
* ``share_of_noisy``: p, where how many have it and how many do not are both noisy counts.

Each person is in one row: rows of one person do not come independently.

Why, one count (Clopper and Pearson, The use of confidence or fiducial limits, 1934; Garwood 1936;
with noise Kao and Reiter, Interval estimation for binomial proportions under differential
privacy, 2025). P(W + X >= drawn) rises with the mean, so the means for which it is below 2.5 % are
those below some end, and that end is above the true mean in at most 2.5 of 100 draws; likewise
above. The probabilities are sums over all W, each with the exact tail of the noise X.

Why, two counts. Let N be the true number of rows, which chance is taken to leave alone, and

    E = (1 - p) (W + X) - p (N - W + Y) = (W - p N) + (1 - p) X - p Y

at the true p: known from the two noisy counts for each p. |X + Y| <= h but for 0.2 of 100 draws,
so N is within h of the noisy total; a p for which P(E <= what it is) is below 2.4 % for all those
N is left out, and so is one for which P(E >= what it is) is. E's tail is that of its smoothed
T = E + R (``weighted_sum``: P(E > t + c) <= P(T > t) / P(R > -c)), which follows from its
characteristic function by Davies' sum (Numerical inversion of a characteristic function, 1973):

    P(T < x) = 1/2 - sum of Im(phi(t_k) e^(-i t_k x)) / (pi (k + 1/2)),  t_k = (k + 1/2) d,

wrong by no more than the chance of lying 2 pi / d further out, which is at most ``_LOST``. One row
more changes a tail by at most p (1 - p) / 2 times the steepest slope of T's density, which is at
most the integral of |t phi(t)| / (2 pi): tails are worked out for ``_TOTALS`` numbers of rows, and
what lies between them is added; where there are few, for each of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from statistics import NormalDist

import numpy as np

from dpdesk.privacy.distributions.half_widths import NoiseName, sum_half_width
from dpdesk.privacy.distributions.laplace import MISS, FloatVector
from dpdesk.privacy.distributions.noise_distribution import half_width, within
from dpdesk.privacy.noise.noise import Noise

MOST_ROWS = 100_000_000
"""Above it no count has an interval: chance moves one of a hundred million by 2 in 10,000."""

FAR = 0.002
"""How often the true number of rows may be further from the noisy one than is looked at."""

_TOTALS, _NODES, _PERIOD = 5, 2048, 26.0
_NEAR = 4
"""Rows within which every total is looked at."""
_LOST, _NOTHING = 1e-8, 1e-15
_STEPS = 18
_SMOOTH, _CUT = 0.8, (1.4, 2.5)
"""Deviation of what smooths a Gaussian; c in norms of the weights, for Laplace and Gaussian."""


def expected_count(drawn: int, noise: Noise, miss: float = MISS) -> Ends | None:
    """Between what the expected count lies, 1 - miss times in 1.

    Args:
        drawn: the noisy count.
        noise: its noise.
        miss: how often it may fail.

    Returns:
        ``None`` where the noise alone reaches beyond ``MOST_ROWS``.

    Without noise 10 cases leave 4.8 to 18.4 (Garwood 1936).

    >>> [round(float(end), 1) for end in expected_count(10, Noise("laplace", 0.01))]
    [4.8, 18.4]
    """
    reach = half_width(noise, miss / 100)
    far = max(drawn, 0) + reach
    if far > MOST_ROWS:
        return None
    most = far + 5 * math.isqrt(far) + 25
    return _ends(lambda mean: _poisson_tails(drawn, mean, noise), 1 << most.bit_length(), miss / 2)


def share_of_known(drawn: int, rows: int, noise: Noise, miss: float = MISS) -> Ends:
    """Between what the probability of a property lies, of a public number of rows.

    Args:
        drawn: the noisy count of rows with it.
        rows: how many rows there are.
        noise: of the count.
        miss: how often it may fail.

    Without noise, 20 of 100: 12.7 % to 29.2 % by Clopper and Pearson.

    >>> [round(float(100 * end), 1) for end in share_of_known(20, 100, Noise("laplace", 0.01))]
    [12.7, 29.2]
    """
    return _ends(lambda share: _binomial_tails(drawn, share, rows, noise), 1, miss / 2)


def share_of_noisy(having: int, others: int, noise: Noise, miss: float = MISS) -> Ends:
    """Between what the probability of a property lies, of a secret number of rows.

    Args:
        having: the noisy count of rows with it.
        others: of those without it.
        noise: of either.
        miss: how often it may fail.

    >>> [round(100 * end) for end in share_of_noisy(600, 1400, Noise("laplace", 10.0))]
    [28, 32]
    """
    # Those without it have the mirrored interval.
    return 1 - _upper(others, having, noise, miss), _upper(having, others, noise, miss)


Ends = tuple[Fraction, Fraction]
Tails = tuple[float, float]
"""P(what is drawn is at most the drawn number), and at least."""


def _ends(tails: Callable[[float], Tails], most: int, miss: float) -> Ends:
    """Where either tail is at ``miss``: both are monotone in the parameter, from 0 to ``most``.

    Neither end itself is looked at.
    """
    low = _crossing(lambda value: tails(value)[1] < miss, most)
    return low, most - _crossing(lambda value: tails(most - value)[0] < miss, most)


def _crossing(is_excluded: Callable[[float], bool], most: int) -> Fraction:
    """Among 2^18 equal steps from 0 to ``most``, the last value that is excluded.

    On a fixed grid: machines whose last bits differ find the same.
    """
    low, high = 0, 1 << _STEPS
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if is_excluded(middle * most / 2**_STEPS) else (low, middle)
    return Fraction(low * most, 2**_STEPS)


def _poisson_tails(drawn: int, mean: float, noise: Noise) -> Tails:
    first = max(0, math.floor(mean - 9 * math.sqrt(mean) - 40))
    values = np.arange(first, math.ceil(mean + 9 * math.sqrt(mean) + 40) + 1, dtype=np.float64)
    # From one chance to the next the factor is mean / value.
    start = first * math.log(mean) - mean - math.lgamma(first + 1)
    steps = math.log(mean) - np.log(values[1:])
    return _tails(drawn, values, start, steps, noise)


def _binomial_tails(drawn: int, share: float, rows: int, noise: Noise) -> Tails:
    mean, spread = rows * share, math.sqrt(rows * share * (1 - share))
    first = max(0, math.floor(mean - 9 * spread - 40))
    last = min(rows, math.ceil(mean + 9 * spread + 40))
    values = np.arange(first, last + 1, dtype=np.float64)
    logs = math.lgamma(rows + 1) - math.lgamma(first + 1) - math.lgamma(rows - first + 1)
    start = logs + first * math.log(share) + (rows - first) * math.log1p(-share)
    odds = math.log(share) - math.log1p(-share)
    steps = np.log((rows - values[:-1]) / values[1:]) + odds
    return _tails(drawn, values, start, steps, noise)


def _tails(
    drawn: int, values: FloatVector, start: float, steps: FloatVector, noise: Noise
) -> Tails:
    """Both tails of a number with noise, of whose values the logarithms of chances are given."""
    chances = np.exp(start + np.concatenate(([0.0], np.cumsum(steps))))
    at_most = float(chances @ _noise_below(drawn - values, noise))
    less = float(chances @ _noise_below(drawn - values - 1, noise))
    return at_most + _LOST, 1 - less + _LOST


def _noise_below(whole: FloatVector, noise: Noise) -> FloatVector:
    """P(X <= whole), elementwise."""
    far = half_width(noise, 1e-13) + 1.0
    high = np.clip(whole, -far, far)
    result: FloatVector = within(np.full(high.shape, -far), high, noise)
    return result


def _upper(having: int, others: int, noise: Noise, miss: float = MISS) -> Fraction:
    """The upper end of the probability."""
    kind: NoiseName = "laplace" if noise.mechanism == "laplace" else "gaussian"
    reach = sum_half_width(kind, noise.scale, 2, FAR)
    total = having + others
    looks = 2 * reach + 1 if reach <= _NEAR else _TOTALS
    around = np.linspace(float(max(total - reach, 0)), float(max(total + reach, 0)), looks)
    totals: FloatVector = np.unique(around.round())
    missed = miss / 2 - FAR / 2

    def is_excluded(beyond: float) -> bool:
        share = 1 - beyond
        return _at_most((1 - share) * having - share * others, share, totals, noise) < missed

    return 1 - _crossing(is_excluded, 1)


def _at_most(value: float, share: float, totals: FloatVector, noise: Noise) -> float:
    """P(E <= value) for the likeliest number of rows, from above."""
    weights = (1 - share, share)
    norm, is_laplace = math.hypot(*weights), noise.mechanism == "laplace"
    spread = noise.scale * (math.sqrt(2) if is_laplace else 1.0) + 1
    deviation = math.sqrt(norm * norm * spread * spread + totals[-1] * share * (1 - share))
    # Further out than a third of the period no tail is looked at: it is less than the one there.
    furthest = _PERIOD / 3 * deviation
    if value > furthest:
        return 1.0
    value = max(value, -furthest)
    step = 2 * math.pi / (_PERIOD * deviation)
    halves: FloatVector = np.arange(_NODES, dtype=np.float64) + 0.5
    places: FloatVector = halves * step
    smooth, kept, shift = _smoothed(places, weights, norm, noise)
    # One row: -p without the property, 1 - p with it.
    row = (1 - share) * np.exp(-1j * share * places) + share * np.exp(1j * (1 - share) * places)
    sizes = np.abs(row)
    # Where it is nothing it adds nothing: of many rows few places are left.
    some = smooth * sizes ** totals[0] > _NOTHING
    places, halves, row, sizes, smooth = (one[some] for one in (places, halves, row, sizes, smooth))
    logs = np.log(sizes) + 1j * np.angle(row)
    phi = np.exp(np.outer(totals, logs)) * smooth
    turned = phi * np.exp(-1j * places * (value + shift))
    below = 0.5 - turned.imag @ (1 / (np.pi * halves))
    gap = float(np.diff(totals, prepend=totals[0]).max())
    # Where every number of rows is looked at, none lies between.
    apart = gap / 2 + 0.5 if gap > 1 else 0.0
    steepest = float(np.abs(places * phi[0]).sum()) * step / math.pi
    between = apart * share * (1 - share) / 2 * steepest
    return float((below.max() + between + _LOST) / kept)


def _smoothed(
    places: FloatVector, weights: tuple[float, float], norm: float, noise: Noise
) -> tuple[FloatVector, float, float]:
    """The characteristic function of both noises, smoothed; P(R > -c) over what it adds; and c."""
    if noise.mechanism == "laplace":
        result = np.ones(places.size)
        for weight in weights:
            result /= 1 + (weight * noise.scale * places) ** 2
        return result, -math.expm1(-3 * _CUT[0] ** 2), _CUT[0] * norm
    square = noise.scale**2 + _SMOOTH**2
    wave = 2.1 * math.exp(-2 * math.pi**2 / (1 / noise.scale**2 + 1 / _SMOOTH**2))
    kept = NormalDist().cdf(_CUT[1]) / (1 + wave) ** 2
    return np.exp(-square * (norm * places) ** 2 / 2), kept, _CUT[1] * _SMOOTH * norm
