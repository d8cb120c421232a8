# SPDX-License-Identifier: Apache-2.0
r"""Where one row ends and the next begins, so that a broken row stays alone with its fault.

A CSV row may run over several lines inside a quoted cell, so one stray quotation mark could
swallow the rows of other people. The rule here is public and depends on the row alone:

* A line whose quotation marks are all in order (each opens a cell at its start, closes it at its
  end, or is doubled inside one) is a row.
* A line that opens a quoted cell and does not close it is a row together with the lines that
  follow, if together they are in order and no longer than ``RECORD_BYTES``.
* Any other line is a row by itself; its quotation marks are read as well as they can be.

What leaves this module is text in which every quotation mark is in order, so that no later
parser can trip over it. For a file whose writer doubles quotation marks, as all do that write
CSV by the book, the rows are exactly those that were written. Where a writer does not, and two
rows hold a stray mark each, text between them may look like one cell: no reader can tell.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

RECORD_BYTES = 1 << 24
"""A row over several lines is no longer than this.

Generous, because the lines of a longer one would count as rows of other people: letters with
pictures or scans in them, line by line, come to megabytes.
"""

# The standard library refuses cells beyond 128 KiB; a line may be longer here.
csv.field_size_limit(2**31 - 1)


class LineSplitter:
    """Splits text into blocks of whole lines, for files in which quotation marks mean nothing."""

    def blocks(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield blocks of whole rows, each row ended by a line feed."""
        rest: list[bytes] = []
        for chunk in chunks:
            end = chunk.rfind(b"\n") + 1
            if end:
                yield b"".join([*rest, chunk[:end]])
                rest = []
            rest.append(chunk[end:])
        if last := b"".join(rest):
            yield last + b"\n"


class RecordSplitter:
    """Splits UTF-8 text with LF line ends into blocks of whole, well-formed rows.

    Attributes:
        separator: the one ASCII character between cells.
    """

    def __init__(self, separator: str) -> None:
        self.separator = separator
        self._mark = separator.encode()
        sep = re.escape(self._mark)
        cell = rb'(?:"(?:[^"]++|"")*+"|[^"\n' + sep + rb"]*+)"
        self._record = re.compile(cell + rb"(?:" + sep + cell + rb")*+\n")
        begun = rb'(?:"(?:[^"]++|"")*+"?+|[^"\n' + sep + rb"]*+)"
        self._begun = re.compile(rb"(?:" + cell + sep + rb")*+" + begun + rb"\Z")

    def blocks(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield blocks of whole rows, each row ended by a line feed."""
        rest = b""
        for chunk in chunks:
            if b'"' in rest or b'"' in chunk:
                whole, rest = self._split(rest + chunk, last=False)
            else:
                # The same with one copy less.
                end = chunk.rfind(b"\n") + 1
                whole = b"".join((rest, memoryview(chunk)[:end])) if end else b""
                rest = chunk[end:] if end else rest + chunk
            if whole:
                yield whole
        if rest:
            yield self._split(rest if rest.endswith(b"\n") else rest + b"\n", last=True)[0]

    def _split(self, text: bytes, last: bool) -> tuple[bytes, bytes]:
        """Whole rows from the start of ``text``, and what has to wait for more text."""
        end = text.rfind(b"\n") + 1
        if text.find(b'"', 0, end) < 0:
            return text[:end], text[end:]
        starts, ends = self._faulty_lines(text[:end])
        pieces, place = [], 0
        for start, stop in zip(starts.tolist(), ends.tolist(), strict=True):
            if start < place:
                continue
            pieces.append(text[place:start])
            match = self._record.match(text, start, start + RECORD_BYTES)
            if match is None and not last and self._may_go_on(text, start):
                return b"".join(pieces), text[start:]
            pieces.append(match.group() if match else self._alone(text[start:stop]))
            place = match.end() if match else stop + 1
        pieces.append(text[place:end])
        return b"".join(pieces), text[end:]

    def _may_go_on(self, text: bytes, start: int) -> bool:
        """Whether what starts here is in order so far, and more text could complete it."""
        return start + RECORD_BYTES > len(text) and self._begun.match(text, start) is not None

    def _faulty_lines(self, text: bytes) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Start and end of each line whose quotation marks are not in order by themselves.

        Within a line the marks take turns: the first opens, the second closes or is the first
        of a doubled pair, the third opens or is the second of that pair, and so on.
        """
        data = np.frombuffer(text, np.uint8)
        line_ends = np.flatnonzero(data == ord("\n"))
        marks = np.flatnonzero(data == ord('"'))
        line = np.searchsorted(line_ends, marks)
        first = np.searchsorted(line, np.arange(len(line_ends)))
        opens = (np.arange(len(marks)) - first[line]) % 2 == 0
        before = np.where(marks > 0, data[marks - 1], ord("\n"))
        neighbour = np.where(opens, before, data[marks + 1])
        in_order = np.isin(neighbour, np.frombuffer(self._mark + b'\n"', np.uint8))
        faulty = np.bincount(line, minlength=len(line_ends)) % 2 == 1
        faulty[line[~in_order]] = True
        starts = np.concatenate([[0], line_ends[:-1] + 1])
        return starts[faulty], line_ends[faulty]

    def _alone(self, line: bytes) -> bytes:
        """One line as a row of its own, its cells quoted by the book."""
        text = line.decode("utf-8", "replace")
        cells = split_record(text, self.separator, skip_space=True)
        quoted = ('"' + cell.replace('"', '""') + '"' for cell in cells)
        return (self.separator.join(quoted) + "\n").encode("utf-8", "replace")


def record_splitter(separator: str, quotes: bool) -> RecordSplitter | LineSplitter:
    """What splits a file's text into rows."""
    return RecordSplitter(separator) if quotes else LineSplitter()


def split_record(text: str, separator: str, skip_space: bool = False) -> list[str]:
    """The cells of one row."""
    lines = text.removesuffix("\n").split("\n")
    rows = csv.reader(
        [line + "\n" for line in lines[:-1]] + lines[-1:],
        delimiter=separator,
        skipinitialspace=skip_space,
    )
    return next(rows, [])
