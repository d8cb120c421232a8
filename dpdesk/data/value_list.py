# SPDX-License-Identifier: Apache-2.0
"""A category's values from a list that a custodian brings: codes, and their names where it has any.

The list is copied from a spreadsheet, or a file of its own. It is never one of the study's files:
values that occur there are somebody's.
"""

from __future__ import annotations

import csv
import filecmp
import io
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from dpdesk.data.files.file_formats import DECLARATIONS
from dpdesk.data.inspection.recognise import recognise
from dpdesk.data.opened import open_table
from dpdesk.data.progress import CancelToken
from dpdesk.data.reader_process.isolated_workbook import sheets
from dpdesk.study import limits
from dpdesk.study.json.json_reader import text_problem
from dpdesk.study.model.document import Study
from dpdesk.study.problem import refuse

MOST_ROWS = 4 * limits.MAX_VALUES
"""Of a list, blank rows and repeated ones included."""

Rows = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, repr=False)
class ListTable:
    """A file with a list, as it was read.

    Attributes:
        header: what its columns are called.
        rows: its cells, one a column.
        sheets: of a workbook, its sheets.
        sheet: the one that was read.
    """

    header: tuple[str, ...]
    rows: Rows
    sheets: tuple[str, ...] = ()
    sheet: str = ""


@dataclass(frozen=True)
class ValueList:
    """Values in the order of a list.

    Attributes:
        labels: their names; none where the list names none.
        left_out: how many rows were blank or said a value again.
    """

    values: tuple[str, ...]
    labels: tuple[str, ...]
    left_out: int


def pasted_list(text: str) -> ValueList:
    """The values of one or two columns that were copied from a spreadsheet.

    >>> pasted_list('1\\tMale\\r\\n2\\t"Fe\\nmale"\\r\\n\\r\\n1\\tMale\\r\\n')
    ValueList(values=('1', '2'), labels=('Male', 'Fe male'), left_out=2)

    Raises:
        Refused: ``value-list-columns``, or as :func:`value_list` says.
    """
    rows = _pasted_rows(text)
    if any(cell.strip() for row in rows for cell in row[2:]):
        raise refuse("value-list-columns")
    return value_list((row[0] if row else "", row[1] if row[1:] else "") for row in rows)


def _pasted_rows(text: str) -> list[list[str]]:
    """Rows with tabs between cells; quoted as spreadsheets do, unless the marks do not pair."""
    text = text.rstrip("\r\n\0")
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter="\t", strict=True))
    except csv.Error:
        return [line.split("\t") for line in text.splitlines()]


def value_list(pairs: Iterable[tuple[str, str]]) -> ValueList:
    """The values that codes and names declare; blank ones and repeated ones are left out.

    Raises:
        Refused: ``value-list-empty``, ``value-list-too-long`` (most), ``value-list-two-names``
            (value), ``text-too-long`` (most) or ``text-invisible``.
    """
    named: dict[str, str] = {}
    left_out = 0
    for code, label in ((_plain(code), _plain(label)) for code, label in pairs):
        if not code or named.get(code, label or code) != (label or code):
            if code and label:
                raise refuse("value-list-two-names", value=code)
            left_out += 1
            continue
        left_out += code in named
        named[code] = label or code
        if len(named) > limits.MAX_VALUES:
            raise refuse("value-list-too-long", most=str(limits.MAX_VALUES))
    if not named:
        raise refuse("value-list-empty")
    values, labels = tuple(named), tuple(named.values())
    return ValueList(values, () if labels == values else labels, left_out)


def _plain(cell: str) -> str:
    """A cell on one line."""
    text = " ".join(cell.split())
    if code := text_problem(text):
        raise refuse(code, most=str(limits.MAX_TEXT))
    return text


def read_list(
    path: Path, study: Study, folder: Path, sheet: str = "", cancel: CancelToken | None = None
) -> ListTable:
    """Read a file of codes and names.

    Args:
        study: whose files are no list.
        folder: where its relative paths start.
        sheet: the wanted one of a workbook; the first where none is named and none is alone.

    Raises:
        Refused: ``value-list-of-data`` (name), ``value-list-too-long`` (most), or as
            ``recognise`` and ``open_table`` say.
        Cancelled: the token was raised.
    """
    if any(_is_same(path, folder / own) for own in _own_files(study)):
        raise refuse("value-list-of-data", name=path.name)
    source = recognise(path, cancel)
    names = sheets(path, cancel) if source.format == "excel" else ()
    if names:
        chosen = sheet or source.sheet or names[0]
        row = source.header_row if chosen == source.sheet else None
        source = replace(source, sheet=chosen, header_row=1 if row is None else row)
    with open_table(source, path.parent, cancel=cancel) as table:
        rows = table.first_rows(MOST_ROWS + 1)
        header = table.header
    if len(rows) > MOST_ROWS:
        raise refuse("value-list-too-long", most=str(limits.MAX_VALUES))
    return ListTable(header, tuple(map(tuple, rows)), names, source.sheet)


def chosen_list(table: ListTable, code: int, label: int | None) -> ValueList:
    """The values of two columns of a file.

    Raises:
        Refused: as :func:`value_list` says.
    """
    return value_list((_cell(row, code), _cell(row, label)) for row in table.rows)


def _cell(row: tuple[str, ...], place: int | None) -> str:
    return row[place] if place is not None and place < len(row) else ""


def _own_files(study: Study) -> Iterator[str]:
    tables = [study.data, *(table.data for table in study.tables)]
    for data in (one for table in tables if table is not None for one in table.files):
        yield from (path for path in (data.path, data.catalogue) if path)


def _is_same(path: Path, own: Path) -> bool:
    """Whether a file is another one, by any name, or a copy of it."""
    try:
        if os.path.samefile(path, own):
            return True
        is_as_long = path.stat().st_size == own.stat().st_size > 0
        return is_as_long and filecmp.cmp(path, own, shallow=False)
    except OSError:
        return os.path.abspath(path) == os.path.abspath(own)


ENDINGS = tuple(ending for one in DECLARATIONS.values() for ending in one.endings)
"""How the names of files end that may have a list."""
