# SPDX-License-Identifier: Apache-2.0
"""One handle with two ends: margin above, budget below, on a logarithmic scale."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleValueChangeEvent,
    QAccessibleValueInterface,
    QBrush,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QAccessibleWidget, QSizePolicy, QSlider, QWidget
from shiboken6 import Shiboken

from dpdesk.desk.theme.metrics import Space, Type, font
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.accessibility.role import keep
from dpdesk.study.model.amount import MICRO

STEPS = 1_000
KNOB = 9
SIDE = 34
MARKS_APART = 56
_STEPS = {
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Up: 1,
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Down: -1,
    Qt.Key.Key_PageUp: 10,
    Qt.Key.Key_PageDown: -10,
}


def _unit(share: float) -> int:
    """What the second digit of a share is worth, in its smallest parts."""
    return int(10 ** max(0, math.floor(math.log10(share)) - 1))


@dataclass(frozen=True)
class ScaleMark:
    """A place on the scale with its two numbers as text."""

    units: int
    margin: str
    budget: str


class AccuracyHandle(QSlider):
    """A slider over a share of the budget, in the smallest parts of its measure.

    Signals:
        share_dragged: the user moved it; carries the share.
    """

    share_dragged = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._low = 10_000
        self._high = 1_000_000
        self._most = 1_000_000
        self._is_over = False
        self._share = 100_000
        self._per_one = MICRO
        self._words = ""
        self._marks: tuple[ScaleMark, ...] = ()
        self.setRange(0, STEPS)
        self.setPageStep(STEPS // 10)
        self.setSingleStep(STEPS // 100)
        self.setAccessibleName(self.tr("Budget of this query"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.valueChanged.connect(self._emit_dragged)
        keep(AccessibleShare(self), self)

    @property
    def share(self) -> int:
        return self._share

    def set_range_of_shares(
        self,
        low: int,
        high: int,
        most: int | None = None,
        per_one: int = MICRO,
        is_over: bool = False,
    ) -> None:
        """Set the ends, and the most that can be paid, where that is less than the upper end.

        Args:
            low: the lower end.
            high: the upper end.
            most: what can be paid.
            per_one: how many of the smallest parts make one of the measure.
            is_over: its share is shown as more than can be paid.
        """
        self._is_over = is_over
        self._per_one = per_one
        self._low = max(1, low)
        self._high = max(high, self._low + 1)
        self._most = min(self._high, max(self._low, self._high if most is None else most))

    def set_share(self, micro: int, description: str, value: str = "") -> None:
        """Show a share, without a signal.

        Args:
            micro: the share.
            description: what the share buys.
            value: the share and its margin, which are read out with the name, too: not every
                reader says a value's words.
        """
        name = self.tr("Budget of this query")
        self.setAccessibleName(f"{name}: {value}" if value else name)
        changed, self._share, self._words = micro != self._share, micro, value
        with QSignalBlocker(self):
            self.setValue(round(STEPS * self._place(micro)))
        self.setAccessibleDescription(description)
        if changed:
            QAccessible.updateAccessibility(QAccessibleValueChangeEvent(self, self.number()))
        self.update()

    def number(self) -> float:
        """The share in its measure: 0.25."""
        return self._share / self._per_one

    def ends(self) -> tuple[float, float]:
        """The least and the largest share, in their measure."""
        return self._low / self._per_one, self._high / self._per_one

    def least_step(self) -> float:
        """What an arrow moves it by at least, in its measure."""
        return _unit(max(1, self._share)) / self._per_one

    def go_to_number(self, number: float) -> None:
        """Go to the share nearest to a number, where the handle can be moved."""
        if self.isEnabled() and math.isfinite(number):
            self._go(min(max(round(number * self._per_one), self._low), self._high))

    def words(self) -> str:
        return self._words

    @property
    def marks(self) -> tuple[ScaleMark, ...]:
        return self._marks

    def set_marks(self, marks: Sequence[ScaleMark]) -> None:
        """Show other numbers along the scale."""
        self._marks = tuple(marks)
        self.update()

    def _place(self, micro: int) -> float:
        """Where a share is, 0 to 1."""
        span = math.log(self._high / self._low)
        place = math.log(max(micro, 1) / self._low) / span
        return min(1.0, max(0.0, place))

    def _at(self, place: float) -> int:
        """The share at a place, with two significant digits, never beyond the end."""
        raw = self._low * (self._high / self._low) ** min(1.0, max(0.0, place))
        if place >= 1.0:
            return self._high
        unit = _unit(raw)
        return int(max(self._low, min(self._high, round(raw / unit) * unit)))

    def _emit_dragged(self, value: int) -> None:
        self._share = self._at(value / STEPS)
        self.share_dragged.emit(self._share)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows, Page, Home and End; each press moves it, also where two digits round back."""
        ends = {Qt.Key.Key_Home: self._low, Qt.Key.Key_End: self._most}
        key = Qt.Key(event.key())
        step = _STEPS.get(key, 0) * self.singleStep() / STEPS
        if key in ends:
            self._go(ends[key])
        elif step:
            self._go(self._neighbour(step))
        else:
            super().keyPressEvent(event)

    def _neighbour(self, step: float) -> int:
        """The share a step away, one unit of its second digit at least."""
        share = min(max(self._share, self._low), self._high)
        stepped = self._at(self._place(share) + step)
        unit = _unit(share)
        least = share + unit if step > 0 else share - unit
        stepped = max(stepped, least) if step > 0 else min(stepped, least)
        return min(max(stepped, self._low), self._high)

    def _go(self, share: int) -> None:
        if share != self._share:
            self._share = share
            self.share_dragged.emit(share)

    def sizeHint(self) -> QSize:
        line = QFontMetrics(font(Type.QUIET)).height()
        return QSize(Space.PANEL, 2 * KNOB + 8 + 2 * line + 8)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the page: who scrolls past it sets no budget."""
        event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go where it is pressed."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self._drag(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._drag(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Nothing more to do."""
        event.accept()

    def _drag(self, event: QMouseEvent) -> None:
        track = self._track()
        self.setValue(round(STEPS * (event.position().x() - track.left()) / track.width()))

    def _track(self) -> QRectF:
        return QRectF(SIDE, KNOB + 2, self.width() - 2 * SIDE, 4)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        track = self._track()
        knob = track.left() + self._place(self._share) * track.width()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color(Role.TRACK))
        painter.drawRoundedRect(track, 2, 2)
        painter.setBrush(color(Role.ACCENT))
        painter.drawRoundedRect(QRectF(track.left(), track.top(), knob - track.left(), 4), 2, 2)
        painter.setPen(QPen(color(Role.TEXT), 2))
        end = track.left() + self._place(self._most) * track.width()
        if self._is_over:
            self._paint_over(painter, QRectF(end, track.top(), knob - end, track.height()))
            painter.setPen(QPen(color(Role.DANGER), 4))
        painter.drawLine(QPointF(end, track.top() - 7), QPointF(end, track.bottom() + 7))
        self._paint_marks(painter, track)
        self._paint_knob(painter, QPointF(knob, track.center().y()))
        painter.end()

    def _paint_over(self, painter: QPainter, beyond: QRectF) -> None:
        """Paint what cannot be paid as the gauge does: cross-hatched, not by colour alone."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color(Role.SURFACE))
        painter.drawRect(beyond)
        painter.setBrush(QBrush(color(Role.DANGER), Qt.BrushStyle.Dense4Pattern))
        painter.drawRect(beyond.adjusted(0, -1, 0, 1))

    def _paint_knob(self, painter: QPainter, centre: QPointF) -> None:
        painter.setBrush(color(Role.SURFACE))
        painter.setPen(QPen(color(Role.ACCENT), 2))
        painter.drawEllipse(centre, KNOB, KNOB)
        painter.setBrush(color(Role.ACCENT))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawEllipse(centre, 3.5, 3.5)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(color(Role.ACCENT), 2))
            painter.drawEllipse(centre, KNOB + 3, KNOB + 3)

    def _paint_marks(self, painter: QPainter, track: QRectF) -> None:
        wide_of = self._word_widths()
        for mark, x in self.marks_with_room(track):
            self._paint_mark(painter, mark, x, wide_of(mark) + 2)

    def marks_with_room(self, track: QRectF) -> list[tuple[ScaleMark, float]]:
        """The current share's mark and those of the ends, then others that have room; with x."""
        found: list[tuple[ScaleMark, float]] = []
        taken: list[tuple[float, float]] = []
        firsts = (self._share, self._most, self._high)
        ordered = sorted(self._marks, key=lambda m: tuple(m.units != first for first in firsts))
        wide_of = self._word_widths()
        for mark in ordered:
            x = track.left() + self._place(mark.units) * track.width()
            wide = wide_of(mark)
            apart = max(MARKS_APART, wide + Space.SMALL)
            middle = self._words_middle(x, wide)
            left, right = middle - apart / 2, middle + apart / 2
            if all(right <= begin or end <= left for begin, end in taken):
                taken.append((left, right))
                found.append((mark, x))
        return found

    def _word_widths(self) -> Callable[[ScaleMark], float]:
        """How wide each mark's words are, painted as they will be."""
        fonts = (font(Type.QUIET, semibold=bold, tabular=True) for bold in (False, True))
        plain, bold = (QFontMetricsF(used).horizontalAdvance for used in fonts)

        def wide_of(mark: ScaleMark) -> float:
            advance = bold if mark.units == self._share else plain
            return max(advance(mark.margin), advance(mark.budget))

        return wide_of

    def _words_middle(self, x: float, wide: float) -> float:
        """Where the words of a mark at ``x`` have their middle: at the ends they stay within."""
        return max(wide / 2, min(x, self.width() - wide / 2))

    def _paint_mark(self, painter: QPainter, mark: ScaleMark, x: float, wide: float) -> None:
        top, bold = 2 * KNOB + 6, mark.units == self._share
        if not bold:
            painter.setPen(QPen(color(Role.CONTROL), 1))
            painter.drawLine(QPointF(x, top - 6), QPointF(x, top - 2))
        used: QFont = font(Type.QUIET, semibold=bold, tabular=True)
        painter.setFont(used)
        line = painter.fontMetrics().height()
        flags = Qt.AlignmentFlag.AlignCenter
        painter.setPen(color(Role.TEXT))
        shown = QRectF(self._words_middle(x, wide) - wide / 2, top, wide, line)
        painter.drawText(shown, flags, mark.margin)
        painter.setPen(color(Role.TEXT if bold else Role.TEXT_QUIET))
        painter.drawText(shown.translated(0, line), flags, mark.budget)


class ShareValue(QAccessibleValueInterface):
    """The handle's value for screen readers and voice control: the share, not its place in pixels.

    Qt says a slider's place along its scale; along a logarithmic one that is no number anybody
    knows.
    """

    def __init__(self, shares: AccuracyHandle) -> None:
        super().__init__()
        self._shares = shares

    def currentValue(self) -> float:
        return self._shares.number()

    def setCurrentValue(self, value: float) -> None:
        self._shares.go_to_number(float(value))

    def minimumValue(self) -> float:
        return self._shares.ends()[0]

    def maximumValue(self) -> float:
        return self._shares.ends()[1]

    def minimumStepSize(self) -> float:
        return self._shares.least_step()


class AccessibleShare(QAccessibleWidget):
    """A slider whose value is a share."""

    def __init__(self, shares: AccuracyHandle) -> None:
        super().__init__(shares, QAccessible.Role.Slider)
        self._shares = shares
        self._value = ShareValue(shares)

    def interface_cast(self, kind: QAccessible.InterfaceType) -> int:
        """What it can do besides being there. Qt takes nothing but an address for "nothing"."""
        if kind == QAccessible.InterfaceType.ValueInterface:
            return self._value  # type: ignore[return-value]
        if kind == QAccessible.InterfaceType.ActionInterface:
            return super().interface_cast(kind)
        return Shiboken.VoidPtr(0)  # type: ignore[return-value]

    def text(self, kind: QAccessible.Text) -> str:
        """As any widget; its value in words."""
        return self._shares.words() if kind == QAccessible.Text.Value else super().text(kind)
