# SPDX-License-Identifier: Apache-2.0
"""In every kind of file one person's rows move no exact vector by more than its sensitivity."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.audit.length import runs
from tests.audit.neighbour_tables import KINDS, table_violations, table_world

pytestmark = pytest.mark.audit

WORLDS = {".parquet": runs(16, 2_000)}
"""Workbooks and statistics files are read in a process of their own, which takes its time."""
FEWER = runs(4, 500)


@pytest.mark.threat("A8")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.in_turn(2)
def test_one_persons_rows_move_no_other_row(kind: str, tmp_path: Path) -> None:
    for seed in range(WORLDS.get(kind, FEWER)):
        found = table_violations(table_world(seed), kind, tmp_path, random.Random(seed))
        assert found == [], seed


def test_the_tables_hold_what_they_should() -> None:
    worlds = [table_world(seed) for seed in range(60)]
    cells = {cell for world in worlds for row in world.others for cell in row}
    assert {None, "", "abc", 3.5, "A", 'say "A", "B"'} <= cells
    assert {len(world.first) == 0 for world in worlds} == {True, False}
    assert max(len(mine) for world in worlds for mine in world.neighbours) > 5
