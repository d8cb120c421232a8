# SPDX-License-Identifier: Apache-2.0
"""The language that sentences are made in: its words and its signs for numbers.

Templates are English and stand where they are used; a window that speaks another language gives
the translation of each. What is signed is English.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dpdesk.study.text.number_text import ENGLISH as ENGLISH_NUMBERS
from dpdesk.study.text.number_text import NumberStyle
from dpdesk.study.text.unit_names import PLAIN, UnitNames


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
