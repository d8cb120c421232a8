# SPDX-License-Identifier: Apache-2.0
"""A CSV file as its header and its rows, and the few things that a person may see of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from itertools import chain, islice
from pathlib import Path

from dpdesk.data.batch import Load, Wanted
from dpdesk.data.csv_block import Layout, read_block
from dpdesk.data.foreign import HEAD_BYTES, refuse_foreign
from dpdesk.data.header import column_names
from dpdesk.data.progress import CancelToken, Progress
from dpdesk.data.records import record_splitter, split_record
from dpdesk.data.source import bounded_lines, read_chunks, read_head, without_lines
from dpdesk.study.problem import refuse
from dpdesk.study.unit import DataSource


class CsvTable:
    """An open CSV file; see :class:`dpdesk.data.batch.OpenTable`."""

    def __init__(self, source: DataSource, blocks: Iterator[bytes]) -> None:
        """Read the header.

        Args:
            source: how the file is to be read.
            blocks: blocks of whole, well-formed rows, from the header's on.

        Raises:
            Refused: ``data-file-empty``, ``data-file-not-text``.
        """
        self._source = source
        above, first, below = _first_record(blocks, source.quotes)
        cells = _cells(first.decode("utf-8", "replace"), source)
        self._line = max(1, source.header_row or 1) + above
        if source.header_row == 0:
            below, cells = first + below, [""] * len(cells)
        else:
            self._line += first.count(b"\n")
        self.header = column_names(cells)
        self._blocks = chain((below,) if below else (), blocks)

    def loads(self, wanted: Sequence[Wanted]) -> Iterator[Load]:
        """Go through the rows; a file of nothing but a header has no batches."""
        layout = Layout(self._source, len(self.header), tuple(wanted))
        for block in self._blocks:
            yield partial(read_block, layout, block)

    def numbered_blocks(self) -> Iterator[tuple[int, bytes]]:
        """The rows in blocks, each with the number of the line on which it begins; read once."""
        for block in self._blocks:
            yield self._line, block
            self._line += block.count(b"\n")

    def first_rows(self, count: int) -> list[list[str]]:
        """The first rows as they stand."""
        return list(islice(self._rows(), count))

    def _rows(self) -> Iterator[list[str]]:
        blank = " \t\n".replace(self._source.separator, "")
        for block in self._blocks:
            place = 0
            while place < len(block):
                end = record_end(block, place, self._source.quotes)
                text = block[place:end].decode("utf-8", "replace")
                if text.strip(blank):
                    yield _cells(text, self._source)
                place = end


@contextmanager
def open_csv(
    source: DataSource, folder: Path, progress: Progress, cancel: CancelToken
) -> Iterator[CsvTable]:
    """Open a CSV file and read its header.

    Raises:
        Refused: ``data-file-missing``, ``data-file-unreadable``, ``data-file-empty``,
            ``data-file-not-text``, or what a file without a table is refused for, all at
            ``$.data.path``.
        Cancelled: the token was raised.
    """
    refuse_foreign(read_head(source, folder, HEAD_BYTES), source.encoding)
    splitter = record_splitter(source.separator, source.quotes)
    chunks = read_chunks(source, folder, progress, cancel)
    with closing(chunks):
        lines = bounded_lines(without_lines(chunks, max(0, (source.header_row or 1) - 1)))
        yield CsvTable(source, splitter.blocks(lines))


def _first_record(blocks: Iterator[bytes], quotes: bool) -> tuple[int, bytes, bytes]:
    """The lines above the first row that is not blank, that row, and the rest of its block."""
    above = 0
    for block in blocks:
        text = block.lstrip()
        if text:
            # Separators may be white space: the header keeps those it begins with.
            line = block.rfind(b"\n", 0, len(block) - len(text)) + 1
            end = record_end(block, line, quotes)
            return above + block.count(b"\n", 0, line), block[line:end], block[end:]
        above += block.count(b"\n")
    raise refuse("data-file-empty", "$.data.path")


def record_end(block: bytes, start: int, quotes: bool) -> int:
    """The end of the row at ``start``; where quotation marks mean something, they are in order."""
    end = block.index(b"\n", start) + 1
    while quotes and block.count(b'"', start, end) % 2:
        end = block.index(b"\n", end) + 1
    return end


def _cells(text: str, source: DataSource) -> list[str]:
    if not source.quotes:
        return text.removesuffix("\n").split(source.separator)
    return split_record(text, source.separator)
