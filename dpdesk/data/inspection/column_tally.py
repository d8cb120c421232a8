# SPDX-License-Identifier: Apache-2.0
"""How the cells of one column can be read; what is counted here is never shown as it is.

Missing cells count neither way: they are declared, and how many there are is nobody's business
here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dpdesk.data.encoding.column_coder import ColumnCoder
from dpdesk.data.encoding.missing_and_invalid import MISSING, OUTSIDE
from dpdesk.data.encoding.table import Codes
from dpdesk.data.inspection.finding import Finding, how_many_faulty, how_many_read
from dpdesk.study.model.columns import (
    CLAMP,
    DROP,
    Column,
    DateColumn,
    NumberColumn,
    last_day_index,
    number_grid,
)
from dpdesk.study.model.unit import DataSource

PARSED = NumberColumn | DateColumn
_ANY_DAY = date(2000, 1, 1)
_REPLACED = "\ufffd"


class ColumnTally:
    """Counts the cells of one column that can be read, and those that lie outside its bounds.

    Attributes:
        column: its declaration.
        coder: reads its cells as a release does.
    """

    def __init__(self, column: Column, data: DataSource) -> None:
        self.column = column
        self.coder = ColumnCoder(_counting(column), data)
        self._rows = 0
        self._read = 0
        self._unread = 0
        self._outside = 0
        self._first: int | None = None

    def add(self, codes: Codes) -> None:
        """Count the next rows."""
        outside = int(np.count_nonzero(codes == OUTSIDE))
        invalid = (codes < MISSING) & (codes != OUTSIDE)
        unread = int(np.count_nonzero(invalid))
        if unread and self._first is None:
            self._first = self._rows + int(np.argmax(invalid))
        self._read += int(np.count_nonzero(codes > MISSING)) + outside
        self._unread += unread
        self._outside += outside
        self._rows += len(codes)

    def findings(self) -> Iterator[Finding]:
        """What is said of the column; where hardly any cell can be read, the first that cannot."""
        amount = how_many_read(self._read, self._unread)
        code = "listed"
        if isinstance(self.column, PARSED):
            code = "numbers" if isinstance(self.column, NumberColumn) else "days"
        is_placed = code != "listed" and amount in ("hardly-any", "none")
        first = self._first if is_placed else None
        yield Finding(code, amount, self.column.name, row=None if first is None else first + 1)
        outside = how_many_faulty(self._outside, self._read, "many")
        if outside in ("some", "many"):
            code = "outside-bounds" if code == "numbers" else "outside-period"
            yield Finding(code, outside, self.column.name)


def has_unread_bytes(cells: pa.Array) -> bool:
    """Whether a cell holds a sign that stands for bytes which its encoding could not read."""
    if pa.types.is_dictionary(cells.type):
        cells = cells.dictionary
    if not pa.types.is_string(cells.type):
        return False
    return bool(pc.any(pc.match_substring(cells, _REPLACED)).as_py())


def _counting(column: Column) -> Column:
    """The column with rules that keep apart what can be read and what lies outside."""
    if isinstance(column, NumberColumn):
        rules = replace(column, missing=DROP, unparsable=DROP)
        if _has_grid(column):
            return replace(rules, outside=DROP)
        zero, one = Decimal(0), Decimal(1)
        return replace(rules, outside=CLAMP, lower=zero, upper=one, step=one)
    if isinstance(column, DateColumn):
        days = replace(column, missing=DROP, unparsable=DROP)
        if _has_period(column):
            return replace(days, outside=DROP)
        first = column.first or _ANY_DAY
        return replace(days, outside=CLAMP, first=first, last=first)
    return replace(column, missing=DROP, unknown=DROP)


def _has_grid(column: NumberColumn) -> bool:
    """Whether bounds and step are declared, and can be counted in."""
    try:
        return 0 <= number_grid(column).last < 2**62
    except (ValueError, ArithmeticError):
        return False


def _has_period(column: DateColumn) -> bool:
    try:
        return last_day_index(column) >= 0
    except ValueError:
        return False
