# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.monkey [EVENTS [EVENTS_ON_SCREEN]] [--seed N] [--language CODE]``.

Monkeys, and what they found: in every language in turn unless one is named. Each has a process of
its own, so that a crash is a finding like any other, with the place in the code where it was. Where
there are events on the screen, the dialogs that no random press comes to are visited there, too. 1
where there is any finding.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

from dpdesk.desk.text.translators.chosen_language import ENGLISH, languages
from tests.monkey import screen, visitor
from tests.monkey.visits import VISITS

ROOT = Path(__file__).parents[2]
EVENTS, ON_SCREEN = 20_000, 20_000
A_MONKEY = 2_000
MOST_S = 3_600


def inside(seed: int, events: int, folder: Path, language: str = ENGLISH) -> dict[str, Any]:
    """One monkey in the window's own process; what came of it."""
    command = [sys.executable, "-X", "faulthandler", "-m", "tests.monkey.inside"]
    ended = subprocess.run(
        [*command, str(seed), str(events), str(folder), language],
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
    outcome: dict[str, Any] = json.loads(ended.stdout.splitlines()[-1])
    return outcome


def report(name: str, found: dict[str, Any]) -> bool:
    """Print what came of one; whether it found nothing."""
    stalls = "; ".join(found["stalls"][:2])
    print(f"{name:32}{found['events']:7} events {found['releases']:4} releases   {stalls}")
    for finding in found["findings"]:
        print("    ", finding)
    sys.stdout.flush()
    return not found["findings"]


def _visit(seed: int, spoken: Sequence[str]) -> bool:
    """Go to each dialog that no random press comes to; whether nothing was found."""
    good = True
    for language, visit in product(spoken, VISITS):
        with tempfile.TemporaryDirectory() as name:
            found = visitor.run(seed, visit, Path(name), language)
        good &= report(f"{visit.dialog} {language} {seed}", found)
    return good


def main(arguments: list[str]) -> int:
    """Let them loose, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("events", nargs="?", type=int, default=EVENTS)
    parser.add_argument("on_screen", nargs="?", type=int, default=ON_SCREEN)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--language", choices=languages())
    asked = parser.parse_args(arguments)
    spoken = [asked.language] if asked.language else languages()
    kinds = (("inside", inside, asked.events), ("screen", screen.run, asked.on_screen))
    good = _visit(asked.seed, spoken) if asked.on_screen else True
    for kind, monkey, most in kinds:
        for number, begun in enumerate(range(0, most, A_MONKEY)):
            seed, language = asked.seed + number, spoken[number % len(spoken)]
            with tempfile.TemporaryDirectory() as name:
                found = monkey(seed, min(A_MONKEY, most - begun), Path(name), language)
            good &= report(f"{kind} {language} {seed}", found)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
