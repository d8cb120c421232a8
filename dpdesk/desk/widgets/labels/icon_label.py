# SPDX-License-Identifier: Apache-2.0
"""An icon on a page, painted in its role's colour of the moment."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from dpdesk.desk.theme import icons
from dpdesk.desk.theme.metrics import Radius, Space
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.painting import box


class IconLabel(QWidget):
    """An icon, alone or on a tinted tile; decoration, so no screen reader hears of it.

    Args:
        name: of the icon.
        role: its colour.
        size: its width and height.
        tile: role of the tile behind it.
    """

    def __init__(
        self,
        name: str,
        role: Role = Role.TEXT_QUIET,
        size: int = Space.ICON,
        tile: Role | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._name = name
        self._role = role
        self._size = int(size)
        self._tile = tile
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_icon(self, name: str, role: Role) -> None:
        if (name, role) != (self._name, self._role):
            self._name, self._role = name, role
            self.update()

    def sizeHint(self) -> QSize:
        side = self._size + (self._size if self._tile else 0)
        return QSize(side, side)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        whole = QRectF(self.rect())
        if self._tile:
            box(painter, whole, Radius.ITEM, self._tile)
        spot = QRectF(0, 0, self._size, self._size)
        spot.moveCenter(whole.center())
        icons.paint(painter, self._name, self._role, spot)
        painter.end()
