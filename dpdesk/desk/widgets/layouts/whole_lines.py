# SPDX-License-Identifier: Apache-2.0
"""Scroll areas that begin and end between two lines of text: none is cut through."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QObject, QPoint, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QComboBox,
    QFrame,
    QLabel,
    QLineEdit,
    QScrollArea,
    QWidget,
)

from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.widgets.layouts.contents import DIRECT
from dpdesk.desk.widgets.layouts.fading_edges import fading_above

MOST = 48
"""The highest strip that stays empty below: what would need more is cut."""
AIR = Space.TIGHT
"""Above the first line in sight, where there is no more."""
AROUND = 4
"""What stays on show around a control: its focus ring, and a pixel more."""
KINDS = (QLabel, QAbstractButton, QLineEdit, QComboBox)


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
        shown = self.widget()
        lines = [] if shown is None else lines_between(shown, whole - MOST, whole)
        for top, bottom in sorted(lines, reverse=True):
            end = top if top < end < bottom else end
        left = whole - end if whole - end <= MOST else 0
        if left != beside.bottom():
            self.setViewportMargins(beside.left(), beside.top(), beside.right(), left)


def begin_between_lines(area: QScrollArea, keep: QWidget) -> None:
    """Scroll a little further where the upper edge cuts a line of text or a field through.

    Args:
        area: an area that has just been scrolled to show something.
        keep: that; all of it stays on show with its focus ring, or else its beginning.
    """
    shown, bar = area.widget(), area.verticalScrollBar()
    at = bar.value()
    if shown is None or at == bar.minimum() or not shown.isAncestorOf(keep):
        return
    top = keep.mapTo(shown, QPoint()).y()
    latest = min(top - AROUND, bar.maximum())
    earliest = min(max(top + keep.height() + AROUND - area.viewport().height(), 0), latest)
    lines = list(lines_between(shown, at - MOST, at + MOST, whole_controls=True))
    if not any(first < at < last for first, last in lines):
        return
    # Best below the edge that fades, else anywhere between two lines.
    below = [first - fading_above() for first, _last in lines]
    between = [first - AIR for first, _last in lines] + [last for _first, last in lines]
    for edges in (below, between):
        ways = [
            edge
            for edge in edges
            if earliest <= edge <= latest and not any(first < edge < last for first, last in lines)
        ]
        if ways:
            bar.setValue(min(ways, key=lambda edge: abs(edge - at)))
            return


def lines_between(
    shown: QWidget, begin: int, end: int, *, whole_controls: bool = False
) -> Iterator[tuple[int, int]]:
    """Where lines of text that reach into a strip begin and end, from the top of what is shown.

    Args:
        shown: what is scrolled.
        begin, end: the strip, in pixels from its top.
        whole_controls: whether a button or a field counts with all its height, not its text alone.
    """
    for part in shown.findChildren(QWidget, options=DIRECT):
        top = part.y()
        if part.isHidden() or part.isWindow() or top > end or top + part.height() < begin:
            continue
        if isinstance(part, KINDS):
            within = _lines_of(part, whole_controls)
        elif isinstance(part, QAbstractScrollArea):
            continue  # it has edges of its own
        else:
            within = lines_between(part, begin - top, end - top, whole_controls=whole_controls)
        yield from ((top + first, top + last) for first, last in within)


def _lines_of(part: QWidget, is_whole: bool) -> Iterator[tuple[int, int]]:
    """The lines of a text, a button or a field, from its top."""
    if is_whole and not isinstance(part, QLabel):
        yield 0, part.height()
        return
    high = part.fontMetrics().lineSpacing()
    count = max(1, part.height() // high) if isinstance(part, QLabel) else 1
    first = (part.height() - count * high) // 2
    for line in range(count):
        yield first + line * high, first + (line + 1) * high
