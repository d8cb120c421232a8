# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.monkey [EVENTS [EVENTS_ON_SCREEN]] [--seed N]``: monkeys, and what they found.

Each has a process of its own, so that a crash is a finding like any other, with the place in the
code where it was. 1 where there is any finding.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.monkey import screen

ROOT = Path(__file__).parents[2]
EVENTS, ON_SCREEN = 20_000, 10_000
A_MONKEY = 2_000
MOST_S = 3_600


def inside(seed: int, events: int, folder: Path) -> dict[str, Any]:
    """One monkey in the window's own process; what came of it."""
    command = [sys.executable, "-X", "faulthandler", "-m", "tests.monkey.inside"]
    ended = subprocess.run(
        [*command, str(seed), str(events), str(folder)],
        cwd=ROOT,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "DPDESK_HOME": str(folder / "home")},
        capture_output=True,
        text=True,
        timeout=MOST_S,
        check=False,
    )
    if ended.returncode or not ended.stdout.strip():
        crash = f"ended with {ended.returncode}: {ended.stderr[-3_000:]}"
        return {"events": 0, "releases": 0, "findings": [crash], "stalls": []}
    told: dict[str, Any] = json.loads(ended.stdout.splitlines()[-1])
    return told


def tell(name: str, found: dict[str, Any]) -> bool:
    """Print what came of one; whether it found nothing."""
    stalls = "; ".join(found["stalls"][:2])
    print(f"{name:12}{found['events']:7} events {found['releases']:4} releases   {stalls}")
    for finding in found["findings"]:
        print("    ", finding)
    sys.stdout.flush()
    return not found["findings"]


def main(arguments: list[str]) -> int:
    """Let them loose, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("events", nargs="?", type=int, default=EVENTS)
    parser.add_argument("on_screen", nargs="?", type=int, default=ON_SCREEN)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    good = True
    for number, begun in enumerate(range(0, asked.events, A_MONKEY)):
        with tempfile.TemporaryDirectory() as name:
            found = inside(asked.seed + number, min(A_MONKEY, asked.events - begun), Path(name))
            good &= tell(f"seed {asked.seed + number}", found)
    for number, begun in enumerate(range(0, asked.on_screen, A_MONKEY)):
        with tempfile.TemporaryDirectory() as name:
            events = min(A_MONKEY, asked.on_screen - begun)
            found = screen.run(asked.seed + number, events, Path(name))
            good &= tell(f"screen {asked.seed + number}", found)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
