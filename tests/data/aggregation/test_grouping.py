# SPDX-License-Identifier: Apache-2.0
"""Rows into groups: every row that counts lies in exactly one, the one that its label says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from itertools import product

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpdesk.data.aggregation.aggregate import measure
from dpdesk.data.aggregation.grouping import grouped, period_of_days
from dpdesk.data.encoding.table import EncodedColumn, EncodedTable
from dpdesk.exact import Exact
from dpdesk.study.model.aggregate_spec import AggregateSpec
from dpdesk.study.model.columns import CategoryColumn, DateColumn, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Bins, Periods, labels_of
from dpdesk.study.model.periods import PERIODS, Period, period_labels
from tests.data.reference import bin_of, period_of

anywhere = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
Opened = Callable[[Exact], list[int]]
FIRST_DAYS = st.dates(date(1800, 1, 1), date(2180, 12, 31))
BY = ("sex", Bins("age", (Decimal(18), Decimal(65))), Periods("day", "quarter"))


@given(first=FIRST_DAYS, days=st.integers(0, 1_500), period=st.sampled_from(PERIODS))
def test_every_day_lies_in_the_period_that_its_label_says(
    first: date, days: int, period: Period
) -> None:
    column = DateColumn("day", first, first + timedelta(days))
    labels = period_labels(column, period)
    places = period_of_days(column, period)
    assert places.min() == 0
    assert places.max() == len(labels) - 1
    expected = [period_of(first + timedelta(index), period) for index in range(days + 1)]
    assert [labels[place] for place in places] == expected


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int32])
@pytest.mark.parametrize("period", PERIODS)
def test_rows_are_looked_up_whatever_integers_hold_their_days(
    kind: type[np.signedinteger], period: Period
) -> None:
    column = DateColumn("day", date(2021, 11, 3), date(2022, 3, 1))
    codes = np.array([118, -1, 0, 59, 58, -2, 0], kind)
    table = EncodedTable({"day": EncodedColumn(codes, -1)}, np.arange(7), 7, None)
    rows = np.flatnonzero(codes >= 0)
    places, size = grouped(table, column, Periods("day", period), rows)
    labels = period_labels(column, period)
    assert size == len(labels)
    days = [date(2021, 11, 3) + timedelta(int(code)) for code in codes[rows]]
    assert [labels[place] for place in places] == [period_of(day, period) for day in days]


def cross_table(sexes: list[int], ages: list[int], days: list[int]) -> tuple[Study, EncodedTable]:
    columns = (
        CategoryColumn("sex", ("F", "M")),
        NumberColumn("age", Decimal(0), Decimal(110), Decimal(1)),
        DateColumn("day", date(2021, 2, 14), date(2022, 1, 31)),
    )
    codes = zip(columns, (sexes, ages, days), strict=True)
    encoded = {c.name: EncodedColumn(np.array(cells, np.int16), -1) for c, cells in codes}
    return Study(columns=columns), EncodedTable(encoded, np.arange(len(sexes)), len(sexes), None)


@anywhere
@given(
    rows=st.lists(
        st.tuples(st.integers(-1, 1), st.integers(-1, 110), st.integers(-1, 351)), max_size=60
    )
)
def test_every_row_of_a_cross_table_lies_in_exactly_one_cell(
    rows: list[tuple[int, int, int]], opened: Opened
) -> None:
    study, table = cross_table(*([row[place] for row in rows] for place in range(3)))
    counts = opened(measure(table, study, AggregateSpec("rows", by=BY)))
    labels = [labels_of(by, column) for by, column in zip(BY, study.columns, strict=True)]
    cells = list(product(*labels))
    assert len(counts) == len(cells) == 2 * 3 * 5
    counted = [row for row in rows if min(row) >= 0]
    assert sum(counts) == len(counted)
    assert +Counter(dict(zip(cells, counts, strict=True))) == Counter(
        (
            "FM"[sex],
            bin_of(study.columns[1], age, BY[1]),
            period_of(date(2021, 2, 14) + timedelta(day), "quarter"),
        )
        for sex, age, day in counted
    )


def test_cells_of_three_groupings_come_in_row_major_order(opened: Opened) -> None:
    study, table = cross_table([1, 0], [65, 17], [0, 351])
    counts = opened(measure(table, study, AggregateSpec("rows", by=BY)))
    # M, 65 to 110, 2021-Q1 is the cell 1, 2, 0 of 2 x 3 x 5; F, 0 to 17, 2022-Q1 is 0, 0, 4.
    assert [place for place, count in enumerate(counts) if count] == [4, (1 * 3 + 2) * 5]
