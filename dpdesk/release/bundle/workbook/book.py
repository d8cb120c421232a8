# SPDX-License-Identifier: Apache-2.0
"""The workbook as a whole: its cover, which leads to every table, and its sheets in their order.

Nothing in it is evaluated: no formula, macro or name, and no link that leaves it. Figures are
numbers where a spreadsheet holds them exactly, else texts, as is every other cell. The writer's
own zip is packed again as the bundle is, so the same tables give the same bytes with every version
of zlib.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, Final

from dpdesk.catalogue import Template
from dpdesk.privacy.published_tables import Table
from dpdesk.release.bundle.baseline.released import ReleasedBaseline, is_in_baseline
from dpdesk.release.bundle.bundle_zip import pack
from dpdesk.release.bundle.query_headings import form_of_release, period_of, totals_of_release
from dpdesk.release.bundle.release_text import ReleaseText
from dpdesk.release.bundle.report.charted_queries import charted_queries
from dpdesk.release.bundle.report.printed_columns import TOO_NOISY
from dpdesk.release.bundle.report.release_report import method_sections
from dpdesk.release.bundle.workbook.baseline_sheet import write_baseline
from dpdesk.release.bundle.workbook.cells import sheet_names
from dpdesk.release.bundle.workbook.data_sheets import write_data
from dpdesk.release.bundle.workbook.looks import Looks
from dpdesk.release.bundle.workbook.method_sheet import write_method
from dpdesk.release.bundle.workbook.reading_sheets import (
    ReadingSheet,
    TableSheets,
    write_key_figures,
    write_question,
)
from dpdesk.study.text.number_text import in_column

MOST_LINES = 20_000
"""Lines of all sheets of data: writing more takes longer than checking the rest of a bundle."""
MOST_READ = 1_000
"""Lines of one sheet that people read."""

_CONTENTS: Final[Template] = "Contents"
_KEY_FIGURES: Final[Template] = "Key figures"
_DATA: Final[Template] = "Data {n}"
_METHOD: Final[Template] = "Method"
_MADE: Final[Template] = "How the figures were made: bounds, rules, noise, budget, signature"
_FOR_PROGRAMS: Final[Template] = "Sheets of data, for programs"
_READ: Final[Template] = "How to read this"
_CHECK: Final[Template] = "Check the signature"
_RELEASED: Final[Template] = "{who}. Release of {day}."
_READING: Final[tuple[Template, ...]] = (
    "The noise that protects people is already in every figure. In at least 95 of 100 releases "
    "the exact figure is within the given margin, ± 95 %. {exact}",
    "“{too_noisy}”: noise hides the figure. It stays in its table, so that totals stay true.",
    "Sheets named Data are for programs: each is the CSV file of one table.",
)
_SAVED_AGAIN: Final[Template] = (
    "manifest.json is signed; README.txt says how to check that. A copy of this workbook that was "
    "saved again no longer matches the signature."
)
_LEFT_OUT: Final[Template] = "This table has {count} lines: see {file}."
_OPTIONS = {
    "in_memory": True,
    "strings_to_formulas": False,
    "strings_to_numbers": False,
    "strings_to_urls": False,
}


def workbook_bytes(
    text: ReleaseText, tables: Sequence[Table], baselines: Sequence[ReleasedBaseline] = ()
) -> bytes:
    """The workbook of a release.

    Args:
        tables: its tables, in the order of its queries.
        baselines: its Table 1s, which are read on sheets of their own.
    """
    stream = io.BytesIO()
    book = load_writer()(stream, _OPTIONS)
    book.set_properties({"title": text.title, "created": datetime(1980, 1, 1)})
    _Book(book, text, tables, baselines).write()
    book.close()
    with zipfile.ZipFile(stream) as archive:
        return pack({name: archive.read(name) for name in archive.namelist()})


def load_writer() -> Any:
    """The library's workbook; loading it takes a moment, and few commands write one."""
    from xlsxwriter import Workbook

    return Workbook


class _Book:
    """One workbook while it is written."""

    def __init__(
        self,
        book: Any,
        text: ReleaseText,
        tables: Sequence[Table],
        baselines: Sequence[ReleasedBaseline],
    ) -> None:
        self._book, self._text, self._say = book, text, text.words.say
        self._baselines = baselines
        self._looks = Looks(book)
        self._contents, self._key = self._say(_CONTENTS), self._say(_KEY_FIGURES)
        self._method = self._say(_METHOD)
        self._questions = tuple(self._requested(tables))
        # Numbered as in the report: key figures and parts of a Table 1 have no sheet of their own.
        self._read = [one for one in self._questions if self._is_read(one)]
        titles = (one.heading.title for one in self._read)
        names = sheet_names([*(one.printed.name for one in baselines), *titles])
        self._names = names[: len(baselines)]
        self._name_of = dict(
            zip((one.query.id for one in self._read), names[len(baselines) :], strict=True)
        )

    def _requested(self, tables: Sequence[Table]) -> Iterator[TableSheets]:
        headings = self._text.headings
        for i, charted in enumerate(charted_queries(self._text, tables)):
            data = self._say(_DATA, n=str(i + 1))
            yield TableSheets(charted, headings[charted.query.id], self._text, data)

    def write(self) -> None:
        """Cover, key figures, questions, data; links lead to sheets that come later."""
        self._write_cover(self._sheet(self._contents))
        keys = [one for one in self._questions if one.key_figure and not self._is_in_baseline(one)]
        if keys:
            write_key_figures(self._sheet(self._key), self._key, keys, self._contents)
        for name, baseline in zip(self._names, self._baselines, strict=False):
            write_baseline(self._sheet(name), baseline.printed, self._text.words, self._contents)
        for question in self._read:
            sheet = self._sheet(self._name_of[question.query.id])
            write_question(sheet, question, self._contents, MOST_READ)
        method = self._sheet(self._method)
        write_method(method, self._method, method_sections(self._text), self._contents)
        left = MOST_LINES
        for question in self._questions:
            left = self._write_data(question, left)

    def _is_read(self, question: TableSheets) -> bool:
        """Whether people read it on a sheet of its own."""
        return not question.key_figure and not self._is_in_baseline(question)

    def _is_in_baseline(self, question: TableSheets) -> bool:
        """Whether it is read in a Table 1, and has a sheet of data alone."""
        study = self._text.release.record.study.study
        return is_in_baseline(study, question.query, self._baselines)

    def _sheet(self, name: str) -> ReadingSheet:
        return ReadingSheet(self._page(name), self._looks)

    def _page(self, name: str) -> Any:
        """A sheet that is printed on A4, and no wider."""
        sheet = self._book.add_worksheet(name)
        sheet.set_paper(9)
        sheet.set_landscape()
        sheet.fit_to_pages(1, 0)
        return sheet

    def _write_data(self, question: TableSheets, left: int) -> int:
        """The sheet of data of one query; how many lines the others may have."""
        sheet, lines = self._page(question.data), len(question.table.rows)
        if lines > left:
            count = in_column(str(lines), self._text.words.numbers)
            sheet.write_string(0, 0, self._say(_LEFT_OUT, count=count, file=question.file))
            return left
        write_data(sheet, question.table, question.query, self._looks)
        return left - lines

    def _write_cover(self, sheet: ReadingSheet) -> None:
        sheet.line((self._text.title,), self._looks.title)
        sheet.line((self._released(),), self._looks.quiet)
        for fact in period_of(self._text.release.record.study.study, self._text.words):
            sheet.line((": ".join(fact),), self._looks.quiet)
        sheet.at += 1
        sheet.line((self._say(_READ),), self._looks.bold)
        for sentence in self._reading():
            sheet.paragraph(sentence)
        sheet.at += 1
        self._write_contents(sheet)
        sheet.line((self._say(_CHECK),), self._looks.bold)
        sheet.paragraph(self._say(_SAVED_AGAIN))
        sheet.at += 1
        self._write_data_sheets(sheet)
        sheet.fit()

    def _released(self) -> str:
        record = self._text.release.record
        who = record.study.text("organisation") or self._text.release.signer.identity
        return self._say(_RELEASED, who=who, day=self._text.words.day(record.time))

    def _reading(self) -> Iterator[str]:
        noisy = self._say(TOO_NOISY)
        for sentence in _READING:
            yield self._say(sentence, exact=self._text.exact, too_noisy=noisy)
        if self._text.counted:
            yield self._text.counted
        if totals := totals_of_release(self._text.release.record, self._text.words):
            yield totals
        if form := form_of_release([one.table for one in self._questions], self._text.words):
            yield form

    def _write_contents(self, sheet: ReadingSheet) -> None:
        """What is on each sheet that people read."""
        say = self._say
        heads = (say("Sheet"), say("What it shows"), say("Unit"), say("Figures"), say("File"))
        sheet.heads(heads, (False, False, False, True, False))
        for name, baseline in zip(self._names, self._baselines, strict=False):
            printed = baseline.printed
            count = sum(len(cell.figures) for row in printed.rows for cell in row.cells)
            figures = str(count + len(printed.heads))
            self._write_entry(sheet, name, printed.title, "", figures, next(iter(baseline.files)))
        for question in self._questions:
            if not self._is_in_baseline(question):
                name = self._name_of.get(question.query.id, self._key)
                lines, title = str(len(question.table.rows)), question.heading.title
                self._write_entry(sheet, name, title, question.unit, lines, question.file)
        self._write_entry(sheet, self._method, say(_MADE), "", "", "")
        sheet.at += 1

    def _write_data_sheets(self, sheet: ReadingSheet) -> None:
        """Which table each sheet for programs has."""
        sheet.line((self._say(_FOR_PROGRAMS),), self._looks.bold)
        for question in self._questions:
            sheet.cell(1, question.heading.title)
            sheet.cell(4, question.file)
            sheet.link(0, question.data, question.data)

    def _write_entry(
        self, sheet: ReadingSheet, name: str, title: str, unit: str, figures: str, file: str
    ) -> None:
        sheet.cell(1, title)
        sheet.cell(2, unit)
        if figures:
            sheet.figure(3, figures, figures, "number", self._looks.number(figures, "number"))
        sheet.cell(4, file)
        sheet.link(0, name, name)
