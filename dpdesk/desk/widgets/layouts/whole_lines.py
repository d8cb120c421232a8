# SPDX-License-Identifier: Apache-2.0
"""A scroll area that ends between two lines of text: none is cut through where it begins."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QObject, QPoint, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QFrame,
    QLabel,
    QLineEdit,
    QScrollArea,
    QWidget,
)

MOST = 48
"""The highest strip that stays empty below: what would need more is cut."""


class WholeLinesArea(QScrollArea):
    """Scrolls what it shows; at its beginning the last line in sight is whole."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, frameShape=QFrame.Shape.NoFrame, widgetResizable=True)
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.end_between_lines)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """It ends elsewhere."""
        super().resizeEvent(event)
        self.end_soon()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """What is shown has other parts, or is higher."""
        if watched is self.widget() and event.type() in (
            QEvent.Type.LayoutRequest,
            QEvent.Type.Resize,
        ):
            self.end_soon()
        return super().eventFilter(watched, event)

    def end_soon(self) -> None:
        """Look where it ends as soon as all is laid out."""
        self._soon.start()

    def end_between_lines(self) -> None:
        """Leave as much room below as the line would have that is cut through."""
        beside = self.viewportMargins()
        whole = self.viewport().height() + beside.bottom()
        end = whole
        # From below: where the end moves up, a line beside may be cut there.
        for top, bottom in sorted(self._lines(), reverse=True):
            end = top if top < end < bottom else end
        left = whole - end if whole - end <= MOST else 0
        if left != beside.bottom():
            self.setViewportMargins(beside.left(), beside.top(), beside.right(), left)

    def _lines(self) -> Iterator[tuple[int, int]]:
        """Where lines of text begin and end, from the top of what is shown."""
        shown = self.widget()
        if shown is None:
            return
        for kind in (QLabel, QAbstractButton, QLineEdit, QComboBox):
            for part in shown.findChildren(kind):
                if not part.isVisibleTo(shown):
                    continue
                top = part.mapTo(shown, QPoint()).y()
                if hasattr(part, "painted_lines"):
                    yield from ((top + first, top + last) for first, last in part.painted_lines())
                    continue
                high = part.fontMetrics().lineSpacing()
                count = max(1, part.height() // high) if isinstance(part, QLabel) else 1
                first = top + (part.height() - count * high) // 2
                for line in range(count):
                    yield first + line * high, first + (line + 1) * high
