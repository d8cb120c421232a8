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


def rising(values: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """The least-squares rising sequence, exactly.

    >>> [str(value) for value in rising([Fraction(1), Fraction(4), Fraction(3)])]
    ['1', '7/2', '7/2']
    """
    pools: list[tuple[Fraction, int]] = []
    for value in values:
        total, count = value, 1
        while pools and pools[-1][0] * count >= total * pools[-1][1]:
            before, many = pools.pop()
            total, count = total + before, count + many
        pools.append((total, count))
    return tuple(total / count for total, count in pools for _ in range(count))
