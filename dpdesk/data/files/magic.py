# SPDX-License-Identifier: Apache-2.0
"""What kind of file this is, by its first bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from dpdesk.study.model.unit import FileFormat

FileKind = Literal[
    "zip", "xls", "parquet", "sealed-parquet", "sav", "por", "dta", "sas7bdat", "sas7bcat", "xport"
]

HEAD_BYTES = 1024

_POR_LINE, _POR_MARK = 80, 456

_SAS = "000000000000000000000000c2ea{}b31411cfbd92080009c7318c181f1011"
_STARTS: tuple[tuple[bytes, FileKind], ...] = (
    (b"PK\3\4", "zip"),
    (b"PK\5\6", "zip"),
    (bytes.fromhex("d0cf11e0a1b11ae1"), "xls"),
    (b"PAR1", "parquet"),
    (b"PARE", "sealed-parquet"),
    (b"$FL2", "sav"),
    (b"$FL3", "sav"),
    (b"<stata_dta>", "dta"),
    (bytes.fromhex(_SAS.format("8160")), "sas7bdat"),
    (bytes.fromhex(_SAS.format("8163")), "sas7bcat"),
    (b"HEADER RECORD*******LIBRARY HEADER RECORD", "xport"),
    (b"HEADER RECORD*******LIBV8   HEADER RECORD", "xport"),
)
_FORMATS: dict[FileKind, FileFormat] = {
    "zip": "excel",
    "xls": "excel",
    "parquet": "parquet",
    "sealed-parquet": "parquet",
    "sav": "spss",
    "por": "spss",
    "dta": "stata",
    "sas7bdat": "sas",
    "sas7bcat": "sas",
    "xport": "sas",
}
_SUFFIXES: dict[str, FileFormat] = {
    ".xlsx": "excel",
    ".xlsm": "excel",
    ".xls": "excel",
    ".ods": "excel",
    ".parquet": "parquet",
    ".sav": "spss",
    ".zsav": "spss",
    ".por": "spss",
    ".dta": "stata",
    ".sas7bdat": "sas",
    ".xpt": "sas",
}


def file_kind(head: bytes) -> FileKind | None:
    """The kind of file that begins so; ``None`` for texts and all else."""
    for start, kind in _STARTS:
        if head.startswith(start):
            return kind
    # Old Stata has one byte for its version, one for the byte order, and 1 for "a data set"; the
    # fourth is unused, and Stata 8 leaves in it whatever was there.
    if len(head) > 4 and 102 <= head[0] <= 115 and head[1] in (1, 2) and head[2] == 1:
        return "dta"
    # 200 bytes of greeting, then a table of characters: lines may end anywhere in both.
    # At that very place, be lines' last blanks there or not: a cell of a text may say the same.
    lines = head[:600].replace(b"\r", b"").split(b"\n")
    shapes = b"".join(lines), b"".join(line.ljust(_POR_LINE) for line in lines)
    if any(shape.startswith(b"SPSSPORT", _POR_MARK) for shape in shapes):
        return "por"
    return None


def format_of(head: bytes, path: Path) -> FileFormat:
    """The format to propose: by content, and by the name's ending where that says nothing.

    A text is CSV whatever its name ends with: some programs call a table of HTML or of tabs a
    workbook.
    """
    kind = file_kind(head)
    if kind is not None:
        return _FORMATS[kind]
    is_text = b"\0" not in head or head.startswith((b"\xff\xfe", b"\xfe\xff"))
    return "csv" if is_text else _SUFFIXES.get(path.suffix.lower(), "csv")
