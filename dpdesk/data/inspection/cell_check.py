# SPDX-License-Identifier: Apache-2.0
"""How the cells of the used columns can be read: a coarse look, local, and only when asked for.

It reads as a release reads (the same way in, the same coder), so what it calls unreadable is what
a release would drop. Bounds and periods do not matter to it, nor does how many rows of a person
count. Missing cells count neither way: they are declared, and how many there are is nobody's
business here.

What comes out is one of four words a column, and where hardly any cell can be read the first line
that cannot. Of lists only "hardly any" and "none" come out, over the whole list and without a
line: more would tell which values occur. No cell, count or share leaves this module. Whoever
shows it keeps it on this computer and out of study, ledger, log and bundle.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Final, Literal

import numpy as np

from dpdesk.data.arrays.parallel import prefetched
from dpdesk.data.encode import wanted_columns
from dpdesk.data.encoding.column_coder import ColumnCoder
from dpdesk.data.encoding.missing_and_invalid import MISSING
from dpdesk.data.encoding.table import Codes
from dpdesk.data.files.batch import Load
from dpdesk.data.files.csv.csv_file import line_of_row
from dpdesk.data.opened import locate_columns, open_table
from dpdesk.data.progress import CancelToken, Progress, no_progress
from dpdesk.study.model.columns import CLAMP, DROP, Column, DateColumn, NumberColumn
from dpdesk.study.model.comparison import lists_texts
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource
from dpdesk.study.problem import refuse

NEARLY_ALL: Final = "nearly-all"
SOME: Final = "some"
HARDLY_ANY: Final = "hardly-any"
NONE: Final = "none"
Readable = Literal["nearly-all", "some", "hardly-any", "none"]
_IN_20_NEARLY_ALL, _IN_20_SOME = 19, 1
_ANY_DAY = date(2000, 1, 1)


@dataclass(frozen=True)
class ColumnCheck:
    """What is said of one column.

    Attributes:
        name: the column.
        readable: how many of its cells are a number, a day as declared, or a declared value.
        line: where hardly any is, the line of a text file on which the first that is none begins.
        row: the same in a file without lines: its row below the header, from 1.
    """

    name: str
    readable: Readable
    line: int | None = None
    row: int | None = None

    @property
    def stands_in_the_way(self) -> bool:
        """Whether a release of this column would say next to nothing."""
        return self.readable in (HARDLY_ANY, NONE)


def check_cells(
    study: Study,
    folder: Path,
    progress: Progress = no_progress,
    cancel: CancelToken | None = None,
) -> tuple[ColumnCheck, ...]:
    """Look how the cells of every used column can be read; lists of which some can are left out.

    Args:
        study: what is declared; its bounds and periods need not be complete.
        folder: what a relative data path starts from.
        progress: told the bytes read and the bytes in all.
        cancel: stops the reading within a batch.

    Raises:
        Refused: the file or its header does not fit the study; see ``opened``.
        Cancelled: ``cancel`` was raised.
    """
    if study.data is None:
        raise refuse("data-not-chosen", "$.data.path")
    used = checked_columns(study)
    if not used:
        return ()
    tallies = [_Tally(column, study.data) for column in used]
    with open_table(study.data, folder, progress, cancel) as table:
        places = locate_columns(study, table.header)
        pairs = zip(study.columns, wanted_columns(study, places), strict=True)
        loads = table.loads([wanted for column, wanted in pairs if column in used])
        with closing(prefetched(_coding(tallies), loads)) as batches:
            for batch in batches:
                for tally, codes in zip(tallies, batch, strict=True):
                    tally.add(codes)
    checks = (tally.finding() for tally in tallies)
    return tuple(_placed(f, study.data, folder, cancel) for f in checks if f is not None)


def checked_columns(study: Study) -> tuple[Column, ...]:
    """The columns that a query uses, without those whose texts are only looked for."""
    used = frozenset(name for query in study.queries for name in query.names)
    return tuple(
        column
        for column in study.columns
        if column.name in used and (isinstance(column, _PARSED) or lists_texts(column))
    )


_PARSED = NumberColumn | DateColumn


def _coding(tallies: list[_Tally]) -> Callable[[Load], list[Codes]]:
    def work(load: Load) -> list[Codes]:
        cells = load().columns
        return [tally.coder.codes(c) for tally, c in zip(tallies, cells, strict=True)]

    return work


class _Tally:
    """How many cells of one column can be read; what it holds is never shown as it is."""

    def __init__(self, column: Column, data: DataSource) -> None:
        self.column = column
        self.coder = ColumnCoder(_anywhere(column), data)
        self._rows = 0
        self._read = 0
        self._unread = 0
        self._first: int | None = None

    def add(self, codes: Codes) -> None:
        """Count the next rows."""
        invalid = codes < MISSING
        unread = int(np.count_nonzero(invalid))
        if unread and self._first is None:
            self._first = self._rows + int(np.argmax(invalid))
        self._read += int(np.count_nonzero(codes > MISSING))
        self._unread += unread
        self._rows += len(codes)

    def finding(self) -> ColumnCheck | None:
        """What is said of the column; nothing of a list of which some cells can be read."""
        readable = self._readable()
        few = readable in (HARDLY_ANY, NONE)
        if not isinstance(self.column, _PARSED):
            return ColumnCheck(self.column.name, readable) if few else None
        first = None if self._first is None or not few else self._first + 1
        return ColumnCheck(self.column.name, readable, row=first)

    def _readable(self) -> Readable:
        cells = self._read + self._unread
        if not self._read:
            return NONE
        if 20 * self._read >= _IN_20_NEARLY_ALL * cells:
            return NEARLY_ALL
        return SOME if 20 * self._read >= _IN_20_SOME * cells else HARDLY_ANY


def _anywhere(column: Column) -> Column:
    """The column with rules that keep apart what can be read, wherever its bounds lie."""
    if isinstance(column, NumberColumn):
        rules = replace(column, missing=DROP, unparsable=DROP, outside=CLAMP)
        return replace(rules, lower=Decimal(0), upper=Decimal(1), step=Decimal(1))
    if isinstance(column, DateColumn):
        first = column.first or _ANY_DAY
        last = max(first, column.last or first)
        days = replace(column, first=first, last=last)
        return replace(days, missing=DROP, unparsable=DROP, outside=CLAMP)
    return replace(column, missing=DROP, unknown=DROP)


def _placed(
    check: ColumnCheck, data: DataSource, folder: Path, cancel: CancelToken | None
) -> ColumnCheck:
    """The finding with its line, where the file has lines."""
    if check.row is None or data.format != "csv":
        return check
    line = line_of_row(data, folder, check.row, cancel)
    return replace(check, line=line, row=None if line is not None else check.row)
