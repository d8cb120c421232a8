# SPDX-License-Identifier: Apache-2.0
"""The whole chain once more, slow and obvious: one cell, one row, one person at a time."""

from __future__ import annotations

import calendar
import unicodedata
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import lru_cache
from itertools import product

from dpdesk.study.model.aggregate_spec import AggregateSpec
from dpdesk.study.model.columns import (
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    Replace,
    YesNoColumn,
)
from dpdesk.study.model.conditions import Between, Condition, DateBetween, IsIn, IsMissing, IsNotIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Bins, Grouping, Periods, column_of

Cells = dict[str, str]
LEFT_OUT = None
Value = int | str | None


def answer(study: Study, rows: Sequence[tuple[Cells, int]], asked: AggregateSpec) -> list[int]:
    """The exact vector of a measure over rows and their priorities."""
    by_cell: dict[tuple[str, ...], list[tuple[str, Cells]]] = {}
    taken: dict[tuple[str, tuple[str, ...]], int] = {}
    for row in bounded(study, rows):
        if counts(study, row[1], asked):
            cell = tuple(group_of(study, row[1], grouping) for grouping in asked.by)
            own = row[0], cell[: asked.groupings]
            taken[own] = taken.get(own, 0) + 1
            if not asked.rows_per_group or taken[own] <= asked.rows_per_group:
                by_cell.setdefault(cell, []).append(row)
    labels = [groups(study.column(column_of(grouping)), grouping) for grouping in asked.by]
    return [_statistic(study, by_cell.pop(cell, []), asked) for cell in product(*labels)]


def _statistic(study: Study, rows: list[tuple[str, Cells]], asked: AggregateSpec) -> int:
    if asked.kind == "rows":
        return len(rows)
    if asked.kind == "people":
        return len({person for person, _ in rows})
    indices = [value(study, cells, asked.column) for _, cells in rows]
    return sum(asked.offset + asked.factor * int(index) for index in indices)


def bounded(study: Study, rows: Sequence[tuple[Cells, int]]) -> list[tuple[str, Cells]]:
    """The rows that the contribution bound keeps, each with its person."""
    by_person: dict[str, list[tuple[int, Cells]]] = {}
    for number, (cells, priority) in enumerate(rows):
        person = _person(study, cells, number)
        if person is not None:
            by_person.setdefault(person, []).append((priority, cells))
    k = study.unit.max_rows
    return [
        (person, cells)
        for person, own in by_person.items()
        for _, cells in sorted(own, key=lambda row: row[0])[:k]
    ]


def _person(study: Study, cells: Cells, number: int) -> str | None:
    unit = study.unit
    if unit.person is None:
        return str(number)
    text = " ".join(unicodedata.normalize("NFKC", cells[unit.person]).casefold().split())
    if text.endswith(".0") and text[:-2].isdigit():
        text = text[:-2]
    if text in ("", *study.data.missing):
        return "nobody" if unit.without_id == "one-person" else None
    if text.isdigit() and not unit.leading_zeros:
        text = str(int(text))
    return "id " + text


def counts(study: Study, cells: Cells, asked: AggregateSpec) -> bool:
    """Whether a row counts for a measure."""
    used = [asked.column] if asked.column else []
    used += [column_of(grouping) for grouping in asked.by]
    if any(value(study, cells, name) is LEFT_OUT for name in used):
        return False
    return all(holds(study, cells, condition) for condition in asked.where)


def holds(study: Study, cells: Cells, condition: Condition) -> bool:
    """Whether a row passes a condition."""
    column = study.column(condition.column)
    if isinstance(condition, IsMissing):
        return is_missing(study, column, cells[column.name]) == condition.missing
    found = value(study, cells, column.name)
    if found is LEFT_OUT:
        return False
    if isinstance(condition, IsIn | IsNotIn):
        listed = found in condition.values or printed(column, found) in condition.values
        return listed == isinstance(condition, IsIn)
    if isinstance(condition, DateBetween):
        return condition.first <= column.first + timedelta(found) <= condition.last
    assert isinstance(condition, Between)
    number = Fraction(column.lower) + found * Fraction(column.step)
    return Fraction(condition.lowest) <= number <= Fraction(condition.highest)


def groups(column: Column, grouping: Grouping) -> list[str]:
    """Every group of a column, in the order it is printed."""
    if isinstance(grouping, Periods):
        return periods(column.first, column.last, grouping.period)
    if isinstance(grouping, Bins):
        return list(dict.fromkeys(bin_of(column, i, grouping) for i in range(last_of(column) + 1)))
    yes_no = isinstance(column, YesNoColumn)
    own = [column.no[0], column.yes[0]] if yes_no else list(column.labels or column.values)
    own += ["(other)"] if column.unknown == "category" else []
    return own + (["(missing)"] if column.missing == "category" else [])


def printed(column: Column, found: Value) -> Value:
    """A value under its printed name."""
    if isinstance(column, CategoryColumn) and column.labels and found in column.values:
        return column.labels[column.values.index(str(found))]
    return found


def group_of(study: Study, cells: Cells, grouping: Grouping) -> str:
    """The group of a row that counts."""
    column = study.column(column_of(grouping))
    found = value(study, cells, column.name)
    if isinstance(grouping, Periods):
        return period_of(column.first + timedelta(found), grouping.period)
    if isinstance(grouping, Bins):
        return bin_of(column, found, grouping)
    return str(printed(column, found))


@lru_cache(maxsize=64)
def periods(first: date, last: date, period: str) -> list[str]:
    """The periods of a span, found by walking through its days."""
    days = [first + timedelta(index) for index in range((last - first).days + 1)]
    if period == "weekday":
        days = sorted(days[:7], key=lambda day: day.isoweekday())
    return list(dict.fromkeys(period_of(day, period) for day in days))


def period_of(day: date, period: str) -> str:
    """The period of a day."""
    if period == "weekday":
        return calendar.day_name[calendar.weekday(day.year, day.month, day.day)]
    year, month, _ = day.isoformat().split("-")
    quarter = {"01": 1, "02": 1, "03": 1, "04": 2, "05": 2, "06": 2, "07": 3, "08": 3, "09": 3}
    texts = {
        "year": year,
        "quarter": f"{year}-Q{quarter.get(month, 4)}",
        "month": f"{year}-{month}",
    }
    return texts[period]


def last_of(column: NumberColumn) -> int:
    """The grid index of the upper bound."""
    return round((Fraction(column.upper) - Fraction(column.lower)) / Fraction(column.step))


def bin_of(column: NumberColumn, index: int, grouping: Bins) -> str:
    """The label of the bin that a grid index lies in: its lowest and its highest value."""
    grid = [column.lower + i * column.step for i in range(last_of(column) + 1)]
    place = sum(grid[index] >= edge for edge in grouping.edges)
    here = [number for number in grid if sum(number >= edge for edge in grouping.edges) == place]
    low, high = (plain(here[0]), plain(here[-1]))
    return low if low == high else f"{low} to {high}"


def plain(number: Decimal) -> str:
    """A number without an exponent and without zeros behind its decimals."""
    return f"{number.normalize():f}" if number else "0"


def is_missing(study: Study, column: Column, text: str) -> bool:
    """Whether a cell is missing, whatever it counts as."""
    markers = ("", *study.data.missing, *column.missing_values)
    if isinstance(column, DateColumn):
        day = day_of(text, column)
        if day is not None and day in [day_of(marker, column) for marker in markers]:
            return True
    number = decimal_of(text, study.data.decimal)
    numbers = [decimal_of(marker, study.data.decimal) for marker in markers]
    same = isinstance(column, NumberColumn) and number is not None and number in numbers
    alike = spelling(study, column)
    return same or alike(text) in map(alike, markers)


def value(study: Study, cells: Cells, name: str) -> Value:
    """A cell's group or grid index after the column's rules."""
    column, text = study.column(name), cells[name]
    if is_missing(study, column, text):
        return _ruled(column, column.missing, "(missing)")
    if isinstance(column, NumberColumn):
        return _number(column, decimal_of(text, study.data.decimal))
    if isinstance(column, DateColumn):
        return _day(column, day_of(text, column))
    alike = spelling(study, column)
    if isinstance(column, CategoryColumn):
        for code, label in zip(column.values, column.labels or column.values, strict=True):
            named = alike(text) == alike(label) and alike(text) not in map(alike, column.values)
            if alike(text) == alike(code) or named:
                return code
    if isinstance(column, YesNoColumn):
        for texts in (column.yes, column.no):
            if alike(text) in map(alike, texts):
                return texts[0]
    return _ruled(column, column.unknown, "(other)")


def spelling(study: Study, column: Column) -> Callable[[str], str]:
    """What of a text counts when it is compared with the declared ones."""

    def exactly(text: str) -> str:
        return unicodedata.normalize("NFC", text.strip())

    def folded(text: str) -> str:
        return unicodedata.normalize("NFC", text.strip().casefold())

    if getattr(column, "compare", "exact") == "exact":
        return exactly
    if isinstance(column, CategoryColumn):
        meant = {value: {value} for value in column.values}
        for value, label in zip(column.values, column.labels, strict=False):
            meant[value].add(label)
    else:
        meant = {"yes": set(column.yes), "no": set(column.no)}
    meant["missing"] = {"", *study.data.missing, *column.missing_values}
    groups = [{folded(text) for text in texts} for texts in meant.values()]
    return folded if sum(map(len, groups)) == len(set().union(*groups)) else exactly


def _number(column: NumberColumn, number: Decimal | None) -> Value:
    if number is None:
        return _ruled(column, column.unparsable, "")
    if not column.lower <= number <= column.upper:
        if column.outside != "clamp":
            return _ruled(column, column.outside, "")
        number = min(max(number, column.lower), column.upper)
    return grid_index(column, Fraction(number))


def _day(column: DateColumn, day: date | None) -> Value:
    if day is None:
        return _ruled(column, column.unparsable, "")
    if not column.first <= day <= column.last:
        if column.outside != "clamp":
            return _ruled(column, column.outside, "")
        day = min(max(day, column.first), column.last)
    return (day - column.first).days


def grid_index(column: NumberColumn, number: Fraction) -> int:
    """The nearest grid index, the even one in the middle between two."""
    return round((number - Fraction(column.lower)) / Fraction(column.step))


def _ruled(column: Column, rule: str | Replace, label: str) -> Value:
    if rule == "drop":
        return LEFT_OUT
    if rule == "category":
        return label
    if isinstance(column, NumberColumn):
        return grid_index(column, Fraction(rule.value))
    if isinstance(column, DateColumn):
        return (date.fromisoformat(rule.value) - column.first).days
    return rule.value


def day_of(text: str, column: DateColumn) -> date | None:
    """The day that a text says, in the declared format alone, part by part."""
    text = text.strip()
    if not text.isascii() or len(text) > 40:
        return None
    form = column.format.removesuffix("HHMM")
    parts, place, rest = [], 0, text
    while place < len(form):
        sign = form[place]
        width = len(form[place:]) - len(form[place:].lstrip(sign))
        place += width
        if sign not in "YMD":
            if not rest.startswith(sign):
                return None
            rest = rest[1:]
            continue
        digits = rest[: (2 if sign in "MD" else width)]
        digits = digits if width > 1 or digits[1:].isdigit() else digits[:1]
        if not digits.isdigit() or (width > 1 and len(digits) < width):
            return None
        parts.append((sign, int(digits)))
        rest = rest[len(digits) :]
    numbers = dict(parts)
    if "YYYY" not in form:
        numbers["Y"] = next(
            year for year in range(column.pivot, column.pivot + 100) if year % 100 == numbers["Y"]
        )
    if rest and not _is_time(rest, column.format):
        return None
    try:
        return date(numbers["Y"], numbers["M"], numbers["D"])
    except ValueError:
        return None


TIGHT_TIMES = ("1345", "134559")
"""Of the times in the tables, those that may stand behind YYYYMMDDHHMM alone."""
TIMES = (
    *(" 00:00:00", "T23:59:59.5Z", " 21:09", " 9:05 pm", " 13:45", ", 09:05:59.5", "T13:45+01:00"),
)


def _is_time(rest: str, format: str) -> bool:
    if format == "YYYYMMDDHHMM":
        return rest in TIGHT_TIMES
    tight = tuple(f"T{time}" for time in TIGHT_TIMES) if format == "YYYYMMDD" else ()
    return rest in TIMES + tight


def decimal_of(text: str, mark: str) -> Decimal | None:
    """The number that a text says. Not for exponents that Python would have to write out."""
    wide = "\uff10\uff11\uff12\uff13\uff14\uff15\uff16\uff17\uff18\uff19"
    text = text.strip().translate({ord(sign): str(digit) for digit, sign in enumerate(wide)})
    if not text or set(text) - set("0123456789+-eE" + mark) or len(text) > 64:
        return None
    try:
        return Decimal(text.replace(mark, "."))
    except InvalidOperation:
        return None
