# SPDX-License-Identifier: Apache-2.0
"""How many rows count is public where no cell, whatever it holds, can leave its row out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from decimal import Decimal
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from dpdesk.data.encode import encode
from dpdesk.privacy.question import Question
from dpdesk.study.model.columns import (
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    Replace,
    YesNoColumn,
    keeps_every_row,
)
from dpdesk.study.model.conditions import DateBetween, IsMissing
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Periods
from dpdesk.study.model.parameters import PropertyParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.tables import FurtherTable
from dpdesk.study.model.unit import DataSource, Unit

DAY = DateColumn("a", date(2020, 1, 1), date(2020, 12, 31))
NUMBER = NumberColumn("a", Decimal(0), Decimal(9), Decimal(1))
CELLS = ("", "?", "2020-06-01", "1999-12-31", "2021-01-01", "soon", "4", "-1", "99", "yes", "no")
UNIT = Unit(neighbours="change-one", people=len(CELLS))
SPRING = DateBetween("a", date(2020, 3, 1), date(2020, 5, 31))


def ruled(column: DateColumn | NumberColumn, constant: Any) -> Iterator[Column]:
    rules: tuple[Any, ...] = ("drop", "category", Replace(constant))
    for missing, unparsable, outside in product(rules, rules, ("clamp", *rules)):
        yield replace(column, missing=missing, unparsable=unparsable, outside=outside)


def listed(column: CategoryColumn | YesNoColumn) -> Iterator[Column]:
    rules: tuple[Any, ...] = ("drop", "clamp", "category", Replace("yes"))
    for missing, unknown in product(rules, rules):
        yield replace(column, missing=missing, unknown=unknown)


COLUMNS = (
    *ruled(DAY, "2020-05-05"),
    *ruled(NUMBER, Decimal(3)),
    *listed(CategoryColumn("a", ("yes", "4"))),
    *listed(YesNoColumn("a", ("yes",), ("no",))),
)


@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.in_turn(4)
def test_a_column_keeps_every_row_where_its_rules_keep_the_oddest(
    column: Column, tmp_path: Path
) -> None:
    (tmp_path / "t.csv").write_text("a,b\n" + "".join(f"{cell},\n" for cell in CELLS))
    study = Study(data=DataSource("t.csv", missing=("?",)), unit=UNIT, columns=(column,))
    codes = encode(study, tmp_path).column("a").counted()
    assert len(codes) == len(CELLS)
    assert keeps_every_row(column) == bool((codes >= 0).all())


def public_rows(column: Column, query: Query, unit: Unit = UNIT) -> int | None:
    study = Study(data=DataSource("t.csv"), unit=unit, columns=(column,), queries=(query,))
    return Question.of(study, unit, query).public_rows


KEPT = replace(DAY, missing=Replace("2020-01-01"), unparsable=Replace("2020-01-01"))
KEPT = replace(KEPT, outside="clamp")
SHARE = Query("q", "share", PropertyParameters(has=(SPRING,)))


@pytest.mark.parametrize(
    ("column", "query", "expected"),
    [
        (KEPT, SHARE, len(CELLS)),
        (replace(KEPT, missing="drop"), SHARE, None),
        (replace(KEPT, unparsable="drop"), SHARE, None),
        (replace(KEPT, outside="drop"), SHARE, None),
        (DAY, SHARE.having(has=(IsMissing("a"),)), len(CELLS)),
        (KEPT, replace(SHARE, where=(SPRING,)), None),
        (KEPT, replace(SHARE, by=(Periods("a", "month"),)), None),
    ],
)
def test_a_share_of_days_stands_on_a_public_number_where_no_day_is_left_out(
    column: Column, query: Query, expected: int | None
) -> None:
    assert public_rows(column, query) == expected
    assert public_rows(column, query, replace(UNIT, neighbours="add-remove", people=None)) is None
    assert public_rows(column, query, replace(UNIT, max_rows=2)) is None


COUNT = Query("q", "count")


def test_rows_are_not_as_many_as_people_where_somebody_may_be_in_another_table_alone() -> None:
    study = Study(data=DataSource("t.csv"), unit=UNIT, queries=(COUNT,))
    assert Question.of(study, UNIT, COUNT).public_rows == len(CELLS)
    labs = FurtherTable("labs", DataSource("labs.csv"), "id")
    assert Question.of(replace(study, tables=(labs,)), UNIT, COUNT).public_rows is None


def test_who_has_no_id_is_one_of_the_people_and_in_no_table_of_theirs() -> None:
    """So as many as are public are in it only where rows without an id are dropped."""
    people = COUNT.having(of="people")
    unit = replace(UNIT, person="b")
    assert public_rows(KEPT, people, unit) == len(CELLS)
    assert public_rows(KEPT, people, replace(unit, without_id="one-person")) is None
