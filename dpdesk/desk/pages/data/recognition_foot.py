# SPDX-License-Identifier: Apache-2.0
"""Below the page, while a chosen file is looked at: how far it is, and a way to stop it."""

from __future__ import annotations

from PySide6.QtCore import QTimer

from dpdesk.desk.core.session import Session
from dpdesk.desk.widgets.footer import PageFooter

SHOWN_MS = 300
"""A look that is over sooner shows nothing."""


class RecognitionFoot(PageFooter):
    """Says that a file is read, whatever page is on show; the window lives on meanwhile."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._later = QTimer(self, interval=SHOWN_MS, singleShot=True, timeout=self._show)
        self._name = ""
        self.hide()
        self.cancelled.connect(session.recognition.stop)
        session.recognition.began.connect(self._begin)
        session.recognition.progressed.connect(self._progress)
        session.recognition.ended.connect(self._end)

    def _begin(self, name: str) -> None:
        self._name = name
        self._later.start()

    def _show(self) -> None:
        self.show()
        self.start_progress(self.tr("Reading {0}…").format(self._name))

    def _progress(self, done: int, total: int) -> None:
        if not self.isHidden():
            self.show_progress(done, total)

    def _end(self) -> None:
        self._later.stop()
        self.hide()
