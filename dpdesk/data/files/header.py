# SPDX-License-Identifier: Apache-2.0
"""Column names, whatever is in a file's header."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence

from dpdesk.study import limits
from dpdesk.study.model.columns import plain_name
from dpdesk.study.problem import refuse

MOST_SHOWN = 40
"""Characters of a name that a sentence shows."""


def clean_name(name: str) -> str:
    """A name as a sentence can show it: on one line, nothing invisible, not too long."""
    plain = "".join(c for c in plain_name(name) if c.isprintable())
    return plain if len(plain) <= MOST_SHOWN else f"{plain[:MOST_SHOWN]}…"


def column_names(cells: Sequence[str]) -> tuple[str, ...]:
    """Names by which every column can be told from all others.

    White space is collapsed. A name that several columns have, or none, is told apart by the
    column's place: ``pulse (column 7)``, ``(column 8)``. The plain name then means no column, so
    that nobody gets the wrong one when columns move.

    Raises:
        Refused: ``data-header-name-too-long`` (param most), ``data-header-too-wide`` (params most,
            text), or ``data-file-not-text``: control characters, as in a workbook or an archive.
    """
    _check_size(cells)
    names = [plain_name(cell) for cell in cells]
    if any(unicodedata.category(c) == "Cc" for name in names for c in name):
        raise refuse("data-file-not-text", "$.data.path")
    while "" in names or len(set(names)) < len(names):
        seen = Counter(names)
        names = [
            name if name and seen[name] == 1 else f"{name} (column {place})".strip()
            for place, name in enumerate(names, start=1)
        ]
    return tuple(names)


def _check_size(cells: Sequence[str]) -> None:
    """Headers have public limits: every name is shown, measured and compared."""
    if max(map(len, cells), default=0) > limits.MAX_HEADER_NAME:
        most = str(limits.MAX_HEADER_NAME)
        raise refuse("data-header-name-too-long", "$.data.path", most=most)
    if len(cells) > limits.MAX_FILE_COLUMNS or sum(map(len, cells)) > limits.MAX_HEADER_TEXT:
        most, text = str(limits.MAX_FILE_COLUMNS), str(limits.MAX_HEADER_TEXT)
        raise refuse("data-header-too-wide", "$.data.path", most=most, text=text)
