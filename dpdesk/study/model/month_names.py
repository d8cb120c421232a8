# SPDX-License-Identifier: Apache-2.0
"""Names of months in English, German, French and Spanish, in full and as they are cut short.

No word means two months in two of these languages, so one format reads all four. Case and accents
do not count (``MÄRZ``, ``Maerz``, ``aout``): no two months differ by them alone.
"""

from __future__ import annotations

import unicodedata
from typing import Final

SHORT: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
"""The names as dpdesk writes them itself."""

_WORDS = (
    "jan january januar jaenner janner janvier janv ene enero",
    "feb february februar febr feber fevrier fevr fev febrero",
    "mar march marz maerz mrz maer mars marzo",
    "apr april avril avr abr abril",
    "may mai mayo",
    "jun june juni juin junio",
    "jul july juli juillet juil julio",
    "aug august aout ago agosto",
    "sep sept september septembre septiembre setiembre set",
    "oct october okt oktober octobre octubre",
    "nov november novembre noviembre",
    "dec december dez dezember decembre dic diciembre",
)

MONTH_NAMES: Final[dict[str, int]] = {
    word: month for month, words in enumerate(_WORDS, 1) for word in words.split()
}
"""Each name without case and accents, and its month from 1."""

LETTERS: Final = "A-Za-zÄÉÛäéû\u0301\u0302\u0308"
"""The letters of these names, accents of their own among them, for a class of an expression."""


def month_of(name: str) -> int | None:
    """The month that a name means; ``None`` where it means none.

    >>> month_of("MÄRZ"), month_of("août"), month_of("DIC"), month_of("ma")
    (3, 8, 12, None)
    """
    letters = unicodedata.normalize("NFD", name)
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return MONTH_NAMES.get(plain.casefold())
