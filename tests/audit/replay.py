# SPDX-License-Identifier: Apache-2.0
"""Replay: run on one table and record the door, run on a neighbour and play its outputs back.

Source: Cebere, Erb, Desfontaines, Bellet and Fitzsimons, Re:cord-play (2026).
"""

from __future__ import annotations

from pathlib import Path

from tests.audit.worlds import Neighbours, run
from tests.doors import RecordingDoor, distance


def measured(world: Neighbours, folder: Path) -> list[tuple[str, int, float]]:
    """Each draw's name, its declared sensitivity and the measured integer distance.

    Raises:
        AssertionError: the two runs made different calls.
    """
    first = RecordingDoor()
    run(world.study, folder, world.first, first, world.styles[0])
    second = RecordingDoor([call.noisy for call in first.calls])
    run(world.study, folder, world.second, second, world.styles[1])
    assert [c.public for c in first.calls] == [c.public for c in second.calls]
    return [
        (here.name, here.sensitivity, distance(here, there))
        for here, there in zip(first.calls, second.calls, strict=True)
    ]


def violations(world: Neighbours, folder: Path) -> list[tuple[str, int, float]]:
    """The draws whose distance exceeds what was declared."""
    return [found for found in measured(world, folder) if found[2] > found[1]]
