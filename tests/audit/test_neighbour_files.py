# SPDX-License-Identifier: Apache-2.0
"""Files that differ in one person's lines: no exact vector moves by more than its sensitivity.

Nor does one person's line decide whether there is a release at all: a refusal fails here too.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from dpdesk.study.model.statistics import STATISTICS
from dpdesk.study.model.unit import THOUSANDS
from tests.audit.length import runs
from tests.audit.neighbour_files import (
    PACKED,
    SEVERAL,
    FileWorld,
    file_violations,
    file_world,
    worst_worlds,
)
from tests.audit.neighbour_studies import RESPONSE, plan_of

pytestmark = pytest.mark.audit

PAIRS = runs(short=200, full=50_000)
SLICES = 4
"""So that several workers share them."""


def violations(world: FileWorld, folder: Path, patch: pytest.MonkeyPatch) -> list[object]:
    world.read_in_pieces(patch)
    return list(file_violations(world, folder))


@pytest.mark.threat("B2")
@pytest.mark.parametrize("part", range(SLICES))
@pytest.mark.in_turn(2)
def test_one_persons_lines_move_no_other_row(
    part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(part, PAIRS // SEVERAL, SLICES):
        assert violations(file_world(seed), tmp_path, monkeypatch) == [], seed


@pytest.mark.parametrize("name", worst_worlds())
@pytest.mark.in_turn(6)
def test_no_line_reaches_beyond_itself(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert violations(worst_worlds()[name], tmp_path, monkeypatch) == []


def test_the_worlds_hold_what_they_should() -> None:
    worlds = [file_world(seed) for seed in range(200)]
    assert len({world.first for world in worlds}) > 100
    assert sum(len({w.first, *w.neighbours}) > SEVERAL // 2 for w in worlds) > 180
    # Marks that are not in order, and more of them than rows.
    assert sum(world.neighbours[0].count(b'"') % 2 for world in worlds) > 40
    encodings = {world.study.data.encoding for world in worlds if world.study.data}
    assert encodings >= {"utf-8", "utf-16", "utf-16-be", "cp1252"}


@pytest.mark.in_turn(2)
def test_the_worlds_ask_everything() -> None:
    worlds = [file_world(seed) for seed in range(400)]
    asked = [query for world in worlds for query in world.study.queries]
    assert {query.statistic for query in asked} == {*STATISTICS} - {RESPONSE}
    assert {len(query.by) for query in asked} == {0, 1, 2, 3}
    assert {world.packed for world in worlds} == {*PACKED}
    sources = [world.study.data for world in worlds if world.study.data]
    assert {data.thousands for data in sources} == {*THOUSANDS}
    plans = {plan_of(world.study) for world in worlds[:100]}
    kinds = {part.measure.kind for plan in plans for query in plan.queries for part in query.parts}
    assert {
        "tree",
        "weighted-bins",
        "joint-sums",
        "quantile-scores",
        "found",
        "magnitudes",
    } <= kinds
