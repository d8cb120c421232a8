# SPDX-License-Identifier: Apache-2.0
"""A Parquet file as a table: batch after batch, the wanted columns only.

``arrow_types`` says how the many types of this format become the few of ``batch.Batch``.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import types

from dpdesk.data.files.arrow_types import one_value_cells
from dpdesk.data.files.batch import Batch, Load, Wanted
from dpdesk.data.files.cells import row_texts
from dpdesk.data.files.header import column_names
from dpdesk.data.files.source import open_data
from dpdesk.data.progress import CancelToken, Progress, no_progress
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Problem, Refused, refuse

BATCH_ROWS = 1 << 16
"""Rows of a batch; cancelling waits for one."""

LARGE_GROUP_BYTES = 1 << 28
BUFFER_BYTES = 1 << 20
"""Read at once of a column where a row group is large: it may be as large as the file."""


@contextmanager
def open_parquet(
    source: DataSource,
    folder: Path,
    progress: Progress = no_progress,
    cancel: CancelToken | None = None,
) -> Iterator[ParquetTable]:
    """Open a Parquet file and read its column names.

    Raises:
        Refused: ``data-file-missing``, ``data-file-unreadable``, ``data-file-damaged``,
            ``data-file-wrong-format`` or ``data-file-locked``, at ``$.data.path``.
        Cancelled: the token was raised.
    """
    with open_data(source, folder) as stream:
        size = stream.seek(0, 2)
        yield ParquetTable(stream, source.decimal, (size, progress), cancel or CancelToken())


class ParquetTable:
    """The rows of a Parquet file; see ``batch.OpenTable``."""

    def __init__(
        self,
        stream: BinaryIO,
        decimal: str,
        progress: tuple[int, Progress],
        cancel: CancelToken,
    ) -> None:
        self._stream = stream
        self._decimal = decimal
        self._size, self._progress = progress
        self._cancel = cancel
        self._metadata, self._fields = _described(stream)
        self.header = column_names([field.name for field in self._fields])

    def loads(self, wanted: Sequence[Wanted]) -> Iterator[Load]:
        """Go through the rows, once.

        Raises:
            Refused: ``data-file-damaged``; ``column-not-flat`` (param name), where every cell is
                a list or a record; at ``$.data.path``.
        """
        nested = [i.position for i in wanted if types.is_nested(self._fields[i.position].type)]
        if nested:
            names = [self.header[position] for position in nested]
            raise Refused(Problem("$.data.path", "column-not-flat", {"name": n}) for n in names)
        leaves = _leaves(self._fields)
        places = [leaves[column.position] for column in wanted]
        done, rows = 0, max(1, self._metadata.num_rows)
        for record in self._records(wanted, places, BATCH_ROWS):
            self._cancel.check()
            yield partial(self._batch, record, places, wanted)
            done += record.num_rows
            self._progress(self._size * min(done, rows) // rows, self._size)

    def first_rows(self, count: int) -> list[list[str]]:
        """The first rows as texts; a nested cell is shown as an empty one."""
        flat = [i for i, field in enumerate(self._fields) if not types.is_nested(field.type)]
        rows: list[list[str]] = []
        for load in self.loads([Wanted(place) for place in flat]):
            batch = load()
            texts = (row_texts(column[:count], self._decimal) for column in batch.columns)
            shown = dict(zip(flat, texts, strict=True))
            empty = [""] * min(count, batch.rows)
            cells = [shown.get(place, empty) for place in range(len(self._fields))]
            rows += [list(row) for row in zip(*cells, strict=True)]
            if len(rows) >= count:
                break
        return rows[:count]

    def _records(
        self, wanted: Sequence[Wanted], places: list[int], rows: int
    ) -> Iterator[pa.RecordBatch]:
        repeating = [self._fields[column.position] for column in wanted if column.repeats]
        used = sorted(set(places))
        return _refusing(_record_batches(self._stream, self._metadata, used, repeating, rows))

    def _batch(self, record: pa.RecordBatch, places: list[int], wanted: Sequence[Wanted]) -> Batch:
        used = sorted(set(places))
        kinds = (self._fields[w.position].type for w in wanted)
        cells = (
            _as_saved(record.column(used.index(place)), kind)
            for place, kind in zip(places, kinds, strict=True)
        )
        pairs = zip(cells, wanted, strict=True)
        columns = tuple(
            one_value_cells(cell, w.decimal or self._decimal, w.seconds) for cell, w in pairs
        )
        return Batch(record.num_rows, columns)


def _described(stream: BinaryIO) -> tuple[pq.FileMetaData, list[pa.Field]]:
    stream.seek(0)
    start = stream.read(4)
    if start == b"PARE":
        raise refuse("data-file-locked", "$.data.path")
    if start != b"PAR1":
        raise refuse("data-file-wrong-format", "$.data.path")
    try:
        file = pq.ParquetFile(stream)
        return file.metadata, _fields(file)
    except Exception:  # noqa: BLE001 - a broken file may raise anything
        # Its messages may quote the file: nothing of them may travel on, not even as a context.
        problem = refuse("data-file-damaged", "$.data.path")
    raise problem


def _fields(file: pq.ParquetFile) -> list[pa.Field]:
    """The file's columns; a dictionary of durations is one of durations again.

    Arrow reads it as whole numbers of a unit that its own schema alone still states.
    """
    fields = list(file.schema_arrow)
    raw = (file.metadata.metadata or {}).get(b"ARROW:schema")
    saved = list(pa.ipc.read_schema(pa.py_buffer(b64decode(raw)))) if raw else fields
    if [field.name for field in saved] != [field.name for field in fields]:
        return fields
    return [
        field.with_type(before.type.value_type)
        if types.is_dictionary(before.type) and types.is_duration(before.type.value_type)
        else field
        for field, before in zip(fields, saved, strict=True)
    ]


def _as_saved(cells: pa.Array, kind: pa.DataType) -> pa.Array:
    return cells.view(kind) if types.is_duration(kind) and cells.type == pa.int64() else cells


def _leaves(fields: list[pa.Field]) -> list[int]:
    """For each column the number of the first of the file's own columns that it is made of."""
    counts = [_leaf_count(field.type) for field in fields]
    return [sum(counts[:place]) for place in range(len(fields))]


def _leaf_count(kind: pa.DataType) -> int:
    if not types.is_nested(kind):
        return 1
    return sum(_leaf_count(kind.field(place).type) for place in range(kind.num_fields))


def _record_batches(
    stream: BinaryIO,
    metadata: pq.FileMetaData,
    used: list[int],
    repeating: list[pa.Field],
    rows: int,
) -> Iterator[pa.RecordBatch]:
    dictionaries = [field.name for field in repeating if _is_text(field.type)]
    groups = range(metadata.num_row_groups)
    is_large = any(metadata.row_group(g).total_byte_size > LARGE_GROUP_BYTES for g in groups)
    file = pq.ParquetFile(
        stream,
        metadata=metadata,
        read_dictionary=dictionaries,
        buffer_size=BUFFER_BYTES if is_large else 0,
        # With a buffer the library goes back so often to check that it takes minutes.
        page_checksum_verification=not is_large,
    )
    # By number: a file may have two columns of one name.
    yield from file.reader.iter_batches(rows, list(groups), used, use_threads=True)


def _is_text(kind: pa.DataType) -> bool:
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def _refusing(records: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    while True:
        try:
            record = next(records)
        except StopIteration:
            return
        except Exception:  # noqa: BLE001 - a broken file may raise anything
            record = None
        if record is None:
            raise refuse("data-file-damaged", "$.data.path")
        yield record
