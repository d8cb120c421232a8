# SPDX-License-Identifier: Apache-2.0
"""Made-up tables and the CSV files that hold them, written by the book in every usual style.

By the book means that quotation marks inside a cell are doubled and the cell is quoted. What a
file holds that was written otherwise is for the reader's rules to say
(``dpdesk.data.files.csv.records``); the proofs here are about tables, whatever their cells hold.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from dpdesk.study.model.unit import DataSource

FILE = "table.csv"
HEADER = ("pid", "stay", "ward", "sex", "ok", "free_text", "admitted")
CANARY = "canary-7f3a"
"""Stands in cells only: nothing that leaves may hold it."""


@dataclass(frozen=True)
class Row:
    """One row of the file, with the priority that decides whether the bound keeps it.

    A row may be ragged: fewer cells than the header, or more.
    """

    cells: tuple[str, ...]
    priority: int


Rows = tuple[Row, ...]


@dataclass(frozen=True)
class Style:
    """What a writer of CSV is free to do; the table stays the same.

    Attributes:
        quote_all: every cell quoted, or those that need it.
        line_end: LF or CRLF.
        mark: byte-order mark in front of UTF-8.
        blank_lines: blank lines between rows.
        open_end: no line end after the last row.
    """

    quote_all: bool = False
    line_end: str = "\n"
    mark: bool = False
    blank_lines: bool = False
    open_end: bool = False


def write_table(
    folder: Path,
    rows: Rows,
    source: DataSource | None = None,
    style: Style | None = None,
    name: str = FILE,
) -> None:
    """Write the table as a CSV file; what the encoding lacks is left out of the cells.

    Where the source declares no line breaks, a cell has none.
    """
    source, style = source or DataSource(), style or Style()
    if not source.line_breaks:
        rows = tuple(replace(row, cells=tuple(map(_on_one_line, row.cells))) for row in rows)
    lines = [_line(cells, source.separator, style) for cells in (HEADER, *(r.cells for r in rows))]
    between = style.line_end * (2 if style.blank_lines else 1)
    text = between.join(lines) + ("" if style.open_end and rows else style.line_end)
    errors = "surrogateescape" if source.encoding == "utf-8" else "ignore"
    mark = "\ufeff" if style.mark and source.encoding == "utf-8" else ""
    (folder / name).write_bytes((mark + text).encode(source.encoding, errors))


def _on_one_line(cell: str) -> str:
    return cell.replace("\r\n", " ").replace("\n", " ")


def _line(cells: tuple[str, ...], separator: str, style: Style) -> str:
    special = (separator, '"', "\r", "\n")
    return separator.join(
        '"' + cell.replace('"', '""') + '"'
        if style.quote_all or any(sign in cell for sign in special)
        else cell
        for cell in cells
    )


def travelling(rows: Rows) -> Callable[[int], npt.NDArray[np.uint64]]:
    """Priorities that travel with their rows, so that neighbours share them."""

    def priorities(number: int) -> npt.NDArray[np.uint64]:
        found = np.array([row.priority for row in rows], dtype=np.uint64)
        assert len(found) == number, "the reader sees other rows than were written"
        return found

    return priorities
