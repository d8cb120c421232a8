# SPDX-License-Identifier: Apache-2.0
"""Cyclic garbage is collected in the window's thread alone.

Python collects in whichever thread happens to allocate. A plot or a dialog that nobody uses any
more would be destroyed by the thread that reads a file, and Qt's objects may be destroyed in the
window's thread alone.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

INTERVAL_MS = 500
THRESHOLDS = (700, 10, 10)
"""As Python's own: new objects, and how many collections of the younger make one of the older."""


class GarbageCollector(QObject):
    """Collects now and then, by the same counts as Python would, from a timer of its own thread.

    Args:
        parent: lives as long as windows do, such as the application.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self.freeze()
        self._timer = QTimer(self, interval=INTERVAL_MS)
        self._timer.timeout.connect(self.collect)
        self._timer.start()

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
        if due:
            gc.collect(due[-1])
