# SPDX-License-Identifier: Apache-2.0
"""A part whose inner changes lay out again only what is around it, where it needs other room."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget


class StableSize(QWidget):
    """Holds one part, as large as itself.

    Qt's layouts go through every layout around a text that changes, up to the window: of fifty
    cards for a figure in one. Here that ends while the part needs the same room as before.

    Args:
        part: what it holds; is shown and hidden with it.
    """

    def __init__(self, part: QWidget) -> None:
        super().__init__()
        self.ring_room = getattr(part, "ring_room", 0)
        self._part = part
        self._known: object = None
        policy = part.sizePolicy()
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        part.setParent(self)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        needed = self._part.heightForWidth(width)
        return needed if needed >= 0 else self._part.sizeHint().height()

    def sizeHint(self) -> QSize:
        return self._part.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self._part.minimumSizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The part follows; where that changes its form, and so its room, ask for the new one."""
        super().resizeEvent(event)
        given = self._room()
        self._part.setGeometry(self.rect())
        self._known = self._room()
        if self._known != given or self._is_short():
            self.updateGeometry()

    def event(self, event: QEvent) -> bool:
        """Something in the part changed: where it needs other room, ask for it."""
        if event.type() == QEvent.Type.LayoutRequest:
            room = self._room()
            if room != self._known or self._is_short():
                self._known = room
                self.updateGeometry()
        return super().event(event)

    def _is_short(self) -> bool:
        """Whether it was given less than it asks for, as it was known before it was shown again.

        Asked again, it is laid out once more; where there is no more room, that changes nothing.
        """
        return self.isVisible() and self.height() < self.heightForWidth(self.width())

    def _room(self) -> tuple[int, int, QSize]:
        """What layouts around it ask it for."""
        return self.width(), self.heightForWidth(self.width()), self.minimumSizeHint()
