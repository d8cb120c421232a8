# SPDX-License-Identifier: Apache-2.0
"""Which rows a share leaves out, held against the rows that a release left out."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from itertools import product
from pathlib import Path

import pytest

from dpdesk.catalogue import read_catalogue
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import (
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    Replace,
    YesNoColumn,
)
from dpdesk.study.model.conditions import Between, Condition, DateBetween, IsIn, IsMissing
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import PropertyParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit
from dpdesk.study.text.missing_cells import missing_cells
from dpdesk.study.text.sentence_language import language_of
from dpdesk.study.text.share_rows import left_out_of_share
from tests.golden.making import ExactDoor
from tests.release.studies import release

LISTED = CategoryColumn("x", values=("E11", "I10"))
ANSWER = YesNoColumn("x", yes=("y",), no=("n",))
AGE = NumberColumn("x", lower=Decimal(0), upper=Decimal(110), step=Decimal(1))
DAY = DateColumn("x", first=date(2025, 1, 1), last=date(2025, 12, 31))
VALUE: dict[str, str] = {"category": "E11", "yes-no": "y", "number": "40", "date": "2025-05-05"}
"""What stands for another cell, and one that always counts."""
CELLS = {
    "category": {"has no value": "", "is not on its list": "Z99"},
    "yes-no": {"has no value": "", "is neither yes nor no": "perhaps"},
    "number": {"has no value": "", "is not a number": "old", "is outside its bounds": "500"},
    "date": {"has no value": "", "is not a date": "soon", "is outside its period": "1999-01-01"},
}
"""A cell for each reason."""
HAS: dict[str, Condition] = {
    "category": IsIn("x", ("E11",)),
    "yes-no": IsIn("x", ("y",)),
    "number": Between("x", Decimal(10), Decimal(50)),
    "date": DateBetween("x", date(2025, 2, 1), date(2025, 6, 1)),
}
RULES = {
    "category": [("missing", "unknown"), ("drop", "category", "replace")],
    "yes-no": [("missing", "unknown"), ("drop", "category", "replace")],
    "number": [("missing", "unparsable", "outside"), ("drop", "replace")],
    "date": [("missing", "unparsable", "outside"), ("drop", "replace")],
}
REPLACED = {"category": "E11", "yes-no": "y", "number": Decimal(40), "date": "2025-05-05"}


def ruled(column: Column) -> list[Column]:
    """The column with each choice of rules."""
    fields, choices = RULES[column.kind]
    found = []
    for chosen in product(choices, repeat=len(fields)):
        rules = {
            field: Replace(REPLACED[column.kind]) if rule == "replace" else rule
            for field, rule in zip(fields, chosen, strict=True)
        }
        found.append(replace(column, **rules))
    return found


def asking(column: Column, has: Condition | None = None) -> Study:
    return Study(
        data=DataSource(path="cells.csv", extract="cells"),
        unit=Unit(person="id", max_rows=1),
        budget=Budget("registry", Epsilon.of(90)),
        columns=(column,),
        queries=(
            Query(
                "q",
                "share",
                PropertyParameters((has or HAS[column.kind],)),
                epsilon=Epsilon.of(9),
            ),
        ),
    )


@pytest.mark.parametrize("column", [LISTED, ANSWER, AGE, DAY], ids=lambda column: column.kind)
@pytest.mark.in_turn(2)
def test_what_is_said_to_be_left_out_is_what_a_release_leaves_out(
    column: Column, tmp_path: Path
) -> None:
    of_value = [(own, asking(own)) for own in ruled(column)]
    # Of a column that is only asked whether it has a value, no rule leaves a row out.
    missing = [(column, asking(column, IsMissing("x", is_missing))) for is_missing in (True, False)]
    cells = {"": VALUE[column.kind], **CELLS[column.kind]}
    for number, (own, study) in enumerate([*of_value, *missing]):
        said = left_out_of_share(study, study.queries[0])
        assert number < len(of_value) or not said
        folder = tmp_path / str(number)
        folder.mkdir()
        for reason, cell in cells.items():
            place = folder / (reason or "value")
            place.mkdir()
            rows = "".join(f"p{row},{cell}\n" for row in range(7))
            (place / "cells.csv").write_text(f"id,x\n{rows}", encoding="utf-8")
            ledger = Ledger.open(Home.at(place / "home"))
            ledger.new_account("registry", Epsilon.of(100))
            table = release(study, place, ledger, ExactDoor()).stored.tables[0]
            parts = [p for p, one in enumerate(table.columns) if one.role == "part"]
            counted = sum(int(table.rows[0][part]) for part in parts)
            is_said = bool(reason) and f" {reason}" in said
            assert counted == (0 if is_said else 7), (own, reason, said)


def test_a_share_that_counts_every_row_says_nothing() -> None:
    whole = replace(LISTED, unknown="category", missing="category")
    query = asking(whole).queries[0]
    assert left_out_of_share(asking(whole), query) == ""
    assert left_out_of_share(asking(LISTED), Query("q", "count")) == ""
    assert left_out_of_share(Study(), query) == ""


def test_each_column_is_named_once_and_in_the_language() -> None:
    named = replace(LISTED, title="Diagnose", missing="category")
    study = replace(asking(named), columns=(named,))
    query = replace(study.queries[0], parameters=PropertyParameters((HAS["category"],) * 2))
    assert left_out_of_share(study, query) == (
        "Not counted in the 100 % are rows where Diagnose is not on its list."
    )
    assert left_out_of_share(study, query, language_of(read_catalogue("de"))) == (
        "Nicht zu den 100 % zählen Zeilen, bei denen gilt: Diagnose steht nicht auf der Liste."
    )


def test_a_share_of_some_rows_says_of_which() -> None:
    study = asking(LISTED)
    query = replace(study.queries[0], where=(IsIn("x", ("I10",)),))
    assert left_out_of_share(study, query).startswith(
        "The 100 % are the rows where x is I10; no others count. Not counted"
    )
    whole = asking(replace(LISTED, unknown="category", missing="category"))
    assert left_out_of_share(whole, query) == (
        "The 100 % are the rows where x is I10; no others count."
    )


@pytest.mark.parametrize("column", [LISTED, ANSWER, AGE, DAY], ids=lambda column: column.kind)
def test_what_becomes_of_unusable_cells_is_said_beside_a_figure(column: Column) -> None:
    notes = set()
    for own in ruled(column):
        study, query = asking(own), Query("q", "count", by=("x",))
        rules = [getattr(own, field) for field in RULES[own.kind][0]]
        said = missing_cells(study, query)
        assert ("Left out: rows without a usable value of x." in said) == ("drop" in rules)
        is_replaced = own.kind != "date" and any(isinstance(rule, Replace) for rule in rules[:2])
        first = isinstance(rules[0], Replace)
        assert ("counts as" in said) == (first if own.kind == "number" else is_replaced)
        notes.add(said)
    assert len(notes) > 1
    share = asking(column)
    assert missing_cells(share, share.queries[0]) == "", "left_out_of_share says it of a share"
    both = replace(LISTED, missing=Replace("E11"), unknown=Replace("E11"), title="Code")
    german = language_of(read_catalogue("de"))
    assert missing_cells(asking(both), Query("q", "count", by=("x",)), german) == (
        "Kein Wert oder einer, der nicht auf der Liste steht: Code zählt als „E11“."
    )
