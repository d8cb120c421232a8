# SPDX-License-Identifier: Apache-2.0
"""How far down and to the right the cells of a sheet lie, before a reader makes room for them.

The reader sets memory aside for the whole rectangle from a sheet's first cell to its last. One
stray cell in the bottom right corner makes that 17 thousand million cells, and a process that
asks for more memory than there is may be ended on the spot.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO
from zipfile import ZipFile

MOST_CELLS = 1 << 28
"""Of a sheet's rectangle: a million rows and 256 columns. The reader takes 32 bytes for each."""

_PART = re.compile(r".*worksheets/.*\.xml", re.IGNORECASE)
_CHUNK_BYTES = 1 << 20
_TAIL_BYTES = 1 << 10
_OVERLAP_BYTES = 64
_REFERENCE = rb"""\br\s*=\s*["']"""
_ROW = re.compile(_REFERENCE + rb"[A-Z]*([0-9]{1,12})")
_FAR_ROW = re.compile(_REFERENCE + rb"[A-Z]*([0-9]{7,12})")
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def is_too_wide(archive: ZipFile) -> bool:
    """Whether any sheet of a workbook (.xlsx) spans more cells than there should be room for."""
    for part in archive.namelist():
        if _PART.fullmatch(part):
            with archive.open(part) as stream:
                if spanned_cells(stream) > MOST_CELLS:
                    return True
    return False


def spanned_cells(stream: IO[bytes]) -> int:
    """The cells of the rectangle from A1 to the last row and the last column of a sheet's XML.

    >>> import io
    >>> spanned_cells(io.BytesIO(b'<row r="1"><c r="A1"/></row><row r="9"><c r="AB9"/></row>'))
    252
    """
    row, column, rest = 1, "A", b""
    beyond = _beyond(column)
    while chunk := stream.read(_CHUNK_BYTES):
        text = rest + chunk
        row = max(row, *_rows(text), 0)
        while found := beyond.search(text):
            column = found[1].decode()
            beyond = _beyond(column)
        rest = text[-_OVERLAP_BYTES:]
    return row * column_number(column)


def column_number(letters: str) -> int:
    """The number of a column, from 1.

    >>> [column_number(letters) for letters in ("A", "Z", "AA", "XFD")]
    [1, 26, 27, 16384]
    """
    number = 0
    for letter in letters:
        number = number * len(_LETTERS) + _LETTERS.index(letter) + 1
    return number


def _rows(text: bytes) -> Iterator[int]:
    """Rows at the end of a piece, for they are in order, and those that may be out of it."""
    for match in _ROW.finditer(text, max(0, len(text) - _TAIL_BYTES)):
        yield int(match[1])
    for match in _FAR_ROW.finditer(text):
        yield int(match[1])


def _beyond(column: str) -> re.Pattern[bytes]:
    """Finds a cell in a column to the right of this one: few cells are, so few are looked at."""
    further = [f"[A-Z]{{{len(column) + 1},7}}"]
    for place, letter in enumerate(column):
        later = _LETTERS[_LETTERS.index(letter) + 1 :]
        if later:
            further.append(f"{column[:place]}[{later}][A-Z]{{{len(column) - place - 1}}}")
    return re.compile(_REFERENCE + f"({'|'.join(further)})[0-9]".encode())
