# SPDX-License-Identifier: Apache-2.0
"""``dpdesk new``: a study about the next file, from an earlier one."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.shell.hospital import ROWS, Hospital


@pytest.fixture
def following(hospital: Hospital) -> Path:
    path = hospital.folder / "stays-q2.csv"
    path.write_text("pid;ward;bmi\n9;A;23\n", encoding="utf-8")
    return path


def made(hospital: Hospital, *more: str | Path) -> tuple[str, dict[str, Any]]:
    """What the command said, and the study that it wrote."""
    path = hospital.folder / "next.dpdesk"
    said = hospital.run("new", path, "--like", hospital.study, *more)
    assert (said.status, said.err) == (0, "")
    return said.out, json.loads(path.read_text(encoding="utf-8"))


def test_declarations_are_taken_over_and_what_does_not_fit_is_named(
    hospital: Hospital, following: Path
) -> None:
    today = datetime.now().astimezone().date()
    out, members = made(hospital, "--data", following)
    assert out.splitlines() == [
        "next.dpdesk: 2 columns and 2 queries copied from small.dpdesk.",
        "The budget comes from the account “small”.",
        f"Extract: stays-q2.csv, {today}",
        "Declared, but not in the file: stay",
        "In the file, but not declared: bmi",
        "Nothing was released or spent.",
    ]
    before = json.loads(hospital.study.read_text(encoding="utf-8"))
    assert members["data"] == {
        "path": "stays-q2.csv",
        "format": "csv",
        "separator": ";",
        "extract": f"stays-q2.csv, {today}",
    }
    assert members["unit"] == before["unit"]
    assert members["budget"] == before["budget"]
    assert [c["name"] for c in members["columns"]] == ["ward", "stay"]
    assert [q["id"] for q in members["queries"]] == ["stays", "mean-stay"]
    assert hospital.spent == "0"


@pytest.mark.parametrize(
    ("stays", "said", "marks"),
    [
        (["36,5", "37"], "with “,” as decimal mark and “” between", [(",", "")]),
        (["1.234", "0,5"], "with “,” as decimal mark and “.” between", [(",", ".")]),
        (["1.234", "999"], "in two ways: “.” is", [(".", ""), (",", ".")]),
        (["1.5", "12"], "", []),
    ],
)
def test_how_numbers_seem_to_be_written_is_proposed_and_not_declared(
    hospital: Hospital, stays: list[str], said: str, marks: list[tuple[str, str]]
) -> None:
    path = hospital.folder / "stays-q2.csv"
    rows = "".join(f"{n};A;{stay}\n" for n, stay in enumerate(stays))
    path.write_text(f"pid;ward;stay\n{rows}", encoding="utf-8")
    out, members = made(hospital, "--data", path)
    lines = [line for line in out.splitlines() if line.startswith("Numbers in the first rows")]
    assert [said in line for line in lines] == [True] * bool(marks)
    assert not any(stay in line for line in lines for stay in stays)
    assert not {"decimal", "thousands"} & members["data"].keys()
    (hospital.folder / "next.dpdesk").unlink()
    out, _members = made(hospital, "--data", path, "--json")
    assert [tuple(one.values()) for one in json.loads(out)["numbers"]] == marks


def test_the_next_extract_is_drawn_and_paid_anew(hospital: Hospital) -> None:
    assert hospital.release().status == 0
    assert hospital.spent == "0.5"
    hospital.data.with_name("again.csv").write_text("\n".join(ROWS) + "\n", encoding="utf-8")
    made(hospital, "--data", hospital.folder / "again.csv")
    said = hospital.run("plan", hospital.folder / "next.dpdesk", "--json")
    assert json.loads(said.out)["total"] == "0.5"
    assert json.loads(said.out)["extract_used"] is None


def test_a_used_extract_is_not_proposed_again(hospital: Hospital) -> None:
    today = datetime.now().astimezone().date()
    hospital.write_study(lambda m: m["data"].update(extract=f"STAYS.csv, {today}"))
    _, members = made(hospital, "--data", hospital.data)
    assert members["data"]["extract"] == f"stays.csv, {today} (2)"
    assert hospital.release("--extract", f"stays.csv, {today} (2)").status == 0
    hospital.write_study(lambda m: m["data"].update(extract="other"))
    assert hospital.release("--extract", f"stays.csv, {today}").status == 0
    (hospital.folder / "next.dpdesk").unlink()
    _, members = made(hospital, "--data", hospital.data)
    assert members["data"]["extract"] == f"stays.csv, {today} (3)"


def test_parts_can_be_left_behind(hospital: Hospital, following: Path) -> None:
    more = ("--without", "account", "--without", "title", "--extract", "q2")
    out, members = made(hospital, "--data", following, *more)
    assert "Account" not in out
    assert not {"unit", "budget"} & members.keys()
    assert members["title"] == ""
    assert members["data"]["extract"] == "q2"


def test_the_earlier_reading_is_kept_where_the_columns_are_found_so(hospital: Hospital) -> None:
    change = {"decimal": ",", "separator": ";", "by_hand": ["decimal", "separator"]}
    hospital.write_study(lambda m: m["data"].update(change))
    same, other = hospital.folder / "same.csv", hospital.folder / "other.csv"
    same.write_text("pid;ward;stay\n", encoding="utf-8")
    other.write_text("pid,ward,stay\n", encoding="utf-8")
    _, members = made(hospital, "--data", same)
    assert members["data"]["by_hand"] == ["separator", "decimal"]
    (hospital.folder / "next.dpdesk").unlink()
    out, members = made(hospital, "--data", other)
    assert "not in the file" not in out
    assert "by_hand" not in members["data"]


def test_a_file_is_not_written_over(hospital: Hospital) -> None:
    before = hospital.study.read_bytes()
    said = hospital.run("new", hospital.study, "--like", hospital.study, "--data", hospital.data)
    assert said.status == 1
    assert said.sentences == ["small.dpdesk exists already. Choose another name."]
    assert hospital.study.read_bytes() == before


def test_only_the_header_decides(hospital: Hospital, following: Path) -> None:
    """Rows of patients change nothing of what is said and written."""
    first = made(hospital, "--data", following)
    (hospital.folder / "next.dpdesk").unlink()
    following.write_text('pid;ward;bmi\n"1;B;99\nMrs Secret,,;;\n' * 50, encoding="utf-8")
    assert made(hospital, "--data", following) == first


def test_no_ledger_is_made(hospital: Hospital, following: Path) -> None:
    hospital.home.ledger.unlink()
    made(hospital, "--data", following)
    assert not hospital.home.ledger.exists()


def test_json_names_what_did_not_fit(hospital: Hospital, following: Path) -> None:
    path = hospital.folder / "next.dpdesk"
    following.write_text("PID;Ward;stay\n", encoding="utf-8")
    said = hospital.run("new", path, "--like", hospital.study, "--data", following, "--json")
    members = json.loads(said.out)
    assert members["missing"] == ["pid", "ward"]
    assert members["spelled_differently"] == {"pid": "PID", "ward": "Ward"}
    assert members["undeclared"] == ["PID", "Ward"]


def test_further_tables_are_looked_for_beside_the_new_file(
    hospital: Hospital, following: Path, tmp_path: Path
) -> None:
    members = json.loads(hospital.study.read_text(encoding="utf-8"))
    data = {"path": "labs.csv", "format": "csv"}
    members["tables"] = [{"name": "labs", "data": data, "person": "pid", "rows": "many"}]
    hospital.study.write_text(json.dumps(members), encoding="utf-8")
    elsewhere = tmp_path / "q2" / "stays-q2.csv"
    elsewhere.parent.mkdir()
    following.rename(elsewhere)
    out, study = made(hospital, "--data", elsewhere)
    assert "Further files, as before, from the folder of the file: labs.csv" in out
    assert "Not in that folder: labs.csv" in out
    path = study["tables"][0]["data"]["path"]
    assert (hospital.folder / path).resolve() == elsewhere.parent / "labs.csv"
    (hospital.folder / "next.dpdesk").unlink()
    (elsewhere.parent / "labs.csv").write_text("pid,value\n", encoding="utf-8")
    out, _study = made(hospital, "--data", elsewhere)
    assert "Not in that folder" not in out
