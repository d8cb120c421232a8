# SPDX-License-Identifier: Apache-2.0
"""Every step against a reader that works out one row at a time with fractions and days."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpdesk.data.encoding.missing_and_invalid import (
    MISSING,
    constant_code,
    invalid_codes,
    missing_code,
    unknown_code,
)
from dpdesk.data.encoding.table import EncodedColumn
from dpdesk.data.preparation.row_steps import compile_step
from dpdesk.study.checks.study_checks import check
from dpdesk.study.model.columns import (
    CATEGORY,
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    Replace,
    YesNoColumn,
    group_labels,
    last_day_index,
    number_grid,
)
from dpdesk.study.model.conditions import Between, DateBetween, IsIn, IsMissing
from dpdesk.study.model.document import Study
from dpdesk.study.model.steps.result import completed, own_values, result_of
from dpdesk.study.model.steps.step import (
    Arithmetic,
    Bands,
    DatePart,
    FirstThere,
    Holds,
    Operand,
    Recode,
    TimeBetween,
)
from tests.audit.length import examples
from tests.data.preparation.steps import derived_columns, raw_columns

CODES = (-4, -3, -2, -1)


def value_of(column: Column, code: int) -> Any:
    """What a code says: a fraction, a day, or a group's printed name; ``None`` where nothing."""
    if code == MISSING:
        code = missing_code(column)
    if code < 0:
        return None
    if isinstance(column, NumberColumn):
        grid = number_grid(column)
        return (grid.offset + grid.factor * code) * grid.quantum
    if isinstance(column, DateColumn):
        assert column.first is not None
        return column.first + timedelta(code)
    return group_labels(column)[code]


def row_code(column: Column, code: int) -> int:
    return missing_code(column) if code == MISSING else code


def own_value(column: Column, code: int) -> Any:
    """Likewise, a group by its declared value rather than its printed name."""
    value = value_of(column, code)
    if isinstance(column, CategoryColumn | YesNoColumn) and value is not None:
        values = own_values(column)
        code = missing_code(column) if code == MISSING else code
        return values[code] if code < len(values) else value
    return value


def placed(column: NumberColumn, value: Fraction | None) -> int:
    """A result's code: outside, or the nearest grid value, in the middle the one far from 0."""
    if value is None:
        return MISSING
    grid = number_grid(column)
    lower, upper = grid.lowest * grid.quantum, grid.highest * grid.quantum
    outside = invalid_codes(column)[1]
    if value < lower:
        return 0 if column.outside == "clamp" else outside
    if value > upper:
        return grid.last if column.outside == "clamp" else outside
    place = (value - lower) / (grid.quantum * grid.factor)
    half = Fraction(1, 2)
    return min(grid.last, max(0, floor(place + half) if value >= 0 else ceil(place - half)))


def day_code(column: DateColumn, day: date | None) -> int:
    if day is None:
        return MISSING
    assert column.first is not None
    place, last = (day - column.first).days, last_day_index(column)
    if 0 <= place <= last:
        return place
    outside = invalid_codes(column)[1]
    return (0 if place < 0 else last) if column.outside == "clamp" else outside


def passes(column: Column, code: int, condition: Any) -> bool | None:
    """Whether a condition holds; ``None`` where the cell has no value."""
    if isinstance(condition, IsMissing):
        return (code == MISSING) == condition.missing
    value = value_of(column, code)
    if value is None:
        return None
    if isinstance(condition, Between):
        return bool(Fraction(condition.lowest) <= value <= Fraction(condition.highest))
    if isinstance(condition, DateBetween):
        return bool(condition.first <= value <= condition.last)
    named = {*condition.values}
    is_in = value in named or own_value(column, code) in named
    return is_in if isinstance(condition, IsIn) else not is_in


def one_row(column: Column, columns: Mapping[str, Column], row: Mapping[str, int]) -> int:
    """A derived column's code of one row."""
    step = column.made_from

    def value(name: str) -> Any:
        return value_of(columns[name], row[name])

    match step:
        case TimeBetween(between=ends, unit=unit):
            assert isinstance(column, NumberColumn)
            first, last = (e if isinstance(e, date) else value(e) for e in ends)
            if first is None or last is None:
                return MISSING
            if unit in ("days", "weeks"):
                days = Fraction((last - first).days)
                return placed(column, days / 7 if unit == "weeks" else days)
            return placed(column, Fraction(completed(first, last, unit)))
        case Recode(column=name, entries=entries):
            old = columns[name]
            code = missing_code(old) if row[name] == MISSING else row[name]
            if code < 0:
                return MISSING
            label, own = group_labels(old)[code], own_value(old, row[name])
            for entry in entries:
                if label in entry.of or own in entry.of:
                    return own_values(column).index(entry.value)
            missing = old.missing == CATEGORY and label == "(missing)"
            return MISSING if missing else unknown_code(column)
        case Bands(column=name, edges=edges):
            if value(name) is None:
                return MISSING
            reached = [i for i, edge in enumerate(edges) if value(name) >= Fraction(edge)]
            if not reached:
                return unknown_code(column)
            assert isinstance(column, CategoryColumn)
            return reached[-1]
        case Holds(conditions=conditions, how=how):
            held = [passes(columns[c.column], row[c.column], c) for c in conditions]
            deciding = how == "any"
            if deciding in held:
                return int(deciding)
            return MISSING if None in held else int(not deciding)
        case Arithmetic(operation=operation, operands=operands):
            assert isinstance(column, NumberColumn)
            numbers = [
                Fraction(one)
                if isinstance(one, Decimal)
                else None
                if value(one.column) is None
                else value(one.column) ** one.power
                for one in operands
            ]
            a, b = numbers
            if a is None or b is None:
                return MISSING
            if operation == "divide":
                return placed(column, a / b) if b else invalid_codes(column)[0]
            result = {"add": a + b, "subtract": a - b, "multiply": a * b}[operation]
            return placed(column, result)
        case DatePart(part=part, column=name):
            day = value(name)
            if day is None:
                return MISSING
            if part == "year":
                assert isinstance(column, NumberColumn)
                return placed(column, Fraction(day.year))
            number = {
                "quarter": (day.month + 2) // 3,
                "month": day.month,
                "weekday": day.isoweekday(),
            }[part]
            return own_values(column).index(str(number))
        case FirstThere(columns=names):
            for name in names:
                if value(name) is None:
                    continue
                if isinstance(column, NumberColumn):
                    return placed(column, value(name))
                if isinstance(column, DateColumn):
                    return day_code(column, value(name))
                own = own_value(columns[name], row[name])
                missing = own == "(missing)" and columns[name].missing == CATEGORY
                if missing:
                    return MISSING
                if isinstance(column, YesNoColumn):
                    return (
                        code
                        if (code := row_code(columns[name], row[name])) < 2
                        else unknown_code(column)
                    )
                known = own in column.values
                return column.values.index(own) if known else unknown_code(column)
            return MISSING
    raise AssertionError(step)


def codes_of(dice: random.Random, column: Column, count: int) -> np.ndarray[Any, Any]:
    """Random codes that the column can have, the ends and those without a value among them."""
    if isinstance(column, NumberColumn):
        last = number_grid(column).last
    elif isinstance(column, DateColumn):
        last = last_day_index(column)
    else:
        last = len(group_labels(column)) - 1
    own = [*CODES, 0, last, last // 2, *(dice.randint(0, last) for _ in range(8))]
    return np.array(dice.choices(own, k=count), np.int64)


@settings(max_examples=examples(short=120, full=300), deadline=None)
@given(st.data(), st.integers(0, 2**32))
def test_each_step_is_what_it_says_of_one_row(data: st.DataObject, seed: int) -> None:
    dice = random.Random(seed)
    read = data.draw(raw_columns())
    column = data.draw(derived_columns(read, "made"))
    columns = {one.name: one for one in (*read, column)}
    study = Study(columns=(*read, column))
    found = [p for p in check(study) if p.path.startswith(f"$.columns[{len(read)}]")]
    if found:
        # The one thing that a made-up step may lack: room for its arithmetic.
        assert {p.code for p in found} <= {"step-too-fine"}, found
        return
    count = 60
    codes = {one.name: codes_of(dice, one, count) for one in read}
    cells = {
        name: EncodedColumn(of_rows, missing_code(columns[name])) for name, of_rows in codes.items()
    }
    made = compile_step(column, columns)(cells)
    for at in range(count):
        row = {name: int(of_rows[at]) for name, of_rows in codes.items()}
        assert int(made[at]) == one_row(column, columns, row), (column, row)


@settings(max_examples=examples(short=30, full=200), deadline=None)
@given(st.data(), st.integers(0, 2**32))
def test_what_comes_out_is_in_the_range_that_is_said(data: st.DataObject, seed: int) -> None:
    """The public result holds every value of every row, and its ends are no wider than needed."""
    dice = random.Random(seed)
    read = data.draw(raw_columns())
    column = data.draw(derived_columns(read, "made", kinds=("number",)))
    columns = {one.name: one for one in read}
    result = result_of(column.made_from, columns)  # type: ignore[arg-type]
    assert isinstance(column, NumberColumn)
    if result.lowest is None or result.highest is None:
        assert isinstance(column.made_from, Arithmetic) and column.made_from.operation == "divide"
        return
    whole = replace(column, lower=Decimal(-(10**6)), upper=Decimal(10**6), step=Decimal(1))
    for _ in range(20):
        row = {one.name: int(codes_of(dice, one, 1)[0]) for one in read}
        code = one_row(whole, columns, row)
        if code >= 0 and result.highest < 10**6 and result.lowest > -(10**6):
            value = code - 10**6
            assert result.lowest - 1 <= value <= result.highest + 1


BORN = DateColumn("born", date(1990, 1, 1), date(2024, 12, 31))
SEEN = DateColumn("seen", date(1990, 1, 1), date(2024, 12, 31))
AGE = NumberColumn("age", Decimal(-40), Decimal(40), Decimal(1))


@pytest.mark.parametrize(
    ("born", "seen", "years", "months"),
    [
        ("2000-02-29", "2001-02-28", 0, 11),
        ("2000-02-29", "2001-03-01", 1, 12),
        ("2000-02-29", "2004-02-29", 4, 48),
        ("1999-12-31", "2000-01-01", 0, 0),
        ("2000-01-31", "2000-02-29", 0, 0),
        ("2010-06-15", "2010-06-14", -1, -1),
        ("2010-06-15", "2009-06-16", -1, -12),
        ("2010-06-15", "2009-06-15", -1, -12),
        ("2010-06-15", "2009-06-14", -2, -13),
    ],
)
def test_completed_years_and_months(born: str, seen: str, years: int, months: int) -> None:
    days = [date.fromisoformat(day) for day in (born, seen)]
    cells = {
        one.name: EncodedColumn(np.array([(day - one.first).days]), MISSING)  # type: ignore[operator]
        for one, day in zip((BORN, SEEN), days, strict=True)
    }
    for unit, expected in (("years", years), ("months", months)):
        wide = replace(
            AGE,
            lower=Decimal(-500),
            upper=Decimal(500),
            made_from=TimeBetween(("born", "seen"), unit),  # type: ignore[arg-type]
        )
        columns = {"born": BORN, "seen": SEEN, "age": wide}
        assert compile_step(wide, columns)(cells).tolist() == [expected + 500]


def test_halves_go_away_from_zero() -> None:
    half = NumberColumn("x", Decimal(-4), Decimal(4), Decimal("0.5"))
    whole = NumberColumn("y", Decimal(-4), Decimal(4), Decimal(1))
    made = replace(whole, made_from=Arithmetic("add", (Operand("x"), Decimal(0))))
    columns = {"x": half, "y": made}
    codes = np.array([1, 3, 7, 9, 13, 15])  # -3.5 -2.5 -0.5 0.5 2.5 3.5
    made_codes = compile_step(made, columns)({"x": EncodedColumn(codes, MISSING)})
    assert (made_codes - 4).tolist() == [-4, -3, -1, 1, 3, 4]


def test_nothing_divided_by_zero_raises() -> None:
    x = NumberColumn("x", Decimal(-1), Decimal(1), Decimal(1))
    step = Arithmetic("divide", (Operand("x"), Operand("x")))
    for rule, code in (("drop", -2), (Replace(Decimal(3)), 3)):
        made = NumberColumn(
            "y",
            Decimal(0),
            Decimal(3),
            Decimal(1),
            unparsable=rule,
            made_from=step,  # type: ignore[arg-type]
        )
        with np.errstate(all="raise"):
            codes = compile_step(made, {"x": x, "y": made})(
                {"x": EncodedColumn(np.array([0, 1, 2, -1]), MISSING)}
            )
        assert codes.tolist() == [1, code, 1, MISSING]
        assert constant_code(made, Replace(Decimal(3))) == 3


def test_a_square_over_the_body_mass_index() -> None:
    """81.3 kg and 1.79 m are 25.37 kg/m², on a grid of 0.1: 25.4."""
    weight = NumberColumn("weight", Decimal(0), Decimal(300), Decimal("0.1"))
    height = NumberColumn("height", Decimal("0.5"), Decimal("2.5"), Decimal("0.01"))
    step = Arithmetic("divide", (Operand("weight"), Operand("height", 2)))
    bmi = NumberColumn("bmi", Decimal(10), Decimal(60), Decimal("0.1"), made_from=step)
    cells = {
        "weight": EncodedColumn(np.array([813]), MISSING),
        "height": EncodedColumn(np.array([129]), MISSING),
    }
    columns: dict[str, Column] = {"weight": weight, "height": height, "bmi": bmi}
    assert compile_step(bmi, columns)(cells).tolist() == [154]
