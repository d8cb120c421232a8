# SPDX-License-Identifier: Apache-2.0
"""A block of rows becomes columns of cells.

pyarrow tokenises, outside Python's lock, so that two blocks are read at once. What it refuses,
rows with too few or too many cells, pandas reads: without types, without missing values, without
an index. The width of a table is taken from its first row by both, so it is given on purpose.

Columns of whole numbers come as integers while all their cells are such; a block with another
cell in them is read again as text, and so are all that follow. That may change nothing but the
time, or one person's odd cell would change how the rows of others are read. So a block in which
an integer might not say what its text says, is read as text from the start: one with hexadecimal
numbers, or with negative ids written with zeros.

The rules for odd rows are public and look at one row alone: cells that a short row lacks are
empty, cells beyond the header are ignored, and a line of nothing but blanks is no row.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from io import BytesIO

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv as arrow_csv

from dpdesk.data.batch import Batch, Wanted
from dpdesk.study.problem import refuse
from dpdesk.study.unit import DataSource

TEXT = pa.string()
REPEATING = pa.dictionary(pa.int32(), pa.string())
WHOLE = pa.int64()

Columns = dict[str, pa.Array]


@dataclass(frozen=True)
class Layout:
    """How blocks of one file are read.

    Attributes:
        source: separator and quotation marks.
        width: how many cells a row has.
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
    """Read a block of whole, well-formed rows, UTF-8.

    Raises:
        Refused: ``data-file-unreadable``, when both tokenisers fail.
    """
    table = _by_arrow(layout, block) if layout.width > 1 else None
    if table is None:
        table = _by_pandas(layout, block)
        layout.remember(table)
    rows = len(next(iter(table.values())))
    return Batch(rows, tuple(table[str(w.position)] for w in layout.wanted))


def _by_arrow(layout: Layout, block: bytes) -> Columns | None:
    """The columns, or nothing where a row has another width than the header."""
    if not _has_hexadecimal(block):
        table = _arrow_table(layout, block, layout.used(whole=True))
        if table is not None and not _has_padded_negative(layout, table, block):
            return table
    table = _arrow_table(layout, block, layout.used(whole=False))
    if table is not None:
        layout.remember(table)
    return table


def _has_hexadecimal(block: bytes) -> bool:
    """Whether there is a ``0x10``, which pyarrow takes for 16; here it is no number."""
    # One byte is looked for many times as fast as two.
    return any(x in block and b"0" + x in block for x in (b"x", b"X"))


def _arrow_table(layout: Layout, block: bytes, used: dict[str, pa.DataType]) -> Columns | None:
    quoted = layout.source.quotes and b'"' in block
    try:
        table = arrow_csv.read_csv(
            pa.BufferReader(block),
            arrow_csv.ReadOptions(
                use_threads=False,
                block_size=len(block) + 1,
                column_names=[str(place) for place in range(layout.width)],
            ),
            arrow_csv.ParseOptions(
                delimiter=layout.source.separator,
                quote_char='"' if quoted else False,
                newlines_in_values=quoted,
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


def _by_pandas(layout: Layout, block: bytes) -> Columns:
    used = layout.used(whole=False)
    line = layout.source.separator.join(str(place) for place in range(layout.width)) + "\n"
    try:
        table = pd.read_csv(
            BytesIO(line.encode() + block),
            sep=layout.source.separator,
            usecols=list(used),
            dtype=object,
            index_col=False,
            na_filter=False,
            keep_default_na=False,
            encoding_errors="replace",
            quoting=csv.QUOTE_MINIMAL if layout.source.quotes else csv.QUOTE_NONE,
            engine="c",
            low_memory=False,
        )
        return {name: _as_read(table[name], kind) for name, kind in used.items()}
    except Exception:
        # Its messages quote cells: nothing of them may travel on, not even as a context.
        problem = refuse("data-file-unreadable", "$.data.path")
    raise problem


def _as_read(cells: pd.Series, kind: pa.DataType) -> pa.Array:
    texts = pa.array(cells.to_numpy(dtype=object), TEXT)
    return texts.dictionary_encode() if kind == REPEATING else texts
