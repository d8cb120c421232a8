# SPDX-License-Identifier: Apache-2.0
"""The desk's language: the signs of its numbers, and the words of its queries' sentences."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import ParamSpec, TypeVar, cast

from PySide6.QtCore import QLocale

from dpdesk.catalogue import Catalogue, read_catalogue
from dpdesk.desk.text.translating import tr
from dpdesk.study.text.number_text import NumberStyle
from dpdesk.study.text.sentence_language import Language, language_of
from dpdesk.study.text.unit_names import UnitNames

P = ParamSpec("P")
R = TypeVar("R")
MOST_KEPT = 1_000
_KEPT: list[Callable[[], None]] = []


def per_language(function: Callable[P, R]) -> Callable[P, R]:
    """Keep what a function says of the same values, until another language is chosen.

    Each key that is pressed asks for the same few dozen texts and numbers again.
    """
    kept = lru_cache(MOST_KEPT)(function)
    _KEPT.append(kept.cache_clear)
    return cast(Callable[P, R], kept)


def forget_language() -> None:
    """Another language, or another way to write its numbers, was chosen."""
    for clear in _KEPT:
        clear()


@per_language
def number_style() -> NumberStyle:
    """The decimal mark and separator of the language chosen, and a true minus sign."""
    locale = QLocale()
    return NumberStyle(locale.decimalPoint(), locale.groupSeparator())


@per_language
def catalogue() -> Catalogue:
    """The sentences that the window shares with the shell, in the language of its translation."""
    return read_catalogue(tr("Language", "en"))


@per_language
def language() -> Language:
    """How the desk says what a query asks."""
    return language_of(catalogue(), number_style())


@per_language
def plain_names() -> UnitNames:
    """What rows and people are called where the study does not say."""
    return language().names
