# SPDX-License-Identifier: Apache-2.0
"""Columns as the custodian declares them, and the public rule for every invalid cell."""

from __future__ import annotations

import unicodedata
from dataclasses import KW_ONLY, dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import gcd
from typing import Final, Literal, get_args

from dpdesk.study.model.dates import ISO, DateFormat
from dpdesk.study.model.steps.step import CodePrefix, Step
from dpdesk.study.model.unit import FORMATS, FileFormat

DROP: Final = "drop"
CLAMP: Final = "clamp"
CATEGORY: Final = "category"
MISSING_LABEL = "(missing)"
OTHER_LABEL = "(other)"


CodebookForm = Literal["redcap", "isaric-arc", "table-schema", "csvw", "plain"]
CodebookKind = CodebookForm | FileFormat
"""A form of codebooks, or the format of a data file that holds labels."""
CODEBOOK_KINDS: Final[tuple[CodebookKind, ...]] = (*get_args(CodebookForm), *FORMATS)


@dataclass(frozen=True)
class Origin:
    """What the program itself records of where a column's bounds or values come from.

    It is worded where it is shown, in the language shown; see ``data/codebook/sources.py``.

    Attributes:
        codebook: kind of the codebook that they were imported from.
        release: number of the release of the study's account that estimated them privately.
        by_hand: whether some of them were typed afterwards.
        suggested: whether they are a range or a list that dpdesk suggests: the basis cites it.
    """

    codebook: CodebookKind | None = None
    release: int | None = None
    by_hand: bool = False
    suggested: bool = False


NO_ORIGIN: Final = Origin()
SUGGESTED: Final = Origin(suggested=True)


@dataclass(frozen=True)
class Replace:
    """The rule "put this declared constant in its place"."""

    value: Decimal | str


DropRule = Literal["drop"] | Replace
GroupRule = Literal["drop", "category"] | Replace
OutsideRule = Literal["clamp", "drop"] | Replace
DecimalMark = Literal[".", ","]


@dataclass(frozen=True)
class DeclaredColumn:
    """What columns of every kind declare.

    The published schema describes each member as the class of its kind does, here and below.

    Attributes:
        name: the header as it is in the file; of a derived column, or where two tables have such a
            header, a name that no other has.
        title: name in the release; the header where empty.
        label: the unit the values are counted in, such as days.
        basis: where bounds or values come from: a codebook, a protocol, a law. Never the data.
        origin: what the program recorded of that; what a person writes is the basis.
        missing_values: cell texts that mean "missing" in this column alone.
        made_from: how a derived column is made from others; nothing where it is read from the
            file.
        table: name of the further table that it is read from; nothing where that is the main one.
        in_file: the header in the file, where it is not the name, as where two tables have columns
            of one header.
    """

    name: str
    _: KW_ONLY
    title: str = ""
    label: str = ""
    basis: str = ""
    origin: Origin = NO_ORIGIN
    missing_values: tuple[str, ...] = ()
    made_from: Step | None = None
    table: str = ""
    in_file: str = ""

    @property
    def header(self) -> str | None:
        """The column of the file whose cells are read; ``None`` where none is."""
        if self.made_from is None:
            return self.in_file or self.name
        return self.made_from.header if isinstance(self.made_from, CodePrefix) else None


@dataclass(frozen=True)
class CellReading:
    """A cell that is no number, and the number that it is read as: ``90+`` as 90.

    Attributes:
        cell: the cell's text, without outer white space.
        value: the number, in the column's unit; the column's bounds hold of it as of any.
    """

    cell: str
    value: Decimal


@dataclass(frozen=True)
class NumberColumn(DeclaredColumn):
    """A number with declared bounds on a declared grid.

    Attributes:
        lower: lowest value, in the column's unit.
        upper: highest value, above the lowest.
        step: grid width; values are rounded to lower + i * step. It divides the range evenly.
        missing: rule for empty cells and cells declared as missing.
        unparsable: rule for cells that are no number.
        outside: rule for numbers beyond the bounds; clamp moves them to the nearest bound.
        decimal: decimal mark in this column alone; the file's where it is left out.
        reads: cells that are no numbers and are read as some, such as 90+ as 90.
    """

    lower: Decimal | None = None
    upper: Decimal | None = None
    step: Decimal | None = None
    missing: DropRule = DROP
    unparsable: DropRule = DROP
    outside: OutsideRule = CLAMP
    decimal: DecimalMark | Literal[""] = ""
    reads: tuple[CellReading, ...] = ()
    kind: Literal["number"] = "number"


@dataclass(frozen=True)
class CategoryColumn(DeclaredColumn):
    """A text with a declared list of values.

    Attributes:
        values: every value that is counted, in the order it is printed.
        missing: rule for empty cells and cells declared as missing; category counts them as
            "(missing)".
        unknown: rule for values not listed; category counts them as "(other)".
        labels: the printed name of each value, in the same order, where a file holds codes; left
            out where the values are their own names.
        compare: how cells are compared with the values, their names and the markers for missing.
            exact: as they are written, without outer white space; folded: without regard to case
            either. Where two declared texts of different meaning are alike when folded, the whole
            column is compared exactly. Left out: exact.
    """

    values: tuple[str, ...] = ()
    missing: GroupRule = DROP
    unknown: GroupRule = DROP
    labels: tuple[str, ...] = ()
    compare: Literal["exact", "folded"] = "exact"
    kind: Literal["category"] = "category"


@dataclass(frozen=True)
class YesNoColumn(DeclaredColumn):
    """A property that a row has or has not.

    Attributes:
        yes: cell texts that mean yes; the first is its label.
        no: cell texts that mean no; the first is its label.
        missing: rule for empty cells and cells declared as missing; category counts them as
            "(missing)".
        unknown: rule for other texts; category counts them as "(other)".
        compare: how cells are compared with the texts for yes and no and the markers for missing:
            as in a category column.
    """

    yes: tuple[str, ...] = ()
    no: tuple[str, ...] = ()
    missing: GroupRule = DROP
    unknown: GroupRule = DROP
    compare: Literal["exact", "folded"] = "exact"
    kind: Literal["yes-no"] = "yes-no"


@dataclass(frozen=True)
class DateColumn(DeclaredColumn):
    """A day of a declared period; what is encoded is how many days after the first it is.

    Attributes:
        first: first day of the period, in the years 1800 to 2500.
        last: last day of the period, not before the first and at most 200 years after it.
        format: how the days are written in the file: YYYY, MM and DD with all their digits, M and
            D with one or two, YY with the last two of a year. MMM is the name of a month in
            English, German, French or Spanish, in full or cut short, whatever its case and
            accents; blanks, points, hyphens, slashes or nothing may then stand between the
            parts. Behind the day a space or T and a time of day may stand, also with seconds, AM
            or PM, or a time zone; it is ignored. YYYYMMDDHHMM may have seconds, or no time. Any
            other text is no day.
        missing: rule for empty cells and cells declared as missing; a constant is a day as
            YYYY-MM-DD.
        unparsable: rule for cells that are no day in this format.
        outside: rule for days beyond the period; clamp moves them to its nearest end.
        pivot: the first of the hundred years in which years of two digits lie: with 1925, 25 is
            1925 and 24 is 2024. Formats with YY need it.
        label: not used; columns of every kind have one.
    """

    first: date | None = None
    last: date | None = None
    format: DateFormat = ISO
    missing: DropRule = DROP
    unparsable: DropRule = DROP
    outside: OutsideRule = DROP
    pivot: int | None = None
    kind: Literal["date"] = "date"


Column = NumberColumn | CategoryColumn | YesNoColumn | DateColumn


def column_title(column: Column) -> str:
    return column.title or column.name


def group_labels(column: Column) -> tuple[str, ...]:
    """Every group that the column makes, in code order; empty for a number or a date."""
    if isinstance(column, NumberColumn | DateColumn):
        return ()
    own = value_labels(column)
    other = (OTHER_LABEL,) if column.unknown == CATEGORY else ()
    missing = (MISSING_LABEL,) if column.missing == CATEGORY else ()
    return own + other + missing


def value_labels(column: CategoryColumn | YesNoColumn) -> tuple[str, ...]:
    """The printed names of the declared values alone.

    Labels that do not fit the values name nothing; ``check`` refuses them.
    """
    if isinstance(column, YesNoColumn):
        return column.no[:1] + column.yes[:1]
    return column.labels if len(column.labels) == len(column.values) else column.values


def group_index(column: Column, text: str) -> int | None:
    """The group that a condition names: by its printed name or, where none has it, by its value.

    ``check`` refuses a label that is another value, so a text never means two groups.
    """
    named = group_labels(column)
    if text in named:
        return named.index(text)
    values = column.values if isinstance(column, CategoryColumn) else ()
    return values.index(text) if text in values else None


def group_name(column: Column, text: str) -> str:
    """The printed name of the group that a condition names; the text itself where it has none."""
    index = group_index(column, text)
    return text if index is None else group_labels(column)[index]


def keeps_every_row(column: Column) -> bool:
    """Whether every cell of a column counts, whatever it holds.

    A rule that a column of its kind does not know keeps nothing.
    """
    if isinstance(column, NumberColumn | DateColumn):
        replaces = isinstance(column.missing, Replace) and isinstance(column.unparsable, Replace)
        return replaces and (column.outside == CLAMP or isinstance(column.outside, Replace))
    rules = (column.missing, column.unknown)
    return all(rule == CATEGORY or isinstance(rule, Replace) for rule in rules)


@dataclass(frozen=True)
class Grid:
    """The integers that stand for a number column's values.

    A value is ``(offset + index * factor) * quantum`` with ``index`` in ``0..last``. The quantum
    is the largest number that divides both the lower bound and the step, so that every grid
    value is a whole number of quanta and sums of values are sums of integers.

    Attributes:
        quantum: exact width of one unit of integer, in the column's unit.
        offset: the lower bound in quanta.
        factor: the step in quanta.
        last: index of the upper bound.
    """

    quantum: Fraction
    offset: int
    factor: int
    last: int

    @property
    def lowest(self) -> int:
        """The lower bound in quanta."""
        return self.offset

    @property
    def highest(self) -> int:
        """The upper bound in quanta."""
        return self.offset + self.last * self.factor


def number_grid(column: NumberColumn) -> Grid:
    """Work out the integer grid of a complete number column.

    Raises:
        ValueError: bounds or step are missing, or the step is not above 0 or does not divide the
            range.
    """
    if column.lower is None or column.upper is None or column.step is None:
        raise ValueError("the column has no bounds yet")
    return _grid(column.lower, column.upper, column.step)


@lru_cache(maxsize=256)
def _grid(least: Decimal, most: Decimal, width: Decimal) -> Grid:
    lower, upper, step = (Fraction(v) for v in (least, most, width))
    if step <= 0:
        raise ValueError("the step is not above 0")
    last = (upper - lower) / step
    if last.denominator != 1 or last < 1:
        raise ValueError("the step does not divide the range")
    quantum = common_divisor(lower, step)
    return Grid(quantum, int(lower / quantum), int(step / quantum), int(last))


def common_divisor(first: Fraction, second: Fraction) -> Fraction:
    """The largest rational of which both are whole multiples."""
    scale = first.denominator * second.denominator
    whole = gcd(first.numerator * second.denominator, second.numerator * first.denominator)
    return Fraction(whole, scale)


def last_day_index(column: DateColumn) -> int:
    """The index of the last day of a complete date column; the first day's is 0.

    Raises:
        ValueError: the period is missing or reversed.
    """
    if column.first is None or column.last is None or column.last < column.first:
        raise ValueError("the column has no period yet")
    return (column.last - column.first).days


def plain_name(text: str) -> str:
    """A name without needless white space, in Unicode's composed form."""
    return unicodedata.normalize("NFC", " ".join(text.split()))
