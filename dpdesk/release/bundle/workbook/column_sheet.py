# SPDX-License-Identifier: Apache-2.0
"""The sheet that says what the columns of the sheets of data are, and what is abbreviated.

Heads of data are the names of the CSV files, which programs read in every language.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import zip_longest
from textwrap import wrap
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.release.bundle.metadata.datapackage import meaning_of
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.report.printed_columns import TOO_NOISY, column_heading
from dpdesk.release.bundle.workbook.reading_sheet import ReadingSheet
from dpdesk.release.bundle.workbook.reading_sheets import DATA, TableSheets

_ABOUT: Final[Template] = (
    "Sheets of data have the heads of their CSV files, which are alike in every language. Of "
    "“too_noisy” “yes” means “{too_noisy}”."
)
_COLUMN: Final[Template] = "Column"
_CALLED: Final[Template] = "Called"
_MEANING: Final[Template] = "Meaning"
_NOISY_NUMBER: Final[Template] = "Noisy number"
_ABBREVIATIONS: Final[Template] = "Abbreviations"
_SPELT: Final[tuple[tuple[Template, Template], ...]] = (
    ("n", "how many a figure is of"),
    (
        "± 95 %",
        "margin of the privacy noise: the exact figure is within it in at least 95 of 100 releases",
    ),
    ("p", "p-value: how often noise and chance alone would make as large a difference"),
    ("Q1 to Q4", "first to fourth quarter of a year"),
    ("D1, D2, …", "sheets of data, each with the number of the sheet that people read"),
    ("CSV", "comma-separated values: a table as plain text, one line a row"),
)
_WIDE, _MEANS = 40, 100
"""Signs of a line of a column, and of what it means."""


def write_columns(
    sheet: ReadingSheet,
    title: str,
    questions: Iterable[TableSheets],
    words: ReleaseWords,
    contents: str,
) -> None:
    """One line for each kind of column, with its names and the sheets that have it.

    Args:
        contents: name of the sheet that leads to all others.
    """
    say = words.say
    asked = say(_ABOUT, too_noisy=say(TOO_NOISY))
    sheet.top(title, asked, ((contents, f"← {contents}"),))
    sheet.heads([*map(say, (_COLUMN, _CALLED, DATA, _MEANING))], [False] * 4)
    for (called, meaning), told in _columns(questions, words).items():
        names, sheets = (", ".join(dict.fromkeys(of)) for of in zip(*told, strict=True))
        own = names, called, sheets
        cells = (wrap(cell, _WIDE) for cell in own)
        for *texts, said in zip_longest(*cells, wrap(meaning, _MEANS), fillvalue=""):
            for place, text in enumerate(texts):
                sheet.cell(place, text)
            sheet.note(3, said)
            sheet.at += 1
    sheet.at += 1
    sheet.line((say(_ABBREVIATIONS),), sheet.looks.bold)
    for term, spelt in ([say(text) for text in pair] for pair in _SPELT):
        sheet.beside(term, spelt)
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
            told = called if is_named else words.say(_NOISY_NUMBER)
            found.setdefault((told, meaning_of(column.role, words)), []).append(
                (column.name, sheet)
            )
    return found
