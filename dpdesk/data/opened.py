# SPDX-License-Identifier: Apache-2.0
"""Opening a data file of any kind, and finding the declared columns in it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from dpdesk.data.files.batch import OpenTable
from dpdesk.data.files.csv.csv_file import open_csv
from dpdesk.data.files.file_formats import DECLARATIONS
from dpdesk.data.files.format_declaration import NativeReader, TableReader
from dpdesk.data.files.parquet.parquet_file import open_parquet
from dpdesk.data.files.source import read_head
from dpdesk.data.files.unsupported import HEAD_BYTES, refuse_unsupported
from dpdesk.data.progress import CancelToken, Progress, no_progress
from dpdesk.data.reader_process.isolated_table import open_isolated
from dpdesk.study.checks.study_checks import check_data
from dpdesk.study.checks.table_checks import moved
from dpdesk.study.model.columns import Column, plain_name
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import MAIN
from dpdesk.study.model.unit import DataSource, Unit
from dpdesk.study.problem import Problem, Refused, refuse

_IN_ONE = {
    "data-column-absent": "data-column-absent-in",
    "data-header-duplicate": "data-header-duplicate-in",
}
"""What is said of one of several files."""
_NAMELESS = re.compile(r"\(column ([1-9][0-9]{0,4})\)")


@dataclass(frozen=True)
class ColumnPlaces:
    """Positions of the declared columns in the file's rows.

    Attributes:
        person: position of the person column, or ``None``.
        columns: positions of the columns that are read, in the study's order; ``None`` where this
            file of several lacks one.
        case: position of the column of case numbers, or ``None``.
    """

    person: int | None
    columns: tuple[int | None, ...]
    case: int | None = None


@contextmanager
def open_table(
    source: DataSource,
    folder: Path,
    progress: Progress = no_progress,
    cancel: CancelToken | None = None,
) -> Iterator[OpenTable]:
    """Open a data file and read its header.

    Raises:
        Refused: ``data-file-missing``, ``data-file-unreadable``, ``data-file-empty``,
            ``data-file-not-text`` (all at ``$.data.path``), what ``check_data`` finds, or what
            the kind of file adds.
        Cancelled: the token was raised.
    """
    problems = tuple(check_data(source))
    if problems:
        raise Refused(problems)
    reader = DECLARATIONS[source.format].reader
    opened = open_isolated if isinstance(reader, NativeReader) else _OPEN[reader]
    with opened(source, folder, progress, cancel or CancelToken()) as table:
        yield table


_OPEN: dict[TableReader, Callable[..., AbstractContextManager[OpenTable]]] = {
    "text": open_csv,
    "parquet": open_parquet,
}


def read_header(
    source: DataSource, folder: Path, cancel: CancelToken | None = None
) -> tuple[str, ...]:
    """The column names of a file, in file order.

    Raises:
        Refused: as :func:`open_table` says; what a file without a table is refused for, more of
            which is seen here than a release may see.
        Cancelled: the token was raised.
    """
    if source.format == "csv" and not any(check_data(source)):
        refuse_unsupported(read_head(source, folder, HEAD_BYTES), source.encoding)
    with open_table(source, folder, cancel=cancel) as table:
        return table.header


def sample_rows(
    source: DataSource, folder: Path, count: int, cancel: CancelToken | None = None
) -> list[list[str]]:
    """The first rows as they are, for the custodian's own eyes; never logged, never exported.

    Raises:
        Refused: as :func:`open_table` says.
        Cancelled: the token was raised.
    """
    with open_table(source, folder, cancel=cancel) as table:
        return table.first_rows(count)


@dataclass(frozen=True)
class TableFile:
    """One file or sheet of a table.

    Attributes:
        table: the table's name, ``MAIN`` for that whose rows queries count.
        source: how it is read, by itself.
        place: where the study declares it, such as ``$.data.more[0]``.
        number: which of the table's files it is, from 1; 0 where it is the only one.
    """

    table: str
    source: DataSource
    place: str
    number: int = 0


def files_of(study: Study) -> tuple[TableFile, ...]:
    """Every file of a study: those of the main table, then those of each further one.

    Raises:
        Refused: ``data-not-chosen`` at ``$.data.path``.
    """
    if study.data is None:
        raise refuse("data-not-chosen", "$.data.path")
    tables = [(MAIN, study.data, "$.data")]
    tables += [(t.name, t.data, f"$.tables[{i}].data") for i, t in enumerate(study.tables)]
    return tuple(one for table in tables for one in _files(*table))


def _files(table: str, data: DataSource, place: str) -> Iterator[TableFile]:
    first, *rest = data.files
    yield TableFile(table, first, place, 1 if rest else 0)
    for at, source in enumerate(rest):
        yield TableFile(table, source, f"{place}.more[{at}]", at + 2)


@contextmanager
def open_file(
    file: TableFile,
    folder: Path,
    progress: Progress = no_progress,
    cancel: CancelToken | None = None,
) -> Iterator[OpenTable]:
    """Open one of a study's files; what it is refused for is at its own place.

    Raises:
        Refused: as :func:`open_table` says, also while it is read.
        Cancelled: the token was raised.
    """
    try:
        with open_table(file.source, folder, progress, cancel) as table:
            yield table
    except Refused as refused:
        if file.place == "$.data":
            raise
        raise Refused(tuple(moved(refused.problems, "$.data", file.place))) from refused


def locate_columns(study: Study, header: tuple[str, ...]) -> ColumnPlaces:
    """Find the main table's columns in a header. Columns that are not declared do not matter.

    Raises:
        Refused: every ``data-column-absent`` and ``data-header-duplicate`` (param name), at
            ``$.columns[i]``, ``$.unit.person`` or ``$.unit.case``.
    """
    return locate_in_files(study, MAIN, [header])[0]


def locate_in_files(
    study: Study, table: str, headers: Sequence[tuple[str, ...]]
) -> tuple[ColumnPlaces, ...]:
    """Find a table's columns in the header of each of its files.

    A column is missing in the rows of a file that lacks it, if another file has it. That of people
    is in every file: rows would lose their people.

    Raises:
        Refused: every ``data-column-absent`` and ``data-header-duplicate`` (param name), where the
            column, or the column of people or of cases, is declared; with ``-in`` behind the code
            and the param file where it is said of one of several files.
    """
    columns = [
        (_path(at, column), column.header)
        for at, column in enumerate(study.columns)
        if column.header is not None and column.table == table
    ]
    problems: list[Problem] = []
    for path, name in columns:
        found = [_misplaced(path, name, header) for header in headers]
        doubled = (p for p in _in_files(found) if p.code.startswith("data-header-duplicate"))
        problems += found[0] if all(found) else doubled
    problems += _in_files([misplaced_ids(study, table, header) for header in headers])
    if problems:
        raise Refused(tuple(problems))
    return tuple(_places(study, table, columns, header) for header in headers)


def _in_files(found: Sequence[Sequence[Problem]]) -> Iterator[Problem]:
    """What is misplaced in which of a table's files; of an only file its number is not said."""
    for number, problems in enumerate(found, 1):
        for one in problems:
            params = {**one.params, "file": str(number)}
            yield one if len(found) == 1 else Problem(one.path, _IN_ONE[one.code], params)


def refuse_same_file(files: Sequence[TableFile], folder: Path) -> None:
    """Refuse a table that has one file, or one sheet of it, twice: by another name, or by a link.

    Raises:
        Refused: ``data-file-twice``.
    """
    seen = set()
    for file in files:
        try:
            status = os.stat(folder / file.source.path)
        except (OSError, ValueError):  # it is refused where it is opened
            continue
        same = status.st_dev, status.st_ino, file.source.sheet
        if same in seen:
            raise refuse("data-file-twice", f"{file.place}.path")
        seen.add(same)


def misplaced_ids(study: Study, table: str, header: tuple[str, ...]) -> tuple[Problem, ...]:
    """The columns of people and of cases that one file of a table lacks, or has twice."""
    ids = [(path, name) for path, name in _id_columns(study, table) if name]
    return tuple(problem for path, name in ids for problem in _misplaced(path, name, header))


def _id_columns(study: Study, table: str) -> list[tuple[str, str | None]]:
    """Where a table's columns of people and of cases are declared, and their headers."""
    unit = study.unit or Unit()
    if table == MAIN:
        return [("$.unit.person", unit.person), ("$.unit.case", unit.case)]
    at = [one.name for one in study.tables].index(table)
    further = study.tables[at]
    path = f"$.tables[{at}]"
    return [(f"{path}.person", further.person), (f"{path}.case", further.case)]


def _places(
    study: Study, table: str, columns: Sequence[tuple[str, str]], header: tuple[str, ...]
) -> ColumnPlaces:
    named = {name: place for place, name in reversed(list(enumerate(header)))}
    (_, person), (_, case) = _id_columns(study, table)
    return ColumnPlaces(
        named[plain_name(person)] if person else None,
        tuple(named.get(plain_name(name)) for _, name in columns),
        named[plain_name(case)] if case else None,
    )


def declared_header(
    study: Study, table: str, source: DataSource, header: tuple[str, ...]
) -> tuple[str, ...]:
    """The header of a table's file as far as it is public, with the nameless columns declared.

    Where no header says how many there are, and behind the last name of a sheet's, somebody's row
    does: its width must not decide whether there is a release.
    """
    if source.format != "excel" and not (source.format == "csv" and source.header_row == 0):
        return header
    headers = [column.header or "" for column in study.read_from(table)]
    headers += [name or "" for _, name in _id_columns(study, table)]
    last = max(map(_number, headers))
    return (*header, *(f"(column {place})" for place in range(len(header) + 1, last + 1)))


def _path(place: int, column: Column) -> str:
    """Where a column says which column of the file it is."""
    return f"$.columns[{place}]" if column.made_from is None else f"$.columns[{place}].from.codes"


def _number(name: str) -> int:
    """The place that the name of a nameless column says, from 1; 0 where it says none."""
    match = _NAMELESS.fullmatch(plain_name(name))
    return int(match[1]) if match else 0


def _misplaced(path: str, name: str, header: tuple[str, ...]) -> list[Problem]:
    name_there = plain_name(name)
    if name_there in header:
        return []
    again = any(other.startswith(f"{name_there} (column ") for other in header)
    # Nothing of the line that was read as the header: where it is none, somebody's row is.
    code = "data-header-duplicate" if again else "data-column-absent"
    return [Problem(path, code, {"name": name})]
