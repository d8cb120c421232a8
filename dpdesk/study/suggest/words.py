# SPDX-License-Identifier: Apache-2.0
"""Headers cut into words, so that "hr" is found in ``hr_max`` and not in ``three``."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

MAX_TEXT = 300
"""A longer header is a note; its beginning says what it is about."""

MAX_WORDS = 24

_CAMEL = re.compile(r"(?<=[a-zß-ÿ])(?=[A-ZÀ-Þ])|(?<=[A-ZÀ-Þ])(?=[A-ZÀ-Þ][a-zß-ÿ])")
_WORD = re.compile(r"[^\W\d_]+|\d+")
_SPELLED = re.compile(r"(?<=[aou])(?<!q[aou])e")
"""The second letter of an umlaut that is written as two; there may be thousands of headers."""
_SPOKEN = str.maketrans({"%": " percent ", "µ": "u", "\u03bc": "u", "²": "2", "³": "3"})
_POSSESSIVE = re.compile(r"['’]s\b")


@lru_cache(maxsize=4096)
def words_of(text: str) -> tuple[str, ...]:
    """The words of a header or label: ``sysBP_1`` gives ``sys``, ``bp``, ``1``.

    Case, accents and the two ways to write an umlaut (``ö``, ``oe``) make no difference.
    """
    plain = _POSSESSIVE.sub("", text[:MAX_TEXT]).translate(_SPOKEN)
    cut = _CAMEL.sub(" ", plain)
    return tuple(_folded(word) for word in _WORD.findall(cut))[:MAX_WORDS]


def joined(text: str) -> str:
    """A phrase without its gaps, as ``windows`` gives it: "heart rate" is ``heartrate``."""
    return "".join(words_of(text))


def windows(words: tuple[str, ...]) -> Iterator[tuple[int, int, str]]:
    """Every run of neighbouring words, the longest first: its ends, and the words joined.

    Joined, because headers agree on the words of a phrase and not on its gaps: ``bp_sys``,
    ``bpSys`` and ``bpsys`` are one phrase.
    """
    for size in range(len(words), 0, -1):
        for start in range(len(words) - size + 1):
            yield start, start + size, "".join(words[start : start + size])


def _folded(word: str) -> str:
    plain = word.casefold()
    if not plain.isascii():
        apart = unicodedata.normalize("NFKD", plain)
        plain = "".join(c for c in apart if not unicodedata.combining(c))
    return _SPELLED.sub("", plain)
