# SPDX-License-Identifier: Apache-2.0
"""Rows in batches, as every kind of file gives them.

A cell is a text as it is in the file, or a value of a type that its file knows: what that
value's text would be is for :mod:`dpdesk.data.files.cells` to say, so that the same table gives the
same codes whatever file it is kept in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import pyarrow as pa

from dpdesk.data.files.line_faults import LineFaults

# Arrow's own allocators give memory back between batches, to ask for it afresh: that costs a
# tenth of reading a CSV file and a sixth of reading Parquet.
pa.set_memory_pool(pa.system_memory_pool())


@dataclass(frozen=True)
class Wanted:
    """A column to be read.

    Attributes:
        position: its place in the header, from 0.
        repeats: whether few different cells are expected, as of a category; a hint for speed.
        decimal: the mark with which its numbers are written that a file holds as numbers, but
            only a text can carry on; the source's where empty.
        seconds: whether times of day and durations, where the file knows them as such, are wanted
            as numbers of seconds; else as ``13:45:00``.
        is_id: whether it tells people apart; where ids are filled down, ``UNREADABLE_ID`` is
            there for a line that is no row.
    """

    position: int
    repeats: bool = False
    decimal: str = ""
    seconds: bool = False
    is_id: bool = False


@dataclass(frozen=True, repr=False)
class Batch:
    """Some rows of a file, in file order.

    Attributes:
        columns: the wanted columns, in the order they were asked for; each of ``rows`` cells and
            of type string, dictionary of strings, int64, double, date32 or boolean.
            Null is the empty cell.
        faults: the lines that are not as the header says, where a check asks for them.
    """

    rows: int
    columns: tuple[pa.Array, ...]
    faults: LineFaults | None = None


Load = Callable[[], Batch]
"""Reads one batch: called once, perhaps in another thread, perhaps after later ones."""


class OpenTable(Protocol):
    """An open file.

    Attributes:
        header: its column names, white space collapsed, no two alike, in file order.
    """

    @property
    def header(self) -> tuple[str, ...]:
        """The column names."""

    def loads(self, wanted: Sequence[Wanted]) -> Iterator[Load]:
        """Go through the rows below the header, once, in batches of some 10,000 rows or more.

        Raises:
            Refused: ``data-file-unreadable``, when the disk fails or the file is broken.
            Cancelled: the token that the file was opened with was raised.
        """

    def first_rows(self, count: int) -> list[list[str]]:
        """The first rows as texts, for the custodian's own eyes; instead of :meth:`loads`."""
