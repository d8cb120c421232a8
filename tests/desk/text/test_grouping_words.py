# SPDX-License-Identifier: Apache-2.0
"""What a query's groupings are called in the window."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from dpdesk.desk.text import words
from dpdesk.desk.text.query_words import listed
from dpdesk.study.model.columns import CategoryColumn, DateColumn, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Bins, Grouping, Periods
from dpdesk.study.model.periods import PERIODS
from dpdesk.study.model.queries import Query
from dpdesk.study.model.statistics import STATISTICS

STUDY = Study(
    columns=(
        CategoryColumn("sex", ("f", "m"), title="sex"),
        NumberColumn("age", Decimal(0), Decimal(99), Decimal(1), title="Age"),
        DateColumn("admitted", date(2020, 1, 1), date(2020, 12, 31), title="Admission"),
    )
)


@pytest.mark.parametrize(
    ("by", "said"),
    [
        ((), ""),
        (("sex",), "sex"),
        ((Bins("age", (Decimal(18),)),), "age in bins from 18"),
        ((Periods("admitted", "month"),), "month of admission"),
        (("sex", Periods("admitted", "weekday")), "sex and weekday of admission"),
        ((Periods("gone", "year"),), "year of gone"),
    ],
)
def test_a_period_is_said_before_what_it_is_of(by: tuple[Grouping, ...], said: str) -> None:
    assert words.groups(STUDY, Query("q", by=by)) == said


def test_every_period_has_a_word_of_its_own() -> None:
    assert [words.period(period) for period in PERIODS] == list(PERIODS)


def test_every_statistic_stands_under_one_heading() -> None:
    assert sorted(key for keys in listed().values() for key in keys) == sorted(STATISTICS)
