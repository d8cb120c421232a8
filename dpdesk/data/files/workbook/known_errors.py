# SPDX-License-Identifier: Apache-2.0
"""Workbooks (.xlsx) without what would keep the reader from a whole sheet.

Errors of cells that it does not know, such as ``#SPILL!``, become one it does: it fails over the
sheet for one of them, and spreadsheet programs go on inventing them. An error is an empty cell
whatever it is called. Cells far to the right are left out: it sets memory aside up to the farthest.
One cell must not decide whether a file is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from io import BytesIO
from typing import IO, BinaryIO
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile
from zlib import error

from dpdesk.data.files.workbook.used_range import SHEET_PART, far_cells

_CHUNK_BYTES = 1 << 20
_FASTEST = 1
_ERROR = re.compile(
    rb"""(<(?:\w+:)?c\b[^<>]*\st\s*=\s*["']e["'][^<>]*>(?:(?!</?(?:\w+:)?[cv]\b).)*<(?:\w+:)?v>)"""
    rb"[^<]*",
    re.DOTALL,
)
_CELL = re.compile(rb"<(?:\w+:)?c\b")


Edit = Callable[[bytes], bytes]
"""What becomes of a piece of a sheet; each of its cells is whole."""


def with_known_errors(stream: BinaryIO) -> BinaryIO | None:
    """A workbook in memory, the same but for the names of errors; ``None`` for other files.

    Args:
        stream: a file whose container was checked, so that its size is bounded.
    """
    return _rewritten(stream, lambda _archive, _name: partial(_ERROR.sub, rb"\1#N/A"))


def without_far_cells(stream: BinaryIO) -> BinaryIO | None:
    """A workbook in memory, the same but for cells to the right of what there is room for."""

    def edit(archive: ZipFile, name: str) -> Edit:
        with archive.open(name) as part:
            far = far_cells(part)
        return bytes if far is None else partial(far.sub, b"")

    return _rewritten(stream, edit)


def _rewritten(stream: BinaryIO, edit: Callable[[ZipFile, str], Edit]) -> BinaryIO | None:
    """A workbook in memory whose sheets are edited; ``None`` for other files.

    Args:
        stream: see ``with_known_errors``.
        edit: of each sheet, by its name.
    """
    stream.seek(0)
    copy = BytesIO()
    packed = ZipFile(copy, "w", ZIP_DEFLATED, compresslevel=_FASTEST)
    try:
        with ZipFile(stream) as archive, packed as new:
            for name in dict.fromkeys(archive.namelist()):
                is_sheet = SHEET_PART.fullmatch(name)
                pieces = partial(_cells, edit=edit(archive, name)) if is_sheet else _pieces
                with archive.open(name) as part, new.open(name, "w", force_zip64=True) as file:
                    for piece in pieces(part):
                        file.write(piece)
    except (BadZipFile, OSError, ValueError, NotImplementedError, RuntimeError, EOFError, error):
        return None
    copy.seek(0)
    return copy


def _pieces(part: IO[bytes]) -> Iterator[bytes]:
    while piece := part.read(_CHUNK_BYTES):
        yield piece


def _cells(part: IO[bytes], edit: Edit) -> Iterator[bytes]:
    """Pieces of a sheet that end before a cell, edited."""
    rest = b""
    for piece in _pieces(part):
        text = rest + piece
        *_, last = 0, *(found.start() for found in _CELL.finditer(text))
        yield edit(text[:last])
        rest = text[last:]
    yield edit(rest)
