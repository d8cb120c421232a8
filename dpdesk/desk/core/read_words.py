# SPDX-License-Identifier: Apache-2.0
"""The words for how a file is read: what each part is called, and what can be chosen for it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from PySide6.QtCore import QCoreApplication

from dpdesk.study import limits
from dpdesk.study.unit import DataSource

ROWS_OFFERED = 30
_EVERYWHERE = ("decimal", "thousands", "missing")
_PARTS = {
    "csv": ("separator", "quotes", "decimal", "thousands", "encoding", "header_row", "missing"),
    "excel": ("sheet", "header_row", *_EVERYWHERE),
    "parquet": _EVERYWHERE,
    "spss": _EVERYWHERE,
    "stata": _EVERYWHERE,
    "sas": ("catalogue", *_EVERYWHERE),
}
_MARKERS = ("?", "NA", "N/A", "NULL", "None", "-", ".", "n/a", "nan")


def parts(data: DataSource) -> tuple[str, ...]:
    """What of a source matters for its kind of file, in reading order."""
    found = ("format", *_PARTS[data.format])
    if data.path.lower().endswith(".xpt"):
        return tuple(part for part in found if part != "catalogue")
    return found


def table_kinds() -> str:
    """The file dialog's kinds of files that hold a table."""
    return QCoreApplication.translate(
        "ReadWords",
        "Tables (*.csv *.tsv *.txt *.xlsx *.xls *.ods *.parquet *.sav *.zsav *.por *.dta "
        "*.sas7bdat *.xpt);;All files (*)",
    )


def file_words(data: DataSource) -> str:
    """What a file is and how large, with room for its size."""
    say = QCoreApplication.translate
    words = {
        "csv": say("ReadWords", "CSV text, {0}. Read in place; never copied or changed."),
        "excel": say("ReadWords", "Workbook, {0}. Read in place; never copied or changed."),
        "parquet": say("ReadWords", "Parquet, {0}. Read in place; never copied or changed."),
        "spss": say("ReadWords", "SPSS file, {0}. Read in place; never copied or changed."),
        "stata": say("ReadWords", "Stata file, {0}. Read in place; never copied or changed."),
        "sas": say("ReadWords", "SAS file, {0}. Read in place; never copied or changed."),
    }
    return words[data.format]


def labels() -> dict[str, str]:
    """What each part is called on its chip."""
    say = QCoreApplication.translate
    return {
        "format": say("ReadWords", "File"),
        "sheet": say("ReadWords", "Sheet"),
        "header_row": say("ReadWords", "Column names"),
        "separator": say("ReadWords", "Separator"),
        "quotes": say("ReadWords", "Quotation marks"),
        "decimal": say("ReadWords", "Decimals"),
        "thousands": say("ReadWords", "Thousands"),
        "encoding": say("ReadWords", "Text"),
        "catalogue": say("ReadWords", "Value labels"),
        "missing": say("ReadWords", "Missing"),
    }


def shown(data: DataSource, part: str) -> str:
    """What a chip says is chosen."""
    say = QCoreApplication.translate
    if part == "missing":
        return ", ".join(data.missing) or say("ReadWords", "Empty cells")
    if part == "sheet":
        return data.sheet or say("ReadWords", "Choose a sheet")
    if part == "catalogue":
        return PurePath(data.catalogue).name or say("ReadWords", "No file")
    if part == "header_row":
        return _row_shown(data)
    key = key_of(data, part)
    return dict(_fixed()[part]).get(key, key)


def _row_shown(data: DataSource) -> str:
    say = QCoreApplication.translate
    if data.header_row is None and data.format == "excel":
        return say("ReadWords", "Choose a row")
    if data.header_row is None:
        return say("ReadWords", "First line")
    return row_words(data, data.header_row)


def row_words(data: DataSource, row: int) -> str:
    """The words for the place of the column names; 0 is none."""
    say = QCoreApplication.translate
    if row == 0:
        return (
            say("ReadWords", "In no row")
            if data.format == "excel"
            else say("ReadWords", "In no line")
        )
    words = say("ReadWords", "Row {0}") if data.format == "excel" else say("ReadWords", "Line {0}")
    return words.format(row)


def offers(data: DataSource, part: str, sheets: Sequence[str] = ()) -> list[tuple[str, str]]:
    """What can be chosen for a part: keys and words."""
    if part == "missing":
        return [(m, m) for m in dict.fromkeys((*_MARKERS, *data.missing))]
    if part == "sheet":
        return [(s, s) for s in dict.fromkeys((*sheets, *([data.sheet] if data.sheet else [])))]
    if part == "header_row":
        return _row_offers(data)
    return _fixed()[part]


def _row_offers(data: DataSource) -> list[tuple[str, str]]:
    say = QCoreApplication.translate
    first = [("", say("ReadWords", "First line that is not blank"))]
    rows = sorted({*range(1, ROWS_OFFERED + 1), *([data.header_row] if data.header_row else [])})
    found = [] if data.format == "excel" else first
    found += [(str(row), row_words(data, row)) for row in rows]
    return [*found, ("0", say("ReadWords", "The file names no columns"))]


def row_typed(data: DataSource, text: str) -> tuple[str, str] | None:
    """The row that was typed in the list's search, where it is a number that can be."""
    if not (text.strip().isascii() and text.strip().isdigit()):
        return None
    row = int(text.strip()[:9])
    return (str(row), row_words(data, row)) if 1 <= row <= limits.MAX_HEADER_ROW else None


def key_of(data: DataSource, part: str) -> str:
    """The key of what is chosen, as lists know it."""
    value = getattr(data, part)
    if part == "quotes":
        return "yes" if value else "no"
    return "" if value is None else str(value)


def value_of(part: str, keys: tuple[str, ...]) -> Any:
    """What a list's keys mean for the source."""
    if part == "missing":
        return keys
    if part == "quotes":
        return keys[0] == "yes"
    if part == "header_row":
        return int(keys[0]) if keys[0] else None
    return keys[0]


def _fixed() -> dict[str, list[tuple[str, str]]]:
    say = QCoreApplication.translate
    return {
        "format": [
            ("csv", say("ReadWords", "Text table (CSV)")),
            ("excel", say("ReadWords", "Workbook")),
            ("parquet", say("ReadWords", "Parquet")),
            ("spss", say("ReadWords", "SPSS")),
            ("stata", say("ReadWords", "Stata")),
            ("sas", say("ReadWords", "SAS")),
        ],
        "separator": [
            (",", say("ReadWords", "Comma ,")),
            (";", say("ReadWords", "Semicolon ;")),
            ("\t", say("ReadWords", "Tab")),
            ("|", say("ReadWords", "Bar |")),
        ],
        "quotes": [
            ("yes", say("ReadWords", "Enclose cells")),
            ("no", say("ReadWords", "Mean themselves")),
        ],
        "decimal": [
            (".", say("ReadWords", "Point 1.5")),
            (",", say("ReadWords", "Comma 1,5")),
        ],
        "thousands": [
            ("", say("ReadWords", "Together 1000")),
            (",", say("ReadWords", "Comma 1,000")),
            (".", say("ReadWords", "Point 1.000")),
            (" ", say("ReadWords", "Space 1 000")),
            ("'", say("ReadWords", "Apostrophe 1'000")),
        ],
        "encoding": [
            ("utf-8", say("ReadWords", "UTF-8")),
            ("cp1252", say("ReadWords", "Windows-1252")),
            ("latin-1", say("ReadWords", "Latin-1")),
            ("iso-8859-15", say("ReadWords", "Latin-9 with €")),
            ("cp1250", say("ReadWords", "Windows-1250, Central Europe")),
            ("cp850", say("ReadWords", "DOS 850")),
            ("utf-16", say("ReadWords", "UTF-16")),
        ],
    }
