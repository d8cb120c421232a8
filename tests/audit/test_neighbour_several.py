# SPDX-License-Identifier: Apache-2.0
"""Several files that differ in one person's lines: nobody else's rows move, in any table."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpdesk.study.checks.study_checks import check
from tests.audit.length import runs
from tests.audit.neighbour_lattice import PAIRS
from tests.audit.neighbour_several import several_files
from tests.audit.several_files import several_violations

pytestmark = pytest.mark.audit

WORLDS = runs(short=350, full=50_000) // len(PAIRS) + 1
SLICES = 4
"""So that several workers share them."""


@pytest.mark.threat("C5")
@pytest.mark.parametrize("part", range(SLICES))
@pytest.mark.in_turn(2)
@pytest.mark.long
def test_one_persons_lines_in_any_file_move_no_other_row(
    part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(part, WORLDS, SLICES):
        world = several_files(seed)
        world.read_in_pieces(monkeypatch)
        assert list(several_violations(world, tmp_path)) == [], seed


def test_the_worlds_are_sound_and_hold_what_they_should() -> None:
    worlds = [several_files(seed) for seed in range(60)]
    assert {check(world.study) for world in worlds} == {()}
    assert {len(world.lattice.files[0]) for world in worlds} == {3, 4, 5, 6}
    assert {world.study.tables[0].keep for world in worlds} == {"smallest", "first", "last"}
    units = [world.study.unit for world in worlds if world.study.unit]
    assert {unit.neighbours for unit in units} == {"add-remove", "change-one"}
    assert {unit.without_id for unit in units} == {"drop", "one-person"}
    assert {unit.id_shape is None for unit in units} == {True, False}


def test_neighbours_differ_in_any_number_of_their_files() -> None:
    lattices = [several_files(seed).lattice for seed in range(60)]
    changed = [
        sum(a != b for a, b in zip(one.files[at], one.files[to], strict=True))
        for one in lattices
        for at, to in PAIRS
    ]
    assert {*changed} >= {1, 2, 3, 4}
    assert changed.count(0) < len(changed) / 20
