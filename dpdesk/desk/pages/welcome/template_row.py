# SPDX-License-Identifier: Apache-2.0
"""A template of a usual release on the first page."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from dpdesk.desk.pages.welcome.welcome_row import WelcomeRow
from dpdesk.desk.theme import icons
from dpdesk.desk.theme.roles import Role


class TemplateRow(WelcomeRow):
    """One usual release to begin a study for: its name, and what it publishes."""

    def __init__(self, name: str, second: str) -> None:
        super().__init__(name, second, height=50)
        self.setAccessibleDescription(second)

    def paint_sign(self, painter: QPainter, place: QRectF) -> None:
        icons.paint(painter, "table", Role.ACCENT, place)
