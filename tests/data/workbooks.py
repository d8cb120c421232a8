# SPDX-License-Identifier: Apache-2.0
"""Small workbooks, written as Excel and LibreOffice write them."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr
from zipfile import ZipFile

import openpyxl

Cell = str | float | bool | date | datetime | time | timedelta | None
Rows = Sequence[Sequence[Cell]]
Sheets = dict[str, Rows]

_EPOCH = datetime(1899, 12, 30)
_ODS = """<?xml version="1.0" encoding="UTF-8"?>
<office:document-content office:version="1.3"
  xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
  xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
  xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
><office:body><office:spreadsheet>{}</office:spreadsheet></office:body></office:document-content>"""


def write_workbook(path: Path, sheets: Sheets) -> None:
    """Write a workbook of the kind that the path's name ends with."""
    {".xlsx": _write_xlsx, ".ods": write_ods, ".xls": _write_xls}[path.suffix](path, sheets)


def _write_xlsx(path: Path, sheets: Sheets) -> None:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for number, row in enumerate(rows, start=1):
            for place, cell in enumerate(row, start=1):
                sheet.cell(number, place, cell)
    book.save(path)


def write_ods(path: Path, sheets: Sheets, manifest: str = "", body: str = "") -> None:
    """Write an OpenDocument table; ``body`` stands in for what the sheets would give."""
    tables = "".join(_ods_table(name, rows) for name, rows in sheets.items())
    with ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", manifest or "<manifest/>")
        archive.writestr("content.xml", _ODS.format(body or tables))


def _ods_table(name: str, rows: Rows) -> str:
    lines = (
        "<table:table-row>" + "".join(map(_ods_cell, row)) + "</table:table-row>" for row in rows
    )
    return f"<table:table table:name={quoteattr(name)}>{''.join(lines)}</table:table>"


def _ods_cell(cell: Cell) -> str:
    if cell is None:
        return "<table:table-cell/>"
    if isinstance(cell, str):
        text = f"<text:p>{escape(cell)}</text:p>"
        return f'<table:table-cell office:value-type="string">{text}</table:table-cell>'
    if isinstance(cell, bool):
        kind, value = "boolean", f'office:boolean-value="{str(cell).lower()}"'
    elif isinstance(cell, date):
        kind, value = "date", f'office:date-value="{cell.isoformat()}"'
    elif isinstance(cell, time | timedelta):
        kind, value = "time", f'office:time-value="PT{_days(cell) * 86_400:f}S"'
    else:
        kind, value = "float", f'office:value="{cell!r}"'
    return f'<table:table-cell office:value-type="{kind}" {value}/>'


def _write_xls(path: Path, sheets: Sheets) -> None:
    path.write_bytes(write_compound(b"Workbook", _biff(sheets)))


def _record(kind: int, content: bytes) -> bytes:
    return struct.pack("<HH", kind, len(content)) + content


def _bof(kind: int) -> bytes:
    return _record(0x809, struct.pack("<HHHHII", 0x600, kind, 0x0DBB, 0x07CC, 0, 0x06))


def _biff(sheets: Sheets) -> bytes:
    """BIFF8: the second cell format is a date, the third a moment, then h:mm:ss and [h]:mm:ss."""
    formats = (0, 14, 22, 21, 46)
    front = _bof(5) + _record(0x42, struct.pack("<H", 1200))
    front += b"".join(_record(0xE0, struct.pack("<HH", 0, f) + bytes(16)) for f in formats)
    names = [name.encode("utf-16-le") for name in sheets]
    end = _record(0x0A, b"")
    place = len(front) + sum(12 + len(name) for name in names) + len(end)
    listed, bodies = b"", b""
    for name, rows in zip(names, sheets.values(), strict=True):
        start = struct.pack("<IHBB", place + len(bodies), 0, len(name) // 2, 1)
        listed += _record(0x85, start + name)
        bodies += _bof(0x10) + b"".join(
            _xls_cell(struct.pack("<HH", number, column), cell)
            for number, row in enumerate(rows)
            for column, cell in enumerate(row)
            if cell is not None
        )
        bodies += end
    return front + listed + end + bodies


def _xls_cell(place: bytes, cell: Cell) -> bytes:
    if isinstance(cell, str):
        text = cell.encode("utf-16-le")
        return _record(0x204, place + struct.pack("<HHB", 0, len(text) // 2, 1) + text)
    if isinstance(cell, bool):
        return _record(0x205, place + struct.pack("<HBB", 0, cell, 0))
    if isinstance(cell, datetime):
        days = (cell - _EPOCH).total_seconds() / 86_400
        return _record(0x203, place + struct.pack("<Hd", 2, days))
    if isinstance(cell, date):
        return _record(0x203, place + struct.pack("<Hd", 1, (cell - _EPOCH.date()).days))
    if isinstance(cell, time | timedelta):
        return _record(
            0x203, place + struct.pack("<Hd", 3 + isinstance(cell, timedelta), _days(cell))
        )
    return _record(0x203, place + struct.pack("<Hd", 0, cell))


def _days(length: time | timedelta) -> float:
    """A time of day or a duration as spreadsheets keep it."""
    if isinstance(length, time):
        length = datetime.combine(datetime.min, length) - datetime.min
    return length / timedelta(days=1)


def write_compound(name: bytes, content: bytes) -> bytes:
    """A compound file with one stream, in sectors of 512 bytes."""
    size = max(4096, len(content))
    count = -(-size // 512)
    chain = [0xFFFFFFFD, 0xFFFFFFFE, *range(3, count + 2), 0xFFFFFFFE]
    table = b"".join(struct.pack("<I", sector) for sector in chain).ljust(512, b"\xff")
    head = (
        bytes.fromhex("d0cf11e0a1b11ae1") + bytes(16) + struct.pack("<HHHHH", 62, 3, 0xFFFE, 9, 6)
    )
    head += bytes(6) + struct.pack("<IIIIIIIII", 0, 1, 1, 0, 4096, 0xFFFFFFFE, 0, 0xFFFFFFFE, 0)
    head += struct.pack("<I", 0) + b"\xff" * 432
    entries = _entry(b"Root Entry", 5, 1, 0xFFFFFFFE, 0) + _entry(name, 2, 0xFFFFFFFF, 2, size)
    return head + table + entries.ljust(512, b"\0") + content.ljust(count * 512, b"\0")


def _entry(name: bytes, kind: int, child: int, start: int, size: int) -> bytes:
    wide = name.decode().encode("utf-16-le")
    entry = wide.ljust(64, b"\0") + struct.pack("<HBB", len(wide) + 2, kind, 1)
    entry += struct.pack("<III", 0xFFFFFFFF, 0xFFFFFFFF, child) + bytes(36)
    return entry + struct.pack("<IQ", start, size)
