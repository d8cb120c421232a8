# SPDX-License-Identifier: Apache-2.0
"""From a declared data source to clean text: path, encoding, line ends; nothing about cells."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import BinaryIO

from dpdesk.data.progress import CancelToken, Progress
from dpdesk.study.problem import Refused, refuse
from dpdesk.study.regular_file import open_regular
from dpdesk.study.unit import DataSource

CHUNK_BYTES = 1 << 21
LINE_BYTES = 1 << 24
"""A line's text ends here, whatever follows; a decoded chunk (at most 3 bytes a byte) fits.

No row over several lines is longer (``records``): one that was cut is never joined to the next.
"""

_UTF_16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_LINE_END = re.compile("\r\n|\r|\n")


def data_path(source: DataSource, folder: Path) -> Path:
    """Where the data file lies; ``folder`` is what a relative path starts from."""
    return folder / source.path


def open_data(source: DataSource, folder: Path) -> BinaryIO:
    """Open the data file.

    Raises:
        Refused: ``data-file-missing`` or ``data-file-unreadable``, both at ``$.data.path``.
    """
    code = "data-file-unreadable"
    try:
        return open_regular(data_path(source, folder))
    except (FileNotFoundError, NotADirectoryError, ValueError):
        code = "data-file-missing"
    except OSError:
        pass
    raise refuse(code, "$.data.path")


def read_head(source: DataSource, folder: Path, count: int) -> bytes:
    """The first bytes of the data file.

    Raises:
        Refused: as :func:`open_data` says.
    """
    with open_data(source, folder) as stream:
        return _read(stream, count)


def read_chunks(
    source: DataSource, folder: Path, progress: Progress, cancel: CancelToken
) -> Generator[bytes]:
    """Read the file as UTF-8 with LF line ends, no byte-order mark and lines of bounded length.

    Bytes that the encoding cannot read become U+FFFD; no content raises. ``study.checks`` admits
    only encodings in which a byte or pair of bytes reads alike wherever it stands.

    Raises:
        Refused: as :func:`open_data` says.
        Cancelled: the token was raised.
    """
    lines, byte_wise = _LineEnds(), source.encoding != "utf-16"
    with open_data(source, folder) as stream:
        decoder = _decoder(source.encoding, stream)
        total, done, mark = os.fstat(stream.fileno()).st_size, 0, "\ufeff"
        while raw := _read(stream):
            cancel.check()
            plain = raw.isascii() and byte_wise and not decoder.getstate()[0]
            if plain and (translated := lines.translate_ascii(raw)) is not None:
                yield translated
            else:
                text = lines.translate(decoder.decode(raw))
                yield _utf8(text.removeprefix(mark))
                mark = "" if text else mark
            done += len(raw)
            progress(done, total)
    yield _utf8(lines.translate(decoder.decode(b"", final=True), final=True))


class _LineEnds:
    """Turns the file's own line ends into LF.

    The first one, the header's, says which they are. Many writers do not quote a lone CR inside
    a cell; where rows end with LF or CRLF it is a blank, lest it tear its row in two.
    """

    def __init__(self) -> None:
        self._are_cr: bool | None = None
        self._waiting = ""

    def translate(self, text: str, final: bool = False) -> str:
        """Translate the next piece of text, but for a last CR whose LF may be still to come."""
        text, self._waiting = self._waiting + text, ""
        if text.endswith("\r") and not final:
            text, self._waiting = text[:-1], "\r"
        if self._are_cr is None and (first := _LINE_END.search(text)):
            self._are_cr = first.group() == "\r"
        if self._are_cr:
            return text.replace("\r\n", "\r").replace("\n", " ").replace("\r", "\n")
        return text.replace("\r\n", "\n").replace("\r", " ")

    def translate_ascii(self, text: bytes) -> bytes | None:
        """The same for most pieces of ASCII, without the way through characters; else ``None``."""
        if self._are_cr is not False or self._waiting or text.endswith(b"\r"):
            return None
        if b"\r" not in text:
            return text
        return text.replace(b"\r\n", b"\n").replace(b"\r", b" ")


def _decoder(encoding: str, stream: BinaryIO) -> codecs.IncrementalDecoder:
    if encoding == "utf-16" and _read(stream, 2) not in _UTF_16_MARKS:
        # Without a mark Python's own would raise; what lacks it was mostly written by Windows.
        encoding = "utf-16-le"
    stream.seek(0)
    return codecs.getincrementaldecoder(encoding)("replace")


def _read(stream: BinaryIO, count: int = CHUNK_BYTES) -> bytes:
    try:
        return stream.read(count)
    except OSError:
        problem: Refused = refuse("data-file-unreadable", "$.data.path")
    raise problem


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def without_lines(chunks: Iterator[bytes], count: int) -> Iterator[bytes]:
    """Pass over the first lines."""
    for chunk in chunks:
        place = 0
        while count and place < len(chunk):
            end = chunk.find(b"\n", place)
            place = len(chunk) if end < 0 else end + 1
            count -= end >= 0
        yield chunk[place:] if place else chunk


def bounded_lines(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Cut what a line holds beyond ``LINE_BYTES``, wherever chunks happen to end."""
    length = 0
    for chunk in chunks:
        end = chunk.find(b"\n")
        room = max(0, LINE_BYTES - length)
        if end < 0:
            length += len(chunk)
            yield _cut(chunk, room)
        else:
            length = len(chunk) - chunk.rfind(b"\n") - 1
            yield chunk if end <= room else _cut(chunk, room) + chunk[end:]


def _cut(chunk: bytes, room: int) -> bytes:
    """The beginning of a chunk, not ending within a character."""
    return chunk if room >= len(chunk) else chunk[:room].decode("utf-8", "ignore").encode()
