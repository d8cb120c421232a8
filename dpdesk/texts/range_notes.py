# SPDX-License-Identifier: Apache-2.0
"""What to know before a known range or list is used, as the tables of these say it in English."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from dpdesk.catalogue import Catalogue, Template

_NUMBER = r"\d+(?:\.\d+)?"
NOTES: Final[tuple[Template, ...]] = (
    "Higher values count as {value}.",
    "Lower values count as {value}.",
    "Lower values count as {value}; higher ones as {other}.",
    "Longer stays count as {value}.",
    "Longer times count as {value}.",
    "Lower temperatures count as {value}.",
    "What dialysis begins at lies beyond and counts as {value}.",
    "Severe underweight lies below {value} and is counted as {other}.",
    "Muscle breakdown may lie above {value} and is counted as {other}.",
    "Some leukaemias lie above {value} and are counted as {other}.",
    "An upper bound from your own rules gives far less noise.",
    "Twenty years: an upper bound from your own rules gives far less noise.",
    "Children below 11 years.",
    "Muscle breakdown may lie above the bound and is counted as the bound.",
    "Some leukaemias lie above {value} and are counted as that.",
    "Standing height from the age of 2; lower values count as {value}; higher ones as {other}.",
    "The scale has no values below 0, where 1 % would lie.",
    "The source writes mL/min for this rate per 1.73 m².",
    "0 not known, 1 male, 2 female, 9 not applicable.",
    "German systems write 0 for O.",
    "In German systems: rot, orange, gelb, grün, blau.",
    "NA is Namibia: take it off the markers for missing cells where it means the country.",
    "Names differ between systems; compare with the codebook.",
)
"""What the tables of ranges and lists say, numbers in the places of ``{value}`` and ``{other}``."""


def said(text: str, catalogue: Catalogue, number: Callable[[str], str]) -> str:
    """A note in the language of a catalogue; one that is not known as it is.

    Args:
        number: writes a number of a note as that language does.
    """
    for english in NOTES:
        found = _pattern(english).fullmatch(text)
        if found is not None:
            numbers = {name: number(value) for name, value in found.groupdict().items()}
            return catalogue.say_word("", english).format(**numbers)
    return text


@lru_cache(maxsize=64)
def _pattern(template: str) -> re.Pattern[str]:
    """What a sentence with numbers in its places reads like."""
    named = re.sub(r"\\\{(\w+)\\\}", lambda name: f"(?P<{name[1]}>{_NUMBER})", re.escape(template))
    return re.compile(named)
