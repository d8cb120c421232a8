# SPDX-License-Identifier: Apache-2.0
"""Bars of what is too noisy to use, hatched alike on the screen and in every picture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QPainter, QPen

STEP = 8.0
"""Pixels from one line of the hatching to the next, as in Qt's own pattern."""


class HatchedBars(pg.BarGraphItem):
    """Bars with a hatched brush.

    Qt stretches a pattern with the values' scale in an SVG, and draws it twice as fine in an image
    that has two dots to a pixel: in a picture its lines are drawn one by one.

    Args:
        rects: the bars, in the plot's values.
        look: as ``pyqtgraph.BarGraphItem`` takes it.
    """

    def __init__(self, rects: list[QRectF], **look: Any) -> None:
        super().__init__(**look)
        self._rects = rects

    def paint(self, painter: QPainter, *where: Any) -> None:
        if not self._exportOpts:
            super().paint(painter, *where)
            return
        painter.save()
        to_pixels = painter.transform()
        painter.resetTransform()
        for rect in self._rects:
            room = to_pixels.mapRect(rect.normalized())
            painter.setPen(self.opts["pen"])
            painter.drawRect(room)
            painter.setPen(QPen(self.opts["brush"].color(), 1))
            painter.drawLines(list(hatching_of(room)))
        painter.restore()


def hatching_of(room: QRectF) -> Iterator[QLineF]:
    """Lines that rise to the right through a room, and end where it does."""
    reach = room.left() + room.top()
    end = room.right() + room.bottom()
    at = (reach // STEP + 1) * STEP
    while at < end:
        low = max(room.left(), at - room.bottom())
        high = min(room.right(), at - room.top())
        yield QLineF(low, at - low, high, at - high)
        at += STEP
