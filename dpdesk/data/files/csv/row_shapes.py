# SPDX-License-Identifier: Apache-2.0
"""How many cells the rows of a block have, and all rows brought to one width.

One reader then reads every row. Were rows of another width left to a second one, one person's
short row would have others' rows read by that one too, and the two need not agree on all bytes.

The rules are public and look at one row alone: a line of nothing but blanks is no row, cells that
a short row lacks are empty, cells beyond the width are ignored.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dpdesk.data.files.line_faults import LineFaults

Places = npt.NDArray[np.int64]

ADDED_BYTES = 1 << 24
"""Separators added to a block at once; short rows of a wide table come to gigabytes."""

_LINE, _MARK = ord("\n"), ord('"')
_BLANKS = b" \t\n"


@dataclass(frozen=True, repr=False)
class Shapes:
    """The rows of a block whose quotation marks are in order.

    Attributes:
        line_ends: where lines end, also within cells.
        separators: where cells end, but for the last of each row.
        starts, ends: where each row begins, and its line feed.
        cells: how many cells each has; none for a blank line.
    """

    line_ends: Places
    separators: Places
    starts: Places
    ends: Places
    cells: Places


def shapes_of(block: bytes, separator: str, quotes: bool) -> Shapes:
    data = np.frombuffer(block, np.uint8)
    line_ends = np.flatnonzero(data == _LINE)
    separators = np.flatnonzero(data == ord(separator))
    ends = line_ends
    if quotes and b'"' in block:
        marks = np.flatnonzero(data == _MARK)
        ends, separators = _outside(line_ends, marks), _outside(separators, marks)
    cells = np.diff(np.searchsorted(separators, ends), prepend=0) + 1
    starts = np.concatenate([[0], ends[:-1] + 1])
    visible = np.ones(256, np.bool_)
    visible[list(_BLANKS.replace(separator.encode(), b""))] = False
    # How much was visible up to each row's end; a row that adds nothing is blank.
    seen = np.cumsum(visible[data], dtype=np.int32)[ends]
    cells[np.diff(seen, prepend=0) == 0] = 0
    return Shapes(line_ends, separators, starts, ends, cells)


def faults_of(block: bytes, separator: str, quotes: bool, width: int) -> LineFaults:
    """How many rows of a block have another number of cells than the header.

    One that ends with a separator ends with nothing: it is no wider for that.

    >>> faults_of(b"1,2\\n1\\n1,2,\\n1,2,3\\n", ",", True, 2)
    LineFaults(rows=4, wider=1, one_wider=1, narrower=1, opened=0)
    """
    shapes = shapes_of(block, separator, quotes)
    is_row = shapes.cells > 0
    ends = np.frombuffer(block, np.uint8)[np.maximum(shapes.ends - 1, 0)] == ord(separator)
    more = shapes.cells - width - ends
    counts = (is_row, is_row & (more > 0), is_row & (more == 1), is_row & (shapes.cells < width))
    return LineFaults(*(int(np.count_nonzero(kind)) for kind in counts))


def fitted(block: bytes, separator: str, quotes: bool, width: int) -> Iterator[bytes]:
    """The rows of a block in pieces, each with this many cells, 2 at least.

    A row of one cell might be a blank line; so it gets a second, which nobody asks for.
    """
    shapes, wide = shapes_of(block, separator, quotes), max(width, 2)
    data = np.frombuffer(block, np.uint8)
    kept = _retained(shapes, len(data), width)
    missing = np.where(shapes.cells > 0, wide - np.minimum(shapes.cells, width), 0)
    piece = np.cumsum(missing) // ADDED_BYTES
    for number in np.unique(piece):
        rows = piece == number
        starts, ends = shapes.starts[rows], shapes.ends[rows]
        part = slice(int(starts[0]), int(ends[-1]) + 1)
        added = np.repeat(ends - part.start, missing[rows])
        with_cells = np.insert(data[part], added, ord(separator))
        yield with_cells[np.insert(kept[part], added, True)].tobytes()


def _retained(shapes: Shapes, size: int, width: int) -> npt.NDArray[np.bool_]:
    """Which bytes stay: neither blank lines nor what is beyond the width."""
    change = np.zeros(size + 1, np.int8)
    blank, long = shapes.cells == 0, shapes.cells > width
    change[shapes.starts[blank]] += 1
    change[shapes.ends[blank] + 1] -= 1
    first = np.searchsorted(shapes.separators, shapes.starts[long])
    change[shapes.separators[first + width - 1]] += 1
    change[shapes.ends[long]] -= 1
    kept: npt.NDArray[np.bool_] = np.cumsum(change[:-1], dtype=np.int8) == 0
    return kept


def _outside(places: Places, marks: Places) -> Places:
    """The places outside quotation marks: those with an even number of marks before them."""
    outside: Places = places[np.searchsorted(marks, places) % 2 == 0]
    return outside
