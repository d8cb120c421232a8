# SPDX-License-Identifier: Apache-2.0
"""A block of lines becomes columns of cells.

Each line's quotation marks are brought in order by itself (``records``); then pyarrow tokenises,
outside Python's lock, so that two blocks are read at once. What it refuses, rows with too few or
too many cells, is brought to one width first (``row_shapes``). It is the only tokeniser, and no
mark, line end or byte-order mark that it might read otherwise reaches it.

All cells come as text, whatever is in the rows around them: were a column read as integers
while it holds nothing else, one person's cell would change how the rows of others are read.

The rules for ragged rows are public and look at one row alone: cells that a short row lacks are
empty, cells beyond the header are ignored, and a line of nothing but blanks is no row.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import pyarrow as pa
from pyarrow import csv as arrow_csv

from dpdesk.data.files.batch import Batch, Wanted
from dpdesk.data.files.csv.records import LineReader
from dpdesk.data.files.csv.row_shapes import faults_of, fitted
from dpdesk.data.files.line_faults import LineFaults
from dpdesk.data.files.value_texts import UNREADABLE_ID
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import refuse

TEXT = pa.string()
REPEATING = pa.dictionary(pa.int32(), pa.string())

ArrowColumns = dict[str, pa.Array]


@dataclass(frozen=True)
class Layout:
    """How blocks of one file are read.

    Attributes:
        source: separator, quotation marks and line breaks.
        width: how many cells most rows have; none that is wanted is beyond.
        checked: whether lines that are not as the header says are counted.
    """

    source: DataSource
    width: int
    wanted: tuple[Wanted, ...]
    checked: bool = False

    @property
    def id_place(self) -> int:
        """Where the ids of people are; 0 where none are wanted."""
        return next((w.position for w in self.wanted if w.is_id), 0)

    @property
    def types(self) -> dict[str, pa.DataType]:
        """The columns by name, which is their place, and their types; never none at all."""
        repeating = {w.position for w in self.wanted if w.repeats}
        places = sorted({w.position for w in self.wanted}) or [0]
        return {str(place): REPEATING if place in repeating else TEXT for place in places}


def unreadable_row(source: DataSource, width: int, place: int = 0) -> bytes:
    """What represents a line that is no row: a blank line, where rows depend on no other row.

    Where ids are filled down it is a row of nobody's, so that the rows below, whosever they are,
    do not become those of the person above.
    """
    if not source.fill_down:
        return b"\n"
    cells = [""] * max(width, place + 1)
    cells[place] = UNREADABLE_ID
    return (source.separator.join(cells) + "\n").encode()


def read_block(layout: Layout, block: bytes) -> Batch:
    """Read a block of whole lines, UTF-8, or of whole rows where cells hold line breaks.

    Raises:
        Refused: ``data-file-unreadable``, when the tokeniser fails.
    """
    source, opened = layout.source, 0
    if source.quotes and not source.line_breaks:
        no_row = unreadable_row(source, layout.width, layout.id_place)
        reader = LineReader(source.separator, no_row)
        opened = len(reader.open_lines(block)) if layout.checked else 0
        block = reader.rows(block)
    table = _read(layout, block, layout.width) if layout.width > 1 else None
    # What was read at one width has it in every row.
    fits = table is not None
    if table is None:
        table = _read_fitted(layout, block)
    rows = len(next(iter(table.values())))
    faults = LineFaults(rows, opened=opened)
    if layout.checked and not fits and source.header_row != 0:
        faults = replace(
            faults_of(block, source.separator, source.quotes, layout.width), opened=opened
        )
    return Batch(rows, tuple(table[str(w.position)] for w in layout.wanted), faults)


def _read_fitted(layout: Layout, block: bytes) -> ArrowColumns:
    """The columns of rows of any width, which may come in several pieces."""
    width = 1 + max((w.position for w in layout.wanted), default=0)
    pieces = fitted(block, layout.source.separator, layout.source.quotes, width)
    tables = [_read(layout, piece, max(width, 2)) for piece in pieces if piece]
    if None in tables:
        raise refuse("data-file-unreadable", "$.data.path")
    return {
        name: _one_chunk(pa.chunked_array([t[name] for t in tables if t], kind), kind)
        for name, kind in layout.types.items()
    }


def _read(layout: Layout, block: bytes, width: int) -> ArrowColumns | None:
    """The columns, or nothing where a row has another width."""
    quoted = layout.source.quotes and b'"' in block
    try:
        table = arrow_csv.read_csv(
            pa.BufferReader(block),
            arrow_csv.ReadOptions(
                use_threads=False,
                block_size=len(block) + 1,
                column_names=[str(place) for place in range(width)],
            ),
            arrow_csv.ParseOptions(
                delimiter=layout.source.separator,
                quote_char='"' if quoted else False,
                newlines_in_values=quoted and layout.source.line_breaks,
            ),
            arrow_csv.ConvertOptions(
                check_utf8=False,
                include_columns=list(layout.types),
                column_types=layout.types,
                null_values=[""],
                strings_can_be_null=True,
            ),
        )
    except pa.ArrowException:
        # Its messages quote rows: nothing of them may travel on.
        return None
    return {name: _one_chunk(table.column(name), kind) for name, kind in layout.types.items()}


def _one_chunk(column: pa.ChunkedArray, kind: pa.DataType) -> pa.Array:
    if column.num_chunks == 1:
        return column.chunk(0)
    return pa.concat_arrays(column.unify_dictionaries().chunks or [pa.array([], kind)])
