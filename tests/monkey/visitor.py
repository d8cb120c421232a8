# SPDX-License-Identifier: Apache-2.0
"""Goes to the dialogs that random presses do not come to, and plays there, on the screen.

Each dialog is opened, meets a handful of random events, is typed into and left; then it is opened
again, filled in and agreed to. After that the life goes on at random, wherever that led.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.monkey import visits
from tests.monkey.screen import A_HANDFUL, NOTHING, TEXTS, Life, display
from tests.monkey.visits import STRANGER, Choose, Key, Press, Step, Visit, Write
from tests.monkey.world import HANDED
from tests.x11.spoken import Spoken, is_called

PATIENCE_S = 12.0
"""While the program is at work, as long again."""
WORKS_S = 120.0
NOBODY: dict[str, Any] = {
    "kind": "",
    "controls": [],
    "fields": [],
    "front": [0, 0, 0, 0],
    "tick": 0,
    "works": False,
    "page": "",
}
RAIL = 220
"""Its width, or less."""
SCROLL_AFTER_S = 1.5
TRIES = 3
HANDFULS = 3
AFTERWARDS = 80
"""Random events after a visit."""
NOTCHES = 8
UP, DOWN = "4", "5"
PAGE = ("640", "480")
"""A place on the page where the wheel rolls it."""


class Visitor:
    """The hands of one visit; counts what they do.

    Args:
        visit: where to.
        spoken: what the program calls things.
        drawn: what is typed where it does not matter.
        plays: whether it first does anything there.

    Attributes:
        agreed: whether the dialog was filled in and agreed to.
    """

    def __init__(
        self, visit: Visit, spoken: Spoken, drawn: random.Random, plays: bool = True
    ) -> None:
        self._visit = visit
        self._plays = plays
        self._spoken = spoken
        self._drawn = drawn
        self._events = 0
        self._missed: list[str] = []
        self.agreed = False

    def __call__(self, life: Life) -> int:
        """Play at a dialog and leave it, then agree to it; in so many events."""
        self._life = life
        self._await(lambda look: bool(look["page"]))  # the study is open
        self._take(self._visit.first)
        begun = [*self._missed]
        was_there = self._plays and self._arrive()
        if was_there:
            self._play()
            self._leave()
        if self._arrive():
            self._missed.clear()
            self._take(self._visit.agree)
            self.agreed = not self._missed
            time.sleep(1)
            self._leave()
        elif was_there:
            self._missed.clear()  # a random press agreed to it, after which there is no way
        else:
            self._missed = [*begun, *self._missed]  # without it there is no way
        life.findings += self._missed
        return self._events

    def _arrive(self) -> bool:
        """Go the way until the dialog is there."""
        for _ in range(TRIES):
            self._missed.clear()
            self._take(self._visit.way)
            if self._await(lambda look: look["kind"] == self._visit.dialog):
                return True
            self._leave()
        self._missed.append(f"no way to {self._visit.dialog}: {self._front()}")
        return False

    def _play(self) -> None:
        """Type into each field, then do anything."""
        for name in [*self._in_front()["fields"]]:
            if at := self._place(name, self._in_front()):
                self._do("mousemove", *at, "click", "1")
                self._do("type", "--delay", "2", "--", self._drawn.choice(TEXTS))
        for _ in range(HANDFULS):
            if self._in_front()["kind"] == self._visit.dialog:
                self._life.act()
                self._events += A_HANDFUL

    def _leave(self) -> None:
        """Until the window is in front again."""
        for _ in range(4 * TRIES):
            look = self._in_front()
            if look["kind"] == "MainWindow":
                self._do("windowactivate", str(look["window"]))  # over the handbook
                return
            self._do("key", "Escape")
            time.sleep(0.4)

    def _take(self, steps: tuple[Step, ...]) -> None:
        for step in steps:
            match step:
                case Press(name):
                    self._press(name)
                case Key(names):
                    for key in names.split():
                        self._rest()
                        self._do("key", key, "sleep", "0.3")
                case Choose(file):
                    self._choose(self._life.world.folder / file)
                case Write(name, text):
                    self._write(name, text)

    def _press(self, name: str) -> None:
        if at := self._found(name):
            self._do("mousemove", *at, "click", "1", "sleep", "0.3")
        else:
            self._missed.append(f"{self._visit.dialog}: nothing called {name}: {self._front()}")

    def _write(self, name: str, text: str) -> None:
        if text == STRANGER:
            text = (self._life.world.folder / HANDED[0]).read_text(encoding="ascii").strip()
        self._press(name)
        self._do("key", "ctrl+a")
        self._do("type", "--delay", "4", "--", text)

    def _choose(self, path: Path) -> None:
        if self._await(lambda look: look["kind"] == "QFileDialog"):
            self._do("key", "ctrl+a")
            self._do("type", "--delay", "4", "--", str(path))
            self._do("key", "Return", "sleep", "0.5")
        else:
            self._missed.append(f"{self._visit.dialog}: no dialog for {path.name}: {self._front()}")

    def _found(self, name: str) -> list[str]:
        """Where something is, scrolled to if need be; nowhere after some patience.

        A page that fills itself moves what is on it: it is pressed where it comes to rest.
        """
        begun, rolled, before = time.monotonic(), 0, NOBODY
        at: list[str] = []
        for look in self._looks():
            at = self._place(name, look)
            if at and _is_at_rest(before, look):
                return at
            if not (at or look["works"]) and time.monotonic() > begun + SCROLL_AFTER_S:
                turn = DOWN if rolled % (2 * NOTCHES) < NOTCHES else UP
                self._do("mousemove", *PAGE, "click", "--repeat", "2", turn)
                rolled += 1
            before = before if before["tick"] == look["tick"] else look
        return at

    def _rest(self) -> None:
        """Wait until nothing moves any more: a key is lost on a window that is not there yet."""
        before = NOBODY
        for look in self._looks():
            if _is_at_rest(before, look):
                return
            before = before if before["tick"] == look["tick"] else look

    def _looks(self) -> Iterator[dict[str, Any]]:
        """What is in front, again and again, until patience is at its end."""
        begun = idle = time.monotonic()
        while min(idle + PATIENCE_S, begun + WORKS_S) > time.monotonic() and self._life.is_alive:
            look = self._in_front()
            yield look
            if look["works"]:
                idle = time.monotonic()
            time.sleep(0.1)

    def _place(self, name: str, look: dict[str, Any]) -> list[str]:
        """Where something of a name is, or of one that begins so; on the page, not in the rail."""
        named: list[list[int]] = []
        for wanted in (self._spoken.of(name), self._spoken.beginning(name)):
            found = [at for called, *at in look["controls"] if is_called(wanted, _plain(called))]
            named = named or found
        on_page = [at for at in named if at[0] > look["front"][0] + RAIL]
        return [str(edge) for at in (on_page or named)[:1] for edge in at]

    def _await(self, fits: Callable[[dict[str, Any]], bool]) -> bool:
        return any(fits(look) for look in self._looks())

    def _in_front(self) -> dict[str, Any]:
        """What is in front at least one tick after the last event."""
        return self._life.written("controls.json") or NOBODY

    def _front(self) -> str:
        look = self._in_front()
        return f"{look['kind']} with {sorted(name for name, *_at in look['controls'])}"

    def _do(self, *words: str) -> None:
        """One event, and a tick."""
        self._events += 1
        self._life.do(*words)
        time.sleep(0.25)


def _is_at_rest(before: dict[str, Any], look: dict[str, Any]) -> bool:
    """Whether nothing came, went or moved from one tick to a later one, nor will by itself."""
    is_later = look["tick"] != before["tick"]
    same = all(look[part] == before[part] for part in ("kind", "front", "controls"))
    return is_later and same and not look["works"]


def _plain(name: str) -> str:
    """Without the mark of the letter that Alt reaches."""
    return name.replace("&&", "\0").replace("&", "").replace("\0", "&")


def run(seed: int, visit: Visit, folder: Path, language: str) -> dict[str, Any]:
    """One visit in a world of its own, and where playing leaves no way to agree, another."""
    drawn, spoken = random.Random(seed), Spoken(language)
    found = dict(NOTHING)
    for plays in (True, False):
        visitor, place = Visitor(visit, spoken, drawn, plays), folder / f"plays-{plays}"
        place.mkdir()
        with display() as screen:
            life = Life(visits.make(place, language), screen, drawn, 0, visit.study)
            lived = life.live(AFTERWARDS, visitor)
        found = {key: found[key] + lived[key] for key in found}
        if visitor.agreed or found["findings"]:
            break
    if visitor.agreed:
        found["met"].append((visit.dialog, "agreed"))
    return found
