# SPDX-License-Identifier: Apache-2.0
"""The bar of work that takes a while."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QVariantAnimation
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QProgressBar, QWidget

from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.theme.theme import glides
from dpdesk.desk.widgets.painting import box

STEPS = 1000
ROUND_MS = 1600
"""From one end to the other and back."""
RUNNER = 0.25
"""The part of the bar that runs."""
THICK = 6


class WorkBar(QProgressBar):
    """Runs to and fro until it is known how much there is to do; empty where less motion is wanted.

    Its value is a share of 1000.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, textVisible=False)
        self.setFixedHeight(Space.SMALL)
        self._running = QVariantAnimation(
            self, duration=ROUND_MS, startValue=0.0, endValue=2.0, loopCount=-1
        )
        self._running.valueChanged.connect(lambda _at: self.update())

    def begin(self) -> None:
        """Nothing is known yet."""
        self.setRange(0, 0 if glides() else STEPS)
        self.reset()
        self._run()

    def show_done(self, done: int, total: int) -> None:
        """So much of all there is to do was done."""
        self.setRange(0, STEPS)
        self.setValue(round(STEPS * done / total) if total else STEPS)
        self._run()

    @property
    def runs(self) -> bool:
        """Whether nothing is known, and it says so by moving."""
        return self.maximum() == 0

    def _run(self) -> None:
        if self.runs and self.isVisible():
            self._running.start()
        else:
            self._running.stop()
        self.update()

    def showEvent(self, event: QShowEvent) -> None:
        """Run where nothing is known."""
        super().showEvent(event)
        self._run()

    def hideEvent(self, event: QHideEvent) -> None:
        """What nobody sees does not run."""
        super().hideEvent(event)
        self._running.stop()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the track and what of it is done, or the part that runs."""
        painter = QPainter(self)
        thick = min(THICK, self.height())
        track = QRectF(0, (self.height() - thick) / 2, self.width(), thick)
        box(painter, track, thick / 2, Role.TRACK)
        first, last = self._ends()
        if last > first:
            width = max(float(thick), (last - first) * track.width())
            done = QRectF(first * track.width(), track.top(), width, thick)
            box(painter, done, thick / 2, Role.ACCENT)
        painter.end()

    def _ends(self) -> tuple[float, float]:
        """Where the painted part begins and ends, as shares of the bar."""
        if not self.runs:
            return 0.0, max(0, self.value()) / STEPS
        at = float(self._running.currentValue() or 0.0)
        along = at if at <= 1.0 else 2.0 - at
        smooth = along * along * (3 - 2 * along)
        return smooth * (1 - RUNNER), smooth * (1 - RUNNER) + RUNNER
