# SPDX-License-Identifier: Apache-2.0
"""No answer that was drawn from one file is signed for another one unasked."""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest

from dpdesk.study.checks.extracts import plain_extract
from dpdesk.texts.problems import SENTENCES
from tests.shell.hospital import Hospital, Said

SAME = "--same-extract"
CANARY = "Smith_1951-02-03.csv"


def patients(number: int, first: int = 0) -> str:
    return "pid,ward,stay\n" + "".join(f"p{first + n},A,{1 + n % 9}\n" for n in range(number))


@pytest.fixture
def years(hospital: Hospital) -> tuple[Path, Path]:
    """Two files of one name: a hundred people in 2023, nine hundred in 2024."""
    made = []
    for year, number in (("2023", 100), ("2024", 900)):
        (hospital.folder / year).mkdir()
        path = hospital.folder / year / "stays.csv"
        path.write_text(patients(number), encoding="utf-8")
        made.append(path)
    hospital.write_study(lambda m: m["data"].update(path=str(made[0])))
    return made[0], made[1]


def stays(said: Said) -> list[list[str]]:
    tables: list[dict[str, Any]] = json.loads(said.out)["tables"]
    rows: list[list[str]] = next(t["rows"] for t in tables if t["id"] == "stays")
    return rows


def plan_of(hospital: Hospital, *more: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(hospital.run("plan", hospital.study, "--json", *more).out)
    return found


def manifest(hospital: Hospital) -> dict[str, Any]:
    with zipfile.ZipFile(hospital.bundle) as bundle:
        found: dict[str, Any] = json.loads(bundle.read("manifest.json"))
    return found


# --- another file -------------------------------------------------------------------------------


@pytest.mark.threat("C7")
def test_a_file_of_the_same_name_in_another_folder_gets_no_old_answer(
    hospital: Hospital, years: tuple[Path, Path]
) -> None:
    first = hospital.release("--json")
    assert first.status == 0
    other = hospital.release("--json", "--data", years[1])
    assert other.status == 1, "900 people were answered with the figures of 100"
    assert other.sentences == [f"$.data.extract: {SENTENCES['extract-of-other-file']}"]
    named = hospital.release("--json", "--data", years[1], "--extract", "stays 2024")
    assert named.status == 0
    assert hospital.spent == "1"
    # By chance of one in a million at this scale would noise bridge 800 people.
    assert int(stays(named)[0][1]) - int(stays(first)[0][1]) > 400


def test_the_study_s_own_file_needs_no_other_name(
    hospital: Hospital, years: tuple[Path, Path]
) -> None:
    link = hospital.folder / "link.csv"
    link.symlink_to(years[0])
    for path in (years[0], Path(os.path.relpath(years[0])), link):
        assert hospital.release("--data", path, SAME).status == 0
    assert hospital.spent == "0.5"


def test_a_link_that_leads_to_another_file_is_asked_about(
    hospital: Hospital, years: tuple[Path, Path]
) -> None:
    link = hospital.folder / "current.csv"
    link.symlink_to(years[0])
    hospital.write_study(lambda m: m["data"].update(path="current.csv"))
    assert hospital.release().status == 0
    link.unlink()
    link.symlink_to(years[1])
    said = hospital.release()
    assert said.status == 1 and "the file has changed since" in said.err
    assert hospital.release("--data", years[0]).status == 1


def test_a_name_that_another_file_had_is_asked_about(
    hospital: Hospital, years: tuple[Path, Path]
) -> None:
    assert hospital.release().status == 0
    said = hospital.release("--data", years[1], "--extract", "stays.csv")
    assert said.status == 1 and "the file has changed since" in said.err
    assert hospital.spent == "0.5"


# --- the declaration ----------------------------------------------------------------------------


def test_a_study_without_an_extract_is_planned_and_not_released(hospital: Hospital) -> None:
    hospital.write_study(lambda m: m["data"].pop("extract"))
    said = hospital.release()
    assert (said.status, hospital.spent) == (1, "0")
    assert said.sentences == [f"$.data.extract: {SENTENCES['extract-not-declared']}"]
    assert "--extract NAME" in said.err
    assert plan_of(hospital)["extract_declared"] is False
    assert "a release asks for one (--extract NAME)" in hospital.run("plan", hospital.study).out
    before = hospital.study.read_bytes()
    assert hospital.release("--extract", "stays.csv").status == 0
    assert hospital.study.read_bytes() == before


@pytest.mark.parametrize(
    "name", ["", "  ", "\u200b", "\x1b[31mred", "a\nb", "\u202egnp", "x" * 301]
)
def test_a_name_that_nobody_can_read_is_refused(hospital: Hospital, name: str) -> None:
    for command in (("release", hospital.study), ("plan", hospital.study)):
        said = hospital.run(*command, "--extract", name)
        assert said.status == 1 and said.err.startswith("$.data.extract: ")
        assert "\x1b" not in said.err and "\u202e" not in said.err
    hospital.write_study(lambda m: m["data"].update(extract=name))
    assert hospital.release().status == 1
    assert hospital.spent == "0"


@pytest.mark.parametrize(
    "name",
    ["STAYS.CSV", " stays.csv ", "\uff53tays\uff0ecsv", "sTays.csv"],
    ids=["case", "space", "width", "S"],
)
@pytest.mark.in_turn(3)
def test_spellings_of_one_name_are_one_extract(hospital: Hospital, name: str) -> None:
    assert hospital.release().status == 0
    assert hospital.release("--extract", name).status == 1
    assert plan_of(hospital, "--extract", name)["total"] == "0"
    assert hospital.release("--extract", name, SAME).status == 0
    assert hospital.spent == "0.5"


def test_composed_and_decomposed_names_are_one_extract(hospital: Hospital) -> None:
    composed, decomposed = "Z\u00e4hlung", "Za\u0308hlung"
    assert composed != decomposed and plain_extract(composed) == plain_extract(decomposed)
    assert hospital.release("--extract", composed).status == 0
    assert hospital.release("--extract", decomposed).status == 1
    assert hospital.release("--extract", decomposed, SAME).status == 0
    assert hospital.spent == "0.5"


# --- is this the same file? ---------------------------------------------------------------------


def test_an_extract_is_used_again_only_by_one_who_says_that_it_is_the_same(
    hospital: Hospital,
) -> None:
    assert hospital.release().status == 0
    head = hospital.run("ledger", "check").out
    day = plan_of(hospital)["queries"][0]["answered"]["date"]
    for more in ((), ("--fresh",)):
        said = hospital.release(*more)
        assert said.status == 1
        assert said.sentences == [
            "$.data.extract: " + SENTENCES["extract-used-bytes-same"].format(day=day)
        ]
    assert hospital.run("ledger", "check").out == head, "the question left an entry"
    assert hospital.release(SAME).err == ""
    assert hospital.spent == "0.5"


def test_another_question_of_a_used_extract_is_asked_about_too(hospital: Hospital) -> None:
    assert hospital.release().status == 0
    hospital.write_study(lambda m: m["queries"][0].update(epsilon=0.4))
    hospital.write_data(patients(50))
    said = hospital.release()
    assert said.status == 1 and "the file has changed since" in said.err
    said = hospital.release(SAME)
    assert said.status == 0 and "Note: the file has changed since" in said.err


def test_bytes_of_two_files_under_one_name_are_never_called_the_same(hospital: Hospital) -> None:
    """Once two files went by one name, a stored answer may be of either."""
    assert hospital.release().status == 0
    hospital.write_data(patients(50))
    assert hospital.release("--fresh", SAME).status == 0
    for text in (patients(50), patients(60)):
        hospital.write_data(text)
        assert "the file has changed since" in hospital.release().err


def test_a_file_that_is_gone_or_no_file_is_asked_about_without_its_bytes(
    hospital: Hospital,
) -> None:
    assert hospital.release().status == 0
    hospital.data.unlink()
    said = hospital.release()
    assert said.status == 1 and "cannot tell whether" in said.err
    assert hospital.release(SAME).status == 0
    os.mkfifo(hospital.data)
    assert "cannot tell whether" in hospital.release().err


def test_two_studies_of_one_account_share_the_question(hospital: Hospital) -> None:
    assert hospital.release().status == 0
    shutil.copyfile(hospital.study, hospital.folder / "second.dpdesk")
    second = hospital.run("release", hospital.folder / "second.dpdesk")
    assert second.status == 1 and "was used on" in second.err


def test_another_account_has_used_nothing(hospital: Hospital) -> None:
    assert hospital.release().status == 0
    hospital.run("account", "new", "other", "1")
    hospital.write_study(lambda m: m["budget"].update(account="other"))
    assert hospital.release("--separate-from", "small", "made up").status == 0


# --- what is said -------------------------------------------------------------------------------


def test_plan_and_release_say_the_same_price_and_the_same_source(hospital: Hospital) -> None:
    assert plan_of(hospital)["total"] == "0.5"
    assert hospital.release().status == 0
    hospital.write_study(lambda m: m["queries"][1].update(epsilon=0.25))
    for more, total in (((), "0.25"), (("--fresh",), "0.45"), (("--extract", "new"), "0.45")):
        plan = plan_of(hospital, *more)
        assert (plan["total"], plan["claim"]) == (total, "0.45")
        assert [q["charged"] for q in plan["queries"]] == ["0.2" if more else "0", "0.25"]
        assert plan["account"]["left_after"] == str(round(0.5 - float(total), 2))
    plan = plan_of(hospital)
    day = plan["queries"][0]["answered"]["date"]
    paid = {"release": 1, "entry": 2, "date": day, "taken_back": None}
    assert plan["queries"][0]["answered"] == paid
    assert plan["extract_used"] == day
    line = f"1: stored figure of release 1 (entry 2 of the ledger) of {day}, at no cost."
    planned = hospital.run("plan", hospital.study).out
    assert line in planned and "Total: 3 figures for 0.25 of budget" in planned
    assert "a release asks whether this is the same file" in planned
    titled = line.replace("1:", "Count of rows, by ward:", 1)
    assert titled in hospital.release(SAME).out
    assert hospital.spent == "0.75"


def test_a_question_asked_twice_is_announced_once(hospital: Hospital) -> None:
    hospital.write_study(lambda m: m["queries"].append({**m["queries"][0], "id": "again"}))
    plan = plan_of(hospital)
    assert [q["charged"] for q in plan["queries"]] == ["0.2", "0.3", "0"]
    assert plan["total"] == "0.5"
    assert "3: the same as another query" in hospital.run("plan", hospital.study).out
    assert hospital.release().status == 0
    assert hospital.spent == plan["total"]


def test_the_report_and_the_json_say_where_an_answer_comes_from(hospital: Hospital) -> None:
    hospital.release()
    said = json.loads(hospital.release("--json", SAME).out)
    assert [(q["charged"], q["drawn_in"]) for q in said["queries"]] == [("0", 2), ("0", 2)]
    day = said["queries"][0]["drawn_at"][:10]
    with zipfile.ZipFile(hospital.bundle) as bundle:
        report = bundle.read("report.html").decode()
    source = f"in an earlier release (ledger entry 2, {day}); the stored figure costs nothing"
    assert report.count(source) == 2
    assert hospital.run("verify", hospital.bundle).status == 0
    assert {q["drawn_at"][:10] for q in manifest(hospital)["predicate"]["queries"]} == {day}


@pytest.mark.threat("B6")
def test_the_extract_is_in_nothing_that_goes_out(hospital: Hospital) -> None:
    data = hospital.folder / CANARY
    shutil.copyfile(hospital.data, data)
    for more in ((), (SAME,), (SAME, "--fresh")):
        said = hospital.release("--data", data, "--extract", CANARY, "--json", *more)
        assert said.status == 0 and "Smith" not in said.out + said.err
        with zipfile.ZipFile(hospital.bundle) as bundle:
            for name in bundle.namelist():
                assert b"smith" not in bundle.read(name).lower() and "smith" not in name.lower()
        assert "extract" not in manifest(hospital)["predicate"]["study"]["data"]
    for path in hospital.home.root.rglob("*"):
        assert not path.is_file() or b"smith" not in path.read_bytes().lower(), path


# --- rows that are no people --------------------------------------------------------------------

COUNTS = "ward,year,patients,deaths\n" + "".join(
    f"{ward},{year},{n * 7 + 3},{n}\n" for n, (ward, year) in enumerate(
        (w, y) for w in "AB" for y in range(2015, 2023)
    )
)  # fmt: skip


def test_a_file_that_looks_like_counts_is_released_and_its_custodian_warned(
    hospital: Hospital,
) -> None:
    """Whether it looks so is up to its rows, and no row decides whether there is a release."""
    hospital.write_data(COUNTS)
    hospital.write_study(
        lambda m: (
            m["unit"].update(person=None, max_rows=1),
            m["columns"].pop(),
            m["queries"].pop(),
        )
    )
    said = hospital.release()
    assert said.status == 0
    assert SENTENCES["seems-aggregates"] in said.sentences
    assert hospital.spent == "0.2"
    assert "seems" not in json.dumps(manifest(hospital))
    assert hospital.release().sentences[0].startswith("$.data.extract: ")
