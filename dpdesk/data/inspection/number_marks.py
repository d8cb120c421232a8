# SPDX-License-Identifier: Apache-2.0
"""Which marks numbers are written with as texts, as far as a file's first rows say it.

A proposal for the custodian to confirm, never a guess: ``1.234`` is one number with three decimals
or another without any. Every cell with a mark rules out the marks by which it is no number. Where
all that are left read the cells as the same numbers, they are proposed; where they do not, the
custodian is asked. The rows are people's, so what is confirmed here is published nowhere (see
``unit.RECOGNISED``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Literal

from dpdesk.study.model.unit import THOUSANDS, DataSource, Thousands

DecimalMark = Literal[".", ","]

_DECIMALS: tuple[DecimalMark, ...] = (".", ",")
_ALIKE = str.maketrans("\u00a0\u2007\u2009\u202f\u2019\u2212", "    '-")
_MARKED = re.compile(r"[+-]?[0-9]*[., '][0-9., 'eE+-]*")
"""What every reading of a number with a mark matches; most cells do not, and are asked once."""


@dataclass(frozen=True)
class NumberMarks:
    """How numbers are written.

    Attributes:
        thousands: what is between groups of three digits, or nothing.
    """

    decimal: DecimalMark
    thousands: Thousands = ""


_ALL = tuple(NumberMarks(d, t) for t in THOUSANDS for d in _DECIMALS if d != t)


def marks_to_confirm(source: DataSource, rows: Iterable[Sequence[str]]) -> tuple[NumberMarks, ...]:
    """The marks to propose for a file, or to choose from; none where there is nothing to say.

    Args:
        source: how the file is read; what was declared by hand is not asked again.

    Returns:
        One that is not how numbers are read now, or several of which each reads all the cells.
    """
    if {"decimal", "thousands"} & set(source.by_hand):
        return ()
    own = NumberMarks(source.decimal, source.thousands)
    readings = possible_readings((cell for row in rows for cell in row), own)
    return () if readings == (own,) else readings


def possible_readings(cells: Iterable[str], own: NumberMarks = _ALL[0]) -> tuple[NumberMarks, ...]:
    """The marks by which every number-like cell is a number: one for each way to read them all.

    Args:
        own: how they are read now. Of marks that read all cells alike it represents the others;
            after it come those without groups, and those with its decimal mark.

    >>> possible_readings(["1,5", "12", "Berlin"]), possible_readings(["1.234", "0,75"])
    ((NumberMarks(decimal=',', thousands=''),), (NumberMarks(decimal=',', thousands='.'),))
    >>> possible_readings(["1.234"])
    (NumberMarks(decimal='.', thousands=''), NumberMarks(decimal=',', thousands='.'))
    >>> possible_readings(["1,5", "1.5"]), possible_readings(["7"])
    ((), ())
    >>> possible_readings(["0,0"])
    (NumberMarks(decimal=',', thousands=''),)
    """
    said = [numbers for cell in dict.fromkeys(cells) if (numbers := numbers_said(cell))]
    order = sorted(_ALL, key=lambda m: (m != own, m.thousands != "", m.decimal != own.decimal))
    distinct: dict[tuple[Decimal, ...], NumberMarks] = {}
    for marks in order:
        read = [numbers[_ALL.index(marks)] for numbers in said]
        if None not in read:
            distinct.setdefault(tuple(n for n in read if n is not None), marks)
    return tuple(distinct.values()) if said else ()


def numbers_said(cell: str) -> tuple[Decimal | None, ...]:
    """The number that a cell with a mark is by each pair of marks; empty where it is none by any.

    A day (``01.02.2021``) can be read in no way, and says nothing.
    """
    text = cell.strip().translate(_ALIKE)
    if not _MARKED.fullmatch(text):
        return ()
    numbers = tuple(_number(text, marks) for marks in _ALL)
    return () if set(numbers) == {None} else numbers


def _number(text: str, marks: NumberMarks) -> Decimal | None:
    if not _pattern(marks).fullmatch(text):
        return None
    return Decimal(text.replace(marks.thousands, "").replace(marks.decimal, "."))


@cache
def _pattern(marks: NumberMarks) -> re.Pattern[str]:
    """Numbers with these marks; put together for each cell, their texts took most of the time."""
    grouped = f"[1-9][0-9]{{0,2}}(?:{re.escape(marks.thousands)}[0-9]{{3}})+"
    whole = f"(?:{grouped}|[0-9]*)" if marks.thousands else "[0-9]*"
    exponent = "(?:[eE][+-]?[0-9]{1,3})?"
    return re.compile(f"[+-]?{whole}(?:{re.escape(marks.decimal)}[0-9]+{exponent})?")
