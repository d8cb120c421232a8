# SPDX-License-Identifier: Apache-2.0
"""Derived columns of a codebook: offered where they can be made, and taken with what they need."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from dpdesk.data.codebook.change import Change
from dpdesk.data.codebook.diff import accept, diff
from dpdesk.data.codebook.read import read_codebook
from dpdesk.data.codebook.recipe_changes import operand_problems
from dpdesk.data.codebook.write import schema_to_bytes, table_schema
from dpdesk.study import limits
from dpdesk.study.model.columns import CategoryColumn, Column, DateColumn, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.steps.step import (
    Arithmetic,
    CodePrefix,
    DatePart,
    Operand,
    RecodeEntry,
    TimeBetween,
)
from dpdesk.study.model.unit import Unit
from dpdesk.study.problem import Refused

UNIT = Unit("patient", 3)
IN = DateColumn("admission", date(2020, 1, 1), date(2020, 12, 31))
OUT = replace(IN, name="discharge")
STAY = NumberColumn(
    "stay",
    Decimal(0),
    Decimal(60),
    Decimal(1),
    made_from=TimeBetween(("admission", "discharge"), "days"),
)
TWICE = replace(STAY, name="twice", made_from=Arithmetic("multiply", (Operand("stay"), Decimal(2))))
HEART = CategoryColumn(
    "chapter", ("heart",), made_from=CodePrefix("icd", (RecodeEntry("heart", ("I",)),))
)
BOTH = (IN, OUT, STAY, TWICE, HEART)


def changes(
    folder: Path, study: Study, columns: Iterable[Column], header: tuple[str, ...] | None = None
) -> dict[str, Change]:
    """What a codebook with these columns would change in a study."""
    path = folder / "schema.json"
    path.write_bytes(schema_to_bytes(table_schema(Study(columns=tuple(columns)))))
    return {change.name: change for change in diff(study, read_codebook(path), header)}


def test_all_are_offered_and_none_is_declared_by_itself(tmp_path: Path) -> None:
    study = Study(unit=UNIT)
    found = changes(tmp_path, study, BOTH, ("admission", "discharge", "icd"))
    assert [change.state for change in found.values()] == ["new"] * 5
    assert "made_from" in [member.field for member in found["stay"].members]
    assert accept(study, ()) == study
    after = accept(study, found.values())
    assert [column.made_from for column in after.columns] == [one.made_from for one in BOTH]
    again = changes(tmp_path, after, BOTH)
    assert {change.state for change in again.values()} == {"same"}


@pytest.mark.parametrize(
    ("name", "header", "operand"),
    [
        ("stay", ("admission", "icd"), "discharge"),
        ("twice", ("admission", "icd"), "stay"),
        ("chapter", ("admission", "discharge"), "icd"),
    ],
)
def test_one_whose_operand_is_not_here_says_which(
    tmp_path: Path, name: str, header: tuple[str, ...], operand: str
) -> None:
    found = changes(tmp_path, Study(), BOTH, header)[name]
    (note,) = found.notes
    assert (found.state, found.proposed) == ("nothing-proposed", None)
    assert (note.code, note.params) == ("codebook-operand-missing", {"operand": operand})


def test_a_declared_operand_serves_though_the_codebook_lacks_it(tmp_path: Path) -> None:
    study = Study(columns=(IN, OUT))
    found = changes(tmp_path, study, (STAY,))["stay"]
    assert accept(study, [found]).columns == (IN, OUT, found.proposed)


def test_one_is_not_taken_without_its_operand(tmp_path: Path) -> None:
    found = changes(tmp_path, Study(), BOTH)
    chosen = tuple(found[name] for name in ("admission", "stay"))
    (problem,) = operand_problems(Study(), chosen)
    assert problem.code == "codebook-operand-not-chosen"
    assert problem.params == {"name": "stay", "operand": "discharge"}
    with pytest.raises(Refused) as refused:
        accept(Study(), chosen)
    assert refused.value.problems == (problem,)


def test_what_the_checks_refuse_is_not_offered(tmp_path: Path) -> None:
    number = NumberColumn("admission", Decimal(0), Decimal(9), Decimal(1))
    wrong = changes(tmp_path, Study(columns=(number, OUT)), (STAY,))["stay"]
    assert [note.code for note in wrong.notes] == ["step-wants-date"]
    circle = replace(IN, name="seen", made_from=None)
    other = replace(STAY, name="a", made_from=Arithmetic("add", (Operand("stay"), Decimal(1))))
    again = replace(STAY, made_from=Arithmetic("add", (Operand("a"), Decimal(1))))
    found = changes(tmp_path, Study(columns=(circle, other)), (again,))["stay"]
    assert [note.code for note in found.notes] == ["step-circle"]


def test_an_operand_that_is_to_change_serves_once_it_is_chosen_too(tmp_path: Path) -> None:
    number = NumberColumn("admission", Decimal(0), Decimal(9), Decimal(1))
    study = Study(columns=(number, OUT))
    found = changes(tmp_path, study, (IN, OUT, STAY))
    assert (found["admission"].state, found["stay"].state) == ("differs", "new")
    (problem,) = operand_problems(study, (found["stay"],))
    assert problem.code == "step-wants-date"
    chosen = (found["admission"], found["stay"])
    assert accept(study, chosen).columns[2].made_from == STAY.made_from


@pytest.mark.parametrize("declared", [Study(unit=UNIT), Study(columns=(IN,))])
def test_no_column_of_the_file_becomes_a_derived_one(tmp_path: Path, declared: Study) -> None:
    name = declared.columns[0].name if declared.columns else UNIT.person or ""
    year = replace(STAY, name=name, made_from=DatePart("year", "discharge"))
    for header in ((name, "discharge"), None):
        found = changes(tmp_path, declared, (OUT, year), header)[name]
        assert [note.code for note in found.notes] == ["codebook-recipe-taken"]


def test_another_recipe_is_a_change(tmp_path: Path) -> None:
    study = Study(columns=(IN, OUT, STAY))
    weeks = replace(STAY, made_from=TimeBetween(("admission", "discharge"), "weeks"))
    found = changes(tmp_path, study, (weeks,))["stay"]
    assert (found.state, [m.field for m in found.members]) == ("differs", ["made_from"])


def test_a_long_chain_the_wrong_way_round_is_compared(tmp_path: Path) -> None:
    """Python's stack ended, also where a study file had it."""
    count = limits.MAX_COLUMNS // 2
    chain = [
        replace(STAY, name=f"c{i}", made_from=Arithmetic("add", (Operand(f"c{i + 1}"), Decimal(0))))
        for i in range(count)
    ]
    last = replace(STAY, name=f"c{count}")
    found = changes(tmp_path, Study(columns=(IN, OUT)), (*chain, last))
    assert {change.state for change in found.values()} == {"new", "not-in-codebook"}
