# SPDX-License-Identifier: Apache-2.0
"""A file of SPSS, Stata or SAS as a table.

Cells are the values, never their labels: those are a codebook's. What the file says is missing
(user-missing values, tagged missing values) is an empty cell. Numbers that a variable's format
shows as days or moments are such; times of day and durations are seconds in a column of numbers.

The reader is given an open stream in place of a path. It works under every folder name so, its
messages know no path, and each of its many small reads is a place to stop at and to let the
window have its turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import numpy as np
import pyarrow as pa

from dpdesk.data.files import timestamps
from dpdesk.data.files.arrow_types import one_value_cells
from dpdesk.data.files.batch import Batch, Load, Wanted
from dpdesk.data.files.cells import row_texts
from dpdesk.data.files.file_formats import DECLARATIONS, HEAD_BYTES, file_kind
from dpdesk.data.files.format_declaration import FileKind
from dpdesk.data.files.header import column_names
from dpdesk.data.files.source import open_data
from dpdesk.data.files.statistical.statistics_reader import StatisticsReader, WatchedStream
from dpdesk.data.progress import CancelToken, Progress, no_progress
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import refuse

if TYPE_CHECKING:
    import pandas as pd


@contextmanager
def open_statistics(
    source: DataSource,
    folder: Path,
    progress: Progress = no_progress,
    cancel: CancelToken | None = None,
) -> Iterator[StatisticsTable]:
    """Open a file of SPSS, Stata or SAS and read what it says of its variables.

    Raises:
        Refused: ``data-file-missing``, ``data-file-unreadable``, ``data-file-damaged``,
            ``data-file-wrong-format``, ``data-file-newer``, ``data-file-catalogue``,
            ``data-file-encoding`` or ``data-file-empty``, at ``$.data.path``.
        Cancelled: the token was raised.
    """
    cancel = cancel or CancelToken()
    with open_data(source, folder) as stream:
        head = _head(stream)
        kind = _kind(head, source)
        watched = WatchedStream(stream, progress, cancel)
        reader = StatisticsReader(watched, kind, source.encoding, kind.encoding(head))
        yield StatisticsTable(reader, source, kind.rows(head))


class StatisticsTable:
    """The rows of a file of SPSS, Stata or SAS; see ``batch.OpenTable``."""

    def __init__(self, reader: StatisticsReader, source: DataSource, rows: int | None) -> None:
        self._reader = reader
        self._dates = DECLARATIONS[source.format].dates
        self._rows = rows
        self._decimal = source.decimal
        self._variables = reader.variables
        if not self._variables:
            raise refuse("data-file-empty", "$.data.path")
        self.header = column_names([variable.name for variable in self._variables])

    def loads(self, wanted: Sequence[Wanted]) -> Iterator[Load]:
        places = [column.position for column in wanted]
        for table in self._reader.tables(places or [0], self._rows):
            yield partial(self._batch, table, wanted)

    def first_rows(self, count: int) -> list[list[str]]:
        places = range(len(self._variables))
        table = next(self._reader.tables(places, max(1, count), strict=True), None)
        if table is None:
            return []
        shown = table[:count]
        columns = [row_texts(self._cells(shown, place), self._decimal) for place in places]
        return [list(row) for row in zip(*columns, strict=True)]

    def _batch(self, table: pd.DataFrame, wanted: Sequence[Wanted]) -> Batch:
        columns = (self._cells(table, column.position, column.seconds) for column in wanted)
        return Batch(len(table), tuple(columns))

    @np.errstate(over="ignore", invalid="ignore")
    def _cells(self, table: pd.DataFrame, place: int, in_seconds: bool = False) -> pa.Array:
        # A number beyond all days may overflow: no warning about a cell may be heard.
        variable = self._variables[place]
        column = table[variable.name]
        dates = self._dates
        kind = None if variable.is_text or dates is None else dates.kind(variable.format)
        if dates is None or kind is None:
            cells = pa.array(column, from_pandas=True)
            return one_value_cells(
                cells.cast(pa.float32(), safe=False) if variable.is_single else cells
            )
        numbers = column.to_numpy(dtype=np.float64)
        if kind == "day":
            return timestamps.days((numbers * dates.day_unit - dates.origin) / 86_400)
        # Divided: a thousandth is no double, and 9 of them are 0.009.
        seconds = numbers / round(1 / dates.moment_unit)
        if kind == "time" and in_seconds:
            return pa.array(seconds, pa.float64(), mask=np.isnan(seconds))
        if kind == "time":
            return timestamps.times(seconds)
        return timestamps.moments(seconds - dates.origin)


def _head(stream: BinaryIO) -> bytes:
    try:
        return stream.read(HEAD_BYTES)
    except OSError:
        problem = refuse("data-file-unreadable", "$.data.path")
    raise problem


def _kind(head: bytes, source: DataSource) -> FileKind:
    kind = file_kind(head)
    if kind is not None and (code := kind.refused(head)):
        raise refuse(code, "$.data.path")
    if kind is None or kind not in DECLARATIONS[source.format].kinds:
        raise refuse("data-file-wrong-format", "$.data.path")
    return kind
