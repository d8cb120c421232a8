# SPDX-License-Identifier: Apache-2.0
"""The rising sequence nearest to a given one: neighbours that fall are pooled to their mean.

Source: Ayer, Brunk, Ewing, Reid and Silverman, An empirical distribution function for sampling
with incomplete information (1955). Where every entry lies within w of one rising sequence, so
does every entry of the result, for the same w: a mean of entries that fall lies between bounds
that rise.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def isotonic(values: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """The least-squares rising sequence, exactly.

    Of 5, 3, 4, 7, 6 the first two fall and are pooled to 4 each; the next 4 does not rise above
    that mean and joins the pool; 7 begins another one, which 6 joins at 13/2.

    >>> [str(value) for value in isotonic([Fraction(value) for value in (5, 3, 4, 7, 6)])]
    ['4', '4', '4', '13/2', '13/2']
    """
    # Each pool is its sum and its size; the means of the pools so far rise strictly.
    pools: list[tuple[Fraction, int]] = []
    for value in values:
        total, count = value, 1
        # Means are compared crosswise, without a division. What was pooled may now lie below the
        # pool before it, so this goes on backwards; each value is pooled once, in linear time.
        while pools and pools[-1][0] * count >= total * pools[-1][1]:
            before, many = pools.pop()
            total, count = total + before, count + many
        pools.append((total, count))
    return tuple(total / count for total, count in pools for _ in range(count))
