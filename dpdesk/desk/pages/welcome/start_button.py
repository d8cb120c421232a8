# SPDX-License-Identifier: Apache-2.0
"""A way in on the first page: icon, name, what it takes, shortcut."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from dpdesk.desk.pages.welcome.welcome_row import WelcomeRow
from dpdesk.desk.theme import icons
from dpdesk.desk.theme.roles import Role


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
