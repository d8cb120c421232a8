# SPDX-License-Identifier: Apache-2.0
"""On which line of a CSV file a row begins, so that its custodian can look it up."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from dpdesk.data.csv_file import open_csv, record_end
from dpdesk.data.progress import CancelToken, no_progress
from dpdesk.study.unit import DataSource

_BLANKS = b" \t\n"


def line_of_row(
    source: DataSource, folder: Path, row: int, cancel: CancelToken | None = None
) -> int | None:
    """The number of the line, from 1; ``None`` where the file has changed and has no such row.

    Args:
        source: a CSV file.
        folder: what a relative path starts from.
        row: which of the rows below the header that are not blank, from 1.
        cancel: stops the reading within a block.
    """
    blanks = _BLANKS.replace(source.separator.encode(), b"")
    with open_csv(source, folder, no_progress, cancel or CancelToken()) as table:
        for line, block in table.numbered_blocks():
            for start, end in _rows(block, source.quotes):
                row -= bool(block[start:end].strip(blanks))
                if row == 0:
                    return line + block.count(b"\n", 0, start)
    return None


def _rows(block: bytes, quotes: bool) -> Iterator[tuple[int, int]]:
    place = 0
    while place < len(block):
        end = record_end(block, place, quotes)
        yield place, end
        place = end
