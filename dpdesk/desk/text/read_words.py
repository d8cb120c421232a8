# SPDX-License-Identifier: Apache-2.0
"""The words for how a file is read: what each part is called, and what can be chosen for it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from dpdesk.data.files.file_formats import DECLARATIONS, parts_of
from dpdesk.data.inspection.number_marks import NumberMarks
from dpdesk.desk.core.edits.study_edits import clean_text
from dpdesk.desk.core.files.file_summary import FileSummary
from dpdesk.desk.text.translating import tr
from dpdesk.study import limits
from dpdesk.study.model.unit import DataSource

NOTHING_SEEN = FileSummary()
FLAGS = ("quotes", "line_breaks", "row_names", "fill_down")
"""Parts that are so or not."""
RARE = ("quotes", "line_breaks", "line_ending", "row_names", "thousands", "fill_down")
"""Parts that few files need; as long as they are as usual, they need not be on show."""
TYPED = ("header_row", "missing")
"""Parts for which a list cannot hold everything."""
_MARKERS = ("?", "NA", "N/A", "NULL", "None", "-", ".", "n/a", "nan")


def parts(data: DataSource) -> tuple[str, ...]:
    """What of a source matters for its kind of file, in reading order."""
    return ("format", *parts_of(data.format, data.path))


def table_kinds() -> str:
    """The file dialog's kinds of files that hold a table."""
    endings = (f"*{ending}" for each in DECLARATIONS.values() for ending in each.endings)
    return tr("ReadWords", "Tables ({0});;All files (*)").format(" ".join(endings))


def file_words(data: DataSource, size: str) -> str:
    words = tr("ReadWords", "{0}, {1}. Read in place; never copied or changed.")
    return words.format(DECLARATIONS[data.format].name, size)


def labels() -> dict[str, str]:
    """What each part is called on its chip."""
    return {
        "format": tr("ReadWords", "File"),
        "sheet": tr("ReadWords", "Sheet"),
        "header_row": tr("ReadWords", "Header"),
        "separator": tr("ReadWords", "Separator"),
        "quotes": tr("ReadWords", "Quotes"),
        "line_breaks": tr("ReadWords", "Line breaks"),
        "line_ending": tr("ReadWords", "Line ends"),
        "decimal": tr("ReadWords", "Decimals"),
        "thousands": tr("ReadWords", "Thousands"),
        "encoding": tr("ReadWords", "Encoding"),
        "catalogue": tr("ReadWords", "Value labels"),
        "row_names": tr("ReadWords", "Row names"),
        "fill_down": tr("ReadWords", "Blank ids"),
        "missing": tr("ReadWords", "Missing"),
    }


def is_rare(data: DataSource, part: str) -> bool:
    """Whether a part is one that few files need, and as it is for most."""
    usual = getattr(data, part) in (getattr(DataSource(), part), "lf")
    return part in RARE and usual and part not in data.by_hand


def shown(data: DataSource, part: str) -> str:
    """What a chip says is chosen."""
    if part == "missing":
        return ", ".join((tr("ReadWords", "Empty cells"), *data.missing))
    if part == "sheet":
        return data.sheet or tr("ReadWords", "Choose a sheet")
    if part == "catalogue":
        return PurePath(data.catalogue).name or tr("ReadWords", "No file")
    if part == "header_row":
        return _row_shown(data)
    key = key_of(data, part)
    return dict(offers(data, part)).get(key, key)


def _row_shown(data: DataSource) -> str:
    if data.header_row is None and data.format == "excel":
        return tr("ReadWords", "Choose a row")
    if data.header_row is None:
        return tr("ReadWords", "First line")
    return row_words(data, data.header_row)


def row_words(data: DataSource, row: int) -> str:
    """The words for the place of the column names; 0 is none."""
    if row == 0:
        return tr("ReadWords", "None")
    words = tr("ReadWords", "Row {0}") if data.format == "excel" else tr("ReadWords", "Line {0}")
    return words.format(row)


def offers(data: DataSource, part: str, head: FileSummary = NOTHING_SEEN) -> list[tuple[str, str]]:
    """What can be chosen for a part: keys and words."""
    if part == "missing":
        return [(m, m) for m in dict.fromkeys((*_MARKERS, *data.missing))]
    if part == "sheet":
        return [(s, s) for s in head.sheets]
    if part == "header_row":
        return _row_offers(data, head.filled)
    if part == "encoding" and data.format != "csv":
        own = ("utf-8", tr("ReadWords", "As the file says"))
        return [own, *_fixed()[part][1:]]
    return _fixed()[part]


def _row_offers(data: DataSource, filled: Sequence[int]) -> list[tuple[str, str]]:
    """Rows with how full they are: a header fills its row, a title one cell."""
    first = [("", tr("ReadWords", "First line that is not blank"))]
    offers = [] if data.format == "excel" else first
    for row, cells in enumerate(filled, start=1):
        if cells:
            full = tr("ReadWords", "%n cell(s) filled", "", cells)
            offers.append((str(row), f"{row_words(data, row)}: {full}"))
    if data.header_row and str(data.header_row) not in dict(offers):
        offers.append((str(data.header_row), row_words(data, data.header_row)))
    return [
        *offers,
        ("0", tr("ReadWords", "The file names no columns (0)")),
    ]


def typed(data: DataSource, part: str, text: str) -> tuple[str, str] | None:
    """What was typed in a list, as one more that can be chosen; ``None`` where it is none."""
    plain = clean_text(text).strip()
    if part == "missing":
        return (plain, plain) if plain else None
    if part != "header_row" or not (plain.isascii() and plain.isdigit()):
        return None
    row = int(plain[:9])
    return (str(row), row_words(data, row)) if 1 <= row <= limits.MAX_HEADER_ROW else None


def key_of(data: DataSource, part: str) -> str:
    """The key of what is chosen, as lists know it."""
    value = getattr(data, part)
    if part in FLAGS:
        return "yes" if value else "no"
    return "" if value is None else str(value)


def value_of(part: str, keys: tuple[str, ...]) -> Any:
    """What a list's keys mean for the source."""
    if part == "missing":
        return keys
    if part in FLAGS:
        return keys[0] == "yes"
    if part == "header_row":
        return int(keys[0]) if keys[0] else None
    return keys[0]


def decimal_marks() -> list[tuple[str, str]]:
    """What can be chosen as a column's own decimal mark."""
    return [("", tr("ReadWords", "As in the file")), *_fixed()["decimal"]]


def number_example(marks: NumberMarks) -> str:
    """A number written with these marks.

    >>> number_example(NumberMarks(",", "."))
    '1.234,5'
    """
    return f"1{marks.thousands}234{marks.decimal}5" if marks.thousands else f"1{marks.decimal}5"


def _fixed() -> dict[str, list[tuple[str, str]]]:
    return {
        "format": [(key, each.name) for key, each in DECLARATIONS.items()],
        "separator": [
            (",", tr("ReadWords", "Comma ,")),
            (";", tr("ReadWords", "Semicolon ;")),
            ("\t", tr("ReadWords", "Tab")),
            ("|", tr("ReadWords", "Bar |")),
        ],
        "quotes": [
            ("yes", tr("ReadWords", "Enclose cells")),
            ("no", tr("ReadWords", "Plain characters")),
        ],
        "line_breaks": [
            ("no", tr("ReadWords", "One line of text is one row")),
            ("yes", tr("ReadWords", "Inside quoted cells")),
        ],
        "row_names": [
            ("no", tr("ReadWords", "None")),
            ("yes", tr("ReadWords", "First cell of each row")),
        ],
        "fill_down": [
            ("no", tr("ReadWords", "Nobody’s rows")),
            ("yes", tr("ReadWords", "The person of the row above")),
        ],
        "line_ending": [
            ("", tr("ReadWords", "Default")),
            ("lf", tr("ReadWords", "Line feed (Windows, Linux)")),
            ("cr", tr("ReadWords", "Carriage return (old Mac)")),
            ("any", tr("ReadWords", "Both, in one file")),
        ],
        "decimal": [
            (".", tr("ReadWords", "Point 1.5")),
            (",", tr("ReadWords", "Comma 1,5")),
        ],
        "thousands": [
            ("", tr("ReadWords", "None 1000")),
            (",", tr("ReadWords", "Comma 1,000")),
            (".", tr("ReadWords", "Point 1.000")),
            (" ", tr("ReadWords", "Space 1 000")),
            ("'", tr("ReadWords", "Apostrophe 1'000")),
        ],
        "encoding": [
            ("utf-8", tr("ReadWords", "UTF-8")),
            ("cp1252", tr("ReadWords", "Windows-1252")),
            ("latin-1", tr("ReadWords", "Latin-1")),
            ("iso-8859-15", tr("ReadWords", "Latin-9 with €")),
            ("cp1250", tr("ReadWords", "Windows-1250, Central Europe")),
            ("cp850", tr("ReadWords", "DOS 850")),
            ("utf-16", tr("ReadWords", "UTF-16")),
            ("utf-16-be", tr("ReadWords", "UTF-16, big-endian")),
        ],
    }
