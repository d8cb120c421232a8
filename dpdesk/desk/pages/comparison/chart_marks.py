# SPDX-License-Identifier: Apache-2.0
"""The marks of one line of a comparison: a difference around 0, with its margin."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor, log10

from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QPainter, QPen

from dpdesk.desk.pages.comparison.compared_rows import ComparedRow
from dpdesk.desk.plots.axes.number_axis import distance, tick
from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.theme.roles import Role, color

DOT = 4.0
CAP = 5.0
BAND = 4.0
EDGE = 0.06
"""Of the width: what is free beside the outermost ends."""
NICE = (1, 2, 5, 10)


@dataclass(frozen=True)
class Scale:
    """Where numbers stand in a column.

    Attributes:
        low, high: its ends.
        step: between two ticks.
    """

    low: float = 0.0
    high: float = 1.0
    step: Fraction = Fraction(1)

    @classmethod
    def over(cls, rows: Iterable[ComparedRow], most: int) -> Scale:
        """All ends of all margins are on it, and 0; at most this many ticks have room."""
        ends = [end for row in rows for end in row.difference.ends or ()] + [0.0]
        low, high = min(ends), max(ends)
        span = (high - low) or abs(high) or 1.0
        room = EDGE * span
        found = cls(low - room, high + room, _step(span, max(3, most)))
        # A single tick says where 0 is, and nothing of how far a mark is from it.
        closer = replace(found, step=_step(found.step * Fraction(2, 5), 1))
        return found if len(found.ticks()) > 1 else closer

    def place(self, value: float, left: float, width: float) -> float:
        return left + width * (value - self.low) / (self.high - self.low)

    def ticks(self) -> list[float]:
        first, last = ceil(self.low / self.step), floor(self.high / self.step)
        return [float(place * self.step) for place in range(first, last + 1)]


@dataclass
class Axis:
    """What all lines of one chart have in common.

    Attributes:
        unit: of differences; may be empty.
        scale: where numbers stand.
    """

    unit: str = ""
    scale: Scale = Scale()

    def text(self, value: float) -> str:
        """A tick as it is read: the 0 has the unit, and what is above it a plus."""
        return distance(value, tick(value, max(0, ceil(-log10(self.scale.step)))), self.unit)


def _step(span: float | Fraction, most: int) -> Fraction:
    """The smallest of 1, 2, 5, 10 ... that leaves at most this many ticks."""
    least = span / most
    power = Fraction(10) ** floor(log10(least))
    return next(power * nice for nice in NICE if power * nice >= least or nice == NICE[-1])


def paint_grid(painter: QPainter, rect: QRectF, scale: Scale) -> None:
    """Lines at the ticks, and a stronger one at 0."""
    for value in scale.ticks():
        place = round(scale.place(value, rect.left(), rect.width()))
        width = Space.RING if value == 0 else Space.HAIR
        ink = color(Role.CONTROL if value == 0 else Role.LINE)
        painter.fillRect(QRectF(place - width // 2, rect.top(), width, rect.height()), ink)


def paint_marks(painter: QPainter, rect: QRectF, row: ComparedRow, scale: Scale) -> None:
    """A dot between the ends of its margin: full on a band where it is more than noise."""
    one, middle = row.difference, rect.center().y()
    if one.value is None or one.ends is None:
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    left, right = (scale.place(end, rect.left(), rect.width()) for end in one.ends)
    ink = color(Role.ACCENT if row.is_more else Role.TEXT_QUIET)
    if row.is_more:
        band = QRectF(left, middle - BAND, right - left, 2 * BAND)
        painter.fillRect(band, color(Role.BAND))
    painter.setPen(QPen(ink, 2.0 if row.is_more else 1.5))
    painter.drawLine(QLineF(left, middle, right, middle))
    for end in (left, right):
        painter.drawLine(QLineF(end, middle - CAP, end, middle + CAP))
    painter.setPen(QPen(ink, 1.5))
    painter.setBrush(ink if row.is_more else color(Role.SURFACE))
    place = scale.place(one.value, rect.left(), rect.width())
    painter.drawEllipse(QPointF(place, middle), DOT, DOT)
