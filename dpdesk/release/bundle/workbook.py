# SPDX-License-Identifier: Apache-2.0
"""The bundle's results.xlsx: the tables as a workbook, one sheet for each query, and one of notes.

Nothing in it is evaluated: no formula, link, macro or name. Figures are numbers where a
spreadsheet holds them exactly, else texts, as is every other cell. The writer's own zip is packed
again as the bundle is, so the same tables give the same bytes with every version of zlib.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from dpdesk.catalogue import Template
from dpdesk.privacy.published_tables import Table
from dpdesk.release.bundle.bundle_zip import pack
from dpdesk.release.bundle.query_headings import Heading, ReleaseWords
from dpdesk.release.bundle.readable import NUMBERS, Form, forms_of
from dpdesk.release.bundle.release_text import ReleaseText
from dpdesk.release.record.table_names import ascii_words
from dpdesk.release.record.values import ReleasedQuery
from dpdesk.study.text.number_text import in_column

MOST_LINES = 20_000
"""Lines of all tables: writing more takes longer than checking the rest of a bundle."""
MOST_SIGNS = 32_767
"""Signs that a cell may have."""

_DIGITS = 15
"""Significant digits that every spreadsheet keeps."""
_SHEET_SIGNS = 31
_UNIT_SIGNS = 40
_SIGNS_OF_FORMATS = frozenset('"<>&;@[]\\')
_OPTIONS = {
    "in_memory": True,
    "strings_to_formulas": False,
    "strings_to_numbers": False,
    "strings_to_urls": False,
}

_NOTES: Final[tuple[Template, ...]] = (
    "Each sheet contains the table of one query, as the CSV file of the same name does.",
    "The noise that protects people is already in every figure. In at least 95 of 100 releases "
    "the exact figure is within the given margin. {exact}",
    "Where the column too_noisy says yes, noise hides the figure.",
    "manifest.json is signed; README.txt says how to check that.",
)
_LEFT_OUT: Final[Template] = "This table has {count} lines: see {file}."


def workbook_bytes(text: ReleaseText, tables: Sequence[Table]) -> bytes:
    """The workbook of a release.

    Args:
        tables: its tables, in the order of its queries.
    """
    stream = io.BytesIO()
    book = load_writer()(stream, _OPTIONS)
    book.set_properties({"title": text.title, "created": datetime(1980, 1, 1)})
    _write(book, text, tables)
    book.close()
    with zipfile.ZipFile(stream) as archive:
        return pack({name: archive.read(name) for name in archive.namelist()})


def load_writer() -> Any:
    """The library's workbook; loading it takes a moment, and few commands write one."""
    from xlsxwriter import Workbook

    return Workbook


def _write(book: Any, text: ReleaseText, tables: Sequence[Table]) -> None:
    record, headings, words = text.release.record, text.headings, text.words
    notes = book.add_worksheet(words.say("Notes")[:_SHEET_SIGNS])
    bold = book.add_format({"bold": True})
    looks = _Looks(book, bold)
    lines, left = [], MOST_LINES
    names = sheet_names([_called(query, headings[query.id], words) for query in record.queries])
    for name, query, table in zip(names, record.queries, tables, strict=True):
        sheet = book.add_worksheet(name)
        file = f"results/{query.name}.csv"
        lines.append((name, headings[query.id], file))
        if len(table.rows) > left:
            count = in_column(str(len(table.rows)), words.numbers)
            sheet.write_string(0, 0, words.say(_LEFT_OUT, count=count, file=file))
            continue
        left -= len(table.rows)
        forms = forms_of(table, query)
        units = [shown_unit(c.unit) for c in table.columns]
        _write_table(sheet, table, tuple(zip(forms, units, strict=True)), looks)
    _write_notes(notes, text, lines, bold)


def _called(query: ReleasedQuery, heading: Heading, words: ReleaseWords) -> str:
    """A table by its file, whose name is in English, or by its title in another language."""
    return query.name if words.code == "en" else ascii_words(heading.title) or query.name


class _Looks:
    """How cells look: heads in bold, shares as percentages, numbers with their declared unit.

    Each has the decimals that its figure has; the cell holds the number itself.
    """

    def __init__(self, book: Any, bold: Any) -> None:
        self._book, self.bold = book, bold
        self._known: dict[str, Any] = {}

    def of(self, text: str, form: Form, unit: str) -> Any:
        """The look of one number; none where it has neither unit nor percent sign."""
        is_share = form in ("percent", "points")
        if not (is_share or unit):
            return None
        decimals = max(0, len(text.partition(".")[2]) - 2 * is_share)
        digits = f"0.{'0' * decimals}" if decimals else "0"
        code = f"{digits}%" if is_share else f'{digits}" {unit}"'
        if code not in self._known:
            self._known[code] = self._book.add_format({"num_format": code})
        return self._known[code]


def shown_unit(unit: str) -> str:
    """A declared unit as a number's format may show it; none that could be taken for a figure.

    >>> shown_unit("mmol/L"), shown_unit("000 EUR"), shown_unit('m"'), shown_unit("m" * 200)
    ('mmol/L', '', '', '')
    """
    is_plain = unit[:1].isalpha() and unit.isprintable() and not set(unit) & _SIGNS_OF_FORMATS
    return unit if is_plain and len(unit) <= _UNIT_SIGNS else ""


def _write_table(
    sheet: Any, table: Table, forms: Sequence[tuple[Form, str]], looks: _Looks
) -> None:
    for place, column in enumerate(table.columns):
        sheet.write_string(0, place, column.name[:MOST_SIGNS], looks.bold)
    for number, row in enumerate(table.rows, start=1):
        for place, (text, (form, unit)) in enumerate(zip(row, forms, strict=True)):
            if form in NUMBERS and is_kept(text):
                sheet.write_number(number, place, float(text), looks.of(text, form, unit))
            elif text:
                sheet.write_string(number, place, text[:MOST_SIGNS])
    _fit(sheet)
    sheet.freeze_panes(1, 0)
    sheet.set_column(0, max(0, len(table.columns) - 1), 18)


def _write_notes(
    sheet: Any,
    text: ReleaseText,
    lines: Iterable[tuple[str, Heading, str]],
    bold: Any,
) -> None:
    _fit(sheet)
    sheet.set_column(0, 0, 34)
    sheet.set_column(1, 2, 60)
    sheet.write_string(0, 0, text.title, bold)
    words = text.words
    said = [words.say(note, exact=text.exact) for note in _NOTES]
    notes = [*said, text.counted] if text.counted else said
    for place, note in enumerate(notes, 1):
        sheet.write_string(place, 0, note)
    start = len(notes) + 2
    for place, head in enumerate((words.say("Sheet"), words.say("Table"), words.say("File"))):
        sheet.write_string(start, place, head, bold)
    for number, (name, heading, file) in enumerate(lines, start=start + 1):
        question = f" ({heading.question})" if heading.question else ""
        called = ". ".join((f"{heading.title}{question}", *heading.notes[:1]))
        about = " ".join((called, *heading.notes[1:]))
        for place, cell in enumerate((name, about, file)):
            sheet.write_string(number, place, cell[:MOST_SIGNS])


def _fit(sheet: Any) -> None:
    """A4, and no wider when it is printed."""
    sheet.set_paper(9)
    sheet.set_landscape()
    sheet.fit_to_pages(1, 0)


def is_kept(text: str) -> bool:
    """Whether a figure is a number that a spreadsheet keeps to the last digit.

    >>> is_kept("-12.5"), is_kept("12345678901234567"), is_kept("")
    (True, False, False)
    """
    return bool(text) and len(Decimal(text).normalize().as_tuple().digits) <= _DIGITS


def sheet_names(names: Sequence[str]) -> list[str]:
    """Names of sheets, which are short: numbered, as two may begin alike.

    >>> sheet_names(["count-of-stays", "mean-of-time-in-hospital-days-for-each-sex"])
    ['1 count-of-stays', '2 mean-of-time-in-hospital-days']
    """
    return [f"{i} {name}"[:_SHEET_SIGNS].rstrip("-") for i, name in enumerate(names, start=1)]
