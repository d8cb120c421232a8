# SPDX-License-Identifier: Apache-2.0
"""Numbers, days and units as codebooks write them."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal

from dpdesk.study import limits
from dpdesk.study.model.dates import (
    DATE_FORMS,
    ISO,
    STAMP,
    DateFormat,
    date_form,
    day_from_text,
)

NOTHING = frozenset({"", "na", "n/a", "-", "--", "none", "null", "k. a.", "k.a.", "."})
"""What people write into a codebook's cell that has nothing to say."""

_NUMBER = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]+)?(?:[eE][+-]?[0-9]{1,2})?")
_GROUPED = re.compile(r"[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_IN_BRACKETS = re.compile(r"(?P<title>.*\S)\s*[(\[](?P<unit>[^()\[\]]+)[)\]]")
_UNIT = re.compile(
    r"(?:10\^?[0-9]+ ?)?(?:(?:[kcmnpµuμd]?(?:g|l|L|m|mol|Eq|osm|Osm|s|Pa|U|IU)|ppm|ppb|mmHg|cmH2O"
    r"|bpm|rpm|cells|%|°C|°F|K|kcal|[sS]ec(?:onds?)?|[mM]in(?:utes?)?|h|hr|hrs|[hH]ours?|d|[dD]ays?"
    r"|[wW]eeks?|[mM]onths?|[yY](?:ea)?rs?|a|kilograms?|grams?|cent[ei]met(?:er|re)s?"
    r"|met(?:er|re)s?|lit(?:er|re)s?|lbs?|in|inches|ft|Stunden?|Tagen?|Tage|Wochen?|Monaten?"
    r"|Monate|Jahren?|Jahre|Minuten?|Sekunden?|Stück)[²³]?(?:\^?[23])?(?:\s?[/·*]\s?"
    r"(?=[^\s])(?:[0-9.]+\s?)?)?)+"
)
_MAX_UNIT = 20

PATTERNS: dict[str, DateFormat] = {
    "%Y-%m-%d": "YYYY-MM-DD",
    "%d.%m.%Y": "DD.MM.YYYY",
    "%d/%m/%Y": "DD/MM/YYYY",
    "%m/%d/%Y": "MM/DD/YYYY",
    "%Y%m%d": "YYYYMMDD",
    "%Y/%m/%d": "YYYY/MM/DD",
    "%d-%m-%Y": "D-M-YYYY",
    "%m-%d-%Y": "M-D-YYYY",
    "%d.%m.%y": "D.M.YY",
    "%d/%m/%y": "D/M/YY",
    "%m/%d/%y": "M/D/YY",
    "%d-%m-%y": "D-M-YY",
    "%m-%d-%y": "M-D-YY",
    "%y%m%d": "YYMMDD",
    "DATE9.": "D MMM YYYY",
    "DATE7.": "D MMM YY",
}
"""Date formats of Table Schemas; CSVW and codebooks in prose write YYYY, MM and DD or JJJJ, TT."""

_NAMED = {
    "DMY": "D MMM YYYY",
    "DMy": "D MMM YY",
    "MDY": "MMM D, YYYY",
    "YMD": "YYYY MMM D",
}
"""Formats with the name of a month, by the order of their parts; their separators are free."""

_NAMED_PART = re.compile(
    "(?P<D>%-?[de]|DD?)|(?P<M>%[bB]|MMMM?|MON(?:TH)?)|(?P<Y>%Y|YYYY)|(?P<y>%y|YY|RR)"
)

_CLOCK = re.compile(
    r"[T, ]*(?:%[HI]:?%M|%T|%R|HH?:?MM)(?::?(?:%S|SS)(?:[.,]?(?:%f|S+))?)?(?: ?%p)?$"
)
"""The time of day at the end of a format, the letters of words in capitals."""

_TIME_BEHIND = re.compile(r"[T ][0-9]{1,2}:[0-9]{2}\S*$")

_SIGNS = {"YYYY": "%Y", "YY": "%y", "MM": "%m", "M": "%m", "MMM": "%b", "DD": "%d", "D": "%d"}


def says_nothing(text: str) -> bool:
    return text.strip().casefold() in NOTHING


def number(text: str) -> Decimal | None:
    """A number with a decimal point or comma; ``None`` where the text is none."""
    text = text.strip().replace("\N{MINUS SIGN}", "-")
    if len(text) > limits.MAX_NUMBER_TEXT or not _NUMBER.fullmatch(text):
        return None
    return Decimal(text.replace(",", "."))


def is_ambiguous(text: str) -> bool:
    """Whether a number may have a decimal mark or a thousands separator: ``1.500``."""
    return _GROUPED.fullmatch(text.strip()) is not None


def day(text: str, format: DateFormat | None = None) -> date | None:
    """A day in a format or, as most codebooks write it, in ISO's; a time behind it is left out."""
    plain = _TIME_BEHIND.sub("", text.strip())
    found = day_from_text(plain, format) if format else None
    return found or day_from_text(plain)


def date_format(text: str) -> DateFormat | None:
    """The study's name of a date format, in any of the common notations."""
    text = text.strip()
    day = _CLOCK.sub("", text if "%" in text else text.upper())
    plain = day.replace("J", "Y").replace("T", "D")
    known = next((known for known in DATE_FORMS if known == plain), None)
    form = PATTERNS.get(day) or known or _named_format(plain)
    if form is None or form == ISO or len(day) == len(text):
        return form
    return STAMP if form == "YYYYMMDD" and ":" not in text else form


def _named_format(text: str) -> DateFormat | None:
    """A format with the name of a month, whatever is between its parts.

    >>> _named_format("%d-%b-%Y"), _named_format("DD-MON-RR"), _named_format("DD-MM-YYYY")
    ('D MMM YYYY', 'D MMM YY', None)
    """
    order = "".join(part.lastgroup or "" for part in _NAMED_PART.finditer(text))
    between = _NAMED_PART.sub("", text)
    return _NAMED.get(order) if not between.strip(" .,/-") else None


def date_signs(format: DateFormat) -> str:
    """A format in the notation of Table Schemas, which cannot say whether zeros are written.

    >>> date_signs("D.M.YYYY"), date_signs("YYYYMMDDHHMM")
    ('%d.%m.%Y', '%Y%m%d%H%M')
    """
    signs = re.sub("YYYY|YY|MM?M?|DD?", lambda part: _SIGNS[part.group()], date_form(format))
    return f"{signs}%H%M" if format == STAMP else signs


def without_tags(text: str) -> str:
    """A label without the mark-up that web forms have in theirs.

    >>> without_tags("<b>Hb</b> <5 or >9")
    'Hb <5 or >9'
    """
    return " ".join(_TAG.sub("", text).split())


def is_unit(text: str) -> bool:
    """Whether a short text is a unit of measurement, and nothing else."""
    text = text.strip()
    return len(text) <= _MAX_UNIT and _UNIT.fullmatch(text) is not None


def title_and_unit(text: str) -> tuple[str, str]:
    """A label without the unit that ends it in brackets, and the unit.

    >>> title_and_unit("Height (cm)"), title_and_unit("Weight (select units)")
    (('Height', 'cm'), ('Weight (select units)', ''))
    """
    match = _IN_BRACKETS.fullmatch(text)
    if match is None or not is_unit(match["unit"]):
        return text, ""
    return match["title"], match["unit"].strip()
