# SPDX-License-Identifier: Apache-2.0
"""The compound file that an old workbook (.xls) is: whether all of it is there.

It is a small disk: sectors, and a table that names for each the one that comes next. Where a file
was cut off or damaged, sectors may follow each other in a circle, and the reader of workbooks
would follow them, and fill the memory, for ever. It sets memory aside by the counts that the file
gives, too. So all of these are looked at here first.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

_HEAD_ENTRIES = 109
_LAST = 0xFFFFFFFA
"""Numbers from here on are marks, not sectors."""

_ENTRY_BYTES = 128
_SMALL_BYTES = 64
"""Small parts lie in sectors of their own, within the root's."""

_COUNTS = (40, 44, 64, 72)
"""Where the header says how many sectors each of its tables fills."""

_BOOKS = frozenset({"Workbook", "Book"})
_SEALED = "EncryptedPackage"
_DOCUMENTS = ("WordDocument", "PowerPoint Document", "__substg1.0_")
_CELLS = frozenset({0x06, 0x7E, 0xBD, 0xBE, 0xD6, 0xFD, 0x201, 0x203, 0x204, 0x205, 0x27E})
"""Kinds of records that begin with a cell's row and column."""

_END = 0x0A
"""Kind of the record that ends a sheet."""

_PASSWORD = 0x2F
"""Kind of the record behind which all is locked."""

_COLUMNS = 256


def ole_mistake(content: bytes) -> str:
    """Why a compound file is no workbook that can be read; empty where it is one.

    What it is, the names in its directory say and nothing else: a cell may hold the same words.
    Every part that its directory names must be there to its end; others are not looked at.

    Returns:
        ``data-file-damaged``, ``data-file-document``, ``data-file-locked``, or nothing.
    """
    try:
        sectors = _Sectors(content)
        names = set(map(_name, sectors.entries))
        if not names & _BOOKS and _SEALED in names:
            return "data-file-locked"
        if not names & _BOOKS and any(name.startswith(_DOCUMENTS) for name in names):
            return "data-file-document"
        sectors.check()
    except (struct.error, _Broken):
        return "data-file-damaged"
    return "data-file-locked" if sectors.is_locked else ""


def _name(entry: bytes) -> str:
    return entry[:64].decode("utf-16-le", "replace").partition("\0")[0]


class _Broken(Exception):
    """A chain of sectors leaves the file or meets itself, or a part is shorter than it says."""


class _Sectors:
    """The sectors of a compound file.

    Attributes:
        entries: those of its directory, the root's first.
        is_locked: whether a book was found that a password locks.
    """

    def __init__(self, content: bytes) -> None:
        (shift,) = struct.unpack_from("<H", content, 30)
        if shift not in (9, 12):
            raise _Broken
        self._content = content
        self._size = 1 << shift
        # The header has a sector of its own; the last sector may be cut short.
        self._count = -(-len(content) // self._size) - 1
        if any(self._number(place) > self._count for place in _COUNTS):
            raise _Broken
        self._next = self._table()
        self.entries = self._directory()
        self.is_locked = False

    def check(self) -> None:
        """Follow all that the directory names, and the table of small parts."""
        small = [n for place in self._chain(self._number(60)) for n in self._numbers(place)]
        first, size = struct.unpack_from("<II", self.entries[0], 116)
        held = self._chain(first)
        _check_length(len(held) * self._size, size)
        for entry in self.entries[1:]:
            self._follow(entry, small, size // _SMALL_BYTES)

    def _directory(self) -> list[bytes]:
        text = b"".join(self._sector(place) for place in self._chain(self._number(48)))
        if not text:
            raise _Broken
        return [text[place : place + _ENTRY_BYTES] for place in range(0, len(text), _ENTRY_BYTES)]

    def _follow(self, entry: bytes, small: Sequence[int], count: int) -> None:
        first, size = struct.unpack_from("<II", entry, 116)
        if not size or not any(entry[:64]):
            return
        if size < self._number(56):
            _check_length(len(_chain(first, small, count)) * _SMALL_BYTES, size)
            return
        chain = self._chain(first)
        _check_length(len(chain) * self._size, size)
        if _name(entry) in _BOOKS:
            # The file's last sector may be a short one.
            book = b"".join(self._sector(place) for place in chain)[:size]
            self.is_locked |= _check_cells(book, size)

    def _chain(self, start: int) -> list[int]:
        return _chain(start, self._next, self._count)

    def _number(self, place: int) -> int:
        number: int = struct.unpack_from("<I", self._content, place)[0]
        return number

    def _sector(self, place: int) -> bytes:
        start = (place + 1) * self._size
        return self._content[start : start + self._size]

    def _numbers(self, place: int) -> tuple[int, ...]:
        # What the last sector lacks names no sector.
        sector = self._sector(place).ljust(self._size, b"\xff")
        return struct.unpack(f"<{self._size // 4}I", sector)

    def _table(self) -> list[int]:
        """Which sector comes after each; the header, and a chain of its own, say where it is."""
        places = list(struct.unpack_from(f"<{_HEAD_ENTRIES}I", self._content, 76))
        more, seen = self._number(68), set[int]()
        while more < _LAST:
            if more in seen or more >= self._count:
                raise _Broken
            seen.add(more)
            *listed, more = self._numbers(more)
            places += listed
        return [number for place in places if place < _LAST for number in self._numbers(place)]


def _chain(start: int, following: Sequence[int], count: int) -> list[int]:
    """The sectors from one to the last, all of them different and in the file."""
    result: list[int] = []
    seen: set[int] = set()
    while start < _LAST:
        if start in seen or start >= min(count, len(following)):
            raise _Broken
        seen.add(start)
        result.append(start)
        start = following[start]
    return result


def _check_cells(book: bytes, size: int) -> bool:
    """No cell is in a column that no sheet has: room would be made for all before it.

    Nothing but padding is cut off: what is there ends with the end of a sheet.

    Returns:
        Whether a password locks the book: what follows cannot be read.
    """
    place, last = 0, 0
    while place + 4 <= len(book) and any(book[place : place + 4]):
        kind, length = struct.unpack_from("<HH", book, place)
        if kind == _PASSWORD:
            return True
        if kind in _CELLS and struct.unpack_from("<H", book, place + 6)[0] >= _COLUMNS:
            raise _Broken
        place, last = place + 4 + length, kind
    if len(book) < size and (last != _END or place > len(book)):
        raise _Broken
    return False


def _check_length(there: int, reported: int) -> None:
    if there < reported:
        raise _Broken
