# SPDX-License-Identifier: Apache-2.0
"""Texts to days of a declared period, whatever the text.

A text that is not written exactly as declared is no day. Nothing is guessed: ``01/02/2021`` is
two different days on two sides of an ocean.

Where a time is behind each day, nearly every cell is another text. So times are taken off many
cells at once, and what is left are days, of which there are few (:class:`Times`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

import pyarrow as pa
import pyarrow.compute as pc

from dpdesk.study.model.columns import DateColumn, last_day_index
from dpdesk.study.model.dates import (
    ISO,
    STAMP,
    DateFormat,
    date_pattern,
    day_from_text,
    has_month_name,
)

MAX_DATE_TEXT = 40
"""A cell with more characters is no day."""

_SECONDS = r"(?::(?:[0-5][0-9]|60)(?:[.,][0-9]{1,9})?)?"
_ZONE = r"(?: ?Z| ?[+-][0-9]{2}(?::?[0-9]{2})?)"
_HALF_DAY = r"(?: ?(?:[AaPp][Mm]|[AaPp]\.[Mm]\.))"
_TIME = (
    rf"(?:(?:[01]?[0-9]|2[0-3]):[0-5][0-9]{_SECONDS}{_ZONE}?"
    rf"|(?:0?[0-9]|1[0-2]):[0-5][0-9]{_SECONDS}{_HALF_DAY})"
)
_TIGHT_TIME = rf"(?:[01][0-9]|2[0-3])[0-5][0-9](?:(?:[0-5][0-9]|60)(?:[.,][0-9]{{1,9}})?)?{_ZONE}?"
"""What may follow a day. The day is taken as it is written: no zone moves it."""


def _time_pattern(format: DateFormat) -> str:
    if format == STAMP:
        return _TIGHT_TIME
    # SAS writes 01JAN2020:10:30:00.
    before = "(?:T|,? |:)" if has_month_name(format) else "(?:T|,? )"
    # The basic form of ISO 8601 has no colons: 20200101T103000Z.
    tight = f"|T{_TIGHT_TIME}" if format == "YYYYMMDD" else ""
    return f"(?:{before}{_TIME}{tight})"


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
        self._formats = read_formats(column, typed)
        self._timed = {f: _timed(f) for f in self._formats}
        self._pivot = column.pivot
        self._first = column.first
        self._last = last_day_index(column)

    def read(self, text: str) -> date | None:
        """The day that a text says in the declared format, or ``None``."""
        if len(text) > MAX_DATE_TEXT:
            return None
        readings = (self._read(text, format) for format in self._formats)
        return next((day for day in readings if day is not None), None)

    def _read(self, text: str, format: DateFormat) -> date | None:
        timed = self._timed[format].fullmatch(text)
        return None if timed is None else day_from_text(timed["text"], format, self._pivot)

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


def read_formats(column: DateColumn, typed: bool) -> tuple[DateFormat, ...]:
    """The formats in which a column's cells are read, in turn; see ``DayReader``."""
    return (column.format, ISO) if typed and column.format != ISO else (column.format,)


def timed_shape(format: DateFormat) -> str:
    """The pattern of a day with a time behind it, the group ``time``; it has no other group."""
    return f"{_shape(format)}(?P<time>{_time_pattern(format)})"


def _timed(format: DateFormat) -> re.Pattern[str]:
    """What has the shape of a day, perhaps with a time behind it."""
    time = _time_pattern(format)
    return re.compile(f"(?P<text>{_shape(format)})(?:{time})?")


def _shape(format: DateFormat) -> str:
    """The pattern of a day without names for its parts."""
    return re.sub(r"\?P<[a-z]+>", "?:", date_pattern(format))


class Times:
    """Takes the times off cells of a column, where that says the same as reading each cell.

    A cell that is a day and a time is read as that day alone, in each format; so is what the day
    alone is: the calendar has it or not. A marker for "missing" that looks like a day but is none
    tells the two apart (``99.99.9999`` is missing, ``99.99.9999 10:00`` is no day): where there is
    one, or one with a time of its own, every cell is read as it is.
    """

    def __init__(self, column: DateColumn, typed: bool, markers: Iterable[str]) -> None:
        formats = read_formats(column, typed)
        self._patterns = [f"^({_shape(f)})(?:{_time_pattern(f)})$" for f in formats]
        shapes = [_timed(format) for format in read_formats(column, typed)]
        reader = DayReader(column, typed)
        invalid = any(
            shape.fullmatch(marker) and reader.read(marker) is None
            for marker in markers
            for shape in shapes
        )
        if invalid:
            self._patterns = []

    def off(self, cells: pa.Array) -> pa.Array:
        """The cells, texts or a dictionary of texts, without the times behind their days."""
        if not self._patterns:
            return cells
        if pa.types.is_string(cells.type):
            return self._off(cells)
        if pa.types.is_dictionary(cells.type) and pa.types.is_string(cells.type.value_type):
            days = self._off(cells.dictionary).dictionary_encode()
            return pa.DictionaryArray.from_arrays(days.indices.take(cells.indices), days.dictionary)
        return cells

    def _off(self, texts: pa.Array) -> pa.Array:
        for pattern in self._patterns:
            texts = pc.replace_substring_regex(texts, pattern, r"\1")
        return texts
