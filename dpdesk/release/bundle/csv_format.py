# SPDX-License-Identifier: Apache-2.0
"""How a released table is written as CSV: UTF-8, commas, line feeds, plain numbers.

Which columns it has, and in which order, is settled in ``published_tables``.

Quotes do not keep a spreadsheet from running a cell, so a text that one would run gets an
apostrophe in front. A spreadsheet whose list separator is a semicolon, as in German, makes several
cells of such a text, quoted or not: each part counts. Numbers are checked, never changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from dpdesk.privacy.published_tables import Table
from dpdesk.privacy.usable import NO, YES
from dpdesk.study.problem import refuse

_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_NUMBER_OR_NOTHING = re.compile(rf"(?:{_NUMBER.pattern})?")
_MARK = re.compile(f"{YES}|{NO}")
_QUOTED = re.compile(r'[",\r\n]')
_RUN_BY_SPREADSHEETS = "=+-@|%\t\r\n\uff1d\uff0b\uff0d\uff20"


PARTS_SINCE = 3
"""The edition of a bundle since which a semicolon begins a cell; earlier ones keep their bytes."""

# Units and percent signs may follow, and nothing that a formula could be made of.
_WRITTEN_NUMBER = re.compile(r"[+-]?[0-9][0-9.,'\u2019\u00a0\u202f\u2009 ]*[%\w\u00b2\u00b3. ]*")


def csv_bytes(table: Table, edition: int = PARTS_SINCE) -> bytes:
    """One table of a release's record.

    Args:
        table: the table.
        edition: of the bundle that it is for.

    Raises:
        Refused: ``figure-malformed`` (param table) where a figure is not a number.
    """
    said = neutral_in(edition)
    heads = [_quoted(said(column.name)) for column in table.columns]
    columns = zip(table.columns, zip(*table.rows, strict=True), strict=False)
    written = [map(_writer(table.id, column.role, said), texts) for column, texts in columns]
    lines = [heads, *zip(*written, strict=True)]
    return "".join([f"{','.join(line)}\n" for line in lines]).encode("utf-8")


def neutral(text: str) -> str:
    """A text that no spreadsheet runs; different texts stay different.

    >>> neutral("=1+1"), neutral("-1"), neutral("40-50")
    ("'=1+1", '-1', '40-50')
    """
    start = text.lstrip("' \u00a0")[:1]
    risky = bool(start) and start in _RUN_BY_SPREADSHEETS and not _NUMBER.fullmatch(text)
    return f"'{text}" if risky else text


def neutral_parts(text: str) -> str:
    """The same where a semicolon ends a cell, too.

    >>> neutral_parts("see;=1+1"), neutral_parts("0;-1;40-50")
    ("see;'=1+1", '0;-1;40-50')
    """
    return ";".join(map(neutral, text.split(";")))


def neutral_in(edition: int) -> Callable[[str], str]:
    """How texts are written in an edition of the bundle."""
    return neutral_parts if edition >= PARTS_SINCE else neutral


def neutral_copy(text: str) -> str:
    """A cell that is copied, to be pasted into a spreadsheet; numbers as a language writes them.

    Nothing is quoted there, so a quote at the beginning is a text's own: a spreadsheet would take
    it and its twin away, with tabs and lines between them, and run what is left.

    >>> neutral_copy("=1+1"), neutral_copy("-1,5"), neutral_copy("+0.4 days"), neutral_copy("-1+A1")
    ("'=1+1", '-1,5', '+0.4 days', "'-1+A1")
    >>> neutral_copy('"=1+1"') == "'" + '"=1+1"', neutral_copy("see;=1+1")
    (True, "see;'=1+1")
    """
    if _WRITTEN_NUMBER.fullmatch(text):
        return text
    return f"'{text}" if text.startswith('"') else neutral_parts(text)


def _writer(table: str, role: str, said: Callable[[str], str]) -> Callable[[str], str]:
    """What writes the cells of one column."""
    if role in ("group", "choice", "found", "label"):
        return lru_cache(maxsize=4096)(lambda text: _quoted(said(text)))
    form = _MARK if role == "mark" else _NUMBER_OR_NOTHING

    def checked(text: str) -> str:
        if not form.fullmatch(text):
            raise refuse("figure-malformed", table=table)
        return text

    return checked


def _quoted(text: str) -> str:
    """Quoted where it must be (RFC 4180); a lone carriage return, too, would break the line."""
    if not _QUOTED.search(text):
        return text
    doubled = text.replace('"', '""')
    return f'"{doubled}"'
