# SPDX-License-Identifier: Apache-2.0
"""What may stand in a cell, and what a sheet may be called."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

MOST_SIGNS: Final = 32_767
"""Signs that a cell may have."""

_DIGITS = 15
"""Significant digits that every spreadsheet keeps."""
_SHEET_SIGNS = 31
_UNIT_SIGNS = 40
_SIGNS_OF_FORMATS = frozenset('"<>&;@[]\\')
_NOT_IN_NAMES = frozenset("[]:*?/\\'\"<>&")
_LEAST_NAME = 8
_ONE_UNIT = 0x10000
"""Signs from here on take two of the 31 places that a sheet's name has."""


def is_kept(text: str) -> bool:
    """Whether a figure is a number that a spreadsheet keeps to the last digit.

    >>> is_kept("-12.5"), is_kept("12345678901234567"), is_kept("")
    (True, False, False)
    """
    return bool(text) and len(Decimal(text).normalize().as_tuple().digits) <= _DIGITS


class Published(float):
    """A figure that a workbook holds as it is published, not as the nearest binary fraction.

    >>> f"{0.94:.16G}", f"{Published('0.94'):.16G}"
    ('0.9399999999999999', '0.94')
    """

    def __new__(cls, text: str) -> Published:
        number = super().__new__(cls, text)
        number._text = f"{Decimal(text):f}"
        return number

    def __format__(self, spec: str) -> str:
        """What the writer of workbooks writes, whatever number of digits it asks for."""
        return self._text

    _text: str


def shown_unit(unit: str) -> str:
    """A declared unit as a number's format may show it; none that could be taken for a figure.

    >>> shown_unit("mmol/L"), shown_unit("000 EUR"), shown_unit('m"'), shown_unit("m" * 200)
    ('mmol/L', '', '', '')
    """
    is_plain = unit[:1].isalpha() and unit.isprintable() and not set(unit) & _SIGNS_OF_FORMATS
    return unit if is_plain and len(unit) <= _UNIT_SIGNS else ""


def sheet_names(titles: Sequence[str]) -> list[str]:
    """Names of sheets, which are short: numbered, as two may begin alike; cut between words.

    >>> sheet_names(["Stays, by sex", "Mean of time in hospital, days, for each sex", "[*]"])
    ['1 Stays, by sex', '2 Mean of time in hospital', '3']
    """
    return [_cut(f"{i} {_allowed(title)}") for i, title in enumerate(titles, start=1)]


def _allowed(title: str) -> str:
    signs = (" " if s in _NOT_IN_NAMES or not _is_shown(s) else s for s in title)
    return " ".join("".join(signs).split())


def _is_shown(sign: str) -> bool:
    return sign.isprintable() and ord(sign) < _ONE_UNIT


def _cut(name: str) -> str:
    """The name's beginning: before its last comma, else between words, else where it must end."""
    if len(name) <= _SHEET_SIGNS:
        return name.strip()
    short = name[: _SHEET_SIGNS + 1]
    ends = (short.rfind(", "), short.rfind(" "), _SHEET_SIGNS)
    return short[: next(end for end in ends if end > _LEAST_NAME)].rstrip(" ,;.-")
