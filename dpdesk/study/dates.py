# SPDX-License-Identifier: Apache-2.0
"""Days as texts: a short list of declared formats, and nothing that has to be guessed."""

from __future__ import annotations

import re
from datetime import date
from typing import Final, Literal

DateFormat = Literal[
    "YYYY-MM-DD", "DD.MM.YYYY", "DD/MM/YYYY", "MM/DD/YYYY", "YYYYMMDD", "YYYY/MM/DD"
]
ISO: Final = "YYYY-MM-DD"
DATE_FORMATS: tuple[DateFormat, ...] = (
    ISO,
    "DD.MM.YYYY",
    "DD/MM/YYYY",
    "MM/DD/YYYY",
    "YYYYMMDD",
    "YYYY/MM/DD",
)

FIRST_YEAR, LAST_YEAR = 1800, 2200
"""Declared periods lie in these years; a slip of the keyboard mostly does not."""

MAX_YEARS = 200
"""The longest declared period."""

_PARTS = {"YYYY": "(?P<year>[0-9]{4})", "MM": "(?P<month>[0-9]{2})", "DD": "(?P<day>[0-9]{2})"}


def _pattern(format: DateFormat) -> re.Pattern[str]:
    pattern = re.escape(format)
    for sign, group in _PARTS.items():
        pattern = pattern.replace(sign, group)
    return re.compile(pattern)


_PATTERNS = {format: _pattern(format) for format in DATE_FORMATS}


_SHORT_YEAR = re.compile(r"(?<!Y)YY(?!Y)|(?<!J)JJ(?!J)")


def has_short_year(format: str) -> bool:
    """Whether somebody's format has two digits for the year, in any common notation.

    No such format is read: whether 21 is 1921 or 2021 would be a guess.

    >>> [has_short_year(text) for text in ("%d/%m/%y", "tt.mm.jj", "JJ/MM/AAAA", "%Y")]
    [True, True, False, False]
    """
    capitals = format.upper()
    # In French JJ is the day, and the year AAAA.
    plain = capitals.replace("JJ", "DD") if "AA" in capitals else capitals
    return "%y" in format or _SHORT_YEAR.search(plain) is not None


def day_from_text(text: str, format: DateFormat = ISO) -> date | None:
    """The day that a text says in a format; ``None`` where it says none.

    All digits are written, and are ASCII digits; the day must be in the calendar.

    >>> day_from_text("29.02.2020", "DD.MM.YYYY")
    datetime.date(2020, 2, 29)
    >>> day_from_text("29.02.2021", "DD.MM.YYYY"), day_from_text("1.2.2021", "DD.MM.YYYY")
    (None, None)
    """
    found = _PATTERNS[format].fullmatch(text)
    if found is None:
        return None
    try:
        return date(int(found["year"]), int(found["month"]), int(found["day"]))
    except ValueError:
        return None


def day_to_text(day: date, format: DateFormat = ISO) -> str:
    """A day written in a format."""
    parts = {"YYYY": f"{day.year:04}", "MM": f"{day.month:02}", "DD": f"{day.day:02}"}
    text: str = format
    for sign, digits in parts.items():
        text = text.replace(sign, digits)
    return text


def is_too_long(first: date, last: date) -> bool:
    """Whether a period is longer than ``MAX_YEARS`` years."""
    return (last.year - MAX_YEARS, last.month, last.day) > (first.year, first.month, first.day)
