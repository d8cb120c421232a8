# SPDX-License-Identifier: Apache-2.0
"""Pages and dialogs scroll to what the keyboard came to, by whatever key."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QWidget

from dpdesk.desk.widgets.inputs.field import framed
from dpdesk.desk.widgets.tab_stop import bring_on_show, scroll_to_keyboard


class KeyboardFollower(QObject):
    """Scrolls where arrows, a letter with Alt or the program itself move the keyboard.

    Not where the mouse does: what is pressed stays below it; a dialog's field is whole once the
    mouse lets go of it. Nor where a window comes to the
    front: it is as it was left.
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
        elif isinstance(at, QLineEdit) and isinstance(at.window(), QDialog):
            at.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Bring a field on show that the mouse has pressed: typing follows."""
        if event.type() == QEvent.Type.MouseButtonRelease and isinstance(watched, QWidget):
            watched.removeEventFilter(self)
            QTimer.singleShot(0, watched, lambda: bring_on_show(framed(watched)))
        return False

    def _scroll(self) -> None:
        """Unless the mouse was pressed meanwhile: its release would come to something else."""
        if QApplication.mouseButtons() == Qt.MouseButton.NoButton:
            scroll_to_keyboard()


def follow_keyboard(app: QApplication) -> None:
    """Do so from now on; once is enough."""
    if app.findChild(KeyboardFollower) is None:
        KeyboardFollower(app)
