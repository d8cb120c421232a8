# SPDX-License-Identifier: Apache-2.0
"""Which lines of a CSV file are no rows, or rows of another width; for its custodian's eyes.

A line on which a quoted cell stays open is no row (see ``records``), rows with too few or too many
cells are read by public rules (see ``row_shapes``). Their lines are listed so that they can be
looked up in the file, and nothing of what is there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dpdesk.data.files.csv.csv_file import NumberedBlock, open_csv
from dpdesk.data.files.csv.row_shapes import shapes_of
from dpdesk.data.progress import CancelToken, Progress, no_progress
from dpdesk.study.checks.study_checks import check_data
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Refused


@dataclass(frozen=True)
class RaggedRows:
    """Lines that are no rows, and rows of another width than the header's.

    Attributes:
        lines: the numbers of the lines on which the first rows of another width begin, from 1.
        more: whether there are others.
        open_lines: the numbers of the first lines on which a quoted cell stays open.
        more_open: whether there are others.
        has_lone_returns: whether a carriage return was found that ends no line.
    """

    lines: tuple[int, ...] = ()
    more: bool = False
    open_lines: tuple[int, ...] = ()
    more_open: bool = False
    has_lone_returns: bool = False


def ragged_rows(
    source: DataSource,
    folder: Path,
    most: int = 10,
    progress: Progress = no_progress,
    cancel: CancelToken | None = None,
) -> RaggedRows:
    """Look for lines that do not fit, until a few of each kind were found; for CSV alone.

    Raises:
        Refused: as ``opened.open_table`` says.
        Cancelled: the token was raised.
    """
    problems = tuple(check_data(source))
    if problems:
        raise Refused(problems)
    if source.format != "csv":
        return RaggedRows()
    lines: list[int] = []
    opened: list[int] = []
    with open_csv(source, folder, progress, cancel or CancelToken()) as table:
        for block in table.numbered_blocks():
            opened += [block.line + place for place in block.open_lines[: most + 1]]
            if len(lines) <= most:
                lines += _ragged_lines(block, len(table.header), source)
            if len(lines) > most and (len(opened) > most or source.line_breaks):
                break
        lone = table.lone_returns > 0
    more, more_open = len(lines) > most, len(opened) > most
    return RaggedRows(tuple(lines[:most]), more, tuple(opened[:most]), more_open, lone)


def _ragged_lines(block: NumberedBlock, width: int, source: DataSource) -> Iterator[int]:
    shapes = shapes_of(block.rows, source.separator, source.quotes)
    for row in np.flatnonzero((shapes.cells != width) & (shapes.cells > 0)):
        yield block.line + int(np.searchsorted(shapes.line_ends, shapes.starts[row]))
