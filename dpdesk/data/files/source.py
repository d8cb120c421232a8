# SPDX-License-Identifier: Apache-2.0
"""From a declared data source to clean text: path, encoding, line ends; nothing about cells.

What a line reads as depends on its own bytes, wherever it is: the first, the last, at the
border of a chunk. What ends a line is declared or the header's; no row of data says it.
"""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Generator, Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO

from dpdesk.data.files.line_ends import LineEnds
from dpdesk.data.files.packed import open_text, unpacked_name
from dpdesk.data.progress import CancelToken, Progress
from dpdesk.study.model.unit import ENCODINGS, DataSource
from dpdesk.study.problem import Refused, refuse
from dpdesk.study.regular_file import open_regular

CHUNK_BYTES = 1 << 21
LINE_BYTES = 1 << 24
"""A line's text ends here, whatever follows; a decoded chunk (at most 3 bytes a byte) fits.

No row over several lines is longer (``records``): one that was cut is never joined to the next.
"""

_BLANKS = " \t\n\r\x0b\x0c"
_UTF_16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_BYTE_WISE = frozenset(ENCODINGS) - {"utf-16", "utf-16-be"}


def data_path(source: DataSource, folder: Path) -> Path:
    """Where the data file is; ``folder`` is what a relative path starts from."""
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


def _open_text(source: DataSource, folder: Path) -> BinaryIO:
    """The text that the file is or holds, of which nothing is looked at but what is no row.

    Where no header comes first, somebody's row does, and its first bytes may be those of a packed
    file. So there the name says what is packed.
    """
    path, packed = data_path(source, folder), None
    if source.header_row == 0:
        packed = unpacked_name(path) != path.name
    return open_text(open_data(source, folder), packed, partial(header_bytes, source))


def read_head(source: DataSource, folder: Path, count: int) -> bytes:
    """The first bytes of the data file.

    Raises:
        Refused: as :func:`open_data` says.
    """
    with _open_text(source, folder) as stream:
        return _read(stream, count)


def read_chunks(
    source: DataSource,
    folder: Path,
    progress: Progress,
    cancel: CancelToken,
    ends: LineEnds | None = None,
) -> Generator[bytes]:
    """Read the file as UTF-8 with LF line ends, no byte-order marks and lines of bounded length.

    Bytes that the encoding cannot read become U+FFFD; no content raises. ``study.checks`` admits
    only encodings in which a byte or pair of bytes reads alike wherever it is.

    Raises:
        Refused: as :func:`open_data` says.
        Cancelled: the token was raised.
    """
    lines = LineEnds(source.line_ending) if ends is None else ends
    byte_wise = source.encoding in _BYTE_WISE
    with _open_text(source, folder) as stream:
        decoder = _decoder(source, stream)
        total = os.fstat(stream.fileno()).st_size
        while raw := _read(stream):
            cancel.check()
            plain = raw.isascii() and byte_wise and not decoder.getstate()[0]
            if plain and (translated := lines.translate_ascii(raw)) is not None:
                yield translated
            else:
                yield _utf8(lines.translate(decoder.decode(raw)))
            # Of a packed text the file's bytes are reported, not those that come out of it.
            progress(min(total, stream.tell()), total)
    yield _utf8(lines.translate(decoder.decode(b"", final=True), final=True))


def header_bytes(source: DataSource, head: bytes) -> bytes:
    """What of a file's first bytes is its header and is above it; nothing where it has none.

    All else is rows, which no refusal may reveal.
    """
    if source.header_row == 0:
        return b""
    text = head.decode(source.encoding, "replace")
    ends = {"cr": ("\r",), "any": ("\r\n", "\r", "\n")}.get(source.line_ending, ("\n",))
    lines = re.split("|".join(ends), text)
    row = max(0, (source.header_row or 1) - 1)
    while row < len(lines) - 1 and not lines[row].strip(_BLANKS):
        row += 1
    # Two bytes that look like an end without being one would leave less, never more.
    byte_order = "".encode(source.encoding)
    marks = (re.escape(end.encode(source.encoding).removeprefix(byte_order)) for end in ends)
    stops = [found.start() for found in re.finditer(b"|".join(marks), head)]
    return head[: stops[row]] if row < len(stops) else head


def _decoder(source: DataSource, stream: BinaryIO) -> codecs.IncrementalDecoder:
    encoding, marked = source.encoding, source.header_row != 0
    if encoding == "utf-16" and not (marked and _read(stream, 2) in _UTF_16_MARKS):
        # Without a mark Python's own would raise; what lacks it was mostly written by Windows.
        # Where no header follows it, a row's first character might pass for the mark.
        encoding = "utf-16-le"
    stream.seek(0)
    return codecs.getincrementaldecoder(encoding)("replace")


def _read(stream: BinaryIO, count: int | None = None) -> bytes:
    try:
        return stream.read(CHUNK_BYTES if count is None else count)
    except OSError:
        problem: Refused = refuse("data-file-unreadable", "$.data.path")
    raise problem


def _utf8(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def without_lines(chunks: Iterator[bytes], count: int) -> Iterator[bytes]:
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
