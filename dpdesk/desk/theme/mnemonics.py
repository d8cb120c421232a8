# SPDX-License-Identifier: Apache-2.0
"""The letters that Alt takes, of menus and fields, are underlined while Alt is down.

It follows what comes to the window in front, and not every event of the program.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QWindow
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QMenuBar
from shiboken6 import isValid

_SHOWN: list[bool] = [False]


def are_shown() -> bool:
    """Whether letters are underlined now."""
    return _SHOWN[0]


class AltFollower(QObject):
    """Underlines letters while Alt is down, or while the menus have the keyboard."""

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
            QTimer.singleShot(0, self, self._show)
        elif kind == QEvent.Type.MouseButtonPress and are_shown():
            QTimer.singleShot(0, self, self._show)
        return False

    def _show(self) -> None:
        in_menu = isinstance(QApplication.activePopupWidget(), QMenu) and are_shown()
        shown = self._is_down or in_menu or isinstance(QApplication.focusWidget(), QMenuBar)
        if shown is are_shown():
            return
        _SHOWN[0] = shown
        for widget in QApplication.allWidgets():
            if widget.isVisible() and isinstance(widget, (QLabel, QMenu, QMenuBar)):
                widget.update()


def follow_alt(app: QApplication) -> None:
    """Do so from now on; once is enough."""
    if app.findChild(AltFollower) is None:
        AltFollower(app)
