# SPDX-License-Identifier: Apache-2.0
"""How often something happens to widgets: tests of speed count, they do not measure time."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject


class EventCount(QObject):
    """Counts the events of a kind from now on.

    Args:
        kind: such as a paint or a resize.
        watched: all of them together; one of them at least, which it lives as long as.

    Attributes:
        times: how many there were.
    """

    def __init__(self, kind: QEvent.Type, *watched: QObject) -> None:
        super().__init__(watched[0])
        self.times = 0
        self._kind = kind
        for one in watched:
            one.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        self.times += event.type() == self._kind
        return False
