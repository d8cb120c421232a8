# SPDX-License-Identifier: Apache-2.0
"""A release's derived columns on real files are what pandas says, and a difference is seen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from dpdesk.study.checks.study_checks import check
from tests.acceptance import prepare
from tests.acceptance.__main__ import main
from tests.acceptance.pandas_tables import Figures
from tests.acceptance.prepare import CASES, Case, compared, study_of


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_each_study_is_sound_and_each_of_its_queries_is_compared(case: Case) -> None:
    study = study_of(case)
    assert check(study) == ()
    assert set(case.expected) == {query.id for query in study.queries}
    assert {c.name for c in study.columns} == study.used_names, "no column that nobody asks of"


QUICK = [case for case in CASES if case.study != "diabetes"]


@pytest.mark.parametrize("case", QUICK, ids=[case.name for case in QUICK])
@pytest.mark.in_turn(2)
def test_a_release_says_what_pandas_says(case: Case, shared_data: Path) -> None:
    found = list(compared(case, shared_data))
    assert [one for one in found if one.differing or not one.figures] == []


def test_a_difference_is_named_by_its_group_and_fails(
    shared_data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def one_less(cells: pd.DataFrame) -> Figures:
        figures = case.expected["weekday"](cells)
        return {**figures, ("3",): figures["3",] - 1}

    case = CASES[0]
    wrong = replace(case, expected={**case.expected, "weekday": one_less})
    monkeypatch.setattr(prepare, "CASES", (wrong,))
    assert main(["prepare"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert [line for line in said if "DIFFERS" in line] == [
        "patients      Count of rows, by weekday: DIFFERS in 3 (groups: 1)"
    ]


def test_files_that_are_not_there_are_said_and_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(prepare, "SHARED_DATA", tmp_path)
    assert main(["prepare"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert [line for line in said if "skipped" in line] == [
        f"{case.name:<13} skipped: {case.file} is not on this machine" for case in CASES
    ]
