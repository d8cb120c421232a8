# SPDX-License-Identifier: Apache-2.0
"""Cells to codes: total functions of one text and one declaration.

What becomes of a cell that is missing or invalid: ``missing_and_invalid.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from dpdesk.data.encoding.code_prefix import entry_reader
from dpdesk.data.encoding.date import DayReader
from dpdesk.data.encoding.magnitude import number_reader
from dpdesk.data.encoding.missing_and_invalid import (
    MISSING,
    invalid_codes,
    missing_markers,
    unknown_code,
)
from dpdesk.data.encoding.number import DecimalNumber, NumberReader, decimal_number
from dpdesk.data.encoding.truth import truth_codes
from dpdesk.study.model.columns import (
    CLAMP,
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    YesNoColumn,
)
from dpdesk.study.model.steps.step import CodePrefix
from dpdesk.study.model.text_folding import FOLDED, comparison_of, declared_codes, folded, tidy

CellParser = Callable[[str], int]
V = TypeVar("V")


def cell_parser(
    column: Column, missing: tuple[str, ...], decimal: str, thousands: str = "", typed: bool = False
) -> CellParser:
    """The function from a cell's text to its code.

    Args:
        column: a complete declaration.
        missing: texts that mean "missing" in every column.
        decimal: the decimal mark.
        thousands: what may be between groups of three digits.
        typed: whether the file itself knows which cells are days and truth values; see
            ``DayReader`` and ``truth``.
    """
    markers = missing_markers(column, missing)
    if isinstance(column.made_from, CodePrefix):
        return _prefix_parser(column, column.made_from, markers)
    if isinstance(column, NumberColumn):
        grid = number_reader(column, decimal, thousands)
        return _value_parser(column, _number_or_reading(column, grid), grid.index, markers)
    if isinstance(column, DateColumn):
        days = DayReader(column, typed)
        return _value_parser(column, lambda text: days.read(tidy(text)), days.index, markers)
    return _group_parser(column, markers, typed)


def _number_or_reading(
    column: NumberColumn, grid: NumberReader
) -> Callable[[str], DecimalNumber | None]:
    """Reads a number, or a cell that is declared to be read as one."""
    if not column.reads:
        return grid.read
    declared = {tidy(one.cell): decimal_number(one.value) for one in column.reads}
    return lambda text: declared.get(tidy(text)) or grid.read(text)


def _group_parser(
    column: CategoryColumn | YesNoColumn, markers: frozenset[str], typed: bool
) -> CellParser:
    codes = declared_codes(column) | dict.fromkeys(markers, MISSING)
    read = tidy
    if comparison_of(column, markers) == FOLDED:
        read, codes = folded, {folded(text): code for text, code in codes.items()}
    if typed:
        # A declared text that is the cell itself is one of its words, so its code stays.
        codes |= {read(text): code for text, code in truth_codes(codes).items()}
    unknown = unknown_code(column)
    return lambda text: codes.get(read(text), unknown)


def _prefix_parser(column: Column, step: CodePrefix, markers: frozenset[str]) -> CellParser:
    # ``check`` refuses such a step of a column of another kind.
    values = column.values if isinstance(column, CategoryColumn) else ()
    own = {value: code for code, value in enumerate(values)}
    unknown = unknown_code(column)
    entry = entry_reader(step)

    def parse(text: str) -> int:
        if tidy(text) in markers:
            return MISSING
        value = entry(text)
        return unknown if value is None else own.get(value, unknown)

    return parse


def _value_parser(
    column: NumberColumn | DateColumn,
    read: Callable[[str], V | None],
    index: Callable[[V], tuple[int, bool]],
    markers: frozenset[str],
) -> CellParser:
    """A parser of numbers or days. Markers that are one match by value: ``99`` also as ``99.0``."""
    values = frozenset(value for value in map(read, markers) if value is not None)
    unparsable, outside = invalid_codes(column)

    def parse(text: str) -> int:
        if tidy(text) in markers:
            return MISSING
        value = read(text)
        if value is None:
            return unparsable
        if value in values:
            return MISSING
        code, inside = index(value)
        return code if inside or column.outside == CLAMP else outside

    return parse
