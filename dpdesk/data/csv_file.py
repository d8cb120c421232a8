# SPDX-License-Identifier: Apache-2.0
"""A CSV file as its header and its rows, and the few things that a person may see of it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from dpdesk.data.progress import CancelToken, Progress, no_progress
from dpdesk.data.records import RecordSplitter, split_record
from dpdesk.data.source import bounded_lines, read_chunks
from dpdesk.study.checks import check_data
from dpdesk.study.document import Study
from dpdesk.study.problem import Problem, Refused, refuse
from dpdesk.study.unit import DataSource


@dataclass(frozen=True, repr=False)
class CsvRecords:
    """An open CSV file.

    Attributes:
        header: column names, white space collapsed, in file order.
        separator: the character between cells.
        blocks: blocks of whole rows below the header, UTF-8; read once.
    """

    header: tuple[str, ...]
    separator: str
    blocks: Iterator[bytes]


@dataclass(frozen=True)
class Places:
    """Positions of the declared columns in the file's rows.

    Attributes:
        person: position of the person column, or ``None``.
        columns: positions of the study's columns, in the study's order.
    """

    person: int | None
    columns: tuple[int, ...]


@contextmanager
def open_records(
    source: DataSource,
    folder: Path,
    progress: Progress = no_progress,
    cancel: CancelToken | None = None,
) -> Iterator[CsvRecords]:
    """Open a CSV file and read its header; a file of nothing but a header has no blocks.

    Raises:
        Refused: ``data-file-missing``, ``data-file-unreadable``, ``data-file-empty``,
            ``data-file-not-text`` (all at ``$.data.path``), or what ``check_data`` finds.
        Cancelled: the token was raised.
    """
    problems = tuple(check_data(source))
    if problems:
        raise Refused(problems)
    splitter = RecordSplitter(source.separator)
    chunks = read_chunks(source, folder, progress, cancel or CancelToken())
    with closing(chunks):
        blocks = splitter.blocks(bounded_lines(chunks))
        first, below = _first_record(blocks)
        cells = split_record(first, source.separator)
        yield CsvRecords(_names(cells), source.separator, _continued(below, blocks))


def _first_record(blocks: Iterator[bytes]) -> tuple[str, bytes]:
    """The first row that is not blank, and the rest of its block."""
    for block in blocks:
        text = block.lstrip()
        if text:
            # Separators may be white space: the header keeps those it begins with.
            line = block.rfind(b"\n", 0, len(block) - len(text)) + 1
            end = _record_end(block, line)
            return block[line:end].decode("utf-8", "replace"), block[end:]
    raise refuse("data-file-empty", "$.data.path")


def _record_end(block: bytes, start: int) -> int:
    """The end of the row at ``start``; rows in a block have their quotation marks in order."""
    end = block.index(b"\n", start) + 1
    while block.count(b'"', start, end) % 2:
        end = block.index(b"\n", end) + 1
    return end


def _names(cells: list[str]) -> tuple[str, ...]:
    """Header names.

    Raises:
        Refused: ``data-file-not-text``: control characters, as in a workbook or an archive.
    """
    names = tuple(unicodedata.normalize("NFC", " ".join(cell.split())) for cell in cells)
    if any(unicodedata.category(c) == "Cc" for name in names for c in name):
        raise refuse("data-file-not-text", "$.data.path")
    return names


def _continued(below: bytes, blocks: Iterator[bytes]) -> Iterator[bytes]:
    if below:
        yield below
    yield from blocks


def read_header(source: DataSource, folder: Path) -> tuple[str, ...]:
    """The column names of a file, in file order.

    Raises:
        Refused: as :func:`open_records` says.
    """
    with open_records(source, folder) as records:
        return records.header


def locate_columns(study: Study, header: tuple[str, ...]) -> Places:
    """Find the declared columns in a header. Columns that are not declared do not matter.

    Raises:
        Refused: every ``data-column-absent`` and ``data-header-duplicate`` (param name), at
            ``$.columns[i]`` or ``$.unit.person``.
    """
    person = study.unit.person if study.unit else None
    declared = [(f"$.columns[{i}]", c.name) for i, c in enumerate(study.columns)]
    declared += [("$.unit.person", person)] if person is not None else []
    problems = [p for path, name in declared for p in _misplaced(path, name, header)]
    if problems:
        raise Refused(problems)
    places = [header.index(_name(name)) for _, name in declared]
    return Places(None if person is None else places[-1], tuple(places[: len(study.columns)]))


def _misplaced(path: str, name: str, header: tuple[str, ...]) -> list[Problem]:
    found = header.count(_name(name))
    if found == 1:
        return []
    code = "data-header-duplicate" if found else "data-column-absent"
    return [Problem(path, code, {"name": name})]


def _name(declared: str) -> str:
    return unicodedata.normalize("NFC", " ".join(declared.split()))


def sample_rows(source: DataSource, folder: Path, count: int) -> list[list[str]]:
    """The first rows as they stand, for the custodian's own eyes; never logged, never exported.

    Raises:
        Refused: as :func:`open_records` says.
    """
    with open_records(source, folder) as records:
        return list(islice(_rows(records), count))


def _rows(records: CsvRecords) -> Iterator[list[str]]:
    blank = " \t\n".replace(records.separator, "")
    for block in records.blocks:
        place = 0
        while place < len(block):
            end = _record_end(block, place)
            text = block[place:end].decode("utf-8", "replace")
            if text.strip(blank):
                yield split_record(text, records.separator)
            place = end
