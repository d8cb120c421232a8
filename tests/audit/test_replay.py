# SPDX-License-Identifier: Apache-2.0
"""Replay: between neighbours, every exact vector moves by at most its declared sensitivity.

Run on one table, record what comes out of the door; run on a neighbour, play the same outputs
back. The calls must be the same, and each measured integer distance within what was declared.

Source: Cebere, Erb, Desfontaines, Bellet and Fitzsimons, Re:cord-play (2026).
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from tests.audit.worlds import Neighbours, neighbours, run
from tests.doors import RecordingDoor, l1_distance

pytestmark = pytest.mark.audit


def replay(world: Neighbours, folder: Path) -> None:
    """Assert the claim for one pair of neighbours."""
    first = RecordingDoor()
    run(world.study, folder, world.first, first)
    second = RecordingDoor([call.noisy for call in first.calls])
    run(world.study, folder, world.second, second)
    assert [c.public for c in first.calls] == [c.public for c in second.calls]
    for here, there in zip(first.calls, second.calls, strict=True):
        assert l1_distance(here, there) <= here.sensitivity, here.name


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(world=neighbours())
def test_one_person_moves_every_answer_by_at_most_its_sensitivity(
    world: Neighbours, tmp_path: Path
) -> None:
    replay(world, tmp_path)
