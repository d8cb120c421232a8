# SPDX-License-Identifier: Apache-2.0
"""``dpdesk fit``: shares from margins and totals, printed, and saved where that is asked."""

from __future__ import annotations

import json

import pytest

from tests.shell.hospital import STUDY, Hospital


def shares(hospital: Hospital) -> dict[str, float]:
    """The shares that the study's file holds."""
    members = json.loads(hospital.study.read_text(encoding="utf-8"))
    return {query["id"]: query["epsilon"] for query in members["queries"]}


def test_a_margin_gives_the_smallest_share_and_leaves_the_file(hospital: Hospital) -> None:
    before = hospital.study.read_bytes()
    said = hospital.run("fit", hospital.study, "--within", "stays=20", "--json")
    assert said.status == 0
    found = json.loads(said.out)
    assert [q["share_before"] for q in found["queries"]] == ["0.2", "0.3"]
    assert float(found["queries"][0]["half_width_95"]) <= 20
    assert found["queries"][0]["share"] < "0.6"
    assert not found["written"]
    assert hospital.study.read_bytes() == before
    assert hospital.spent == "0"


def test_what_is_written_is_what_the_plan_then_says(hospital: Hospital) -> None:
    arguments = ("--total", "0.9", "--weights", "stays=2", "--write")
    said = hospital.run("fit", hospital.study, *arguments)
    assert said.status == 0
    assert "Written to small.dpdesk." in said.out
    assert shares(hospital) == {"stays": 0.6, "mean-stay": 0.3}
    plan = json.loads(hospital.run("plan", hospital.study, "--json").out)
    assert plan["total"] == "0.9"
    members = json.loads(hospital.study.read_text(encoding="utf-8"))
    assert members["columns"][0]["basis"] == STUDY["columns"][0]["basis"]


def test_locks_keep_their_shares(hospital: Hospital) -> None:
    hospital.run("fit", hospital.study, "--total", "1", "--lock", "mean-stay", "--write")
    assert shares(hospital) == {"stays": 0.7, "mean-stay": 0.3}


def test_margins_come_first_and_what_is_left_is_spread(hospital: Hospital) -> None:
    arguments = ("--within", "stays=20", "--total", "1", "--json")
    found = json.loads(hospital.run("fit", hospital.study, *arguments).out)
    assert found["total"] == "1"
    alone = json.loads(hospital.run("fit", hospital.study, *arguments[:2], "--json").out)
    assert found["queries"][0]["share"] == alone["queries"][0]["share"]


def test_a_total_is_in_the_measure_of_the_study(hospital: Hospital) -> None:
    def in_rho(members: dict) -> None:
        members["budget"] = {"account": "small", "rho": 0.5}
        for query in members["queries"]:
            del query["epsilon"]

    hospital.write_study(in_rho)
    said = hospital.run("fit", hospital.study, "--total", "0.000000007", "--json")
    assert [q["share"] for q in json.loads(said.out)["queries"]] == ["0.000000004", "0.000000003"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            (),
            (
                "Set a goal for the shares: --within QUERY=MARGIN, or --total with an amount to "
                "spread."
            ),
        ),
        (("--lock", "stays"), "Weights and locks spread a total; give it with --total."),
        (
            ("--within", "stays"),
            "Write “stays” as QUERY=NUMBER with a number above 0, such as stays=10.",
        ),
        (
            ("--within", "stays=-1"),
            "Write “stays=-1” as QUERY=NUMBER with a number above 0, such as stays=10.",
        ),
        (
            ("--total", "1", "--weights", "stays=nan"),
            "Write “stays=nan” as QUERY=NUMBER with a number above 0, such as stays=10.",
        ),
        (
            ("--within", "stays=3", "--within", "stays=4"),
            "“stays” is named twice; name it once.",
        ),
        (
            ("--total", "1", "--lock", "stays,stays"),
            "“stays” is named twice; name it once.",
        ),
        (
            ("--within", "beds=3"),
            "The study has no query “beds”; it has stays, mean-stay.",
        ),
        (
            ("--within", "mean-stay=3"),
            "“mean-stay” divides by the size of a group; set the size that you expect, so that "
            "its margin is known before the release.",
        ),
        (
            ("--within", "stays=2"),
            (
                "The queries would cost 2.573752, 1.573752 over this study's limit of 1; choose "
                "wider margins."
            ),
        ),
        (("--total", "0,5"), "Write the amount with a point, such as 0.25."),
        (
            ("--total", "3"),
            "3 is over this study's limit of 1; spread less.",
        ),
        (
            ("--total", "0.3", "--lock", "mean-stay"),
            (
                "0.3 is too little to spread: locked queries have 0.3, and the others need at "
                "least 0.000001."
            ),
        ),
        (
            ("--total", "1", "--lock", "mean-stay,stays"),
            "Every query is locked, with 0.5 in total, so none of 1 can be spread; lock fewer.",
        ),
        (
            ("--total", "1", "--lock", "stays", "--weights", "stays=2"),
            "“stays” is locked and has a weight; remove one of them.",
        ),
    ],
)
def test_what_cannot_be_fitted_is_one_sentence_and_writes_nothing(
    hospital: Hospital, arguments: tuple[str, ...], sentence: str
) -> None:
    before = hospital.study.read_bytes()
    said = hospital.run("fit", hospital.study, "--write", *arguments)
    assert said.status == 1
    assert said.sentences == [sentence]
    assert said.out == ""
    assert hospital.study.read_bytes() == before
