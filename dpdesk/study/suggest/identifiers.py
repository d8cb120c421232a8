# SPDX-License-Identifier: Apache-2.0
"""Columns that name a person, recognised by header, label and declared type.

A header counts only where every one of its words is accounted for: ``patient_name`` is a
person's name, ``hospital_name`` is not. Missing one is no breach, since no undeclared column is
loaded; what is missed is merely not warned about.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache

from dpdesk.study.suggest.identifier_words import AROUND, DECLARED, PHRASES, ROMANCE, WHOLE
from dpdesk.study.suggest.words import joined, windows, words_of

_MAX_LABEL_WORDS = 6
_MANY_COLUMNS = 8192
"""Lists of columns ask for all of a file's at every edit."""


class IdentifierKind(StrEnum):
    """What a column seems to say about who somebody is."""

    NAME = "name"
    ADDRESS = "address"
    STAFF = "staff"
    CONTACT = "contact"
    OFFICIAL = "official-number"
    INSURANCE = "insurance-number"
    DEVICE = "device-number"
    PICTURE = "picture"
    NOTE = "note"
    CASE = "case-number"
    PERSON = "person-number"
    BIRTH = "birth-date"
    BIRTH_YEAR = "birth-year"
    DEATH = "death-date"
    PLACE = "small-place"

    @property
    def is_direct(self) -> bool:
        return self is not IdentifierKind.PERSON and not self.is_quasi

    @property
    def is_quasi(self) -> bool:
        """Whether it names nobody alone, and together with others may."""
        return self in (
            IdentifierKind.BIRTH,
            IdentifierKind.BIRTH_YEAR,
            IdentifierKind.DEATH,
            IdentifierKind.PLACE,
        )


def identifier_kind(name: str, label: str = "", declared: str = "") -> IdentifierKind | None:
    """What a column's header, label or declared type say about who somebody is.

    Args:
        name: the header.
        label: the variable label, where a codebook or the file has one.
        declared: the type that a codebook declares, such as REDCap's "email".
    """
    return _kept_kind(name, label, declared)


def is_direct(name: str) -> bool:
    """Whether a header alone names people."""
    kind = identifier_kind(name)
    return kind is not None and kind.is_direct


@lru_cache(maxsize=_MANY_COLUMNS)
def _kept_kind(name: str, label: str, declared: str) -> IdentifierKind | None:
    """One entry a column, however its kind is asked for: twice as many would not find room."""
    kind = DECLARED.get(declared.strip().casefold()) or _kind_of(words_of(name))
    if kind is None and 0 < len(words_of(label)) <= _MAX_LABEL_WORDS and "?" not in label:
        kind = _kind_of(words_of(label))
    return None if kind is None else IdentifierKind(kind)


def _kind_of(words: tuple[str, ...]) -> str | None:
    whole, phrases, around = _tables()
    exact = whole.get("".join(words))
    if exact is not None:
        return exact
    for start, end, phrase in windows(words):
        rest = words[:start] + words[end:]
        if phrase in phrases and all(word in around or word.isdigit() for word in rest):
            return phrases[phrase]
    return None


@lru_cache(maxsize=1)
def _tables() -> tuple[dict[str, str], dict[str, str], frozenset[str]]:
    return (
        _folded(WHOLE),
        _folded(PHRASES) | _folded(ROMANCE),
        frozenset(w for t in AROUND.split() for w in words_of(t)),
    )


def _folded(table: dict[str, str]) -> dict[str, str]:
    """From kinds with their phrases to joined phrases with their kind."""
    return {joined(p): kind for kind, phrases in table.items() for p in phrases.split(",")}
