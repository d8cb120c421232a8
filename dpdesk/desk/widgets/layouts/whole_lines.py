# SPDX-License-Identifier: Apache-2.0
"""Scroll areas that begin between two lines of text: none is cut through after a jump."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QComboBox,
    QLabel,
    QLineEdit,
    QScrollArea,
    QWidget,
)

from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.widgets.labels.label import Label
from dpdesk.desk.widgets.layouts.contents import DIRECT
from dpdesk.desk.widgets.layouts.fading_edges import fading_above

MOST = 48
"""So far an area is scrolled on, or back."""
AIR = Space.TIGHT
"""Above the first line in sight, where there is no more."""
AROUND = 4
"""What stays on show around a control: its focus ring, and a pixel more."""
KINDS = (QLabel, QAbstractButton, QLineEdit, QComboBox)


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
    lines = list(lines_between(shown, at - MOST, at + MOST))
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


def lines_between(shown: QWidget, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Where what reaches into a strip begins and ends, from the top of what is shown.

    Each line of a text is one; a button or a field is one with all its height.

    Args:
        shown: what is scrolled.
        begin, end: the strip, in pixels from its top.
    """
    for part in shown.findChildren(QWidget, options=DIRECT):
        top = part.y()
        if part.isHidden() or part.isWindow() or top > end or top + part.height() < begin:
            continue
        if isinstance(part, KINDS):
            within = _lines_of(part)
        elif isinstance(part, QAbstractScrollArea):
            continue  # it has edges of its own
        else:
            within = lines_between(part, begin - top, end - top)
        yield from ((top + first, top + last) for first, last in within)


def _lines_of(part: QWidget) -> Iterator[tuple[int, int]]:
    """The lines of a text, or all of a button or a field, from its top."""
    if not isinstance(part, QLabel):
        yield 0, part.height()
        return
    high = apart = part.fontMetrics().lineSpacing()
    if isinstance(part, Label):
        apart = part.height_of(2) - part.height_of(1)
    room = part.contentsRect()
    count = max(1, 1 + (room.height() - high) // apart)
    first = room.top() + (room.height() - (count - 1) * apart - high) // 2
    for line in range(count):
        yield first + line * apart, first + line * apart + high
