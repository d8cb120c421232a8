# SPDX-License-Identifier: Apache-2.0
"""The marks below the handle: remembered for a query's shares, forgotten with its declarations."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from dpdesk.desk.pages.queries.accuracy import accuracy_marks
from dpdesk.desk.pages.queries.accuracy.accuracy_marks import AccuracyMarks
from dpdesk.desk.widgets.inputs.accuracy_handle import ScaleMark
from dpdesk.privacy.compiler import compile_query
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from tests.release.studies import STUDY

SUM = Query("sum").having(statistic="sum", column="days", epsilon=Epsilon.of("0.2"))


def marks_of(marks: AccuracyMarks, study: Study, query: Query) -> list[ScaleMark | None]:
    return list(marks.between(study, query, None, 10_000, 1_000_000, (250_000,), "epsilon"))


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[Query]:
    """The queries that are compiled for marks."""
    queries: list[Query] = []
    real = compile_query

    def note(study: Study, query: Query) -> object:
        queries.append(query)
        return real(study, query)

    monkeypatch.setattr(accuracy_marks, "compile_query", note)
    return queries


def with_share(epsilon: str) -> tuple[Study, Query]:
    query = replace(SUM, epsilon=Epsilon.of(epsilon), title="Named")
    return replace(STUDY, queries=(query,)), query


def test_another_share_or_title_has_the_same_marks_at_no_cost(compiled: list[Query]) -> None:
    marks = AccuracyMarks()
    first = marks_of(marks, STUDY, SUM)
    assert len(compiled) == len(first) > 5 and None not in first
    assert marks_of(marks, *with_share("0.3")) == first
    assert len(compiled) == len(first)


def test_the_mark_of_its_own_share_is_the_plan_that_there_is(compiled: list[Query]) -> None:
    plan = compile_query(STUDY, SUM)
    own = list(AccuracyMarks().between(STUDY, SUM, plan, 10_000, 1_000_000, (200_000,), "epsilon"))
    assert SUM.epsilon not in {query.epsilon for query in compiled}
    assert [mark.units for mark in own if mark is not None].count(200_000) == 1


def test_other_declarations_have_other_marks() -> None:
    marks = AccuracyMarks()
    first = marks_of(marks, STUDY, SUM)
    columns = tuple(
        replace(column, upper=(column.upper or 0) * Decimal(10))
        if isinstance(column, NumberColumn)
        else column
        for column in STUDY.columns
    )
    wider = replace(STUDY, columns=columns)
    assert marks_of(marks, wider, SUM) == marks_of(AccuracyMarks(), wider, SUM) != first


def test_another_query_has_marks_of_its_own() -> None:
    marks = AccuracyMarks()
    first = marks_of(marks, STUDY, SUM)
    other = STUDY.queries[0]
    assert marks_of(marks, STUDY, other) == marks_of(AccuracyMarks(), STUDY, other) != first
