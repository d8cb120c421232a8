# SPDX-License-Identifier: Apache-2.0
"""A slice of the monkeys: random events; nothing crashes, hangs, is lost or unpaid."""

from __future__ import annotations

import gc
import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyqtgraph.Qt.internals import PrimitiveArray
from PySide6.QtCore import QRectF, Qt, QtMsgType
from PySide6.QtGui import QDesktopServices, QKeyEvent
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from dpdesk.desk.pages.people.account_dialog import NewAccountDialog
from dpdesk.desk.text.translators.chosen_language import languages
from tests.audit.length import some
from tests.desk.conftest import OpenWindow
from tests.desk.dialogs import dialog_classes
from tests.desk.screens import settle
from tests.monkey import screen, watch
from tests.monkey.__main__ import inside
from tests.monkey.further_hands import FurtherHands
from tests.monkey.others import Others
from tests.monkey.visitor import NOBODY, Visitor
from tests.monkey.visits import VISITS, Press, Write
from tests.monkey.watch import Watch, unhandled_wrappers
from tests.monkey.world import World
from tests.x11.spoken import Spoken

EVENTS = 40
IN_TIME = re.compile(r"^(stood still for|edits of|kill -9 lost edits of) ")


@pytest.mark.parametrize("language", some(languages(), 2))
@pytest.mark.in_turn(2)
def test_random_events_break_nothing(language: str, tmp_path: Path) -> None:
    found = inside(3, EVENTS, tmp_path, language)
    assert not found["findings"], "\n".join(found["findings"])
    assert found["events"] == EVENTS


BREACHES = """
import json, os, sys, time
from dataclasses import replace
from pathlib import Path
os.environ["DPDESK_HOME"] = str(Path(sys.argv[1]) / "home")
from PySide6.QtCore import QTimer, qWarning
from tests.monkey import inside, world
from dpdesk.desk.core.document import Document
Document._autosave = lambda self: None
def breach(monkey):
    qWarning("a warning")
    monkey.watch.releases[1] = "no such head"
    begun = time.thread_time()
    while time.thread_time() < begun + 1.6:
        pass
    raise ValueError("a fault")
made = inside.Monkey.__init__
def init(self, *given):
    made(self, *given)
    QTimer.singleShot(0, lambda: breach(self))
inside.Monkey.__init__ = init
left = inside.Monkey._leave
def leave(self):
    # Whatever the random hands did, there is an edit to be lost.
    document = self.window.session.document
    document.edit(replace(document.study, title="Edited last"), "Edit")
    left(self)
inside.Monkey._leave = leave
print(json.dumps(inside.run(3, 20, world.make(Path(sys.argv[1])))))
sys.stdout.flush()
os._exit(0)
"""
FINDINGS = [
    "Qt: a warning",
    "ValueError: a fault",
    "stood still",
    "not in the ledger",
    "after a rest",
]


@pytest.mark.long
@pytest.mark.in_turn(2)
def test_a_monkey_reports_what_it_meets(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", BREACHES, str(tmp_path)],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
    )
    findings = json.loads(ended.stdout.splitlines()[-1])["findings"]
    assert [kind for kind in FINDINGS if not any(kind in finding for finding in findings)] == []


def test_a_crash_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", shutil.which("false"))
    assert "ended with 1" in inside(3, 1, tmp_path)["findings"][0]


@pytest.mark.skipif(
    not all(shutil.which(tool) for tool in ("Xvfb", "openbox", "xdotool")),
    reason="needs Xvfb, openbox, xdotool",
)
@pytest.mark.in_turn(2)
def test_a_monkey_reaches_the_program_on_a_screen(tmp_path: Path) -> None:
    found = screen.run(1, 24, tmp_path, "de")
    assert found["events"] == 24
    # On a busy machine all of it takes longer; whatever else is found counts.
    assert [finding for finding in found["findings"] if not IN_TIME.search(finding)] == []


def test_what_a_visit_presses_is_a_sentence_of_the_program() -> None:
    """A way whose button was called something else since would lead nowhere."""
    german = Spoken("de")._texts
    taken = [step for visit in VISITS for step in (*visit.first, *visit.way, *visit.agree)]
    names = {step.name for step in taken if isinstance(step, Press | Write)}
    assert [name for name in sorted(names) if not german[name]] == []
    assert {visit.dialog for visit in VISITS} <= {kind.__name__ for kind in dialog_classes()}


class Moving:
    """A life whose button comes to rest after some ticks."""

    is_alive = True

    def __init__(self, lefts: list[int], works: list[bool]) -> None:
        self._ticks = enumerate(zip(lefts, works, strict=True))

    def written(self, _name: str) -> dict[str, object]:
        """What the next tick tells."""
        tick, (left, works) = next(self._ticks)
        return {**NOBODY, "controls": [["Go on", left, 5]], "tick": tick, "works": works}


def test_a_visit_presses_what_has_come_to_rest() -> None:
    """Pressed where it had been a moment ago, it led nowhere on a busy machine."""
    visitor = Visitor(VISITS[0], Spoken("en"), random.Random(1))
    lefts, works = [10, 60, 60, 400, 400], [False, True, True, False, False]
    visitor._life = Moving(lefts, works)  # type: ignore[assignment]
    assert visitor._found("Go on") == ["400", "5"]


class Pressed(QWidget):
    """Looks for kept wrappers while it handles a press."""

    found: dict[str, str]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Look."""
        self.found = unhandled_wrappers()


@pytest.mark.parametrize("are_known", [True, False])
def test_a_press_is_not_kept_while_it_is_handled(
    are_known: bool, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    widget = Pressed()
    qtbot.addWidget(widget)
    if not are_known:
        monkeypatch.setattr(watch, "_handled", set)
    before = unhandled_wrappers()
    qtbot.keyClick(widget, Qt.Key.Key_A)
    assert widget.found.keys() - before.keys() == (set() if are_known else {"QKeyEvent"})


def test_who_holds_a_wrapper_is_seen_where_the_collector_leaves_it_alone(qtbot: QtBot) -> None:
    array = PrimitiveArray(QRectF, 4)
    array.resize(2)
    before = unhandled_wrappers()
    gc.freeze()  # as the program does when all is loaded
    try:
        array.instances()
        assert unhandled_wrappers().keys() == before.keys()
    finally:
        gc.unfreeze()


@pytest.mark.parametrize(
    ("message", "is_found"),
    [
        ("QFSFileEngine::open: No file name specified", False),
        ("QDragManager::drag in possibly invalid state", False),
        ("QFSFileEngine::open: something else", True),
    ],
)
def test_what_qt_says_of_itself_is_no_finding(message: str, is_found: bool, tmp_path: Path) -> None:
    watch = Watch(World(tmp_path, ()).home)
    watch._hear(QtMsgType.QtWarningMsg, None, message)
    assert bool(watch.findings) is is_found


@pytest.fixture
def hands(open_window: OpenWindow, study_file: Path, tmp_path: Path) -> Iterator[FurtherHands]:
    """Hands on a window, with the file dialogs and what they replaced put back afterwards."""
    window = open_window(study_file)
    kept = {name: QFileDialog.__dict__.get(name) for name in CHOOSING}
    opens = QDesktopServices.openUrl
    world = World(tmp_path, (study_file,))
    yield FurtherHands(window, world, random.Random(1), Others(world, Watch(world.home)))
    QDesktopServices.openUrl = opens  # type: ignore[method-assign]
    for name, was in kept.items():
        setattr(QFileDialog, name, was)


CHOOSING = ("getOpenFileName", "getOpenFileNames", "getSaveFileName", "getExistingDirectory")


def test_a_monkey_fills_in_what_a_dialog_asks_for_and_goes_on(hands: FurtherHands) -> None:
    dialog = NewAccountDialog(hands.window, hands.window.session, "stays")
    dialog.open()
    settle()
    tried = [hands._fill_in() for _ in range(40) if isValid(dialog) and dialog.isVisible()]
    assert set(tried) == {"fill in NewAccountDialog"}
    assert not isValid(dialog) or not dialog.isVisible()


def test_what_others_write_is_told_apart_from_what_is_lost(
    hands: FurtherHands, study_file: Path
) -> None:
    document = hands.window.session.document
    watch = Watch(hands._world.home)
    watch.install(hands.window)
    Others(hands._world, watch)._edit(document)
    document.look_at_file()
    watch._check_file()
    assert document.is_at_odds
    assert watch.findings == []
