# SPDX-License-Identifier: Apache-2.0
"""Twenty little blocks: how many times in 100 a guess is right."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.painting import box

BLOCKS = 20
GAP = 3


class GuessBar(QWidget):
    """A share of 100 as blocks; its number stands beside it as text."""

    def __init__(self, in_100: int = 50, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._in_100 = in_100
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_in_100(self, in_100: int) -> None:
        """Show another share."""
        self._in_100 = in_100
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(Space.RAIL - Space.CARD, Space.ICON_CHIP)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the blocks; the last filled one may be filled in part."""
        painter = QPainter(self)
        width = (self.width() - GAP * (BLOCKS - 1)) / BLOCKS
        for index in range(BLOCKS):
            block = QRectF(index * (width + GAP), 0, width, self.height())
            box(painter, block, 2, Role.TRACK)
            filled = min(1.0, max(0.0, self._in_100 / 100 * BLOCKS - index))
            if filled > 0:
                block.setWidth(width * filled)
                box(painter, block, 2, Role.ACCENT)
        painter.end()
