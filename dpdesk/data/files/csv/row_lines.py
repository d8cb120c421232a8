# SPDX-License-Identifier: Apache-2.0
"""On which line of a CSV file a row begins, so that its custodian can look it up."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from dpdesk.data.files.csv.csv_file import open_csv
from dpdesk.data.files.csv.row_shapes import shapes_of
from dpdesk.data.progress import CancelToken, no_progress
from dpdesk.study.model.unit import DataSource


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
    with open_csv(source, folder, no_progress, cancel or CancelToken()) as table:
        for block in table.numbered_blocks():
            shapes = shapes_of(block.rows, source.separator, source.quotes)
            rows = np.flatnonzero(shapes.cells)
            if row <= len(rows):
                start = shapes.starts[rows[row - 1]]
                return block.line + int(np.searchsorted(shapes.line_ends, start))
            row -= len(rows)
    return None
