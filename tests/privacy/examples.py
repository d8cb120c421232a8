# SPDX-License-Identifier: Apache-2.0
"""A study that the tests of the mechanism logic share: stays in a hospital."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, NumberColumn, YesNoColumn
from dpdesk.study.model.conditions import Between, IsIn, IsMissing
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import ColumnParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit

STAY = NumberColumn("stay", Decimal(1), Decimal(14), Decimal(1), label="days")
WEIGHT = NumberColumn("weight", Decimal("0.5"), Decimal("250.5"), Decimal("0.1"), label="kg")
SEX = CategoryColumn("sex", values=("Female", "Male"))
WARD = CategoryColumn("ward", values=("A", "B", "C"), unknown="category")
DEAD = YesNoColumn("dead", yes=("1",), no=("0",), missing="category")

PERSON = Unit("patient", max_rows=3)
REPLACED = Unit("patient", max_rows=3, neighbours="change-one", people=500)

TENTH = Epsilon.of("0.1")
ROWS = Query("rows", epsilon=TENTH)
PEOPLE = Query("people", "count-people", by=("ward",), epsilon=TENTH)
TOTAL = Query("total", "sum", ColumnParameters("weight"), by=("sex",), epsilon=TENTH)
MEAN = Query(
    "mean",
    "mean",
    ColumnParameters("stay"),
    by=("sex", "dead"),
    epsilon=Epsilon.of("0.2"),
    expected=700,
)
FILTERED = Query(
    "filtered",
    by=("sex",),
    where=(
        IsIn("ward", ("B", "A")),
        Between("weight", Decimal(50), Decimal("80.5")),
        IsMissing("dead", False),
    ),
    epsilon=TENTH,
)

STUDY = Study(
    title="Stays",
    data=DataSource("stays.csv", missing=("?", "n/a")),
    unit=PERSON,
    budget=Budget("registry", Epsilon.of("1")),
    columns=(STAY, WEIGHT, SEX, WARD, DEAD),
    queries=(ROWS, PEOPLE, TOTAL, MEAN, FILTERED),
)


def asking(query: Query, study: Study = STUDY, **members: Any) -> Study:
    """The study with one query alone."""
    return replace(study, queries=(query.having(**members),))
