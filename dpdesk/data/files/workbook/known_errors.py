# SPDX-License-Identifier: Apache-2.0
"""Errors of cells (.xlsx) that the reader does not know, such as ``#SPILL!``, become one it does.

It fails over the whole sheet for one of them, and spreadsheet programs go on inventing them. An
error is an empty cell whatever it is called, and one cell must not decide whether a file is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from typing import IO, BinaryIO
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile
from zlib import error

from dpdesk.data.files.workbook.used_range import SHEET_PART

_CHUNK_BYTES = 1 << 20
_FASTEST = 1
_ERROR = re.compile(
    rb"""(<(?:\w+:)?c\b[^<>]*\st\s*=\s*["']e["'][^<>]*>(?:(?!</?(?:\w+:)?[cv]\b).)*<(?:\w+:)?v>)"""
    rb"[^<]*",
    re.DOTALL,
)
_CELL = re.compile(rb"<(?:\w+:)?c\b")


def with_known_errors(stream: BinaryIO) -> BinaryIO | None:
    """A workbook in memory, the same but for the names of errors; ``None`` for other files.

    Args:
        stream: a file whose container was checked, so that its size is bounded.
    """
    stream.seek(0)
    copy = BytesIO()
    packed = ZipFile(copy, "w", ZIP_DEFLATED, compresslevel=_FASTEST)
    try:
        with ZipFile(stream) as archive, packed as new:
            for name in dict.fromkeys(archive.namelist()):
                _copy(archive, name, new)
    except (BadZipFile, OSError, ValueError, NotImplementedError, RuntimeError, EOFError, error):
        return None
    copy.seek(0)
    return copy


def _copy(archive: ZipFile, name: str, new: ZipFile) -> None:
    with archive.open(name) as part, new.open(name, "w", force_zip64=True) as copy:
        for piece in _cells(part) if SHEET_PART.fullmatch(name) else _pieces(part):
            copy.write(piece)


def _pieces(part: IO[bytes]) -> Iterator[bytes]:
    while piece := part.read(_CHUNK_BYTES):
        yield piece


def _cells(part: IO[bytes]) -> Iterator[bytes]:
    """Pieces of a sheet that end before a cell, so that each cell is whole."""
    rest = b""
    for piece in _pieces(part):
        text = rest + piece
        *_, last = 0, *(found.start() for found in _CELL.finditer(text))
        yield _ERROR.sub(rb"\1#N/A", text[:last])
        rest = text[last:]
    yield _ERROR.sub(rb"\1#N/A", rest)
