# SPDX-License-Identifier: Apache-2.0
r"""The margin of a share: one noisy count over the sum of two, each with noise of one scale.

Let w of N rows have a property and o = N - w not, p = w / N, and X and Y the independent noises of
the two counts. The published share is (w + X) / (N + X + Y), and

    (w + X) - p * (N + X + Y) = (1 - p) * X - p * Y = E(p),

so p lies in the set of all shares s with |noisy w - s * noisy N| <= q(s) whenever |E(p)| <= q(p):
95 times in 100 where q(s) is a half-width of E(s) (Fieller, Some problems in interval estimation,
1954, with the exact noise). At the ends E is one noise, in the middle half of the sum of two: its
half-width falls there to about two thirds.

Claim (``share_half_width``): P(|E(s)| <= q) >= 1 - miss for every s of a range [a, b] at once.
Why: |E(s)| is convex in s for each outcome, so where it is at most q at both ends it is in
between; counted is the chance of that. Y's values are gathered into at most ``GROUPS`` groups, and
only those X count that do at both ends of a group; what lies beyond the last counts as a miss.
E(1 - s) is distributed as E(s), so ranges above one half are those below it.

Claim (``ConsistentShare``): E(s) = F - s N, F and N the errors of the rows of some lines of a
cell and of all its lines, however they are made up, is within it at least 1 - miss times in 1, for
each s of one range. Why: E(s) is E(m), m the middle of the range, and at most half its width
times N; E(m) is beyond its own half-width at most ``_MOST`` of the miss, N the rest of it. It is
within (1 - s) a + s b, too, where F is within a and N - F within b, each missed half as often.

Claim (``fitting_shares``, ``share_margin``): from the released counts alone, no share of the set
lies outside the two ends, or further from the published share. In each of ``PARTS`` equal ranges q
is one number, so what the set has in it is an interval.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise
from math import lcm

import numpy as np
import numpy.typing as npt

from dpdesk.privacy.consistent import FigureErrors
from dpdesk.privacy.distributions.laplace import MISS, FloatVector
from dpdesk.privacy.distributions.noise_distribution import half_width, within
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.usable import Number

PARTS = 32
"""Into how many ranges the shares from 0 to 1 are cut."""

ZERO, ONE = Fraction(0), Fraction(1)

GROUPS = 500
NEGLIGIBLE = 1e-9
_MOST = 0.98
_STEPS = 16
"""A half-width is a whole number of such parts of a row."""
_WIDEST = 1e12
"""Up to this scale whole numbers of 64 bits hold what is worked out here."""

IntVector = npt.NDArray[np.int64]


@lru_cache(maxsize=16_384)
def share_half_width(noise: Noise, low: int, high: int, miss: float = MISS) -> Fraction:
    """The q of the claim at the head of the module, in rows.

    Args:
        noise: of either count.
        low: the least share of the range, in ``PARTS``.
        high: the largest, ``PARTS`` / 2 at most.
        miss: probability that may lie beyond, below 1.

    With the scale 10, at the share 1/2, where twice the error is the sum of two noises:

    >>> share_half_width(Noise("laplace", 10.0), 16, 16)
    Fraction(41, 2)
    """
    # Each count within its own, with half of what may miss: E is a mean of both.
    widest = half_width(noise, miss / 2)
    if noise.scale > _WIDEST:
        return Fraction(widest)
    shifts, weights = _groups(noise)
    least, most = 0, widest * _STEPS
    while most - least > max(1, most >> 10):
        middle = (least + most) // 2
        chance = float(weights @ _inside(middle, (low, high), shifts, noise))
        least, most = (least, middle) if 1 - chance <= miss else (middle, most)
    return Fraction(most, _STEPS)


@lru_cache(maxsize=256)
def _groups(noise: Noise) -> tuple[tuple[IntVector, IntVector], FloatVector]:
    """The least and the largest |Y| of each group, and the group's chance."""
    last = half_width(noise, NEGLIGIBLE)
    # Narrow where |Y| is small and likely.
    places = np.unique((last * np.linspace(0, 1, min(last + 1, GROUPS)) ** 2).round())
    chances = np.diff(within(-places, places, noise), prepend=0.0)
    ends = places.astype(np.int64)
    return (np.concatenate(([0], ends[:-1] + 1)), ends), chances


def _inside(
    steps: int, shares: tuple[int, int], shifts: tuple[IntVector, IntVector], noise: Noise
) -> FloatVector:
    """The chance of an X with which |E| is at most ``steps`` at both shares, for each group."""
    first, last = shifts
    reach = steps * PARTS
    lows, highs = [], []
    for share in shares:
        # (PARTS - share) X lies within reach / _STEPS of share Y; in whole numbers, for Y >= 0.
        worth, step = _STEPS * share, _STEPS * (PARTS - share)
        lows.append(-((reach - worth * last) // step))
        highs.append((worth * first + reach) // step)
    low, high = np.maximum(*lows), np.minimum(*highs)
    chances = within(np.minimum(low, high).astype(float), high.astype(float), noise)
    result: FloatVector = np.where(low <= high, chances, 0.0)
    return result


@lru_cache(maxsize=4096)
def worst_half_width(noise: Noise, miss: float = MISS) -> Fraction:
    """A half-width of the error for every share, in rows: about that of one noise."""
    # Near 0 it falls, so one narrow range there and the rest together are almost the least.
    narrow = 2
    ranges = ((0, narrow), (narrow, PARTS // 2))
    return max(share_half_width(noise, low, high, miss) for low, high in ranges)


def share_margin(noise: Noise, having: int, total: int, miss: float = MISS) -> Fraction:
    """How far the exact share can lie from the published one, 1 - miss times in 1.

    Args:
        noise: of either count.
        having: the noisy count of rows with the property.
        total: the sum of both noisy counts, 1 or more.
        miss: how often the margin may fail.

    >>> share_margin(Noise("laplace", 10.0), 500, 1000)
    Fraction(21, 1000)
    >>> share_margin(Noise("laplace", 10.0), 0, 1000)
    Fraction(3, 100)
    """

    def width_in(part: int) -> Fraction:
        # The larger shares have the half-widths of the smaller ones.
        least = min(part, PARTS - 1 - part)
        return share_half_width(noise, least, least + 1, miss)

    near = Fraction(having, total)
    low, high = fitting_shares(near, total, width_in, worst_half_width(noise, miss))
    share = min(max(near, ZERO), ONE)
    return max(share - low, high - share)


def fitting_shares(
    near: Fraction,
    total: Number,
    width_in: Callable[[int], Number],
    widest: Number,
    most_in: Callable[[int], Number] | None = None,
) -> tuple[Fraction, Fraction]:
    """The least and the largest share s from 0 to 1 with total |near - s| <= q(s).

    Args:
        near: the noisy share, which may lie beyond 0 or 1.
        total: the noisy number of rows, above 0.
        width_in: q in each of ``PARTS`` equal ranges of shares.
        widest: no q is larger; where no share fits, those within it of the nearest one.
        most_in: what q is at most in a range, where that is found sooner: a range with no share
            that would fit with it has none that fits.
    """
    whole = Fraction(total)
    counted = near * whole
    # In whole numbers, which is several times as fast: all times the total and one denominator.
    under = lcm(whole.denominator, counted.denominator)
    place = int(counted * under), int(whole * under), under
    reach = Fraction(widest)
    low, high = (PARTS * end for end in _ends(place, reach))
    size = place[1] * reach.denominator
    first, last = min(max(low // size, 0), PARTS), min(max(high // size, -1), PARTS - 1)
    # Each end is found from outside; the ranges between need not be looked at.
    widths = (width_in,) if most_in is None else (most_in, width_in)
    upper = next(_fitting(place, widths, range(last, -1, -1)), None)
    if upper is None:
        share, away = min(max(near, ZERO), ONE), reach / whole
        return max(ZERO, share - away), min(ONE, share + away)
    lower = next(_fitting(place, widths, range(first, PARTS)), upper)
    return lower[0], upper[1]


_Place = tuple[int, int, int]
"""The noisy number of rows with the property and of all, over one denominator; and that."""


def _ends(place: _Place, reach: Number) -> tuple[int, int]:
    """The noisy number less and plus some rows, over the product of both denominators."""
    middle, away = place[0] * reach.denominator, reach.numerator * place[2]
    return middle - away, middle + away


def _fitting(
    place: _Place, widths: tuple[Callable[[int], Number], ...], parts: Iterable[int]
) -> Iterator[tuple[Fraction, Fraction]]:
    """The fitting shares of each range that has any."""
    for part in parts:
        for width_in in widths:
            reach = width_in(part)
            low, high = (PARTS * end for end in _ends(place, reach))
            size = place[1] * reach.denominator
            low, high = max(low, part * size), min(high, (part + 1) * size)
            if low > high:
                break
        else:
            yield Fraction(low, PARTS * size), Fraction(high, PARTS * size)


@dataclass(frozen=True)
class ConsistentShare:
    """The half-widths of one consistent share, worked out where they are wanted.

    Attributes:
        errors: of the figures.
        line: up to which line of a cell rows are counted.
        lines: how many a cell has.
        miss: probability that may lie beyond, for each share.
    """

    errors: FigureErrors
    line: int
    lines: int
    miss: float = MISS

    @cached_property
    def _both(self) -> tuple[Fraction, Fraction]:
        """Of the rows counted and of those that are not, each missed half as often."""
        before, behind = (
            self.errors.half_width(self.line, share, miss=self.miss / 2) for share in (0.0, 1.0)
        )
        return before, behind

    @cached_property
    def _beside(self) -> Fraction:
        return self.errors.half_width(self.lines - 1, miss=(1 - _MOST) * self.miss) / (2 * PARTS)

    @cached_property
    def _known(self) -> dict[int, Fraction]:
        return {}

    @cached_property
    def _by_both(self) -> tuple[Fraction, ...]:
        """In each range, what q is at most, for both counts by themselves."""
        before, behind = self._both
        ends = [((PARTS - end) * before + end * behind) / PARTS for end in range(PARTS + 1)]
        return tuple(max(pair) for pair in pairwise(ends))

    def width_in(self, part: int) -> Fraction:
        """The q of the claim at the head of the module in one of ``PARTS`` ranges of shares."""
        if part not in self._known:
            middle = (2 * part + 1) / (2 * PARTS)
            near = self.errors.half_width(self.line, middle, miss=_MOST * self.miss)
            self._known[part] = min(near + self._beside, self._by_both[part])
        return self._known[part]

    def figure_ends(self, near: Fraction, total: Number) -> tuple[Fraction, Fraction]:
        """Between what the exact share lies; see ``fitting_shares``."""
        widest = max(self._both)
        return fitting_shares(near, total, self.width_in, widest, self._by_both.__getitem__)

    @property
    def widest(self) -> Fraction:
        """In rows: near 0 one error alone is left, in the middle half of the sum of two."""
        return max(self.width_in(0), self.width_in(PARTS // 2 - 1))
