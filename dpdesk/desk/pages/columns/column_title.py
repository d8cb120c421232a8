# SPDX-License-Identifier: Apache-2.0
"""The title above a column's form: of two lines where one is too short for it."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy

from dpdesk.desk.pages.columns.column_item import in_two_lines
from dpdesk.desk.theme.metrics import Type
from dpdesk.desk.theme.roles import color
from dpdesk.desk.widgets.labels.elided_label import ElidedLabel
from dpdesk.desk.widgets.labels.spread_lines import line_step


class ColumnTitle(ElidedLabel):
    """A heading that gives way by a second line; what is longer ends in an ellipsis."""

    def __init__(self) -> None:
        super().__init__(Type.HEADING, semibold=True)
        # Of a fixed height a layout would give it that of one line.
        preferred = QSizePolicy.Policy.Preferred
        self.setSizePolicy(preferred, preferred)

    def hasHeightForWidth(self) -> bool:
        """Its height follows its width; by itself Qt says so of what wraps alone."""
        return True

    def lines(self, width: int) -> list[str]:
        """The title as it is painted at a width."""
        return in_two_lines(self.text(), self.fontMetrics(), width)

    @property
    def shown(self) -> str:
        """What there is room for."""
        return "".join(self.lines(self.width()))

    def heightForWidth(self, width: int) -> int:
        """One line, or two."""
        return len(self.lines(width)) * line_step(Type.HEADING, self.font())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the lines in the middle of the height."""
        painter = QPainter(self)
        painter.setPen(color(self._ink))
        lines, step = self.lines(self.width()), line_step(Type.HEADING, self.font())
        top = (self.height() - len(lines) * step) // 2
        for number, text in enumerate(lines):
            place = QRect(0, top + number * step, self.width(), step)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, text)
        painter.end()
