# SPDX-License-Identifier: Apache-2.0
"""Whether a file seems to be about people at all, from its first rows; asked before a release."""

from __future__ import annotations

from pathlib import Path

from dpdesk.data.inspection.about import what_it_seems
from dpdesk.data.inspection.raw_preview import top_rows
from dpdesk.data.progress import CancelToken
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Problem

LOOKED_AT_ROWS = 60

Rows = list[list[str]]


def question_of(header: list[str], rows: Rows) -> Problem | None:
    """The question about a file that begins with a header and some rows."""
    seeming = what_it_seems(header, rows) if header else None
    return None if seeming is None else seeming.question


def top_table(source: DataSource, folder: Path, cancel: CancelToken) -> tuple[list[str], Rows]:
    """The header and the first rows below it; nothing where they do not lie in what was read.

    Raises:
        Refused: the file cannot be read.
        Cancelled: the token was raised.
    """
    rows = top_rows(source, folder, LOOKED_AT_ROWS, cancel)
    if source.header_row is None:
        first = next((n for n, row in enumerate(rows) if any(map(str.strip, row))), 0)
    else:
        first = source.header_row - 1
    if first < 0 or first >= len(rows):
        return [], rows if first < 0 else []
    return rows[first], rows[first + 1 :]
