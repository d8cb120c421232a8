# SPDX-License-Identifier: Apache-2.0
"""Batches of rows on their way through a pipe, in Arrow's own format for streams.

Each is a stream of its own: from batch to batch a column may change its type, and a dictionary
its words.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import types

from dpdesk.data.files.batch import Batch
from dpdesk.data.files.timestamps import FIRST_DAY, LAST_DAY
from dpdesk.data.reader_process.frames import Broken

PIECE_BYTES = 1 << 24
"""A large batch goes in pieces of about this size, so that few of its bytes are there twice."""

_ROWS = struct.Struct(">Q")
_MOST_ROWS = 1 << 28


def pieces(batch: Batch) -> Iterator[Batch]:
    """A batch in one piece or several, none of them without rows unless it has none itself."""
    size = sum(column.nbytes for column in batch.columns)
    rows = max(1, batch.rows * PIECE_BYTES // max(size, PIECE_BYTES))
    for start in range(0, max(1, batch.rows), rows):
        count = min(rows, batch.rows - start)
        yield Batch(count, tuple(column.slice(start, count) for column in batch.columns))


def packed(batch: Batch) -> tuple[bytes, memoryview]:
    names = [str(place) for place in range(len(batch.columns))]
    table = pa.RecordBatch.from_arrays(list(batch.columns), names=names)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_batch(table)
    return _ROWS.pack(batch.rows), memoryview(sink.getvalue())


def unpacked(content: bytes | bytearray, count: int) -> Batch:
    """The batch of this many columns that a frame holds, every byte of it checked.

    Raises:
        Broken: it holds none.
    """
    batch = None
    # Whatever goes wrong, messages quote cells: not even as a context may they travel on.
    with suppress(Exception):
        batch = _unpacked(memoryview(content), count)
    if batch is None:
        raise Broken
    return batch


def _unpacked(content: memoryview, count: int) -> Batch | None:
    (rows,) = _ROWS.unpack(content[: _ROWS.size])
    with pa.ipc.open_stream(pa.py_buffer(content[_ROWS.size :])) as reader:
        table = reader.read_next_batch()
    columns = tuple(table.columns)
    if len(columns) != count or not all(_is_cells(column.type) for column in columns):
        return None
    if rows > _MOST_ROWS or any(len(column) != rows for column in columns):
        return None
    table.validate(full=True)
    return Batch(rows, columns) if all(map(_in_calendar, columns)) else None


def _in_calendar(column: pa.Array) -> bool:
    """Whether the days, if it has any, lie in the calendar that Python knows."""
    if not types.is_date32(column.type):
        return True
    ends = pc.min_max(column.cast(pa.int32())).as_py()
    return ends["min"] is None or bool(ends["min"] >= FIRST_DAY and ends["max"] <= LAST_DAY)


def _is_cells(kind: Any) -> bool:
    """Whether this is one of the types that readers in a child give."""
    if types.is_dictionary(kind):
        return kind.index_type == pa.int32() and bool(types.is_string(kind.value_type))
    tests = (types.is_string, types.is_int64, types.is_float64, types.is_date32)
    return any(test(kind) for test in (*tests, types.is_boolean))
