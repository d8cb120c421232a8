# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.x11.window_kills [KILLS] [--seed N]``: what kill -9 costs somebody who types.

The program on a display of its own; real keys go to the study's title, and at a random moment the
process is killed. For each kill: how old the oldest edit is that the file does not hold. It ends
with 1 where one is older than half a second, or where nobody could type. One line of figures.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from dpdesk.study.json.study_files import load_study
from tests.monkey.program import digest
from tests.monkey.screen import Life, display
from tests.monkey.world import World, make

KILLS = 100
MOST_S = 0.5
FIELD = "Title of the study"
PAUSES_MS = (5, 20, 60, 150)
LATEST_S = 1.5
WORDS = "stays-in-hospital-by-age-and-sex-" * 40
"""Blanks at the end of a title are not kept, and count as no edit."""

KEY_NAMES = {"-": "minus"}


class Killed(NamedTuple):
    """One kill.

    Attributes:
        edits: how many the window had shown.
        lost: how many of them the file does not hold.
        age_s: how old the oldest of these was, in seconds.
    """

    edits: int
    lost: int
    age_s: float


def kill_one(world: World, screen: str, drawn: random.Random, number: int) -> Killed:
    """Start the program, type into the title, kill it."""
    life = Life(world, screen, drawn, number)
    if not life._wait_for_window():
        raise RuntimeError(life.findings)
    env = {**os.environ, "DISPLAY": screen}
    _click_title(life, env)
    pause = str(drawn.choice(PAUSES_MS))
    typing = subprocess.Popen(["xdotool", "type", "--delay", pause, WORDS], env=env)
    time.sleep(drawn.uniform(0.1, LATEST_S))
    killed = time.monotonic()
    life._program.kill()
    life._program.wait()
    typing.kill()
    typing.wait()
    # A key that it held down would repeat, and be a shortcut with the next Ctrl.
    held = [word for key in sorted(set(WORDS)) for word in ("keyup", KEY_NAMES.get(key, key))]
    subprocess.run(["xdotool", *held], env=env, check=True)
    life._said.close()
    return _cost(life, world.folder / f"anew-{number}.dpdesk", killed)


def _click_title(life: Life, env: dict[str, str]) -> None:
    """Click where the title is, as soon as the page that has it is in front."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        look = life.written("controls.json") or {"controls": []}
        places = [place for name, *place in look["controls"] if name == FIELD]
        if places:
            at = [str(edge) for edge in places[0]]
            subprocess.run(["xdotool", "mousemove", *at, "click", "1"], env=env, check=True)
            return
        # A window that has no focus yet hears no key.
        subprocess.run(["xdotool", "key", "ctrl+1", "sleep", "0.3"], env=env, check=True)
    front = (life.written("controls.json") or {}).get("controls")
    raise RuntimeError(f"no field {FIELD} among {front}")


def _cost(life: Life, path: Path, killed: float) -> Killed:
    lines = (life._seen / "edits.txt").read_text(encoding="utf-8").splitlines(keepends=True)
    # The last line may be half there.
    edits = [line.split("\t") for line in lines if line.endswith("\n")]
    held = load_study(path).study
    numbers = {study: number for number, (_at, study, _path) in enumerate(edits)}
    # An edit that is in the file may not have been noted any more: the one before it was.
    known = (held, replace(held, title=held.title[:-1]))
    last = max(numbers.get(digest(study), -1) for study in known)
    if last < 0:
        raise RuntimeError(f"the file holds what was never typed: {held.title!r}")
    after = [float(at) for at, *_rest in edits[last + 1 :] if float(at) < killed]
    return Killed(len(edits) - 1, len(after), killed - after[0] if after else 0.0)


def main(arguments: list[str]) -> int:
    """Kill as often as asked, and print what it cost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kills", nargs="?", type=int, default=KILLS)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    drawn, found = random.Random(asked.seed), list[Killed]()
    with display() as screen, tempfile.TemporaryDirectory() as name:
        world = make(Path(name))
        for number in range(asked.kills):
            found.append(kill_one(world, screen, drawn, number))
    ages = sorted(one.age_s for one in found)
    typed, edits = sum(one.edits > 0 for one in found), sum(one.edits for one in found)
    print(
        f"{len(found)} kills, {typed} while somebody typed, {edits} edits: "
        f"{sum(age > 0 for age in ages)} lost any; oldest lost edit median "
        f"{statistics.median(ages):.3f} s, 95 % {ages[round(0.95 * (len(ages) - 1))]:.3f} s, "
        f"most {ages[-1]:.3f} s"
    )
    return int(ages[-1] > MOST_S or typed < len(found) * 0.9)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
