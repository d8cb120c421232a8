# SPDX-License-Identifier: Apache-2.0
r"""A margin for the difference of two independent errors that have a margin for every miss.

Let m_1(a) be a margin that the first error exceeds with probability at most a, for every a, and
never wider for a larger a; m_2 the same of the second. Both may depend on what was released, as the
margin of a mean does on its noisy count. Of that a, the error is above m_i(a) with probability
s a at most, and below -m_i(a) with s a at most: s, the ``one_side`` of a statistic, is 1/2 where
noise moves a figure up as often as down.

Claim: with levels p_0 < .. < p_k from ``levels(miss / 2)``, |error_1 - error_2| <= the largest of
m_1(p_i / s_1) + m_2(p_{k-i} / s_2), i = 0..k, with probability 1 - miss or more.

Why: let U_1 be the least level p_i whose margin m_1(p_i / s_1) the first error is above (1 if there
is none), U_2 the same of the second one's margins, below. Margins are nested, so U_1 <= p_i only
if error_1 > m_1(p_i / s_1), and P(U_1 <= p_i) <= p_i. If U_1 > p_i and U_2 > p_{k-i} for some i,
then error_1 - error_2 is at most the claim's sum. The set of (u_1, u_2) for which there is such an
i grows with both, so it is least likely where both are uniform, and there its probability is the
area under a staircase, which ``levels`` makes 1 - miss / 2. The same holds of error_2 - error_1.
The set is fixed before anything is drawn: that is why a margin may depend on what was drawn, and
why the errors may depend on it too. It is enough that the second release holds its misses whatever
the first one said, as independent noise does.

It is Fisher's combination of two one-sided tests (Statistical Methods for Research Workers, 1932,
on u_1 u_2 >= c) with steps instead of a curve, cut off at p_0 = ``LEAST`` * miss / 2. Of two equal
Laplace noises it is 4.50 scales, where both margins at 95 in 100 add to 5.99, one staircase for
both sides at once is 5.29, and the exact one is 4.11; of two normal ones 3.24 deviations beside the
exact 2.77. It needs nothing but the margins; where the distribution of the sum is known, that is
narrower. Where one margin is much the wider, it is up to 1.4 times the exact one, and above half
of the miss for each by up to 7 %: no one set of misses is the best for every pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate

LEAST = 0.3
"""The least level, as a part of the miss: a smaller one suits errors alike, a larger one others."""

STEPS = 12
"""How many steps; with twice as many the margin would be 1 % narrower."""

MOST = 0.99
"""No margin is asked that misses more often: a wider one holds, too."""

SLACK = 1e-9
"""What is taken from the miss, as a part, for the rounding of floating point."""


@lru_cache(maxsize=64)
def levels(miss: float) -> tuple[float, ...]:
    """What either error may miss at each step, rising by one factor; see the head of the module.

    Args:
        miss: how often the claim may fail, above 0 and at most 1/4.

    >>> found = levels(0.05)
    >>> round(found[0], 3), round(found[-1], 3), 0.0499 < beyond(found) <= 0.05
    (0.015, 0.453, True)
    """
    least, allowed = LEAST * miss, miss * (1 - SLACK)
    # At a factor of 1 the two margins fail together with less than 2 * least < miss, at the
    # other end the last level is 1 and they may fail with 1 - least or more.
    low, high = 1.0, (1 / least) ** (1 / STEPS)
    while high - low > SLACK:
        middle = (low + high) / 2
        found = beyond(_ascending(least, middle))
        low, high = (middle, high) if found <= allowed else (low, middle)
    return _ascending(least, low)


@lru_cache(maxsize=64)
def margin_levels(miss: float, one_side: float) -> tuple[float, ...]:
    """What a margin misses at each step, both sides of it together.

    Args:
        miss: how often the margin of a difference may fail.
        one_side: the part of what a margin misses that lies to one side of it, at most.
    """
    return tuple(min(level / one_side, MOST) for level in levels(miss / 2))


def _ascending(least: float, factor: float) -> tuple[float, ...]:
    return tuple(least * factor**step for step in range(STEPS + 1))


def beyond(steps: Sequence[float]) -> float:
    """The chance that two uniform numbers lie under the staircase: in none of its corners.

    >>> round(beyond((0.1, 0.1)), 2)  # one corner: 1 - 0.9^2
    0.19
    """
    least = steps[0]
    # Left of all corners; then, a step wide each, below the corner that is reached there; then
    # right of the last corner and below the lowest.
    between = zip(steps, steps[1:], reversed(steps), strict=False)
    return (
        least
        + sum((right - left) * under for left, right, under in between)
        + (1 - steps[-1]) * least
    )


def margin_of_both(one: Sequence[Fraction], other: Sequence[Fraction]) -> Fraction:
    """The margin of the claim.

    Args:
        one: the first error's margin at each of its ``margin_levels``, in their order.
        other: the second's.

    >>> margin_of_both((Fraction(3), Fraction(2)), (Fraction(5), Fraction(4)))
    Fraction(7, 1)
    """
    first, second = (_nested(margins) for margins in (one, other))
    return max(left + right for left, right in zip(first, reversed(second), strict=True))


def _nested(margins: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """Each at least as wide as those that may be exceeded more often."""
    return tuple(accumulate(reversed(margins), max))[::-1]
