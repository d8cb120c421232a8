# SPDX-License-Identifier: Apache-2.0
"""The language that sentences are made in: its words and its signs for numbers.

Templates are English and stand where they are used. What is signed is English.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dpdesk.catalogue import Catalogue
from dpdesk.study.text.number_text import ENGLISH as ENGLISH_NUMBERS
from dpdesk.study.text.number_text import NumberStyle
from dpdesk.study.text.unit_names import PLAIN, UnitNames, translated_names


def _as_it_is(template: str) -> str:
    return template


@dataclass(frozen=True)
class Language:
    """How a sentence is said.

    Attributes:
        say: the translation of a template.
        numbers: the signs of numbers.
        names: what rows and people are called where the study does not say.
    """

    say: Callable[[str], str] = _as_it_is
    numbers: NumberStyle = ENGLISH_NUMBERS
    names: UnitNames = PLAIN


ENGLISH = Language()


def language_of(catalogue: Catalogue, numbers: NumberStyle = ENGLISH_NUMBERS) -> Language:
    """The language of a catalogue."""

    def say(template: str) -> str:
        return catalogue.say_word("title", template)

    return Language(say, numbers, translated_names(catalogue))
