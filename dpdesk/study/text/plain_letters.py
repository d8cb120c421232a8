# SPDX-License-Identifier: Apache-2.0
"""Letters of other alphabets as ASCII has them: spelt as their languages spell them out."""

from __future__ import annotations

import unicodedata

_SMALL = {
    **{"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "œ": "oe", "ø": "oe"},
    **{"å": "aa", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "\u0131": "i", "ħ": "h", "ŋ": "ng"},
}
_LARGE = {
    letter.upper(): said.capitalize() for letter, said in _SMALL.items() if letter not in "ß\u0131"
}
_SPELT = str.maketrans({**_LARGE, **_SMALL})


def spelt_out(text: str) -> str:
    """A text whose letters are spelt out where a language does so, without other accents.

    >>> spelt_out("Klinikum Süd, Ärzte und Café")
    'Klinikum Sued, Aerzte und Cafe'
    """
    parted = unicodedata.normalize("NFKD", unicodedata.normalize("NFC", text).translate(_SPELT))
    return "".join(letter for letter in parted if not unicodedata.combining(letter))
