# SPDX-License-Identifier: Apache-2.0
"""What an account was granted and has spent, in its measure and of its delta."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dpdesk.study.model.amount import MAX_SHARE, NO_DELTA, ZERO, AccountDelta, Delta, Share, zero

MEASURES = frozenset(MAX_SHARE)
"""What an account can be kept in: ``epsilon`` or ``rho``."""


def share_of(measure: str, units: int) -> Share:
    """This many of the smallest part of a measure."""
    return type(zero(measure))(units)


def plus(one: Share, other: Share) -> Share:
    """Both together.

    Raises:
        TypeError: they are of different measures.
    """
    if type(one) is not type(other):
        raise TypeError("amounts of different measures do not add")
    return type(one)(one.units + other.units)


def together(measure: str, amounts: Iterable[Share]) -> Share:
    """All amounts together, in a measure.

    Raises:
        TypeError: one of them is of another measure.
    """
    kind, units = type(zero(measure)), 0
    for amount in amounts:
        if type(amount) is not kind:
            raise TypeError("amounts of different measures do not add")
        units += amount.units
    return kind(units)


@dataclass(frozen=True)
class Totals:
    """What an account was granted and has spent.

    Attributes:
        granted: all that may be spent.
        charged: all that was spent.
        delta_granted: the account's delta: nothing in pure epsilon.
        delta_kept: the part of it that releases of found categories may charge.
        delta_charged: what was spent of that part.
    """

    granted: Share = ZERO
    charged: Share = ZERO
    delta_granted: Delta = NO_DELTA
    delta_kept: Delta = NO_DELTA
    delta_charged: Delta = NO_DELTA

    @classmethod
    def none(cls, measure: str) -> Totals:
        """Nothing granted and nothing spent, in a measure."""
        return cls(zero(measure), zero(measure))

    def __add__(self, other: Totals) -> Totals:
        return Totals(
            plus(self.granted, other.granted),
            plus(self.charged, other.charged),
            self.delta_granted + other.delta_granted,
            self.delta_kept + other.delta_kept,
            self.delta_charged + other.delta_charged,
        )

    @property
    def measure(self) -> str:
        return self.granted.measure

    @property
    def amounts(self) -> tuple[str, int, int, int, int, int]:
        """Measure, granted and charged; delta granted, kept and charged: as the ledger has them."""
        deltas = (self.delta_granted.atto, self.delta_kept.atto, self.delta_charged.atto)
        return (self.measure, self.granted.units, self.charged.units, *deltas)

    @property
    def left(self) -> Share:
        return share_of(self.measure, max(0, self.granted.units - self.charged.units))

    @property
    def delta_left(self) -> Delta:
        """What releases can still charge of delta."""
        return Delta(max(0, self.delta_kept.atto - self.delta_charged.atto))

    @property
    def delta(self) -> AccountDelta:
        """The account's delta, in its parts."""
        return AccountDelta(self.delta_granted, self.delta_kept)

    @property
    def overspent(self) -> bool:
        """Whether more was spent than granted, or more of delta than is kept for it."""
        over = self.charged.units > self.granted.units
        return over or self.delta_charged > self.delta_kept
