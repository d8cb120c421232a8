# SPDX-License-Identifier: Apache-2.0
"""``--data`` names other files of each table, and each mistake has one sentence."""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.shell.hospital import Hospital
from tests.shell.test_no_row_decides import Terminal

LABS = {"path": "labs.csv", "format": "csv"}
PEOPLE = {"id": "sum", "statistic": "sum", "of": "people", "column": "values", "epsilon": 0.5}
VALUES = {
    "name": "values",
    "kind": "number",
    "lower": 0,
    "upper": 1,
    "step": 1,
    "from": {"of_person": "count", "table": "labs"},
}


@pytest.fixture
def two(hospital: Hospital) -> Hospital:
    """Two files of stays, and a table of laboratory values that all of them are in."""

    def change(members: dict[str, Any]) -> None:
        members["data"]["more"] = [{"path": "more.csv", "format": "csv"}]
        members["tables"] = [{"name": "labs", "data": LABS, "person": "pid", "rows": "many"}]
        members["columns"].append(VALUES)
        members["queries"] = [PEOPLE]

    hospital.write_study(change)
    people = [f"p{n}" for n in range(400)]
    (hospital.folder / "more.csv").write_text("pid,ward,stay\nq1,A,2\n", encoding="utf-8")
    for name, those in (("labs.csv", people), ("none.csv", [])):
        text = "".join(f"{one},4\n" for one in those)
        (hospital.folder / name).write_text(f"pid,value\n{text}", encoding="utf-8")
    text = "".join(f"{one},A,2\n" for one in people)
    hospital.write_data(f"pid,ward,stay\n{text}")
    return hospital


def values_of(hospital: Hospital, *more: str | Path) -> int:
    said = hospital.release("--json", *more)
    assert said.status == 0, said.err
    return int(json.loads(said.out)["tables"][0]["rows"][0][0])


def test_a_further_table_is_read_from_the_file_that_is_named(two: Hospital) -> None:
    assert values_of(two) > 300
    named = f"labs={two.folder / 'none.csv'}"
    refused = two.release("--data", named)
    assert refused.status == 1 and "name its extract with --extract NAME" in refused.err
    assert values_of(two, "--data", named, "--extract", "2") < 100, "the study's file was read"


def test_a_table_of_two_files_is_named_completely(two: Hospital) -> None:
    stays, more = two.data, two.folder / "more.csv"
    checked = two.run("check", two.study, "--data", stays, "--data", more)
    assert checked.status == 0
    swapped = two.run("check", two.study, "--data", more, "--data", two.folder / "absent.csv")
    assert swapped.sentences[-1] == (
        "$.data.more[0].path: The data file is missing; check its name and folder."
    )
    # The same files in the study's order need no other extract.
    assert two.release("--data", stays, "--data", more, "--data", "labs=labs.csv").status == 1
    labs = f"labs={two.folder / 'labs.csv'}"
    assert two.release("--data", stays, "--data", more, "--data", labs).status == 0


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (
            ["lab=x.csv"],
            "The study has no table “lab”, only labs. For a file of that name, write --data "
            "./lab=x.csv.",
        ),
        (["labs="], "“--data labs=” names no file; add its path."),
        (
            ["x.csv"],
            "$.data: Files of this table in the study: 2; with --data: 1. Name each of its files, "
            "in the study’s order.",
        ),
        (
            ["labs=x.csv", "labs=y.csv"],
            "$.tables[0].data: Files of this table in the study: 1; with --data: 2. Name each of "
            "its files, in the study’s order.",
        ),
        (
            ["./lab=x.csv", "y.csv"],
            "$.data.path: The data file is missing; check its name and folder.",
        ),
        (
            ["labs=x.csv"],
            "$.tables[0].data.path: The data file is missing; check its name and folder.",
        ),
    ],
)
def test_each_mistake_has_a_sentence(two: Hospital, given: list[str], sentence: str) -> None:
    options = [part for one in given for part in ("--data", one)]
    for command in (("check",), ("release", "--extract", "other")):
        said = two.run(*command, two.study, *options)
        assert (said.status, said.sentences[-1]) == (1, sentence), command
    assert two.spent == "0"


def test_a_new_study_is_about_the_files_that_are_named(two: Hospital) -> None:
    path, labs = two.folder / "next.dpdesk", f"labs={two.folder / 'none.csv'}"
    (two.folder / "stays-2.csv").write_text("pid,ward,stay\n", encoding="utf-8")
    like = ("new", path, "--like", two.study)
    said = two.run(*like, "--data", labs)
    assert said.sentences == [
        "$.data.path: Only files of further tables are named; add --data FILE for the main table."
    ]
    said = two.run(*like, "--data", labs, "--data", two.folder / "stays-2.csv")
    assert (said.status, said.err) == (0, "")
    assert "Further files, as before, from the folder of the file: more.csv" in said.out
    members = json.loads(path.read_text(encoding="utf-8"))
    assert members["tables"][0]["data"]["path"] == "none.csv"
    assert [one["path"] for one in members["data"]["more"]] == ["more.csv"]
    path.unlink()
    said = two.run(*like, "--data", two.folder / "stays-2.csv", "--data", two.data)
    assert "Further files, as before, from the folder of the file: labs.csv" in said.out
    members = json.loads(path.read_text(encoding="utf-8"))
    assert [one["path"] for one in members["data"]["more"]] == ["stays.csv"]


def test_people_of_another_table_are_no_people_of_an_earlier_answer(two: Hospital) -> None:
    """Each id in any table is a person, whether or not a query uses that table."""
    members = json.loads(two.study.read_text(encoding="utf-8"))
    further, columns = members["tables"], members["columns"]
    ids = "".join(f"x{n}\n" for n in range(900))
    (two.folder / "labs.csv").write_text(f"pid\n{ids}", encoding="utf-8")
    members["queries"] = [{"id": "n", "statistic": "count", "of": "people", "epsilon": 0.5}]
    for tables, declared, people in (([], columns[:-1], 401), (further, columns, 1_301)):
        members |= {"tables": tables, "columns": declared}
        two.study.write_text(json.dumps(members), encoding="utf-8")
        assert abs(values_of(two, "--same-extract") - people) < 100


def test_every_file_of_a_release_says_how_values_of_several_tables_are_made(two: Hospital) -> None:
    assert two.release("--language", "en").status == 0
    recipe = "values: number of rows of labs of a"
    together = "all rows with it, in all tables, are protected together."
    with zipfile.ZipFile(two.bundle) as bundle:
        files = {name: bundle.read(name).decode("utf-8", "replace") for name in bundle.namelist()}
    for name in ("README.txt", "report.html", "datapackage.json"):
        text = " ".join(files[name].split())
        assert recipe in text and together in text, name
    assert together in files["deployment.yaml"]
    dossier = two.folder / "dossier.zip"
    stated = ("--purpose", "p", "--recipient", "r", "--release-model", "m", "--legal-route", "l")
    more = ("--review-date", "2030-01-01", "--language", "en")
    assert two.run("dossier", two.bundle, "--to", dossier, *stated, *more).status == 0
    with zipfile.ZipFile(dossier) as made:
        for name in ("dossier.html", "dossier.json"):
            text = made.read(name).decode("utf-8")
            assert recipe in text and together in text, name


def test_people_of_other_tables_are_not_compared_and_it_is_said_why(two: Hospital) -> None:
    assert two.release("--language", "en").status == 0
    members = json.loads(two.study.read_text(encoding="utf-8"))
    members["tables"].append({**members["tables"][0], "name": "more-labs"})
    two.study.write_text(json.dumps(members), encoding="utf-8")
    later = two.folder / "later.zip"
    said = two.run("release", two.study, "--out", later, "--extract", "2")
    assert said.status == 0, said.err
    said = two.run("compare", two.bundle, later)
    assert said.out.splitlines()[0].endswith("(other tables, or another rule for their rows).")


def test_a_mean_of_people_wants_their_number(two: Hospital) -> None:
    members = json.loads(two.study.read_text(encoding="utf-8"))
    members["queries"][0]["statistic"] = "mean"
    two.study.write_text(json.dumps(members), encoding="utf-8")
    assert "Estimate how many people there are." in two.run("plan", two.study).out


@pytest.mark.parametrize("kind", ["path", "link", "hard link"])
def test_a_file_is_no_part_of_a_table_twice(two: Hospital, kind: str) -> None:
    """Each row would count twice, and nobody would see it."""
    again = two.folder / "again.csv"
    if kind == "link":
        again.symlink_to(two.data)
    elif kind == "hard link":
        again.hardlink_to(two.data)
    given = two.data if kind == "path" else again
    for command in (("check",), ("release", "--extract", "2")):
        said = two.run(*command, two.study, "--data", two.data, "--data", given)
        assert said.status == 1
        assert said.sentences[-1].startswith("$.data.more[0].path: This table has the same file")
    assert two.spent == "0"


def test_the_check_says_what_one_of_several_files_lacks_and_that_it_is_a_copy(
    two: Hospital,
) -> None:
    members = json.loads(two.study.read_text(encoding="utf-8"))
    members["queries"].append({"id": "stay", "statistic": "sum", "column": "stay", "epsilon": 0.1})
    two.study.write_text(json.dumps(members), encoding="utf-8")
    more = two.folder / "more.csv"
    more.write_text("pid,ward,Stay\nq1,A,2\n", encoding="utf-8")
    lines = two.run("check", two.study).out.splitlines()
    assert any(
        line.startswith("file 2, stay: this file has no such column; it is missing in all its rows")
        for line in lines
    )
    more.write_bytes(two.data.read_bytes())
    said = two.run("check", two.study)
    assert (said.status, said.err) == (0, "")
    assert "file 2: It has the same content as another file of this table." in said.out
    assert two.release().status == 0, "no row decides"


def test_which_of_several_files_does_not_fit_is_said(two: Hospital) -> None:
    (two.folder / "more.csv").write_text("pid;ward;stay\nq1;A;2\n", encoding="utf-8")
    said = two.run("check", two.study)
    assert said.sentences == [
        "$.unit.person: File 2 of this table has no column “pid”; check its separator, the line of "
        "its header, and how the name is written there."
    ]


def test_a_file_that_changes_while_somebody_reads_its_check_is_not_released(
    two: Hospital, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Slow(Terminal):
        def readline(self, *_size: int) -> str:  # type: ignore[override]
            (two.folder / "labs.csv").write_text("pid,value\n", encoding="utf-8")
            return "yes\n"

    monkeypatch.setattr(sys, "stdin", Slow())
    said = two.run_plain("release", two.study, "--out", two.bundle)
    assert (said.status, two.spent) == (1, "0")
    assert said.sentences[-1].endswith(
        "A data file changed after its check; check it again, then release. Nothing was spent."
    )
    monkeypatch.setattr(sys, "stdin", Terminal("yes\n"))
    assert two.run_plain("release", two.study, "--out", two.bundle).status == 0


def test_tables_of_one_file_follow_the_main_one_and_others_are_named(two: Hospital) -> None:
    """Else stays of this year would meet values of last year, and nobody would see it."""
    other, more = two.folder / "next.csv", two.folder / "more.csv"
    other.write_text("pid,ward,stay\nz,A,2\n", encoding="utf-8")
    given = ("--data", other, "--data", more)
    said = two.run("check", two.study, *given)
    assert "Not named with --data, so read from the study’s own files: labs." in said.err
    assert "none of its rows belongs" in said.out
    members = json.loads(two.study.read_text(encoding="utf-8"))
    members["tables"][0]["data"]["path"] = "stays.csv"
    two.study.write_text(json.dumps(members), encoding="utf-8")
    said = two.run("check", two.study, *given)
    assert said.err == "" and "nearly all its rows belong" in said.out
