# SPDX-License-Identifier: Apache-2.0
"""Days as texts: a list of formats to declare, and nothing that has to be guessed.

``YYYY``, ``MM`` and ``DD`` are written with all their digits, ``M`` and ``D`` with one or two.
``YY`` are the last two digits of a year; which hundred years they lie in is declared, as the first
of them (the pivot). ``MMM`` is the name of a month in English, German, French or Spanish, in full
or cut short: what is between the parts is then free, because the name alone tells them apart.
Behind a day in any format a time of day may stand, which is ignored.

No name of a month means two of them in two of the languages, so one format reads all four. Case and
accents do not count (``MÄRZ``, ``Maerz``, ``aout``): no two months differ by them alone.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date
from typing import Final

SHORT: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
"""The names as dpdesk writes them itself."""

_WORDS = (
    "jan january januar jaenner janner janvier janv ene enero",
    "feb february februar febr feber fevrier fevr fev febrero",
    "mar march marz maerz mrz maer mars marzo",
    "apr april avril avr abr abril",
    "may mai mayo",
    "jun june juni juin junio",
    "jul july juli juillet juil julio",
    "aug august aout ago agosto",
    "sep sept september septembre septiembre setiembre set",
    "oct october okt oktober octobre octubre",
    "nov november novembre noviembre",
    "dec december dez dezember decembre dic diciembre",
)

MONTH_NAMES: Final[dict[str, int]] = {
    word: month for month, words in enumerate(_WORDS, 1) for word in words.split()
}
"""Each name without case and accents, and its month from 1."""

LETTERS: Final = "A-Za-zÄÉÛäéû\u0301\u0302\u0308"
"""The letters of these names, accents of their own among them, for a class of an expression."""

DateFormat = str
"""One of ``DATE_FORMATS``."""

ISO: Final = "YYYY-MM-DD"
STAMP: Final = "YYYYMMDDHHMM"
DATE_FORMS: tuple[DateFormat, ...] = (
    ISO,
    "DD.MM.YYYY",
    "DD/MM/YYYY",
    "MM/DD/YYYY",
    "YYYYMMDD",
    "YYYY/MM/DD",
    "D.M.YYYY",
    "D/M/YYYY",
    "M/D/YYYY",
    "D-M-YYYY",
    "M-D-YYYY",
    "YYYY-M-D",
    "YYYY/M/D",
    "D.M.YY",
    "D/M/YY",
    "M/D/YY",
    "D-M-YY",
    "M-D-YY",
    "YYMMDD",
    "D MMM YYYY",
    "MMM D, YYYY",
    "YYYY MMM D",
    "D MMM YY",
)
"""Ways to write a day; behind each of them a time of day may stand."""

DATE_FORMATS: tuple[DateFormat, ...] = (*DATE_FORMS, STAMP)

TIMED: Final = " HH:MM"
"""May be stated behind a format; it says what holds of each, and is not kept."""
STATED_FORMATS: tuple[str, ...] = (*DATE_FORMATS, *(form + TIMED for form in DATE_FORMS))
"""What a study may state as a format."""

FIRST_YEAR, LAST_YEAR = 1800, 2500
"""Declared periods lie in these years; a slip of the keyboard mostly does not.

So far ahead, because data are published with all dates moved into another century.
"""

MAX_YEARS = 200
"""The longest declared period."""

CENTURY = 100
"""Years that two digits tell apart."""

_PARTS = {
    "YYYY": "(?P<year>[0-9]{4})",
    "YY": "(?P<year>[0-9]{2})",
    "MMM": f"(?P<month>[{LETTERS}]{{3,12}})",
    "MM": "(?P<month>[0-9]{2})",
    "M": "(?P<month>[0-9]{1,2})",
    "DD": "(?P<day>[0-9]{2})",
    "D": "(?P<day>[0-9]{1,2})",
}
_PART = re.compile("YYYY|YY|MM?M?|DD?")

_BLANK = "[ \u00a0\u202f]"
_BESIDE_NAMES = {
    # 1. Jan. 2020, 01JAN2020, 1er janvier 2020, 1 de enero de 2020
    " ": rf"(?:\.?{_BLANK}?|[-/]|{_BLANK}[dD][eE][lL]?{_BLANK})",
    ", ": rf"(?:,?{_BLANK}|[,/-])",
    "D": "(?P<day>[0-9]{1,2})(?:er|st|nd|rd|th|ER|ST|ND|RD|TH)?",
}
"""What may stand where a format with the name of a month has a blank, and behind its day."""

_PART_OR_SIGN = re.compile(f"{_PART.pattern}|,? ")


def date_form(format: DateFormat) -> DateFormat:
    """A format without the time that may stand behind.

    >>> date_form("D.M.YY"), date_form("YYYYMMDDHHMM")
    ('D.M.YY', 'YYYYMMDD')
    """
    return "YYYYMMDD" if format == STAMP else format


def date_pattern(format: DateFormat) -> str:
    """The regular expression of the texts that have the shape of a day; groups year, month, day."""
    form = date_form(format)
    if has_month_name(form):
        parts = _PARTS | _BESIDE_NAMES
        return _PART_OR_SIGN.sub(lambda part: parts[part.group()], form)
    return _PART.sub(lambda part: _PARTS[part.group()], re.escape(form))


def has_month_name(format: DateFormat) -> bool:
    return "MMM" in format


_PATTERNS = {form: re.compile(date_pattern(form)) for form in DATE_FORMS}


def needs_pivot(format: DateFormat) -> bool:
    return "YY" in format and "YYYY" not in format


_SHORT_YEAR = re.compile(r"(?<!Y)YY(?!Y)|(?<!J)JJ(?!J)")


def has_short_year(format: str) -> bool:
    """Whether somebody's format has two digits for the year, in any common notation.

    >>> [has_short_year(text) for text in ("%d/%m/%y", "tt.mm.jj", "JJ/MM/AAAA", "%Y")]
    [True, True, False, False]
    """
    capitals = format.upper()
    # In French JJ is the day, and the year AAAA.
    plain = capitals.replace("JJ", "DD") if "AA" in capitals else capitals
    return "%y" in format or _SHORT_YEAR.search(plain) is not None


def typed_form(format: DateFormat) -> DateFormat:
    """The form in which a person types a day of such a column: with all digits of its year.

    >>> typed_form("D.M.YY"), typed_form("YYMMDD")
    ('D.M.YYYY', 'YYYYMMDD')
    """
    form = date_form(format)
    return form.replace("YY", "YYYY") if needs_pivot(form) else form


def day_from_text(text: str, format: DateFormat = ISO, pivot: int | None = None) -> date | None:
    """The day that a text says in a format, without a time; ``None`` where it says none.

    The digits are ASCII digits, the names of months those of four languages; the day must be in
    the calendar.

    Args:
        text: the text.
        format: how days are written.
        pivot: the first of the hundred years that two digits stand for; without one they say no
            day.

    >>> day_from_text("29.02.2020", "DD.MM.YYYY")
    datetime.date(2020, 2, 29)
    >>> day_from_text("29.02.2021", "DD.MM.YYYY"), day_from_text("1.2.2021", "DD.MM.YYYY")
    (None, None)
    >>> day_from_text("6/4/24", "M/D/YY", 1925), day_from_text("6/4/24", "M/D/YY", 1924)
    (datetime.date(2024, 6, 4), datetime.date(1924, 6, 4))
    >>> [str(day_from_text(t, "D MMM YYYY")) for t in ("01JAN2020", "1. März 2020", "1-Foo-2020")]
    ['2020-01-01', '2020-03-01', 'None']
    """
    match = _PATTERNS[date_form(format)].fullmatch(text)
    if match is None:
        return None
    year = int(match["year"])
    if needs_pivot(format):
        if pivot is None:
            return None
        year = pivot + (year - pivot) % CENTURY
    name = match["month"]
    month = month_of(name) if has_month_name(format) else int(name)
    try:
        return None if month is None else date(year, month, int(match["day"]))
    except (ValueError, OverflowError):
        return None


def day_to_text(day: date, format: DateFormat = ISO) -> str:
    """A day written in a format, without a time.

    >>> day_to_text(date(1964, 10, 3), "M/D/YY")
    '10/3/64'
    """
    parts = {
        "YYYY": f"{day.year:04}",
        "YY": f"{day.year % CENTURY:02}",
        "MMM": SHORT[day.month - 1],
        "MM": f"{day.month:02}",
        "M": str(day.month),
        "DD": f"{day.day:02}",
        "D": str(day.day),
    }
    return _PART.sub(lambda part: parts[part.group()], date_form(format))


def is_too_long(first: date, last: date) -> bool:
    """Whether a period is longer than ``MAX_YEARS`` years."""
    return (last.year - MAX_YEARS, last.month, last.day) > (first.year, first.month, first.day)


def month_of(name: str) -> int | None:
    """The month that a name means; ``None`` where it means none.

    >>> month_of("MÄRZ"), month_of("août"), month_of("DIC"), month_of("ma")
    (3, 8, 12, None)
    """
    letters = unicodedata.normalize("NFD", name)
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return MONTH_NAMES.get(plain.casefold())
