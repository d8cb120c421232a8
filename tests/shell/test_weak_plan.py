# SPDX-License-Identifier: Apache-2.0
"""``dpdesk plan`` names what is weak, with the one change that helps, without opening the data."""

from __future__ import annotations

import json
import string
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from dpdesk.privacy.planning.remedies import Remedy
from dpdesk.privacy.planning.weak import Weakness
from dpdesk.shell.weak import wording
from dpdesk.study.text.unit_names import PLAIN
from dpdesk.texts.weaknesses import ACTIONS, FIRST, REST, action, first, rest
from tests.shell.hospital import Hospital


def planned(hospital: Hospital) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(
        hospital.run("plan", hospital.study, "--json").out
    )["weak"]  # fmt: skip
    return found


def test_a_mean_without_a_guess_is_named_in_words_and_in_json(hospital: Hospital) -> None:
    total, found = planned(hospital)
    assert (total["query"], total["code"]) == ("stays", "no-guess-total")
    assert (found["query"], found["code"], found["remedy"]["code"]) == (
        "mean-stay", "no-guess", "guess",
    )  # fmt: skip
    line = f"2: {found['sentence']} Enter an estimate."
    assert line in hospital.run("plan", hospital.study).out.splitlines()


def test_a_plan_that_drowns_says_what_helps_whatever_the_file_holds(hospital: Hospital) -> None:
    def small(members: dict[str, Any]) -> None:
        members["queries"][1]["expected"] = 1
        members["queries"][1]["by"] = ["ward"]

    hospital.write_study(small)
    said = hospital.run("plan", hospital.study).out
    found = planned(hospital)
    assert [one["query"] for one in found] == ["stays", "mean-stay"]
    assert found[1]["code"] == "whole-range"
    assert all(one["remedy"]["sentence"] in said for one in found)
    (hospital.folder / "stays.csv").unlink()
    assert hospital.run("plan", hospital.study).out == said
    assert planned(hospital) == found


def test_every_weakness_and_remedy_has_its_words() -> None:
    assert FIRST.keys() == REST.keys()
    for code in FIRST:
        assert first(made(code), wording(PLAIN)).endswith(".")
        said = rest(replace(made(code), percent_factor=100), wording(PLAIN))
        assert said.endswith(".")
        assert ("%" in said) == code.endswith("-range"), "times and bounds are no shares"
    for code in ACTIONS:
        margin = None if code.endswith("+unknown") else Fraction(1600)
        names = dict.fromkeys(fields(ACTIONS[code]) - {"margin"}, "17")
        found = Remedy(code.removesuffix("+unknown"), None, margin, names)
        said = action(Weakness("q", "group", "EUR", itself(found)), wording(PLAIN))
        assert ("± 1600 EUR" in said) == ("margin" in fields(ACTIONS[code]))
        assert code != "more-budget" or said == "Spend 17 for ± 1600 EUR"


def itself(found: Remedy) -> Callable[[], Remedy]:
    return lambda: found


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def made(code: str) -> Weakness:
    numbers = dict.fromkeys(fields(REST[code]) - {"rows"}, Fraction(17))
    return Weakness("q", code, "days", lambda: Remedy("guess"), lambda: numbers)
