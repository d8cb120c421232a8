# SPDX-License-Identifier: Apache-2.0
"""``dpdesk codebook``: the comparison printed, and taken over where that is asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.desk.codebook_files import write_sav
from tests.shell.hospital import Hospital

CODEBOOK = """variable,type,min,max,values,label,identifier
ward,category,,,A | B | C,Ward,
stay,integer,1,30,,Length of stay,
age,integer,18,120,,Age,
pid,integer,,,,,
note,free text,,,,,
"""


@pytest.fixture
def codebook(hospital: Hospital) -> Path:
    path = hospital.folder / "ward book.csv"
    path.write_text(CODEBOOK, encoding="utf-8")
    hospital.write_data("pid,ward,stay,age,note\n1,Mrs Secret,3,41,x\n")
    return path


def columns(hospital: Hospital) -> dict[str, Any]:
    members = json.loads(hospital.study.read_text(encoding="utf-8"))
    return {column["name"]: column for column in members["columns"]}


def test_the_comparison_is_printed_and_nothing_written(hospital: Hospital, codebook: Path) -> None:
    before = hospital.study.read_bytes()
    said = hospital.run("codebook", hospital.study, codebook)
    assert (said.status, said.err) == (0, "")
    assert said.out.splitlines() == [
        "Codebook, ward book.csv",
        "ward: differs",
        "  title: Ward",
        "  values: A, B -> A, B, C",
        "stay: differs",
        "  title: Length of stay",
        "  upper: 14 -> 30",
        "age: new",
        "  kind: number",
        "  title: Age",
        "  lower: 18",
        "  upper: 120",
        "  step: 1",
        "pid: person ID column",
        "note: nothing proposed, identifies people",
        "  This is free text, which no statistic counts.",
        "Nothing was imported; use --accept all, or --accept with names.",
    ]
    for option, what in (
        ("--of", "one; leave out --of."),
        ("--table", "leave out --table."),
        ("--catalogue", "Leave out --catalogue."),
    ):
        refused = hospital.run("codebook", hospital.study, codebook, option, "labs")
        assert refused.status == 1 and refused.err.strip().endswith(what)
    assert hospital.study.read_bytes() == before
    assert hospital.spent == "0"


def test_all_that_is_offered_is_taken_over(hospital: Hospital, codebook: Path) -> None:
    said = hospital.run("codebook", hospital.study, codebook, "--accept", "all")
    assert "Imported 3 columns into small.dpdesk." in said.out
    found = columns(hospital)
    assert list(found) == ["ward", "stay", "age"]
    assert found["ward"]["values"] == ["A", "B", "C"]
    assert (found["stay"]["lower"], found["stay"]["upper"]) == (1, 30)
    assert all(c["origin"] == {"codebook": "plain"} for c in found.values())
    assert hospital.run("plan", hospital.study).status == 0
    again = json.loads(hospital.run("codebook", hospital.study, codebook, "--json").out)
    assert [v["state"] for v in again["variables"]] == [
        "same", "same", "same", "person", "nothing-proposed",
    ]  # fmt: skip


def test_names_are_taken_over_alone(hospital: Hospital, codebook: Path) -> None:
    said = hospital.run("codebook", hospital.study, codebook, "--accept", "age", "--json")
    members = json.loads(said.out)
    assert members["accepted"] == ["age"]
    assert members["written"]
    assert columns(hospital)["stay"]["upper"] == 14
    assert columns(hospital)["age"]["upper"] == 120


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("pid", "The codebook offers nothing for “pid”; leave it out."),
        ("nobody", "The codebook has no variable “nobody”; check its spelling."),
    ],
)
def test_what_cannot_be_taken_over_changes_nothing(
    hospital: Hospital, codebook: Path, name: str, sentence: str
) -> None:
    before = hospital.study.read_bytes()
    said = hospital.run("codebook", hospital.study, codebook, "--accept", "age", name)
    assert (said.status, said.sentences) == (1, [sentence])
    assert hospital.study.read_bytes() == before


def test_the_declarations_are_written_and_read_back(hospital: Hospital) -> None:
    schema = hospital.folder / "schema.json"
    said = hospital.run("codebook", hospital.study, "--write", schema)
    assert said.out == "Exported the declarations to schema.json as a Table Schema.\n"
    fields = json.loads(schema.read_text(encoding="utf-8"))["fields"]
    assert [field["name"] for field in fields] == ["ward", "stay"]
    assert fields[0]["dpdesk"]["basis"] == "codebook"
    read = json.loads(hospital.run("codebook", hospital.study, schema, "--json").out)
    assert [v["state"] for v in read["variables"]] == ["same", "same"]


def test_a_package_names_the_table_of_the_studys_file(hospital: Hospital) -> None:
    def resource(path: str, most: int) -> dict[str, Any]:
        field = {"name": "stay", "type": "integer", "constraints": {"maximum": most}}
        return {"path": path, "schema": {"fields": [field]}}

    package = hospital.folder / "package.json"
    resources = [resource("other.csv", 1), resource("data/stays.csv", 60)]
    package.write_text(json.dumps({"resources": resources}), encoding="utf-8")
    said = json.loads(hospital.run("codebook", hospital.study, package, "--json").out)
    assert said["variables"][0]["changes"] == [
        {"field": "upper", "declared": "14", "proposed": "60"}
    ]
    other = hospital.run("codebook", hospital.study, package, "--table", "other.csv", "--json")
    assert json.loads(other.out)["variables"][0]["changes"][0]["proposed"] == "1"


def test_without_a_codebook_there_is_nothing_to_do(hospital: Hospital) -> None:
    said = hospital.run("codebook", hospital.study)
    assert said.sentences == ["Name the codebook to compare with, or only the file for --write."]
    assert hospital.run("codebook", hospital.study, "--accept", "all").status == 1


def test_a_study_without_a_file_is_compared_all_the_same(
    hospital: Hospital, codebook: Path
) -> None:
    hospital.write_study(lambda members: members.pop("data"))
    said = json.loads(hospital.run("codebook", hospital.study, codebook, "--json").out)
    assert [v["state"] for v in said["variables"]][:3] == ["differs", "differs", "new"]


def test_no_row_of_the_data_matters(hospital: Hospital, codebook: Path) -> None:
    """Whatever stands below the header, the command says the same, and none of it."""
    first = hospital.run("codebook", hospital.study, codebook)
    assert "Secret" not in first.out
    hospital.write_data("pid,ward,stay,age,note\n" + "9,X,999,999,y\n" * 1_000)
    assert hospital.run("codebook", hospital.study, codebook).out == first.out
    hospital.write_data("pid,ward,stay,age,note\n")
    assert hospital.run("codebook", hospital.study, codebook).out == first.out


def test_labels_of_a_data_file_may_be_of_what_occurs_in_it(
    hospital: Hospital, codebook: Path, tmp_path: Path
) -> None:
    said = hospital.run("codebook", hospital.study, write_sav(tmp_path / "a.sav"))
    assert "none may come from the data" in said.out
    assert "a list must not" not in hospital.run("codebook", hospital.study, codebook).out


def test_the_data_itself_is_no_codebook(hospital: Hospital) -> None:
    hospital.write_data("name,ward,age\nMrs Secret,A,41\n")
    said = hospital.run("codebook", hospital.study, hospital.data)
    assert said.status == 1
    assert said.sentences[0].startswith("dpdesk does not recognise this codebook")
    assert "Secret" not in said.err + said.out


def test_a_redcap_project_from_dictionary_to_study(hospital: Hospital, shared_data: Path) -> None:
    folder = shared_data / "redcap" / "simple"

    def of_redcap(members: dict[str, Any]) -> None:
        members["data"] = {"path": str(folder / "data.csv"), "format": "csv"}
        members["unit"]["person"] = "record_id"
        members["columns"] = members["queries"] = []

    hospital.write_study(of_redcap)
    dictionary = folder / "dictionary.csv"
    said = hospital.run("codebook", hospital.study, dictionary, "--accept", "all", "--json")
    accepted = json.loads(said.out)["accepted"]
    races = [f"race___{code}" for code in range(1, 7)]
    assert accepted == ["sex", "height", "weight", "bmi", *races, "ethnicity"]
    assert columns(hospital)["height"] == {
        "name": "height",
        "kind": "number",
        "lower": 130,
        "upper": 215,
        "missing": "drop",
        "unparsable": "drop",
        "outside": "clamp",
        "title": "Height",
        "label": "cm",
        "origin": {"codebook": "redcap"},
    }


def test_a_codebook_of_a_further_table_is_compared_with_its_columns(hospital: Hospital) -> None:
    def change(members: dict[str, Any]) -> None:
        labs = {"path": "labs.csv", "format": "csv"}
        members["tables"] = [{"name": "labs", "data": labs, "person": "who", "rows": "many"}]

    hospital.write_study(change)
    hospital.write_data("pid,ward,stay\n1,A,3\n")
    (hospital.folder / "labs.csv").write_text("who,ward,value\n1,A,3\n", encoding="utf-8")
    book = hospital.folder / "book.csv"
    book.write_text("variable,type,min,max,values\nward,category,,,X | Y\nvalue,integer,0,9,\n")
    said = hospital.run("codebook", hospital.study, book, "--of", "labs", "--accept", "all")
    assert (said.status, said.err) == (0, "")
    assert said.out.startswith("Codebook, book.csv\nward (labs): new\n")
    found = columns(hospital)
    assert found["ward"]["values"] == ["A", "B"], "that of the main table stays"
    assert (found["ward (labs)"]["table"], found["ward (labs)"]["in_file"]) == ("labs", "ward")
    assert (found["value"]["table"], found["value"]["upper"]) == ("labs", 9)
    refused = hospital.run("codebook", hospital.study, book, "--of", "lab")
    assert (refused.status, refused.err.splitlines()[0]) == (
        1,
        "The study has no table “lab”, only these further ones: labs.",
    )
