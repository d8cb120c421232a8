# SPDX-License-Identifier: Apache-2.0
"""Public lists that sort codes into few values: a diagnosis code into its chapter.

Codes are sorted by how they begin. The ranges are facts of public classifications; the names of
the values are our own, as those of the classifications are protected.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

from dpdesk.resources import resource_path
from dpdesk.study.limits import MAX_TEXT
from dpdesk.study.suggest.categories import best_named, joined_names
from dpdesk.study.suggest.words import words_of

_FOLDER = "clinical/codes"
_TO = "-"

_NO_CODE = """
chapter kapitel group gruppe block level ebene class klasse category kategorie text name title titel
description beschreibung label bezeichnung version catalog catalogue katalog type typ count number
anzahl certainty sicherheit laterality
"""
"""Beside these a header says something about the code, or what has been made of it."""

Prefixes: TypeAlias = tuple[str, str]
"""The first and the last prefix of a range, of equal length; a single prefix is both."""


@dataclass(frozen=True)
class CodeEntry:
    """One value, and the codes that belong to it.

    Attributes:
        value: the cell of the column that is made.
        english, german: what it means, in our own words.
        codes: ranges of prefixes. A code belongs to one where its first characters, as many as
            the prefixes have, lie between them; both ends belong to it. Characters are compared
            one by one, after capitals were made and all but letters and digits was taken out.
    """

    value: str
    english: str
    german: str
    codes: tuple[Prefixes, ...]


@dataclass(frozen=True)
class CodeList:
    """A classification's values. No code belongs to two; some belong to none.

    Attributes:
        key: which of the shipped lists.
        english, german: its name for people.
        entries: its values, in the classification's order.
        source: which edition the ranges are of.
        checked: where the ranges were read.
        note: what to know before accepting it, and what could not be checked.
        digits: to how many digits the part before the dot is filled up with zeros, where it is
            digits alone; None where it is not.
        phrases, wholes: names of columns that hold such codes, as in ``categories.Named``.
    """

    key: str
    english: str
    german: str
    entries: tuple[CodeEntry, ...]
    source: str
    checked: str
    note: str
    digits: int | None
    phrases: frozenset[str]
    wholes: frozenset[str]

    @property
    def basis(self) -> str:
        """The source, short enough for a column's ``basis``."""
        return self.source[:MAX_TEXT]


def code_lists_for(name: str, label: str = "") -> tuple[CodeList, ...]:
    """The lists for a column of codes: all of the best match, as its edition is not in its name.

    Args:
        name: the header.
        label: the variable label, where there is one.
    """
    words = {*words_of(name), *words_of(label)}
    return () if words & _no_code() else best_named(code_lists(), name, label)


@lru_cache(maxsize=1)
def code_lists() -> tuple[CodeList, ...]:
    """All shipped lists, by their keys."""
    return tuple(_list(path) for path in sorted(resource_path(_FOLDER).glob("*.json")))


def _list(path: Path) -> CodeList:
    members: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    phrases, wholes = joined_names(members.pop("names"))
    entries = tuple(
        CodeEntry(**{**entry, "codes": tuple(map(_prefixes, entry["codes"]))})
        for entry in members.pop("entries")
    )
    return CodeList(
        key=members.pop("id"), entries=entries, phrases=phrases, wholes=wholes, **members
    )


def _prefixes(text: str) -> Prefixes:
    first, _, last = text.partition(_TO)
    return first, last or first


@lru_cache(maxsize=1)
def _no_code() -> frozenset[str]:
    return frozenset(word for text in _NO_CODE.split() for word in words_of(text))
