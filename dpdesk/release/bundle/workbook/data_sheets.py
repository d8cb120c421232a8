# SPDX-License-Identifier: Apache-2.0
"""The sheets that programs read: each the CSV file of one query, and the cells of charts.

A chart of a spreadsheet draws columns of cells. Those that are in no table are on a sheet of their
own behind all others, as nobody needs them to read a figure.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from dpdesk.catalogue import Template
from dpdesk.privacy.published_tables import Table
from dpdesk.release.bundle.query_headings import WORDS, ReleaseWords
from dpdesk.release.bundle.readable import NUMBERS, cell_writer, forms_of
from dpdesk.release.bundle.workbook.cells import MOST_SIGNS, Published, is_kept, shown_unit
from dpdesk.release.bundle.workbook.looks import Looks
from dpdesk.release.bundle.workbook.reading_sheet import ReadingSheet
from dpdesk.release.record.values import ReleasedQuery

_LEAST_WIDTH, _MOST_WIDTH, _MEASURED = 10, 40, 200
_ABOUT: Final[Template] = (
    "The charts of this workbook draw these cells. For people each figure is in its table, on the "
    "sheet of the chart."
)

Block: TypeAlias = Callable[[ReadingSheet], Any]
"""Writes the cells of a chart, and makes the chart, which is on no sheet yet."""


@dataclass
class ChartCells:
    """The cells of all charts, which are written when every other sheet is."""

    _blocks: list[tuple[ReadingSheet, int, str, Block]] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self._blocks)

    def keep(self, sheet: ReadingSheet, line: int, description: str, block: Block) -> None:
        """The chart of a sheet.

        Args:
            line: where room was left for it.
            description: what it is for those who do not see it.
        """
        self._blocks.append((sheet, line, description, block))

    def write(self, cells: ReadingSheet, title: str, contents: str, words: ReleaseWords) -> None:
        """The sheet of them, each block below the name of the sheet that has the chart.

        Args:
            contents: name of the sheet that leads to all others.
        """
        cells.top(title, words.say(_ABOUT), ((contents, f"← {contents}"),))
        cells.keep_in_view()
        for sheet, line, description, block in self._blocks:
            cells.at += 1
            cells.link(0, sheet.name, sheet.name)
            cells.at += 1
            sheet.chart(block(cells), description, line)
        cells.fit()


def write_data(
    sheet: Any,
    table: Table,
    query: ReleasedQuery,
    looks: Looks,
    contents: str,
    words: ReleaseWords,
) -> None:
    """The table of one query as its CSV file has it; numbers show their declared unit.

    What bins are called is in the language of the workbook, where that is not the file's.

    The first head is the way back, as no cell may be added to what programs read.

    Args:
        contents: name of the sheet that leads to all others.
    """
    forms = forms_of(table, query)
    units = [shown_unit(column.unit) for column in table.columns]
    write_bins = str if words.code == WORDS.code else cell_writer("bins", words)
    for place, column in enumerate(table.columns):
        if place == 0:
            sheet.write_url(0, place, f"internal:'{contents}'!A1", looks.link, contents)
        look = looks.bold_link if place == 0 else looks.bold_head(forms[place] in NUMBERS)
        sheet.write_string(0, place, column.name[:MOST_SIGNS], look)
    for number, row in enumerate(table.rows, start=1):
        for place, (text, form, unit) in enumerate(zip(row, forms, units, strict=True)):
            if form in NUMBERS and is_kept(text):
                sheet.write_number(number, place, Published(text), looks.plain(text, form, unit))
            elif text:
                written = write_bins(text) if form == "bins" else text
                sheet.write_string(number, place, written[:MOST_SIGNS])
    sheet.freeze_panes(1, 0)
    sheet.repeat_rows(0)
    for place, column in enumerate(table.columns):
        widest = max((len(row[place]) for row in table.rows[:_MEASURED]), default=0)
        signs = max(len(column.name), widest + len(units[place])) + 2
        sheet.set_column(place, place, max(_LEAST_WIDTH, min(signs, _MOST_WIDTH)))
