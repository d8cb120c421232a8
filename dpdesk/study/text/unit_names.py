# SPDX-License-Identifier: Apache-2.0
"""What one row of the file and one person are called: "admission" and "patient".

They are words for sentences, declared once in the study's unit; no question depends on them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from dpdesk.catalogue import Catalogue, UnitWord
from dpdesk.study.model.queries import Subject
from dpdesk.study.model.unit import Unit
from dpdesk.study.problem import Problem

MAX_NAME = 40
"""A name is a word or two, or no sentence that holds it could be read."""

_PAIRS = (("row_name", "row_names"), ("person_name", "person_names"))


@dataclass(frozen=True)
class UnitNames:
    """One and several rows, one and several people, and what a share's margin counts."""

    row: str = "row"
    rows: str = "rows"
    person: str = "person"
    people: str = "people"
    points: str = "percentage points"


POINTS = "percentage points"
"""The unit of a share's margin; the share itself is read as a percentage."""
PLAIN = UnitNames()
_WORDS: Final[tuple[UnitWord, ...]] = ("row", "rows", "person", "people", "percentage points")


def translated_names(catalogue: Catalogue) -> UnitNames:
    """What rows and people are called where the study does not say."""
    return UnitNames(*(catalogue.say_word("unit", word) for word in _WORDS))


def names_of(unit: Unit | None, otherwise: UnitNames = PLAIN) -> UnitNames:
    """The declared names; those of ``otherwise`` where a pair is not declared whole."""
    if unit is None:
        return otherwise
    row, person = otherwise, otherwise
    if unit.row_name and unit.row_names:
        row = UnitNames(row=unit.row_name, rows=unit.row_names)
    if unit.person_name and unit.person_names:
        person = UnitNames(person=unit.person_name, people=unit.person_names)
    return UnitNames(row.row, row.rows, person.person, person.people, otherwise.points)


def in_query(names: UnitNames, of: Subject) -> UnitNames:
    """What rows and people are called in a query: those of one of people are people."""
    return replace(names, row=names.person, rows=names.people) if of == "people" else names


def named_unit(unit: str, names: UnitNames) -> str:
    """A margin's unit in a study's words: ``rows`` and ``people`` as they are called there."""
    known = {"rows": names.rows, "people": names.people, POINTS: names.points}
    return known.get(unit, unit)


def without_names(unit: Unit) -> Unit:
    return replace(unit, row_name="", row_names="", person_name="", person_names="")


def check_names(unit: Unit) -> Iterator[Problem]:
    """Problems of the names: half a pair, or longer than a sentence bears."""
    for pair in _PAIRS:
        texts = [getattr(unit, key) for key in pair]
        for key, text in zip(pair, texts, strict=True):
            if len(text) > MAX_NAME:
                yield Problem(f"$.unit.{key}", "text-too-long", {"most": str(MAX_NAME)})
            elif any(texts) and not text.strip():
                yield Problem(f"$.unit.{key}", "unit-name-wanted")
