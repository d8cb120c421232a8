# SPDX-License-Identifier: Apache-2.0
"""Headers cut into words, so that "hr" is found in ``hr_max`` and not in ``three``.

What is beside a clinical name may leave it what it is, or make it something else.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

MAX_TEXT = 300
"""A longer header is a note; its beginning says what it is about."""

MAX_WORDS = 24
_MANY_NAMES = 16_384
"""A file's columns, asked for again by each list of them, and all phrases that are known."""

_CAMEL = re.compile(r"(?<=[a-zß-ÿ])(?=[A-ZÀ-Þ])|(?<=[A-ZÀ-Þ])(?=[A-ZÀ-Þ][a-zß-ÿ])")
_WORD = re.compile(r"[^\W\d_]+|\d+")
_SPELLED = re.compile(r"(?<=[aou])(?<!q[aou])e")
"""The second letter of an umlaut that is written as two; there may be thousands of headers."""
_SPOKEN = str.maketrans({"%": " percent ", "µ": "u", "\u03bc": "u", "²": "2", "³": "3"})
_POSSESSIVE = re.compile(r"['’]s\b")


@lru_cache(maxsize=_MANY_NAMES)
def words_of(text: str) -> tuple[str, ...]:
    """The words of a header or label: ``sysBP_1`` gives ``sys``, ``bp``, ``1``.

    Case, accents and the two ways to write an umlaut (``ö``, ``oe``) make no difference.
    """
    plain = text[:MAX_TEXT]
    if not plain.isalnum() or not plain.isascii():
        plain = _POSSESSIVE.sub("", plain).translate(_SPOKEN)
    if not plain.islower():
        plain = _CAMEL.sub(" ", plain)
    return tuple(map(_folded, _WORD.findall(plain)))[:MAX_WORDS]


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
    return _SPELLED.sub("", plain) if "e" in plain else plain


BESIDE = """
min max mean avg average median mittel mittelwert minimum maximum first last erster erste letzter
letzte baseline admission adm aufnahme discharge entlassung day tag initial value wert result
ergebnis lab labor serum s plasma blood blut icu its at bei on patient pat visit pre post preop
postop vor nach arterial arteriell venous venös abg bga current aktuell the der die das in im of
bl aval lborres lbstresn lbstresc vsorres vsstresn vsstresc
"""
"""Beside these a short name such as "hr" or "K" still means what it means alone."""

AWAY = """
date datum time zeit zeitpunkt uhrzeit flag code unit units einheit comment kommentar note group
gruppe band category kategorie klasse class bin cat medication medikation med meds drug drugs dose
dosis delta diff difference differenz change änderung loss verlust gain ratio quotient clearance
variability variabilität missing abnormal status method methode device gerät location ort site id
reference referenz target ziel urine urin urinary harn csf liquor stool stuhl sputum punktat
family history anamnese disease krankheit erkrankung syndrome syndrom therapy therapie treatment
behandlung insufficiency insuffizienz failure versagen transfusion infusion supplement
supplementation substitution deficiency mangel bearing gabe tolerance toleranz inhibitor blocker
reason grund number anzahl n count control percentile perzentile zscore sd std variance trend yn
ja nein has is any ever elevated erhöht sample survey design sampling birth geburt ideal pressure
druck wave welle gestational bone done question frage antibody antikörper receptor rezeptor type
typ body fluid score text document scan position lage bands groups categories index quality
corpuscular korpuskulär korpuskuläres neuropathic neuropathisch raised monitor vaccination impfung
phosphokinase transfusions transfusionen infusions infusionen intake einnahme zufuhr adjusted
standardised standardized death mortality sterblichkeit gest tour fecha dosis médicament
medicamento traitement tratamiento groupe grupo orina perte pérdida chg pchg free freies freie
libre
"""
"""Beside these a name is about something else: a date, a drug, another fluid, a yes or no."""


@lru_cache(maxsize=1)
def beside() -> frozenset[str]:
    """``BESIDE``, folded as headers are."""
    return frozenset(word for text in BESIDE.split() for word in words_of(text))


@lru_cache(maxsize=1)
def away() -> frozenset[str]:
    """``AWAY``, folded as headers are."""
    return frozenset(word for text in AWAY.split() for word in words_of(text))
