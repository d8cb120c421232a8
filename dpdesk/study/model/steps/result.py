# SPDX-License-Identifier: Apache-2.0
"""What a step's result can be, from declarations alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from dpdesk.study.model.columns import (
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    YesNoColumn,
    common_divisor,
    number_grid,
)
from dpdesk.study.model.steps.step import (
    MEAN,
    MOST_ROWS,
    PART_NUMBERS,
    SUM,
    Arithmetic,
    Bands,
    BesideRow,
    CodePrefix,
    DatePart,
    FileLabel,
    FirstThere,
    Holds,
    Kind,
    OfCase,
    OfPerson,
    OfRows,
    Operand,
    Recode,
    Step,
    TimeBetween,
)

Columns = Mapping[str, Column]
HOUR: Final = 3_600
DAY: Final = 24 * HOUR
"""In seconds."""
_DAYS: Final = {"days": Fraction(1), "weeks": Fraction(1, 7)}


@dataclass(frozen=True)
class ExactTerms:
    """A number as ``numerator / denominator * unit``.

    Attributes:
        unit: exact; above 0.
        lowest: the lowest numerator.
        highest: the highest numerator.
        denominators: the lowest and the highest denominator.
    """

    unit: Fraction
    lowest: int
    highest: int
    denominators: tuple[int, int] = (1, 1)

    @property
    def largest(self) -> tuple[int, int]:
        """The largest size of a numerator, and of a denominator."""
        low, high = self.denominators
        return max(abs(self.lowest), abs(self.highest)), max(abs(low), abs(high))


@dataclass(frozen=True)
class Result:
    """What a step gives.

    Attributes:
        kinds: the kinds of column that it can make; the first is the usual one.
        lowest: the lowest number that can come out; ``None`` where that is not known.
        highest: the highest.
        values: every value that can come out, where they are declared by the step.
        terms: for numbers, what they are worked out with.
        taken: the columns whose values come out as they are; none where others are made of them.
    """

    kinds: tuple[Kind, ...]
    lowest: Fraction | None = None
    highest: Fraction | None = None
    values: tuple[str, ...] = ()
    terms: ExactTerms | None = None
    taken: tuple[str, ...] = ()


def result_of(step: Step, columns: Columns) -> Result:
    """What a step's result can be.

    Args:
        step: the step.
        columns: the declared columns, by name. One that the step needs and that is not there, is of
            another kind or not complete leaves the result's range unknown.
    """
    return _RESULTS[type(step)](step, columns)


def _time_between(step: TimeBetween, columns: Columns) -> Result:
    before, after = (_days(end, columns) for end in step.between)
    if before is None or after is None:
        return Result(("number",))
    (first, last), (begin, end) = before, after
    if step.unit == "hours":
        least, most = ((begin - last).days - 1) * DAY + 1, ((end - first).days + 1) * DAY - 1
        return _number(ExactTerms(Fraction(1, HOUR), least, most))
    unit = _DAYS.get(step.unit, Fraction(1))
    if step.unit in _DAYS:
        lowest, highest = (begin - last).days, (end - first).days
    else:
        lowest, highest = (
            completed(last, begin, step.unit),
            completed(first, end, step.unit),
        )
    return _number(ExactTerms(unit, lowest, highest))


def _days(end: str | date, columns: Columns) -> tuple[date, date] | None:
    """The first and the last day that an end can be."""
    if isinstance(end, date):
        return end, end
    column = columns.get(end)
    if not isinstance(column, DateColumn) or column.first is None or column.last is None:
        return None
    return column.first, column.last


def completed(first: date, last: date, unit: str) -> int:
    """The completed months or years from one day to another; below 0 where the other is earlier.

    >>> completed(date(2000, 2, 29), date(2021, 2, 28), "years")
    20
    >>> completed(date(2021, 3, 1), date(2021, 2, 28), "years")
    -1
    """
    months = (last.year - first.year) * 12 + last.month - first.month - (last.day < first.day)
    return months if unit == "months" else months // 12


def _recode(step: Recode | CodePrefix, columns: Columns) -> Result:
    return Result(("category",), values=tuple(entry.value for entry in step.entries))


def _file_label(step: FileLabel, columns: Columns) -> Result:
    return Result(("category",))


def _bands(step: Bands, columns: Columns) -> Result:
    return Result(("category",))


def _holds(step: Holds, columns: Columns) -> Result:
    return Result(("yes-no",))


def _arithmetic(step: Arithmetic, columns: Columns) -> Result:
    first, second = (operand_terms(operand, columns) for operand in step.operands)
    if first is None or second is None:
        return Result(("number",))
    if step.operation in ("add", "subtract"):
        return _number(_sum(first, second, step.operation == "subtract"))
    products = [
        a * b for a in (first.lowest, first.highest) for b in (second.lowest, second.highest)
    ]
    if step.operation == "multiply":
        return _number(ExactTerms(first.unit * second.unit, min(products), max(products)))
    denominators = second.lowest, second.highest
    terms = ExactTerms(first.unit / second.unit, first.lowest, first.highest, denominators)
    return _number(terms)


def _sum(first: ExactTerms, second: ExactTerms, is_difference: bool) -> ExactTerms:
    unit = common_divisor(first.unit, second.unit)
    times, other = int(first.unit / unit), int(second.unit / unit)
    low, high = second.lowest * other, second.highest * other
    if is_difference:
        low, high = -high, -low
    return ExactTerms(unit, first.lowest * times + low, first.highest * times + high)


def operand_terms(operand: Operand | Decimal, columns: Columns) -> ExactTerms | None:
    """The numbers that an operand can be; ``None`` where its column is not complete."""
    if isinstance(operand, Decimal):
        sign = (operand > 0) - (operand < 0)
        return ExactTerms(Fraction(abs(operand)) or Fraction(1), sign, sign)
    column = columns.get(operand.column)
    if not isinstance(column, NumberColumn):
        return None
    try:
        grid = number_grid(column)
    except ValueError:
        return None
    ends = grid.lowest**operand.power, grid.highest**operand.power
    low, high = min(ends), max(ends)
    if operand.power > 1 and grid.lowest < 0 < grid.highest:
        low = 0
    return ExactTerms(grid.quantum**operand.power, low, high)


def _date_part(step: DatePart, columns: Columns) -> Result:
    if step.part == "hour":
        return _number(ExactTerms(Fraction(1), 0, 23))
    if step.part != "year":
        return Result(("category",), values=tuple(map(str, PART_NUMBERS[step.part])))
    days = _days(step.column, columns)
    if days is None:
        return Result(("number",))
    return _number(ExactTerms(Fraction(1), days[0].year, days[1].year))


def _first_there(step: FirstThere, columns: Columns) -> Result:
    return _one_of(step.columns, columns)


def _one_of(names: tuple[str, ...], columns: Columns) -> Result:
    """What some columns of one kind can hold together."""
    made = [columns[name] for name in names if name in columns]
    kinds: tuple[Kind, ...] = (made[0].kind,) if made else ("number", "category", "yes-no", "date")
    terms = [operand_terms(Operand(name), columns) for name in names]
    known = [one for one in terms if one is not None]
    if kinds != ("number",) or not known or len(known) < len(terms):
        values = [value for column in made for value in own_values(column)]
        return Result(kinds, values=tuple(dict.fromkeys(values)), taken=names)
    unit = known[0].unit
    for one in known:
        unit = common_divisor(unit, one.unit)
    lowest = min(int(one.lowest * one.unit / unit) for one in known)
    highest = max(int(one.highest * one.unit / unit) for one in known)
    return replace(_number(ExactTerms(unit, lowest, highest)), taken=names)


def _of_rows(step: OfRows, columns: Columns) -> Result:
    if step.what == "count":
        return _number(ExactTerms(Fraction(1), 0, MOST_ROWS))
    if step.what in ("any", "all"):
        return Result(("yes-no",))
    if step.what == "days":
        days = _days(step.column or "", columns)
        longest = None if days is None else (days[1] - days[0]).days
        terms = None if longest is None else ExactTerms(Fraction(1), 0, longest)
        return Result(("number",)) if terms is None else _number(terms)
    if step.what in (SUM, MEAN):
        terms = operand_terms(Operand(step.column or ""), columns)
        if terms is None:
            return Result(("number",))
        ends = _number(terms)
        added = _number(_added(terms, step.what == MEAN))
        if step.what == SUM:
            return added
        return replace(added, lowest=ends.lowest, highest=ends.highest)
    return _one_of((step.column or "",), columns)


def _added(terms: ExactTerms, is_mean: bool) -> ExactTerms:
    """The sum or the mean of up to ``MOST_ROWS`` numbers."""
    low, high = (
        min(terms.lowest, terms.lowest * MOST_ROWS),
        max(terms.highest, terms.highest * MOST_ROWS),
    )
    return ExactTerms(terms.unit, low, high, (1, MOST_ROWS if is_mean else 1))


def _beside_row(step: BesideRow, columns: Columns) -> Result:
    if step.what == "number":
        return _number(ExactTerms(Fraction(1), 1, MOST_ROWS))
    is_asked = step.what == "before"
    return Result(("yes-no",)) if is_asked else _one_of((step.column or "",), columns)


def own_values(column: Column) -> tuple[str, ...]:
    """The declared values of a category or yes/no column."""
    if isinstance(column, YesNoColumn):
        return column.no[:1] + column.yes[:1]
    return column.values if isinstance(column, CategoryColumn) else ()


def _number(terms: ExactTerms) -> Result:
    """A number's range; none where the denominator can be 0."""
    low, high = terms.denominators
    if low <= 0 <= high:
        return Result(("number",), terms=terms)
    ends = [Fraction(a, b) * terms.unit for a in (terms.lowest, terms.highest) for b in (low, high)]
    return Result(("number",), min(ends), max(ends), terms=terms)


_RESULTS: Final[dict[type[Step], Callable[[Any, Columns], Result]]] = {
    TimeBetween: _time_between,
    Recode: _recode,
    CodePrefix: _recode,
    Bands: _bands,
    Holds: _holds,
    Arithmetic: _arithmetic,
    DatePart: _date_part,
    FirstThere: _first_there,
    FileLabel: _file_label,
    OfPerson: _of_rows,
    BesideRow: _beside_row,
    OfCase: _of_rows,
}
