# SPDX-License-Identifier: Apache-2.0
"""The budget gauge: an arc of what is spent, what is planned and what is left."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEasingCurve, QPointF, QRectF, QSize, Qt, QVariantAnimation
from PySide6.QtGui import (
    QBrush,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QProgressBar, QSizePolicy, QWidget

from dpdesk.desk.text.words import amount_of_units
from dpdesk.desk.theme import icons
from dpdesk.desk.theme.metrics import GLIDE_MS, Type, font
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.theme.theme import glides
from dpdesk.desk.widgets.accessibility.announcing import announce
from dpdesk.desk.widgets.painting import hatching

OUTER = 98.0
INNER = 78.0
START = 210.0
SWEEP = 240.0
GAP = 1.3
OVER_SWEEP = 34.0
RELEASED_LINE = 2.0
"""Width of the line that tells what a release has spent from what was spent before."""


@dataclass(frozen=True)
class GaugeParts:
    """What the gauge shows, in the smallest parts of the account's measure.

    Attributes:
        total: the account's total; 0: no account yet.
        spent: released before.
        planned: this study's plan, not yet released.
        released: what the release on show has spent, part of no other number.
        reserved: what running series reserve, part of no other number.
        is_certain: whether the ledger is known to hold all that was spent.
        measure: what the account is kept in.
    """

    total: int = 0
    spent: int = 0
    planned: int = 0
    released: int = 0
    measure: str = "epsilon"
    reserved: int = 0
    is_certain: bool = True

    @property
    def left(self) -> int:
        """What stays beside spending, reservations and plan; negative when over-planned."""
        return self.total - self.spent - self.reserved - self.planned - self.released

    def text(self, units: int) -> str:
        """An amount of the account's budget."""
        return amount_of_units(units, self.measure)


class BudgetGauge(QProgressBar):
    """The arc with its number; a progress bar to a screen reader.

    Attributes:
        parts: what it shows.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.parts = GaugeParts()
        self._shown: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)
        self._scale = 1.0
        self._glide = QVariantAnimation(self, duration=GLIDE_MS, startValue=0.0, endValue=1.0)
        self._glide.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._glide.valueChanged.connect(self._step)
        self._from: tuple[float, ...] = self._shown
        self.setRange(0, 1000)
        self.setValue(0)  # without an account, too; Qt begins below nothing
        self.setTextVisible(False)
        self.setAccessibleName(self.tr("Budget"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_parts(self, parts: GaugeParts) -> None:
        """Show other amounts; the ends glide there, unless less motion is wanted."""
        if parts == self.parts:
            return
        was_over, self.parts = self.parts.left < 0, parts
        self._from = self._shown
        self._say(parts, was_over)
        self._glide.stop()
        if self.isVisible() and glides():
            self._glide.start()
        else:
            self._step(1.0)

    def set_scale(self, scale: float) -> None:
        """Draw smaller, for the narrow panel."""
        self._scale = scale
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(round(2 * OUTER * self._scale) + 4, round(192 * self._scale))

    minimumSizeHint = sizeHint

    def description(self) -> str:
        """All numbers in words."""
        parts = self.parts
        if not parts.total:
            return self.tr("No budget account yet.")
        template = (
            self.tr("Spent {0}, planned {1}, over by {2} of {3}.")
            if parts.left < 0
            else self.tr("Spent {0}, planned {1}, remaining {2} of {3}.")
        )
        spent = parts.text(parts.spent + parts.released)
        left, total = parts.text(abs(parts.left)), parts.text(parts.total)
        said = template.format(spent, parts.text(parts.planned), left, total)
        if not parts.is_certain:
            said = self.tr("Not certain: {0}").format(said)
        if not parts.reserved:
            return said
        return f"{said} {self.tr('Reserved for series {0}.').format(parts.text(parts.reserved))}"

    def _say(self, parts: GaugeParts, was_over: bool) -> None:
        used = parts.spent + parts.released
        self.setValue(round(1000 * used / parts.total) if parts.total else 0)
        described = self.description()
        self.setAccessibleDescription(described)
        self.setToolTip(described)
        if (parts.left < 0) != was_over:
            announce(self, described)

    def _step(self, done: float) -> None:
        """Put the ends a share of the way to where they go."""
        self._shown = tuple(
            a + (b - a) * done for a, b in zip(self._from, self._goal(), strict=True)
        )
        self.update()

    def _goal(self) -> tuple[float, ...]:
        """Ends of spent, released, reserved and planned, as shares of the total."""
        parts = self.parts
        if not parts.total:
            return (0.0, 0.0, 0.0, 0.0)
        spent = parts.spent / parts.total
        released = spent + parts.released / parts.total
        held = released + parts.reserved / parts.total
        return (spent, released, held, held + parts.planned / parts.total)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(self.width() / 2, 2 + OUTER * self._scale)
        painter.scale(self._scale, self._scale)
        if self.parts.total:
            self._paint_parts(painter)
            self._paint_number(painter)
        else:
            self._paint_empty(painter)
        painter.end()

    def _paint_parts(self, painter: QPainter) -> None:
        spent, released, held, planned = self._shown
        end = min(planned, 1.0)
        painter.setPen(Qt.PenStyle.NoPen)
        self._fill(painter, 0.0, min(spent, 1.0), color(Role.ACCENT))
        self._fill(painter, spent, min(released, 1.0), color(Role.ACCENT))
        self._paint_middle(painter, spent, min(released, 1.0))
        self._fill(painter, end, 1.0, color(Role.TRACK))
        ratio = self.devicePixelRatioF()
        pen = QPen(color(Role.ACCENT), 1.4)
        if held > released:
            self._fill(painter, released, min(held, 1.0), color(Role.TINT), pen)
        if planned > held:
            brush = hatching(Role.ACCENT, Role.SURFACE, ratio=ratio)
            self._fill(painter, held, end, brush, pen)
        if planned > 1.0:
            over = min((planned - 1.0) * SWEEP, OVER_SWEEP) / SWEEP
            brush = hatching(Role.DANGER, Role.SURFACE, crossed=True, ratio=ratio)
            self._fill(painter, 1.0, 1.0 + over, brush, QPen(color(Role.DANGER), 1.4))
            self._paint_end_mark(painter)

    def _fill(
        self,
        painter: QPainter,
        start: float,
        end: float,
        brush: object,
        pen: QPen | None = None,
    ) -> None:
        if end <= start:
            return
        gap = GAP / SWEEP / 2
        first = start + (gap if start > 0 else 0)
        last = end - (gap if end < 1 else 0)
        if last <= first:
            return
        painter.setBrush(QBrush(brush))
        painter.setPen(pen if pen else Qt.PenStyle.NoPen)
        painter.drawPath(_segment(first, last))

    def _paint_middle(self, painter: QPainter, start: float, end: float) -> None:
        """A thin line along the middle of a part: solid too, and another than its neighbour."""
        if (end - start) * SWEEP <= 2 * GAP:
            return
        middle = (INNER + OUTER) / 2
        square = QRectF(-middle, -middle, 2 * middle, 2 * middle)
        painter.setPen(QPen(color(Role.SURFACE), RELEASED_LINE))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        first, sweep = START - start * SWEEP - GAP, -(end - start) * SWEEP + 2 * GAP
        painter.drawArc(square, round(16 * first), round(16 * sweep))
        painter.setPen(Qt.PenStyle.NoPen)

    def _paint_end_mark(self, painter: QPainter) -> None:
        angle = START - SWEEP
        inside, outside = _on_circle(INNER - 4, angle), _on_circle(OUTER + 2, angle)
        painter.setPen(QPen(color(Role.DANGER), 4))
        painter.drawLine(inside, outside)

    def _paint_number(self, painter: QPainter) -> None:
        over = self.parts.left < 0
        painter.setPen(color(Role.DANGER if over else Role.TEXT))
        number = font(Type.GAUGE, semibold=True, tabular=True)
        text = self.parts.text(abs(self.parts.left))
        if len(text) > 5:
            number.setPixelSize(round(number.pixelSize() * 5 / len(text)))
        painter.setFont(number)
        centre = Qt.AlignmentFlag.AlignCenter
        painter.drawText(QRectF(-INNER, -26, 2 * INNER, 44), centre, text)
        painter.setPen(color(Role.DANGER if over else Role.TEXT_QUIET))
        painter.setFont(font(Type.QUIET))
        total = self.parts.text(self.parts.total)
        if over:
            line = self.tr("over budget of {0}").format(total)
        elif self.parts.planned:
            line = self.tr("remaining after plan")  # of what stands at the arc's end
        else:
            line = self.tr("remaining of {0}").format(total)
        painter.drawText(QRectF(-INNER, 16, 2 * INNER, 20), centre, line)
        if not self.parts.is_certain:
            painter.drawText(QRectF(-INNER, -46, 2 * INNER, 20), centre, self.tr("not certain"))
        painter.setPen(color(Role.TEXT_QUIET))
        ends = [(START, self.parts.text(0)[:1]), (START - SWEEP, total)]
        for angle, label in ends[:1] if over else ends:
            spot = _on_circle((INNER + OUTER) / 2, angle)
            place = QRectF(spot.x() - 40, spot.y() + 4, 80, 20)
            painter.drawText(place, centre, label)

    def _paint_empty(self, painter: QPainter) -> None:
        pen = QPen(color(Role.CONTROL), 1.2)
        pen.setDashPattern([3, 3])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(_segment(0.0, 1.0))
        icons.paint(painter, "scales", Role.TEXT_QUIET, QRectF(-14, -20, 28, 28))


def _segment(start: float, end: float) -> QPainterPath:
    """A piece of the arc between two shares."""
    first, sweep = START - start * SWEEP, -(end - start) * SWEEP
    outer = QRectF(-OUTER, -OUTER, 2 * OUTER, 2 * OUTER)
    inner = QRectF(-INNER, -INNER, 2 * INNER, 2 * INNER)
    path = QPainterPath()
    path.arcMoveTo(outer, first)
    path.arcTo(outer, first, sweep)
    path.arcTo(inner, first + sweep, -sweep)
    path.closeSubpath()
    return path


def _on_circle(radius: float, angle: float) -> QPointF:
    path = QPainterPath()
    path.arcMoveTo(QRectF(-radius, -radius, 2 * radius, 2 * radius), angle)
    return path.currentPosition()
