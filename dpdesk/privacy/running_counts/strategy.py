# SPDX-License-Identifier: Apache-2.0
"""What is counted over bins with noise, so that counts up to each bin can be read off it.

The field calls it a strategy (Li, Hay, Rastogi, Miklau and McGregor, Optimizing linear counting
queries under differential privacy, 2010): some sums of bins, all with noise of one scale. A running
count is then linear in them, and its error in the noises.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache

_LOOKS, _LOOKED = 8, (1, 3, 4, 5, 7, 8)


class Strategy(ABC):
    """One strategy: frozen and public, made without the data.

    Attributes:
        bins: how many bins there are.
        has_public_total: whether all rows together are a public number.
    """

    bins: int
    has_public_total: bool

    @property
    @abstractmethod
    def drawn(self) -> int:
        """How many noisy numbers a cell has."""

    @property
    def is_bins(self) -> bool:
        """Whether each bin is counted by itself, and nothing else."""
        return False

    @property
    def draws_one(self) -> bool:
        """Whether the first of two bins gives the other, as they add up to a public total."""
        return False

    @abstractmethod
    def counts_below(
        self, noisy: Sequence[int], total: Fraction | int | None
    ) -> tuple[Fraction, ...]:
        """How many rows lie in each bin and those before it.

        Args:
            noisy: the noisy numbers.
            total: the number of rows where it is known better than by them.
        """

    @abstractmethod
    def variance(self, bin: int) -> float:
        """The variance of the count up to a bin, in the variance of one noise.

        Of floats that every machine rounds alike: what is chosen by it must be the same for anyone
        who checks a release.
        """

    @abstractmethod
    def part_of_total(self, bin: int) -> float:
        """By how much a running count grows where the total is one larger."""

    @abstractmethod
    def weights(self, bin: int, share: float = 0.0) -> tuple[tuple[float, int], ...]:
        """The weights of the noises in a running count, each with how many have it.

        Args:
            bin: up to which bin is counted, that bin included.
            share: of all rows this part is taken away: with 1, less the rows behind are left.
        """

    def running_counts(self, noisy: Sequence[int], total: int | None) -> tuple[Fraction, ...]:
        """The counts below, with the public number of rows where there is one."""
        return self.counts_below(noisy, total if self.has_public_total else None)


@lru_cache(maxsize=4096)
def worst_variance(strategy: Strategy) -> float:
    """The largest variance of a running count, in the variance of one noise."""
    return max(strategy.variance(bin) for bin in range(strategy.bins))


def least_certain(
    strategies: Sequence[Strategy], moved: Callable[[Strategy], int]
) -> tuple[Strategy, float]:
    """Of some strategies the one whose least certain count varies least, and by how much.

    Args:
        strategies: over equally many bins.
        moved: the variance of a strategy's noises in a unit of their own: the square of how far a
            person can move all its numbers.
    """
    best, least = strategies[0], math.inf
    for one in strategies:
        each = moved(one)
        # One that is worse at a few counts is worse; most need no other look.
        if max(one.variance(one.bins * part // _LOOKS - 1) for part in _LOOKED) * each < least:
            found = worst_variance(one) * each
            best, least = (one, found) if found < least else (best, least)
    return best, least
