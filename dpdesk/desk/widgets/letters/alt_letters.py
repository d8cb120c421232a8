# SPDX-License-Identifier: Apache-2.0
"""Letters are found and underlined when Alt goes down, before any of them can be pressed."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QWindow
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QMenu, QMenuBar, QWidget
from shiboken6 import isValid

from dpdesk.desk.theme import letters

MARKED = (QAbstractButton, QLabel, QMenu, QMenuBar)
"""What shows a letter. Windows painted anew leave out what is within a scroll area."""


@runtime_checkable
class HasLetters(Protocol):
    """A window whose buttons take letters."""

    def give_letters(self) -> None:
        """Give one to each."""


class AltLetters(QObject):
    """Finds letters and underlines them while Alt is down, or while the menus have the keyboard.

    It looks at what comes to the window in front, and not at every event of the program.
    """

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._is_down = False
        self._window: QWindow | None = None
        app.focusWindowChanged.connect(self._follow)
        self._follow(app.focusWindow())

    def _follow(self, window: QWindow | None) -> None:
        if self._window is not None and isValid(self._window):
            self._window.removeEventFilter(self)
        self._window = window
        if window is not None:
            window.installEventFilter(self)
        self._is_down = False
        self._show()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Follow Alt, and what may end its work."""
        kind = event.type()
        if kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease) and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Alt and not event.isAutoRepeat():
                self._is_down = kind == QEvent.Type.KeyPress
                if self._is_down:
                    refresh_letters(QApplication.activeWindow())
            QTimer.singleShot(0, self, self._show)
        elif kind == QEvent.Type.MouseButtonPress and letters.are_shown():
            QTimer.singleShot(0, self, self._show)
        return False

    def _show(self) -> None:
        """Underline them, or no longer."""
        in_menu = isinstance(QApplication.activePopupWidget(), QMenu) and letters.are_shown()
        in_bar = isinstance(QApplication.focusWidget(), QMenuBar)
        shown = self._is_down or in_menu or in_bar
        if shown is letters.are_shown():
            return
        letters.set_shown(shown)
        front = QApplication.activeWindow()
        for widget in QApplication.allWidgets():
            # What lies behind a dialog takes no letter now.
            is_used = not shown or widget.window() is front or isinstance(widget, QMenu)
            if is_used and widget.isVisible() and isinstance(widget, MARKED):
                widget.update()


def refresh_letters(window: QWidget | None) -> None:
    """Give letters to what has come on show since a window had its own."""
    if isinstance(window, HasLetters):
        window.give_letters()


def follow_alt(app: QApplication) -> None:
    """Do so from now on; once is enough."""
    if app.findChild(AltLetters) is None:
        AltLetters(app)
