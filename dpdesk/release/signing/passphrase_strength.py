# SPDX-License-Identifier: Apache-2.0
"""A plain estimate of how hard a passphrase is to guess: length, variety, the commonest.

A hint, never a verdict. It is calibrated by words from a list of 7,776 (12.9 bits for about five
letters). At 128 rounds of bcrypt a guess takes a core about a second: 2**40 guesses take ten
thousand cores three and a half years.
"""

from __future__ import annotations

import re
from typing import Literal

Strength = Literal["weak", "fair", "strong"]

_FAIR, _STRONG = 40.0, 60.0
_IN_WORD, _LETTER, _DIGIT, _OTHER, _FOLLOWING = 2.5, 4.0, 3.3, 4.0, 0.5
_LONGEST_FRAGMENT = 3
_RUN = re.compile(r"[^\W\d_]+|\d|.", re.DOTALL)
_LEET = str.maketrans("@4310$5!7", "aaeiossit")
_COMMONEST_WORDS = """
password passwort passphrase passwd kennwort geheim secret letmein welcome willkommen
qwerty qwertz qwertyuiop qwertzuiop asdfgh asdfghjkl iloveyou admin administrator root user
login master monkey dragon sunshine princess football fussball baseball superman batman
shadow michael charlie thomas daniel andreas schatz hallo hello summer sommer winter spring
herbst berlin hamburg muenchen test testtest default changeme hospital krankenhaus klinik
klinikum clinic patient doctor trustno computer internet starwars pokemon dpdesk
"""
_COMMONEST = frozenset(_COMMONEST_WORDS.split())


def strength_of(passphrase: str) -> Strength:
    """The estimate in a word.

    >>> strength_of("Passwort2024!"), strength_of("cactus stammer unlatch gravel pronto")
    ('weak', 'strong')
    """
    bits = bits_of(passphrase)
    if bits < _FAIR:
        return "weak"
    return "fair" if bits < _STRONG else "strong"


def bits_of(passphrase: str) -> float:
    """An estimate in bits; what is repeated counts once, what follows in order hardly counts."""
    if _is_common(passphrase):
        return 10.0
    text = _shortest_period(passphrase)
    return sum(_bits_of_run(match.group(), text, match.start()) for match in _RUN.finditer(text))


def _is_common(passphrase: str) -> bool:
    """One of the commonest, with digits and signs around it or in place of letters."""
    text = passphrase.lower()
    bare = re.sub(r"^[\W\d_]+|[\W\d_]+$", "", text)
    return not {bare, bare.translate(_LEET), text.translate(_LEET)}.isdisjoint(_COMMONEST)


def _shortest_period(text: str) -> str:
    """The part of which a text is a whole number of repetitions."""
    period = (text + text).find(text, 1)
    return text[:period] if 0 < period < len(text) else text


def _bits_of_run(run: str, text: str, start: int) -> float:
    """A run of letters, a digit or a sign, at its place."""
    if not run[0].isalpha():
        each = _DIGIT if run.isdigit() else _OTHER if run != " " else 1.0
    else:
        each = _LETTER if len(run) <= _LONGEST_FRAGMENT else _IN_WORD
    places = range(start, start + len(run))
    return sum(_FOLLOWING if _follows(text, place) else each for place in places)


def _follows(text: str, place: int) -> bool:
    """Whether a character is its predecessor's neighbour, or the same."""
    return place > 0 and abs(ord(text[place]) - ord(text[place - 1])) <= 1
