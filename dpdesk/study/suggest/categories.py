# SPDX-License-Identifier: Apache-2.0
"""Public lists of categories for a column, by what its header and label are called.

A list made from the data would show that somebody has a rare value; these are known to everybody.
Which notation the file uses only the custodian knows, so every notation is offered.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol, TypeVar

from dpdesk.resources import resource_path
from dpdesk.study.limits import MAX_TEXT
from dpdesk.study.suggest.clinical import WHOLE_MARK
from dpdesk.study.suggest.words import beside, joined, windows, words_of

_MAX_LABEL_WORDS = 12
_UNNAMED = -200

_ELSEWHERE = """
date datum time zeit score points punkte hormone hormon reason grund flag comment kommentar partner
mother mutter father vater baby education history transfusion test name id
foreign ref reference status served
"""
"""Beside these a name is about something else than the category itself."""


class Named(Protocol):
    """A list that headers ask for.

    Attributes:
        phrases, wholes: joined names, as in ``clinical.ClinicalVariable``.
    """

    @property
    def phrases(self) -> frozenset[str]: ...

    @property
    def wholes(self) -> frozenset[str]: ...


AnyList = TypeVar("AnyList", bound=Named)


@dataclass(frozen=True)
class CategoryList:
    """A public list of values.

    Attributes:
        source: where they come from.
        note: what to know before accepting it; often empty.
        language: of the values, where they are of one: "de".
        phrases, wholes: its names, as in ``Named``.
    """

    key: str
    english: str
    german: str
    values: tuple[str, ...]
    source: str
    note: str
    phrases: frozenset[str]
    wholes: frozenset[str]
    language: str

    @property
    def basis(self) -> str:
        """The source, short enough for a column's ``basis``."""
        return self.source[:MAX_TEXT]


def suggest_categories(name: str, label: str = "") -> tuple[CategoryList, ...]:
    """Public lists whose values a category column may have: all notations of the best match.

    Args:
        name: the header.
        label: the variable label, where there is one.
    """
    return best_named(category_lists(), name, label)


def best_named(lists: Sequence[AnyList], name: str, label: str = "") -> tuple[AnyList, ...]:
    """Those of the lists that a header and a label name best, in the lists' order; or none."""
    label_words = words_of(label)
    texts = (
        words_of(name),
        () if "?" in label or len(label_words) > _MAX_LABEL_WORDS else label_words,
    )
    weights = [
        max(_weight(found, words) - 100 * rank for rank, words in enumerate(texts))
        for found in lists
    ]
    best = max(weights)
    if best <= _UNNAMED:
        return ()
    # "Manchester triage" is not any triage: only the longest name counts.
    pairs = zip(lists, weights, strict=True)
    return tuple(found for found, weight in pairs if weight // 10 == best // 10)


@lru_cache(maxsize=1)
def category_lists() -> tuple[CategoryList, ...]:
    text = resource_path("clinical/categories.json").read_text(encoding="utf-8")
    return tuple(_list(entry) for entry in json.loads(text)["lists"])


def _list(entry: dict[str, object]) -> CategoryList:
    values = entry["values"]
    if not isinstance(values, list):
        raise TypeError("a list of categories has values")
    return CategoryList(
        str(entry["id"]),
        str(entry["english"]),
        str(entry["german"]),
        tuple(values),
        str(entry["source"]),
        str(entry.get("note", "")),
        *joined_names(entry["names"]),
        str(entry.get("language", "")),
    )


def joined_names(names: object) -> tuple[frozenset[str], frozenset[str]]:
    """The phrases and the wholes among the names that a file gives."""
    if not isinstance(names, list):
        raise TypeError("a list has names")
    wholes = [name for name in names if name.startswith(WHOLE_MARK)]
    phrases = frozenset(joined(name) for name in names if name not in wholes)
    return phrases, frozenset(joined(name) for name in wholes)


def _weight(listed: Named, words: tuple[str, ...]) -> int:
    """How much of the words is the list's name: 0 to 99, or ``_UNNAMED``."""
    for start, end, phrase in windows(words):
        rest = words[:start] + words[end:]
        if phrase in listed.wholes and all(word in beside() or word.isdigit() for word in rest):
            return 10
        if phrase in listed.phrases and not any(word in _elsewhere() for word in rest):
            return min(10 * (end - start) + (not rest), 99)
    return _UNNAMED


@lru_cache(maxsize=1)
def _elsewhere() -> frozenset[str]:
    return frozenset(word for text in _ELSEWHERE.split() for word in words_of(text))
