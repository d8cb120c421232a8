# SPDX-License-Identifier: Apache-2.0
"""Exact answers at the edges: no wrapping, no rounding, every declared cell."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.data.aggregation import aggregate, chunks
from dpdesk.data.aggregation.aggregate import SATURATION, measure
from dpdesk.data.encoding import condition_masks
from dpdesk.data.encoding.table import EncodedColumn, EncodedTable, PeopleColumns
from dpdesk.exact import Exact
from dpdesk.study.model.aggregate_spec import AggregateSpec
from dpdesk.study.model.columns import CategoryColumn, DateColumn, NumberColumn
from dpdesk.study.model.conditions import Between, DateBetween, IsIn, IsMissing, IsNotIn
from dpdesk.study.model.document import Study

Opened = Callable[[Exact], list[int]]
KINDS = (np.int8, np.int16, np.int32, np.int64)


def table_of(**columns: list[int]) -> EncodedTable:
    encoded = {name: EncodedColumn(np.array(codes), -1) for name, codes in columns.items()}
    count = len(next(iter(columns.values())))
    return EncodedTable(encoded, np.arange(count), count, None)


def study_of(last: int = 2**31 - 1, groups: int = 3) -> Study:
    values = tuple("abcdefgh"[:groups])
    number = NumberColumn("n", Decimal(0), Decimal(last), Decimal(1))
    return Study(columns=(number, CategoryColumn("g", values), CategoryColumn("h", ("x", "y"))))


@pytest.mark.threat("A4")
@pytest.mark.parametrize("kind", KINDS)
def test_sums_are_exact_at_the_ends_of_every_integer_type(
    kind: type[np.signedinteger], opened: Opened
) -> None:
    top = min(int(np.iinfo(kind).max), 2**31 - 1)
    codes = np.array([top, top - 1, 0, 1, -1, -4, top], kind)
    groups = EncodedColumn(np.array([0, 0, 1, 2, 0, 1, 2], np.int8), -1)
    columns = {"n": EncodedColumn(codes, -1), "g": groups}
    table = EncodedTable(columns, np.arange(7), 7, None)
    asked = AggregateSpec("sum", "n", by=("g",), offset=-3, factor=2)
    expected = [2 * (2 * top - 1) - 6, -3, 2 * (top + 1) - 6]
    assert opened(measure(table, study_of(), asked)) == expected


@given(codes=st.lists(st.integers(-4, 2**31 - 1), max_size=50), offset=st.integers(-(2**31), 2**31))
def test_sums_are_whole_numbers_beyond_what_floats_hold(codes: list[int], offset: int) -> None:
    repeated = np.repeat(np.array(codes, np.int64), 3000)
    sums = aggregate._index_sums(
        np.where(repeated < 0, 0, repeated), np.zeros(len(repeated), np.intp), 1
    )
    assert sums == [3000 * sum(code for code in codes if code > 0)]


def test_sums_stay_exact_over_many_rows(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aggregate, "_CHUNK_ROWS", 1000)
    count, top = 3_000_001, 2**31 - 1
    codes = np.full(count, top, np.int32)
    table = EncodedTable({"n": EncodedColumn(codes, -1)}, np.arange(count), count, None)
    # Above 2**53 no float holds an odd number.
    assert opened(measure(table, study_of(), AggregateSpec("sum", "n"))) == [count * top]


@pytest.mark.threat("A4")
@pytest.mark.parametrize("sign", [1, -1])
def test_sums_saturate_and_never_wrap(sign: int, opened: Opened) -> None:
    table = table_of(n=[2**31 - 1] * 3)
    asked = AggregateSpec("sum", "n", offset=sign * 2**61, factor=sign * 2**40)
    assert opened(measure(table, study_of(), asked)) == [sign * SATURATION]


def test_every_declared_cell_is_there_in_row_major_order(opened: Opened) -> None:
    table = table_of(n=[1, 1, 1, 1], g=[2, 0, 2, -1], h=[1, 0, 1, 1])
    assert opened(measure(table, study_of(), AggregateSpec("rows", by=("g", "h")))) == [
        1,
        0,
        0,
        0,
        0,
        2,
    ]
    assert opened(measure(table, study_of(), AggregateSpec("rows", by=("h", "g")))) == [
        1,
        0,
        0,
        0,
        0,
        2,
    ]
    assert opened(measure(table, study_of(), AggregateSpec("rows", by=("g",)))) == [1, 0, 2]
    assert opened(measure(table, study_of(), AggregateSpec("rows"))) == [4]


@pytest.mark.parametrize("pairs", [1 << 28, 0])
def test_people_are_counted_once_a_cell_both_ways(
    pairs: int, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(aggregate, "SEEN_PAIRS", pairs)
    monkeypatch.setattr(chunks, "PART_ROWS", 2)
    columns = {"g": EncodedColumn(np.array([0, 0, 1, 1, 1, -1], np.int8), -1)}
    table = EncodedTable(columns, np.array([0, 0, 0, 1, 2, 3]), 4, None)
    assert opened(measure(table, study_of(), AggregateSpec("people", by=("g",)))) == [1, 3, 0]
    assert opened(measure(table, study_of(), AggregateSpec("people"))) == [4]
    nobody = EncodedTable({}, np.empty(0, np.int64), 0, None)
    assert opened(measure(nobody, study_of(), AggregateSpec("people"))) == [0]


@pytest.mark.parametrize("rows", [1, 2, 100])
def test_what_a_persons_rows_share_is_counted_in_every_part(
    rows: int, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three people and, last, those without an id; of five rows the fourth is nobody's."""
    monkeypatch.setattr(chunks, "PART_ROWS", rows)
    monkeypatch.setattr(chunks, "_ROWS_A_CELL", 0)
    per_person = EncodedColumn(np.array([2, 0, 1, 0], np.int8), -1)
    shared = PeopleColumns({"g": per_person}, np.array([0, 0, 1, -1, 2]))
    per_row = {"h": EncodedColumn(np.array([0, 1, 0, 1, 1], np.int8), -1)}
    table = EncodedTable(per_row, np.array([0, 0, 1, 3, 2]), 4, None, shared=shared)
    asked = AggregateSpec("rows", by=("g", "h"))
    assert opened(measure(table, study_of(), asked)) == [1, 1, 0, 1, 1, 1]
    assert opened(measure(table, study_of(), AggregateSpec("people", by=("g",)))) == [2, 1, 1]


def test_a_table_that_was_read_for_another_study_has_no_people() -> None:
    with pytest.raises(ValueError, match="were not made a table"):
        table_of(n=[1]).of_people()


def test_a_table_that_was_read_for_another_study_has_no_order_of_a_persons_rows() -> None:
    """Without it, which of a person's rows in a group count would follow from the file."""
    limited = AggregateSpec("rows", by=("n",), rows_per_group=1, groupings=1)
    with pytest.raises(ValueError, match="order of a person's rows"):
        measure(table_of(n=[1, 1]), study_of(), limited)


@given(
    lower=st.fractions(-5, 5, max_denominator=20),
    step=st.sampled_from(["0.1", "0.25", "1", "3"]),
    ends=st.tuples(st.decimals(-20, 20, places=2), st.decimals(-20, 20, places=2)),
)
def test_a_range_means_the_values_not_the_indices(
    lower: Fraction, step: str, ends: tuple[Decimal, Decimal]
) -> None:
    low = Decimal(round(lower * 20)) / 20
    column = NumberColumn("n", low, low + 30 * Decimal(step), Decimal(step))
    first, last = condition_masks.index_range(column, Between("n", *ends))
    values = [Fraction(low) + i * Fraction(step) for i in range(31)]
    inside = [i for i, v in enumerate(values) if Fraction(ends[0]) <= v <= Fraction(ends[1])]
    assert [i for i in range(31) if first <= i <= last] == inside


def test_asking_whether_a_cell_is_missing_leaves_nothing_out(opened: Opened) -> None:
    columns = {
        "n": EncodedColumn(np.array([3, -1, -2, -3], np.int8), 7),
        "g": EncodedColumn(np.array([0, 0, 0, -1], np.int8), -1),
    }
    table, study = EncodedTable(columns, np.arange(4), 4, None), study_of(10)

    def rows(*where: object, column: str | None = None) -> int:
        return opened(measure(table, study, AggregateSpec("rows", column, where=where)))[0]

    assert rows(IsMissing("n")) == 1
    assert rows(IsMissing("n", False)) == 3
    assert rows(IsMissing("n"), column="n") == 1
    assert rows(Between("n", Decimal(7), Decimal(7))) == 1
    assert rows(column="n") == 2
    assert rows(IsMissing("n", False), IsIn("g", ("a",))) == 2
    assert rows(IsIn("g", ())) == 0


def test_what_was_never_declared_cannot_be_measured() -> None:
    with pytest.raises(ValueError, match="declared"):
        measure(table_of(n=[1]), Study(), AggregateSpec("rows", where=(IsMissing("g"),)))


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        (date(2020, 1, 2), date(2020, 1, 3), 3),
        (date(2020, 1, 2), date(2020, 1, 2), 1),
        (date(1, 1, 1), date(9999, 12, 31), 5),
        (date(2020, 1, 5), date(9999, 12, 31), 0),
        (date(1, 1, 1), date(2019, 12, 31), 0),
        (date(2020, 1, 4), date(2021, 1, 1), 1),
    ],
)
def test_days_at_both_ends_of_a_range_pass(
    first: date, last: date, expected: int, opened: Opened
) -> None:
    table = table_of(d=[0, 1, 2, 2, 3, -1, -2, -3])
    study = Study(columns=(DateColumn("d", date(2020, 1, 1), date(2020, 1, 4)),))
    asked = AggregateSpec("rows", where=(DateBetween("d", first, last),))
    assert opened(measure(table, study, asked)) == [expected]


def test_a_missing_day_passes_where_it_counts_as_one(opened: Opened) -> None:
    study = Study(columns=(DateColumn("d", date(2020, 1, 1), date(2020, 1, 4)),))
    whole = DateBetween("d", date(2020, 1, 2), date(2020, 1, 2))
    codes = EncodedColumn(np.array([-1, -1, 0], np.int8), 1)
    table = EncodedTable({"d": codes}, np.arange(3), 3, None)
    counted = [
        opened(measure(table, study, AggregateSpec("rows", where=(condition,))))
        for condition in (whole, IsMissing("d"), IsMissing("d", False))
    ]
    assert counted == [[2], [2], [1]]


def test_a_range_of_numbers_needs_a_number_column() -> None:
    asked = AggregateSpec("rows", where=(Between("g", Decimal(0), Decimal(1)),))
    with pytest.raises(ValueError, match="number column"):
        measure(table_of(g=[1]), study_of(), asked)


@pytest.mark.parametrize("count", [2, 16, 17, 25])
def test_few_and_many_groups_of_a_condition_are_looked_up_alike(count: int, opened: Opened) -> None:
    values = tuple(f"v{n:02}" for n in range(26))
    study = Study(columns=(CategoryColumn("g", values),))
    table = table_of(g=[*range(26), 0, count - 1, count, -1])
    listed, others = (
        opened(measure(table, study, AggregateSpec("rows", where=(kind("g", values[:count]),))))
        for kind in (IsIn, IsNotIn)
    )
    assert (listed, others) == ([count + 2], [26 - count + 1])


def test_a_range_of_days_needs_a_date_column() -> None:
    table = table_of(n=[1])
    asked = AggregateSpec("rows", where=(DateBetween("n", date(2020, 1, 1), date(2020, 1, 2)),))
    with pytest.raises(ValueError, match="date column"):
        measure(table, study_of(), asked)


@given(
    st.lists(st.tuples(st.integers(-2, 9), st.integers(-2, 9)), min_size=1, max_size=30),
    st.sampled_from(["0.1", "0.25", "1", "3"]),
    st.sampled_from(["0", "-2.5", "1e15"]),
)
def test_rows_count_whose_one_number_is_below_another(
    codes: list[tuple[int, int]], step: str, lower: str
) -> None:
    """Of grids of their own, exactly; a number that a rule leaves out is below none."""
    entry = NumberColumn("e", Decimal(0), 9 * Decimal(step), Decimal(step))
    time = NumberColumn("n", Decimal(lower), Decimal(lower) + Decimal("4.5"), Decimal("0.5"))
    entered, times = zip(*codes, strict=True)
    table, study = table_of(e=list(entered), n=list(times)), Study(columns=(entry, time))
    found = aggregate.counted_rows(table, study, AggregateSpec("rows", "n", after="e"))
    expected = [
        e >= 0 <= n and e * Decimal(step) < Decimal(lower) + n * Decimal("0.5") for e, n in codes
    ]
    assert np.isin(np.arange(len(codes)), np.arange(len(codes))[found]).tolist() == expected
