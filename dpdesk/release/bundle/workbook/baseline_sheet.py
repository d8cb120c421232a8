# SPDX-License-Identifier: Apache-2.0
"""The sheet of a Table 1: a line for each kind of figure, with its unit; two columns a group.

On paper a cell says three figures at once. Here every figure is a number of its own, beside its
margin, and all figures of a line are of one kind and one unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.release.bundle.baseline.layout import ShownFigure
from dpdesk.release.bundle.baseline.printed import PrintedRow, PrintedTable, rank_text
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.readable import cell_writer, within
from dpdesk.release.bundle.report.printed_columns import NOTE, TOO_NOISY
from dpdesk.release.bundle.workbook.reading_sheet import ReadingSheet
from dpdesk.study.model.baseline.declared import Figures
from dpdesk.study.text.number_text import PLUS_MINUS

_INNER = "\N{NO-BREAK SPACE}" * 3
_MISSING: Final[Template] = "Missing"
_NUMBERS: Final[dict[Figures, tuple[tuple[Template, int], ...]]] = {
    "moments": (("Mean", 0), ("Standard deviation", 1)),
    "quantiles": (("Lower quartile", 1), ("Median", 0), ("Upper quartile", 2)),
}
"""What the figures of a cell are called, in the order of their lines, each with its place."""
_EITHER: Final[Template] = "± or range, 95 %"
_OF_N: Final[Template] = "% of n"
_OF_SUM: Final[Template] = "% of their sum"
_NOISY_IN: Final[Template] = "{note}: {columns}"


@dataclass(frozen=True)
class _Line:
    """One line.

    Attributes:
        figures: one a column; none of a heading.
        has_ranks: whether margins are those of ranks.
    """

    stub: str
    unit: str = ""
    figures: tuple[ShownFigure, ...] = ()
    has_ranks: bool = False


def write_baseline(
    sheet: ReadingSheet,
    table: PrintedTable,
    words: ReleaseWords,
    contents: str,
    beside: Iterable[str] = (),
) -> None:
    """One table.

    Args:
        contents: name of the sheet that leads to all others.
        beside: where else per cent of its characteristics are, and how they differ.
    """
    sheet.top(table.title, "", ((contents, f"← {contents}"),))
    _Baseline(sheet, table, words).write()
    sheet.notes((*beside, *table.notes_of_each))
    sheet.fit()


class _Baseline:
    """A table while it is written."""

    def __init__(self, sheet: ReadingSheet, table: PrintedTable, words: ReleaseWords) -> None:
        self._sheet, self._table, self._words, self._say = sheet, table, words, words.say

    def write(self) -> None:
        has_ranks = any(row.has_ranks for row in self._table.rows)
        margin = self._say(_EITHER) if has_ranks else f"{PLUS_MINUS} 95 %"
        columns = self._table.columns
        heads = [self._say("Figure"), self._say("Unit")]
        heads += [head for column in columns for head in (column, margin)]
        are_numbers = [False, False, *(True for _head in heads[2:])]
        self._sheet.heads([*heads, self._say(NOTE)], [*are_numbers, False])
        self._write(
            _Line("n", self._table.counted, self._of(PrintedRow("n", self._table.heads), 0))
        )
        for _place, rows in groupby(self._table.rows, key=lambda row: row.heading):
            for line in self._lines(list(rows)):
                self._write(line)

    def _lines(self, rows: Sequence[PrintedRow]) -> Iterator[_Line]:
        """A heading, how many, what per cent, then numbers."""
        yield _Line(rows[0].heading)
        counted = [row for row in rows if row.figures in ("counts", "missing") and row.cells]
        for place in (0, 1):
            for row in counted:
                stub = self._say(_MISSING) if row.figures == "missing" else row.stub
                unit = self._share_of(row) if place else self._table.counted
                yield _Line(f"{_INNER}{stub}", unit, self._of(row, place))
        for row in rows:
            for name, place in _NUMBERS.get(row.figures, ()):
                stub = f"{_INNER}{self._say(name)}"
                yield _Line(stub, row.unit, self._of(row, place), row.has_ranks)

    def _share_of(self, row: PrintedRow) -> str:
        """What a row's per cent are of."""
        is_of_all = self._table.adds_up or row.figures == "missing"
        return self._say(_OF_N if is_of_all else _OF_SUM)

    def _of(self, row: PrintedRow, place: int) -> tuple[ShownFigure, ...]:
        none = ShownFigure("", "")
        return tuple(
            cell.figures[place] if place < len(cell.figures) else none for cell in row.cells
        )

    def _write(self, line: _Line) -> None:
        sheet = self._sheet
        if not line.figures:
            sheet.line((line.stub,), sheet.looks.bold)
            return
        sheet.cell(0, line.stub)
        sheet.cell(1, line.unit)
        for place, figure in enumerate(line.figures):
            self._write_figure(2 + 2 * place, figure, line.has_ranks)
        sheet.note(2 + 2 * len(self._table.columns), self._noisy(line.figures))
        sheet.at += 1

    def _write_figure(self, at: int, figure: ShownFigure, has_ranks: bool) -> None:
        sheet, margin = self._sheet, "" if has_ranks else figure.half_width
        write = cell_writer("number", self._words)
        for place, text in enumerate((figure.value, margin)):
            if text:
                look = sheet.looks.number(text, "number", "", figure.is_noisy)
                sheet.figure(at + place, text, text, "number", look)
        if has_ranks and all(figure.ends):
            low, high = map(write, figure.ends)
            sheet.text_of_figure(at + 1, within(low, high, self._words))
        elif has_ranks:
            sheet.text_of_figure(at + 1, rank_text(figure, self._words))

    def _noisy(self, figures: Sequence[ShownFigure]) -> str:
        """Which of its columns are too noisy to use."""
        pairs = zip(self._table.columns, figures, strict=False)
        return noisy_in((column for column, figure in pairs if figure.is_noisy), self._words)


def noisy_in(columns: Iterable[str], words: ReleaseWords) -> str:
    """The note of a line whose figures in some columns are too noisy to use; may be empty."""
    named = ", ".join(columns)
    return words.say(_NOISY_IN, note=words.say(TOO_NOISY), columns=named) if named else ""
