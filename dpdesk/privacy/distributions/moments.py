# SPDX-License-Identifier: Apache-2.0
r"""The margins of a mean and of a variance that follow from sums which were drawn together.

The exact sums are C = T (n, I, S) with the whole numbers T of ``joint_sums``: n rows, I the sum of
their indices i on a grid 0..m, S that of s, which is i (m - i) t / m rounded down, M = t m. Drawn
is C + Z, Z independent noises of one scale. What T inverts to is what is released: n', I', S'. In
parts of the range p = I / (n m) and y = S / (n M) are means of x = i / m and of s / M, and
V = p - y - p^2 is the variance, which divides by n, but for the rounding of s:

    0 <= V - V* <= 1 / M,   V* the exact one; equal where t = m.

Mean. I - m p n = 0, so I' - m p n' is a sum of Z with weights u(p), and

    |p' - p| <= q(u(p)) / (n' m)        exactly where |that sum| <= q(u(p)).

With q the half-width for the true p this happens with probability 1 - miss or more, for every data
set with n' > 0. The true p is not known but confined: it lies in 0..1, and then in every interval
that the bound gives for it; each pass takes the largest q over what the one before has left. No
miss is spent on that: all passes are right where the one event is. This is Fieller's argument (Some
problems in interval estimation, 1954) with the exact noise in place of a normal one.

Variance. By the definitions of p, y and V the sum of x - s / M - 2 p x + p^2 - V over the rows is
0, so the same of n', I' and S' is a sum of Z with weights w(p, p^2 - V), and divided by n' it is

    V' - V + (p' - p)^2 = (that sum) / n'.

With probability 1 - m1 it is within its half-width q(w), with 1 - m2 p is within the mean's d of
p': |V' - V| <= q / n' + d^2 with probability 1 - miss or more, m1 + m2 = miss. Here, too, passes
confine p and V; besides 0 <= V* <= p (1 - p) (Bhatia and Davis, A better bound on the variance,
2000), which is at most 1/4 (Popoviciu, 1935). Published is V' - 1 / (2 M), with 1 / (2 M) more in
the margin.

One side (for ``shared_miss``). Noise is symmetric, so to one side each half-width misses half as
often. If p' - p is above the margin, the pass that left p out, or the last one, had a q of q(u(p))
or more, and the sum is above it: a pass that puts p too low does that to p' as well, and p' - p is
then no longer above 0. So a mean's margin misses to one side with miss / 2 at most. A variance's
does with (m1 / 2) + m2: where |p' - p| <= d, V' - V above it means a sum above q, as (p' - p)^2
only adds to the sum, and V' - V below -(q / n' + d^2) one below -q.

Half-widths. u is linear in p, w in (p, p^2 - V), and each of the bounds of ``mixed_sum`` is convex
in the weights, so over an interval or a rectangle it is largest at a corner. Of all p and V the
pairs (p, p^2 - V) lie between the curve 2p^2 - p and the straight line from (0, 0) to (1, 1):
within the polygon of these two points and of those where tangents of the curve meet. Two noises of
few quanta are added up exactly (``ratio``): |a X - b Y| <= q where |X - (b / a) Y| <= q / a.

How much wider than it must be a margin is: next to nothing for a mean. A variance near 0 or near
the largest is held within these, which takes half of what would be beyond; on grids of few values
noise of few quanta is smoothed (``mixed_sum``); and d^2 shows where the noisy count is below some
hundred times the noise of one row.

Where n is public, it has no noise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise, product
from math import ceil, floor, lcm, sqrt
from operator import mul

from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.distributions.mixed_sum import mixed_bounds
from dpdesk.privacy.distributions.ratio import ratio_half_width
from dpdesk.privacy.joint_sums import Weights, fineness
from dpdesk.privacy.noise.noise import Noise

PASSES = 3
OF_MEAN = 0.02
"""m2 of the claim, as a part of the miss: its d counts squared."""

ONE_SIDE = (1 - OF_MEAN) / 2 + OF_MEAN
"""The part of a variance's miss to one side of it; see the head of the module."""

FINENESS = 512
"""Intervals are rounded outwards to so many parts of the range, so that few are worked out."""

FEW_QUANTA = 64
"""Up to this scale two noises are added up exactly."""

SLACK = 1e-8
"""What is added for floating point, as a part: its numbers have 15 digits, M has 10."""

_TANGENTS = 8
_HALVED = 3

Interval = tuple[float, float]
Points = tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Released:
    """A mean or a variance in steps of the grid, or their squares, and its margin."""

    value: Fraction
    margin: Fraction


@dataclass(frozen=True)
class DrawnSums:
    """How the sums of a cell were drawn.

    Attributes:
        last: m of the head of the module.
        weights: T, see ``JointSums``.
        noise: of each sum.
        public: n, where it is public.
    """

    last: int
    weights: Weights
    noise: Noise
    public: int | None = None

    @cached_property
    def unit(self) -> int:
        """What a noise counts in: m, and M where there are products; weights are near 1 then."""
        last = self.last
        return last * fineness(last) if len(self._sizes) > 2 else last

    @cached_property
    def rounding(self) -> Fraction:
        """1 / M, or nothing where no product is rounded."""
        t = fineness(self.last)
        return Fraction(0) if t == self.last else Fraction(1, t * self.last)

    @cached_property
    def _sizes(self) -> tuple[int, ...]:
        """1, m and M: what n, I and S are in parts of; a mean has no S."""
        last = self.last
        has_products = any(product for *_, product in self.weights)
        return (1, last, last * fineness(last)) if has_products else (1, last)

    @cached_property
    def _inverse(self) -> tuple[tuple[Fraction, ...], ...]:
        """What n', I' / m and S' / M take of each sum; no n where it is public."""
        start, end = int(self.public is not None), len(self._sizes)
        found = inverted([entry[start:end] for entry in self.weights])
        pairs = zip(found, self._sizes[start:], strict=True)
        return tuple(tuple(one / size for one in row) for row, size in pairs)

    @cached_property
    def _whole_inverse(self) -> tuple[tuple[tuple[int, ...], ...], int]:
        """The same in whole parts, and of how many parts one is."""
        parts = lcm(*(one.denominator for row in self._inverse for one in row))
        return tuple(tuple(int(one * parts) for one in row) for row in self._inverse), parts

    @cached_property
    def _float_inverse(self) -> tuple[tuple[float, ...], ...]:
        """By sum, and in parts of a unit, so that it is near 1."""
        by_sum = zip(*self._inverse, strict=True)
        return tuple(tuple(float(one * self.unit) for one in column) for column in by_sum)

    def solved(self, drawn: Sequence[int]) -> tuple[int, ...]:
        """n', I' / m and S' / M of a cell's noisy sums, in whole parts; then the parts of one."""
        rows, parts = self._whole_inverse
        known, n = drawn, self.public
        if n is not None:
            known = [own - n * row for own, (row, *_) in zip(drawn, self.weights, strict=True)]
        found = (sum(map(mul, row, known)) for row in rows)
        return (*(() if n is None else (n * parts,)), *found, parts)

    def noise_weights(self, takes: Sequence[float]) -> tuple[float, ...]:
        """What n', I' / m and S' / M, so often each, take of each noise; in parts of a unit."""
        used = takes[self.public is not None :]
        return tuple(sum(map(mul, used, column)) for column in self._float_inverse)


def inverted(matrix: Sequence[Sequence[int]]) -> tuple[tuple[Fraction, ...], ...]:
    """The inverse of a small matrix of whole numbers, exactly (Gauss and Jordan).

    >>> [list(map(str, row)) for row in inverted([[0, 2], [1, 3]])]
    [['-3/2', '1'], ['1/2', '0']]
    """
    size = len(matrix)
    rows = [
        [*map(Fraction, row), *(Fraction(int(i == j)) for j in range(size))]
        for i, row in enumerate(matrix)
    ]
    for place in range(size):
        pivot = next(i for i in range(place, size) if rows[i][place])
        rows[place], rows[pivot] = rows[pivot], rows[place]
        rows[place] = [one / rows[place][place] for one in rows[place]]
        for i, row in enumerate(rows):
            if i != place:
                rows[i] = [a - row[place] * b for a, b in zip(row, rows[place], strict=True)]
    return tuple(tuple(row[size:]) for row in rows)


def released_mean(how: DrawnSums, drawn: Sequence[int], miss: float = MISS) -> Released | None:
    """The mean and its margin, in steps from the lower bound; ``None`` for less than one row.

    Claim: the exact mean is within the margin with probability 1 - miss or more.

    Args:
        how: how the sums were drawn.
        drawn: the noisy sums of a cell.
        miss: how often the margin may fail.
    """
    n, total, *_, parts = how.solved(drawn)
    if n < parts:
        return None
    last = how.last
    margin, _ = _of_mean(how, n / parts, total / n, miss)
    value = Fraction(min(max(total, 0), n) * last, n)
    return Released(value, Fraction(min(margin, 1.0)) * last)


def mean_before(how: DrawnSums, rows: int, miss: float = MISS) -> Fraction:
    """A mean's margin in steps whatever the mean is, where n' is ``rows``."""
    off = _raised(_widest_of_mean(how, 0, FINENESS, miss) / (how.unit * rows))
    return min(Fraction(off), Fraction(1)) * how.last


def _of_mean(how: DrawnSums, n: float, mean: float, miss: float) -> tuple[float, Interval]:
    """The d of the claim in parts of the range, and where p is."""
    left = (0.0, 1.0)
    for _ in range(PASSES):
        off = _raised(_widest_of_mean(how, *_parts(left), miss) / (how.unit * n))
        found = (max(0.0, mean - off - SLACK * off), min(1.0, mean + off + SLACK * off))
        if found[0] > found[1]:  # the event fails; nothing is promised then
            break
        left = found
    return off, left


@lru_cache(maxsize=16_384)
def _widest_of_mean(how: DrawnSums, low: int, high: int, miss: float) -> float:
    """The largest q(u(p)) for p between two of the ``FINENESS`` parts of the range."""
    if high - low > FINENESS >> _HALVED and how.noise.scale < FEW_QUANTA:
        middle = (low + high) // 2
        return max(
            _widest_of_mean(how, low, middle, miss), _widest_of_mean(how, middle, high, miss)
        )
    ends = tuple(how.noise_weights((-p / FINENESS, 1.0)) for p in (low, high))
    smooth = half_width_between(how.noise, ends, miss)
    if how.noise.scale >= FEW_QUANTA or len(ends[0]) != 2:
        return smooth
    return min(smooth, _exact_of_two(how.noise, ends, miss))


def _exact_of_two(noise: Noise, ends: Points, miss: float) -> float:
    """The half-width of a X - b Y for weights that mix two pairs, in parts that add up to 1.

    b / a goes one way from end to end where a does not change its sign, and a is the larger at one
    end or at both, or b is: what the smaller one is in parts of the larger is at most 1 then.
    """
    sizes = [tuple(map(abs, pair)) for pair in ends]
    parts = [min(a, b) / max(a, b) for a, b in sizes]
    is_one_side = (sizes[0][0] >= sizes[0][1]) == (sizes[1][0] >= sizes[1][1])
    reach = max(parts) if is_one_side else 1.0
    largest = max(max(pair) for pair in sizes)
    return largest * ratio_half_width(noise, noise, min(1.0, reach * (1 + SLACK)), miss)


def half_width_between(noise: Noise, ends: Points, miss: float) -> float:
    """A half-width for all weights that mix some, in parts that add up to 1; see ``mixed_sum``."""
    noises = (noise,) * len(ends[0])
    bounds = (mixed_bounds(noises, tuple(map(abs, weights)), miss) for weights in ends)
    result: float = min(map(max, zip(*bounds, strict=True)))
    return result


def released_variance(how: DrawnSums, drawn: Sequence[int], miss: float = MISS) -> Released | None:
    """The variance and its margin, in squares of a step; ``None`` for less than one row.

    Claim: the exact variance is within the margin with probability 1 - miss or more.

    Args:
        how: how the sums were drawn.
        drawn: the noisy sums of a cell.
        miss: how often the margin may fail.
    """
    n, total, products, parts = how.solved(drawn)
    if n < parts:
        return None
    value = Fraction((total - products) * n - total * total, n * n)
    means = _of_mean(how, n / parts, total / n, miss * OF_MEAN)
    margin = Fraction(_of_variance(how, n / parts, float(value), means, miss))
    most, square = Fraction(1, 4), how.last**2
    value = min(max(value - how.rounding / 2, Fraction(0)), most)
    return Released(value * square, min(margin, most) * square)


def _of_variance(
    how: DrawnSums, n: float, value: float, means: tuple[float, Interval], miss: float
) -> float:
    """The margin of the claim, in squares of the range."""
    off, (low, high) = means
    rounding = float(how.rounding)
    nearest = min(max(0.5, low), high)
    left = (0.0, nearest * (1 - nearest) + rounding)
    for _ in range(PASSES):
        widest = _widest_of_variance(
            how, *_parts((low, high)), *_parts(_beside(means[1], left)), miss
        )
        margin = _raised(widest / (how.unit * n) + off * off)
        reach = margin + SLACK * (margin + abs(value))
        found = (max(left[0], value - reach), min(left[1], value + reach))
        if found[0] > found[1]:  # one of the events fails; nothing is promised then
            break
        left = found
    return margin + rounding / 2


def _beside(means: Interval, left: Interval) -> Interval:
    """Where p^2 - V is."""
    return means[0] ** 2 - left[1], means[1] ** 2 - left[0]


@lru_cache(maxsize=65_536)
def _widest_of_variance(
    how: DrawnSums, low: int, high: int, least: int, most: int, miss: float
) -> float:
    """The largest q(w) for p and p^2 - V between two parts of the range each."""
    corners = product((low, high), (least, most))
    ends = tuple(_weights(how, p / FINENESS, beside / FINENESS) for p, beside in corners)
    return half_width_between(how.noise, ends, miss * (1 - OF_MEAN))


def _weights(how: DrawnSums, p: float, beside: float) -> tuple[float, ...]:
    """w(p, p^2 - V)."""
    return how.noise_weights((beside, 1 - 2 * p, -1.0))


def variance_before(
    how: DrawnSums, rows: int, miss: float = MISS, variance: Fraction | None = None
) -> Fraction:
    """A variance's margin in squares of a step, whatever the mean is.

    Claim: as :func:`released_variance`, where n' is ``rows``.

    Args:
        how: how the sums are drawn.
        rows: how many there are.
        miss: how often the margin may fail.
        variance: the exact one, in squares of a step; ``None`` for a margin that holds of any.
    """
    off = _widest_of_mean(how, 0, FINENESS, miss * OF_MEAN) / (how.unit * rows)
    if variance is None:
        widest = _widest_of_all(how, miss)
    else:
        widest = _widest_at(how, min(float(variance / how.last**2), 0.25), miss)
    margin = _raised(widest / (how.unit * rows) + off * off)
    most = Fraction(1, 4)
    return min(Fraction(margin) + how.rounding / 2, most) * how.last**2


@lru_cache(maxsize=4096)
def _widest_of_all(how: DrawnSums, miss: float) -> float:
    """The largest q(w) of all p and V; see the head of the module."""
    places = [part / _TANGENTS for part in range(_TANGENTS + 1)]
    # Tangents of 2p^2 - p at a and b meet at p = (a + b) / 2, where it is 2ab - p.
    below = [((a + b) / 2, 2 * a * b - (a + b) / 2) for a, b in pairwise(places)]
    return _widest_within(how, [(0.0, 0.0), (1.0, 1.0), *below], miss)


@lru_cache(maxsize=4096)
def _widest_at(how: DrawnSums, variance: float, miss: float) -> float:
    """The largest q(w) of all p that a variance leaves; p^2 is a curve."""
    reach = sqrt(0.25 - variance)
    places = [0.5 + reach * (2 * part / _TANGENTS - 1) for part in range(_TANGENTS + 1)]
    # Tangents of p^2 at a and b meet at p = (a + b) / 2, where it is ab.
    between = (((a + b) / 2, a * b) for a, b in pairwise(places))
    squares = [*((p, p * p) for p in (places[0], places[-1])), *between]
    return _widest_within(how, [(p, square - variance) for p, square in squares], miss)


def _widest_within(how: DrawnSums, corners: Sequence[Interval], miss: float) -> float:
    """The largest q(w) within a polygon of pairs (p, p^2 - V*), V up to the rounding above V*."""
    rounded = {0.0, float(how.rounding)}
    ends = tuple(_weights(how, p, beside - above) for p, beside in corners for above in rounded)
    return half_width_between(how.noise, ends, miss * (1 - OF_MEAN))


def _parts(interval: Interval) -> tuple[int, int]:
    """The parts of the range that an interval reaches to."""
    return floor(interval[0] * FINENESS), ceil(interval[1] * FINENESS)


def _raised(value: float) -> float:
    return value * (1 + SLACK)
