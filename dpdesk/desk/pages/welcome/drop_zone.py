# SPDX-License-Identifier: Apache-2.0
"""Where a file can be dropped on the first page."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QVBoxLayout,
    QWidget,
)

from dpdesk.desk.theme.metrics import (
    Radius,
    Space,
    scale,
)
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import heading, quiet

DROP_HEIGHT = 112


class DropZone(QWidget):
    """Where a file can be dropped; the window takes the drop."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumHeight(round(DROP_HEIGHT * scale()))
        column = QVBoxLayout(self, spacing=Space.TIGHT)
        centre = Qt.AlignmentFlag.AlignHCenter
        column.addStretch(1)
        column.addWidget(IconLabel("drop", Role.ACCENT, 28), 0, centre)
        column.addWidget(heading(self.tr("Drop a data file here")), 0, centre)
        line = quiet(self.tr("It is read in place and never copied or changed."))
        line.setAlignment(centre)
        column.addWidget(line)
        column.addStretch(1)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(color(Role.SURFACE))
        pen = QPen(color(Role.CONTROL), 1)
        pen.setDashPattern([3, 3])
        painter.setPen(pen)
        whole = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(whole, Radius.CARD, Radius.CARD)
        painter.end()
