# SPDX-License-Identifier: Apache-2.0
r"""Intervals for differences, ratios and odds ratios of independent figures, from theirs.

Each figure has an interval for the population (``population``): noise and chance together, where
nothing divides by a noisy count. Those of different groups are independent: of different people,
with noise of their own. They are combined by the method of variance estimates recovery (Newcombe
1998, method 10; Zou, Huang and Zhang 2009; of ratios Donner and Zou 2012). A figure's own interval
says how far it may be off at that side, l below and u above it, so a sum of w_j x_j reaches down by

    sqrt(sum of (w_j (x_j - e_j))^2),    e_j = l_j where w_j > 0, else u_j,

and up likewise. The ratio R of two is where x_1 - R x_0 with its reach no longer holds 0, a
quadratic equation; the odds ratio is the difference of logarithms of odds, with their ends.

Claim: at least 95 times in 100, over noise and chance, the population's figure is between both
ends. That is no proof but was measured: ``tests/privacy/group_comparisons/test_intervals.py`` and
``python -m tests.acceptance publish`` draw releases of the real door. Each figure's interval is
never too short (its tails are exact), and what combining them takes, their width gives.

An end that is 0 divides nothing: where the second figure may be 0, a ratio has no highest value.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Estimate:
    """A figure of one group.

    Attributes:
        value: as published, before its published form.
        low, high: between what the population's figure lies; ``None`` where that is not known.
    """

    value: Fraction
    low: Fraction | None
    high: Fraction | None

    @property
    def is_known(self) -> bool:
        """Whether it has an interval."""
        return self.low is not None and self.high is not None

    @property
    def sides(self) -> tuple[float, float, float]:
        """The lowest, the figure and the highest; noise may have taken it out of its interval.

        Raises:
            ValueError: it has no interval.
        """
        if self.low is None or self.high is None:
            raise ValueError("no interval")
        near = min(max(self.value, self.low), self.high)
        return float(self.low), float(near), float(self.high)


Reach = tuple[float, float]
"""Both ends; the highest may be infinite."""


def contrast_ends(weights: Sequence[Fraction], estimates: Sequence[Estimate]) -> Reach:
    """Between what a weighted sum of the population's figures lies.

    >>> half = Estimate(Fraction(1, 2), Fraction(2, 5), Fraction(3, 5))
    >>> [round(end, 3) for end in contrast_ends((Fraction(1), Fraction(-1)), (half, half))]
    [-0.141, 0.141]
    """
    middle, below, above = 0.0, 0.0, 0.0
    for exact, one in zip(weights, estimates, strict=True):
        weight, (low, near, high) = float(exact), one.sides
        ends = weight * (near - low), weight * (high - near)
        down, up = ends if weight > 0 else ends[::-1]
        middle, below, above = middle + weight * near, below + down * down, above + up * up
    return middle - math.sqrt(below), middle + math.sqrt(above)


def ratio_ends(one: Estimate, other: Estimate) -> Reach:
    """Between what the first figure over the second lies; both are 0 or more.

    Three over two, each give or take one.

    >>> three, two = (Estimate(Fraction(n), Fraction(n - 1), Fraction(n + 1)) for n in (3, 2))
    >>> [round(end, 2) for end in ratio_ends(three, two)]
    [0.85, 3.15]
    """
    (one_low, x, one_high), (other_low, y, other_high) = one.sides, other.sides
    # (x - R y)^2 = (x - e)^2 + R^2 (y - f)^2 as a R^2 - 2 x y R + c = 0.
    c, a = _left(x, one_low), _left(y, other_high)
    root = x * y + math.sqrt(max((x * y) ** 2 - a * c, 0.0))
    low = c / root if root > 0 else 0.0
    c, a = _left(x, one_high), _left(y, other_low)
    high = (x * y + math.sqrt(max((x * y) ** 2 - a * c, 0.0))) / a if a > 0 else math.inf
    return low, high


def odds_ratio_ends(one: Estimate, other: Estimate) -> Reach:
    """Between what the odds of the first share over those of the second lie.

    >>> half = Estimate(Fraction(1, 2), Fraction(2, 5), Fraction(3, 5))
    >>> [round(end, 2) for end in odds_ratio_ends(half, half)]
    [0.56, 1.77]
    """
    (one_low, x, one_high), (other_low, y, other_high) = (
        map(_log_odds, side.sides) for side in (one, other)
    )
    below, above = math.hypot(x - one_low, other_high - y), math.hypot(one_high - x, y - other_low)
    return math.exp(x - y - below), math.exp(x - y + above)


def _left(middle: float, end: float) -> float:
    """x^2 - (x - e)^2."""
    return end * (2 * middle - end)


def _log_odds(share: float) -> float:
    if share <= 0:
        return -math.inf
    return math.inf if share >= 1 else math.log(share) - math.log1p(-share)
