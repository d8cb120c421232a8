# SPDX-License-Identifier: Apache-2.0
"""One table of a study, as a tile that opens what is declared of it."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from dpdesk.desk.theme import icons
from dpdesk.desk.theme.metrics import Radius, Space, Type, font
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.layouts.aligned import RING
from dpdesk.desk.widgets.painting import box, focus_ring
from dpdesk.desk.widgets.pressing import Pressed

WIDTH = 232
LINES = (Type.TEXT, Type.QUIET, Type.QUIET)


class TableTile(Pressed, QAbstractButton):
    """An icon, the table's name, and two lines about it.

    Args:
        is_main: whether its rows are what queries count.
    """

    ring_room = RING

    def __init__(self, is_main: bool) -> None:
        super().__init__()
        self._is_main = is_main
        self._icon = "table"
        self._lines = ("", "")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_table(self, name: str, first: str, second: str, icon: str, wrong: str = "") -> None:
        """Show what is declared of a table, or what is wrong with it in place of a line."""
        self.setText(name)
        self._lines = (first, wrong or second)
        self._icon = "alert" if wrong else icon
        self.setAccessibleName(name)
        self.setAccessibleDescription(f"{first}, {wrong or second}")
        self.setToolTip(wrong or second)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        heights = [QFontMetrics(font(line)).height() for line in LINES]
        return QSize(WIDTH + 2 * RING, sum(heights) + 2 * Space.CARD + 2 * RING)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        whole = QRectF(self.rect())
        inner = whole.adjusted(RING, RING, -RING, -RING)
        fill = Role.TINT if self._is_main else Role.SURFACE
        box(painter, inner, Radius.CARD, fill, Role.ACCENT if self.underMouse() else Role.CONTROL)
        icon = QRect(round(inner.left()) + Space.CARD, round(inner.top()) + Space.CARD, 20, 20)
        icons.paint(painter, self._icon, Role.ACCENT, QRectF(icon))
        left = icon.right() + Space.SMALL + 2
        place = QRect(left, icon.top(), round(inner.right()) - left - Space.SMALL, 0)
        for at, (text, kind) in enumerate(zip((self.text(), *self._lines), LINES, strict=True)):
            shown = font(kind, semibold=not at)
            metrics = QFontMetrics(shown)
            place.setHeight(metrics.height())
            painter.setFont(shown)
            painter.setPen(color(Role.TEXT_QUIET if at else Role.TEXT))
            fitted = metrics.elidedText(text, Qt.TextElideMode.ElideRight, place.width())
            painter.drawText(place, Qt.AlignmentFlag.AlignLeft, fitted)
            place.translate(0, metrics.height())
        if self.hasFocus():
            focus_ring(painter, whole, Radius.CARD + RING)
        painter.end()
