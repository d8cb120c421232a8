# SPDX-License-Identifier: Apache-2.0
"""How a column is made from others: one frozen value for each step, and the list of them.

A derived column declares its kind, bounds and rules like any other; its step says where its
values come from. A step has three readings: its public result (``result.py``), its compilation
to codes (``data.preparation``) and its sentence (``text.step_titles``). Each asks ``STEPS`` for
what there is, and a test asks each for every one of them.

A step sees the cells of one row, or of one person's rows, after their columns' own rules. A cell
that a rule leaves out has no value there; where a step needs it, the result is missing, and the
derived column's rule for missing cells says what becomes of it. A result beyond the derived
column's bounds meets its rule for outside, one without a value (divided by 0) its rule for
unparsable, one that no entry names its rule for unknown.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Final, Literal, get_args

from dpdesk.study.model.conditions import Condition

TimeUnit = Literal["hours", "days", "weeks", "months", "years"]
DatePartName = Literal["year", "quarter", "month", "weekday", "hour"]
Operation = Literal["add", "subtract", "multiply", "divide"]
PersonValue = Literal[
    "count",
    "any",
    "all",
    "first",
    "last",
    "smallest",
    "largest",
    "sum",
    "mean",
    "days",
    "most-frequent",
]
RowNeighbour = Literal["previous", "next", "number", "before"]
Kind = Literal["number", "category", "yes-no", "date"]
TIME_UNITS: Final[tuple[TimeUnit, ...]] = get_args(TimeUnit)
"""Hours take the time of day of both ends, with its seconds; see ``with_clock``."""
DATE_PARTS: Final[tuple[DatePartName, ...]] = get_args(DatePartName)
OPERATIONS: Final[tuple[Operation, ...]] = get_args(Operation)
PERSON_VALUES: Final[tuple[PersonValue, ...]] = get_args(PersonValue)
ROW_NEIGHBOURS: Final[tuple[RowNeighbour, ...]] = get_args(RowNeighbour)
WITHOUT_COLUMN: Final[frozenset[str]] = frozenset({"count", "any", "all", "number", "before"})
"""Of these nothing is taken from a column: rows are counted, or conditions tested."""
SUM: Final[PersonValue] = "sum"
MEAN: Final[PersonValue] = "mean"
IN_ORDER: Final[frozenset[str]] = frozenset({"first", "last", *ROW_NEIGHBOURS})
"""These need a person's rows in the order of a date."""
MOST_ROWS: Final = 10_000
"""Of a person's rows these many are seen, in an order of what they hold; no row limit is meant."""
PART_NUMBERS: Final[dict[DatePartName, range]] = {
    "quarter": range(1, 5),
    "month": range(1, 13),
    "weekday": range(1, 8),
}
"""The numbers of the parts that come again; weekdays count from Monday."""


@dataclass(frozen=True)
class TimeBetween:
    """The time from one day to another; below 0 where the other comes first.

    Hours are from one time of day to another, where both days have one in the file; weeks are a
    seventh of the days; months and years are completed ones: who is born on 29 February completes
    a year on 1 March where there is no such day. The year before the first day is -1, so that
    nobody is 0 years old before being born.

    Attributes:
        between: where it begins and ends, each a date column's name or a declared day.
        unit: what it is counted in.
    """

    between: tuple[str | date, str | date]
    unit: TimeUnit = "days"

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(end for end in self.between if isinstance(end, str))


@dataclass(frozen=True)
class RecodeEntry:
    """One new value.

    Attributes:
        value: one of the derived column's values.
        of: the old values, codes or ranges of codes that become it.
    """

    value: str
    of: tuple[str, ...]


@dataclass(frozen=True)
class Recode:
    """Values of a category or yes/no column merged to fewer; what no entry names is unknown.

    Attributes:
        column: the column.
        entries: the new values; no old value is in two of them.
    """

    column: str
    entries: tuple[RecodeEntry, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return (self.column,)


@dataclass(frozen=True)
class CodePrefix:
    """Codes of a column of the file by how they begin, such as diagnoses by chapter.

    A code is compared in capitals, without dots, blanks and marks such as the dagger and the star
    of ICD-10; a number below zero is none. A cell with several codes, such as ``I21; E11``, is
    unknown: nobody said which one counts. An entry is a prefix, or a range of prefixes of one
    length, both ends included; the first entry that fits counts.

    Attributes:
        header: the column's name in the file; it needs no declaration of its own.
        entries: the new values.
        digits: to how many digits numbers are filled up with zeros before the point, as where a
            program lost the first zeros of ICD-9 codes; 0 where they are not.
    """

    header: str
    entries: tuple[RecodeEntry, ...]
    digits: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        return ()


@dataclass(frozen=True)
class Bands:
    """A number column in bands with names; numbers below the first edge are unknown.

    Attributes:
        column: the column.
        edges: where each band begins, rising; the last one goes on to the column's end. The
            derived column has one value for each, in this order.
    """

    column: str
    edges: tuple[Decimal, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return (self.column,)


@dataclass(frozen=True)
class Holds:
    """Whether conditions hold: yes, no, or missing where what is missing decides it.

    Attributes:
        conditions: the conditions.
        how: whether all of them must hold or any.
    """

    conditions: tuple[Condition, ...]
    how: Literal["all", "any"] = "all"

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(condition.column for condition in self.conditions))


@dataclass(frozen=True)
class Operand:
    """A number column's value, or a power of it.

    Attributes:
        column: its name.
        power: 1, or 2 for the square.
    """

    column: str
    power: int = 1


@dataclass(frozen=True)
class Arithmetic:
    """Two numbers added, subtracted, multiplied or divided, exactly.

    Attributes:
        operation: what is done with them.
        operands: the two; at least one is a column.
    """

    operation: Operation
    operands: tuple[Operand | Decimal, Operand | Decimal]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(one.column for one in self.operands if isinstance(one, Operand))


@dataclass(frozen=True)
class DatePart:
    """A part of a date: its year and its hour as numbers, the others as values "1", "2" and so on.

    Attributes:
        part: which; weekdays count from Monday.
        column: the date column.
    """

    part: DatePartName
    column: str

    @property
    def names(self) -> tuple[str, ...]:
        return (self.column,)


@dataclass(frozen=True)
class FirstThere:
    """The first value that is there of several columns of one kind.

    Attributes:
        columns: the columns, in this order.
    """

    columns: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return self.columns


@dataclass(frozen=True)
class FileLabel:
    """The declared label of the file that a row is from, such as its year."""

    @property
    def names(self) -> tuple[str, ...]:
        return ()


@dataclass(frozen=True)
class OfRows:
    """A value of several rows.

    Rows that do not meet the conditions are passed over, and so are cells without a value. Without
    any row that is left, the count is 0, any is no, and every other value is missing. The first
    and the last are those of the earliest and the latest day; among rows of one day the smallest
    value counts.

    Attributes:
        what: count: how many rows; any, all: whether the conditions hold for any or for all of the
            rows; first, last, smallest, largest: a value of the column; sum, mean: of its
            numbers; days: from its first to its last day; most-frequent: the value in most rows,
            of equally frequent ones the first of the list.
        column: what it is of; none for count, any and all.
        by: the date column that orders rows, for first and last.
        where: conditions that a row must all meet.
        table: name of the further table whose rows they are; nothing where it is the main one.
    """

    what: PersonValue
    column: str | None = None
    by: str | None = None
    where: tuple[Condition, ...] = ()
    table: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        return _named(self.column, self.by, self.where)


@dataclass(frozen=True)
class OfPerson(OfRows):
    """A value of a person, from all of that person's rows in one table, before any row limit."""


@dataclass(frozen=True)
class OfCase(OfRows):
    """A value beside a row of the main table, from the rows of its case in a further table.

    Those are the rows with the same person and the same case number. A row without either has no
    value.
    """


@dataclass(frozen=True)
class BesideRow:
    """A value beside a row, from the same person's rows, before any row limit.

    A person's rows are in the order of a date, those of one day in the order of the wanted value
    and then of what else they hold. Rows without a day, and those that do not meet the conditions,
    have no place in it.

    Attributes:
        what: previous, next: the column's value in the row before or behind; number: which row of
            the person it is, from 1; before: whether a row of an earlier day meets the conditions.
        by: the date column that orders rows.
        column: what is taken, for previous and next.
        where: conditions that a row must all meet to have a place.
    """

    what: RowNeighbour
    by: str
    column: str | None = None
    where: tuple[Condition, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return _named(self.column, self.by, self.where)


def _named(column: str | None, by: str | None, where: tuple[Condition, ...]) -> tuple[str, ...]:
    names = (column, by, *(condition.column for condition in where))
    return tuple(dict.fromkeys(name for name in names if name is not None))


RowStep = (
    TimeBetween
    | Recode
    | CodePrefix
    | Bands
    | Holds
    | Arithmetic
    | DatePart
    | FirstThere
    | FileLabel
)
PersonStep = OfPerson | BesideRow | OfCase
"""These see all rows of the person, in one table."""
Step = RowStep | PersonStep


def with_clock(step: Step | None) -> tuple[str, ...]:
    """The date columns whose time of day a step takes; they are read from the file."""
    if isinstance(step, TimeBetween):
        return step.names if step.unit == "hours" else ()
    return step.names if isinstance(step, DatePart) and step.part == "hour" else ()


STEPS: Final[tuple[type[Step], ...]] = get_args(Step)
