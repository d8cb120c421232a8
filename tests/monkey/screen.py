# SPDX-License-Identifier: Apache-2.0
"""A monkey on a display of its own: real key presses and mouse buttons, a window manager between.

Each life of the program ends with kill -9 in the middle of its work; what its file holds then is
compared with what its window showed.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dpdesk.desk.text.translators.chosen_language import ENGLISH
from dpdesk.study.json.study_files import load_study
from tests.monkey.program import digest
from tests.monkey.watch import HARMLESS, MOST_LOST_S
from tests.monkey.world import PASSPHRASE, PRISTINE, World, beginning_of, make

ROOT = Path(__file__).parents[2]
SIZE = (1366, 768)
A_LIFE = 250
A_HANDFUL = 8
START_S = 600
KEYS = ["Tab", "shift+Tab", "Return", "space", "Escape", "Up", "Down", "Left", "Right"]
KEYS += ["BackSpace", "Delete", "Home", "End", "Next", "F2", "F1", "F10", "Menu"]
SHORTCUTS = ["ctrl+z", "ctrl+shift+z", *(f"ctrl+{n}" for n in range(1, 7)), "ctrl+4", "ctrl+5"]
SHORTCUTS += [f"ctrl+{key}" for key in ("comma", "r", "p", "f", "a", "c", "x", "v", "n", "o", "w")]
SHORTCUTS += ["ctrl+shift+v", "ctrl+shift+s", "shift+F10", "alt+f", "alt+t", "alt+l", "shift+Down"]
RELEASE = ("release", "freigabe", "freigeb")
"""In the names of what leads to a release."""
TEXTS = ["0", "1", "14", "-3", "0.5", "1,5", "f", "m", "abc", "days", PASSPHRASE]


@contextlib.contextmanager
def display() -> Iterator[str]:
    """A screen with a window manager; its name."""
    read, write = os.pipe()
    size = f"{SIZE[0]}x{SIZE[1]}x24"
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", size, "-nolisten", "tcp"],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with open(read, encoding="ascii") as number:
        name = f":{number.readline().strip()}"
    manager = subprocess.Popen(
        ["openbox"],
        env={**os.environ, "DISPLAY": name},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield name
    finally:
        for process in (manager, server):
            process.terminate()
            process.wait()


NOTHING: dict[str, Any] = {"events": 0, "releases": 0, "findings": [], "stalls": [], "met": []}
"""What comes of a life without an event."""


@dataclass
class Life:
    """One run of the program, from its start to kill -9.

    Attributes:
        study: the file of which a copy is open at first.
        findings: what did not hold.
    """

    world: World
    screen: str
    drawn: random.Random
    number: int
    study: str = PRISTINE
    findings: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._seen = self.world.folder / f"seen-{self.number}"
        self._seen.mkdir()
        self._failed = ""
        self._lost: list[str] = []
        study = self.world.folder / f"anew-{self.number}.dpdesk"
        shutil.copyfile(self.world.folder / self.study, study)
        self._said = (self._seen / "said.txt").open("wb")
        home = str(self.world.folder / "home")
        self._env = {**os.environ, "DISPLAY": self.screen, "QT_QPA_PLATFORM": "xcb"}
        self._env |= {"DPDESK_HOME": home, "HOME": str(self.world.folder)}
        self._env |= {"PYTHONPATH": str(ROOT)}
        self._program = subprocess.Popen(
            [sys.executable, "-m", "tests.monkey.program", str(study), str(self._seen)],
            cwd=self.world.folder,
            env=self._env,
            stdout=self._said,
            stderr=self._said,
        )

    def live(self, events: int, visitor: Visitor | None = None) -> dict[str, Any]:
        """Act, kill, compare; what came of it.

        Args:
            events: so many at random,
            visitor: and what it does before.
        """
        acted = 0
        if self._wait_for_window():
            acted = visitor(self) if visitor is not None else 0
            events += acted
            while acted < events and self.is_alive:
                if not self.act():
                    # One handful in a thousand was lost: what the tool said is noted, and the
                    # next one shows whether the display is still there.
                    self._lost.append(f"lost a handful, {self._failed}")
                    if not self.act():
                        self.findings.append(f"no event comes to the display, {self._failed}")
                        break
                acted += A_HANDFUL
        self._end()
        seen = self.written("watch.json") or {"findings": [], "stalls": [], "releases": []}
        return {
            "events": acted,
            "releases": len(seen["releases"]),
            "findings": seen["findings"] + self.findings,
            "stalls": [*self._lost, *seen["stalls"]],
            "met": [(name, way) for name, ways in seen.get("met", {}).items() for way in ways],
        }

    @property
    def is_alive(self) -> bool:
        """Whether the program runs."""
        return self._program.poll() is None

    def _wait_for_window(self) -> bool:
        until = time.monotonic() + START_S
        while time.monotonic() < until and self._program.poll() is None:
            if self.written("controls.json"):
                return True
            time.sleep(0.05)
        self.findings.append(f"no window: {self._words()}")
        return False

    def written(self, name: str) -> Any:
        """What the program wrote at its last tick."""
        with contextlib.suppress(FileNotFoundError):
            return json.loads((self._seen / name).read_text(encoding="utf-8"))
        return None

    def act(self) -> bool:
        """A handful of events, as fast as a hand that is in a hurry; whether they came."""
        words: list[str] = []
        for _ in range(A_HANDFUL):
            words += [*self._event(), "sleep", "0.02"]
        return self.do(*words)

    def do(self, *words: str) -> bool:
        """Tell ``xdotool`` something; whether it could do it."""
        done = subprocess.run(
            ["xdotool", *words],
            env=self._env,
            check=False,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )
        self._failed = f"xdotool ended with {done.returncode}: {done.stderr.strip()[-500:]}"
        return done.returncode == 0

    def _event(self) -> list[str]:
        ways = [self._press, self._type, self._key, self._shortcut, self._anywhere, self._drag]
        (way,) = self.drawn.choices(ways, [34, 16, 16, 14, 8, 8])
        return way()

    def _place(self) -> list[str]:
        """A control in front, those of a release more often than others, or any point of it."""
        look = self.written("controls.json") or {}
        controls = look.get("controls", [])
        wanted = [c for c in controls if any(part in c[0].lower() for part in RELEASE)]
        if wanted and self.drawn.random() < 0.5:
            controls = wanted
        if not controls:
            return [str(self.drawn.randrange(edge)) for edge in SIZE]
        return [str(x) for x in self.drawn.choice(controls)[1:]]

    def _press(self) -> list[str]:
        return ["mousemove", *self._place(), "click", "1"]

    def _type(self) -> list[str]:
        # Without a number it types all that follows, events and all.
        return ["type", "--args", "1", "--delay", "2", "--", self.drawn.choice(TEXTS)]

    def _key(self) -> list[str]:
        return ["key", self.drawn.choice(KEYS)]

    def _shortcut(self) -> list[str]:
        return ["key", self.drawn.choice(SHORTCUTS)]

    def _anywhere(self) -> list[str]:
        point = [str(self.drawn.randrange(edge)) for edge in SIZE]
        return ["mousemove", *point, "click", self.drawn.choice("11345")]

    def _drag(self) -> list[str]:
        aim = [str(self.drawn.randrange(edge)) for edge in SIZE]
        return ["mousemove", *self._place(), "mousedown", "1", "mousemove", *aim, "mouseup", "1"]

    def _end(self) -> None:
        status, killed = self._program.poll(), time.monotonic()
        self._program.kill()
        self._program.wait()
        self._said.close()
        if status not in (None, 0):
            self.findings.append(f"ended with {status}: {self._words()}")
        elif words := self._words():
            self.findings.append(f"said: {words}")
        crash = self.world.home.logs / "crash.log"
        if crash.exists() and crash.stat().st_size:
            self.findings.append(crash.read_text(encoding="utf-8")[:2_000])
        if (log := self.world.home.logs / "faults.log").exists():
            self.findings.append(log.read_text(encoding="utf-8"))
            log.unlink()
        self._compare(killed)

    def _words(self) -> str:
        lines = (self._seen / "said.txt").read_text(errors="replace").splitlines()
        return "\n".join(li for li in lines if not any(part in li for part in HARMLESS))[-2_000:]

    def _compare(self, killed: float) -> None:
        """The file holds what the window showed half a second before the end, or later."""
        path = self._seen / "edits.txt"
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        edits = [line.split("\t") for line in lines if line.count("\t") == 2]
        if not edits or not Path(edits[-1][2]).is_file():
            return
        held = digest(load_study(Path(edits[-1][2])).study)
        ends = [float(at) for at, *_rest in edits[1:]] + [killed]
        fit = [end for end, (_at, study, _path) in zip(ends, edits, strict=True) if study == held]
        if not fit or killed - fit[-1] > MOST_LOST_S:
            lost = killed - fit[-1] if fit else killed
            self.findings.append(f"kill -9 lost edits of {lost:.2f} s")


def run(seed: int, events: int, folder: Path, language: str = ENGLISH) -> dict[str, Any]:
    """Let a monkey loose on a screen, over as many lives as its events take."""
    world, drawn = make(folder, language, beginning_of(seed)), random.Random(seed)
    found = dict(NOTHING)
    with display() as screen:
        for number, begun in enumerate(range(0, events, A_LIFE)):
            life = Life(world, screen, drawn, number).live(min(A_LIFE, events - begun))
            found = {key: found[key] + life[key] for key in found}
    return found


Visitor = Callable[[Life], int]
"""Acts in a life, and says in how many events."""
