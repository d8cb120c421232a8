# SPDX-License-Identifier: Apache-2.0
"""The rest of what a person does: menus, dialogs filled in, files dropped, odd text pasted.

Random presses alone open no menu, and never fill in a dialog so that it goes on.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QDesktopServices,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QPlainTextEdit, QPushButton, QWidget
from shiboken6 import isValid

from dpdesk.desk import opened_elsewhere
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.widgets.dialog import Dialog
from tests.monkey.hands import CTRL, CURIOUS, LEFT, SHIFT, Hands, kind_of
from tests.monkey.others import Others
from tests.monkey.world import PASSPHRASE, World

NONE = Qt.KeyboardModifier.NoModifier
ODD = [
    "a\tb\r\nc\0d",
    "\u202eright to left \u05d0\u05d1",
    "\U0001f469\u200d\u2695\ufe0f emoji",
    "<b>&amp;</b> %1 {0}",
    "1;2;3;40;65",
    "\ud83d",  # half a sign, as some programs leave it
    "9" * 400,
    "x" * 1_000_000,
]
WORDS = [
    *("data-office@hospital.example", "Data office", "registry", "another", "0.5", "2", "12"),
    *("Because the auditor asked", "2026-12-31", "1; 5; 9", "yes", PASSPHRASE),
]
SHORTCUTS = [
    *((Qt.Key.Key_F1, NONE), (Qt.Key.Key_F2, NONE), (Qt.Key.Key_F, CTRL), (Qt.Key.Key_R, CTRL)),
    *((Qt.Key.Key_Comma, CTRL), (Qt.Key.Key_A, CTRL), (Qt.Key.Key_C, CTRL), (Qt.Key.Key_X, CTRL)),
    *((Qt.Key.Key_P, CTRL), (Qt.Key.Key_V, CTRL | SHIFT), (Qt.Key.Key_F10, SHIFT)),
    *((Qt.Key.Key_Down, SHIFT), (Qt.Key.Key_Up, CTRL), (Qt.Key.Key_Plus, CTRL)),
]
STORM = 60
PATIENCE = 12
"""Acts after which what is in front bores the monkey."""


class FurtherHands(Hands):
    """Hands that also use menus, dialogs, the clipboard, other windows; others work meanwhile.

    Args:
        window, world, drawn: as in ``Hands``.
        others: what happens beside the window.
    """

    def __init__(
        self, window: MainWindow, world: World, drawn: random.Random, others: Others
    ) -> None:
        super().__init__(window, world, drawn)
        self._others = others
        self._aim: QWidget | None = None
        self._stayed = 0
        self._picked: Counter[str] = Counter()
        self._ways |= {
            self._fill_in: 20,
            self._menu: 9,
            self._explore: 10,
            self._shortcut: 5,
            self._double_click: 4,
            self._paste: 3,
            self._right_click: 3,
            self._drop: 2,
            self._storm: 1,
            self._beside: 2,
        }
        window.replaced.connect(self._follow)
        opened_elsewhere.system_opener = lambda: ""
        QDesktopServices.openUrl = lambda _url: drawn.random() < 0.5  # type: ignore[method-assign]

    def act(self) -> str:
        """Do something in the window, or in another that is open beside it; what it was."""
        beside = [w for w in QApplication.topLevelWidgets() if self._is_beside(w)]
        self._aim = self._drawn.choice(beside) if beside and self._drawn.random() < 0.3 else None
        menu = QApplication.activePopupWidget()
        if self._is_bored():
            return self._leave_front()
        if isinstance(menu, QMenu) and self._drawn.random() < 0.5:
            return self._pick_from(menu)
        return super().act()

    def _is_bored(self) -> bool:
        """Whether the same kind of thing has been in front for long; Qt's own sooner."""
        front = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        self._stayed = self._stayed + 1 if front is not None else 0
        is_ours = isinstance(front, Dialog)
        return self._stayed > self._drawn.randint(PATIENCE // 3, PATIENCE * (3 if is_ours else 1))

    def _leave_front(self) -> str:
        front = self.front()
        name = f"leave {type(front).__name__}"
        self._stayed = 0
        QTest.keyClick(front, Qt.Key.Key_Escape)
        if isValid(front) and front.isVisible() and not isinstance(front, Dialog):
            front.close()
        return name

    def front(self) -> QWidget:
        """What is in front: a popup, a dialog, a window beside the window, or the window."""
        found = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if found is not None:
            return found
        there = self._aim is not None and isValid(self._aim) and self._aim.isVisible()
        return self._aim if there and self._aim is not None else self.window

    def _is_beside(self, widget: QWidget) -> bool:
        return (
            widget.isVisible() and widget.isWindow() and type(widget).__name__ == "HandbookWindow"
        )

    def _follow(self, window: MainWindow) -> None:
        """The window was made anew, in another language or text size."""
        self.window = window
        window.replaced.connect(self._follow)

    def _menu(self) -> str:
        """Open a menu, and press one of its entries by its keys."""
        if self.front() is not self.window:
            return "something in front"
        menu = self._drawn.choice([*_menus(self.window.menuBar().actions())])
        menu.popup(self.window.mapToGlobal(QPoint(40, 20)))
        return self._pick_from(menu)

    def _pick_from(self, menu: QMenu) -> str:
        # Who quits begins anew; that is the other monkey's.
        leave = QAction.MenuRole.QuitRole
        entries = [a for a in menu.actions() if a.isEnabled() and a.menuRole() != leave]
        entries = [a for a in entries if not a.isSeparator() and a.menu() is None]
        if not entries:
            menu.close()
            return f"an empty menu {menu.title()!r}"
        some = self._drawn.sample(entries, min(len(entries), self._drawn.choice([1, CURIOUS])))
        entry = min(some, key=lambda known: self._picked[known.text()])
        self._picked[entry.text()] += 1
        name = f"menu {entry.text()!r}"
        menu.setActiveAction(entry)
        QTest.keyClick(menu, Qt.Key.Key_Return)
        return name

    def _explore(self) -> str:
        """Go to any page, those without an entry in the rail, too, and press something there."""
        if self.front() is not self.window or not self.window.page:
            return "something in front"
        key = self._drawn.choice([*self.window.pages])
        self.window.go_to(key)
        page = self.window.pages[key]
        buttons = [b for b in page.findChildren(QPushButton) if b.isVisible() and b.isEnabled()]
        button = self._rarest(buttons)
        if button is None:
            return f"explore {key}"
        self._pressed[kind_of(button)] += 1
        name = f"explore {key}: {button.text()!r}"
        QTest.mouseClick(button, LEFT)
        return name

    def _fill_in(self) -> str:
        """Fill in what a dialog asks for, and go on."""
        front = self.front()
        if not isinstance(front, Dialog):
            return "no dialog"
        for edit in front.findChildren(QLineEdit):
            if edit.isVisible() and edit.isEnabled() and self._drawn.random() < 0.8:
                hidden = edit.echoMode() != QLineEdit.EchoMode.Normal
                word = PASSPHRASE if hidden else self._drawn.choice(WORDS)
                edit.setFocus()
                edit.selectAll()
                edit.insert(word)
        name = f"fill in {type(front).__name__}"
        buttons = [front.buttons.itemAt(place).widget() for place in range(front.buttons.count())]
        shown = [b for b in buttons if b is not None and b.isVisible() and b.isEnabled()]
        if shown:
            QTest.mouseClick(shown[-1] if self._drawn.random() < 0.9 else shown[0], LEFT)
        return name

    def _shortcut(self) -> str:
        key, more = self._drawn.choice(SHORTCUTS)
        focused = self.front().focusWidget()
        there = focused is not None and isValid(focused)
        QTest.keyClick(focused if there else self.front(), key, more)
        return f"shortcut {more.name} {key.name}"

    def _double_click(self) -> str:
        front = self.front()
        widget = front.childAt(self._point(front)) or front
        name = f"double click on {type(widget).__name__}"
        QTest.mouseDClick(widget, LEFT, self._drawn.choice([NONE, CTRL, SHIFT]))
        return name

    def _paste(self) -> str:
        widget = self._of(QLineEdit, QPlainTextEdit)
        if widget is None:
            return "nothing to paste into"
        text = self._drawn.choice(ODD)
        name = f"paste {len(text)} signs into {widget.accessibleName()[:30]!r}"
        QGuiApplication.clipboard().setText(text)
        widget.setFocus()
        QTest.keyClick(widget, Qt.Key.Key_V, CTRL)
        return name

    def _right_click(self) -> str:
        front = self.front()
        widget = self._of(QLineEdit, QPlainTextEdit) if self._drawn.random() < 0.5 else None
        widget = widget or front.childAt(self._point(front)) or front
        place = self._point(widget)
        name = f"right click on {type(widget).__name__}"
        reason = QContextMenuEvent.Reason.Mouse
        QApplication.sendEvent(widget, QContextMenuEvent(reason, place, widget.mapToGlobal(place)))
        return name

    def _drop(self) -> str:
        """Drop files that lie about, or what is no file."""
        if self.front() is not self.window:
            return "something in front"
        paths = self._drawn.sample(self._files, self._drawn.choice([1, 1, 1, 2, 3]))
        urls = [QUrl.fromLocalFile(str(path)) for path in paths]
        if self._drawn.random() < 0.1:
            urls = self._drawn.choice([[], [QUrl("https://example.org/x.csv")], [QUrl()]])
        data = QMimeData()
        data.setUrls(urls)
        given = (Qt.DropAction.CopyAction, data, LEFT, NONE)
        enter = QDragEnterEvent(QPoint(200, 200), *given)
        enter.ignore()
        QApplication.sendEvent(self.window, enter)
        if enter.isAccepted():
            QApplication.sendEvent(self.window, QDropEvent(QPointF(200, 200), *given))
        return f"drop {[path.name for path in paths]}"

    def _storm(self) -> str:
        """Many steps back, and as many on."""
        front = self.front()
        for more in (NONE, SHIFT):
            for _ in range(self._drawn.randrange(STORM)):
                QTest.keyClick(front, Qt.Key.Key_Z, CTRL | more)
        return "undo and redo many"

    def _beside(self) -> str:
        """Somebody else does something."""
        document = self.window.session.document
        return self._others.act(document, self._drawn)


def _menus(entries: list[QAction]) -> Iterator[QMenu]:
    """The menus of entries, and theirs."""
    for entry in entries:
        menu = entry.menu()
        if isinstance(menu, QMenu):
            yield menu
            yield from _menus(menu.actions())
