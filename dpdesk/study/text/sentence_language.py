# SPDX-License-Identifier: Apache-2.0
"""The language that sentences are made in: its words, its signs for numbers, its way to write days.

Templates are English and stand where they are used. How a language writes numbers and days is
in its translation file, too, so that a language is one file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from dpdesk.catalogue import ENGLISH as ENGLISH_CATALOGUE
from dpdesk.catalogue import Catalogue
from dpdesk.study.text.number_text import ENGLISH as ENGLISH_NUMBERS
from dpdesk.study.text.number_text import NumberStyle, in_text
from dpdesk.study.text.shown_text import shown_text
from dpdesk.study.text.unit_names import PLAIN, UnitNames, translated_names

_FRACTION = re.compile(r"-?[0-9]+\.[0-9]+(e-?[0-9]+)?", re.ASCII)
_DAY = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})", re.ASCII)


def _as_it_is(template: str) -> str:
    return template


@dataclass(frozen=True)
class Language:
    """How a sentence is said.

    Attributes:
        names: what rows and people are called where the study does not say.
        day: a day, given as in ISO 8601, as people write it.
        is_english: whether nouns are lower case within a sentence.
    """

    say: Callable[[str], str] = _as_it_is
    numbers: NumberStyle = ENGLISH_NUMBERS
    names: UnitNames = PLAIN
    day: Callable[[str], str] = _as_it_is
    is_english: bool = True


ENGLISH = Language()


def language_of(catalogue: Catalogue, numbers: NumberStyle = ENGLISH_NUMBERS) -> Language:
    def say(template: str) -> str:
        return catalogue.say_word("title", template)

    return Language(
        say,
        numbers,
        translated_names(catalogue),
        lambda day: day_text(day, catalogue),
        catalogue.language == ENGLISH_CATALOGUE.language,
    )


def numbers_of(catalogue: Catalogue) -> NumberStyle:
    point, comma = (
        catalogue.say_word("decimal mark", "."),
        catalogue.say_word("group separator", ","),
    )
    return NumberStyle(point, comma)


_NAMES = frozenset(
    {"name", "text", "label", "query", "column", "header", "version", "found", "suggestion"}
)
"""Placeholders of what is called so, however it looks, or is to be typed so."""


class Written(str):
    """A number that is as its language writes it already."""


_COUNTS = frozenset({"cells", "count", "least", "most", "n"})
"""Placeholders of what is counted, which has separators as every number in a sentence."""


_LISTS = frozenset({"header", "sheets"})
"""Placeholders of several names, each in English quotation marks where it is found."""
_QUOTED = re.compile("“([^”]*)”")


def localised(values: Mapping[str, object], catalogue: Catalogue) -> dict[str, object]:
    """What fills a sentence: numbers and days as the language writes them, names as they are.

    >>> german = Catalogue("xx", {("decimal mark", "."): (",",), ("group separator", ","): (".",)})
    >>> localised({"left": "0.25", "most": "20000", "name": "1.5", "delta": "1.5e-8"}, german)
    {'left': '0,25', 'most': '20.000', 'name': '1.5', 'delta': '1,5e-8'}
    """
    return {key: _localised(key, _shown(value), catalogue) for key, value in values.items()}


def _localised(key: str, value: object, catalogue: Catalogue) -> object:
    if key in _COUNTS and not isinstance(value, Written):
        return in_text(str(value), numbers_of(catalogue))
    if key in _LISTS:
        quoted = catalogue.say_word("list of names", "“{name}”")
        return _QUOTED.sub(lambda match: quoted.format(name=match[1]), str(value))
    if key in _NAMES or catalogue is ENGLISH_CATALOGUE:
        return value
    return localised_text(value, catalogue)


def _shown(value: object) -> object:
    """A text that may come from outside, on one line; see ``shown_text``."""
    return shown_text(value) if type(value) is str else value


def localised_text(value: object, catalogue: Catalogue) -> str:
    """A fraction or a day as a language writes it; any other text as it is."""
    text = str(value)
    if isinstance(value, Written):
        return text
    if _FRACTION.fullmatch(text):
        return text.replace(".", numbers_of(catalogue).decimal)
    return day_text(text, catalogue)


def day_text(day: str, catalogue: Catalogue) -> str:
    """A day as a catalogue's language writes it; a text that is none as it is.

    >>> day_text("2026-11-22", Catalogue()), day_text("22 November", Catalogue())
    ('2026-11-22', '22 November')
    """
    match = _DAY.fullmatch(day)
    if match is None:
        return day
    template = catalogue.say_word("day", "{year}-{month}-{day}")
    return template.format(year=match[1], month=match[2], day=match[3])
