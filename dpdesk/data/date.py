# SPDX-License-Identifier: Apache-2.0
"""Texts to days of a declared period, whatever the text.

A text that is not written exactly as declared is no day. Nothing is guessed: ``01/02/2021`` is
two different days on two sides of an ocean.
"""

from __future__ import annotations

import re
from datetime import date

from dpdesk.study.columns import DateColumn, last_day_index
from dpdesk.study.dates import ISO, DateFormat, day_from_text

MAX_DATE_TEXT = 40
"""A cell with more characters is no day."""

# The day is taken as it is written: a zone behind the time does not move it.
_TIME = re.compile(
    r"[T ](?:[01][0-9]|2[0-3]):[0-5][0-9](?::(?:[0-5][0-9]|60)(?:[.,][0-9]{1,9})?)?"
    r"(?: ?Z| ?[+-][0-9]{2}(?::?[0-9]{2})?)?"
)
_WITH_TIME = frozenset({ISO})
"""Formats behind whose date a time of day may stand."""


class DayReader:
    """Reads days and places them in a column's period."""

    def __init__(self, column: DateColumn, typed: bool = False) -> None:
        """Take over a column's period.

        Args:
            column: the declaration.
            typed: whether the file itself knows which cells are days; their texts are ISO's,
                which no declared format can mistake for another day.
        """
        if column.first is None:
            raise ValueError("the column has no period yet")
        self._formats: tuple[DateFormat, ...] = (column.format, ISO) if typed else (column.format,)
        self._first = column.first
        self._last = last_day_index(column)

    def read(self, text: str) -> date | None:
        """The day that a text says in the declared format, or ``None``."""
        if len(text) > MAX_DATE_TEXT:
            return None
        found = (_day(text, format) for format in self._formats)
        return next((day for day in found if day is not None), None)

    def index(self, day: date) -> tuple[int, bool]:
        """The nearest day's index after clamping, and whether the day was in the period."""
        index = (day - self._first).days
        nearest = min(max(index, 0), self._last)
        return nearest, nearest == index

    def constant_index(self, text: str) -> int:
        """The index of a declared constant, which is a day as ``YYYY-MM-DD``."""
        day = day_from_text(text)
        if day is None:
            raise ValueError("a declared constant is a day")
        return self.index(day)[0]


def _day(text: str, format: DateFormat) -> date | None:
    length = len(format)
    time = text[length:]
    if time and (format not in _WITH_TIME or _TIME.fullmatch(time) is None):
        return None
    return day_from_text(text[:length], format)
