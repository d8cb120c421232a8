# SPDX-License-Identifier: Apache-2.0
"""Periods of a declared span: how they are called, which there are, and what is not one yet."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.study.checks.study_checks import check
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.json.study_writer import canonical, study_to_bytes, study_to_members
from dpdesk.study.model.columns import CategoryColumn, DateColumn, NumberColumn
from dpdesk.study.model.dates import FIRST_YEAR, LAST_YEAR, has_short_year
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Bins, Periods, labels_of
from dpdesk.study.model.periods import PERIODS, WEEKDAYS, Period, period_labels
from dpdesk.study.model.queries import Query
from tests.data.reference import periods
from tests.strategies import drafts

DAYS = st.dates(date(FIRST_YEAR, 1, 1), date(LAST_YEAR - 20, 12, 31))


def span(first: str, last: str) -> DateColumn:
    return DateColumn("day", date.fromisoformat(first), date.fromisoformat(last))


@pytest.mark.parametrize(
    ("first", "last", "period", "expected"),
    [
        ("2021-06-15", "2023-01-01", "year", ("2021", "2022", "2023")),
        ("2021-03-31", "2021-07-01", "quarter", ("2021-Q1", "2021-Q2", "2021-Q3")),
        ("2021-12-31", "2022-01-01", "quarter", ("2021-Q4", "2022-Q1")),
        ("2020-11-30", "2021-01-01", "month", ("2020-11", "2020-12", "2021-01")),
        ("2020-02-29", "2020-02-29", "month", ("2020-02",)),
        ("2020-02-28", "2020-03-01", "weekday", ("Friday", "Saturday", "Sunday")),
        # A Sunday and the Monday after it: Monday is printed first all the same.
        ("2020-03-01", "2020-03-02", "weekday", ("Monday", "Sunday")),
        ("2020-03-05", "2020-03-11", "weekday", WEEKDAYS),
        ("2020-03-05", "2030-03-11", "weekday", WEEKDAYS),
        ("1969-12-31", "1970-01-01", "year", ("1969", "1970")),
    ],
)
def test_periods_are_called_and_ordered_by_time(
    first: str, last: str, period: Period, expected: tuple[str, ...]
) -> None:
    assert period_labels(span(first, last), period) == expected


@given(first=DAYS, days=st.integers(0, 3_000), period=st.sampled_from(PERIODS))
def test_every_period_of_the_span_is_a_group_and_no_other(
    first: date, days: int, period: Period
) -> None:
    column = DateColumn("day", first, first + timedelta(days))
    assert list(period_labels(column, period)) == periods(first, first + timedelta(days), period)


def test_the_longest_span_has_a_group_for_each_of_its_months() -> None:
    labels = period_labels(span("1800-01-01", "2000-01-01"), "month")
    assert (len(labels), labels[0], labels[-1]) == (2_401, "1800-01", "2000-01")


@pytest.mark.parametrize("period", PERIODS)
def test_without_a_first_and_last_day_there_are_no_periods_yet(period: Period) -> None:
    whole = span("2020-01-01", "2020-12-31")
    for column in (
        DateColumn("day"),
        DateColumn("day", last=whole.last),
        DateColumn("day", first=whole.last, last=whole.first),
        CategoryColumn("day", ("a",)),
        NumberColumn("day"),
    ):
        assert labels_of(Periods("day", period), column) == ()
    assert labels_of(Periods("day", period), whole)
    assert (
        labels_of(Bins("day", ()), whole) == labels_of(Bins("day", ()), NumberColumn("day")) == ()
    )


@given(drafts())
def test_a_study_that_is_half_declared_is_checked_like_any_other(study: Study) -> None:
    assert check(study) == check(study_from_bytes(study_to_bytes(study)))


def test_a_grouping_stands_in_the_question_by_its_period() -> None:
    asked = Study(queries=(Query("q", by=("sex", Periods("day", "quarter"))),))
    text = canonical(study_to_members(asked))
    assert '"by":["sex",{"column":"day","period":"quarter"}]' in text


@pytest.mark.parametrize(
    ("format", "short"),
    [
        ("DD.MM.YY", True),
        ("d/m/yy", True),
        ("%d.%m.%y", True),
        ("TT.MM.JJ", True),
        ("dd-MMM-yy", True),
        ("YYMMDD", True),
        ("DD.MM.YYYY", False),
        ("TT.MM.JJJJ", False),
        ("JJ/MM/AAAA", False),
        ("%d.%m.%Y", False),
        ("", False),
    ],
)
def test_a_two_digit_year_is_recognised_in_any_notation(format: str, short: bool) -> None:
    assert has_short_year(format) is short
