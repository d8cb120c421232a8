# SPDX-License-Identifier: Apache-2.0
"""A table that another process reads; see ``batch.OpenTable``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from dpdesk.data.files.batch import Batch, Load, Wanted
from dpdesk.data.files.source import data_path
from dpdesk.data.progress import CancelToken, Progress, no_progress
from dpdesk.data.reader_process.batch_codec import unpacked
from dpdesk.data.reader_process.client import Client, about_data, open_client
from dpdesk.data.reader_process.frames import Broken
from dpdesk.data.reader_process.messages import rows, texts, wanted_to
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import refuse


@contextmanager
def open_isolated(
    source: DataSource,
    folder: Path,
    progress: Progress = no_progress,
    cancel: CancelToken | None = None,
) -> Iterator[IsolatedTable]:
    """Open a workbook or a file of SPSS, Stata or SAS, and read its header.

    Raises:
        Refused: as the readers say; ``data-file-damaged`` where one does not survive the file.
        Cancelled: the token was raised; the reading process is gone then.
        ReaderFault: the reader failed in a way that nobody foresaw.
    """
    there = placed(source, folder)
    with open_client(about_data(Path(there.path), source.format), progress, cancel) as client:
        yield IsolatedTable(client, client.value(texts, "open", source=asdict(there)))


class IsolatedTable:
    """The rows of a table below its header; see ``batch.OpenTable``."""

    def __init__(self, client: Client, header: tuple[str, ...]) -> None:
        self._client = client
        self.header = header

    def loads(self, wanted: Sequence[Wanted]) -> Iterator[Load]:
        """Go through the rows, once; what comes is unpacked by anyone who calls the load."""
        count = len(wanted)
        for content in self._client.batches("loads", wanted=wanted_to(wanted)):
            yield partial(self._load, content, count)

    def first_rows(self, count: int) -> list[list[str]]:
        return self._client.value(self._rows, "first_rows", count=count)

    def top_rows(self, count: int) -> list[list[str]]:
        """The next rows of a sheet as texts, blank ones too."""
        return self._client.value(rows, "top_rows", count=count)

    def _rows(self, said: Any) -> list[list[str]]:
        result = rows(said)
        if any(len(row) != len(self.header) for row in result):
            raise Broken
        return result

    def _load(self, content: bytes | bytearray, count: int) -> Batch:
        try:
            batch = unpacked(content, count)
        except Broken:
            batch = None
        if batch is None:
            raise self._client.failed()
        return batch


def placed(source: DataSource, folder: Path) -> DataSource:
    """A source whose path means the same in a process that works in another folder.

    Raises:
        Refused: ``data-file-missing`` at ``$.data.path``: this process's own folder is gone.
    """
    try:
        return replace(source, path=str(data_path(source, folder).absolute()))
    except OSError:
        problem = refuse("data-file-missing", "$.data.path")
    raise problem
