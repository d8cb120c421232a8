# SPDX-License-Identifier: Apache-2.0
"""Search in the handbook: case, accents and simple endings make no difference."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import islice

_WORD = re.compile(r"\w+")
_ENDINGS = ("ungen", "ung", "ing", "ern", "ed", "em", "en", "er", "es", "e", "n", "s", "y")
_LEAST_STEM = 4
"""Shorter words keep their endings."""
MOST_TERMS, MOST_SIGNS = 12, 200
"""Of a text that was pasted, the first words are searched for: each of them takes its time."""


def folded(word: str) -> str:
    """A word without case and accents.

    >>> folded("Größe"), folded("Maß")
    ('grosse', 'mass')
    """
    letters = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def stem(word: str) -> str:
    """A folded word without its ending, where enough is left of it.

    >>> stem("Bounds"), stem("noisy"), stem("Schätzungen"), stem("is")
    ('bound', 'nois', 'schatz', 'is')
    """
    plain = folded(word)
    for ending in _ENDINGS:
        if plain.endswith(ending) and len(plain) - len(ending) >= _LEAST_STEM:
            return plain[: -len(ending)]
    return plain


def terms(query: str) -> tuple[str, ...]:
    """The stems of the words that are searched for, of a long text its first."""
    words = (word[0][:MOST_SIGNS] for word in islice(_WORD.finditer(query), MOST_TERMS))
    return tuple(dict.fromkeys(map(stem, words)))


def matches(text: str, wanted: tuple[str, ...], needs_every: bool = True) -> list[tuple[int, int]]:
    """Where a text has words that are searched for.

    A short stem is the beginning of a word; a longer one may stand anywhere in it, as in the
    compounds of German.

    Args:
        text: what is searched.
        wanted: stems, see ``terms``.
        needs_every: whether nothing is found unless every stem is.

    Returns:
        Begin and end of each such word.
    """
    found: list[tuple[int, int]] = []
    missing = set(wanted)
    for plain, places in _words_in(text).items() if wanted else ():
        here = {one for one in wanted if is_in(one, plain)}
        if here:
            found.extend(places)
            missing -= here
    return [] if missing and needs_every else sorted(found)


@lru_cache(maxsize=256)
def _words_in(text: str) -> dict[str, tuple[tuple[int, int], ...]]:
    """Each folded word of a text, and where it is; a key asks for each page's again."""
    places: dict[str, list[tuple[int, int]]] = {}
    for word in _WORD.finditer(text):
        places.setdefault(folded(word[0]), []).append(word.span())
    return {plain: tuple(spans) for plain, spans in places.items()}


def is_in(one: str, word: str) -> bool:
    """Whether a folded word has a stem; a short one only at its beginning."""
    return one in word if len(one) >= _LEAST_STEM else word.startswith(one)
