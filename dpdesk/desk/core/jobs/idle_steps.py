# SPDX-License-Identifier: Apache-2.0
"""Work on the window's own thread that is done bit by bit: the window lives on meanwhile."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QObject, QTimer

from dpdesk.desk.core.jobs.at_work import AtWork

_DONE = object()


class IdleSteps(AtWork):
    """Does one step at a time, when nothing else is to be done.

    Steps that are left are dropped when others begin, and with the widget that they belong to.

    Args:
        parent: the widget.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._steps: Iterator[object] = iter(())
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._step)

    @property
    def are_left(self) -> bool:
        """Whether there is something left to do."""
        return self._timer.isActive()

    def begin(self, steps: Iterator[object]) -> None:
        """Do these steps, and none of those that are left."""
        self._steps = steps
        self._timer.start()
        self.begin_work()

    def stop(self) -> None:
        self._steps = iter(())
        self._timer.stop()
        self.end_work()

    def drop(self) -> None:
        """The same, for anyone who drops all kinds of work."""
        self.stop()

    def finish(self) -> None:
        """Do what is left now."""
        while self._timer.isActive():
            if next(self._steps, _DONE) is _DONE:
                self.stop()

    def _step(self) -> None:
        if next(self._steps, _DONE) is _DONE:
            self.stop()
        elif self.are_left:
            # Begun anew, it comes behind what fell due during the step: as it was begun once, Qt
            # would let it do two or three steps before a key or another timer has its turn.
            self._timer.start()
