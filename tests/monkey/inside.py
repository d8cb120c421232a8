# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.monkey.inside SEED EVENTS FOLDER [LANGUAGE]``: one monkey.

It lives in the window's own process. The last line of its output is JSON: events, releases shown,
findings, the longest stalls.
"""

from __future__ import annotations

import json
import os
import random
import sys
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtWidgets import QApplication

from dpdesk.desk.app import application, make_window
from dpdesk.desk.core.jobs.garbage_collector import GarbageCollector
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.text.translators.chosen_language import ENGLISH
from tests.monkey.further_hands import FurtherHands
from tests.monkey.others import Others
from tests.monkey.watch import Watch
from tests.monkey.world import World, beginning_of, make

LOOK_EVERY = 50
REST_MS = 700
RESTS = 60
PAUSES_MS = (0, 0, 0, 0, 0, 0, 0, 0, 0, 40)


class Monkey:
    """Acts from a timer, so that a menu or a dialog that runs its own loop is acted on, too."""

    def __init__(self, app: QApplication, world: World, seed: int, events: int) -> None:
        self._app = app
        self._world = world
        self._drawn = random.Random(seed)
        self._events = events
        self.acted = 0
        self._rests = 0
        self.watch = Watch(world.home)
        window, others = self._opened(), Others(world, self.watch)
        self._hands = FurtherHands(window, world, self._drawn, others)
        QTimer.singleShot(0, self._step)

    @property
    def window(self) -> MainWindow:
        """The window, or the one that has taken its place."""
        return self._hands.window

    def _opened(self) -> MainWindow:
        window = make_window(self._app, self._world.home)
        self.watch.install(window)
        window.show()
        window.opening.open_any(self._world.studies[0])
        return window

    def _step(self) -> None:
        if self.acted >= self._events:
            QTimer.singleShot(0, self._leave)
            return
        QTimer.singleShot(self._drawn.choice(PAUSES_MS), self._step)
        if not self.window.isVisible():
            self.window.show()
        self.acted += 1
        self.watch.event = self._hands.act()
        self.watch.next_event(self.watch.event)
        if self.acted % LOOK_EVERY == 0:
            self.watch.check()
            self.watch.next_event("a look")

    def _leave(self) -> None:
        """Close what is in front, rest until all is saved, look once more, and end."""
        if (front := self._hands.front()) is not self.window:
            front.close()
            QTimer.singleShot(0, self._leave)
            return
        QTimer.singleShot(REST_MS, self._end)

    def _end(self) -> None:
        self._rests += 1
        document = self.window.session.document
        if document.is_writing and self._rests < RESTS:
            QTimer.singleShot(REST_MS, self._end)  # a busy machine's disk
            return
        if not document.is_saved and not document.is_at_odds:  # there, somebody is to choose
            self.watch.find("not saved after a rest")
        self.watch.check()
        self.window.close()
        self._app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        self._app.exit()


def run(seed: int, events: int, world: World) -> dict[str, object]:
    """Let a monkey loose; what came of it."""
    app = application()
    app.setQuitOnLastWindowClosed(False)
    monkey = Monkey(app, world, seed, events)
    garbage = GarbageCollector(app)
    app.exec()
    garbage.stop()
    log = world.home.logs / "faults.log"
    faults = [log.read_text(encoding="utf-8")] if log.exists() else []
    return {
        "events": monkey.acted,
        "releases": len(monkey.watch.releases),
        "findings": monkey.watch.findings + faults,
        "stalls": [f"{took:.2f} s {event}" for took, event in monkey.watch.stalls],
    }


if __name__ == "__main__":
    folder = Path(sys.argv[3])
    os.environ["DPDESK_HOME"] = str(folder / "home")
    seed, language = int(sys.argv[1]), (sys.argv[4:] or [ENGLISH])[0]
    world = make(folder, language, beginning_of(seed))
    json.dump(run(seed, int(sys.argv[2]), world), sys.stdout)
    print()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
