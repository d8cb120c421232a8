# SPDX-License-Identifier: Apache-2.0
"""Files that are opened by double-click while the window is open."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QFileSystemWatcher, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.program import log
from dpdesk.program.handover import STALE_S, Inbox
from dpdesk.program.log import Event


class DeskApplication(QApplication):
    """The application, as macOS knows it: there, a double-click starts no second program.

    Signals:
        file_requested: a path that is to be opened.
    """

    file_requested = Signal(str)

    def event(self, event: QEvent) -> bool:
        """Take what the Finder asks for; everything else is Qt's."""
        if isinstance(event, QFileOpenEvent) and event.file():
            self.file_requested.emit(event.file())
            return True
        return super().event(event)


class IncomingFiles(QObject):
    """Opens what later starts of the program leave in the inbox, and comes to the front with it.

    A window that has a question open, is at work, cannot save what it shows or has not opened its
    first file yet takes nothing: a second window opens instead. Where another window has the
    inbox, this one takes it over when it is next used after that one was closed.

    Args:
        first: the file to begin with.
    """

    def __init__(self, window: MainWindow, inbox: Inbox | None, first: Path | None = None) -> None:
        super().__init__(window)
        self._follow(window)
        self._first = first
        self._inbox: Inbox | None = None
        self._watcher = QFileSystemWatcher(self)
        self._watcher.directoryChanged.connect(lambda _folder: self.look())
        # A start that was killed left a path, and nothing in the folder changes any more.
        self._later = QTimer(self, singleShot=True, interval=round(1000 * STALE_S) + 500)
        self._later.timeout.connect(self.look)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.applicationStateChanged.connect(self._inherit)
        if isinstance(application, DeskApplication):
            application.file_requested.connect(self._open_requested)
        self._watch(inbox)

    def _follow(self, window: MainWindow) -> None:
        """Open files in a window, and in the one that takes its place."""
        self._window = window
        self.setParent(window)
        window.replaced.connect(self._follow)

    def _watch(self, inbox: Inbox | None) -> None:
        self._inbox = inbox
        if inbox is not None:
            self._watcher.addPath(str(inbox.folder))
            # What was asked for while this window was still being built.
            QTimer.singleShot(0, self, self.look)

    def _inherit(self, state: Qt.ApplicationState) -> None:
        if self._inbox is None and state is Qt.ApplicationState.ApplicationActive:
            self._watch(Inbox.open(self._window.session.home))

    def open_first(self) -> None:
        first, self._first = self._first, None
        if first is not None:
            self._window.opening.open_any(first)

    def look(self) -> None:
        if self._inbox is None:
            return
        for request in self._inbox.requests():
            if not self._is_free():
                self._inbox.decline(request)
                log.note(self._window.session.home, Event.FILE_DECLINED)
            elif (path := self._inbox.take(request)) is not None:
                self._open(path)
        if not self._inbox.is_empty:
            self._later.start()

    def _open_requested(self, path: str) -> None:
        """Open what the Finder asks for, unless something else has to be finished first."""
        if self._is_free():
            self._open(Path(path))
        else:
            log.note(self._window.session.home, Event.FILE_DECLINED)
            self._come_to_front()

    def _open(self, path: Path) -> None:
        log.note(self._window.session.home, Event.FILE_TAKEN)
        self._window.opening.open_any(path)
        self._come_to_front()

    def _is_free(self) -> bool:
        session = self._window.session
        is_asking = QApplication.activeModalWidget() or QApplication.activePopupWidget()
        is_leaving = not self._window.updatesEnabled()  # another is about to take its place
        if is_asking or is_leaving or self._first is not None:
            return False
        return session.jobs.current is None and session.document.save()

    def _come_to_front(self) -> None:
        window = self._window
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        window.show()
        window.raise_()
        window.activateWindow()

    def close(self) -> None:
        if self._inbox is not None:
            self._inbox.close()
            self._inbox = None
