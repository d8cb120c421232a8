# SPDX-License-Identifier: Apache-2.0
"""Pages and dialogs scroll to what the keyboard came to, by whatever key."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from dpdesk.desk.widgets.tab_stop import scroll_to_keyboard


class KeyboardFollower(QObject):
    """Scrolls where arrows, a letter with Alt or the program itself move the keyboard.

    Not where the mouse does: what is pressed stays below it. Nor where a window comes to the front:
    it is as it was left.
    """

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        app.focusChanged.connect(self._follow)

    def _follow(self, before: QWidget | None, at: QWidget | None) -> None:
        if before is None or at is None or before.window() is not at.window():
            return
        if QApplication.mouseButtons() == Qt.MouseButton.NoButton:
            # What was just made has its place only after the next layout.
            QTimer.singleShot(0, self, self._scroll)

    def _scroll(self) -> None:
        """Unless the mouse was pressed meanwhile: its release would come to something else."""
        if QApplication.mouseButtons() == Qt.MouseButton.NoButton:
            scroll_to_keyboard()


def follow_keyboard(app: QApplication) -> None:
    """Do so from now on; once is enough."""
    if app.findChild(KeyboardFollower) is None:
        KeyboardFollower(app)
