# SPDX-License-Identifier: Apache-2.0
"""Decimal texts to grid indices, exactly, whatever the text.

All arithmetic is on integers, and sizes are compared before anything is expanded: ``1e999999999``
costs as much as ``1``.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from dpdesk.study.model.columns import NumberColumn

MAX_NUMBER_TEXT = 64
"""A cell with more characters is no number; zeros before all other digits do not count.

They do not count in an integer that a file knows as such, either.
"""

# Full-width forms and the minus sign. Not NFKC, which reads the square of ten as 102.
_ASCII = {0xFEE0 + sign: chr(sign) for sign in range(0x21, 0x7F)} | {0x2212: "-"}

# What is used for a blank or an apostrophe between groups of digits.
_ALIKE = {" ": "\u00a0\u2007\u2009\u202f", "'": "\u2019"}

_ZEROS = re.compile(r"^([+-]?)0+(?=[0-9])")

# A value this much finer than the grid's unit only says on which side of zero it lies.
_FINEST = 2 * MAX_NUMBER_TEXT


class DecimalNumber(NamedTuple):
    """The number ``digits * 10**exponent``; ``digits`` does not end in zero, zero is (0, 0)."""

    digits: int
    exponent: int


def decimal_number(value: Decimal) -> DecimalNumber:
    """A declared number as cells are read.

    >>> decimal_number(Decimal("-2.50")), decimal_number(Decimal(0))
    (DecimalNumber(digits=-25, exponent=-1), DecimalNumber(digits=0, exponent=0))
    """
    sign, digits, exponent = value.normalize().as_tuple()
    whole = int("".join(map(str, digits)))
    if not whole or not isinstance(exponent, int):
        return DecimalNumber(0, 0)
    return DecimalNumber(-whole if sign else whole, exponent)


def round_half_even(numerator: int, denominator: int) -> int:
    """The whole number nearest to a fraction, the even one in the middle between two.

    >>> [round_half_even(n, 2) for n in (-1, 1, 3, 4)]
    [0, 0, 2, 2]
    """
    whole, rest = divmod(numerator, denominator)
    above = 2 * rest > denominator or (2 * rest == denominator and whole % 2 == 1)
    return whole + above


class NumberReader(ABC):
    """Reads numbers and codes them."""

    def __init__(self, decimal: str, thousands: str = "") -> None:
        """Read numbers as a country writes them.

        Args:
            decimal: the decimal mark.
            thousands: what may be between groups of three digits.
        """
        mark, whole = re.escape(decimal), "[0-9]*"
        self._thousands = thousands
        self._alike = {ord(sign): thousands for sign in _ALIKE.get(thousands, "")}
        if thousands:
            whole = rf"[1-9][0-9]{{0,2}}(?:{re.escape(thousands)}[0-9]{{3}})+|{whole}"
        self._pattern = re.compile(
            rf"([+-]?)(?=[0-9]|{mark}[0-9])({whole})(?:{mark}([0-9]*))?(?:[eE]([+-]?[0-9]+))?"
        )

    def read(self, text: str) -> DecimalNumber | None:
        """The number that a text says, or ``None``.

        A number is an optional sign, digits with at most one decimal mark, and an optional
        exponent; groups of three digits before the mark may be set apart as declared. Other
        separators, words and units make it none.
        """
        text = text.strip()
        if len(text) > MAX_NUMBER_TEXT:
            text = _ZEROS.sub(r"\1", text)
        if len(text) > MAX_NUMBER_TEXT:
            return None
        if not text.isascii():
            text = text.translate(_ASCII).translate(self._alike)
        match = self._pattern.fullmatch(text)
        if match is None:
            return None
        sign, whole, fraction, exponent = match.groups(default="")
        if self._thousands:
            whole = whole.replace(self._thousands, "")
        digits = (whole + fraction).rstrip("0")
        if not digits.strip("0"):
            return DecimalNumber(0, 0)
        dropped = len(whole + fraction) - len(digits)
        return DecimalNumber(int(sign + digits), int(exponent or 0) - len(fraction) + dropped)

    @abstractmethod
    def index(self, number: DecimalNumber) -> tuple[int, bool]:
        """The code of a number, and whether it was inside what can be coded."""

    def clamped_index(self, text: str) -> int:
        """The code of a declared constant."""
        number = self.read(text)
        if number is None:
            raise ValueError("a declared constant is a number")
        return self.index(number)[0]


class GridReader(NumberReader):
    """Places numbers on a column's grid.

    Bounds and step are whole multiples of ``10**exponent``; so is, after scaling, every value.
    """

    def __init__(self, column: NumberColumn, decimal: str, thousands: str = "") -> None:
        if column.lower is None or column.upper is None or column.step is None:
            raise ValueError("the column has no bounds yet")
        super().__init__(decimal, thousands)
        declared = (column.lower, column.upper, column.step)
        self._exponent = min(_exponent(value) for value in declared)
        unit = Fraction(10) ** self._exponent
        self._lower, self._upper, self._step = (int(Fraction(v) / unit) for v in declared)
        self._width = len(str(max(abs(self._lower), abs(self._upper))))

    def index(self, number: DecimalNumber) -> tuple[int, bool]:
        """The nearest grid index after clamping, and whether the number was inside the bounds."""
        digits = number.digits
        shift = number.exponent - self._exponent if digits else 0
        if len(str(abs(digits))) + shift > self._width + 1:
            return (self.last if digits > 0 else 0), False
        if shift < -_FINEST:
            digits, shift = (digits > 0) - (digits < 0), -_FINEST
        unit = 10 ** max(0, -shift)
        value = digits * 10 ** max(0, shift)
        if value < self._lower * unit:
            return 0, False
        if value > self._upper * unit:
            return self.last, False
        index = round_half_even(value - self._lower * unit, self._step * unit)
        return min(max(index, 0), self.last), True

    @property
    def declared(self) -> tuple[int, int, int, int]:
        """Lower bound, upper bound and step in units of ``10**exponent``, and the exponent."""
        return self._lower, self._upper, self._step, self._exponent

    @property
    def last(self) -> int:
        """The index of the upper bound."""
        return (self._upper - self._lower) // self._step


def _exponent(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0
