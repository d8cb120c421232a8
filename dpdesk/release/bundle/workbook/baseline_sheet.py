# SPDX-License-Identifier: Apache-2.0
"""The sheet of a Table 1: as journals print it, each figure and margin a number of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.release.bundle.baseline.printed import PrintedCell, PrintedRow, PrintedTable
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.report.query_section import NOTE, TOO_NOISY
from dpdesk.release.bundle.workbook.reading_sheets import ReadingSheet
from dpdesk.study.text.number_text import PLUS_MINUS

_INNER = "\N{NO-BREAK SPACE}" * 3
_FIRST: Final[Template] = "Figure"
_BESIDE: Final[tuple[Template, ...]] = ("%, SD, Q1", "Q3")
"""What is beside a count, a mean or a median, of which the name of the row speaks."""
_NOISY_IN: Final[Template] = "{note}: {columns}"


def write_baseline(
    sheet: ReadingSheet, table: PrintedTable, words: ReleaseWords, contents: str
) -> None:
    """One table.

    Args:
        contents: name of the sheet that leads to all others.
    """
    sheet.top(table.title, table.notes, contents)
    _Baseline(sheet, table, words).write()
    sheet.fit()


class _Baseline:
    """A table while it is written: of each column its figure, margin, and what is beside it."""

    def __init__(self, sheet: ReadingSheet, table: PrintedTable, words: ReleaseWords) -> None:
        self._sheet, self._table, self._say = sheet, table, words.say
        rows = [cell for row in table.rows for cell in row.cells]
        beside = max((len(cell.figures) for cell in rows), default=2) - 1
        self._heads = (
            self._say(_FIRST),
            f"{PLUS_MINUS} 95 %",
            *map(self._say, _BESIDE[:beside]),
        )

    def write(self) -> None:
        sheet, table, wide = self._sheet, self._table, len(self._heads)
        for place, column in enumerate(table.columns):
            sheet.sheet.write_string(sheet.at, 1 + wide * place, column, sheet.looks.bold_behind)
        sheet.at += 1
        heads = ["", *self._heads * len(table.columns), self._say(NOTE)]
        sheet.heads(heads, [False, *(True for _head in heads[2:]), False])
        self._row(PrintedRow("n", table.heads))
        for row in table.rows:
            self._row(row)

    def _row(self, row: PrintedRow) -> None:
        sheet, wide = self._sheet, len(self._heads)
        sheet.cell(0, f"{_INNER}{row.stub}" if row.is_inner else row.stub)
        for place, cell in enumerate(row.cells):
            self._cell(1 + wide * place, cell, row.has_ranks)
        noisy = self._noisy(row.cells)
        sheet.cell(1 + wide * len(self._table.columns), noisy)
        sheet.at += 1

    def _cell(self, at: int, cell: PrintedCell, has_ranks: bool) -> None:
        sheet = self._sheet
        main, *beside = cell.figures
        margin = "" if has_ranks else main.half_width
        for place, text in enumerate((main.value, margin, *(one.value for one in beside))):
            if text:
                look = sheet.looks.number(text, "number", "", cell.is_noisy)
                sheet.figure(at + place, text, text, "number", look)
        if has_ranks:
            sheet.cell(at + 1, cell.margin)

    def _noisy(self, cells: Sequence[PrintedCell]) -> str:
        """Which of its columns are too noisy to use."""
        pairs = zip(self._table.columns, cells, strict=False)
        columns = [column for column, cell in pairs if cell.is_noisy]
        if not columns:
            return ""
        return self._say(_NOISY_IN, note=self._say(TOO_NOISY), columns=", ".join(columns))
