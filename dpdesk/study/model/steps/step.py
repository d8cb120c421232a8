# SPDX-License-Identifier: Apache-2.0
"""How a column is made from others: one frozen value for each step, and the list of them.

A derived column declares its kind, bounds and rules like any other; its step says where its
values come from. A step has three readings: its public result (``result.py``), its compilation
to codes (``data.preparation``) and its sentence (``texts.step_sentences``). Each asks ``STEPS`` for
what there is, and a test asks each for every one of them.

A step sees the cells of one row after their columns' own rules. A cell that a rule leaves out has
no value there; where a step needs it, the result is missing, and the derived column's rule for
missing cells says what becomes of it. A result beyond the derived column's bounds meets its rule
for outside, one without a value (divided by 0) its rule for unparsable, one that no entry names its
rule for unknown.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Final, Literal, get_args

from dpdesk.study.model.conditions import Condition

TimeUnit = Literal["days", "weeks", "months", "years"]
DatePartName = Literal["year", "quarter", "month", "weekday"]
Operation = Literal["add", "subtract", "multiply", "divide"]
Kind = Literal["number", "category", "yes-no", "date"]
TIME_UNITS: Final[tuple[TimeUnit, ...]] = get_args(TimeUnit)
DATE_PARTS: Final[tuple[DatePartName, ...]] = get_args(DatePartName)
OPERATIONS: Final[tuple[Operation, ...]] = get_args(Operation)
PART_NUMBERS: Final[dict[DatePartName, range]] = {
    "quarter": range(1, 5),
    "month": range(1, 13),
    "weekday": range(1, 8),
}
"""The numbers of the parts that come again; weekdays count from Monday."""


@dataclass(frozen=True)
class TimeBetween:
    """The time from one day to another; below 0 where the other comes first.

    Weeks are a seventh of the days; months and years are completed ones, counted from the earlier
    day: who is born on 29 February completes a year on 1 March where there is no such day.

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
    of ICD-10. An entry is a prefix, or a range of prefixes of one length, both ends included; the
    first entry that fits counts.

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
    """A part of a date: its year as a number, the others as the values "1", "2" and so on.

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


Step = TimeBetween | Recode | CodePrefix | Bands | Holds | Arithmetic | DatePart | FirstThere
STEPS: Final[tuple[type[Step], ...]] = get_args(Step)
