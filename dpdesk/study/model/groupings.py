# SPDX-License-Identifier: Apache-2.0
"""How a query is grouped: by a column's own groups, or by bins or periods that it declares.

Every row whose column counts is in exactly one group, and all groups are known before the data
is read.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import ceil

from dpdesk.study.model.columns import Column, DateColumn, NumberColumn, group_labels, number_grid
from dpdesk.study.model.periods import Period, period_labels


@dataclass(frozen=True)
class Bins:
    """A number column cut into bins.

    Attributes:
        column: the number column.
        edges: where a new bin begins, rising, above the lower bound and not above the upper:
            (18, 65) over 0 to 110 makes 0 to 17, 18 to 64 and 65 to 110.
    """

    column: str
    edges: tuple[Decimal, ...]


@dataclass(frozen=True)
class Periods:
    """A date column's days taken together by year, quarter, month or weekday.

    Attributes:
        column: the date column.
        period: how long a group is; every period with a day in the column's span is one.
    """

    column: str
    period: Period


Grouping = str | Bins | Periods
"""A column's name means its own groups."""


def column_of(grouping: Grouping) -> str:
    return grouping if isinstance(grouping, str) else grouping.column


def labels_of(grouping: Grouping, column: Column) -> tuple[str, ...]:
    """Every group's label, in code order; empty where there are none, or not yet.

    There are none where the grouping does not fit the column's kind, and none yet while the
    column's bounds, or its first and last day, are not declared.
    """
    try:
        if isinstance(grouping, Bins):
            return bin_labels(column, grouping.edges) if isinstance(column, NumberColumn) else ()
        if isinstance(grouping, Periods):
            dates = isinstance(column, DateColumn)
            return period_labels(column, grouping.period) if dates else ()
    except ValueError:
        return ()
    return group_labels(column)


def first_indices(column: NumberColumn, edges: tuple[Decimal, ...]) -> tuple[int, ...]:
    """The first grid index of every bin; the first bin begins at 0."""
    if column.lower is None or column.step is None:
        raise ValueError("the column has no bounds yet")
    lower, step = Fraction(column.lower), Fraction(column.step)
    return (0, *(ceil((Fraction(edge) - lower) / step) for edge in edges))


@lru_cache(maxsize=256)
def bin_labels(column: NumberColumn, edges: tuple[Decimal, ...]) -> tuple[str, ...]:
    """ "0 to 17", "18 to 64": the lowest and the highest grid value of every bin.

    A hyphen between the two would be read as a date or a minus sign by some spreadsheet.
    """
    lows = (grid_text(column, start) for start in first_indices(column, edges))
    pairs = zip(lows, bin_ends(column, edges), strict=True)
    return tuple(low if low == high else f"{low} to {high}" for low, high in pairs)


@lru_cache(maxsize=256)
def bin_ends(column: NumberColumn, edges: tuple[Decimal, ...]) -> tuple[str, ...]:
    """The highest grid value of every bin."""
    return tuple(grid_text(column, last) for _first, last in bin_spans(column, edges))


def bin_spans(column: NumberColumn, edges: tuple[Decimal, ...]) -> tuple[tuple[int, int], ...]:
    """The first and the last grid index of every bin."""
    starts = first_indices(column, edges)
    ends = (*(start - 1 for start in starts[1:]), number_grid(column).last)
    return tuple(zip(starts, ends, strict=True))


@lru_cache(maxsize=64)
def wide_bins(column: NumberColumn, edges: tuple[Decimal, ...]) -> tuple[bool, ...]:
    """Of every bin whether it holds several grid values."""
    return tuple(last > first for first, last in bin_spans(column, edges))


def has_open_end(column: NumberColumn, edges: tuple[Decimal, ...]) -> bool:
    """Whether bins of several values end with one of the highest value alone.

    A value beyond it is clamped, so that bin is open upwards, and may well be empty.
    """
    *_, before, last = wide_bins(column, edges)
    return before and not last


def grid_text(column: NumberColumn, index: int) -> str:
    """The value at a grid index, in the column's unit, as a plain decimal text."""
    if column.lower is None or column.step is None:
        raise ValueError("the column has no bounds yet")
    value = column.lower + index * column.step
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


@lru_cache(maxsize=64)
def candidate_indices(column: NumberColumn, candidates: tuple[Decimal, ...]) -> tuple[int, ...]:
    """Grid indices of declared candidates; the whole grid where none are declared.

    Raises:
        ValueError: a candidate that is not on the grid.
    """
    grid = number_grid(column)
    if not candidates:
        return tuple(range(grid.last + 1))
    places = tuple(grid_index(column, value) for value in candidates)
    result = tuple(place for place in places if place is not None)
    if len(result) < len(places):
        raise ValueError("a candidate is a value of the grid")
    return result


def leaves_values_out(column: NumberColumn, candidates: tuple[Decimal, ...]) -> bool:
    """Whether some grid value is no candidate; none is left out where none are declared."""
    return 0 < len(candidates) <= number_grid(column).last


def grid_index(column: NumberColumn, value: Decimal) -> int | None:
    """The grid index of a value; ``None`` where the grid does not have it.

    Raises:
        ValueError: the column is not complete.
    """
    grid = number_grid(column)
    numerator, denominator = value.as_integer_ratio()
    # In quanta, without fractions: lists of candidates are long, and judged at each keystroke.
    quanta, rest = divmod(
        numerator * grid.quantum.denominator, denominator * grid.quantum.numerator
    )
    index, between = divmod(quanta - grid.offset, grid.factor)
    return index if not rest and not between and 0 <= index <= grid.last else None
