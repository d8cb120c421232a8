# SPDX-License-Identifier: Apache-2.0
"""The top of a file as it is, titles and blank rows too, to find where its header is."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from dpdesk.data.files.csv.records import split_record
from dpdesk.data.files.source import bounded_lines, read_chunks
from dpdesk.data.progress import CancelToken, no_progress
from dpdesk.data.reader_process.isolated_table import open_isolated
from dpdesk.study.model.unit import DataSource

TOP_BYTES = 1 << 18


def top_rows(
    source: DataSource, folder: Path, count: int, cancel: CancelToken | None = None
) -> list[list[str]]:
    """The first rows or lines, for the custodian's own eyes; never logged, never exported.

    The n-th is the one that ``header_row`` n names. None for files that say themselves what
    their columns are called.

    Raises:
        Refused: ``data-file-missing``, ``data-file-unreadable``, or what a workbook is refused
            for.
        Cancelled: the token was raised.
    """
    if source.format == "csv":
        return [_cells(line, source) for line in _lines(source, folder)[:count]]
    if source.format == "excel" and source.sheet:
        with open_isolated(replace(source, header_row=0), folder, cancel=cancel) as table:
            return table.top_rows(count)
    return []


def filled_cells(rows: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """How many cells of each row hold something: a header fills most, a title one.

    >>> filled_cells([["Stays 2025", ""], [], ["id", "days"]])
    (1, 0, 2)
    """
    return tuple(len(row) - sum(map(_is_blank, row)) for row in rows)


def _is_blank(cell: str) -> bool:
    return not cell or cell.isspace()


def _lines(source: DataSource, folder: Path) -> list[str]:
    """Lines as they are counted: line breaks within cells count too."""
    content = b""
    with closing(read_chunks(source, folder, no_progress, CancelToken())) as chunks:
        for chunk in bounded_lines(chunks):
            content += chunk
            if len(content) >= TOP_BYTES:
                break
    return content[:TOP_BYTES].decode("utf-8", "replace").removesuffix("\n").split("\n")


def _cells(line: str, source: DataSource) -> list[str]:
    if not source.quotes or line.count('"') % 2:
        return line.split(source.separator)
    return split_record(f"{line}\n", source.separator)
