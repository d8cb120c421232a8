# SPDX-License-Identifier: Apache-2.0
"""A sheet of a workbook (.xlsx, .xls, .ods) as a table.

Every cell comes as the text that it has in the same table saved as CSV, by a rule that looks at
the cell alone: a sheet's columns have no type, and one invalid cell must not change how its
neighbours are read. A row of nothing but blanks is no row, so it does not matter how far down a
sheet was ever touched. A formula is its last result; an error (``#N/A``) is an empty cell, as are
all but the first of merged cells.

The reader gives rows, and fails over those with a cell that no calendar holds (a duration of 1e9
days). Such a row is a row, and all its cells are missing: it must not decide about any other one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, time, timedelta
from functools import partial
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from python_calamine import CalamineSheet, CalamineWorkbook, PasswordError, SheetTypeEnum

from dpdesk.data.files.file_formats import HEAD_BYTES, file_kind
from dpdesk.data.files.header import clean_name, column_names
from dpdesk.data.files.source import open_data
from dpdesk.data.files.value_texts import UNREADABLE_ID, duration_text, moment_text, number_text
from dpdesk.data.files.workbook.archive import check_container, is_open_document
from dpdesk.data.files.workbook.known_errors import with_known_errors, without_far_cells
from dpdesk.data.files.workbook.native import without_panic
from dpdesk.data.files.workbook.sheet_look import SheetLook
from dpdesk.data.progress import CancelToken, Progress, no_progress
from dpdesk.study import limits
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import Refused, refuse

if TYPE_CHECKING:
    import pyarrow as pa

    from dpdesk.data.files.batch import Batch, Load, Wanted

BATCH_ROWS = 50_000
_MOST_LISTED = 20
_SECTOR_BYTES = 512
_TOP_ROWS = 30
"""Among this many rows the names of the columns are looked for."""

Cell = object
"""Text, number, truth value, date, time or duration; the empty text where there is nothing.

``None`` is a cell of a row that cannot be read.
"""

_ISO_LENGTH = re.compile(
    r"(-?)PT(?=[0-9])(?:([0-9]{1,9})H)?(?:([0-9]{1,9})M)?(?:([0-9]{1,9}(?:[.,][0-9]+)?)S)?"
)
_UNREADABLE: tuple[Cell, ...] = (None,)


@contextmanager
def open_workbook(
    source: DataSource,
    folder: Path,
    progress: Progress = no_progress,
    cancel: CancelToken | None = None,
) -> Iterator[SheetTable]:
    """Open the declared sheet; the whole of it is loaded at once, which nothing can interrupt.

    Raises:
        Refused: ``data-file-missing``, ``data-file-unreadable``, ``data-file-damaged``,
            ``data-file-wrong-format``, ``data-file-too-large``, ``data-file-locked`` or
            ``data-file-empty`` at ``$.data.path``; ``sheet-absent``; ``header-row-absent``.
        Cancelled: the token was raised.
    """
    cancel = cancel or CancelToken()
    with _opened(source, folder) as opened:
        cancel.check()
        sheet = _sheet(opened, source.sheet)
        cancel.check()
        yield SheetTable(sheet, source, (opened.size, progress), cancel, opened.writes_iso)


class SheetTable:
    """The rows of a sheet below its header; see ``batch.OpenTable``."""

    def __init__(
        self,
        sheet: CalamineSheet,
        source: DataSource,
        progress: tuple[int, Progress],
        cancel: CancelToken,
        writes_iso: bool,
    ) -> None:
        self._size, self._progress = progress
        self._writes_iso = writes_iso
        self._fills_down = source.fill_down
        _, left = sheet.start or (0, 0)
        self._height = max(1, _row_count(sheet))
        self._cancel = cancel
        self._decimal = source.decimal
        self._above = source.header_row or 0
        self._rows = _rows(sheet)
        self.header = column_names(_header(self._rows, source, left + sheet.width))

    def loads(self, wanted: Sequence[Wanted]) -> Iterator[Load]:
        done = self._above
        while rows := list(islice(self._rows, BATCH_ROWS)):
            self._cancel.check()
            done += len(rows)
            yield partial(self._batch, rows, wanted)
            self._progress(self._size * min(done, self._height) // self._height, self._size)

    def first_rows(self, count: int) -> list[list[str]]:
        rows = (row for row in self._rows if not _is_blank(row))
        return [self._texts(row) for row in islice(rows, count)]

    def top_rows(self, count: int) -> list[list[str]]:
        """The next rows as texts, blank ones too; the sheet's first where it has no header."""
        return [self._texts(row) for row in islice(self._rows, count)]

    def _batch(self, rows: list[list[Cell]], wanted: Sequence[Wanted]) -> Batch:
        # Loaded here and below: names of sheets and the first rows are read without Arrow.
        from dpdesk.data.files.batch import Batch

        kept = [row for row in rows if not _is_blank(row)]
        return Batch(len(kept), tuple(self._column(kept, column) for column in wanted))

    def _column(self, rows: list[list[Cell]], column: Wanted) -> pa.Array:
        import pyarrow as pa

        mark = column.decimal or self._decimal
        place = column.position
        # How wide a sheet is, its rows say; one that lacks a column has nothing there.
        if column.is_id and self._fills_down:
            rows = [[UNREADABLE_ID] * (place + 1) if _is_unreadable(row) else row for row in rows]
        text = seconds_text if column.seconds else cell_text
        cells = (row[place] if place < len(row) else None for row in rows)
        texts = [text(cell, mark) for cell in self._read(cells)]
        return pa.array(texts, pa.string())

    def _texts(self, row: list[Cell]) -> list[str]:
        shown = (*row, *[""] * len(self.header))[: len(self.header)]
        return [cell_text(cell, self._decimal) or "" for cell in self._read(shown)]

    def _read(self, cells: Iterable[Cell]) -> Iterable[Cell]:
        return map(_iso_length, cells) if self._writes_iso else cells


def sheets(path: Path) -> tuple[str, ...]:
    """The names of a workbook's sheets, in its order; diagrams and macros are none.

    Raises:
        Refused: as :func:`open_workbook` says.
    """
    with _opened(DataSource(path=str(path)), Path()) as opened:
        return _sheet_names(opened.workbook)


def propose_workbook(path: Path) -> tuple[str, int | None]:
    """The sheet and the header row, as far as the file leaves no choice.

    The sheet is the only one that holds anything, or ``""``. The header row is the first of names:
    different texts and nothing else, one cell at most left blank, and above it nothing but titles,
    which fill less than half of their row; or ``None``.

    Raises:
        Refused: as :func:`open_workbook` says.
    """
    with _opened(DataSource(path=str(path)), Path()) as opened:
        workbook = opened.workbook
        loaded = [(name, _sheet(opened, name)) for name in _sheet_names(workbook)]
        filled = [(name, sheet) for name, sheet in loaded if sheet.height]
        if len(filled) != 1:
            return "", None
        name, sheet = filled[0]
        return name, _proposed_row(sheet)


def look_at(source: DataSource, folder: Path, count: int) -> SheetLook:
    """The sheets, the chosen one's first rows and its header, from loading it once.

    Raises:
        Refused: the workbook itself cannot be read; what is wrong with the choices is reported.
    """
    with _opened(source, folder) as opened:
        names = _sheet_names(opened.workbook)
        try:
            sheet = _sheet(opened, source.sheet)
            top = _table(sheet, replace(source, header_row=0), opened).top_rows(count)
        except Refused as refused:
            return SheetLook(names, problems=refused.problems)
        shown = tuple(map(tuple, top))
        try:
            return SheetLook(names, shown, _table(sheet, source, opened).header)
        except Refused as refused:
            return SheetLook(names, shown, problems=refused.problems)


def _table(sheet: CalamineSheet, source: DataSource, opened: _Opened) -> SheetTable:
    return SheetTable(sheet, source, (0, no_progress), CancelToken(), opened.writes_iso)


def cell_text(cell: Cell, decimal: str = ".") -> str | None:
    """What a cell says, as a text file would have it; ``None`` where it is empty.

    >>> [cell_text(cell, ",") for cell in (7.0, 0.1, True, datetime(2021, 3, 4, 13, 45), "")]
    ['7', '0,1', 'True', '2021-03-04 13:45:00', None]
    """
    if cell is None or isinstance(cell, str):
        return cell or None
    if isinstance(cell, float):
        return number_text(cell, decimal)
    if isinstance(cell, datetime):
        return moment_text(cell)
    if isinstance(cell, timedelta):
        return duration_text(cell)
    return str(cell)


def seconds_text(cell: Cell, decimal: str = ".") -> str | None:
    """The same in a column of numbers, where times of day and durations are seconds.

    >>> [seconds_text(cell) for cell in (7.0, time(0, 1, 0, 500_000), timedelta(hours=34))]
    ['7', '60.5', '122400']
    """
    if isinstance(cell, time):
        midnight = datetime.min
        cell = datetime.combine(midnight, cell) - midnight
    if isinstance(cell, timedelta):
        return number_text(cell / timedelta(seconds=1), decimal)
    return cell_text(cell, decimal)


def _is_unreadable(row: Sequence[Cell]) -> bool:
    return bool(row) and row[0] is None


def _iso_length(cell: Cell) -> Cell:
    """A duration or time of day for the text by which OpenDocument, and so the reader, says it.

    >>> _iso_length("PT34H00M00.5S")
    datetime.timedelta(days=1, seconds=36000, microseconds=500000)
    """
    found = _ISO_LENGTH.fullmatch(cell) if isinstance(cell, str) and "PT" in cell[:3] else None
    if found is None:
        return cell
    hours, minutes, seconds = (
        float(part.replace(",", ".")) if part else 0 for part in found.group(2, 3, 4)
    )
    length = timedelta(hours=hours, minutes=minutes, seconds=seconds)
    return -length if found[1] else length


def _is_blank(row: Sequence[Cell]) -> bool:
    return all(cell == "" or (isinstance(cell, str) and not cell.strip()) for cell in row)


def _header(rows: Iterator[list[Cell]], source: DataSource, width: int) -> list[str]:
    if not source.header_row:
        return [""] * min(width, limits.MAX_FILE_COLUMNS)
    if width == 0:
        raise refuse("data-file-empty", "$.data.path")
    row = next(islice(rows, source.header_row - 1, None), None)
    if row is None:
        raise refuse("header-row-absent", "$.data.header_row")
    cells = [cell_text(cell, source.decimal) or "" for cell in row]
    named = max((place for place, cell in enumerate(cells, 1) if cell.strip()), default=0)
    # Behind the last name a row may reach as far as it likes, and nothing is refused for it.
    return cells[: max(named, limits.MAX_FILE_COLUMNS)]


def _rows(sheet: CalamineSheet) -> Iterator[list[Cell]]:
    """All rows, from the sheet's first cell on: where its content begins must move no column."""
    left: list[Cell] = [""] * (sheet.start[1] if sheet.start else 0)
    return (left + row for row in _read_rows(sheet))


def _read_rows(sheet: CalamineSheet) -> Iterator[list[Cell]]:
    rows = sheet.iter_rows()
    # Counted: nobody promises that the reader goes on behind every row over which it fails.
    for _ in range(_row_count(sheet)):
        row = _next_row(rows)
        if row is None:
            break
        yield row


def _row_count(sheet: CalamineSheet) -> int:
    """All rows to the last that holds anything; the reader's own number leaves that one out."""
    top, _ = sheet.start or (0, 0)
    return top + sheet.height


def _next_row(rows: Iterator[Any]) -> list[Cell] | None:
    try:
        row: list[Cell] | None = without_panic(partial(next, rows, None))
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - a broken file may raise anything
        return list(_UNREADABLE)
    return row


def _proposed_row(sheet: CalamineSheet) -> int | None:
    rows = islice(enumerate(_read_rows(sheet), start=1), _TOP_ROWS)
    first = [(number, row) for number, row in rows if not _is_blank(row)]
    for at, (number, row) in enumerate(first):
        nameless = sum(map(_is_empty, row))
        if _are_names(row) and nameless <= (len(row) > 2):
            # A row of two titles above the names of three columns has one cell left blank, too.
            below = first[at + 1][1] if at + 1 < len(first) else row
            doubtful = nameless and (_are_names(below) and not any(map(_is_empty, below)))
            return None if doubtful else number
        if 2 * nameless < len(row):
            return None
    return None


def _are_names(row: Sequence[Cell]) -> bool:
    """Whether what is in a row are different texts, and nothing else."""
    filled = [cell for cell in row if not _is_empty(cell)]
    return len({cell.strip() for cell in filled if isinstance(cell, str)}) == len(filled) > 0


def _is_empty(cell: Cell) -> bool:
    return isinstance(cell, str) and not cell.strip()


def _sheet_names(workbook: CalamineWorkbook) -> tuple[str, ...]:
    kinds = workbook.sheets_metadata
    return tuple(sheet.name for sheet in kinds if sheet.typ == SheetTypeEnum.WorkSheet)


def _listed(workbook: CalamineWorkbook) -> str:
    """The names of the sheets on one line, the first of them where there are many."""
    names = [f"“{clean_name(name)}”" for name in _sheet_names(workbook)]
    return ", ".join(names[:_MOST_LISTED]) + ", …" * (len(names) > _MOST_LISTED)


def _sheet(opened: _Opened, name: str) -> CalamineSheet:
    names = _sheet_names(opened.workbook)
    if name not in names:
        raise refuse("sheet-absent", "$.data.sheet", name=name, sheets=_listed(opened.workbook))
    sheet = _loaded(opened.workbook, name)
    # The reader fails over a whole sheet for one error that it does not know.
    if sheet is None and (plain := with_known_errors(opened.stream)) is not None:
        sheet = _loaded(_workbook(plain), name)
    if sheet is None:
        raise refuse("data-file-damaged", "$.data.path")
    return sheet


def _loaded(workbook: CalamineWorkbook, name: str) -> CalamineSheet | None:
    try:
        return without_panic(lambda: workbook.get_sheet_by_name(name))
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - a broken file may raise anything
        # Its messages may quote cells: nothing of them may travel on, not even as a context.
        return None


class _Opened(NamedTuple):
    """An open workbook.

    Attributes:
        size: of its file, in bytes.
        writes_iso: whether its durations come as texts of ISO 8601, as those of OpenDocument do.
    """

    workbook: CalamineWorkbook
    stream: BinaryIO
    size: int
    writes_iso: bool


@contextmanager
def _opened(source: DataSource, folder: Path) -> Iterator[_Opened]:
    with open_data(source, folder) as file:
        stream = _checked(file, source)
        writes_iso = is_open_document(stream)
        with _workbook(_of_whole_sectors(stream)) as workbook:
            yield _Opened(workbook, stream, file.seek(0, 2), writes_iso)


def _checked(file: BinaryIO, source: DataSource) -> BinaryIO:
    """A sound workbook (.xlsx), without the cells far to the right where they leave no room.

    They lie behind the names of the columns, or a column that is wanted is found to be absent. So
    somebody's stray cell does not decide whether there is a release; without names nobody knows.
    """
    try:
        check_container(file)
    except Refused as refused:
        is_wide = [one.code for one in refused.problems] == ["data-file-too-wide"]
        narrow = without_far_cells(file) if is_wide and source.header_row else None
        if narrow is None:
            raise
        check_container(narrow)
        return narrow
    return file


def _of_whole_sectors(stream: BinaryIO) -> BinaryIO:
    """A workbook whose last sector is a whole one, as the reader of old ones wants it."""
    size = stream.seek(0, 2)
    stream.seek(0)
    kind = file_kind(stream.read(HEAD_BYTES)) if size % _SECTOR_BYTES else None
    stream.seek(0)
    if kind is None or kind.key != "xls":
        return stream
    stream.seek(0)
    return BytesIO(stream.read() + bytes(-size % _SECTOR_BYTES))


def _workbook(stream: BinaryIO) -> CalamineWorkbook:
    try:
        # By content: from a path it would go by the name's ending.
        return without_panic(lambda: CalamineWorkbook.from_filelike(stream))
    except MemoryError:
        raise
    except PasswordError:
        code = "data-file-locked"
    except Exception:  # noqa: BLE001 - a broken file may raise anything
        code = "data-file-damaged"
    raise refuse(code, "$.data.path")
