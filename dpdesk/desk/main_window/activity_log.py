# SPDX-License-Identifier: Apache-2.0
"""What the window notes in the log: what was done and refused, and nothing of what it shows."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.program import log
from dpdesk.program.log import Event


class ActivityLog(QObject):
    """Follows a window's signals."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__()
        home = self._home = window.session.home
        log.note(home, Event.DESK_STARTED)
        self._follow(window)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.aboutToQuit.connect(lambda: log.note(home, Event.DESK_ENDED))

    def _follow(self, window: MainWindow) -> None:
        home = self._home
        window.session.document.opened.connect(lambda: log.note(home, Event.STUDY_OPENED))
        window.refused.connect(lambda problems: log.note_refused(home, problems))
        window.replaced.connect(self._follow)
        self.setParent(window)

    def note_shown(self) -> None:
        """The window is on the screen: the first turn of the event loop has painted it."""
        log.note(self._home, Event.DESK_SHOWN)
