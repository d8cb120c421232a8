# SPDX-License-Identifier: Apache-2.0
"""What a monkey can do to the window in front: press, type, drag, roll, go elsewhere, open files.

Only what a person could reach: widgets of the popup, dialog or window in front, in sight and
enabled. Files are chosen where a person would choose them, without the system's own dialog.
"""

from __future__ import annotations

import random
import re
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)
from shiboken6 import isValid

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.desk.widgets.dialog import Dialog
from tests.monkey.world import PASSPHRASE, PRISTINE, World

KEYS = [
    *(Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Return, Qt.Key.Key_Space, Qt.Key.Key_Escape),
    *(Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_PageDown),
    *(Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Backspace, Qt.Key.Key_Delete),
]
PAGES = [Qt.Key(Qt.Key.Key_1 + number) for number in range(6)]
TEXTS = ["", "0", "1", "14", "-3", "1e9", "0.5", "1,5", "f", "m", "abc", "a\tb", "ä ß 中", "x" * 40]
LEFT = Qt.MouseButton.LeftButton
CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier

CURIOUS = 6
"""Of so many buttons a monkey that looks for something new presses the one it knows least."""
Widget = TypeVar("Widget", bound=QWidget)
_ENDING = re.compile(r"\*(\.\w+)")


class Hands:
    """A monkey's hands on one window; what they do follows from the seed.

    Attributes:
        window: the window.
    """

    def __init__(self, window: MainWindow, world: World, drawn: random.Random) -> None:
        self.window = window
        self._world = world
        self._drawn = drawn
        self._written = 0
        self._files = [*world.files]
        self._pressed: Counter[str] = Counter()
        self._choose_files_by_itself()
        self._ways: dict[Callable[[], str], int] = {
            self._press: 30,
            self._type: 16,
            self._key: 12,
            self._drag: 8,
            self._roll: 3,
            self._page: 7,
            self._undo: 8,
            self._add_query: 5,
            self._release: 9,
            self._begin_anew: 2,
            self._open: 1,
            self._resize: 1,
            self._scheme: 1,
        }

    def act(self) -> str:
        """Do something; what it was."""
        (way,) = self._drawn.choices([*self._ways], [*self._ways.values()])
        return way()

    def front(self) -> QWidget:
        """What is in front: a popup, a dialog or the window."""
        found = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        return found or self.window

    def _of(self, *kinds: type[QWidget]) -> QWidget | None:
        found = self._all_of(*kinds)
        return self._drawn.choice(found) if found else None

    def _rarest(self, found: Sequence[Widget]) -> Widget | None:
        """Any of them, or of a few the one that was pressed least often: it leads elsewhere."""
        if not found:
            return None
        some = self._drawn.sample(found, min(len(found), self._drawn.choice([1, CURIOUS])))
        return min(some, key=lambda widget: self._pressed[kind_of(widget)])

    def _all_of(self, *kinds: type[QWidget]) -> list[QWidget]:
        return [
            w
            for kind in kinds
            for w in self.front().findChildren(kind)
            # What Qt made inside a list that is gone can come back as a wrapper of the old one.
            if isValid(w) and w.isVisible() and w.isEnabled() and not w.visibleRegion().isEmpty()
        ]

    def _press(self) -> str:
        widget = self._rarest(self._all_of(QAbstractButton, QAbstractItemView, QComboBox))
        if widget is None:
            return "nothing to press"
        name = f"press {type(widget).__name__} {widget.accessibleName()[:30]!r}"
        self._pressed[kind_of(widget)] += 1
        target = widget.viewport() if isinstance(widget, QAbstractItemView) else widget
        QTest.mouseClick(
            target, LEFT, pos=self._point(target) if target is not widget else QPoint()
        )
        return name

    def _type(self) -> str:
        widget = self._of(QLineEdit, QPlainTextEdit)
        if widget is None:
            return "nothing to type into"
        name = f"type into {type(widget).__name__} {widget.accessibleName()[:30]!r}"
        widget.setFocus()
        if self._drawn.random() < 0.6:
            QTest.keyClick(widget, Qt.Key.Key_A, CTRL)
        for sign in self._drawn.choice([*TEXTS, PASSPHRASE, str(self._drawn.random())]):
            # QTest types ASCII alone.
            for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
                none = Qt.KeyboardModifier.NoModifier
                QApplication.sendEvent(widget, QKeyEvent(kind, 0, none, sign))
        return name

    def _key(self) -> str:
        key = self._drawn.choice(KEYS)
        focused = self.front().focusWidget()
        there = focused is not None and isValid(focused)
        QTest.keyClick(focused if there else self.front(), key)
        return f"{key.name} in {type(self.front()).__name__}"

    def _drag(self) -> str:
        front = self.front()
        widget = front.childAt(self._point(front)) or front
        QTest.mousePress(widget, LEFT, pos=self._point(widget))
        for _ in range(self._drawn.randrange(4)):
            QTest.mouseMove(widget, self._point(widget))
        name = f"drag on {type(widget).__name__}"
        QTest.mouseRelease(widget, LEFT, pos=self._point(widget))
        return name

    def _roll(self) -> str:
        front = self.front()
        widget = front.childAt(self._point(front)) or front
        place, turn = QPointF(self._point(widget)), QPoint(0, self._drawn.choice([-240, 120]))
        event = QWheelEvent(
            place,
            QPointF(widget.mapToGlobal(place.toPoint())),
            QPoint(),
            turn,
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(widget, event)
        return f"roll on {type(widget).__name__}"

    def _page(self) -> str:
        key = self._drawn.choice(PAGES)
        QTest.keyClick(self.front(), key, CTRL)
        return f"page {key.name}"

    def _undo(self) -> str:
        more = self._drawn.choice([Qt.KeyboardModifier.NoModifier, SHIFT])
        QTest.keyClick(self.front(), Qt.Key.Key_Z, CTRL | more)
        return "undo" if not more else "redo"

    def _add_query(self) -> str:
        page = self.window.pages["queries"]
        assert isinstance(page, QueriesPage)
        return self._lead("queries", page.add_button, "add a query")

    def _release(self) -> str:
        front, page = self.front(), self.window.pages["release"]
        if isinstance(front, Dialog) and front.danger_button is not None:
            QTest.mouseClick(front.danger_button, LEFT)
            return "confirm"
        assert isinstance(page, ReleasePage)
        return self._lead("release", page.release_button, "ask for a release")

    def _lead(self, key: str, button: QAbstractButton, what: str) -> str:
        """Go to a page and press a button of it, if nothing stands in front."""
        if self.front() is not self.window or not self.window.page:
            return "something in front"
        self.window.go_to(key)
        if button.isVisible() and button.isEnabled():
            QTest.mouseClick(button, LEFT)
        return what

    def _open(self) -> str:
        if self.front() is not self.window:
            return "something in front"
        among = self._world.studies if self._drawn.random() < 0.6 else self._files
        path = self._drawn.choice(among)
        self.window.opening.open_any(path)
        return f"open {path.name}"

    def _begin_anew(self) -> str:
        """Open a study that nobody has worked on yet: it can be released as it stands."""
        if self.front() is not self.window:
            return "something in front"
        self._written += 1
        path = self._world.folder / f"anew-{self._written}.dpdesk"
        shutil.copyfile(self._world.folder / PRISTINE, path)
        self.window.opening.open_any(path)
        return "open a new study"

    def _resize(self) -> str:
        self.window.resize(self._drawn.randint(900, 1600), self._drawn.randint(600, 1000))
        return "resize"

    def _scheme(self) -> str:
        self.window.theme.apply(self._drawn.choice(["light", "dark"]))
        return "other colours"

    def _point(self, widget: QWidget) -> QPoint:
        return QPoint(
            self._drawn.randrange(max(1, widget.width())),
            self._drawn.randrange(max(1, widget.height())),
        )

    def _fitting(self, given: Sequence[object]) -> list[Path]:
        """Files of the kinds that a dialog shows, as ``Bundles (*.zip)``; now and then any."""
        kinds = given[3] if len(given) > 3 else ""
        endings = set(_ENDING.findall(kinds)) if isinstance(kinds, str) else set()
        fitting = [path for path in self._files if path.suffix in endings]
        return fitting if fitting and self._drawn.random() < 0.8 else self._files

    def _choose_files_by_itself(self) -> None:
        """The system's dialog would hold everything up; a name is chosen or made up instead."""

        def existing(*given: object, **_kwargs: object) -> tuple[str, str]:
            if self._drawn.random() < 0.05:
                return "", ""
            return str(self._drawn.choice(self._fitting(given))), ""

        def several(*given: object, **_kwargs: object) -> tuple[list[str], str]:
            fitting = self._fitting(given)
            return [str(path) for path in self._drawn.sample(fitting, min(2, len(fitting)))], ""

        def new(
            _parent: object, _title: str, proposed: str = "", *_more: object
        ) -> tuple[str, str]:
            self._written += 1
            ending = proposed.rpartition(".")[2] or "txt"
            path = self._world.folder / f"written-{self._written}.{ending}"
            self._files.append(path)  # it can be opened and dropped from now on
            return str(path), ""

        def folder(*_args: object, **_kwargs: object) -> str:
            self._written += 1
            made = self._world.folder / f"written-{self._written}"
            made.mkdir()
            return str(made)

        QFileDialog.getOpenFileName = existing  # type: ignore[method-assign,assignment]
        QFileDialog.getOpenFileNames = several  # type: ignore[method-assign,assignment]
        QFileDialog.getSaveFileName = new  # type: ignore[method-assign,assignment]
        QFileDialog.getExistingDirectory = folder  # type: ignore[method-assign,assignment]


def kind_of(widget: QWidget) -> str:
    """What tells a widget from others when the window is made anew: its kind and its words."""
    text = widget.text() if isinstance(widget, QAbstractButton) else ""
    return f"{type(widget).__name__} {widget.accessibleName() or text}"
