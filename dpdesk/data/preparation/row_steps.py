# SPDX-License-Identifier: Apache-2.0
"""Each step's compilation: from the codes of its columns to those of its result, row by row.

All arithmetic is on whole numbers of 64 bits, whose size ``study.checks.step_checks`` bounds from
declarations alone. A column's cell counts after its rule for missing cells; one that is left out
has no value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from math import ceil
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from dpdesk.data.encoding.condition_masks import passing
from dpdesk.data.encoding.missing_and_invalid import MISSING, unknown_code
from dpdesk.data.encoding.table import Codes, EncodedColumn
from dpdesk.data.preparation.grid_places import DayPlaces, Ints, NumberPlaces
from dpdesk.study.model.columns import (
    CATEGORY,
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    YesNoColumn,
    group_index,
    group_labels,
    last_day_index,
    number_grid,
)
from dpdesk.study.model.conditions import IsMissing
from dpdesk.study.model.steps.result import DAY, HOUR, own_values, result_of
from dpdesk.study.model.steps.step import (
    PART_NUMBERS,
    Arithmetic,
    Bands,
    DatePart,
    FirstThere,
    Holds,
    Operand,
    Recode,
    Step,
    TimeBetween,
)
from dpdesk.study.model.text_folding import tidy

Cells = Mapping[str, EncodedColumn]
"""Some rows' codes of the columns that are there, by name."""

RowCodes = Callable[[Cells], npt.NDArray[Any]]
"""Gives the codes of a derived column, shape ``(rows,)``."""


@dataclass(frozen=True)
class Numbers:
    """Whole numbers of one unit, row by row.

    Attributes:
        values: the numbers, or one for all rows.
        there: which rows have one, or whether all have.
    """

    values: Any
    there: Any


def compile_step(column: Column, columns: Mapping[str, Column]) -> RowCodes:
    """What makes a derived column's codes.

    Args:
        column: a sound derived column whose step needs no text.
        columns: every declared column, by name.
    """
    if column.made_from is None:
        raise ValueError("the column is read from the file")
    return _COMPILE[type(column.made_from)](column.made_from, column, columns)


def _time_between(step: TimeBetween, column: Column, columns: Mapping[str, Column]) -> RowCodes:
    if step.unit == "hours":
        return _hours_between(step, column, columns)
    first, last = (_days_of(end, columns) for end in step.between)
    unit = Fraction(1, 7) if step.unit == "weeks" else Fraction(1)
    places = NumberPlaces(number_column(column), unit)

    def codes(cells: Cells) -> Codes:
        begin, end = first(cells), last(cells)
        there = begin.there & end.there
        if step.unit in ("days", "weeks"):
            elapsed = end.values - begin.values
        else:
            elapsed = completed(begin.values, end.values, 12 if step.unit == "years" else 1)
        return places.codes(elapsed, there)

    return codes


def _hours_between(step: TimeBetween, column: Column, columns: Mapping[str, Column]) -> RowCodes:
    ends = [(_days_of(end, columns), clock_of(end)) for end in step.between if isinstance(end, str)]
    places = NumberPlaces(number_column(column), Fraction(1, HOUR))

    def codes(cells: Cells) -> Codes:
        moments = []
        for days, clock in ends:
            found, seconds = days(cells), cells[clock].codes
            moments.append(Numbers(found.values * DAY + seconds, found.there & (seconds >= 0)))
        first, last = moments
        return places.codes(last.values - first.values, first.there & last.there)

    return codes


def clock_of(name: str) -> str:
    """What the seconds of a date column's days are called among the cells; no column is."""
    return f"{name}\0clock"


def completed(first: Any, last: Any, months: int) -> Ints:
    """Completed spans of a number of months from one day to another; below 0 where it is earlier.

    Args:
        first: days from the year 1, shape ``(rows,)`` or one for all.
        last: likewise.
        months: months of a span: 1 or 12.

    >>> completed(np.array([date(2000, 2, 29).toordinal()]), date(2001, 2, 28).toordinal(), 12)
    array([0])
    """
    (begin_month, begin_day), (end_month, end_day) = map(_month_and_day, (first, last))
    spans: Ints = (end_month - begin_month - (end_day < begin_day)) // months
    return spans


def _month_and_day(days: Any) -> tuple[Ints, Ints]:
    """The number of each day's month since 1970, and the day within it."""
    dates = (np.asarray(days, np.int64) - _EPOCH).astype("datetime64[D]")
    months = dates.astype("datetime64[M]")
    return months.astype(np.int64), (dates - months.astype("datetime64[D]")).astype(np.int64)


_EPOCH = date(1970, 1, 1).toordinal()


def _days_of(end: str | date, columns: Mapping[str, Column]) -> Callable[[Cells], Numbers]:
    if isinstance(end, date):
        day = Numbers(np.int64(end.toordinal()), np.True_)
        return lambda cells: day
    column = columns[end]
    if not isinstance(column, DateColumn) or column.first is None:
        raise ValueError("a time is between days")
    first = column.first.toordinal()

    def days(cells: Cells) -> Numbers:
        codes = cells[end].counted()
        return Numbers(codes.astype(np.int64) + first, codes >= 0)

    return days


def _recode(step: Recode, column: Column, columns: Mapping[str, Column]) -> RowCodes:
    operand, codes = columns[step.column], _codes_of_values(column)
    table = np.full(len(group_labels(operand)), unknown_code(column), np.int64)
    if _grouped(operand).missing == CATEGORY:
        table[-1] = MISSING
    for entry in step.entries:
        for value in entry.of:
            table[group_index(operand, value)] = codes[entry.value]
    return _by_table(step.column, table)


def _codes_of_values(column: Column) -> dict[str, int]:
    """The code of each declared value."""
    return {value: code for code, value in enumerate(own_values(column))}


def _by_table(name: str, table: Ints) -> RowCodes:
    """Codes looked up; a cell without a value is missing."""
    longer = np.append(table, MISSING)

    def codes(cells: Cells) -> Codes:
        own = cells[name].counted()
        looked_up: Codes = longer[np.where(own < 0, len(table), own)]
        return looked_up

    return codes


def _bands(step: Bands, column: Column, columns: Mapping[str, Column]) -> RowCodes:
    operand = number_column(columns[step.column])
    grid = number_grid(operand)
    lower, step_width = grid.quantum * grid.offset, grid.quantum * grid.factor
    starts = np.array([ceil((Fraction(edge) - lower) / step_width) for edge in step.edges])
    table = np.array([unknown_code(column), *range(len(step.edges)), MISSING])

    def codes(cells: Cells) -> Codes:
        indices = cells[step.column].counted()
        bands = np.searchsorted(starts, indices, side="right")
        looked_up: Codes = table[np.where(indices < 0, len(table) - 1, bands)]
        return looked_up

    return codes


def _holds(step: Holds, column: Column, columns: Mapping[str, Column]) -> RowCodes:
    no, yes = 0, 1

    def codes(cells: Cells) -> Codes:
        decided: Any = None
        unknown: Any = np.False_
        for condition in step.conditions:
            cell = cells[condition.column]
            holds = passing(cell, columns[condition.column], condition)
            if not isinstance(condition, IsMissing):
                without = cell.counted() < 0
                unknown = unknown | without
                holds = holds & ~without if step.how == "any" else holds | without
            if decided is None:
                decided = holds
            else:
                decided = decided & holds if step.how == "all" else decided | holds
        # All hold but for what is missing: that decides. Of any, one that holds does.
        open_ = unknown & (decided if step.how == "all" else ~decided)
        result: Codes = np.where(open_, MISSING, np.where(decided, yes, no))
        return result

    return codes


def _arithmetic(step: Arithmetic, column: Column, columns: Mapping[str, Column]) -> RowCodes:
    (first, unit), (second, other) = (_operand(one, columns) for one in step.operands)
    terms = result_of(step, columns).terms
    if terms is None:
        raise ValueError("the operands have no bounds yet")
    places = NumberPlaces(number_column(column), terms.unit)
    times, others = (int(one / terms.unit) for one in (unit, other))

    def codes(cells: Cells) -> Codes:
        a, b = first(cells), second(cells)
        there = a.there & b.there
        if step.operation == "divide":
            whole = np.broadcast_to(a.values, there.shape), np.broadcast_to(b.values, there.shape)
            return places.codes(whole[0], there, whole[1])
        if step.operation == "multiply":
            return places.codes(a.values * b.values, there)
        sign = -1 if step.operation == "subtract" else 1
        return places.codes(a.values * times + b.values * (sign * others), there)

    return codes


def _operand(
    operand: Operand | Decimal, columns: Mapping[str, Column]
) -> tuple[Callable[[Cells], Numbers], Fraction]:
    """What gives an operand's whole numbers, and their unit."""
    if isinstance(operand, Decimal):
        sign = Numbers(np.int64((operand > 0) - (operand < 0)), np.True_)
        return lambda cells: sign, Fraction(abs(operand)) or Fraction(1)
    grid = number_grid(number_column(columns[operand.column]))

    def numbers(cells: Cells) -> Numbers:
        codes = cells[operand.column].counted()
        quanta = grid.offset + grid.factor * codes.astype(np.int64)
        return Numbers(quanta**operand.power, codes >= 0)

    return numbers, grid.quantum**operand.power


def _date_part(step: DatePart, column: Column, columns: Mapping[str, Column]) -> RowCodes:
    """Each day of the period has its part; so it is looked up."""
    operand = columns[step.column]
    if not isinstance(operand, DateColumn) or operand.first is None:
        raise ValueError("a part is of a day")
    if step.part == "hour":
        return _hour(step.column, number_column(column))
    days = np.arange(last_day_index(operand) + 1) + operand.first.toordinal()
    months = _month_and_day(days)[0]
    if step.part == "year":
        years = NumberPlaces(number_column(column), Fraction(1))
        table = years.codes(1970 + months // 12, np.ones(len(days), np.bool_))
        return _by_table(step.column, table)
    numbers = {
        "quarter": months % 12 // 3 + 1,
        "month": months % 12 + 1,
        # Day 1 of the year 1 was a Monday.
        "weekday": (days - 1) % 7 + 1,
    }[step.part]
    own = _codes_of_values(column)
    names = np.array([0, *(own[str(number)] for number in PART_NUMBERS[step.part])])
    return _by_table(step.column, names[numbers])


def _hour(name: str, column: NumberColumn) -> RowCodes:
    places = NumberPlaces(column, Fraction(1))

    def codes(cells: Cells) -> Codes:
        seconds = cells[clock_of(name)].codes.astype(np.int64)
        there = (seconds >= 0) & (cells[name].counted() >= 0)
        return places.codes(seconds // HOUR, there)

    return codes


def _first_there(step: FirstThere, column: Column, columns: Mapping[str, Column]) -> RowCodes:
    ways = [as_own(name, column, columns) for name in step.columns]

    def codes(cells: Cells) -> Codes:
        result = ways[-1](cells)
        for name, way in zip(step.columns[-2::-1], ways[-2::-1], strict=True):
            there = cells[name].counted() >= 0
            result = np.where(there, way(cells), result)
        return result

    return codes


def as_own(name: str, column: Column, columns: Mapping[str, Column]) -> RowCodes:
    """A column's codes as those of another of its kind, by its values."""
    operand = columns[name]
    if isinstance(column, NumberColumn):
        numbers, unit = _operand(Operand(name), columns)
        return _placed(numbers, NumberPlaces(column, unit))
    if isinstance(column, DateColumn):
        return _placed(_days_of(name, columns), DayPlaces(column))
    # A yes is a yes, whatever each column's cells write for it.
    is_yes_no = isinstance(column, YesNoColumn)
    own = {} if is_yes_no else {v: code for code, v in enumerate(map(tidy, own_values(column)))}
    table = np.full(len(group_labels(operand)), unknown_code(column), np.int64)
    for code, value in enumerate(own_values(operand)):
        table[code] = code if is_yes_no else own.get(tidy(value), table[code])
    if _grouped(operand).missing == CATEGORY:
        table[-1] = MISSING
    return _by_table(name, table)


def _placed(numbers: Callable[[Cells], Numbers], places: NumberPlaces | DayPlaces) -> RowCodes:
    def codes(cells: Cells) -> Codes:
        found = numbers(cells)
        return places.codes(found.values, found.there)

    return codes


def number_column(column: Column) -> NumberColumn:
    if not isinstance(column, NumberColumn):
        raise ValueError("the step makes and takes numbers")
    return column


def _grouped(column: Column) -> CategoryColumn | YesNoColumn:
    if isinstance(column, NumberColumn | DateColumn):
        raise ValueError("the step makes and takes groups")
    return column


_COMPILE: Final[dict[type[Step], Callable[[Any, Column, Mapping[str, Column]], RowCodes]]] = {
    TimeBetween: _time_between,
    Recode: _recode,
    Bands: _bands,
    Holds: _holds,
    Arithmetic: _arithmetic,
    DatePart: _date_part,
    FirstThere: _first_there,
}
