# SPDX-License-Identifier: Apache-2.0
r"""The margin of a variance: noisy squares, sum and count of centred grid indices.

In steps: a row with grid index i has d = i - centre in -c..h, c = last // 2 and h = last - c, and
the whole number w = round(d^2 / g) - b. Here g, the ``grain``, is 1 unless h^2 has more than
``BITS`` bits (then sums of squares could pass 2^62), and b = round(h^2 / g) // 2 puts w around
zero, so that a square weighs half of what it would. Rounding is off by at most 1/2, so

    g (w + b) = d^2 + e,   |e| <= E,   E = g / 2, or 0 where g = 1.

Let n, S, Q be the exact count and sums of d and w; Y, X, Z their independent noises; N = n + Y
what is released; mu = S / n, and V = (sum of d^2) / n - mu^2 the population variance, which
divides by n. Published is V' = g ((Q + Z) / N + b) - ((S + X) / N)^2. With D = X - mu Y,

    (S + X) / N = mu + D / N,    (Q + Z) / N = Q / n + (Z - (Q / n) Y) / N,
    V' - V = (g Z - 2 mu X + r Y) / N - (D / N)^2 + (mean of e),
    r = 2 mu^2 - g Q / n = mu^2 - V + g b - (mean of e).

Let m1 + m2 = miss. With probability 1 - m2 or more |D| <= d for every mu (``ratio``). With 1 - m1
or more |g Z - 2 mu X + r Y| <= q(|2 mu|, |r|), which grows with both (``mixed_sum``). Hence

    |V' - V| <= q / N + (d / N)^2 + E          with probability 1 - miss or more,

for every data set with N >= 1. What q needs of mu and V is not known but confined: where both
events hold, |mu - (S + X) / N| <= d / N, and V lies in every interval that the bound gives for it
with a larger q; each pass takes the largest q over what was left by the one before. Besides,
0 <= V <= (h - mu) (c + mu) (Bhatia and Davis, A better bound on the variance, 2000), which is at
most last^2 / 4 (Popoviciu, 1935). Before the release mu and V may be anything: |2 mu| <= 2 h,
|r| <= h^2 + g b + E.

Where n is public, Y = 0 and the term with r is not there. The argument is Fieller's (1954) for a
quadratic instead of a ratio.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil

from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.distributions.mixed_sum import mixed_half_width
from dpdesk.privacy.distributions.noise_distribution import half_width
from dpdesk.privacy.distributions.ratio import ratio_half_width
from dpdesk.privacy.noise.noise import Noise

BITS = 32
"""Squares have this many bits at most: a public cap of 2^31 rows keeps their sum below 2^62."""

PASSES = 3
FINENESS = 512
"""Weights are rounded up to this many parts of the largest, so that few are worked out."""

SLACK = 1e-9
"""What intervals in floating point are widened by, as a part of their numbers."""

FloatInterval = tuple[float, float]


@dataclass(frozen=True)
class IndexGrid:
    """The whole numbers of a grid of indices 0..last; see the head of the module.

    Attributes:
        last: index of the upper bound.
    """

    last: int

    @property
    def centre(self) -> int:
        """The c of the head of the module, also the largest distance below the centre."""
        return self.last // 2

    @property
    def reach(self) -> int:
        """h, the largest distance from the centre."""
        return self.last - self.centre

    @cached_property
    def grain(self) -> int:
        """g, a power of two."""
        return 1 << max(0, (self.reach**2).bit_length() - BITS)

    @cached_property
    def top(self) -> int:
        """The largest rounded square, round(h^2 / g)."""
        return (self.reach**2 + self.grain // 2) // self.grain

    @cached_property
    def shift(self) -> int:
        """What is taken from every rounded square: b."""
        return self.top // 2

    @cached_property
    def slack(self) -> Fraction:
        """E: how far the rounding of squares may move their mean."""
        return Fraction(self.grain, 2) if self.grain > 1 else Fraction(0)

    @cached_property
    def most(self) -> Fraction:
        """The largest variance: half of the rows at either bound."""
        return Fraction(self.last**2, 4)

    @cached_property
    def farthest(self) -> float:
        """The largest that |r| can be."""
        return float(self.reach**2 + self.grain * self.shift + self.slack)


@dataclass(frozen=True)
class Noises:
    """The noises of squares and sum, and of the count unless that is public."""

    squares: Noise
    total: Noise
    rows: Noise | None


@dataclass(frozen=True)
class ReleasedVariance:
    """A published variance and its margin, in squares of a step."""

    value: Fraction
    margin: Fraction


def margin_before(frame: IndexGrid, noises: Noises, rows: int, miss: float = MISS) -> Fraction:
    """The margin whatever the mean and the variance are.

    Claim: |published - exact| is at most this with probability 1 - miss, where ``rows`` is the
    noisy count (or the public one); both lie in 0..last^2 / 4.
    """
    margin = _margin(frame, noises, rows, (2.0 * frame.reach, frame.farthest), miss)
    return min(margin, frame.most)


def released_variance(
    frame: IndexGrid, noises: Noises, drawn: tuple[int, int, int], miss: float = MISS
) -> ReleasedVariance | None:
    """The published variance and its margin; ``None`` where the count is below one.

    The intervals are kept in floating point, a little wider than they are; value and margin are
    exact. That both lie in 0..last^2 / 4 shortens the margin last: before the value is cut, it
    may be farther off.

    Args:
        frame: the grid.
        noises: the noises.
        drawn: noisy squares, noisy sum, and the noisy or public count.
        miss: see ``margin_before``.
    """
    squares, total, rows = drawn
    if rows < 1:
        return None
    mean = Fraction(total, rows)
    value = frame.grain * (Fraction(squares, rows) + frame.shift) - mean**2
    about, wider = float(value), SLACK * (abs(float(value)) + float(mean) ** 2 + frame.farthest)
    means = _means(frame, float(mean), _of_mean(frame, noises, miss) / rows)
    left = (0.0, _highest(frame, means) + wider)
    margin = frame.most
    for _ in range(PASSES):
        margin = _margin(frame, noises, rows, _weights(frame, means, left), miss)
        reach = float(margin) * (1 + SLACK) + wider
        left = (max(left[0], about - reach), min(left[1], about + reach))
        if left[0] > left[1]:  # one of the events fails; nothing is promised then
            break
    return ReleasedVariance(min(max(value, Fraction(0)), frame.most), min(margin, frame.most))


def _of_mean(frame: IndexGrid, noises: Noises, miss: float) -> int:
    """The d of the claim, with m2 = miss / 10."""
    if noises.rows is None:
        return half_width(noises.total, miss / 10)
    return ratio_half_width(noises.total, noises.rows, frame.reach, miss / 10)


def _margin(
    frame: IndexGrid, noises: Noises, rows: int, weights: FloatInterval, miss: float
) -> Fraction:
    """The bound of the claim for the largest |2 mu| and |r|, with m1 = 9 / 10 of miss."""
    of_sum, of_count = weights
    pairs = [(noises.squares, float(frame.grain)), (noises.total, of_sum)]
    pairs += [(noises.rows, of_count)] if noises.rows is not None else []
    noisy, sizes = zip(*pairs, strict=True)
    linear = Fraction(mixed_half_width(noisy, sizes, 0.9 * miss)) / rows
    return linear + Fraction(_of_mean(frame, noises, miss), rows) ** 2 + frame.slack


def _means(frame: IndexGrid, mean: float, off: float) -> FloatInterval:
    """Where the exact mean lies; all of the range where what was found is far outside."""
    off += SLACK * (abs(mean) + off)
    low, high = max(mean - off, -float(frame.centre)), min(mean + off, float(frame.reach))
    return (low, high) if low <= high else (-float(frame.centre), float(frame.reach))


def _highest(frame: IndexGrid, means: FloatInterval) -> float:
    """The largest variance of a mean in the interval: that of the one nearest to the middle."""
    mean = min(max((frame.reach - frame.centre) / 2, means[0]), means[1])
    return (frame.reach - mean) * (frame.centre + mean)


def _weights(frame: IndexGrid, means: FloatInterval, left: FloatInterval) -> FloatInterval:
    """The largest |2 mu| and |r| there, rounded up to a ``FINENESS`` of what they can be."""
    squares = (means[0] ** 2, means[1] ** 2)
    least = 0.0 if means[0] < 0 < means[1] else min(squares)
    raised, slack = float(frame.grain * frame.shift), float(frame.slack)
    highest = max(squares) - left[0] + raised + slack
    lowest = least - left[1] + raised - slack
    of_sum = _raised(2 * max(abs(means[0]), abs(means[1])), 2.0 * frame.reach)
    return of_sum, _raised(max(highest, -lowest), frame.farthest)


def _raised(value: float, most: float) -> float:
    """The next multiple of a ``FINENESS`` of the most, or the most."""
    return min(most, ceil(value / most * FINENESS + SLACK * FINENESS) * most / FINENESS)
