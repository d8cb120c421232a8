# SPDX-License-Identifier: Apache-2.0
"""A release on a disk that is full after so many blocks, then the same with room."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from dpdesk.study.model.amount import Epsilon
from tests.audit.length import MEMORY
from tests.faults.failing_calls import BUDGET, SPENT, left_behind, make_hospital, quick_keys
from tests.faults.outcome import Outcome, together
from tests.release import small_disk

FREE = (*range(24), *range(24, 512, 16))
"""Blocks of 4 KiB; with the most of them every command here has room enough."""
_SHOW = ["account", "show", "small", "--json"]


def sweep() -> Outcome:
    """Every number of blocks."""
    with quick_keys(), tempfile.TemporaryDirectory(dir=MEMORY) as name:
        template, disk = Path(name) / "template", Path(name) / "disk"
        template.mkdir()
        disk.mkdir()
        make_hospital(template)
        return together(_outcome(template, disk, free) for free in FREE)


def _outcome(template: Path, disk: Path, free: int) -> Outcome:
    """What was shown and spent on the full disk, and then with room."""
    # A second release of the same extract is refused unless it is asked for by name.
    release = ["release", f"{disk}/small.dpdesk", "--yes", "--fresh", "--out", f"{disk}/b.zip"]
    order = [release, _SHOW, release, ["ledger", "check"], _SHOW]
    said: Any = json.loads(
        small_disk.answer(json.dumps([str(template), str(disk), f"{disk}/home", free, order]))
    )
    if not isinstance(said, list):
        return Outcome(1, 0, 0, 0, wrong=(f"{free} blocks: {said}",))
    first, shown, second, checked, after, files = said
    wrong = []
    if first["status"] and ("Nothing was spent" not in first["err"] or first["out"]):
        wrong.append(f"it failed without a sentence: {first['err']}")
    if second["status"] != int(first["status"] == 0) or checked["status"]:
        wrong.append(f"the same command with room: {second}")
    if json.loads(after["out"])["spent"] != str(SPENT) or "b.zip" not in files["files"]:
        wrong.append("it was not paid once and written")
    wrong += left_behind(files["files"])
    spent = Epsilon.of(json.loads(shown["out"])["spent"]).units
    is_shown = first["status"] == 0 or bool(first["out"])
    faults = tuple(f"{free} blocks: {fault}" for fault in wrong)
    paid = SPENT.units if is_shown else 0
    return Outcome(1, paid, spent, BUDGET.units, int("b.zip" in files["files"]), faults).held()
