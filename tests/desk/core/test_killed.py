# SPDX-License-Identifier: Apache-2.0
"""A killed program loses at most half a second of edits, however fast they come."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.waiting import wait_until

ROOT = Path(__file__).parents[3]
MOST_BEATS = 50
"""Half a second, as the process that types counts it: where others have the machine, it waits."""


def lost_beats(path: Path, pause_ms: int, after_beats: int) -> int:
    """Kill a process that types; how old its oldest edit is that the file does not hold.

    It types every so many milliseconds, and is killed after so many beats of 10 ms.
    """
    command = [sys.executable, "-m", "tests.desk.core.typing", str(path), str(pause_ms)]
    said = path.with_suffix(".said")

    def typed() -> list[tuple[int, int]]:
        # The last line may be half there.
        lines = said.read_text().splitlines(keepends=True)
        pairs = [line.split() for line in lines if line.endswith("\n")]
        return [(int(number), int(beat)) for number, beat in pairs]

    def is_late() -> bool:
        return child.poll() is not None or (bool(typed()) and typed()[-1][1] >= after_beats)

    with said.open("w") as out, subprocess.Popen(command, cwd=ROOT, stdout=out) as child:
        wait_until(is_late)
        child.kill()
    edits = typed()
    kept = int(json.loads(path.read_text(encoding="utf-8"))["title"])
    now = edits[-1][1]
    return now - min((beat for number, beat in edits if number > kept), default=now)


@pytest.mark.parametrize(("pause_ms", "after_beats"), [(0, 85), (10, 175)])
def test_at_most_half_a_second_is_lost(pause_ms: int, after_beats: int, tmp_path: Path) -> None:
    assert lost_beats(tmp_path / "typed.dpdesk", pause_ms, after_beats) <= MOST_BEATS


def test_at_most_half_a_second_of_slow_typing_is_lost(tmp_path: Path) -> None:
    """Three at once: slow typing leaves the machine time for all."""
    pauses, ends = (30, 100, 300), (170, 110, 150)
    paths = [tmp_path / f"{pause}.dpdesk" for pause in pauses]
    with ThreadPoolExecutor(len(pauses)) as pool:
        lost = dict(zip(pauses, pool.map(lost_beats, paths, pauses, ends), strict=True))
    assert {pause: age for pause, age in lost.items() if age > MOST_BEATS} == {}
