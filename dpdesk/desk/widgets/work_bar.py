# SPDX-License-Identifier: Apache-2.0
"""The bar of work that takes a while."""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar, QWidget

from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.theme.theme import glides

STEPS = 1000


class WorkBar(QProgressBar):
    """Runs to and fro until it is known how much there is to do; empty where less motion is wanted.

    Its value is a share of 1000.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, textVisible=False)
        self.setFixedHeight(Space.CARDS)

    def begin(self) -> None:
        """Nothing is known yet."""
        self.setRange(0, 0 if glides() else STEPS)
        self.reset()

    def show_done(self, done: int, total: int) -> None:
        """So much of all there is to do was done."""
        self.setRange(0, STEPS)
        self.setValue(round(STEPS * done / total) if total else STEPS)

    @property
    def runs(self) -> bool:
        """Whether nothing is known, and it says so by moving."""
        return self.maximum() == 0
