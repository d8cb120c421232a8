# SPDX-License-Identifier: Apache-2.0
"""A recent study on the first page, with what its account has left."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from dpdesk.desk.pages.welcome.welcome_row import WelcomeRow
from dpdesk.desk.theme.roles import Role, color


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
