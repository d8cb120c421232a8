# SPDX-License-Identifier: Apache-2.0
"""What can be pressed on the first page: a sign, two lines, and what ends them at the right."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from dpdesk.desk.theme import icons
from dpdesk.desk.theme.metrics import Radius, Space, Type, font, scale
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.painting import box, focus_ring
from dpdesk.desk.widgets.pressing import Pressed

SIDE_WIDTH = 452
"""How wide each of the first page's two sides is at most."""
SIGN, LINE = 24, 20
WORDS = Space.CARD + SIGN + Space.GAP - 5
"""Where the lines begin."""


class WelcomeRow(Pressed, QAbstractButton):
    """A row; of what is loud the whole has the accent's colour.

    Args:
        name, second: its two lines.
        ends: what ends each of them; one alone is in the middle.
        height: at the usual size of text.
    """

    is_card = is_loud = False

    def __init__(
        self, name: str, second: str, ends: tuple[str, str] = ("", ""), height: int = 62
    ) -> None:
        super().__init__()
        self._second, self._ends, self._height = second, ends, height
        self.setText(name)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(SIDE_WIDTH, round(self._height * scale()))

    def paint_sign(self, painter: QPainter, place: QRectF) -> None:
        """Paint what is before the lines."""

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, whole = QPainter(self), QRectF(self.rect())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        fill = Role.ACCENT if self.is_loud else Role.INSET if self.underMouse() else Role.SURFACE
        radius = Radius.CARD if self.is_card else Radius.ITEM
        if self.is_card:
            box(painter, whole, radius, fill, None if self.is_loud else Role.LINE)
        elif self.underMouse():
            painter.fillRect(whole.adjusted(1, 1, -1, -1), color(fill))
        self.paint_sign(painter, QRectF(Space.CARD, (self.height() - SIGN) / 2, SIGN, SIGN))
        self._paint_lines(painter, whole.adjusted(WORDS, 0, -Space.CARD, 0))
        if self.hasFocus():
            # On its own colour the ring would not be seen around it.
            air = Space.TIGHT if self.is_loud else 0
            ring = Role.ON_ACCENT if self.is_loud else Role.ACCENT
            focus_ring(painter, whole.adjusted(air, air, -air, -air), radius - air, ring)
        painter.end()

    def _paint_lines(self, painter: QPainter, room: QRectF) -> None:
        ink = Role.ON_ACCENT if self.is_loud else Role.TEXT
        quiet = Role.ON_ACCENT if self.is_loud else Role.TEXT_QUIET
        line = LINE * scale()
        first = QRectF(room.left(), room.center().y() - line, room.width(), line)
        rows = (
            (first, self.text(), self._ends[0], ink, font(Type.TEXT, semibold=self.is_card)),
            (first.translated(0, line), self._second, self._ends[1], quiet, font(Type.QUIET)),
        )
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for place, text, end, role, used in rows:
            painter.setPen(color(role))
            painter.setFont(used)
            painter.drawText(place if all(self._ends) else room, right, end)
            metrics = painter.fontMetrics()
            wide = int(room.width()) - max(map(metrics.horizontalAdvance, self._ends))
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, wide - Space.CARDS)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, shown)


class RecentStudy(WelcomeRow):
    """One recent study, with a little gauge of what its account has spent."""

    def __init__(self, title: str, second: str, left: str, planned: str, spent: float) -> None:
        super().__init__(title, second, (left, planned))
        self._spent = spent
        self.setToolTip(title)
        self.setAccessibleDescription(", ".join(filter(None, (second, left, planned))))

    def paint_sign(self, painter: QPainter, place: QRectF) -> None:
        for role, share in ((Role.TRACK, 1.0), (Role.ACCENT, self._spent)):
            painter.setPen(QPen(color(role), 6, c=Qt.PenCapStyle.FlatCap))
            painter.drawArc(place, 210 * 16, round(-240 * 16 * share))


class StartButton(WelcomeRow):
    """One way in, a card of its own."""

    is_card = True

    def __init__(
        self, icon: str, name: str, second: str, shortcut: str = "", loud: bool = False
    ) -> None:
        super().__init__(name, second, ("", shortcut), height=64)
        self._icon, self.is_loud = icon, loud
        self.setAccessibleDescription(second)

    def paint_sign(self, painter: QPainter, place: QRectF) -> None:
        icons.paint(painter, self._icon, Role.ON_ACCENT if self.is_loud else Role.ACCENT, place)


class TemplateRow(WelcomeRow):
    """One usual release to begin a study for: its name, and what it publishes."""

    def __init__(self, name: str, second: str) -> None:
        super().__init__(name, second, height=50)
        self.setToolTip(f"{name}\n{second}")
        self.setAccessibleDescription(second)

    def paint_sign(self, painter: QPainter, place: QRectF) -> None:
        icons.paint(painter, "table", Role.ACCENT, place)
