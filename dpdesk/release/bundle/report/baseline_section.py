# SPDX-License-Identifier: Apache-2.0
"""A Table 1 in the report: laid out as journals print it, its notes below."""

from __future__ import annotations

from collections.abc import Sequence

from dpdesk.release.bundle.baseline.printed import PrintedCell, PrintedRow, PrintedTable
from dpdesk.release.bundle.report.report_blocks import (
    CrossCell,
    CrossFigures,
    CrossLine,
    FigureRow,
    Figures,
    Paragraph,
    Section,
)


def baseline_section(table: PrintedTable, number: str) -> Section:
    """One table.

    Args:
        table: in the report's language.
        number: what it is listed under.
    """
    notes = Paragraph(" ".join(table.notes), "quiet")
    return Section(table.title, (_figures(table), notes), number)


def _figures(table: PrintedTable) -> CrossFigures:
    pairs = zip(table.columns, table.heads, strict=True)
    heads = tuple(f"{column}\n{_unbroken(head)}" for column, head in pairs)
    return CrossFigures(
        corner="",
        across="",
        heads=heads,
        lines=tuple(_line(row, len(heads)) for row in table.rows),
        has_totals=False,
        plain=_as_list(table, heads),
    )


def _unbroken(head: PrintedCell) -> str:
    """How many are in a column, broken before the margin alone."""
    parts = (_together(head.text), _together(head.margin_only))
    return " ".join(filter(None, parts))


def _together(text: str) -> str:
    return text.replace(" ", "\N{NO-BREAK SPACE}")


def _line(row: PrintedRow, columns: int) -> CrossLine:
    cells = tuple(map(_cell, _cells(row, columns)))
    # A characteristic whose categories follow is a band across the table.
    return CrossLine(row.stub, cells, is_total=not row.cells)


def _cells(row: PrintedRow, columns: int) -> Sequence[PrintedCell]:
    """Its cells; empty ones where only categories below it have some."""
    return row.cells or [PrintedCell("")] * columns


def _cell(cell: PrintedCell) -> CrossCell:
    return CrossCell(cell.text, cell.margin, cell.is_noisy)


def _as_list(table: PrintedTable, heads: tuple[str, ...]) -> Figures:
    """The same with each figure and its margin in one text, for pages without room across."""
    rows = [
        FigureRow((row.stub, *(cell.whole for cell in _cells(row, len(heads)))), is_noisy=False)
        for row in table.rows
    ]
    numeric = (False, *(True for _head in heads))
    return Figures(("", *heads), numeric, rows, None, f"tables/{table.file_name}.csv")
