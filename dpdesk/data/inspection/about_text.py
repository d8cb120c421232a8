# SPDX-License-Identifier: Apache-2.0
"""Whether a file without columns reads as a text: a letter, a licence, notes, settings."""

from __future__ import annotations

import re
from collections.abc import Sequence

_MOST_WORDS = 4
"""A column's name or a cell has seldom more of them."""

_MARK = re.compile(r"\s*(?:#|---|===|\*{3}|```|//|/\*|<!--|%|[-*+] |>|\[[^\]]*\]\s*$)")
"""How headings, comments, lists and rules begin, and a section of settings."""

_SETTING = re.compile(r"\s*[\w.-]+\s*[:=](?:\s|$)")
"""A name with a value behind it, or with values in the lines below."""

_PACKED = re.compile(r"\w\s*[\^~\\¦§#]\s*\w+\s*[\^~\\¦§#]\s*\w")
"""Columns, parted by a sign that dpdesk does not part them by."""


def reads_as_text(header: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether the lines have no columns, and most of them are no cells of a single one.

    A file of one column is a table as good as any, so its lines have to say otherwise. A title
    above a table is none of this: the rows below all have the same columns.
    """
    filled = [row for row in rows if any(cell.strip() for cell in row)]
    if _has_columns(header, filled):
        return False
    lines = [", ".join(row) for row in (header, *filled)]
    return 2 * sum(_is_no_cell(line) for line in lines) > len(lines)


def _has_columns(header: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether most rows have as many cells as the next, or the first line alone has several."""
    widths = [len(row) for row in rows]
    if sum(bool(cell.strip()) for cell in header) > 1 and 2 * widths.count(1) <= len(widths):
        return True
    most = max(set(widths), key=widths.count, default=0)
    return most > 1 and 2 * widths.count(most) > len(widths)


def _is_no_cell(line: str) -> bool:
    marked = any(sign.match(line) for sign in (_MARK, _SETTING)) or _PACKED.search(line)
    return bool(marked) or len(line.split()) > _MOST_WORDS
