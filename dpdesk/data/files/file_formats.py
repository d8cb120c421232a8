# SPDX-License-Identifier: Apache-2.0
"""The formats of data files, each declared once, and what kind a file is by its first bytes.

Recognition, opener, labels, days, endings in file dialogs, chips and words follow from the
declarations. ``CONTRIBUTING.md`` says how one more is added.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path, PurePath
from typing import Any, Final

from dpdesk.catalogue import Template
from dpdesk.data.files.format_declaration import (
    LARGE_ROWS,
    SMALL_ROWS,
    DateOrigin,
    FileKind,
    FormatDeclaration,
    NativeReader,
)
from dpdesk.study.model.unit import FileFormat

HEAD_BYTES = 1024
"""How many of a file's first bytes its kind is recognised by."""

_DAY = 86_400
_POR_LINE, _POR_MARK = 80, 456
_SAS = "000000000000000000000000c2ea{}b31411cfbd92080009c7318c181f1011"
_STATA_RELEASE = re.compile(rb"<release>([0-9]{3})</release>")
_STATA_UTF_8 = 118
_STATA_NEWEST = 119
"""120 and 121 hold aliases of variables in other files."""
_TEXT_TITLE: Final[Template] = "CSV text"
_WORKBOOK_TITLE: Final[Template] = "Workbook"
_STATISTICS = NativeReader("dpdesk.data.files.statistical.statistics_file:open_statistics")
_EVERYWHERE = ("decimal", "thousands", "fill_down", "missing")


def _named(names: str) -> re.Pattern[str]:
    """One of these names, behind it a width."""
    return re.compile(rf"(?:{names})[0-9]*(?:\.[0-9]*)?", re.IGNORECASE)


def _is_portable(head: bytes) -> bool:
    """Whether a file is SPSS's portable one: lines may end anywhere in the two parts that begin it.

    These are 200 bytes of greeting and a table of characters. The mark counts at that very place
    alone, be lines' last blanks there or not: a cell of a text may say the same.
    """
    lines = head[:600].replace(b"\r", b"").split(b"\n")
    shapes = b"".join(lines), b"".join(line.ljust(_POR_LINE) for line in lines)
    return any(shape.startswith(b"SPSSPORT", _POR_MARK) for shape in shapes)


def _is_old_stata(head: bytes) -> bool:
    """Whether a file is of Stata 12 or earlier: a version, a byte order, and 1 for "a data set".

    The fourth byte is unused, and Stata 8 leaves in it whatever was there.
    """
    return len(head) > 4 and 102 <= head[0] <= 115 and head[1] in (1, 2) and head[2] == 1


def _stata_release(head: bytes) -> int:
    found = _STATA_RELEASE.search(head)
    return int(found[1]) if found else 0


CSV: Final = FormatDeclaration(
    "csv",
    _TEXT_TITLE,
    (
        FileKind("text", endings=(".csv", ".tsv", ".txt")),
        FileKind("packed", endings=(".gz", ".zip")),
    ),
    "text",
    (
        "separator",
        "quotes",
        "line_breaks",
        "line_ending",
        "decimal",
        "thousands",
        "encoding",
        "header_row",
        "row_names",
        "fill_down",
        "missing",
    ),
)
WORKBOOK: Final = FormatDeclaration(
    "excel",
    _WORKBOOK_TITLE,
    (
        FileKind("zip", (b"PK\3\4", b"PK\5\6"), endings=(".xlsx", ".xlsm", ".ods")),
        FileKind("xls", (bytes.fromhex("d0cf11e0a1b11ae1"),), endings=(".xls",)),
    ),
    NativeReader("dpdesk.data.files.workbook.workbook_file:open_workbook", loads_all=True),
    ("sheet", "header_row", *_EVERYWHERE),
)
PARQUET: Final = FormatDeclaration(
    "parquet",
    "Parquet",
    (
        FileKind("parquet", (b"PAR1",), endings=(".parquet",)),
        FileKind("sealed-parquet", (b"PARE",)),
    ),
    "parquet",
    _EVERYWHERE,
)
SPSS: Final = FormatDeclaration(
    "spss",
    "SPSS",
    (
        FileKind(
            "sav",
            (b"$FL2", b"$FL3"),
            endings=(".sav", ".zsav"),
            library_reader="read_sav",
            gives_missing=True,
            # Of one that is not packed the library finds a row without reading those before it.
            rows=lambda head: LARGE_ROWS if any(head[72:76]) else SMALL_ROWS,
        ),
        FileKind(
            "por",
            begins=_is_portable,
            endings=(".por",),
            library_reader="read_por",
            # It has a table of characters of its own.
            lacks=("encoding",),
            rows=lambda _head: None,
        ),
    ),
    _STATISTICS,
    ("encoding", *_EVERYWHERE),
    has_labels=True,
    dates=DateOrigin(
        # MONTH and WKDAY are plain numbers there.
        day=_named("[AEJS]?DATE|QYR|MOYR|WKYR"),
        moment=_named("DATETIME|YMDHMS"),
        time=_named("D?TIME|MTIME"),
        day_unit=1,
        moment_unit=1,
        origin=141_428 * _DAY,
    ),
)
STATA: Final = FormatDeclaration(
    "stata",
    "Stata",
    (
        FileKind(
            "dta",
            (b"<stata_dta>",),
            _is_old_stata,
            (".dta",),
            library_reader="read_dta",
            gives_missing=True,
            refused=lambda head: "data-file-newer" if _stata_release(head) > _STATA_NEWEST else "",
            # Stata writes UTF-8 since its version 14.
            encoding=lambda head: "utf-8" if _stata_release(head) >= _STATA_UTF_8 else "cp1252",
            rows=lambda _head: SMALL_ROWS,
        ),
    ),
    _STATISTICS,
    ("encoding", *_EVERYWHERE),
    has_labels=True,
    dates=DateOrigin(
        # Weeks, months, quarters and years (%tw, %tm, %tq, %th, %ty) stay counts of these.
        day=re.compile(r"%-?t?d.*"),
        moment=re.compile(r"%-?t[cC](?!\W*(?:HH|hh|Hh|hH)).*"),
        time=re.compile(r"%-?t[cC]\W*(?:HH|hh|Hh|hH).*"),
        day_unit=_DAY,
        moment_unit=1e-3,
        origin=3_653 * _DAY,
    ),
)
SAS: Final = FormatDeclaration(
    "sas",
    "SAS",
    (
        FileKind(
            "sas7bdat",
            (bytes.fromhex(_SAS.format("8160")),),
            endings=(".sas7bdat",),
            library_reader="read_sas7bdat",
            gives_missing=True,
        ),
        FileKind(
            "sas7bcat",
            (bytes.fromhex(_SAS.format("8163")),),
            lacks=("catalogue",),
            refused=lambda _head: "data-file-catalogue",
        ),
        FileKind(
            "xport",
            (
                b"HEADER RECORD*******LIBRARY HEADER RECORD",
                b"HEADER RECORD*******LIBV8   HEADER RECORD",
            ),
            endings=(".xpt",),
            library_reader="read_xport",
            # A transport file names no value labels.
            lacks=("catalogue",),
        ),
    ),
    _STATISTICS,
    ("encoding", "catalogue", *_EVERYWHERE),
    has_labels=True,
    dates=DateOrigin(
        day=_named(
            "DATE|DAY|DOWNAME|EUR[DF]{2}\\w*|JULDAY|JULIAN|MONNAME|MONTH|MONYY|NLDATE\\w*|QTRR?|"
            "WEEKDAT[EX]|WEEKDAY|WEEK[UVW]?|WORDDAT[EX]|YEAR|YYMON|YYWEEK[UVW]|"
            "(?:DDMMYY|MMDDYY|YYMMDD|MMYY|YYMM|YYQR?)[BCDNPS]?|[BE]8601DA|IS8601DA"
        ),
        moment=_named(
            "DATETIME|DATEAMPM|MDYAMPM|DT(?:DATE|MONYY|WKDATX|YEAR|YYQC)|NLDATM\\w*|"
            "[BE]8601D[NTXZ]|IS8601D[NTZ]"
        ),
        time=_named("TIME(?:AMPM)?|HHMM|HOUR|MMSS|TOD|NLTIM\\w*|[BE]8601T[MZX]|IS8601T[MZ]"),
        day_unit=_DAY,
        moment_unit=1,
        origin=3_653 * _DAY,
    ),
)
DECLARATIONS: Final[dict[FileFormat, FormatDeclaration]] = {
    declaration.key: declaration for declaration in (CSV, WORKBOOK, PARQUET, SPSS, STATA, SAS)
}
KINDS: Final = {kind.key: kind for each in DECLARATIONS.values() for kind in each.kinds}
"""Every kind of file by its key, in the order in which they are tried."""
LABELLED: Final = tuple(key for key, each in DECLARATIONS.items() if each.has_labels)
"""Formats of data files that hold a codebook beside the data."""


def file_kind(head: bytes) -> FileKind | None:
    """The kind of file that begins so; ``None`` for texts and all else."""
    for each in KINDS.values():
        if head.startswith(each.starts) or each.begins(head):
            return each
    return None


def declared_by(kind: FileKind) -> FormatDeclaration:
    return next(each for each in DECLARATIONS.values() if kind in each.kinds)


def native_reader(format: FileFormat) -> Callable[..., Any]:
    """What opens a format in the process that reads files.

    Raises:
        TypeError: its reader is none that runs there.
    """
    reader = DECLARATIONS[format].reader
    if not isinstance(reader, NativeReader):
        raise TypeError(format)
    return reader.load()


def format_of(head: bytes, path: Path) -> FileFormat:
    """The format to propose: by content, and by the name's ending where that says nothing.

    A text is CSV whatever its name ends with: some programs call a table of HTML or of tabs a
    workbook.
    """
    kind = file_kind(head)
    if kind is not None:
        return declared_by(kind).key
    ending = path.suffix.lower()
    is_text = b"\0" not in head or head.startswith((b"\xff\xfe", b"\xfe\xff"))
    named = (key for key, each in DECLARATIONS.items() if ending in each.endings)
    return "csv" if is_text else next(named, "csv")


def parts_of(format: FileFormat, path: str) -> tuple[str, ...]:
    """What of a source says how a file is read, by its format and its name, in reading order."""
    declared, ending = DECLARATIONS[format], PurePath(path).suffix.lower()
    without = {part for kind in declared.kinds if ending in kind.endings for part in kind.lacks}
    return tuple(part for part in declared.parts if part not in without)


def takes_catalogue(kind: FileKind) -> bool:
    """Whether the value labels of such a file are in another one."""
    return "catalogue" in declared_by(kind).parts and "catalogue" not in kind.lacks
