# SPDX-License-Identifier: Apache-2.0
"""The marks of one line of a comparison: a difference around 0, or both figures, with margins."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor, log10

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from dpdesk.desk.pages.comparison.compared_rows import ComparedRow, Shown
from dpdesk.desk.plots.axes.number_axis import distance, tick
from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.theme.roles import Role, color

DIFFERENCE, BOTH = "difference", "both"
DOT = 4.0
CAP = 5.0
BAND = 4.0
APART = 7.0
"""How far above and below the middle of its line figures stand that lie over one another."""
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
    def over(cls, rows: Iterable[ComparedRow], kind: str, most: int) -> Scale:
        """All ends of all margins are on it.

        Args:
            rows: the lines.
            kind: what is drawn; differences lie around 0.
            most: so many ticks have room.
        """
        shown = [one for row in rows for one in drawn(row, kind)]
        ends = [end for one in shown for end in one.ends or ()]
        ends = [*ends, 0.0] if kind == DIFFERENCE or not ends else ends
        low, high = min(ends), max(ends)
        span = (high - low) or abs(high) or 1.0
        room = EDGE * span
        found = cls(low - room, high + room, _step(span, max(3, most)))
        # A single tick says where 0 is, and nothing of how far a mark is from it.
        closer = replace(found, step=_step(found.step * Fraction(2, 5), 1))
        return found if len(found.ticks()) > 1 else closer

    def place(self, value: float, left: float, width: float) -> float:
        """Where a number stands in a column."""
        return left + width * (value - self.low) / (self.high - self.low)

    def ticks(self) -> list[float]:
        """The numbers that have a line."""
        first, last = ceil(self.low / self.step), floor(self.high / self.step)
        return [float(place * self.step) for place in range(first, last + 1)]


@dataclass
class Axis:
    """What all lines of one chart have in common.

    Attributes:
        kind: differences around 0, or both figures.
        unit: of differences; may be empty.
        scale: where numbers stand.
    """

    kind: str = DIFFERENCE
    unit: str = ""
    scale: Scale = Scale()

    def text(self, value: float) -> str:
        """A tick as it is read: of differences the 0 has the unit, and what is above it a plus."""
        said = tick(value, max(0, ceil(-log10(self.scale.step))))
        if self.kind != DIFFERENCE:
            return said
        return distance(value, said, self.unit)


def _step(span: float | Fraction, most: int) -> Fraction:
    """The smallest of 1, 2, 5, 10 ... that leaves at most so many ticks."""
    least = span / most
    power = Fraction(10) ** floor(log10(least))
    return next(power * nice for nice in NICE if power * nice >= least or nice == NICE[-1])


def drawn(row: ComparedRow, kind: str) -> tuple[Shown, ...]:
    """What of a line is drawn."""
    return (row.difference,) if kind == DIFFERENCE else (row.earlier, row.later)


def paint_grid(painter: QPainter, rect: QRectF, scale: Scale, kind: str) -> None:
    """Lines at the ticks, and a stronger one at 0 of differences."""
    for value in scale.ticks():
        is_zero = value == 0 and kind == DIFFERENCE
        place = round(scale.place(value, rect.left(), rect.width()))
        width = Space.RING if is_zero else Space.HAIR
        ink = color(Role.CONTROL if is_zero else Role.LINE)
        painter.fillRect(QRectF(place - width // 2, rect.top(), width, rect.height()), ink)


def paint_marks(painter: QPainter, rect: QRectF, row: ComparedRow, scale: Scale, kind: str) -> None:
    """The figures of one line, each with the ends of its margin."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    middle = rect.center().y()
    if kind == DIFFERENCE:
        _paint_one(painter, rect, row.difference, scale, middle, row.is_more)
        return
    apart = 0.0 if are_beside(row, scale, rect.width()) else APART
    if apart == 0:
        _paint_joint(painter, rect, row, scale)
    _paint_one(painter, rect, row.earlier, scale, middle - apart, False)
    _paint_one(painter, rect, row.later, scale, middle + apart, True)


def are_beside(row: ComparedRow, scale: Scale, width: float) -> bool:
    """Whether both figures have room on one level, so that nothing seems to rise or to fall.

    Args:
        row: a line with both figures, or fewer.
        scale: of its axis.
        width: of the axis in pixels.
    """
    earlier, later = row.earlier.ends, row.later.ends
    if earlier is None or later is None:
        return False
    left, right = sorted((earlier, later))
    return scale.place(right[0], 0, width) - scale.place(left[1], 0, width) > 2 * DOT


def _paint_joint(painter: QPainter, rect: QRectF, row: ComparedRow, scale: Scale) -> None:
    """From the earlier figure to the later: whole where the difference is more than noise."""
    style = Qt.PenStyle.SolidLine if row.is_more else Qt.PenStyle.DotLine
    # Lighter than the margins: it says where from and where to, and has no width of its own.
    painter.setPen(QPen(color(Role.CONTROL), 1.0, style))
    values = (row.earlier.value or 0.0, row.later.value or 0.0)
    ends = [scale.place(value, rect.left(), rect.width()) for value in values]
    painter.drawLine(QLineF(ends[0], rect.center().y(), ends[1], rect.center().y()))


def _paint_one(
    painter: QPainter, rect: QRectF, one: Shown, scale: Scale, middle: float, is_full: bool
) -> None:
    """A dot between its ends: full on a band, or hollow on a line."""
    if one.value is None or one.ends is None:
        return
    left, right = (scale.place(end, rect.left(), rect.width()) for end in one.ends)
    ink = color(Role.ACCENT if is_full else Role.TEXT_QUIET)
    if is_full:
        band = QRectF(left, middle - BAND, right - left, 2 * BAND)
        painter.fillRect(band, color(Role.BAND))
    painter.setPen(QPen(ink, 2.0 if is_full else 1.5))
    painter.drawLine(QLineF(left, middle, right, middle))
    for end in (left, right):
        painter.drawLine(QLineF(end, middle - CAP, end, middle + CAP))
    paint_dot(painter, QPointF(scale.place(one.value, rect.left(), rect.width()), middle), is_full)


def paint_dot(painter: QPainter, middle: QPointF, is_full: bool) -> None:
    """A full dot, or a hollow one."""
    ink = color(Role.ACCENT if is_full else Role.TEXT_QUIET)
    painter.setPen(QPen(ink, 1.5))
    painter.setBrush(ink if is_full else color(Role.SURFACE))
    painter.drawEllipse(middle, DOT, DOT)
