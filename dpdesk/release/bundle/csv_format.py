# SPDX-License-Identifier: Apache-2.0
"""How a released table is written as CSV: UTF-8, commas, line feeds, plain numbers.

Which columns it has, and in which order, is settled in ``published_tables``.

A text that a spreadsheet would run gets an apostrophe in front (see ``spreadsheet_cells``). Numbers
are checked, never changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from dpdesk.privacy.published_tables import Table
from dpdesk.privacy.usable import NO, YES
from dpdesk.release.record.table_names import derived_file
from dpdesk.release.record.values import ReleaseRecord
from dpdesk.study.problem import refuse
from dpdesk.study.text.spreadsheet_cells import (
    CALLING,
    NUMBER,
    WRITTEN_NUMBER,
    neutral_parts,
)

_NUMBER_OR_NOTHING = re.compile(rf"(?:{NUMBER.pattern})?")
_MARK = re.compile(f"{YES}|{NO}")
_QUOTED = re.compile(rf'[",\r\n{re.escape(CALLING)}]')


def csv_bytes(table: Table) -> bytes:
    """One table of a release's record.

    Raises:
        Refused: ``figure-malformed`` (param table) where a figure is not a number.
    """
    heads = [text_cell(column.name) for column in table.columns]
    columns = zip(table.columns, zip(*table.rows, strict=True), strict=False)
    written = [map(_writer(table.id, column.role), texts) for column, texts in columns]
    lines = [heads, *zip(*written, strict=True)]
    return "".join([f"{','.join(line)}\n" for line in lines]).encode("utf-8")


def derived_files(record: ReleaseRecord, tables: Sequence[Table]) -> dict[str, bytes]:
    """The files of what follows from tables, where something does.

    Args:
        tables: one for each query, in the same order.
    """
    pairs = zip(record.queries, tables, strict=True)
    return {derived_file(q.name): csv_bytes(t.derived) for q, t in pairs if t.derived is not None}


def neutral_copy(text: str) -> str:
    """A cell that is copied, to be pasted into a spreadsheet; numbers as a language writes them.

    Nothing is quoted there, so a quote at the beginning is a text's own: a spreadsheet would take
    it and its twin away, with tabs and lines between them, and run what is left.

    >>> neutral_copy("=1+1"), neutral_copy("-1,5"), neutral_copy("+0.4 days"), neutral_copy("-1+A1")
    ("'=1+1", '-1,5', '+0.4 days', "'-1+A1")
    >>> neutral_copy('"=1+1"') == "'" + '"=1+1"', neutral_copy("see;=1+1")
    (True, "see;'=1+1")
    """
    if WRITTEN_NUMBER.fullmatch(text):
        return text
    return f"'{text}" if text.startswith('"') else neutral_parts(text)


def _writer(table: str, role: str) -> Callable[[str], str]:
    if role in ("group", "choice", "found", "label", "figure", "measure", "why"):
        return lru_cache(maxsize=4096)(text_cell)
    form = _MARK if role == "mark" else _NUMBER_OR_NOTHING

    def checked(text: str) -> str:
        if not form.fullmatch(text):
            raise refuse("figure-malformed", table=table)
        return text

    return checked


def text_cell(text: str) -> str:
    """A cell that is a text, also where it looks like a number or a formula."""
    return _quoted(neutral_parts(text))


def _quoted(text: str) -> str:
    """Quoted where it must be (RFC 4180), at a lone carriage return, and where it could call."""
    if not _QUOTED.search(text):
        return text
    doubled = text.replace('"', '""')
    return f'"{doubled}"'
