# SPDX-License-Identifier: Apache-2.0
"""Opening a data file of any kind, and finding the declared columns in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
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
from dpdesk.study.model.columns import Column, plain_name
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource, Unit
from dpdesk.study.problem import Problem, Refused

_NAMELESS = re.compile(r"\(column ([1-9][0-9]{0,4})\)")


@dataclass(frozen=True)
class ColumnPlaces:
    """Positions of the declared columns in the file's rows.

    Attributes:
        person: position of the person column, or ``None``.
        columns: positions of the columns that are read, in the study's order.
    """

    person: int | None
    columns: tuple[int, ...]


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


def locate_columns(study: Study, header: tuple[str, ...]) -> ColumnPlaces:
    """Find the declared columns in a header. Columns that are not declared do not matter.

    Raises:
        Refused: every ``data-column-absent`` and ``data-header-duplicate`` (param name), at
            ``$.columns[i]`` or ``$.unit.person``.
    """
    person = study.unit.person if study.unit else None
    declared = [
        (_path(i, c), c.header) for i, c in enumerate(study.columns) if c.header is not None
    ]
    declared += [("$.unit.person", person)] if person is not None else []
    problems = [p for path, name in declared for p in _misplaced(path, name, header)]
    if problems:
        raise Refused(problems)
    places = [header.index(plain_name(name)) for _, name in declared]
    return ColumnPlaces(
        None if person is None else places[-1], tuple(places[: len(study.read_columns)])
    )


def public_header(study: Study, header: tuple[str, ...]) -> tuple[str, ...]:
    """The header as far as it is public, with the nameless columns that are declared.

    Where no header says how many there are, and behind the last name of a sheet's, somebody's row
    does: its width must not decide whether there is a release.
    """
    data = study.data or DataSource()
    if data.format != "excel" and not (data.format == "csv" and data.header_row == 0):
        return header
    headers = (column.header or "" for column in study.read_columns)
    declared = [*headers, (study.unit or Unit()).person or ""]
    last = max(map(_number, declared))
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
