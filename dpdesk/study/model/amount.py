# SPDX-License-Identifier: Apache-2.0
"""Privacy budget as types: whole millionths, so that 0.1 + 0.2 + 0.7 is 1.

An account is kept in one of two measures: pure epsilon, or rho of zero-concentrated differential
privacy (zCDP; Bun and Steinke, Concentrated differential privacy, 2016). Amounts of different
measures never add and never compare.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from math import floor
from typing import ClassVar, Literal, Self

from dpdesk.study import limits

Measure = Literal["epsilon", "rho"]

MICRO = 1_000_000
NANO = 1_000_000_000
ATTO = 10**18
MAX_EPSILON_MICRO = 100 * MICRO
MAX_RHO_NANO = 100 * NANO
MAX_DELTA_ATTO = ATTO // MICRO
"""One in a million: the largest delta that an account may have."""


@dataclass(frozen=True, order=True)
class Amount:
    """A whole number of the smallest part of a measure; zero or more.

    Amounts of one class alone are added, subtracted and compared.

    Attributes:
        units: the amount, in parts of ``PER_ONE``.
    """

    units: int
    PER_ONE: ClassVar[int] = 1
    DECIMALS: ClassVar[str] = "no"
    PART: ClassVar[str] = "parts"
    measure: ClassVar[str] = ""

    def __post_init__(self) -> None:
        if type(self.units) is not int or self.units < 0:
            raise ValueError(f"an amount of budget is a whole number of {self.PART}, 0 or more")

    @classmethod
    def of(cls, text: str | int | Decimal) -> Self:
        """Read a decimal amount such as ``"0.25"``.

        Raises:
            ValueError: not a decimal number, negative, or finer than the smallest part.
        """
        try:
            value = Decimal(text)
        except InvalidOperation:
            raise ValueError("an amount of budget is a decimal number") from None
        units = Fraction(value) * cls.PER_ONE if limits.is_plain_number(value) else None
        if units is None or units.denominator != 1:
            raise ValueError(f"an amount of budget has at most {cls.DECIMALS} decimals")
        return cls(int(units))

    def __add__(self, other: Self) -> Self:
        self._same(other)
        return type(self)(self.units + other.units)

    def __sub__(self, other: Self) -> Self:
        self._same(other)
        return type(self)(self.units - other.units)

    def _same(self, other: object) -> None:
        if type(other) is not type(self):
            raise TypeError("amounts of different measures do not add")

    def as_fraction(self) -> Fraction:
        return Fraction(self.units, self.PER_ONE)

    def as_decimal(self) -> Decimal:
        """The exact amount, without trailing zeros, whatever the context's precision."""
        return Decimal(str(self))

    def __str__(self) -> str:
        whole, part = divmod(self.units, self.PER_ONE)
        digits = len(str(self.PER_ONE)) - 1
        return f"{whole}.{part:0{digits}}".rstrip("0").rstrip(".") if part else str(whole)


class Epsilon(Amount):
    """Pure epsilon, in millionths."""

    PER_ONE: ClassVar[int] = MICRO
    DECIMALS: ClassVar[str] = "six"
    PART: ClassVar[str] = "micro-epsilon"
    measure: ClassVar[Measure] = "epsilon"

    @property
    def micro(self) -> int:
        """The amount in millionths."""
        return self.units


class Rho(Amount):
    """Rho of zCDP, in billionths."""

    PER_ONE: ClassVar[int] = NANO
    DECIMALS: ClassVar[str] = "nine"
    PART: ClassVar[str] = "nano-rho"
    measure: ClassVar[Measure] = "rho"

    @property
    def nano(self) -> int:
        """The amount in billionths."""
        return self.units


class Delta(Amount):
    """A probability with which a guarantee may fail, in parts of 10**-18."""

    PER_ONE: ClassVar[int] = ATTO
    DECIMALS: ClassVar[str] = "18"
    PART: ClassVar[str] = "atto-delta"
    measure: ClassVar[str] = "delta"

    @property
    def atto(self) -> int:
        """The amount in parts of 10**-18."""
        return self.units


NO_DELTA = Delta(0)


@dataclass(frozen=True)
class AccountDelta:
    """The delta of an account in rho, in its two parts; nothing in pure epsilon.

    Attributes:
        whole: the chance that all the account says may fail.
        kept: the part of it that releases of found categories may charge; less than the whole.
    """

    whole: Delta = NO_DELTA
    kept: Delta = NO_DELTA

    @property
    def converts(self) -> Delta:
        """The other part, at which rho means an epsilon."""
        return self.whole - self.kept


Share = Epsilon | Rho
ZERO = Epsilon(0)
ZERO_RHO = Rho(0)
WITHOUT_DELTA = AccountDelta()
MAX_SHARE: dict[str, Share] = {
    "epsilon": Epsilon(MAX_EPSILON_MICRO),
    "rho": Rho(MAX_RHO_NANO),
}


def zero(measure: str) -> Share:
    return ZERO_RHO if measure == "rho" else ZERO


def apportion(total: int, weights: Sequence[Fraction], least: Sequence[int]) -> list[int]:
    """Whole parts of a total in the ratio of weights, none below its least: largest remainders.

    Anyone who would get less than their least gets that, and the others share what is left, until
    nobody would. Claim: the parts add up to ``total``, and none is below its least. Why: those
    who are left have quotas of at least their whole least, so rounding down keeps it; and not
    everybody can be below, since the quotas add up to at least all the leasts.

    Args:
        total: at least the sum of ``least``.
        weights: above 0; at least one.
        least: whole numbers.

    >>> apportion(10, [Fraction(1), Fraction(1), Fraction(1)], [1, 1, 1])
    [4, 3, 3]
    >>> apportion(10, [Fraction(1000), Fraction(1), Fraction(1)], [1, 2, 1])
    [7, 2, 1]
    """
    # In the second example the quotas of 10 are about 9.98, 0.01 and 0.01: the last two get their
    # leasts of 2 and 1, and the first all of the 7 that are left.
    free = list(range(len(weights)))
    while True:
        left = total - sum(part for i, part in enumerate(least) if i not in free)
        whole = sum((weights[i] for i in free), Fraction(0))
        quotas = {i: left * weights[i] / whole for i in free}
        enough = [i for i in free if quotas[i] >= least[i]]
        if enough == free:
            break
        free = enough
    parts = [floor(quotas[i]) if i in quotas else part for i, part in enumerate(least)]
    # What rounding down left over, a unit each: the largest remainder first, then the first place.
    by_remainder = sorted(free, key=lambda i: (floor(quotas[i]) - quotas[i], i))
    for i in by_remainder[: total - sum(parts)]:
        parts[i] += 1
    return parts
