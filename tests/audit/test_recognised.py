# SPDX-License-Identifier: Apache-2.0
"""What is recognised of a file by looking at its rows is published nowhere."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dpdesk.desk.core.edits import study_edits
from dpdesk.release.record.released_study import public_study
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.json.study_writer import study_to_bytes
from dpdesk.study.model.unit import RECOGNISED, DataSource
from tests.audit.recognised import NEIGHBOURS, STUDY, Neighbours, findings_of

READ = replace(
    DataSource("a.csv", "csv", ("?",), ";", ",", "cp1252", "", "S", 3, "."),
    line_ending="cr",
    row_names=True,
)


@pytest.mark.parametrize("pair", NEIGHBOURS, ids=lambda pair: pair.name)
def test_one_persons_row_moves_no_public_byte(pair: Neighbours, tmp_path: Path) -> None:
    assert list(findings_of(pair, tmp_path)) == []


@pytest.mark.threat("B1")
def test_nothing_that_was_recognised_is_released() -> None:
    published = public_study(replace(STUDY, data=READ))["data"]
    assert published == {"format": "csv", "missing": ["?"]}


@pytest.mark.parametrize("part", RECOGNISED)
def test_what_was_declared_by_hand_is_released(part: str) -> None:
    value = getattr(READ, part)
    study = study_edits.declare_reading(replace(STUDY, data=READ), **{part: value})
    published = public_study(study)["data"]
    assert published == {"format": "csv", "missing": ["?"], part: value, "by_hand": [part]}
    again = study_from_bytes(study_to_bytes(study))
    assert public_study(again)["data"] == published


def test_a_proposal_that_is_confirmed_was_not_declared_by_hand() -> None:
    by_hand = study_edits.declare_reading(replace(STUDY, data=READ), decimal=".", encoding="cp850")
    study = study_edits.confirm_reading(by_hand, decimal=",", thousands=".")
    assert study.data is not None
    assert (study.data.by_hand, study.data.decimal) == (("encoding",), ",")
