# SPDX-License-Identifier: Apache-2.0
"""The workbook as a whole: its cover, which leads to every table, and its sheets in their order.

Nothing in it is evaluated: no formula or macro, no name but those of the lines that printed pages
repeat, and no link that leaves it. Figures are numbers where a spreadsheet holds them exactly, else
texts, as is every other cell. The writer's own zip is packed again as the bundle is, so the same
tables give the same bytes with every version of zlib.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from dpdesk.catalogue import Template
from dpdesk.privacy.published_tables import Table
from dpdesk.release.bundle.baseline.released import ReleasedBaseline, is_in_baseline
from dpdesk.release.bundle.bundle_zip import pack
from dpdesk.release.bundle.query_headings import form_of_release, period_of, totals_of_release
from dpdesk.release.bundle.release_text import ReleaseText
from dpdesk.release.bundle.report.baseline_section import other_shares
from dpdesk.release.bundle.report.charted_queries import charted_queries
from dpdesk.release.bundle.report.printed_columns import TOO_NOISY
from dpdesk.release.bundle.report.release_report import method_sections
from dpdesk.release.bundle.workbook.baseline_sheet import write_baseline
from dpdesk.release.bundle.workbook.column_sheet import write_columns
from dpdesk.release.bundle.workbook.data_sheets import write_data
from dpdesk.release.bundle.workbook.looks import Looks
from dpdesk.release.bundle.workbook.method_sheet import write_method
from dpdesk.release.bundle.workbook.own_totals import QUOTED, OwnTotals
from dpdesk.release.bundle.workbook.reading_sheet import ReadingSheet
from dpdesk.release.bundle.workbook.reading_sheets import (
    DATA,
    TableSheets,
    write_key_figures,
    write_question,
)
from dpdesk.release.bundle.workbook.sheet_names import CROSSED, SMALL_WORDS, data_names, sheet_names
from dpdesk.release.record.table_names import part_columns
from dpdesk.study.text.number_text import in_column

MOST_LINES = 20_000
"""Lines of all sheets of data: writing more takes longer than checking the rest of a bundle."""
MOST_READ = 1_000
"""Lines of one sheet that people read."""

_CONTENTS: Final[Template] = "Contents"
_KEY_FIGURES: Final[Template] = "Key figures"
_METHOD: Final[Template] = "Method"
_COLUMNS: Final[Template] = "Columns"
_EXPLAINED: Final[Template] = "What the columns of the sheets of data are; abbreviations"
_MADE: Final[Template] = "How the figures were made: bounds, rules, noise, budget, signature"
_PARTS: Final[Template] = "Other sheets of data: parts of the tables above, as drawn"
_READ: Final[Template] = "How to read this"
_CHECK: Final[Template] = "Check the signature"
_RELEASED: Final[Template] = "{who}. Release of {day}."
_READING: Final[tuple[Template, ...]] = (
    "The noise that protects people is already in every figure. In at least 95 of 100 releases "
    "the exact figure is within the given margin, ± 95 %. {exact}",
    "“{too_noisy}”: noise hides the figure. It stays in its table, so that totals stay true.",
    "Sheets whose names begin with D and a number are for programs: each is the CSV file of one "
    "table, and has the number of its table. The sheet “{columns}” says what their columns are.",
)
_POPULATION: Final[Template] = (
    "Where a figure has a range for the population, quote that range: it counts chance (sampling), "
    "too. The population are all whom those counted are a sample of, not the inhabitants."
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
        self._method, self._columns = self._say(_METHOD), self._say(_COLUMNS)
        charted = charted_queries(text, tables)
        totals = OwnTotals(text, [one.table for one in charted])
        asked = [TableSheets(one, text.headings[one.query.id], text, totals) for one in charted]
        # Numbered as in the report: key figures and parts of a Table 1 have no sheet of their own.
        read = [one for one in asked if self._is_read(one)]
        titles = [*(one.printed.name for one in baselines), *(one.heading.title for one in read)]
        names = sheet_names(titles, frozenset(self._say(SMALL_WORDS).split()))
        self._names = names[: len(baselines)]
        self._name_of = dict(
            zip((one.query.id for one in read), names[len(baselines) :], strict=True)
        )
        taken = (self._contents, self._key, self._method, self._columns, *names)
        data = data_names({one.query.id: self._called(one) for one in asked}, taken, text.words)
        self._beside, elsewhere = self._other_shares(asked)
        self._questions = [
            replace(one, data=data[one.query.id], beside=elsewhere.get(one.query.id, ""))
            for one in asked
        ]

    def _other_shares(
        self, asked: Sequence[TableSheets]
    ) -> tuple[list[tuple[str, ...]], dict[str, str]]:
        """Where other per cent of the same columns are, by the names of their sheets.

        Returns:
            What is said below each Table 1, and below questions, by their ids.
        """
        quoted = {
            self._say(QUOTED, text=self._name_of[one.query.id]): one.charted
            for one in asked
            if one.query.id in self._name_of
        }
        here, there = list[tuple[str, ...]](), dict[str, str]()
        for name, baseline in zip(self._names, self._baselines, strict=False):
            own = self._say(QUOTED, text=name)
            below, others = other_shares(baseline, own, quoted, self._text.words)
            here.append(below)
            there |= {quoted[place].query.id: said for place, said in others.items()}
        return here, there

    def _called(self, question: TableSheets) -> tuple[str, str]:
        """The number of the sheet that people read a table on, and what the table is called."""
        number = self._name_of.get(question.query.id, "").partition(" ")[0]
        study = self._text.release.record.study.study
        asked = None if study is None else study.query(question.query.id)
        if study is None or asked is None or asked.component is None:
            return number, question.heading.title
        ids = [one.printed.id for one in self._baselines]
        if asked.component.table in ids:
            number = str(1 + ids.index(asked.component.table))
        return number, CROSSED.join(part_columns(study, asked)) or question.heading.title

    def write(self) -> None:
        """Cover, key figures, questions, data; links lead to sheets that come later."""
        self._write_cover(self._sheet(self._contents))
        keys = [one for one in self._questions if one.key_figure and not self._is_in_baseline(one)]
        if keys:
            write_key_figures(self._sheet(self._key), self._key, keys, self._contents)
        tables = zip(self._names, self._baselines, self._beside, strict=True)
        for name, baseline, beside in tables:
            sheet, words = self._sheet(name), self._text.words
            write_baseline(sheet, baseline.printed, words, self._contents, beside)
        for question in (one for one in self._questions if self._is_read(one)):
            sheet = self._sheet(self._name_of[question.query.id])
            write_question(sheet, question, self._contents, MOST_READ)
        method = self._sheet(self._method)
        write_method(method, self._method, method_sections(self._text), self._contents)
        columns, words = self._sheet(self._columns), self._text.words
        write_columns(columns, self._columns, self._questions, words, self._contents)
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
        return ReadingSheet(self._page(name), self._looks, self._say)

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
        write_data(sheet, question.table, question.query, self._looks, self._contents)
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
        self._write_parts(sheet)
        sheet.line((self._say(_CHECK),), self._looks.bold)
        sheet.paragraph(self._say(_SAVED_AGAIN))
        sheet.fit()

    def _released(self) -> str:
        record = self._text.release.record
        who = record.study.text("organisation") or self._text.release.signer.identity
        return self._say(_RELEASED, who=who, day=self._text.words.day(record.time))

    def _reading(self) -> Iterator[str]:
        noisy = self._say(TOO_NOISY)
        for sentence in _READING:
            yield self._say(
                sentence, exact=self._text.exact, too_noisy=noisy, columns=self._columns
            )
        if any(one.has_chance for one in self._questions):
            yield self._say(_POPULATION)
        if self._text.counted:
            yield self._text.counted
        if totals := totals_of_release(self._text.release.record, self._text.words):
            yield totals
        if form := form_of_release([one.table for one in self._questions], self._text.words):
            yield form
        yield self._text.other_release

    def _write_contents(self, sheet: ReadingSheet) -> None:
        """What is on each sheet that people read, and where programs find the same."""
        say = self._say
        heads = (say("Sheet"), say("What it shows"), say("Unit"), say("Figures"))
        sheet.heads_below(
            (*heads, say(DATA), say("File")), (False, False, False, True, False, False)
        )
        asked = [one for one in self._questions if not self._is_in_baseline(one)]
        for question in (one for one in asked if one.key_figure):
            self._write_entry(sheet, self._key, question)
        for name, baseline in zip(self._names, self._baselines, strict=False):
            printed = baseline.printed
            count = sum(len(cell.figures) for row in printed.rows for cell in row.cells)
            figures, file = str(count + len(printed.heads)), next(iter(baseline.files))
            self._write_line(sheet, name, (printed.title, printed.counted, figures, file))
        for question in (one for one in asked if not one.key_figure):
            self._write_entry(sheet, self._name_of[question.query.id], question)
        self._write_line(sheet, self._method, (say(_MADE), "", "", ""))
        self._write_line(sheet, self._columns, (say(_EXPLAINED), "", "", ""))
        sheet.at += 1

    def _write_entry(self, sheet: ReadingSheet, name: str, question: TableSheets) -> None:
        lines = str(len(question.table.rows))
        sheet.link(4, question.data, question.data)
        entry = (question.heading.title, question.unit, lines, question.file)
        self._write_line(sheet, name, entry)

    def _write_line(self, sheet: ReadingSheet, name: str, entry: tuple[str, str, str, str]) -> None:
        """What a sheet shows, its unit, how many figures, and its file."""
        title, unit, figures, file = entry
        sheet.link(0, name, name)
        sheet.cell(1, title)
        sheet.cell(2, unit)
        if figures:
            sheet.figure(3, figures, figures, "number", self._looks.number(figures, "number"))
        sheet.cell(5, file)
        sheet.at += 1

    def _write_parts(self, sheet: ReadingSheet) -> None:
        """The sheets of data of what is read in a Table 1."""
        parts = [one for one in self._questions if self._is_in_baseline(one)]
        if not parts:
            return
        sheet.line((self._say(_PARTS),), self._looks.bold)
        for question in parts:
            sheet.cell(1, question.heading.title)
            sheet.link(4, question.data, question.data)
            sheet.cell(5, question.file)
            sheet.at += 1
        sheet.at += 1
