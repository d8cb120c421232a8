# SPDX-License-Identifier: Apache-2.0
"""One line of somebody else's text: as much of it as there is room, the whole in the tooltip."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from dpdesk.desk.theme.metrics import Space, Type
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.labels.label import Label


class ElidedLabel(Label):
    """A label that never asks for more room than there is."""

    def __init__(
        self,
        size: Type = Type.TEXT,
        role: Role = Role.TEXT,
        *,
        semibold: bool = False,
        mono: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("", size, role, semibold=semibold, mono=mono, parent=parent)
        self._ink = role
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def take_own_width(self) -> None:
        """Ask for the room of the whole text, and give way where there is less."""
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def setText(self, text: str) -> None:
        super().setText(text)
        self.setAccessibleName(text)
        self.setToolTip(text)

    @property
    def shown(self) -> str:
        width = self.contentsRect().width()
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideMiddle, width)

    def minimumSizeHint(self) -> QSize:
        whole = super().sizeHint()
        return QSize(min(Space.GAP, whole.width()), whole.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(color(self._ink))
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(self.contentsRect(), flags, self.shown)
        painter.end()
