# SPDX-License-Identifier: Apache-2.0
"""Privacy budget as a type: whole micro-epsilon, so that 0.1 + 0.2 + 0.7 is 1."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from dpdesk.study import limits

MICRO = 1_000_000
MAX_EPSILON_MICRO = 100 * MICRO


@dataclass(frozen=True, order=True)
class Epsilon:
    """An amount of pure-epsilon budget.

    Attributes:
        micro: the amount in millionths of epsilon; zero or more.
    """

    micro: int

    def __post_init__(self) -> None:
        if type(self.micro) is not int or self.micro < 0:
            raise ValueError("an amount of budget is a whole number of micro-epsilon, 0 or more")

    @classmethod
    def of(cls, text: str | int | Decimal) -> Epsilon:
        """Read a decimal amount such as ``"0.25"``.

        Raises:
            ValueError: not a decimal number, negative, or finer than a millionth.
        """
        try:
            value = Decimal(text)
        except InvalidOperation:
            raise ValueError("an amount of budget is a decimal number") from None
        micro = Fraction(value) * MICRO if limits.is_plain_number(value) else None
        if micro is None or micro.denominator != 1:
            raise ValueError("an amount of budget has at most six decimals")
        return cls(int(micro))

    def __add__(self, other: Epsilon) -> Epsilon:
        return Epsilon(self.micro + other.micro)

    def __sub__(self, other: Epsilon) -> Epsilon:
        return Epsilon(self.micro - other.micro)

    def as_fraction(self) -> Fraction:
        """The exact amount."""
        return Fraction(self.micro, MICRO)

    def as_decimal(self) -> Decimal:
        """The exact amount, without trailing zeros."""
        value = Decimal(self.micro).scaleb(-6).normalize()
        return value.quantize(Decimal(1)) if value == value.to_integral_value() else value

    def __str__(self) -> str:
        return f"{self.as_decimal():f}"


ZERO = Epsilon(0)
