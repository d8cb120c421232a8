# SPDX-License-Identifier: Apache-2.0
"""Cells to codes: total functions of one text and one declaration.

A code of 0 or more is a group (in the order of ``group_labels``) or a grid index. A negative code
says why a cell counts for nothing. The rules for unparsable, outside and unknown cells are
applied here; a missing cell stays ``MISSING`` so that a condition can ask for it, and what it
counts as is :func:`missing_code`.
"""

from __future__ import annotations

from collections.abc import Callable

from dpdesk.data.encoding.date import DayReader
from dpdesk.data.encoding.magnitude import number_reader
from dpdesk.data.encoding.number import DecimalNumber, NumberReader
from dpdesk.data.encoding.truth import truth_codes
from dpdesk.study.model.columns import (
    CATEGORY,
    CLAMP,
    MISSING_LABEL,
    OTHER_LABEL,
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    Replace,
    YesNoColumn,
    group_labels,
)
from dpdesk.study.model.comparison import FOLDED, comparison_of, declared_codes, folded, tidy

MISSING = -1
UNPARSABLE = -2
OUTSIDE = -3
UNKNOWN = -4

CellParser = Callable[[str], int]


def cell_parser(
    column: Column, missing: tuple[str, ...], decimal: str, thousands: str = "", typed: bool = False
) -> CellParser:
    """The function from a cell's text to its code.

    Args:
        column: a complete declaration.
        missing: texts that mean "missing" in every column.
        decimal: the decimal mark.
        thousands: what may stand between groups of three digits.
        typed: whether the file itself knows which cells are days and truth values; see
            ``DayReader`` and ``truth``.
    """
    markers = missing_markers(column, missing)
    if isinstance(column, NumberColumn):
        return _number_parser(column, markers, decimal, thousands)
    if isinstance(column, DateColumn):
        return _date_parser(column, markers, DayReader(column, typed))
    return _group_parser(column, markers, typed)


def missing_markers(column: Column, missing: tuple[str, ...]) -> frozenset[str]:
    """The tidied texts that mean "missing" in a column."""
    return frozenset({"", *map(tidy, missing), *map(tidy, column.missing_values)})


def missing_code(column: Column) -> int:
    """What a missing cell of this column counts as; ``MISSING`` where the row is left out."""
    if isinstance(column.missing, Replace):
        return _constant_code(column, column.missing)
    if column.missing == CATEGORY and not isinstance(column, NumberColumn | DateColumn):
        return group_labels(column).index(MISSING_LABEL)
    return MISSING


def _constant_code(column: Column, rule: Replace) -> int:
    """The code of a declared constant; ``UNKNOWN`` for one that the column does not have."""
    if isinstance(column, NumberColumn):
        return number_reader(column, ".").clamped_index(str(rule.value))
    if isinstance(column, DateColumn):
        return DayReader(column).constant_index(str(rule.value))
    return declared_codes(column).get(tidy(str(rule.value)), UNKNOWN)


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
    unknown = UNKNOWN
    if isinstance(column.unknown, Replace):
        unknown = _constant_code(column, column.unknown)
    elif column.unknown == CATEGORY:
        unknown = group_labels(column).index(OTHER_LABEL)
    return lambda text: codes.get(read(text), unknown)


def _number_parser(
    column: NumberColumn, markers: frozenset[str], decimal: str, thousands: str
) -> CellParser:
    """A number's parser. Markers that are numbers match by value: ``99`` also as ``99.0``."""
    grid = number_reader(column, decimal, thousands)
    numbers = number_markers(markers, grid)
    unparsable, outside = invalid_codes(column)

    def parse(text: str) -> int:
        if tidy(text) in markers:
            return MISSING
        number = grid.read(text)
        if number is None:
            return unparsable
        if number in numbers:
            return MISSING
        index, inside = grid.index(number)
        return index if inside or column.outside == CLAMP else outside

    return parse


def number_markers(markers: frozenset[str], reader: NumberReader) -> frozenset[DecimalNumber]:
    """The markers that are numbers."""
    return frozenset(n for n in map(reader.read, markers) if n is not None)


def _date_parser(column: DateColumn, markers: frozenset[str], reader: DayReader) -> CellParser:
    """A date's parser. Markers that are days match by value: also with a time behind them."""
    days = frozenset(day for day in map(reader.read, markers) if day is not None)
    unparsable, outside = invalid_codes(column)

    def parse(text: str) -> int:
        text = tidy(text)
        if text in markers:
            return MISSING
        day = reader.read(text)
        if day is None:
            return unparsable
        if day in days:
            return MISSING
        index, inside = reader.index(day)
        return index if inside or column.outside == CLAMP else outside

    return parse


def invalid_codes(column: NumberColumn | DateColumn) -> tuple[int, int]:
    """The codes of unparsable and of outside cells."""
    rules = (column.unparsable, column.outside)
    unparsable, outside = (
        _constant_code(column, rule) if isinstance(rule, Replace) else negative
        for rule, negative in zip(rules, (UNPARSABLE, OUTSIDE), strict=True)
    )
    return unparsable, outside
