# SPDX-License-Identifier: Apache-2.0
"""Queries are offered the columns that have a value for each row of the main table."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest

from dpdesk.desk.core.edits import query_edits, study_edits
from dpdesk.desk.pages.queries.sentence.choice_pickers import (
    ColumnPicker,
    ConditionPicker,
    GroupPicker,
    Picker,
)
from dpdesk.desk.widgets.inputs.choice_popup import Choice
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.tables import FurtherTable
from dpdesk.study.model.unit import DataSource, Unit
from dpdesk.study.reuse.first_queries import first_queries


def number(name: str, table: str = "") -> NumberColumn:
    return NumberColumn(name, lower=Decimal(0), upper=Decimal(9), step=Decimal(1), table=table)


STUDY = Study(
    data=DataSource("stays.csv"),
    unit=Unit("id", 2),
    tables=(
        FurtherTable("labs", DataSource("labs.csv"), "id"),
        FurtherTable("patients", DataSource("patients.csv"), "id", rows="one-per-person"),
    ),
    columns=(
        number("value", "labs"),
        CategoryColumn("method", ("a", "b"), table="labs"),
        number("days"),
        CategoryColumn("sex", ("f", "m"), table="patients"),
    ),
)
MEAN = Query("mean").having(statistic="mean", column="days")


class Asked:
    """Stands where a chip would open its list, and keeps what is offered."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def offer(self, choices: list[Choice], _now: str, _then: object) -> None:
        self.names = [choice.key for choice in choices]


PICKERS: dict[str, Callable[[Query], Picker]] = {
    "column": lambda query: ColumnPicker(STUDY, query, lambda _query: None),
    "condition": lambda query: ConditionPicker(STUDY, query, lambda _query: None, "where", 0),
    "group": lambda query: GroupPicker(STUDY, query, lambda _query: None, 0),
}


@pytest.mark.parametrize("kind", PICKERS)
def test_a_column_of_a_table_with_many_rows_is_not_offered(kind: str) -> None:
    at = Asked()
    PICKERS[kind](MEAN).open(at)  # type: ignore[arg-type]
    offered = " ".join(at.names)
    assert "value" not in offered and "method" not in offered
    assert "days" in offered
    assert ("sex" in offered) is (kind != "column")


def test_a_query_begins_with_a_column_of_the_main_table() -> None:
    assert study_edits.first_number(STUDY, "mean") == "days"
    assert query_edits.first_column(STUDY, Query(""), "mean") == "days"
    (one,) = query_edits.first_property(STUDY)
    assert one.column == "sex"


def test_no_column_of_a_table_with_many_rows_is_in_a_first_query() -> None:
    names = {name for query in first_queries(STUDY) for name in query.names}
    assert names == {"days", "sex"}
