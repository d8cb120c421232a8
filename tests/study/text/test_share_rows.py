# SPDX-License-Identifier: Apache-2.0
"""Which rows a share is of, held against the rows that the encoder leaves out."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from dpdesk.catalogue import read_catalogue
from dpdesk.study.model.columns import (
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    YesNoColumn,
)
from dpdesk.study.model.conditions import Between, IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import PropertyParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.text.language import language_of
from dpdesk.study.text.share_rows import rows_of_share

LISTED = CategoryColumn("icd", title="Diagnosis", values=("E11", "I10"))
ANSWER = YesNoColumn("again", title="Readmitted", yes=("y",), no=("n",))
AGE = NumberColumn("age", title="Age", lower=Decimal(0), upper=Decimal(110), step=Decimal(1))
DAY = DateColumn("day", title="Admission", first=date(2025, 1, 1), last=date(2025, 12, 31))


def share_of(*names: str) -> Query:
    has = tuple(
        Between(name, Decimal(1), Decimal(2)) if name == "age" else IsIn(name, ("E11",))
        for name in names
    )
    return Query("q", "share", parameters=PropertyParameters(has))


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        (LISTED, "a listed value of Diagnosis"),
        (replace(LISTED, unknown="category"), "a value in Diagnosis"),
        (ANSWER, "yes or no in Readmitted"),
        (replace(ANSWER, unknown="category"), "a value in Readmitted"),
        (AGE, "a number in Age"),
        (replace(AGE, outside="drop"), "a number within the bounds of Age"),
        (DAY, "a day within the period of Admission"),
        (replace(DAY, outside="clamp"), "a day in Admission"),
    ],
)
def test_a_share_says_which_rows_count(column: Column, cell: str) -> None:
    said = rows_of_share(Study(columns=(column,)), share_of(column.name))
    assert said == f"100 % are the rows with {cell}; other rows are left out."


def test_where_every_row_counts_nothing_is_said() -> None:
    whole = replace(LISTED, unknown="category", missing="category")
    assert rows_of_share(Study(columns=(whole,)), share_of("icd")) == ""
    assert rows_of_share(Study(columns=(LISTED,)), Query("q", "count")) == ""
    assert rows_of_share(Study(), share_of("icd")) == ""


def test_each_column_of_the_property_is_named_once_and_in_the_language() -> None:
    study = Study(columns=(LISTED, AGE))
    query = share_of("icd", "age", "icd")
    assert rows_of_share(study, query) == (
        "100 % are the rows with a listed value of Diagnosis and a number in Age; "
        "other rows are left out."
    )
    assert rows_of_share(study, query, language_of(read_catalogue("de"))) == (
        "100 % sind die Zeilen mit einem Wert aus der Liste von Diagnosis und einer Zahl in Age; "
        "andere Zeilen zählen nicht mit."
    )
