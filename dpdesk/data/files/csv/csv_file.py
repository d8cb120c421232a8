# SPDX-License-Identifier: Apache-2.0
"""A CSV file as its header and its rows, and the few things that a person may see of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from dpdesk.data.files.batch import Load, Wanted
from dpdesk.data.files.csv.csv_block import Layout, read_block, unreadable_row
from dpdesk.data.files.csv.records import LineReader, RecordSplitter, split_record, whole_lines
from dpdesk.data.files.csv.row_shapes import shapes_of
from dpdesk.data.files.header import column_names
from dpdesk.data.files.line_ends import LineEnds
from dpdesk.data.files.source import (
    bounded_lines,
    header_bytes,
    read_chunks,
    read_head,
    without_lines,
)
from dpdesk.data.files.unsupported import HEAD_BYTES, refuse_unsupported
from dpdesk.data.progress import CancelToken, Progress, no_progress
from dpdesk.study import limits
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import refuse

_LONE_CR = re.compile("\r(?!\r*\n)")


class NumberedBlock(NamedTuple):
    """Rows with their place in the file.

    Attributes:
        line: the number of the line on which the block begins, from 1.
        rows: the rows, marks in order; a line that is no row is blank, or nobody's row where ids
            are filled down.
        open_lines: which of its lines, from 0, are no rows because a cell stays open.
    """

    line: int
    rows: bytes
    open_lines: list[int]


class CsvTable:
    """An open CSV file; see :class:`dpdesk.data.files.batch.OpenTable`."""

    def __init__(
        self, source: DataSource, blocks: Iterator[bytes], ends: LineEnds | None = None
    ) -> None:
        """Read the header.

        Args:
            blocks: blocks of whole lines from the header's on.
            ends: what translates the line ends of these blocks.

        Raises:
            Refused: ``data-file-empty``, ``data-file-not-text`` or ``data-header-open``, at
                ``$.data.path``.
        """
        self._source = source
        self._ends = ends or LineEnds(source.line_ending, source.quotes)
        # Marks mean something, and each line is a row.
        reads_lines = source.quotes and not source.line_breaks
        self._reader = LineReader(source.separator) if reads_lines else None
        self._line = max(1, source.header_row or 1)
        # Who is first in a file without a header decides nothing, not even that there is one.
        names = self._unnamed(blocks) if source.header_row == 0 else self._named(blocks)
        self.header = column_names(names)

    def _named(self, blocks: Iterator[bytes]) -> list[str]:
        """The cells of the header, with the rows after it in their place.

        It is one line, also where cells hold line breaks: of a header that goes on, the marks of
        a row would say where it ends, and whether it does.
        """
        above, first, below = _first_line(blocks)
        row = LineReader(self._source.separator).rows(first) if self._source.quotes else first
        if not row.strip(b"\n"):
            raise refuse("data-header-open", "$.data.path")
        self._line += above + 1
        self._blocks = self._whole(chain((below,) if below else (), blocks))
        names = _cells(row.decode("utf-8", "replace"), self._source)
        return ["", *names] if self._source.row_names else names

    def _unnamed(self, blocks: Iterator[bytes]) -> list[str]:
        """As many nameless columns as the first row has; for looking, for none is left out."""
        blocks = self._whole(blocks)
        first = next(blocks, b"")
        self._blocks = chain((first,) if first else (), blocks)
        rows = self._rows_of(self._in_order(first))
        return [""] * min(len(next(rows, [])), limits.MAX_FILE_COLUMNS)

    @property
    def lone_returns(self) -> int:
        """How many carriage returns so far ended no line, but for those in quoted cells."""
        return self._ends.lone

    def loads(self, wanted: Sequence[Wanted], *, checked: bool = False) -> Iterator[Load]:
        """Go through the rows; a file of nothing but a header has no batches.

        Args:
            checked: whether lines that are not as the header says are counted.
        """
        width = max([len(self.header), *(w.position + 1 for w in wanted)])
        layout = Layout(self._source, width, tuple(wanted), checked)
        for block in self._blocks:
            yield partial(read_block, layout, block)

    def numbered_blocks(self) -> Iterator[NumberedBlock]:
        """The rows in blocks, each with the number of the line on which it begins; read once."""
        no_row = unreadable_row(self._source, len(self.header))
        counted = LineReader(self._source.separator, no_row)
        for block in self._blocks:
            opened = self._reader.open_lines(block) if self._reader else []
            # Counted as they are read.
            rows = counted.rows(block) if self._reader else block
            yield NumberedBlock(self._line, rows, opened)
            self._line += block.count(b"\n")

    def first_rows(self, count: int) -> list[list[str]]:
        return list(islice(self._rows(), count))

    def _rows(self) -> Iterator[list[str]]:
        for block in self._blocks:
            yield from self._rows_of(self._in_order(block))

    def _rows_of(self, block: bytes) -> Iterator[list[str]]:
        blank = " \t\n".replace(self._source.separator, "")
        place = 0
        while place < len(block):
            end = _record_end(block, place, self._joins)
            text = block[place:end].decode("utf-8", "replace")
            if text.strip(blank):
                yield _cells(text, self._source)
            place = end

    @property
    def _joins(self) -> bool:
        return self._source.quotes and self._source.line_breaks

    def _whole(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        return RecordSplitter(self._source.separator).blocks(blocks) if self._joins else blocks

    def _in_order(self, block: bytes) -> bytes:
        return self._reader.rows(block) if self._reader else block


@contextmanager
def open_csv(
    source: DataSource, folder: Path, progress: Progress, cancel: CancelToken
) -> Iterator[CsvTable]:
    """Open a CSV file and read its header.

    Raises:
        Refused: ``data-file-missing``, ``data-file-unreadable``, ``data-file-empty``,
            ``data-file-not-text``, or what a file without a table is refused for, all at
            ``$.data.path``, as is ``data-header-open``;
            ``line-ending-not-declared`` at ``$.data.line_ending``.
        Cancelled: the token was raised.
    """
    _refuse_unsupported(source, read_head(source, folder, HEAD_BYTES))
    ends = LineEnds(source.line_ending, source.quotes)
    chunks = read_chunks(source, folder, progress, cancel, ends)
    with closing(chunks):
        lines = bounded_lines(without_lines(chunks, max(0, (source.header_row or 1) - 1)))
        yield CsvTable(source, whole_lines(lines), ends)


def _refuse_unsupported(source: DataSource, head: bytes) -> None:
    """Refuse what is no table, seeing nothing of it but what is no row: the header and above."""
    header = header_bytes(source, head)
    refuse_unsupported(header, source.encoding)
    # What is looked at ends before a line feed, or where it is cut; else no line feed follows.
    end = "\n" if len(header) < len(head) or len(head) == HEAD_BYTES else ""
    if not source.line_ending and _LONE_CR.search(header.decode(source.encoding, "replace") + end):
        raise refuse("line-ending-not-declared", "$.data.line_ending")


def _first_line(blocks: Iterator[bytes]) -> tuple[int, bytes, bytes]:
    """The lines above the first that is not blank, that line, and the rest of its block."""
    above = 0
    for block in blocks:
        text = block.lstrip()
        if text:
            # Separators may be white space: the header keeps those it begins with.
            line = block.rfind(b"\n", 0, len(block) - len(text)) + 1
            end = block.index(b"\n", line) + 1
            return above + block.count(b"\n", 0, line), block[line:end], block[end:]
        above += block.count(b"\n")
    raise refuse("data-file-empty", "$.data.path")


def _record_end(block: bytes, start: int, joins: bool) -> int:
    """The end of the row at ``start``; where it may have many lines, marks are in order."""
    end = block.index(b"\n", start) + 1
    while joins and block.count(b'"', start, end) % 2:
        end = block.index(b"\n", end) + 1
    return end


def _cells(text: str, source: DataSource) -> list[str]:
    if not source.quotes:
        return text.removesuffix("\n").split(source.separator)
    return split_record(text, source.separator)


def line_of_row(
    source: DataSource, folder: Path, row: int, cancel: CancelToken | None = None
) -> int | None:
    """The number of the line, from 1; ``None`` where the file has changed and has no such row.

    Args:
        row: which of the rows below the header that are not blank, from 1.
        cancel: stops the reading within a block.
    """
    with open_csv(source, folder, no_progress, cancel or CancelToken()) as table:
        for block in table.numbered_blocks():
            shapes = shapes_of(block.rows, source.separator, source.quotes)
            rows = np.flatnonzero(shapes.cells)
            if row <= len(rows):
                start = shapes.starts[rows[row - 1]]
                return block.line + int(np.searchsorted(shapes.line_ends, start))
            row -= len(rows)
    return None
