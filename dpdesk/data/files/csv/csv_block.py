# SPDX-License-Identifier: Apache-2.0
"""A block of lines becomes columns of cells.

Each line's quotation marks are brought in order by itself (``records``); then pyarrow tokenises,
outside Python's lock, so that two blocks are read at once. What it refuses, rows with too few or
too many cells, is brought to one width first (``row_shapes``). It is the only tokeniser, and no
mark, line end or byte-order mark that it might read otherwise reaches it.

Columns of whole numbers come as integers while all their cells are such; a block with another
cell in them is read again as text, and so are all that follow. That may change nothing but the
time, or one person's odd cell would change how the rows of others are read. So a block in which
an integer might not say what its text says, is read as text from the start: one with hexadecimal
numbers, or with negative ids written with zeros.

The rules for odd rows are public and look at one row alone: cells that a short row lacks are
empty, cells beyond the header are ignored, and a line of nothing but blanks is no row.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv as arrow_csv

from dpdesk.data.files.batch import Batch, Wanted
from dpdesk.data.files.csv.records import LineReader
from dpdesk.data.files.csv.row_shapes import fitted
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import refuse

TEXT = pa.string()
REPEATING = pa.dictionary(pa.int32(), pa.string())
WHOLE = pa.int64()

Columns = dict[str, pa.Array]


@dataclass(frozen=True)
class Layout:
    """How blocks of one file are read.

    Attributes:
        source: separator, quotation marks and line breaks.
        width: how many cells most rows have; none that is wanted lies beyond.
        wanted: the columns to be read.
        mixed: names of the columns in which other cells than whole numbers were seen.
    """

    source: DataSource
    width: int
    wanted: tuple[Wanted, ...]
    mixed: set[str] = field(default_factory=set)

    def used(self, whole: bool) -> dict[str, pa.DataType]:
        """The columns by name, which is their place, and their types; never none at all.

        Args:
            whole: whether columns in which only whole numbers were seen come as such.
        """
        types = {}
        for place in sorted({w.position for w in self.wanted}):
            here = [w for w in self.wanted if w.position == place]
            name = str(place)
            types[name] = REPEATING if any(w.repeats for w in here) else TEXT
            if whole and all(w.whole for w in here) and name not in self.mixed:
                types[name] = WHOLE
        return types or {"0": TEXT}

    def remember(self, table: Columns) -> None:
        """Remember which columns hold other cells than whole numbers."""
        for wanted in self.wanted:
            name = str(wanted.position)
            if wanted.whole and not _are_whole(table[name]):
                self.mixed.add(name)


def read_block(layout: Layout, block: bytes) -> Batch:
    """Read a block of whole lines, UTF-8, or of whole rows where cells hold line breaks.

    Raises:
        Refused: ``data-file-unreadable``, when the tokeniser fails.
    """
    source = layout.source
    if source.quotes and not source.line_breaks:
        block = LineReader(source.separator).rows(block)
    table = _read(layout, block, layout.width) if layout.width > 1 else None
    if table is None:
        table = _read_fitted(layout, block)
    rows = len(next(iter(table.values())))
    return Batch(rows, tuple(table[str(w.position)] for w in layout.wanted))


def _read_fitted(layout: Layout, block: bytes) -> Columns:
    """The columns of rows of any width; in several pieces, which must agree, as text."""
    width = 1 + max((w.position for w in layout.wanted), default=0)
    source, wide, texts = layout.source, max(width, 2), layout.used(whole=False)
    pieces = list(fitted(block, source.separator, source.quotes, width))
    if pieces == [b""]:
        return {name: pa.array([], kind) for name, kind in texts.items()}
    if len(pieces) == 1:
        table = _read(layout, pieces[0], wide)
    else:
        tables = [_arrow_table(layout, piece, texts, wide) for piece in pieces if piece]
        table = _together(tables, texts)
        layout.remember(table)
    if table is None:
        raise refuse("data-file-unreadable", "$.data.path")
    return table


def _together(tables: list[Columns | None], types: dict[str, pa.DataType]) -> Columns:
    return {
        name: _one_chunk(pa.chunked_array([t[name] for t in tables if t is not None], kind), kind)
        for name, kind in types.items()
    }


def _read(layout: Layout, block: bytes, width: int) -> Columns | None:
    """The columns, or nothing where a row has another width."""
    if not _has_hexadecimal(block):
        table = _arrow_table(layout, block, layout.used(whole=True), width)
        if table is not None and not _has_padded_negative(layout, table, block):
            return table
    table = _arrow_table(layout, block, layout.used(whole=False), width)
    if table is not None:
        layout.remember(table)
    return table


def _has_hexadecimal(block: bytes) -> bool:
    """Whether there is a ``0x10``, which pyarrow takes for 16; here it is no number."""
    # One byte is looked for many times as fast as two.
    return any(x in block and b"0" + x in block for x in (b"x", b"X"))


def _arrow_table(
    layout: Layout, block: bytes, used: dict[str, pa.DataType], width: int
) -> Columns | None:
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
                include_columns=list(used),
                column_types=used,
                null_values=[""],
                strings_can_be_null=True,
            ),
        )
    except pa.ArrowException:
        # Its messages quote rows: nothing of them may travel on.
        return None
    return {name: _one_chunk(table.column(name), kind) for name, kind in used.items()}


def _one_chunk(column: pa.ChunkedArray, kind: pa.DataType) -> pa.Array:
    if column.num_chunks == 1:
        return column.chunk(0)
    return pa.concat_arrays(column.unify_dictionaries().chunks or [pa.array([], kind)])


def _has_padded_negative(layout: Layout, table: Columns, block: bytes) -> bool:
    """Whether a negative id may be written with a zero in front: ``-0`` is not ``0``, nor -07 -7.

    Only an id of digits alone is compared without its zeros (see ``person``).
    """
    ids = [table[str(w.position)] for w in layout.wanted if w.names]
    return any(_has_negative_or_zero(column) for column in ids) and b"-0" in block


def _has_negative_or_zero(ids: pa.Array) -> bool:
    least = pc.min(ids).as_py() if ids.type == WHOLE else None
    return least is not None and least <= 0


def _are_whole(texts: pa.Array) -> bool:
    try:
        return bool(pc.cast(texts, WHOLE).type == WHOLE)
    except pa.ArrowException:
        return False
