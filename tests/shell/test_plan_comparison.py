# SPDX-License-Identifier: Apache-2.0
"""``dpdesk plan`` says how cells are compared with the declared values."""

from __future__ import annotations

import json

from tests.shell.hospital import Hospital


def test_the_plan_says_which_comparison_holds(hospital: Hospital) -> None:
    said = hospital.run("plan", hospital.study).out
    assert "Compared with the declared values letter by letter: ward." in said

    def fold(members: dict[str, object]) -> None:
        members["columns"][0]["compare"] = "folded"  # type: ignore[index]

    hospital.write_study(fold)
    assert "ignoring case and surrounding spaces: ward." in hospital.run("plan", hospital.study).out
    planned = json.loads(hospital.run("plan", hospital.study, "--json").out)
    assert planned["comparisons"] == {"ward": "folded"}
