# SPDX-License-Identifier: Apache-2.0
"""``dpdesk check``: coarse, local, and shown by a release before it asks."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from dpdesk.shell import check
from tests.shell.hospital import Hospital

CANARY = "canary-4711"
PANEL = {"dpdesk/desk/pages/release/check_card.py"}
ROOT = Path(__file__).parents[2]


def holding(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_a_date_column_with_another_format_is_found_before_it_costs(hospital: Hospital) -> None:
    """The file of covid tests: 0 of 129 in every period, signed, at full price."""
    rows = [f"{i},10/{i % 28 + 1}/64 21:09" for i in range(129)]
    hospital.write_data("\n".join(["pid,collected", *rows]))

    def change(members: dict[str, Any]) -> None:
        days = {"first": "1964-01-01", "last": "1964-12-31", "format": "MM/DD/YYYY"}
        members["columns"] = [{"name": "collected", "kind": "date", **days}]
        by = [{"column": "collected", "period": "month"}]
        members["queries"] = [{"id": "tests", "statistic": "count", "by": by, "epsilon": 0.2}]

    hospital.write_study(change)
    said = hospital.run("check", hospital.study)
    line = "no cell is a date written as MM/DD/YYYY, first in line 2."
    assert f"collected: {line} Are dates written like this in the file?" in said.out.splitlines()
    assert said.status == 0


def test_names_declared_for_letters_are_found_before_they_cost(hospital: Hospital) -> None:
    """male and female for a file with M and F: counts of -26 and 14 of 20,000."""
    rows = [f"{i},{'MF'[i % 2]}" for i in range(20_000)]
    hospital.write_data("\n".join(["pid,gender", *rows]))

    def change(members: dict[str, Any]) -> None:
        values = {"values": ["male", "female"], "compare": "folded"}
        members["columns"] = [{"name": "gender", "kind": "category", **values}]
        members["queries"] = [{"id": "n", "statistic": "count", "by": ["gender"], "epsilon": 0.2}]

    hospital.write_study(change)
    said = hospital.run("check", hospital.study)
    assert "gender: no cell is one of its values." in said.out
    assert "line" not in said.out
    found = json.loads(hospital.run("check", hospital.study, "--json").out)
    nothing = {
        "line": None,
        "row": None,
        "source": "",
        "account": "",
        "fine_steps": False,
        "table": "",
        "file": 0,
    }
    none = {"code": "listed", "amount": "none", "column": "gender", **nothing}
    assert found == {"findings": [none]}
    other = hospital.folder / "other.csv"
    other.write_text("pid,gender\n1,MALE\n2,Female \n", encoding="utf-8")
    said = hospital.run("check", hospital.study, "--data", other)
    assert "gender: nearly all cells are one of its values." in said.out


@pytest.mark.threat("B5")
def test_what_is_said_holds_no_cell_no_count_and_no_share(hospital: Hospital) -> None:
    cells = ["7", *[CANARY] * 62]
    hospital.write_data("\n".join(["pid,ward,stay", *(f"{c},{c},{c}" for c in cells)]))
    for more in ((), ("--json",)):
        said = hospital.run("check", hospital.study, *more)
        assert CANARY not in said.out + said.err
        assert not {"62", "63", "1.6", "%"} & set(said.out.replace(",", " ").split())
        assert "line 3" in said.out or '"line": 3' in said.out


def test_nothing_is_kept_of_it(hospital: Hospital) -> None:
    before, at_home = holding(hospital.folder), holding(hospital.home.root)
    hospital.run("check", hospital.study)
    assert holding(hospital.folder) == before
    after = holding(hospital.home.root)
    # The log says that the command ran, and nothing of what it found.
    log = after.pop("logs/dpdesk.log").removeprefix(at_home.pop("logs/dpdesk.log", b""))
    assert re.fullmatch(rb"\S+ dpdesk \S+ command check ended with 0\n", log)
    assert after == at_home


def test_a_plan_does_not_run_it(hospital: Hospital, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_arguments: object) -> None:
        raise AssertionError("a check that nobody asked for")

    monkeypatch.setattr(check, "check_file", never)
    assert hospital.run("plan", hospital.study).status == 0
    assert hospital.run("check", hospital.study).status == 1
    assert hospital.release().status == 1


def test_one_module_of_the_shell_and_one_panel_can_run_it() -> None:
    users = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "dpdesk").rglob("*.py")
        if "import check_file" in path.read_text(encoding="utf-8")
    }
    assert users - PANEL == {"dpdesk/shell/check.py"}


def test_a_file_that_is_not_there_is_one_sentence(hospital: Hospital) -> None:
    said = hospital.run("check", hospital.study, "--data", "nowhere.csv")
    assert said.status == 1
    assert len(said.sentences) == 1


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_study_that_no_plan_is_made_of_is_not_well(
    hospital: Hospital, form: tuple[str, ...]
) -> None:
    """All cells were well, and ``plan`` refused the study for what it does not say."""

    def change(members: dict[str, Any]) -> None:
        query = {"id": "n", "statistic": "rows-per-person", "epsilon": 0.1}
        members["queries"] = [*members["queries"], query]

    assert hospital.run("check", hospital.study, *form).status == 0
    hospital.write_study(change)
    said, planned = (hospital.run(c, hospital.study, *form) for c in ("check", "plan"))
    assert said.status == planned.status == 1
    assert said.err == planned.err and "top_code" in said.err
    assert "ward" in said.out


def test_without_a_column_there_is_nothing_to_check(hospital: Hospital) -> None:
    hospital.write_study(
        lambda m: m.update(queries=[{"id": "n", "statistic": "count", "epsilon": 0.1}])
    )
    assert "Nothing unusual was found." in hospital.run("check", hospital.study).out
