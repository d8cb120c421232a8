# SPDX-License-Identifier: Apache-2.0
"""Replay: between neighbours, every exact vector moves by at most its declared sensitivity."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from tests.audit.length import examples
from tests.audit.pairs import pairs, row
from tests.audit.replay import violations
from tests.audit.tables import Row
from tests.audit.worlds import Neighbours, neighbours

pytestmark = pytest.mark.audit


@pytest.mark.threat("A6", "A8", "C1", "C3", "D7")
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    max_examples=examples(short=60, full=4_000),
)
@given(world=neighbours())
def test_one_person_moves_every_answer_by_at_most_its_sensitivity(
    world: Neighbours, tmp_path: Path
) -> None:
    assert violations(world, tmp_path) == []


@pytest.mark.parametrize("size", [1_000, 300_000, 5_000_000])
def test_lines_of_one_persons_note_are_nobodys_rows(size: int, tmp_path: Path) -> None:
    line = "8,5,A,F,yes,\n9,5,B,M,no,\n=ZGF0YSBvZiBhIHBpY3R1cmU=\n"
    note = line * (size // len(line))
    study = pairs()[0].study
    assert study.data is not None
    study = replace(study, data=replace(study.data, line_breaks=True))
    crowd = (row("1"), row("8", "5", "B"))
    scanned = (*crowd, Row(("7", "5", "A", "F", "yes", note), 1), row("9"))
    without = (*crowd, row("9"))
    assert violations(Neighbours(study, without, scanned), tmp_path) == []
