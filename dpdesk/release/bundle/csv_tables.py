# SPDX-License-Identifier: Apache-2.0
"""A released table as CSV: UTF-8, commas, line feeds, plain numbers.

Quotes do not keep a spreadsheet from running a cell, so a text that one would run gets an
apostrophe in front. Numbers are checked, never changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from dpdesk.privacy.published_tables import Table
from dpdesk.privacy.usable import NO, YES
from dpdesk.study.problem import refuse

_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_QUOTED = re.compile(r'[",\r\n]')
_RUN_BY_SPREADSHEETS = "=+-@|%\t\r\n\uff1d\uff0b\uff0d\uff20"


def csv_bytes(table: Table) -> bytes:
    """One table of a release's record.

    Raises:
        Refused: ``figure-malformed`` (param table) where a figure is not a number.
    """
    lines = [_line(neutral(column.name) for column in table.columns)]
    for row in table.rows:
        pairs = zip(table.columns, row, strict=True)
        lines.append(_line(_cell(table.id, column.role, text) for column, text in pairs))
    return "".join(lines).encode("utf-8")


def neutral(text: str) -> str:
    """A text that no spreadsheet runs; different texts stay different.

    >>> neutral("=1+1"), neutral("-1"), neutral("40-50")
    ("'=1+1", '-1', '40-50')
    """
    start = text.lstrip("' \u00a0")[:1]
    risky = bool(start) and start in _RUN_BY_SPREADSHEETS and not _NUMBER.fullmatch(text)
    return f"'{text}" if risky else text


def _cell(table: str, role: str, text: str) -> str:
    if role in ("group", "choice", "found", "label"):
        return neutral(text)
    if role == "mark":
        if text not in (YES, NO):
            raise refuse("figure-malformed", table=table)
        return text
    if text and not _NUMBER.fullmatch(text):
        raise refuse("figure-malformed", table=table)
    return text


def _line(cells: Iterable[str]) -> str:
    return ",".join(map(_quoted, cells)) + "\n"


def _quoted(text: str) -> str:
    """Quoted where it must be (RFC 4180); a lone carriage return, too, would break the line."""
    if not _QUOTED.search(text):
        return text
    doubled = text.replace('"', '""')
    return f'"{doubled}"'
