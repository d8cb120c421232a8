# SPDX-License-Identifier: Apache-2.0
"""The shipped table of plausible ranges, with where each limit comes from."""

from __future__ import annotations

import csv
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from dpdesk.resources import resource_path
from dpdesk.study.suggest.words import joined

WHOLE_MARK = "="
"""Before a name that is too short to count beside other words: ``=hr``."""

_SEPARATOR = "|"
_CONVERTED = "here"

SCALED = frozenset({"pain_vas"})
"""Variables that are scales although they are counted in a measure of length."""

RangeKind = Literal["typical", "extreme", "scale"]
"""What a study would use; what can be at all; all there is of a score, which is both."""

Key = tuple[str, str]
"""A variable and a unit: one row of the table."""


@dataclass(frozen=True)
class Range:
    """Plausible limits of one variable in one unit.

    Attributes:
        unit: the unit the limits are counted in.
        lower, upper, step: a grid as ``columns.number_grid`` takes it.
        source: works and places that the limits were taken or computed from.
        note: what the custodian should know before accepting it; often empty.
        kind: how it is meant.
    """

    variable: str
    unit: str
    lower: Decimal
    upper: Decimal
    step: Decimal
    source: str
    note: str
    kind: RangeKind = "extreme"


@dataclass(frozen=True)
class ClinicalVariable:
    """What a variable is called.

    Attributes:
        phrases: names, joined, that count wherever they stand in a header.
        wholes: names, joined, that count only alone or beside ``words.BESIDE``.
    """

    key: str
    english: str
    german: str
    phrases: frozenset[str]
    wholes: frozenset[str]


def table(name: str) -> list[dict[str, str]]:
    """The rows of a shipped table of ``clinical/``."""
    with resource_path(f"clinical/{name}").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@lru_cache(maxsize=1)
def ranges() -> dict[str, tuple[Range, ...]]:
    """The ranges of every variable, one for each unit, in the table's order."""
    made: dict[str, tuple[Range, ...]] = {}
    for (variable, unit), found in _ranges("ranges.csv").items():
        is_scale = unit == "points" or variable in SCALED
        row = replace(found, kind="scale") if is_scale else found
        made[variable] = (*made.get(variable, ()), row)
    return made


@lru_cache(maxsize=1)
def typical() -> dict[Key, Range]:
    """What a study would use, where a source says it, by variable and unit."""
    ranges_of = _ranges("typical.csv")
    return {key: replace(row, kind="typical") for key, row in ranges_of.items()}


def _ranges(name: str) -> dict[Key, Range]:
    titles = {row["source"]: row["title"] for row in table("sources.csv")}
    sources: dict[Key, str] = {}
    made: dict[Key, Range] = {}
    for row in table(name):
        key = row["variable"], row["unit"]
        sources[key] = _source(row, titles, sources)
        made[key] = _range(row, sources[key])
    return made


@lru_cache(maxsize=1)
def variables() -> tuple[ClinicalVariable, ...]:
    return tuple(_variable(row) for row in table("variables.csv"))


@lru_cache(maxsize=1)
def named() -> dict[str, tuple[ClinicalVariable, ...]]:
    index: dict[str, tuple[ClinicalVariable, ...]] = {}
    for variable in variables():
        for phrase in variable.phrases | variable.wholes:
            index[phrase] = (*index.get(phrase, ()), variable)
    return index


@lru_cache(maxsize=1)
def unit_names() -> dict[str, frozenset[str]]:
    return {
        row["unit"]: frozenset(filter(None, map(joined, [row["unit"], *row["names"].split(",")])))
        for row in table("units.csv")
    }


def _range(row: dict[str, str], source: str) -> Range:
    return Range(
        row["variable"],
        row["unit"],
        Decimal(row["lower"]),
        Decimal(row["upper"]),
        Decimal(row["step"]),
        source,
        row["note"],
    )


def _source(row: dict[str, str], titles: dict[str, str], earlier: dict[Key, str]) -> str:
    """The citation of both limits; for computed ones, of the conversion and of its limits."""
    work, *place = row["lower_from"].split(_SEPARATOR)
    if work != _CONVERTED:
        places = dict.fromkeys((row["lower_from"], row["upper_from"]))
        return "; ".join(_cited(place, titles) for place in places)
    variable, unit, factor_from = place
    offset = f" {Decimal(row['offset']):+}" if row["offset"] else ""
    factor = f"{unit} × {row['factor']}{offset} ({titles[factor_from]})"
    return f"{earlier[variable, unit]}; {factor}"


def _cited(place: str, titles: dict[str, str]) -> str:
    work, *parts = place.split(_SEPARATOR)
    return ": ".join(filter(None, [titles[work], ", ".join(filter(None, parts))]))


def _variable(row: dict[str, str]) -> ClinicalVariable:
    names = [name.strip() for name in row["names"].split(",")]
    wholes = [name for name in names if name.startswith(WHOLE_MARK)]
    return ClinicalVariable(
        row["variable"],
        row["english"],
        row["german"],
        frozenset(joined(name) for name in names if name not in wholes),
        frozenset(joined(name) for name in wholes),
    )
