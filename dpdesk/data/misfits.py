# SPDX-License-Identifier: Apache-2.0
"""Which lines of a CSV file hold rows with too few or too many cells; for its custodian's eyes.

Such rows are read all the same, by public rules (see ``csv_block``). Their lines are told so that
they can be looked up in the file, and nothing of what stands there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from dpdesk.data.csv_file import open_csv
from dpdesk.data.progress import CancelToken, Progress, no_progress
from dpdesk.study.checks import check_data
from dpdesk.study.problem import Refused
from dpdesk.study.unit import DataSource

Places = npt.NDArray[np.int64]

_LINE, _MARK = ord("\n"), ord('"')
_BLANKS = b" \t"


@dataclass(frozen=True)
class Misfits:
    """Rows of another width than the header's.

    Attributes:
        lines: the numbers of the lines on which the first of them begin, from 1.
        more: whether there are others.
    """

    lines: tuple[int, ...] = ()
    more: bool = False


def find_misfits(
    source: DataSource,
    folder: Path,
    most: int = 10,
    progress: Progress = no_progress,
    cancel: CancelToken | None = None,
) -> Misfits:
    """Look for rows that do not fit, until a few were found; no other kind of file has any.

    Raises:
        Refused: as ``opened.open_table`` says.
        Cancelled: the token was raised.
    """
    problems = tuple(check_data(source))
    if problems:
        raise Refused(problems)
    if source.format != "csv":
        return Misfits()
    lines: list[int] = []
    with open_csv(source, folder, progress, cancel or CancelToken()) as table:
        for first, block in table.numbered_blocks():
            lines += _misfits(block, first, len(table.header), source)
            if len(lines) > most:
                break
    return Misfits(tuple(lines[:most]), len(lines) > most)


def _misfits(block: bytes, first: int, width: int, source: DataSource) -> Iterator[int]:
    """The lines of the misfits in a block of well-formed rows that begins on line ``first``."""
    data = np.frombuffer(block, np.uint8)
    line_ends = np.flatnonzero(data == _LINE)
    separators = np.flatnonzero(data == ord(source.separator))
    ends = line_ends
    if source.quotes and b'"' in block:
        marks = np.flatnonzero(data == _MARK)
        ends, separators = _outside(line_ends, marks), _outside(separators, marks)
    cells = np.diff(np.searchsorted(separators, ends), prepend=0) + 1
    starts = np.concatenate([[0], ends[:-1] + 1])
    for row in np.flatnonzero(cells != width):
        text = block[starts[row] : ends[row]]
        if text.strip(_BLANKS.replace(source.separator.encode(), b"")):
            yield first + int(np.searchsorted(line_ends, starts[row]))


def _outside(places: Places, marks: Places) -> Places:
    """The places outside quotation marks: those with an even number of marks before them."""
    outside: Places = places[np.searchsorted(marks, places) % 2 == 0]
    return outside
