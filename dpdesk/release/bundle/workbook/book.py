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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from typing import Any, Final

from dpdesk.catalogue import Template
from dpdesk.privacy.published_tables import Table
from dpdesk.release.bundle.baseline.released import ReleasedBaseline, is_in_baseline
from dpdesk.release.bundle.bundle_zip import pack
from dpdesk.release.bundle.query_headings import form_of_release, period_of, totals_of_release
from dpdesk.release.bundle.release_text import ReleaseText
from dpdesk.release.bundle.report.baseline_section import other_shares
from dpdesk.release.bundle.report.charted_queries import charted_queries
from dpdesk.release.bundle.report.notes.comparable import comparable
from dpdesk.release.bundle.report.notes.main_findings import coverage, main_findings
from dpdesk.release.bundle.report.notes.query_notes import cautions
from dpdesk.release.bundle.report.printed_columns import TOO_NOISY
from dpdesk.release.bundle.report.release_report import method_sections
from dpdesk.release.bundle.report.report_blocks import Paragraph, Terms
from dpdesk.release.bundle.workbook.baseline_sheet import write_baseline
from dpdesk.release.bundle.workbook.column_sheet import write_index
from dpdesk.release.bundle.workbook.data_sheets import ChartCells, write_data
from dpdesk.release.bundle.workbook.looks import DATA_TAB, READ_TAB, Looks
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
from dpdesk.study.text.number_text import PLUS_MINUS, in_column

MOST_LINES = 20_000
"""Lines of all sheets of data: writing more takes longer than checking the rest of a bundle."""
MOST_READ = 1_000
"""Lines of one sheet that people read."""

_CONTENTS: Final[Template] = "Contents"
_KEY_FIGURES: Final[Template] = "Key figures"
_METHOD: Final[Template] = "Method"
_DRAWN: Final[Template] = "Chart cells"
_EXPLAINED: Final[Template] = (
    "For programs: {count} sheets of data, what their columns are, and what the charts draw"
)
_MADE: Final[Template] = (
    "How the figures were made: bounds, rules, noise, budget, signature; abbreviations"
)
_READ: Final[Template] = "How to read this"
_CHECK: Final[Template] = "Check the signature"
_RELEASED: Final[Template] = "{who}. Release of {day}."
_NOISE: Final[Template] = (
    "The noise that protects people is already in every figure. In at least 95 of 100 releases "
    "the exact figure is within the margin. {exact}"
)
_TOO_NOISY: Final[Template] = (
    "Noise hides the figure. It stays in its table, so that totals stay true."
)
_POPULATION: Final[Template] = (
    "Where a figure has a range for the population, quote that range: it counts chance (sampling), "
    "too. The population is the wider group that those counted represent, not the inhabitants. "
    "Where a range says “noise alone”, chance is not in it."
)
_WORDS_OF: Final[tuple[Template, ...]] = ("Population", "Counted", "Totals", "Release")
_NOTE_OF: Final[Template] = "Sheets: {sheets}"
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
        self._method, self._data = self._say(_METHOD), self._say(DATA)
        self._drawn, self._cells = self._say(_DRAWN), ChartCells()
        charted = charted_queries(text, tables)
        totals = OwnTotals(text, [one.table for one in charted])
        asked = [
            TableSheets(shown, text.headings[shown.query.id], text, totals, barred=barred)
            for shown, barred in map(comparable, charted)
        ]
        # Numbered as in the report: key figures and parts of a Table 1 have no sheet of their own.
        read = [one for one in asked if self._is_read(one)]
        titles = [*(one.printed.name for one in baselines), *(one.heading.title for one in read)]
        names = sheet_names(titles, frozenset(self._say(SMALL_WORDS).split()))
        self._names = names[: len(baselines)]
        self._name_of = dict(
            zip((one.query.id for one in read), names[len(baselines) :], strict=True)
        )
        taken = (self._contents, self._key, self._method, self._data, self._drawn, *names)
        data = data_names({one.query.id: self._called(one) for one in asked}, taken, text.words)
        self._beside, elsewhere = self._other_shares(asked)
        self._questions = [
            replace(one, data=data[one.query.id], beside=elsewhere.get(one.query.id, ""))
            for one in asked
        ]

    def _other_shares(
        self, asked: Sequence[TableSheets]
    ) -> tuple[list[tuple[str, ...]], dict[str, str]]:
        """Where the same columns have other denominators, by the names of their sheets.

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
        """Cover, what people read, then what programs read; links lead to later sheets, too."""
        common = self._common_notes()
        self._write_cover(self._sheet(self._contents), common)
        if self._keys:
            write_key_figures(self._sheet(self._key), self._key, self._keys, self._contents)
        tables = zip(self._names, self._baselines, self._beside, strict=True)
        for name, baseline, beside in tables:
            sheet, words = self._sheet(name), self._text.words
            write_baseline(sheet, baseline.printed, words, self._contents, beside)
        for question in self._read:
            sheet = self._sheet(self._name_of[question.query.id])
            write_question(sheet, self._cells, question, self._contents, MOST_READ)
        sections = method_sections(self._text)
        method = self._sheet(self._method)
        write_method(method, self._method, sections, self._contents, self._text.words)
        names = self._contents, self._drawn if self._cells else ""
        data = self._sheet(self._data, DATA_TAB)
        ordered = sorted(self._questions, key=lambda one: int(self._called(one)[0] or 0))
        write_index(data, self._data, ordered, self._text.words, names)
        left = MOST_LINES
        for question in ordered:
            left = self._write_data(question, left)
        if self._cells:
            cells = self._sheet(self._drawn, DATA_TAB)
            self._cells.write(cells, self._drawn, self._contents, self._text.words)

    @cached_property
    def _keys(self) -> list[TableSheets]:
        """The questions with a single figure."""
        return [one for one in self._questions if one.key_figure and not self._is_in_baseline(one)]

    @cached_property
    def _read(self) -> list[TableSheets]:
        """Those with a sheet of their own."""
        return [one for one in self._questions if self._is_read(one)]

    def _is_read(self, question: TableSheets) -> bool:
        """Whether people read it on a sheet of its own."""
        return not question.key_figure and not self._is_in_baseline(question)

    def _is_in_baseline(self, question: TableSheets) -> bool:
        """Whether it is read in a Table 1, and has a sheet of data alone."""
        study = self._text.release.record.study.study
        return is_in_baseline(study, question.query, self._baselines)

    def _sheet(self, name: str, tab: str = READ_TAB) -> ReadingSheet:
        return ReadingSheet(self._page(name, tab), self._looks, self._say)

    def _page(self, name: str, tab: str) -> Any:
        """A sheet that is printed on A4, and no wider.

        Args:
            tab: colour of what it is picked by.
        """
        sheet = self._book.add_worksheet(name)
        sheet.set_tab_color(tab)
        sheet.set_paper(9)
        sheet.set_landscape()
        sheet.fit_to_pages(1, 0)
        return sheet

    def _write_data(self, question: TableSheets, left: int) -> int:
        """The sheet of data of one query; how many lines the others may have."""
        sheet, lines = self._page(question.data, DATA_TAB), len(question.table.rows)
        if lines > left:
            count = in_column(str(lines), self._text.words.numbers)
            sheet.write_string(0, 0, self._say(_LEFT_OUT, count=count, file=question.file))
            return left
        words = self._text.words
        write_data(sheet, question.table, question.query, self._looks, self._contents, words)
        return left - lines

    def _write_cover(self, sheet: ReadingSheet, common: Mapping[str, Sequence[str]]) -> None:
        sheet.headline(self._text.title)
        sheet.line((self._released(),), self._looks.quiet)
        for fact in period_of(self._text.release.record.study.study, self._text.words):
            sheet.line((": ".join(fact),), self._looks.quiet)
        sheet.at += 1
        self._write_contents(sheet)
        self._write_findings(sheet)
        sheet.line((self._say(_READ),), self._looks.bold)
        for term, said in self._reading():
            sheet.beside(term, said)
        for note, sheets in common.items():
            sheet.beside(self._say(_NOTE_OF, sheets=", ".join(sheets)), note)
        sheet.beside(self._say(_CHECK), self._say(_SAVED_AGAIN))
        sheet.fit()

    def _write_findings(self, sheet: ReadingSheet) -> None:
        """What the report has on its first page: who is counted where, and its main findings."""
        text = self._text
        listed = {self._name_of[one.query.id].partition(" ")[0]: one.charted for one in self._read}
        of_baselines = {str(at): one.printed for at, one in enumerate(self._baselines, 1)}
        blocks = (
            *coverage(text, listed, of_baselines, "sheet"),
            *main_findings(text, listed, of_baselines, "sheet"),
        )
        for block in blocks:
            if isinstance(block, Terms):
                for term, said in block.pairs:
                    sheet.beside(term, said)
            elif isinstance(block, Paragraph):
                looks = self._looks
                sheet.paragraph(block.text, looks.bold if block.tone == "heading" else looks.quiet)
        sheet.at += 1 if blocks else 0

    def _released(self) -> str:
        record = self._text.release.record
        who = record.study.text("organisation") or self._text.release.signer.identity
        return self._say(_RELEASED, who=who, day=self._text.words.day(record.time))

    def _reading(self) -> Iterator[tuple[str, str]]:
        """What holds for every sheet, each with what it is about."""
        text, words = self._text, self._text.words
        population, counted, totals, release = map(self._say, _WORDS_OF)
        yield f"{PLUS_MINUS} 95 %", self._say(_NOISE, exact=text.exact)
        if any(one.has_chance for one in self._questions):
            yield population, self._say(_POPULATION)
        yield self._say(TOO_NOISY), self._say(_TOO_NOISY)
        if text.counted:
            yield counted, text.counted
        if said := totals_of_release(text.release.record, words):
            yield totals, said
        if form := form_of_release([one.table for one in self._questions], words):
            yield self._data, form
        yield release, text.other_release

    def _common_notes(self) -> dict[str, list[str]]:
        """The notes of several sheets, which the cover has in their place, with these sheets."""
        found: dict[str, list[str]] = {}
        for question in (*self._keys, *self._read):
            name = self._name_of.get(question.query.id)
            sheet = self._key if name is None else name.partition(" ")[0]
            stays = cautions(question.charted, self._text.names)
            for note in dict.fromkeys(one for one in question.notes if one not in stays):
                sheets = found.setdefault(note, [])
                sheets += [sheet] if sheet not in sheets else []
        common = {note: sheets for note, sheets in found.items() if len(sheets) > 1}
        said = self._text.counted
        on_cover = {one.heading.counted for one in self._questions if not one.has_own_limit}
        on_cover = on_cover if said else set()
        left = frozenset((*common, *on_cover))
        self._questions = [replace(one, left_to_cover=left) for one in self._questions]
        del self._keys, self._read
        return {note: sheets for note, sheets in common.items() if note not in on_cover}

    def _write_contents(self, sheet: ReadingSheet) -> None:
        """What is on each sheet that people read, and where programs find the same."""
        say = self._say
        heads = (say("Sheet"), say("What it shows"), say("Unit"), say(DATA))
        sheet.heads_below(heads, (False, False, False, False))
        for question in self._keys:
            self._write_entry(sheet, self._key, question)
        for name, baseline in zip(self._names, self._baselines, strict=False):
            self._write_line(sheet, name, baseline.printed.title, baseline.printed.counted)
        for question in self._read:
            self._write_entry(sheet, self._name_of[question.query.id], question)
        self._write_line(sheet, self._method, say(_MADE))
        count = str(len(self._questions))
        self._write_line(sheet, self._data, say(_EXPLAINED, count=count))
        sheet.at += 1

    def _write_entry(self, sheet: ReadingSheet, name: str, question: TableSheets) -> None:
        sheet.link(3, question.data, question.data)
        self._write_line(sheet, name, question.heading.title, question.unit)

    def _write_line(self, sheet: ReadingSheet, name: str, title: str, unit: str = "") -> None:
        """What a sheet shows, and its unit."""
        sheet.link(0, name, name)
        sheet.cell(1, title)
        sheet.cell(2, unit)
        sheet.at += 1
