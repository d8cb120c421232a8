# SPDX-License-Identifier: Apache-2.0
"""The budget in one line, for windows too narrow for its panel; pressed, it opens that."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from dpdesk.desk.theme.metrics import Radius, Space, Type, font
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.budget.gauge import BudgetGauge, GaugeParts
from dpdesk.desk.widgets.painting import focus_ring, hatching
from dpdesk.desk.widgets.pressing import Pressed


class BudgetStrip(Pressed, QAbstractButton):
    """What is left, as a number and a thin bar."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts = GaugeParts()
        self.setCheckable(True)
        self.setText(self.tr("Budget"))
        self.setToolTip(self.tr("Show the budget"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def show_gauge(self, gauge: BudgetGauge) -> None:
        if gauge.parts != self._parts or not self.accessibleDescription():
            self._parts = gauge.parts
            self.setAccessibleDescription(gauge.accessibleDescription())
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(Space.RAIL, Space.MENU)

    def _words(self) -> str:
        parts = self._parts
        if not parts.total:
            return self.tr("No account yet")
        left, total = parts.text(abs(parts.left)), parts.text(parts.total)
        if parts.left < 0:
            return self.tr("over by {0}, of {1}").format(left, total)
        certain, other = (
            self.tr("{0} of {1} remaining"),
            self.tr("{0} of {1} remaining, not certain"),
        )
        return (certain if parts.is_certain else other).format(left, total)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), color(Role.SURFACE))
        painter.setFont(font(Type.TEXT, semibold=True, tabular=True))
        is_over = self._parts.left < 0
        painter.setPen(color(Role.DANGER if is_over else Role.TEXT))
        place = self.rect().adjusted(Space.PAGE, 0, -Space.PAGE, -Space.TIGHT)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(place, middle | Qt.AlignmentFlag.AlignLeft, self.text())
        painter.drawText(place, middle | Qt.AlignmentFlag.AlignRight, self._words())
        self._paint_bar(painter)
        if self.hasFocus():
            focus_ring(painter, QRectF(self.rect()), Radius.FIELD)
        painter.end()

    def _paint_bar(self, painter: QPainter) -> None:
        """Spent is solid, planned is hatched, and what is left is light, as in the gauge."""
        parts, low = self._parts, self.height() - Space.TIGHT
        painter.fillRect(0, low, self.width(), Space.TIGHT, color(Role.TRACK))
        if not parts.total:
            return
        done = parts.spent + parts.released
        spent, held, used = (
            round(self.width() * min(1.0, max(0.0, units / parts.total)))
            for units in (done, done + parts.reserved, parts.total - parts.left)
        )
        role = Role.DANGER if parts.left < 0 else Role.ACCENT
        stripes = hatching(role, Role.SURFACE, parts.left < 0, self.devicePixelRatioF())
        painter.fillRect(0, low, spent, Space.TIGHT, color(role))
        painter.fillRect(spent, low, held - spent, Space.TIGHT, color(Role.TINT))
        painter.fillRect(held, low, used - held, Space.TIGHT, stripes)
