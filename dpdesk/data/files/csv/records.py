# SPDX-License-Identifier: Apache-2.0
r"""Where one row ends and the next begins, so that nobody's marks reach another person's row.

A line is a row, and what becomes of a line is found by looking at this line alone:

* A line whose quotation marks are all in order (each opens a cell at its start, closes it at its
  end, or is doubled inside one) is a row as it is.
* Of any other line the marks are read as well as they can be: one inside a cell that does not
  begin with a mark is a character, and what follows a closing mark belongs to its cell.
* A line that still has a cell open at its end is no row, for it might be the beginning of one.

Only where the study declares that cells hold line breaks, a line that opens a quoted cell and
does not close it is a row together with the lines that follow, if together they are in order and
no longer than ``RECORD_BYTES``. For a file whose writer doubles the marks inside a cell, as all
do that write CSV by the book, the rows are exactly those that were written. Of another file one
person's two stray marks would make one cell of all that is between them: so the writer is
trusted there, and every release says so.

What leaves this module is text in which every quotation mark is in order, so that no later
parser can trip over it, and in which a line that is no row is blank, so that lines keep their
numbers.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator

import numpy as np

RECORD_BYTES = 1 << 24
"""A row over several lines is no longer than this.

Generous, because the lines of a longer one would count as rows of other people: letters with
pictures or scans in them, line by line, come to megabytes.
"""

# The standard library refuses cells beyond 128 KiB; a line may be longer here.
csv.field_size_limit(2**31 - 1)


def whole_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Blocks of whole lines, each ended by a line feed."""
    rest: list[bytes] = []
    for chunk in chunks:
        end = chunk.rfind(b"\n") + 1
        if end:
            # The same as a slice joined, with one copy less.
            yield b"".join((*rest, memoryview(chunk)[:end]))
            rest = []
        rest.append(chunk[end:])
    if last := b"".join(rest):
        yield last + b"\n"


class LineReader:
    """Reads each line of a block as a row of its own."""

    def __init__(self, separator: str, no_row: bytes = b"\n") -> None:
        """Read lines with this separator.

        Args:
            separator: the one ASCII character between cells.
            no_row: what represents a line that is no row; a blank line if not given.
        """
        self.separator = separator
        self._no_row = no_row
        self._mark = separator.encode()

    def rows(self, block: bytes) -> bytes:
        """The block with all quotation marks in order, and blank lines instead of open ones."""
        if b'"' not in block:
            return block
        pieces: list[bytes] = []
        place = 0
        for start, stop in self._faulty_lines(block):
            pieces += block[place:start], self.line(block[start:stop]) or self._no_row
            place = stop + 1
        return b"".join((*pieces, memoryview(block)[place:]))

    def open_lines(self, block: bytes) -> list[int]:
        """Which lines of a block, counted from 0, are no rows because a cell stays open."""
        faulty = self._faulty_lines(block) if b'"' in block else ()
        starts = [start for start, stop in faulty if self.line(block[start:stop]) is None]
        return [block.count(b"\n", 0, start) for start in starts]

    def line(self, line: bytes) -> bytes | None:
        """One line as a row, its cells quoted by the book; ``None`` where a cell stays open."""
        text = line.decode("utf-8", "replace")
        # One that stays open goes on in the next line.
        reader = csv.reader((text + "\n", "\n"), delimiter=self.separator, skipinitialspace=True)
        cells = next(reader)
        if reader.line_num > 1:
            return None
        quoted = ('"' + cell.replace('"', '""') + '"' for cell in cells)
        return (self.separator.join(quoted) + "\n").encode("utf-8", "replace")

    def _faulty_lines(self, text: bytes) -> Iterator[tuple[int, int]]:
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
        return zip(starts[faulty].tolist(), line_ends[faulty].tolist(), strict=True)


class RecordSplitter(LineReader):
    """Splits UTF-8 text with LF line ends into blocks of whole rows, which may have many lines.

    For files whose writer is trusted with quotation marks.
    """

    def __init__(self, separator: str) -> None:
        super().__init__(separator)
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
        pieces, place = [], 0
        for start, stop in self._faulty_lines(text[:end]):
            if start < place:
                continue
            pieces.append(text[place:start])
            match = self._record.match(text, start, start + RECORD_BYTES)
            if match is None and not last and self._may_go_on(text, start):
                return b"".join(pieces), text[start:]
            pieces.append(match.group() if match else self.line(text[start:stop]) or b"\n")
            place = match.end() if match else stop + 1
        pieces.append(text[place:end])
        return b"".join(pieces), text[end:]

    def _may_go_on(self, text: bytes, start: int) -> bool:
        """Whether what starts here is in order so far, and more text could complete it."""
        return start + RECORD_BYTES > len(text) and self._begun.match(text, start) is not None


def split_record(text: str, separator: str, skip_space: bool = False) -> list[str]:
    lines = text.removesuffix("\n").split("\n")
    rows = csv.reader(
        [line + "\n" for line in lines[:-1]] + lines[-1:],
        delimiter=separator,
        skipinitialspace=skip_space,
    )
    return next(rows, [])
