# SPDX-License-Identifier: Apache-2.0
"""``python -m tests.monkey.program STUDY FOLDER``: the program, and beside it what a watch saw.

Nothing of the program is replaced. Into FOLDER go ``controls.json`` (what is in front, by name, and
where on the screen), ``watch.json`` (findings, releases, stalls, dialogs met) and ``edits.txt``
(when the window held which study, as a digest), each as of the last tick.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLineEdit,
    QMainWindow,
    QMenu,
    QMenuBar,
    QPlainTextEdit,
    QWidget,
)

from dpdesk.desk import app as desk
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.release.places.home import Home
from dpdesk.study.json.study_writer import study_to_bytes
from dpdesk.study.model.document import Study
from tests.monkey.watch import Watch

TICK_MS = 150
TICKS_A_LOOK = 60
HANDBOOK = "HandbookWindow"
KINDS = (QAbstractButton, QLineEdit, QPlainTextEdit, QComboBox, QAbstractItemView)


def digest(study: Study) -> str:
    """A study, told apart from any other."""
    return hashlib.sha256(study_to_bytes(study)).hexdigest()


class Ticker:
    """Looks at the program from within, a few times a second."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._watch = Watch(Home.locate())
        self._window: MainWindow | None = None
        self._ticks = 0
        self._met: dict[str, set[str]] = {}
        self._front: QWidget | None = None
        self._noted: Path | None = None
        self._edits = (folder / "edits.txt").open("a", buffering=1)
        self._timer = QTimer(interval=TICK_MS)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def _tick(self) -> None:
        if self._window is None:
            self._find_window()
            return
        self._watch.next_event("tick")
        self._meet(QApplication.activeModalWidget())
        if self._window.session.document.path != self._noted:
            self._edited()  # saved under another name
        self._ticks += 1
        if self._ticks % TICKS_A_LOOK == 0:
            self._watch.check()
            self._watch.next_event("a look")
        self._write("watch.json", self._seen())
        self._write("controls.json", self._controls())

    def _find_window(self) -> None:
        for widget in QApplication.topLevelWidgets():
            if isinstance(widget, MainWindow):
                self._watch.install(widget)
                self._follow(widget)

    def _follow(self, window: MainWindow) -> None:
        """Look at a window, and at the one that takes its place."""
        self._window = window
        window.session.document.study_changed.connect(self._edited)
        window.replaced.connect(self._follow)
        self._edited()

    def _edited(self) -> None:
        if self._window is not None:
            document = self._window.session.document
            self._noted = document.path
            line = [f"{time.monotonic()}", digest(document.study), f"{document.path}"]
            self._edits.write("\t".join(line) + "\n")

    def _meet(self, front: QWidget | None) -> None:
        """Note which dialog came, whether it was typed into, and how it went."""
        if not isinstance(front, Dialog) or front is self._front:
            return
        self._front = front
        met = self._met.setdefault(type(front).__name__, {"opened"})
        for field in front.findChildren(QLineEdit):
            field.textEdited.connect(lambda _text: met.add("typed"))
        front.finished.connect(lambda result: met.add("accepted" if result else "left"))

    def _seen(self) -> dict[str, object]:
        stalls = [f"{took:.2f} s {event}" for took, event in self._watch.stalls]
        seen = {"findings": self._watch.findings, "stalls": stalls}
        met = {name: sorted(how) for name, how in self._met.items()}
        return {**seen, "releases": sorted(self._watch.releases), "met": met}

    def _controls(self) -> dict[str, object]:
        front = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        front = front or self._window
        assert front is not None
        beside = [w for w in QApplication.topLevelWidgets() if type(w).__name__ == HANDBOOK]
        windows = [front, *beside] if front is self._window else [front]
        widgets = [w for window in windows for w in window.findChildren(QWidget) if _can(w)]
        found = [(_name(w), *_middle(w)) for w in widgets] + _entries(front)
        place = QRect(front.mapToGlobal(QPoint()), front.size())
        fields = [_name(widget) for widget in widgets if isinstance(widget, QLineEdit)]
        look = {"kind": type(front).__name__, "fields": fields, "window": int(self._window.winId())}
        look |= {"tick": self._ticks, "works": self._window.session.jobs.current is not None}
        look["page"] = self._window.page
        return {"controls": found, "front": [*place.getRect()], **look}

    def _write(self, name: str, content: dict[str, object]) -> None:
        part = self._folder / f"{name}.part"
        part.write_text(json.dumps(content), encoding="utf-8")
        os.replace(part, self._folder / name)


def _entries(front: QWidget) -> list[tuple[str, int, int]]:
    """Where the entries of an open menu are, or of the window's menu bar."""
    found = front.menuBar() if isinstance(front, QMainWindow) else front
    if not isinstance(found, QMenu | QMenuBar):
        return []
    leave = QAction.MenuRole.QuitRole
    shown = [entry for entry in found.actions() if entry.isVisible() and entry.isEnabled()]
    middles = {e.text(): found.actionGeometry(e).center() for e in shown if e.menuRole() != leave}
    places = {text: found.mapToGlobal(middle) for text, middle in middles.items()}
    return [(text, place.x(), place.y()) for text, place in places.items()]


def _can(widget: QWidget) -> bool:
    in_sight = widget.isVisible() and not widget.visibleRegion().isEmpty()
    return isinstance(widget, KINDS) and in_sight and widget.isEnabled()


def _name(widget: QWidget) -> str:
    text = widget.text() if isinstance(widget, QAbstractButton) else ""
    return widget.accessibleName() or text or type(widget).__name__


def _middle(widget: QWidget) -> tuple[int, int]:
    place = widget.mapToGlobal(widget.visibleRegion().boundingRect().center())
    return place.x(), place.y()


if __name__ == "__main__":
    desk.application()
    ticker = Ticker(Path(sys.argv[2]))
    sys.exit(desk.run(Home.locate(), Path(sys.argv[1])))
