# SPDX-License-Identifier: Apache-2.0
"""Studies of several tables: one person's lines in any of the files move nobody else's rows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from dpdesk.study.model.columns import Column
from dpdesk.study.model.steps.derivation import operands
from dpdesk.study.model.steps.step import STEPS, OfCase, OfPerson
from tests.audit.length import runs
from tests.audit.neighbour_lattice import PAIRS
from tests.audit.several_files import (
    LEVELS,
    chain_world,
    several_violations,
    several_world,
    worst_several,
)

pytestmark = pytest.mark.audit

WORLDS = runs(short=400, full=50_000) // len(PAIRS) + 1
CHAINS = runs(short=240, full=50_000) // len(PAIRS)
SLICES = 4


@pytest.mark.threat("B2")
@pytest.mark.parametrize("part", range(SLICES))
@pytest.mark.in_turn(SLICES)
@pytest.mark.long
def test_one_persons_lines_in_any_file_move_no_answer_too_far(
    part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(part, WORLDS, SLICES):
        world = several_world(seed)
        world.read_in_pieces(monkeypatch)
        assert list(several_violations(world, tmp_path)) == [], seed


@pytest.mark.threat("C5")
@pytest.mark.parametrize("part", range(SLICES))
@pytest.mark.in_turn(SLICES)
def test_chains_over_several_tables_are_local(
    part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(part, CHAINS, SLICES):
        world = chain_world(seed)
        world.read_in_pieces(monkeypatch)
        assert list(several_violations(world, tmp_path)) == [], seed


@pytest.mark.parametrize("name", worst_several())
def test_no_table_reaches_beyond_a_person(name: str, tmp_path: Path) -> None:
    assert list(several_violations(worst_several()[name], tmp_path)) == []


@pytest.mark.in_turn(3)
def test_the_chains_hold_every_step_at_every_home() -> None:
    worlds = [chain_world(seed) for seed in range(400)]
    studies = [world.study for world in worlds]
    assert {len(study.tables) for study in studies} == {0, 1, 2}
    steps = [column.made_from for study in studies for column in study.columns]
    assert {type(step) for step in steps if step is not None} == {*STEPS}
    assert {step.table for step in steps if isinstance(step, OfPerson)} == {"", "labs"}
    assert {step.table for step in steps if isinstance(step, OfCase)} == {"labs"}
    depths = [max(depth(s.by_name, c.name) for c in s.columns) for s in studies]
    assert max(depths) >= LEVELS
    assert sum(one >= 3 for one in depths) > 100
    homes = {home for study in studies for home in study.homes.values()}
    assert homes == {"", "labs", "(people)"}
    assert sum(len({*world.lattice.files}) > len(PAIRS) // 4 for world in worlds) > 300


def depth(columns: Mapping[str, Column], name: str) -> int:
    """How many steps there are from the file to a column."""
    if columns[name].made_from is None:
        return 0
    return 1 + max((depth(columns, one) for one in operands(columns[name])), default=0)
