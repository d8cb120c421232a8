# SPDX-License-Identifier: Apache-2.0
"""The unit inside a field, on the line of the number that it follows."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from dpdesk.desk.theme.metrics import Type
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.labels.elided_label import ElidedLabel


class UnitLabel(ElidedLabel):
    """A unit; it is the custodian's word, and may be long: it gives way to what it counts.

    Args:
        editor: what it stands beside. In the middle by itself it would be up to a pixel off: Qt
            rounds the place of a label's text and that of a line edit's in two ways.
        size: of the type table.
    """

    def __init__(self, editor: QWidget, size: Type = Type.TEXT) -> None:
        super().__init__(size, Role.TEXT_QUIET)
        self._editor = editor
        self.take_own_width()

    @property
    def line(self) -> QRect:
        """Where its line begins: where that of the editor does."""
        place, edit = self.contentsRect(), self._editor
        if not isinstance(edit, QLineEdit) or edit.parentWidget() is not self.parentWidget():
            return place
        above = (edit.height() - edit.fontMetrics().height() + 1) // 2
        top = self.mapFromParent(edit.pos() + QPoint(0, above)).y()
        return QRect(place.x(), top, place.width(), edit.fontMetrics().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint what there is room for."""
        painter = QPainter(self)
        painter.setPen(color(Role.TEXT_QUIET))
        flags = Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextDontClip
        # Smaller letters stand on the same base line.
        smaller = self._editor.fontMetrics().ascent() - self.fontMetrics().ascent()
        painter.drawText(self.line.translated(0, smaller), int(flags), self.shown)
        painter.end()
