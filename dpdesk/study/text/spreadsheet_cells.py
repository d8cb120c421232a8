# SPDX-License-Identifier: Apache-2.0
"""What a spreadsheet runs: one rule for who writes a table and for who checks a stranger's.

A cell runs that begins with a sign of a formula, whatever blanks and invisible signs stand before
it. Quotes do not keep a spreadsheet from running a cell, an apostrophe in front does. A minus is
one of those signs, but where the whole cell is one number as the writer writes it. ``sep=`` counts
as such a sign: in a first line it chooses where cells begin.

A spreadsheet whose list separator is a semicolon, as in German, cuts lines there, quoted or not,
and takes what is between for one cell, commas and all: each part counts. Where such a part begins
with a negative number, a text behind the comma would go on its formula (``-1,5+cmd|...``), so the
writer quotes what could call anything, and a quote ends every formula.

Pages are opened, too: each text between two tags may become a cell, or go on the one before.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from html import unescape
from itertools import islice

NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
CALLING = "|!("
"""What a formula needs to start a program or a function."""

WRITTEN_NUMBER = re.compile(
    r"[+-]?[0-9][0-9.,'\u2019\u00a0\u202f\u2009 ]*[%\w\u00b0\u00b2\u00b3. ]*"
)
"""A number as a language writes it; a unit and a percent sign may follow, and no formula."""

_SIGNS = "=+-@|%"
_SEPARATOR = "sep="
_FILLERS = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs that are blank."""

_CUT = re.compile(r"([;\t\r\n])")
_LINE = re.compile(r"\r\n|\r|\n")
_QUOTED = re.compile(r'"(?:[^"]|"")*(?:"|$)')
_CALL = re.compile(f"[{re.escape(CALLING)}]")
_TEXT = re.compile(r"(?:<(td|th|dd|dt|p|li|h[1-6]|title)(?: [^<>]*)?)?>([^<]*)")
"""A text between two tags, and the tag before it where it begins a cell."""


def runs(cell: str) -> bool:
    """Whether a spreadsheet would run a cell.

    >>> [runs(cell) for cell in ("=1", " =1", "-2+3", "+1", "-2", "-2.5", "a=1", "'=1")]
    [True, True, True, True, False, False, False, False]
    """
    return _begins_formula(cell, '"') and NUMBER.fullmatch(cell) is None


def neutral(text: str) -> str:
    """A text that no spreadsheet runs; different texts stay different.

    >>> neutral("=1+1"), neutral("-1"), neutral("40-50")
    ("'=1+1", '-1', '40-50')
    """
    risky = _begins_formula(text, "\"'") and NUMBER.fullmatch(text) is None
    return f"'{text}" if risky else text


def neutral_parts(text: str) -> str:
    """The same where a semicolon, a tab or the end of a line ends a cell, too.

    >>> neutral_parts("see;=1+1"), neutral_parts("0;-1;40-50")
    ("see;'=1+1", '0;-1;40-50')
    """
    parts = _CUT.split(text)
    return "".join(part if place % 2 else neutral(part) for place, part in enumerate(parts))


def neutral_in_page(text: str) -> str:
    """A text of a page that no spreadsheet runs; numbers stay as a language writes them.

    >>> neutral_in_page("=1+1"), neutral_in_page("-1,5"), neutral_in_page("-5 to 10 \u00b0C")
    ("'=1+1", '-1,5', '-5 to 10 °C')
    """
    return text if WRITTEN_NUMBER.fullmatch(text) else neutral(text)


def is_inert_page(page: str) -> bool:
    """Whether no text of a page runs, whatever a spreadsheet takes for its cells.

    A negative number must have a cell to itself: elsewhere what follows would go on its formula.
    """
    return not any(_runs_in_page(page, found) for found in _TEXT.finditer(page))


def _runs_in_page(page: str, found: re.Match[str]) -> bool:
    tag, text = found[1], unescape(found[2])
    # A picture has a title, too, which may be read with its labels.
    end = "</title>\n<style>" if tag == "title" else f"</{tag}>"
    is_cell = tag is not None and page.startswith(end, found.end())
    return _begins_formula(text, '"') and not (is_cell and WRITTEN_NUMBER.fullmatch(text))


def is_inert_table(text: str) -> bool:
    """Whether no cell of a table runs, whatever a spreadsheet takes for its cells."""
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except csv.Error:
        return False
    parts = (part for row in rows for cell in row for part in _CUT.split(cell)[::2])
    return not any(map(runs, parts)) and not any(map(_goes_on, _parts_of_lines(text)))


def _parts_of_lines(text: str) -> Iterator[str]:
    """What is between semicolons and tabs, quoted or not."""
    for line in _LINE.split(text):
        yield from re.split(r"[;\t]", line)


def _goes_on(part: str) -> bool:
    """Whether a part runs that is no number followed by what calls nothing."""
    if not runs(part):
        return False
    number, comma, rest = part.partition(",")
    return (
        not (comma and NUMBER.fullmatch(number)) or _CALL.search(_QUOTED.sub("", rest)) is not None
    )


def _begins_formula(text: str, quotes: str) -> bool:
    signs = (sign for sign in text if sign not in quotes and not _is_unseen(sign))
    start = "".join(islice(signs, len(_SEPARATOR)))
    return bool(start) and (_is_sign(start[0]) or start.casefold() == _SEPARATOR)


@lru_cache(maxsize=4096)
def _is_sign(sign: str) -> bool:
    """Whether a sign begins a formula, in full width, too."""
    return unicodedata.normalize("NFKC", sign)[:1] in _SIGNS


@lru_cache(maxsize=4096)
def _is_unseen(sign: str) -> bool:
    """Whether a sign is blank, or nothing to see at all."""
    return sign.isspace() or sign in _FILLERS or unicodedata.category(sign)[0] in "CMZ"
