# SPDX-License-Identifier: Apache-2.0
"""The sheet before those that programs read: which there are, and what their columns are.

Heads of data are the names of the CSV files, which programs read in every language.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import zip_longest
from textwrap import wrap
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.release.bundle.metadata.datapackage import meaning_of
from dpdesk.release.bundle.query_headings import WORDS, ReleaseWords
from dpdesk.release.bundle.report.printed_columns import TOO_NOISY, column_heading
from dpdesk.release.bundle.workbook.reading_sheet import ReadingSheet
from dpdesk.release.bundle.workbook.reading_sheets import DATA, TableSheets

_ABOUT: Final[Template] = (
    "From here on, sheets are for programs. One whose name begins with D and a number is the CSV "
    "file of a table, and has the number of its table. Its heads are alike in every language: of "
    "“too_noisy” “yes” means “{too_noisy}”."
)
_BINS: Final[Template] = (
    "Ages and other bins are called in the language of this workbook; in the CSV files, which "
    "programs read, they are English in every language: “15 to 29”."
)
_LINES: Final[Template] = "Lines"
_FILE: Final[Template] = "File"
_COLUMNS: Final[Template] = "Columns of the sheets of data"
_CELLS: Final[Template] = "The cells that the charts draw"
_COLUMN: Final[Template] = "Column"
_CALLED: Final[Template] = "Called"
_MEANING: Final[Template] = "Meaning"
_NOISY_NUMBER: Final[Template] = "Noisy number"
_WIDE, _MEANS = 40, 100
"""Signs of a line of a column, and of what it means."""


def write_index(
    sheet: ReadingSheet,
    title: str,
    questions: Sequence[TableSheets],
    words: ReleaseWords,
    names: tuple[str, str],
) -> None:
    """Each sheet of data with its file, then what their columns are.

    Args:
        names: of the sheet that leads to all others, and of that of the cells of charts, which
            may be empty.
    """
    say, (contents, cells) = words.say, names
    asked = say(_ABOUT, too_noisy=say(TOO_NOISY))
    if words.code != WORDS.code and any("bins" in one.forms for one in questions):
        asked = f"{asked} {say(_BINS)}"
    left = sheet.top(title, asked, ((contents, f"← {contents}"),))
    sheet.keep_in_view()
    sheet.heads_below([*map(say, ("Sheet", "What it shows", _FILE, _LINES))], [False] * 3 + [True])
    for question in questions:
        lines = str(len(question.table.rows))
        sheet.link(0, question.data, question.data)
        sheet.cell(1, question.heading.title)
        sheet.cell(2, question.file)
        sheet.figure(3, lines, lines, "number", sheet.looks.number(lines, "number"))
        sheet.at += 1
    if cells:
        sheet.link(0, cells, cells)
        sheet.cell(1, say(_CELLS))
        sheet.at += 1
    sheet.at += 1
    sheet.line((say(_COLUMNS),), sheet.looks.bold)
    sheet.heads_below([*map(say, (_COLUMN, _CALLED, DATA, _MEANING))], [False] * 4)
    for (called, meaning), columns in _columns(questions, words).items():
        named, sheets = (", ".join(dict.fromkeys(of)) for of in zip(*columns, strict=True))
        own = named, called, sheets
        texts_of = (wrap(cell, _WIDE) for cell in own)
        for *texts, said in zip_longest(*texts_of, wrap(meaning, _MEANS), fillvalue=""):
            for place, text in enumerate(texts):
                sheet.cell(place, text)
            sheet.note(3, said)
            sheet.at += 1
    sheet.notes(left)
    sheet.fit()


def _columns(
    questions: Iterable[TableSheets], words: ReleaseWords
) -> dict[tuple[str, str], list[tuple[str, str]]]:
    """The name and the sheet of each column, by what it is called and what it means."""
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for question in questions:
        sheet = question.data.partition(" ")[0]
        for column, form in zip(question.table.columns, question.forms, strict=True):
            plain = replace(column, unit="")
            shown = "number" if form in ("percent", "points") else form
            called = column_heading(plain, shown, question.text.names, words)
            is_named = called != column.name or column.role != "part"
            heading = called if is_named else words.say(_NOISY_NUMBER)
            found.setdefault((heading, meaning_of(column, words)), []).append((column.name, sheet))
    return found
