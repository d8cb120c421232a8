# SPDX-License-Identifier: Apache-2.0
"""Cyclic garbage is collected in the window's thread alone.

Python collects in whichever thread happens to allocate. A plot or a dialog that nobody uses any
more would be destroyed by the thread that reads a file, and Qt's objects may be destroyed in the
window's thread alone.

Python walks through all that is new each time, and now and then through what was new before. What
a job has found for 50 queries with 700 groups is a million objects, none of them garbage and none
in a cycle: the walk would keep the window standing still for a fifth of a second; and for a
twentieth that through fifty cards, which were made bit by bit. So much at once is set aside unseen,
and looked through while another program is in front, or once it is too much to wait for that.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication

INTERVAL_MS = 500
THRESHOLDS = (700, 10, 10)
"""As Python's own: new objects, and how many collections of the younger make one of the older."""
MANY = 40_000
"""So many objects are walked through at once: that takes about 15 ms."""
MOST_UNSEEN = 5_000_000


class GarbageCollector(QObject):
    """Collects now and then, by the same counts as Python would, from a timer of its own thread.

    Args:
        parent: lives as long as windows do, such as the application.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self._unseen = 0
        self.freeze()
        self._timer = QTimer(self, interval=INTERVAL_MS)
        self._timer.timeout.connect(self.collect)
        self._timer.start()
        if isinstance(app := QGuiApplication.instance(), QGuiApplication):
            app.applicationStateChanged.connect(self._follow)

    def freeze(self) -> None:
        """Take what is there by now for good: walking through all modules took 0.2 s each time."""
        gc.freeze()

    def stop(self) -> None:
        """Let Python collect where it likes again."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()

    def collect(self) -> None:
        """Collect the oldest generation whose count is up, and with it all younger ones."""
        counts = gc.get_count()
        due = [age for age, most in enumerate(THRESHOLDS) if counts[age] > most]
        if not due:
            return
        # What is new is counted by Python; what survived a collection or more, here.
        piled = counts[0] + sum(len(gc.get_objects(age)) for age in range(1, due[-1] + 1))
        if piled <= MANY:
            gc.collect(due[-1])
            return
        self._unseen += piled
        self.freeze()
        if self._unseen > MOST_UNSEEN:
            self.look_through()

    def look_through(self) -> None:
        """Collect in what was set aside unseen, too."""
        if self._unseen:
            self._unseen = 0
            gc.unfreeze()
            gc.collect()
            self.freeze()

    def _follow(self, state: Qt.ApplicationState) -> None:
        if state is not Qt.ApplicationState.ApplicationActive:
            self.look_through()
