# SPDX-License-Identifier: Apache-2.0
"""``dpdesk plan --levels`` and ``--people``: three confidences, and groups of people."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from dpdesk.release.ledger import Ledger
from dpdesk.study.model.amount import Delta, Rho
from tests.shell.hospital import Hospital


def planned(hospital: Hospital, *arguments: str) -> dict[str, Any]:
    return json.loads(hospital.run("plan", hospital.study, "--json", *arguments).out)


def in_rho(members: dict[str, Any]) -> None:
    members["budget"] = {"account": "wards", "rho": 0.5}
    for query in members["queries"]:
        query["rho"] = query.pop("epsilon")


def test_levels_are_printed_for_each_and_for_all_at_once(hospital: Hospital) -> None:
    out = hospital.run("plan", hospital.study, "--levels").out
    assert "all, 99 in 100" in out
    line = next(line for line in out.splitlines() if line.startswith("    1  rows"))
    numbers = [int(text) for text in line.split()[2:]]
    assert numbers[:3] == sorted(numbers[:3])
    assert all(each < together for each, together in zip(numbers[:3], numbers[3:], strict=True))
    assert "2: set the group size that you expect." in out
    assert "all, 99 in 100" not in hospital.run("plan", hospital.study).out


def test_large_levels_have_separators_as_the_table_above_has(hospital: Hospital) -> None:
    def cheap(members: dict[str, Any]) -> None:
        members["queries"] = members["queries"][:1]
        members["queries"][0]["epsilon"] = 0.001

    hospital.write_study(cheap)
    above, levels = hospital.run("plan", hospital.study, "--levels").out.split("Distance from")
    stated = re.search(r"± (\S+) rows", above)
    assert stated is not None
    assert re.fullmatch(r"\d{1,3},\d{3}", stated[1])
    assert re.search(r"\b\d{1,3},\d{3}\b", levels), levels


def test_what_a_margin_takes_for_granted_is_said(hospital: Hospital) -> None:
    def spread(members: dict[str, Any]) -> None:
        members["queries"][1] |= {"statistic": "standard-deviation", "expected": 2000}

    hospital.write_study(spread)
    out = hospital.run("plan", hospital.study).out
    said = "margin for any standard deviation: for most it is several times narrower"
    assert f"only rows with a value of stay count; {said}.\n" in out
    assert "2: Margin with an estimate of 2000 rows" in out
    assert "\n1: Margin" not in out
    first, second = planned(hospital)["queries"]
    assert (first["planned_at"], second["planned_at"][-1]) == ([], said)


def test_levels_stand_in_the_json(hospital: Hospital) -> None:
    first, second = planned(hospital)["queries"]
    assert [level["in_100"] for level in first["levels"]] == [90, 95, 99]
    assert first["levels"][1]["each"] == first["half_width_95"]
    assert second["levels"] is None
    assert "group" not in planned(hospital)


def test_a_family_of_four_costs_four_times_epsilon(hospital: Hospital) -> None:
    assert planned(hospital, "--people", "4")["group"] == {
        "people": 4,
        "epsilon": "2",
        "right_in_100": 89,
    }
    out = hospital.run("plan", hospital.study, "--people", "4").out
    assert "For 4 people together this release costs epsilon 2." in out
    assert "at most 89 in 100 times" in out


def test_a_thousand_people_are_not_protected_and_that_is_said(hospital: Hospital) -> None:
    assert planned(hospital, "--people", "10000")["group"]["right_in_100"] == 100
    out = hospital.run("plan", hospital.study, "--people", "10000").out
    assert "can nearly always be right, more than 99 in 100 times; a coin toss: 50." in out
    assert "at most 100 in 100" not in out


def test_a_group_costs_its_square_in_rho_and_means_more_at_the_same_delta(
    hospital: Hospital,
) -> None:
    hospital.write_study(in_rho)
    assert planned(hospital, "--people", "3")["group"] == {
        "people": 3,
        "rho": "4.5",
        "right_in_100": 100,
    }
    Ledger.open(hospital.home).new_account("wards", Rho.of(1), "", Delta(10**9))
    group = planned(hospital, "--people", "3")["group"]
    assert group["rho"] == "4.5"
    assert group["delta"] == "1e-9"
    alone = planned(hospital, "--people", "1")["group"]
    assert 3 * float(alone["epsilon"]) < float(group["epsilon"]) < 9 * float(alone["epsilon"])
    out = hospital.run("plan", hospital.study).out
    assert "of budget (rho)" in out


def test_a_delta_of_its_own_grows_with_the_group(hospital: Hospital) -> None:
    def found(members: dict[str, Any]) -> None:
        in_rho(members)
        members["budget"]["rho"] = 0.002
        members["queries"] = [
            {
                "id": "wards",
                "statistic": "categories-found",
                "column": "ward",
                "rho": 0.001,
                "delta": 1e-10,
            }
        ]

    hospital.write_study(found)
    Ledger.open(hospital.home).new_account("wards", Rho.of(1), "", Delta(10**9))
    alone, both = (planned(hospital, "--people", c)["group"] for c in ("1", "2"))
    assert alone["delta"] == "1e-9"
    assert float(both["epsilon"]) == pytest.approx(2 * float(alone["epsilon"]))
    assert 2e-9 < float(both["delta"]) < 3e-9
    assert "rho" not in both
    account = planned(hospital)["account"]
    assert (account["affordable"], account["problem"]["code"]) == (False, "found-none-kept")
    none = "The account “wards” has no delta for found categories."
    assert none in hospital.run("plan", hospital.study).out
    assert none in hospital.release().err
    arguments = ("account", "raise", "wards", "--found-delta", "1e-10", "--reason", "ward lists")
    assert hospital.run(*arguments).status == 0
    account = planned(hospital)["account"]
    assert (account["affordable"], account["problem"]) == (True, None)
    assert hospital.release().status == 0
    assert planned(hospital)["account"]["problem"] is None, "a stored answer costs no delta"


@pytest.mark.parametrize("people", ["0", "-3", "10001"])
def test_a_group_that_is_none_is_refused(hospital: Hospital, people: str) -> None:
    said = hospital.run("plan", hospital.study, "--people", people)
    assert said.status == 1
    assert said.sentences == ["A group has 1 to 10,000 people; choose a number in this range."]


@pytest.mark.threat("C8")
def test_the_plan_says_what_it_takes_for_granted(hospital: Hospital) -> None:
    def trusting(members: dict[str, Any]) -> None:
        members["data"]["line_breaks"] = True
        members["unit"] = {"person": None, "max_rows": 1, "neighbours": "add-remove"}

    (rounded,) = planned(hospital)["assumptions"]
    assert rounded.endswith("halves to the even one: stay in steps of 1.")
    hospital.write_study(trusting)
    said = planned(hospital)["assumptions"]
    assert [
        "one line of the data file" in said[0],
        "relies on doubled quotation marks" in said[1],
    ] == [True] * 2
    assert said[2:] == [rounded]
    assert all(words in hospital.run("plan", hospital.study).out for words in said)


def test_the_plan_is_written_as_a_pdf(hospital: Hospital) -> None:
    path = hospital.folder / "plan.pdf"
    said = hospital.run("plan", hospital.study, "--pdf", path)
    assert (said.status, said.err) == (0, "")
    assert said.out == "The plan was written to plan.pdf. No data was read.\n"
    first = path.read_bytes()
    assert first.startswith(b"%PDF-")
    hospital.data.unlink()
    said = hospital.run("plan", hospital.study, "--pdf", hospital.folder / "plan.txt")
    assert said.sentences == ["Give the plan a name that ends in .pdf; plan.txt does not."]
    assert hospital.run("plan", hospital.study, "--pdf", path, "--json").out == (
        '{\n  "pdf": "plan.pdf"\n}\n'
    )
    assert path.read_bytes() == first
    hospital.write_study(lambda members: members["queries"].pop())
    path.unlink()
    hospital.run("plan", hospital.study, "--pdf", path)
    assert path.read_bytes() != first
    assert hospital.spent == "0"
