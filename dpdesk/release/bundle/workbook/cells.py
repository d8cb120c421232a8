# SPDX-License-Identifier: Apache-2.0
"""What may stand in a cell."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

MOST_SIGNS: Final = 32_767
"""Signs that a cell may have."""

_DIGITS = 15
"""Significant digits that every spreadsheet keeps."""
_UNIT_SIGNS = 40
_SIGNS_OF_FORMATS = frozenset('"<>&;@[]\\')


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


def hundredths(text: str) -> str:
    """A share in per cent, or its margin in percentage points, to the same digit.

    >>> hundredths("0.0056"), hundredths("-0.5"), hundredths("1")
    ('0.56', '-50', '100')
    """
    return f"{Decimal(text).scaleb(2):f}"


def shown_unit(unit: str) -> str:
    """A declared unit as a number's format may show it; none that could be taken for a figure.

    >>> shown_unit("mmol/L"), shown_unit("000 EUR"), shown_unit('m"'), shown_unit("m" * 200)
    ('mmol/L', '', '', '')
    """
    is_plain = unit[:1].isalpha() and unit.isprintable() and not set(unit) & _SIGNS_OF_FORMATS
    return unit if is_plain and len(unit) <= _UNIT_SIGNS else ""
