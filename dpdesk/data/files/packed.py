# SPDX-License-Identifier: Apache-2.0
"""A text packed alone in a gzip or zip file, read in place: nothing is ever unpacked to a disk.

Anyone who sends such a file may mean harm. It holds one text and nothing else: no second member, no
byte behind it, no way out (a link, a folder), no password, no packed file within. How much comes
out is counted while it comes, whatever the file says of itself.
"""

from __future__ import annotations

import io
import re
import stat
import struct
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import BinaryIO, TypeVar, cast
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from dpdesk.data.files.file_formats import CSV, file_kind
from dpdesk.data.files.zip_members import are_disjoint
from dpdesk.study.problem import Refused, refuse

MAX_UNPACKED_BYTES = 1 << 36
"""What may come out, whatever the file's own size: thousands of millions of rows.

There is no limit to the ratio: 300 MB of blanks in one person's line pack to nothing, and would
decide whether the others' rows are read. The same remains for anyone whose rows carry a file beyond
these 64 GiB. Up to there a bomb costs time, which cancelling ends, and no memory for its blanks.
"""

_PIECE = 1 << 16
_TEXT_ENDINGS, _PACKED_ENDINGS = (kind.endings for kind in CSV.kinds)
_GZIP = b"\x1f\x8b"
_ZIP = b"PK\3\4"
_PACKED = re.compile(
    rb"\x1f\x8b|PK[\3\5\7]|BZh[1-9](?:1AY&SY|\x17rE8P\x90)|\xfd7zXZ\0|\x28\xb5\x2f\xfd"
    rb"|7z\xbc\xaf|Rar!\x1a\x07"
)
"""What is packed begins so; a column may be called PK or BZh."""
_END = struct.Struct("<4s4H2LH")
_END_MARK = b"PK\5\6"
_MAX_DIRECTORY = 1 << 17
_ENCRYPTED = 0x1 | 0x40 | 0x2000


T = TypeVar("T")


_Unpacking = Callable[[int], bytes]
"""Gives what comes out next, at most this many bytes; nothing at the end."""


class PackedText(io.BufferedIOBase):
    """The text in a packed file; its place is that in the file, so that progress has an end."""

    def __init__(self, file: BinaryIO, begin: Callable[[BinaryIO], _Unpacking]) -> None:
        self._file, self._begin = file, begin
        self._size = file.seek(0, io.SEEK_END)
        self._restart()

    def _restart(self) -> None:
        self._file.seek(0)
        self._read = _guarded(lambda: self._begin(self._file))
        self._done, self._ended = 0, False

    def readable(self) -> bool:
        return True

    def read(self, count: int | None = -1, /) -> bytes:
        """Read this many bytes, fewer at the end alone.

        Raises:
            Refused: ``data-file-damaged``, ``data-file-several`` or ``data-file-unpacks-large``.
        """
        wanted = _PIECE if count is None or count < 0 else count
        content = bytearray()
        while len(content) < wanted:
            piece = _guarded(partial(self._read, wanted - len(content)))
            if not piece:
                self._ended = True
                break
            self._done += len(piece)
            self._refuse_bomb()
            content += piece
        return bytes(content)

    def _refuse_bomb(self) -> None:
        if self._done > MAX_UNPACKED_BYTES:
            raise refuse("data-file-unpacks-large", "$.data.path")

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        """Begin again; there is no other place to go to."""
        if offset or whence:
            raise io.UnsupportedOperation("a packed text is read from its beginning")
        self._restart()
        return 0

    def tell(self) -> int:
        """How much of the file was read; all of it at the end, with what is behind the text."""
        return self._size if self._ended else self._file.tell()

    def fileno(self) -> int:
        return self._file.fileno()

    def close(self) -> None:
        self._file.close()
        super().close()


def unpacked_name(path: Path) -> str:
    """What a file is called without being packed.

    >>> unpacked_name(Path("stays.csv.gz")), unpacked_name(Path("stays.csv"))
    ('stays.csv', 'stays.csv')
    """
    return path.stem if path.suffix.lower() in _PACKED_ENDINGS else path.name


def is_packed_text(path: Path) -> bool:
    """Whether a name says that a text is packed there: ``stays.csv.zip``."""
    is_packed = unpacked_name(path) != path.name
    return is_packed and Path(unpacked_name(path)).suffix.lower() in _TEXT_ENDINGS


def _everything(head: bytes) -> bytes:
    return head


def open_text(
    file: BinaryIO,
    packed: bool | None = None,
    shown: Callable[[bytes], bytes] = _everything,
) -> BinaryIO:
    """The text that an open file is or holds; the file is closed with it, or at once.

    Args:
        packed: whether a text is packed in it. If not given its first bytes say so, which may not
            be where they are somebody's row.
        shown: what of the text's first bytes may say that it is packed once more.

    Raises:
        Refused: ``data-file-unreadable``; of a packed file ``data-file-damaged``,
            ``data-file-several``, ``data-file-locked``, ``data-file-archive``,
            ``data-file-compressed`` (packed twice, or no text), at ``$.data.path``.
    """
    try:
        begin = None if packed is False else _unpacking(file)
        if begin is None and packed:
            raise refuse("data-file-damaged", "$.data.path")
        if begin is None:
            file.seek(0)
            return file
        text = PackedText(file, begin)
        _refuse_packed_again(shown(text.read(_PIECE)))
        text.seek(0)
    except BaseException:
        file.close()
        raise
    return cast(BinaryIO, text)


def _unpacking(file: BinaryIO) -> Callable[[BinaryIO], _Unpacking] | None:
    """What unpacks a file; ``None`` for a file as it is, and for archives of several files."""
    head = _guarded(lambda: file.read(len(_ZIP)))
    if head.startswith(_GZIP):
        return _gunzip
    if head == _ZIP and _guarded(lambda: _holds_one(file)):
        return _unzip
    return None


def _refuse_packed_again(head: bytes) -> None:
    if file_kind(head) is not None:
        raise refuse("data-file-packed-table", "$.data.path")
    if _PACKED.match(head):
        raise refuse("data-file-compressed", "$.data.path")


def _gunzip(file: BinaryIO) -> _Unpacking:
    member = zlib.decompressobj(wbits=31)

    def read(count: int) -> bytes:
        while not member.eof:
            packed = member.unconsumed_tail or file.read(_PIECE)
            piece = member.decompress(packed, count)
            if piece:
                return piece
            if not packed and not member.eof:
                # Cut off: what was read may end in somebody's half row.
                raise EOFError
        if member.unused_data or file.read(1):
            raise refuse("data-file-several", "$.data.path")
        return b""

    return read


def _member_count(file: BinaryIO) -> int:
    """How many members an archive says it has, where it ends as it says; else 0."""
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - _END.size))
    last = file.read(_END.size)
    if len(last) < _END.size:
        return 0
    mark, disk, first, here, count, length, start, comment = _END.unpack(last)
    ends = mark == _END_MARK and start + length + _END.size == size and not comment
    is_whole = disk == first == 0 and here == count and length <= _MAX_DIRECTORY
    return count if ends and is_whole else 0


_OF_MACS = "__MACOSX/"
"""Macs add a member for what is not the file's content; it is never opened."""


def _holds_one(file: BinaryIO) -> bool:
    """Whether an archive has one member, but for one that a Mac added."""
    count = _member_count(file)
    return count == 1 or (count == 2 and len(_contents(ZipFile(file))) == 1)


def _contents(archive: ZipFile) -> list[ZipInfo]:
    return [part for part in archive.infolist() if not part.filename.startswith(_OF_MACS)]


def _unzip(file: BinaryIO) -> _Unpacking:
    archive = ZipFile(file)
    (member,) = _contents(archive)
    _refuse_member(member)
    if not are_disjoint(archive):
        raise refuse("data-file-damaged", "$.data.path")
    stream = archive.open(member)
    return stream.read


def _refuse_member(member: ZipInfo) -> None:
    code = ""
    mode = member.external_attr >> 16
    if member.flag_bits & _ENCRYPTED:
        code = "data-file-locked"
    elif member.is_dir() or (mode and not stat.S_ISREG(mode) and stat.S_IFMT(mode)):
        code = "data-file-archive"
    elif member.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        code = "data-file-compressed"
    elif member.header_offset:
        # Something precedes it: a program, say, or another archive's members.
        code = "data-file-several"
    if code:
        raise refuse(code, "$.data.path")


def _guarded(work: Callable[[], T]) -> T:
    """Do some work; what a broken file makes of it is one refusal, without its words."""
    try:
        return work()
    except (Refused, MemoryError):
        raise
    except OSError:
        code = "data-file-unreadable"
    except Exception:  # noqa: BLE001 - a broken file may raise anything
        code = "data-file-damaged"
    raise refuse(code, "$.data.path")
