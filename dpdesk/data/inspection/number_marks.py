# SPDX-License-Identifier: Apache-2.0
"""Which marks numbers are written with as texts, as far as a file's first rows leave no doubt.

A proposal for the custodian to confirm, never a guess: ``1.234`` is one number with three decimals
or another without any, and a single cell of that kind, or one that disagrees with another, leaves
nothing to propose. The rows are people's, so what is confirmed here is published nowhere (see
``unit.RECOGNISED``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from dpdesk.study.model.unit import DataSource, Thousands

Decimal = Literal[".", ","]

_SIGN, _EXPONENT = "[+-]?", "(?:[eE][+-]?[0-9]+)?"
_ALIKE = str.maketrans({"\u00a0": " ", "\u2009": " ", "\u202f": " ", "\u2019": "'", "\u2212": "-"})
_DECIMALS: tuple[Decimal, ...] = (".", ",")
_OTHER: dict[str, Decimal] = {".": ",", ",": "."}
_GROUPS: tuple[Thousands, ...] = (",", ".", " ", "'")
_MARKED = re.compile(r"[+-]?[0-9]*[., '][0-9., 'eE+-]*")
"""What every reading of a number with a mark matches; most cells do not, and are asked once."""


@dataclass(frozen=True)
class NumberMarks:
    """How numbers are written.

    Attributes:
        decimal: the decimal mark.
        thousands: what stands between groups of three digits, or nothing.
    """

    decimal: Decimal
    thousands: Thousands = ""


def proposed_marks(source: DataSource, rows: Iterable[Sequence[str]]) -> NumberMarks | None:
    """The marks to propose for a file; ``None`` where there is a doubt, or nothing to change.

    Args:
        source: how the file is read; what was declared by hand is not asked again.
        rows: its first rows, without the header.
    """
    if {"decimal", "thousands"} & set(source.by_hand):
        return None
    marks = agreed_marks((cell for row in rows for cell in row), source.decimal)
    return None if marks == NumberMarks(source.decimal, source.thousands) else marks


def agreed_marks(cells: Iterable[str], decimal: Decimal = ".") -> NumberMarks | None:
    """The marks with which all number-like cells are written, if there is but one reading of each.

    Args:
        cells: some cells.
        decimal: the decimal mark where no cell has one.

    >>> agreed_marks(["1,5", "12", "Berlin"]), agreed_marks(["1.234,5", "0,75"])
    (NumberMarks(decimal=',', thousands=''), NumberMarks(decimal=',', thousands='.'))
    >>> agreed_marks(["1,5", "1.5"]), agreed_marks(["1,5", "1.234"]), agreed_marks(["7"])
    (None, None, None)
    """
    seen = {frozenset(_readings(cell)) for cell in cells} - {frozenset()}
    marks = {reading for readings in seen for reading in readings}
    decimals = {mark for mark, _ in marks if mark}
    groups = {group for _, group in marks if group}
    doubt = any(len(readings) > 1 for readings in seen) or len(decimals) > 1 or len(groups) > 1
    if doubt or not marks:
        return None
    result = NumberMarks(next(iter(decimals), decimal), next(iter(groups), ""))
    return None if result.decimal == result.thousands else result


def _readings(cell: str) -> Iterator[tuple[Decimal | None, Thousands]]:
    """Every way to read a cell as one number with a mark in it; ``None`` where it has no point.

    A day (``01.02.2021``) can be read in no way, and says nothing.
    """
    text = cell.strip().translate(_ALIKE)
    if not _MARKED.fullmatch(text):
        return
    for decimal in _DECIMALS:
        if _pattern("", decimal).fullmatch(text):
            yield decimal, ""
        for group in _GROUPS:
            if group != decimal and _pattern(group, decimal).fullmatch(text):
                yield decimal, group
    for group in _GROUPS:
        if _pattern(group, "").fullmatch(text):
            yield _OTHER.get(group), group


@lru_cache
def _pattern(group: str, decimal: str) -> re.Pattern[str]:
    """Numbers with these marks; put together for each cell, their texts took most of the time."""
    whole = "[0-9]*"
    if group:
        whole = rf"[1-9][0-9]{{0,2}}(?:{re.escape(group)}[0-9]{{3}})+"
    fraction = rf"{re.escape(decimal)}[0-9]+{_EXPONENT}" if decimal else ""
    return re.compile(_SIGN + whole + fraction)
