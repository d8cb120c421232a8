# SPDX-License-Identifier: Apache-2.0
"""Grids turn numbers into integers without rounding; groups come in one order."""

from datetime import date
from decimal import Decimal
from fractions import Fraction
from math import lcm

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.study import limits
from dpdesk.study.model.columns import (
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    YesNoColumn,
    column_title,
    common_divisor,
    group_labels,
    last_day_index,
    number_grid,
)
from tests.strategies import number_columns

fractions = st.fractions(min_value=-50, max_value=50, max_denominator=40)


def number(lower: str | None, upper: str | None, step: str | None) -> NumberColumn:
    made = [None if text is None else Decimal(text) for text in (lower, upper, step)]
    return NumberColumn("a", *made)


@given(number_columns())
def test_every_grid_value_is_a_whole_number_of_quanta(column: NumberColumn) -> None:
    grid = number_grid(column)
    lower, upper, step = (Fraction(v or 0) for v in (column.lower, column.upper, column.step))
    for index in {0, 1, grid.last // 2, grid.last - 1, grid.last}:
        assert (grid.offset + index * grid.factor) * grid.quantum == lower + index * step
    assert grid.highest * grid.quantum == upper
    assert grid.lowest * grid.quantum == lower


def test_all_small_grids_are_as_counted_by_hand() -> None:
    checked = 0
    for lower in range(-6, 7):
        for step in range(1, 7):
            for last in range(1, 5):
                values = [Decimal(lower + i * step) / 4 for i in range(last + 1)]
                grid = number_grid(NumberColumn("a", values[0], values[-1], Decimal(step) / 4))
                whole = [Fraction(v) / grid.quantum for v in values]
                assert [w.denominator for w in whole] == [1] * (last + 1)
                assert whole == [grid.offset + i * grid.factor for i in range(last + 1)]
                checked += 1
    assert checked == 13 * 6 * 4


@pytest.mark.parametrize(
    ("column", "quantum", "offset", "factor", "last"),
    [
        (number("0.5", "10.5", "1"), Fraction(1, 2), 1, 2, 10),
        (number("0", "10", "1"), Fraction(1), 0, 1, 10),
        (number("1", "14", "1"), Fraction(1), 1, 1, 13),
        (number("30", "250", "0.1"), Fraction(1, 10), 300, 1, 2200),
        (number("-2.5", "2.5", "5"), Fraction(5, 2), -1, 2, 1),
        (number("-1", "1", "0.4"), Fraction(1, 5), -5, 2, 5),
        (number("0.3", "0.9", "0.2"), Fraction(1, 10), 3, 2, 3),
        (number("0", "1e10", "1e6"), Fraction(10**6), 0, 1, 10_000),
    ],
)
def test_a_quantum_divides_lower_bound_and_step(
    column: NumberColumn, quantum: Fraction, offset: int, factor: int, last: int
) -> None:
    grid = number_grid(column)
    assert (grid.quantum, grid.offset, grid.factor, grid.last) == (quantum, offset, factor, last)


@pytest.mark.parametrize(
    "column",
    [
        number(None, "1", "1"),
        number("0", None, "1"),
        number("0", "1", None),
        number("0", "1", "0.3"),
        number("1", "1", "1"),
        number("1", "0", "1"),
    ],
)
def test_a_grid_needs_bounds_that_its_step_divides(column: NumberColumn) -> None:
    with pytest.raises(ValueError, match=r"bounds|divide"):
        number_grid(column)


@given(fractions, fractions.filter(bool))
def test_the_common_divisor_is_the_largest(first: Fraction, second: Fraction) -> None:
    found = common_divisor(first, second)
    assert (first / found).denominator == (second / found).denominator == 1
    unit = Fraction(1, lcm(first.denominator, second.denominator))
    larger = (unit * n for n in range(1, int(abs(second) / unit) + 1) if unit * n > found)
    assert not any((first / n).denominator == (second / n).denominator == 1 for n in larger)


def test_the_largest_sum_stays_inside_64_bits() -> None:
    assert limits.ROW_CAP * limits.MAX_QUANTA < 2**62


@pytest.mark.parametrize(
    ("column", "labels"),
    [
        (CategoryColumn("a", values=("x", "y")), ("x", "y")),
        (
            CategoryColumn("a", values=("x",), missing="category", unknown="category"),
            ("x", "(other)", "(missing)"),
        ),
        (YesNoColumn("a", yes=("1", "yes"), no=("0", "no")), ("0", "1")),
        (YesNoColumn("a", yes=("1",), no=("0",), missing="category"), ("0", "1", "(missing)")),
        (YesNoColumn("a"), ()),
        (number("0", "1", "1"), ()),
        (DateColumn("a", date(2020, 1, 1), date(2020, 1, 2)), ()),
    ],
)
def test_groups_come_in_the_declared_order(column: Column, labels: tuple[str, ...]) -> None:
    assert group_labels(column) == labels


def test_a_column_is_called_by_its_title_or_its_header() -> None:
    assert column_title(CategoryColumn("sex")) == "sex"
    assert column_title(CategoryColumn("sex", title="Sex at birth")) == "Sex at birth"


def test_days_are_counted_from_the_first() -> None:
    assert last_day_index(DateColumn("a", date(2020, 1, 1), date(2020, 12, 31))) == 365
    assert last_day_index(DateColumn("a", date(2020, 1, 1), date(2020, 1, 1))) == 0
    for first, last in ((None, date(2020, 1, 1)), (date(2020, 1, 1), None)):
        with pytest.raises(ValueError, match="no period"):
            last_day_index(DateColumn("a", first, last))
    with pytest.raises(ValueError, match="no period"):
        last_day_index(DateColumn("a", date(2020, 1, 2), date(2020, 1, 1)))
