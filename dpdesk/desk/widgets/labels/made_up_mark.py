# SPDX-License-Identifier: Apache-2.0
"""The mark of what is made up: a flask and two words within a dashed outline."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.metrics import Radius, Space, Type
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label
from dpdesk.desk.widgets.painting import box

OUTLINE = 1.5


def made_up() -> str:
    return tr("MadeUpMark", "made up")


class MadeUpMark(QWidget):
    """A chip that cannot be pressed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self, spacing=Space.TIGHT)
        row.setContentsMargins(Space.SMALL, Space.HAIR, Space.SMALL + Space.HAIR, Space.HAIR)
        row.addWidget(IconLabel("flask", Role.SECOND, Space.ICON_CHIP))
        row.addWidget(Label(made_up(), Type.QUIET, Role.SECOND, semibold=True))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        box(painter, QRectF(self.rect()), Radius.FIELD, None, Role.SECOND, OUTLINE, dashed=True)
        painter.end()
