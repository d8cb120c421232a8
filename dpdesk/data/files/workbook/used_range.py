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

SHEET_PART = re.compile(r".*worksheets/.*\.xml", re.IGNORECASE)
_CHUNK_BYTES = 1 << 20
_TAIL_BYTES = 1 << 10
_TAG_BYTES = 1 << 10
"""No program writes a longer tag for a cell or a row."""

_HIDDEN = re.compile(rb"(<!--)(?:.*?(-->)|.*)|(<!\[CDATA\[)(?:.*?(\]\]>)|.*)", re.DOTALL)
_BEFORE = re.compile(rb"""<(?:\w+:)?(?:c|row)(?:\s+[\w:]+\s*=\s*(?:"[^"]*"|'[^']*'))*\s+""")
_REFERENCE = rb"""\br\s*=\s*["']"""
_TAG = rb"""<(?:\w+:)?c(?:\s+[\w:]+\s*=\s*(?:"[^"]*"|'[^']*'))*?\s+"""
_REST = rb"""[0-9]*["'](?:[^<>]*/>|[^<>]*>(?:(?!<(?:\w+:)?c\b).)*?</(?:\w+:)?c>)"""
_ROW = re.compile(_REFERENCE + rb"[A-Z]*([0-9]{1,12})")
_FAR_ROW = re.compile(_REFERENCE + rb"[A-Z]*([0-9]{7,12})")
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def is_too_wide(archive: ZipFile) -> bool:
    """Whether any sheet of a workbook (.xlsx) spans more cells than there should be room for."""
    for part in archive.namelist():
        if SHEET_PART.fullmatch(part):
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
    row, column = _last_of(stream)
    return row * column


def _last_of(stream: IO[bytes]) -> tuple[int, int]:
    """The last row and the last column."""
    row, column = 1, "A"
    beyond = _beyond(column)
    for text in _markup(stream):
        row = max(row, *_rows(text), 0)
        while found := _first_of_tag(beyond, text):
            column = found[1].decode()
            beyond = _beyond(column)
    return row, column_number(column)


def far_cells(stream: IO[bytes]) -> re.Pattern[bytes] | None:
    """Finds the cells to the right of what there is room for; ``None`` where there is for all."""
    row, column = _last_of(stream)
    most = MOST_CELLS // row
    if column <= most:
        return None
    return re.compile(_TAG + _beyond(column_letters(most)).pattern + _REST, re.DOTALL)


def _markup(stream: IO[bytes]) -> Iterator[bytes]:
    """XML in pieces of whole tags, without comments and CDATA: what a cell says is no tag.

    In all other text of a cell the sign that begins a tag is written as an entity.
    """
    rest = b""
    while chunk := stream.read(_CHUNK_BYTES):
        text, rest = _shown(rest + chunk)
        yield text
        # The last tag may not be whole.
        rest = rest or text[max(text.rfind(b"<"), len(text) - _TAG_BYTES) :]


def _shown(text: bytes) -> tuple[bytes, bytes]:
    """XML without comments and CDATA, and as much as is needed of one that stays open."""
    if b"<!" not in text:
        return text, b""
    rest = b""
    for found in _HIDDEN.finditer(text):
        if found.lastindex in (1, 3):
            mark = found[found.lastindex]
            rest = mark + text[max(found.start() + len(mark), len(text) - 2) :]
    return _HIDDEN.sub(b"", text), rest


def column_number(letters: str) -> int:
    """The number of a column, from 1.

    >>> [column_number(letters) for letters in ("A", "Z", "AA", "XFD")]
    [1, 26, 27, 16384]
    """
    number = 0
    for letter in letters:
        number = number * len(_LETTERS) + _LETTERS.index(letter) + 1
    return number


def column_letters(number: int) -> str:
    """The letters of a column, from 1.

    >>> [column_letters(number) for number in (1, 26, 27, 16384)]
    ['A', 'Z', 'AA', 'XFD']
    """
    number, letter = divmod(number - 1, len(_LETTERS))
    return (column_letters(number) if number else "") + _LETTERS[letter]


def _rows(text: bytes) -> Iterator[int]:
    """Rows at the end of a piece, for they are in order, and those that may be out of it."""
    for match in _ROW.finditer(text, max(0, len(text) - _TAIL_BYTES)):
        if _is_of_tag(match):
            yield int(match[1])
    for match in _FAR_ROW.finditer(text):
        if _is_of_tag(match):
            yield int(match[1])


def _first_of_tag(pattern: re.Pattern[bytes], text: bytes) -> re.Match[bytes] | None:
    return next(filter(_is_of_tag, pattern.finditer(text)), None)


def _is_of_tag(found: re.Match[bytes]) -> bool:
    """Whether what was found is an attribute of a cell or a row, not the words of one."""
    text, place = found.string, found.start()
    begun = text.rfind(b"<", max(0, place - _TAG_BYTES), place)
    return begun >= 0 and _BEFORE.fullmatch(text, begun, place) is not None


def _beyond(column: str) -> re.Pattern[bytes]:
    """Finds a cell in a column to the right of this one: few cells are, so few are looked at."""
    further = [f"[A-Z]{{{len(column) + 1},7}}"]
    for place, letter in enumerate(column):
        later = _LETTERS[_LETTERS.index(letter) + 1 :]
        if later:
            further.append(f"{column[:place]}[{later}][A-Z]{{{len(column) - place - 1}}}")
    return re.compile(_REFERENCE + f"({'|'.join(further)})[0-9]".encode())
