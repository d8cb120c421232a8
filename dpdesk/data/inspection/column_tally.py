# SPDX-License-Identifier: Apache-2.0
"""How the cells of one column can be read; what is counted here is never shown as it is.

Missing cells count neither way: they are declared, and how many there are is nobody's business
here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dpdesk.data.encoding.code_prefix import holds_several
from dpdesk.data.encoding.column_coder import ColumnCoder, plain_numbers
from dpdesk.data.encoding.missing_and_invalid import MISSING, OUTSIDE
from dpdesk.data.encoding.table import Codes
from dpdesk.data.files.cells import row_texts
from dpdesk.data.inspection.cell_kinds import kinds_of
from dpdesk.data.inspection.finding import (
    SEEN,
    Amount,
    Finding,
    are_most,
    how_many_faulty,
    how_many_read,
)
from dpdesk.study.model.columns import (
    CLAMP,
    DROP,
    Column,
    DateColumn,
    NumberColumn,
    last_day_index,
    number_grid,
)
from dpdesk.study.model.steps.step import CodePrefix
from dpdesk.study.model.unit import DataSource

PARSED = NumberColumn | DateColumn
_LOOKED_AT = 200
"""Of a batch's unread cells, this many are looked at for what they look like."""
_GROUPED = r"^\s*[+-]?[1-9][0-9]{{0,2}}(?:{0}[0-9]{{3}})+\s*$"
_ANY_DAY = date(2000, 1, 1)
_REPLACED = "\ufffd"
_FINE_STEPS = 1000
_FINEST = 4
"""The check's steps are finer by this many powers of ten: what lies within half a finer step of a
declared one is on it, so that 0.1 * 3, which a binary file has as 0.30000000000000004, is 0.3."""


@dataclass(frozen=True, repr=False)
class ColumnBatch:
    """What a batch's cells are like.

    Attributes:
        codes: as a release codes them.
        unread: how many of those that cannot be read were looked at.
        kinds: how many of these look like what; a cell may look like several things.
        marked: how many numbers have a mark that may part decimals or thousands.
        grouped: how many of them can be read both ways.
        between: how many numbers lie between the column's steps.
    """

    codes: Codes
    unread: int
    kinds: Counter[str]
    marked: int
    grouped: int
    between: int


class ColumnTally:
    """Counts the cells of one column that can be read, and those that lie outside its bounds.

    Attributes:
        coder: reads its cells as a release does.
    """

    def __init__(self, column: Column, data: DataSource) -> None:
        self.column = column
        counting = _counting(column)
        self._finer = _finer(counting, data)
        self.coder = ColumnCoder(_in_finer_steps(counting, self._finer), data)
        self._rows = 0
        self._read = 0
        self._unread = 0
        self._outside = 0
        self._between = 0
        self._first: int | None = None
        self._looked_at = self._marked = self._grouped = 0
        self._kinds: Counter[str] = Counter()
        is_said = {"decimal", "thousands"} & set(data.by_hand)
        own = column.decimal if isinstance(column, NumberColumn) else ""
        self._decimal = own or data.decimal
        is_number = isinstance(column, NumberColumn)
        self._may_be_grouped = is_number and not (own or is_said or data.thousands)

    def look(self, cells: pa.Array) -> ColumnBatch:
        """Look at a batch's cells; may be asked in several threads at once."""
        codes = self.coder.codes(cells)
        unread = cells.filter(pa.array((codes < MISSING) & (codes != OUTSIDE)))[:_LOOKED_AT]
        texts = row_texts(unread, self._decimal)
        kinds: Counter[str] = Counter()
        for text in texts:
            kinds.update(self._kinds_of(text))
        marked = grouped = 0
        if self._may_be_grouped and pa.types.is_string(cells.type):
            mark = re.escape(self._decimal)
            marked = _matching(cells, mark)
            grouped = _matching(cells, _GROUPED.format(mark)) if marked else 0
        between = int(np.count_nonzero((codes > MISSING) & (codes % 10**self._finer != 0)))
        return ColumnBatch(codes, len(texts), kinds, marked, grouped, between)

    def _kinds_of(self, text: str) -> Iterable[str]:
        if isinstance(self.column.made_from, CodePrefix):
            # What else its codes look like is nothing to go by: they are in no list.
            return ("several",) if holds_several(text) else ()
        return kinds_of(text, self.column, self._decimal)

    def add(self, batch: ColumnBatch) -> None:
        codes = batch.codes
        self._looked_at += batch.unread
        self._kinds += batch.kinds
        self._marked += batch.marked
        self._grouped += batch.grouped
        self._between += batch.between
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
        if isinstance(self.column.made_from, CodePrefix):
            yield Finding("codes", amount, self.column.name)
            yield from self._several_codes()
            return
        code = "listed"
        if isinstance(self.column, PARSED):
            code = "numbers" if isinstance(self.column, NumberColumn) else "days"
        is_placed = code != "listed" and amount in ("hardly-any", "none")
        first = self._first if is_placed else None
        yield Finding(code, amount, self.column.name, row=None if first is None else first + 1)
        if self._kinds["length"] > self._kinds["day"]:
            yield Finding("hours-as-days", column=self.column.name)
        if amount != "nearly-all":
            yield from self._seen(amount)
        if (self._marked and self._grouped == self._marked) or self._two_ways(amount):
            yield Finding("numbers-ambiguous", column=self.column.name)
        outside = how_many_faulty(self._outside, self._read, "many")
        if outside in ("some", "many"):
            code = "outside-bounds" if code == "numbers" else "outside-period"
            yield Finding(code, outside, self.column.name)
        between = how_many_faulty(self._between, self._read, "many")
        if between in ("some", "many"):
            fine = _has_fine_steps(self.column)
            yield Finding("between-steps", between, self.column.name, fine_steps=fine)

    def _several_codes(self) -> Iterator[Finding]:
        """Of all cells, as many as among the unread ones that were looked at."""
        several = self._unread * self._kinds["several"] // max(1, self._looked_at)
        amount = how_many_faulty(several, self._read + self._unread, "many")
        if amount in ("some", "many"):
            yield Finding("codes-several", amount, self.column.name)

    def _seen(self, amount: Amount) -> Iterator[Finding]:
        """What most cells look like that cannot be read, where most look like one thing."""
        kind, count = next(iter(self._kinds.most_common(1)), ("", 0))
        is_said = kind == "length" or self._two_ways(amount)
        if are_most(count, self._looked_at) and not is_said:
            yield Finding(SEEN + kind, amount, self.column.name)

    def _two_ways(self, amount: Amount) -> bool:
        """Whether a mark in most cells that cannot be read parts decimals, or thousands."""
        decimal, thousands = self._kinds["decimal"], self._kinds["thousands"]
        is_tied = decimal == thousands and are_most(decimal, self._looked_at)
        return is_tied and amount != "nearly-all"


def _matching(cells: pa.Array, pattern: str) -> int:
    return int(pc.sum(pc.match_substring_regex(cells, pattern)).as_py() or 0)


def has_unread_bytes(cells: pa.Array) -> bool:
    """Whether a cell holds a sign that represents bytes which its encoding could not read."""
    if pa.types.is_dictionary(cells.type):
        cells = cells.dictionary
    if not pa.types.is_string(cells.type):
        return False
    return bool(pc.any(pc.match_substring(cells, _REPLACED)).as_py())


def _counting(column: Column) -> Column:
    """The column with rules that keep apart what can be read and what is outside."""
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


def _finer(column: Column, data: DataSource) -> int:
    """By how many powers of ten the steps can be finer; 0 where there is no grid.

    The most with which numbers are still coded many at a time, and at least one.
    """
    if not isinstance(column, NumberColumn) or not _has_grid(column):
        return 0
    finer = (power for power in range(_FINEST, 0, -1) if _is_fast(column, power, data))
    return next(finer, 1)


def _has_fine_steps(column: Column) -> bool:
    """Whether rounding to one of the column's steps moves a value by next to nothing."""
    return isinstance(column, NumberColumn) and number_grid(column).last > _FINE_STEPS


def _is_fast(column: NumberColumn, power: int, data: DataSource) -> bool:
    finer = _in_finer_steps(column, power)
    has_grid = isinstance(finer, NumberColumn) and _has_grid(finer)
    return has_grid and plain_numbers(finer, data) is not None


def _in_finer_steps(column: Column, power: int) -> Column:
    """A release's own reader on finer steps: what is no multiple of ``10**power`` is between."""
    if not isinstance(column, NumberColumn) or column.step is None:
        return column
    return replace(column, step=column.step.scaleb(-power))


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
