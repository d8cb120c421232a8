# SPDX-License-Identifier: Apache-2.0
"""A codebook against a study; what is accepted, and what never is."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from dpdesk.data.codebook.change import Change
from dpdesk.data.codebook.diff import accept, diff, named, offered
from dpdesk.data.codebook.entry import Codebook, CodebookEntry
from dpdesk.data.codebook.read import read_codebook
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.json.study_writer import study_to_bytes
from dpdesk.study.limits import MAX_COLUMNS
from dpdesk.study.model.columns import CategoryColumn, NumberColumn, Origin, Replace, YesNoColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.steps.step import Bands
from dpdesk.study.model.unit import DataSource, Unit
from dpdesk.study.problem import Refused
from tests.data.codebook.written import book

CODEBOOK = """name,type,min,max,values,label,unit,missing,identifier
age,integer,0,120,,Age,years,-9,
ward,category,,,A | B | C,Ward,,,
stay,integer,1,90,,,days,,
dead,category,,,J | N,,,,
text,string,,,,Text,,,
pid,integer,,,,,,,
surname,string,,,,,,,
code,integer,1,5,,,,,yes
gone,integer,1,5,,,,,
free,free text,,,,,,,
"""
HEADER = ("pid", "age", "ward", "stay", "dead", "text", "surname", "code", "free", "old")
STAY = NumberColumn(
    "stay", Decimal(1), Decimal(90), Decimal(1), label="days", outside=Replace(Decimal(7))
)
STUDY = Study(
    data=DataSource("absent.csv", missing=("NA",)),
    unit=Unit("pid", 3),
    columns=(
        STAY,
        CategoryColumn("ward", ("A", "B"), missing="category", title="Station", basis="me"),
        YesNoColumn("dead", ("J",), ("N",)),
        CategoryColumn("text", ("x", "y"), title="Text"),
        CategoryColumn("old", ("x",)),
    ),
    queries=(Query("n", "count", by=("ward",)),),
)


@pytest.fixture
def changes(tmp_path: Path) -> dict[str, Change]:
    found = book(tmp_path, CODEBOOK, "book.csv")
    return {change.name: change for change in diff(STUDY, found, HEADER)}


def test_each_variable_has_its_state(changes: dict[str, Change]) -> None:
    assert {name: change.state for name, change in changes.items()} == {
        "age": "new",
        "ward": "differs",
        "stay": "same",
        "dead": "same",
        "text": "same",
        "pid": "person",
        "surname": "new",
        "code": "new",
        "gone": "not-in-file",
        "free": "nothing-proposed",
        "old": "not-in-codebook",
    }
    assert {name for name, change in changes.items() if change.identifier} == {"surname", "code"}


def test_a_difference_is_reported_member_by_member(changes: dict[str, Change]) -> None:
    members = [(m.field, m.declared, m.proposed) for m in changes["ward"].members]
    assert members == [("title", "Station", "Ward"), ("values", ("A", "B"), ("A", "B", "C"))]
    said = {m.field: m.proposed for m in changes["age"].members}
    assert said["kind"] == "number"
    assert said["missing_values"] == ("-9",)
    assert (said["lower"], said["upper"], said["step"]) == (0, 120, 1)
    assert all(m.declared is None for m in changes["age"].members)


def test_nothing_applies_by_itself(changes: dict[str, Change]) -> None:
    assert accept(STUDY, ()) == STUDY
    assert [change.name for change in offered(changes.values())] == ["age", "ward"]


def test_what_is_accepted_stands_in_the_study(changes: dict[str, Change]) -> None:
    after = accept(STUDY, offered(changes.values()))
    assert [column.name for column in after.columns] == [
        "stay", "ward", "dead", "text", "old", "age",
    ]  # fmt: skip
    ward, age = after.column("ward"), after.column("age")
    assert isinstance(ward, CategoryColumn)
    assert ward == CategoryColumn(
        "ward", ("A", "B", "C"), "category", title="Ward", origin=Origin("plain")
    )
    assert age == NumberColumn(
        "age", Decimal(0), Decimal(120), Decimal(1), title="Age", label="years",
        origin=Origin("plain"), missing_values=("-9",),
    )  # fmt: skip
    assert replace(after, columns=()) == replace(STUDY, columns=())
    assert study_from_bytes(study_to_bytes(after)) == after


def test_what_names_a_person_is_taken_over_by_name_alone(changes: dict[str, Change]) -> None:
    after = accept(STUDY, named(changes.values(), ["code", "code"]))
    assert after.column("code") is not None
    assert len(after.columns) == len(STUDY.columns) + 1


@pytest.mark.parametrize("name", ["stay", "pid", "gone", "free", "old"])
def test_what_is_not_offered_is_refused(changes: dict[str, Change], name: str) -> None:
    with pytest.raises(Refused) as refused:
        accept(STUDY, [changes[name]])
    (problem,) = refused.value.problems
    assert (problem.code, problem.params) == ("codebook-not-offered", {"name": name})


def test_a_study_that_changed_meanwhile_is_left_alone(changes: dict[str, Change]) -> None:
    moved = replace(STUDY, columns=(replace(STUDY.columns[1], title="Other"),))
    with pytest.raises(Refused) as refused:
        accept(moved, [changes["ward"]])
    assert refused.value.problems[0].code == "codebook-study-changed"
    once = accept(STUDY, [changes["age"]])
    with pytest.raises(Refused) as refused:
        accept(once, [changes["age"]])
    assert refused.value.problems[0].code == "codebook-study-changed"


def test_a_name_that_is_nowhere_is_refused(changes: dict[str, Change]) -> None:
    with pytest.raises(Refused) as refused:
        named(changes.values(), ["age", "x1", "x2"])
    assert [p.params["name"] for p in refused.value.problems] == ["x1", "x2"]


def test_too_many_columns_are_refused(tmp_path: Path) -> None:
    rows = "".join(f"v{i},integer,0,9\n" for i in range(MAX_COLUMNS + 1))
    found = book(tmp_path, "name,type,min,max\n" + rows)
    everything = diff(Study(), found, None)
    assert len(accept(Study(), everything[:MAX_COLUMNS]).columns) == MAX_COLUMNS
    with pytest.raises(Refused) as refused:
        accept(Study(), everything)
    assert refused.value.problems[0].code == "codebook-too-many-columns"


def test_another_kind_is_reported_and_keeps_the_title(tmp_path: Path) -> None:
    study = Study(columns=(CategoryColumn("stay", ("1", "2"), title="Stay"),))
    (change,) = diff(study, book(tmp_path, "name,type,min,max\nstay,integer,1,9\n"), None)
    assert change.state == "differs"
    assert change.members[0].field == "kind"
    assert (change.members[0].declared, change.members[0].proposed) == ("category", "number")
    after = accept(study, [change]).column("stay")
    assert after is not None
    assert (after.kind, after.title) == ("number", "Stay")


def test_markers_that_the_study_has_are_not_repeated(tmp_path: Path) -> None:
    codebook = {"fields": [{"name": "a", "type": "integer"}], "missingValues": ["", "NA", "-1"]}
    study = replace(STUDY, columns=(NumberColumn("a", missing_values=("-7",), step=Decimal(1)),))
    (change,) = diff(study, book(tmp_path, codebook), None)
    assert [(m.field, m.proposed) for m in change.members] == [("missing_values", ("-7", "-1"))]


def test_a_header_is_compared_as_files_are_read(tmp_path: Path) -> None:
    codebook = "name,type,min,max\nGro\u0308\u00dfe  cm,integer,1,9\n"
    (change,) = diff(Study(), book(tmp_path, codebook), ("Gr\u00f6\u00dfe cm",))
    assert change.state == "new"


_OPENED: list[str] = []
_WATCHED: list[bool] = []


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    if _WATCHED and event == "open":
        _OPENED.append(os.fspath(str(arguments[0])))


def test_no_data_is_opened(tmp_path: Path) -> None:
    """Import, comparison and acceptance open the codebook and nothing else."""
    data = tmp_path / "absent.csv"
    data.write_text("pid,age\nMrs Secret,41\n", encoding="utf-8")
    path = tmp_path / "book.csv"
    path.write_text(CODEBOOK, encoding="utf-8")
    sys.addaudithook(_watch)
    _WATCHED.append(True)
    try:
        found = read_codebook(path)
        changes = diff(STUDY, found, ("pid", "age"))
        accept(STUDY, offered(changes))
    finally:
        _WATCHED.clear()
    assert {name for name in _OPENED if name.startswith(str(tmp_path))} == {str(path)}
    assert "Secret" not in repr((found, changes))


def test_a_name_from_elsewhere_leaves_the_source_of_the_bounds() -> None:
    """It is published: who imports a name alone has not taken the bounds from the codebook."""
    column = NumberColumn("age", Decimal(0), Decimal(120), title="Age", basis="the protocol")
    study = replace(STUDY, columns=(column,))
    entry = CodebookEntry("age", None, title="Age at admission", basis="Codebook")
    (change,) = diff(study, Codebook("plain", (entry,), "Codebook"), ("age",))
    assert change.state == "differs" and change.proposed is not None
    assert (change.proposed.title, change.proposed.basis) == ("Age at admission", "the protocol")


def test_a_codebook_leaves_a_derived_column_as_it_is_made() -> None:
    """Of another kind it would become a column of the file without a word."""
    made = replace(STAY, made_from=Bands("age", (Decimal(18),)))
    study = replace(STUDY, columns=(made,))
    entry = CodebookEntry("stay", CategoryColumn("stay", ("a",)), said=("values",))
    for header in (None, ("stay",)):
        (change,) = diff(study, Codebook("plain", (entry,), "Codebook"), header)
        assert not change.is_offered
    assert diff(study, Codebook("plain", (), "Codebook"), None) == (), "it is in no file"
