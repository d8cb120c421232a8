# SPDX-License-Identifier: Apache-2.0
"""What a cell that cannot be read looks like, in a word: a unit, a comparison, a month, a code.

For the words of the check alone: nothing is read by it, and no cell leaves it.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from dpdesk.data.encoding.date import DayReader
from dpdesk.data.inspection.number_marks import numbers_said
from dpdesk.study.model.columns import CategoryColumn, Column, DateColumn, NumberColumn, YesNoColumn
from dpdesk.study.model.dates import DATE_FORMATS, LETTERS

MOST_SIGNS = 60
"""A longer cell is a text, whatever it begins with."""

_WORDS_FOR_MISSING = (
    "na,n/a,n.a.,nan,nil,none,null,unknown,unk,missing,nd,not available,not applicable,k.a.,k. a.,"
    "keine angabe,unbekannt,fehlt,fehlend,entfällt,s/d,inconnu,desconocido,tbd"
)
_MARKERS = frozenset(_WORDS_FOR_MISSING.split(","))
_SIGNS_ALONE = re.compile(r"[\s.\-\u2012-\u2015?*_/\\]+")
_NO_DAY = re.compile(
    r"(?:0{1,2}|9{2})([-./ ]?)(?:0{1,2}|9{2})\1(?:0{4}|9{4})"
    r"|(?:0{4}|9{4})[-./ ]?(?:00|99)[-./ ]?(?:00|99)"
)
_ERROR = re.compile(r"#(?:[A-Z]+[!?/][A-Z0-9!?]*|NV|N/A)")

_N = r"[+-]?(?:[0-9]+(?:[.,' ][0-9]+)*|[.,][0-9]+)"
_LIMIT = (
    "<|>|\u2264|\u2265|~|\u2248"
    "|(?:under|over|above|below|unter|über|less than|more than|ca\\.?)(?= )"
)
_CLOCK = r"[0-9]{1,4}:[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]+)?)?"
_NUMBERS: Final = (
    ("comparison", re.compile(rf"(?:{_LIMIT})=? *{_N}.*|{_N} ?\+", re.IGNORECASE)),
    # How spreadsheets save a time of 24 hours or more in a format without days.
    (
        "length",
        re.compile(r"(?:1899-12-3[01]|1900-[01][0-9]-[0-3][0-9]|1904-0[12]-[0-3][0-9])(?: .*)?"),
    ),
    ("day", re.compile(r"[0-9]{1,4}([./-])[0-9]{1,2}\1[0-9]{1,4}(?:[T ].*)?")),
    ("time", re.compile(rf"-?(?:[0-9]+ (?:days?|d|tage?),? )?{_CLOCK}(?: ?[ap]m)?", re.IGNORECASE)),
    ("time", re.compile(r"-?P(?=.*[0-9])(?:[0-9]+D)?(?:T[0-9HMS.,]+)?")),
    ("percent", re.compile(rf"{_N} ?%")),
    ("range", re.compile(rf"{_N} ?(?:-|\u2013|\.\.|to|bis|à) ?{_N}")),
    ("pair", re.compile(rf"{_N} ?/ ?{_N}")),
    ("unit", re.compile(rf"{_N} ?[^\W\d_°\"'$€£][\w°²³·/.^ *-]{{0,20}}|{_N} ?[°\"'$€£][\w]*")),
    ("unit", re.compile(rf"(?:[$€£]|EUR|USD|CHF) ?{_N}")),
)

_MONTH = rf"[{LETTERS}]{{3,12}}\.?[ -]"
_UNKNOWN = r"(?:UNK?|UK|NK|XX?|00|99|--|\?\??|\*\*|__)"
_PART = rf"(?:[0-9]{{1,2}}|[{LETTERS}]{{3,12}}\.?|{_UNKNOWN})"
_DAYS: Final = (
    (
        "partial",
        re.compile(
            rf"(?=.*{_UNKNOWN})[0-9]{{4}}[-/. ](?:{_UNKNOWN}[-/. ]{_PART}|{_PART}[-/. ]{_UNKNOWN})"
            rf"|(?:{_UNKNOWN}[-/. ]{_PART}|{_PART}[-/. ]{_UNKNOWN})[-/. ](?:[0-9]{{4}}|UNK?|XXXX)"
            r"|[0-9]{4}(?:0[1-9]|1[0-2])00|[0-9]{4}0000",
            re.IGNORECASE,
        ),
    ),
    ("week", re.compile("[0-9]{4}-?[Ww][0-9]{1,2}(?:-?[1-7])?|(?i:KW) ?[0-9]{1,2}[ /][0-9]{4}")),
    ("month", re.compile(rf"[0-9]{{4}}[-/.][0-9]{{1,2}}|(?:[0-9]{{1,2}}[-/.]|{_MONTH})[0-9]{{4}}")),
    ("year", re.compile("(?:18|19|20)[0-9]{2}")),
    ("serial", re.compile("[1-6][0-9]{4}(?:[.,][0-9]+)?")),
    ("seconds", re.compile("[0-9]{10}(?:[0-9]{3})?(?:[.,][0-9]+)?")),
    ("day-of-year", re.compile("(?:18|19|20)[0-9]{2}-?[0-3][0-9]{2}")),
    ("order", re.compile("[0-9]{1,4}[-./ ][0-9]{1,2}[-./ ][0-9]{1,4}")),
    ("weekday", re.compile(r"[^\W\d_]{2,10}\.?,? .*[0-9].*")),
)  # fmt: skip

_OTHER_GROUPS = re.compile(r"['\s\u2019]")
_GROUPS = re.compile(r"[-+\u2212]?[0-9]{1,3}([.,'\s\u2019])[0-9]{3}(?:\1[0-9]{3})*(?:[.,][0-9]+)?")
_GROUP = re.compile(r"[+-]?[1-9][0-9]{0,2}[.,][0-9]{3}")

_ANY_DAY = date(2000, 1, 1)
_READERS: Final = tuple(
    DayReader(DateColumn("", first=_ANY_DAY, last=_ANY_DAY, format=form, pivot=1950))
    for form in DATE_FORMATS
)


def kinds_of(text: str, column: Column, decimal: str) -> frozenset[str]:
    """What a cell looks like that is not what its column declares.

    Args:
        text: a cell that cannot be read.
        decimal: the decimal mark with which it was read.

    >>> [*kinds_of("45 y", NumberColumn("age"), ".")], [*kinds_of("<5", NumberColumn("n"), ".")]
    (['unit'], ['comparison'])
    """
    text = text.strip()
    if not text or len(text) > MOST_SIGNS:
        return frozenset()
    general = _general(text)
    if isinstance(column, DateColumn) and _NO_DAY.fullmatch(text):
        general = "marker"
    if general:
        return frozenset({general})
    if isinstance(column, DateColumn):
        # Which format it is, is not said: a format is declared, and published.
        is_day = any(reader.read(text) for reader in _READERS)
        return frozenset({"format"} if is_day else _first(_DAYS, text))
    if isinstance(column, NumberColumn):
        return frozenset(_marks(text, decimal) or _first(_NUMBERS, text))
    return _of_list(text, column)


def _general(text: str) -> str:
    if text.casefold() in _MARKERS or _SIGNS_ALONE.fullmatch(text):
        return "marker"
    if text.startswith("="):
        return "formula"
    return "error" if _ERROR.fullmatch(text) else ""


def _marks(text: str, decimal: str) -> set[str]:
    """Whether a number is written with other marks than declared."""
    if not numbers_said(text):
        return set()
    other = "," if decimal == "." else "."
    if text.count(other) != 1 or decimal in text or _OTHER_GROUPS.search(text):
        return {"thousands"} if _GROUPS.fullmatch(text) else set()
    return {"decimal", "thousands"} if _GROUP.fullmatch(text) else {"decimal"}


def _first(kinds: tuple[tuple[str, re.Pattern[str]], ...], text: str) -> set[str]:
    found = next((kind for kind, pattern in kinds if pattern.fullmatch(text)), "")
    return {found} if found else set()


def _of_list(text: str, column: CategoryColumn | YesNoColumn) -> frozenset[str]:
    """Whether a list of names meets codes, or a list of codes names."""
    listed = column.values if isinstance(column, CategoryColumn) else (*column.yes, *column.no)
    numbers = sum(bool(re.fullmatch(_N, one)) for one in listed)
    if re.fullmatch(_N, text):
        return frozenset({"codes"} if 2 * numbers < len(listed) else ())
    return frozenset({"names"} if 0 < numbers == len(listed) else ())
