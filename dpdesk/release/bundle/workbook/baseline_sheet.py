# SPDX-License-Identifier: Apache-2.0
"""The sheet of a Table 1: as journals print it, each margin in a column behind its figures."""

from __future__ import annotations

from dpdesk.release.bundle.baseline.printed import PrintedRow, PrintedTable
from dpdesk.release.bundle.workbook.reading_sheets import ReadingSheet
from dpdesk.study.text.number_text import PLUS_MINUS

_INNER = "\N{NO-BREAK SPACE}" * 3


def write_baseline(sheet: ReadingSheet, table: PrintedTable, contents: str) -> None:
    """One table.

    Args:
        contents: name of the sheet that leads to all others.
    """
    sheet.top(table.title, table.notes, contents)
    heads = [text for column in table.columns for text in (column, f"{PLUS_MINUS} 95 %")]
    sheet.heads(["", *heads], [False, *(True for _head in heads)])
    _write_row(sheet, PrintedRow("", table.heads))
    for row in table.rows:
        _write_row(sheet, row)
    sheet.fit()


def _write_row(sheet: ReadingSheet, row: PrintedRow) -> None:
    sheet.cell(0, f"{_INNER}{row.stub}" if row.is_inner else row.stub)
    for place, cell in enumerate(row.cells):
        sheet.cell(1 + 2 * place, cell.text)
        sheet.cell(2 + 2 * place, cell.margin_only)
    sheet.at += 1
