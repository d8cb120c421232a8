# SPDX-License-Identifier: Apache-2.0
"""A study about a later period: what moves, by how much, and what two studies have in common."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from dpdesk.privacy import compiler
from dpdesk.release.ledger.spending.instalments import price_of
from dpdesk.study.json.study_files import load_study
from dpdesk.study.model.columns import DateColumn, NumberColumn, Replace
from dpdesk.study.model.conditions import DateBetween
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Periods
from dpdesk.study.model.periods import Period
from dpdesk.study.model.queries import GroupComparison, Query
from dpdesk.study.model.steps.step import OfPerson, TimeBetween
from dpdesk.study.reuse.moved_periods import (
    at_any_time,
    moved,
    moved_day,
    moved_study,
    period_differences,
    periods_by_column,
    periods_of,
    proposed_to_move,
)
from tests.golden.making import STUDIES
from tests.release.studies import STUDY, TENTH

MAY = DateBetween("admitted", date(2025, 5, 1), date(2025, 5, 31))
NEXT_MAY = DateBetween("admitted", date(2026, 5, 1), date(2026, 5, 31))
ADMITTED = DateColumn(
    "admitted", date(2025, 1, 1), date(2025, 12, 31), missing=Replace("2025-03-02")
)
BORN = DateColumn("born", date(1900, 1, 1), date(2025, 12, 31), "DD.MM.YYYY")
AGE = NumberColumn("age", made_from=TimeBetween(("born", date(2025, 12, 31)), "years"))
EVER = NumberColumn("may", made_from=OfPerson("count", where=(MAY,)))
BY_MONTH = Query("by-month", epsilon=TENTH).having(
    statistic="share",
    by=(Periods("admitted", "month"),),
    comparisons=(GroupComparison("admitted", reference="2025-02"),),
    where=(MAY,),
    has=(MAY,),
)
YEAR = replace(STUDY, columns=(ADMITTED, BORN, AGE, EVER), queries=(BY_MONTH,))


def all_of(study: Study) -> frozenset[Any]:
    return frozenset(periods_of(study))


def test_every_declared_day_moves_with_its_column() -> None:
    which = {one for one in periods_of(YEAR) if one.column == "admitted"}
    later = moved_study(YEAR, 12, which)
    admitted, born, age, ever = later.columns
    assert isinstance(admitted, DateColumn)
    assert (admitted.first, admitted.last) == (date(2026, 1, 1), date(2026, 12, 31))
    assert admitted.missing == Replace("2026-03-02")
    assert (born, age) == (BORN, AGE), "what is not chosen stays, a day beside births, too"
    assert ever.made_from == OfPerson("count", where=(NEXT_MAY,))
    (query,) = later.queries
    assert query.where == query.members["has"] == (NEXT_MAY,)
    assert query.comparisons == (GroupComparison("admitted", reference="2026-02"),)
    assert moved_study(later, -12, all_of(later) - all_of(YEAR)) == YEAR
    whole = moved_study(YEAR, 12, all_of(YEAR)).columns[2].made_from
    assert whole == TimeBetween(("born", date(2026, 12, 31)), "years")
    assert moved_study(YEAR, 12, frozenset()) == YEAR
    assert moved(STUDY, 12, all_of(STUDY)) is STUDY, "nothing to move"
    assert {name: len(own) for name, own in periods_by_column(YEAR).items()} == {
        **{"admitted": 2, "born": 2}
    }
    assert proposed_to_move(YEAR) == ("admitted",), "days of birth are no report's period"


def test_months_end_where_months_end() -> None:
    assert moved_day(date(2024, 2, 29), 12) == date(2025, 2, 28)
    assert moved_day(date(2025, 11, 30), 1) == date(2025, 12, 31)
    assert moved_day(date(2025, 1, 15), -1) == date(2024, 12, 15)
    for day, months in ((date(2500, 1, 1), 12), (date(1800, 1, 1), -1)):
        with pytest.raises(ValueError, match="beyond"):
            moved_day(day, months)


def span(first: date, last: date) -> Study:
    return replace(YEAR, columns=(replace(ADMITTED, first=first, last=last),), queries=())


def test_a_period_of_another_length_is_another_one() -> None:
    year, shorter = span(date(2025, 1, 1), date(2025, 12, 31)), date(2026, 12, 30)
    leap = span(date(2024, 2, 1), date(2024, 2, 29)), span(date(2026, 2, 1), date(2026, 2, 28))
    assert at_any_time(leap[0])[1] == at_any_time(leap[1])[1]
    for other in (span(date(2026, 1, 1), shorter), span(date(2026, 1, 2), date(2026, 12, 31))):
        assert period_differences(year, other) is None
        assert at_any_time(year)[1] != at_any_time(other)[1]


def test_what_differs_is_found_where_all_of_it_is_later_by_as_much() -> None:
    short = {one for one in periods_of(YEAR) if one.column == "admitted"}
    later = moved_study(YEAR, 12, short)
    found = period_differences(YEAR, later)
    assert found is not None and found[0] == 12
    assert {pair.before for pair in found[1]} == short
    assert period_differences(later, YEAR) == (
        -12,
        tuple(replace(pair, before=pair.now, now=pair.before) for pair in found[1]),
    )
    assert period_differences(YEAR, YEAR) is None
    (condition,) = (one for one in short if one.what == "condition")
    further = moved_study(later, 1, {replace(condition, first=NEXT_MAY.first, last=NEXT_MAY.last)})
    assert period_differences(YEAR, further) is None, "one is later by thirteen months"
    assert at_any_time(YEAR)[1] == at_any_time(further)[1], "a series lets each of them move"
    assert period_differences(YEAR, replace(YEAR, columns=())) is None
    gone = replace(YEAR, columns=(replace(ADMITTED, first=date(1800, 1, 1)), *YEAR.columns[1:]))
    assert period_differences(moved_study(YEAR, 12, short), gone) is None


@pytest.mark.parametrize("path", sorted(STUDIES.glob("*.dpdesk")), ids=lambda path: path.stem)
def test_no_price_depends_on_when_a_period_is(path: Any) -> None:
    """The reservation of a series covers each later instalment, whatever statistic it asks for."""
    study = load_study(path).study
    assert price_of(compiler.compile(moved_study(study, 12, all_of(study)))) == price_of(
        compiler.compile(study)
    )


def priced(period: Period, months: int, days: tuple[date, date]) -> str:
    column = DateColumn("admitted", *days)
    query = Query("q", "count", by=(Periods("admitted", period),), epsilon=TENTH)
    study = replace(STUDY, columns=(column,), queries=(query,))
    return price_of(compiler.compile(moved_study(study, months, all_of(study)))).questions


def test_a_move_that_makes_other_groups_is_another_question() -> None:
    year, quarter = (date(2025, 1, 1), date(2025, 12, 31)), (date(2025, 1, 1), date(2025, 3, 31))
    assert priced("month", 0, year) == priced("month", 1, year) == priced("month", 12, year)
    shorter = date(2025, 1, 1), date(2025, 12, 30)
    assert priced("month", 0, year) != priced("month", 0, shorter)
    assert priced("year", 0, year) == priced("year", 12, year) != priced("year", 6, year)
    assert priced("quarter", 0, quarter) == priced("quarter", 3, quarter)
    assert priced("quarter", 0, quarter) != priced("quarter", 1, quarter)
    days = date(2025, 1, 6), date(2025, 1, 8)
    assert priced("weekday", 0, days) != priced("weekday", 1, days), "Monday is no Thursday"
