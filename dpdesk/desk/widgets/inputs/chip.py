# SPDX-License-Identifier: Apache-2.0
"""A choice that reads as part of a sentence or a line: text and a chevron in a tinted box."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from dpdesk.desk.theme import icons
from dpdesk.desk.theme.metrics import Radius, Space, Type, font
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.accessibility.opener import make_opener
from dpdesk.desk.widgets.labels.banner import Tone
from dpdesk.desk.widgets.layouts.aligned import RING
from dpdesk.desk.widgets.painting import box, focus_ring
from dpdesk.desk.widgets.pressing import Pressed

PAD = 11


class Chip(Pressed, QAbstractButton):
    """A button with a quiet label, a value and a chevron.

    Args:
        label: quiet words before the value; may be empty.
        value: what is chosen.
        tinted: as in a sentence; otherwise round, with a plain ground.
        dashed: an empty place to add something.
        has_popup: whether a list or a dialog opens at it; otherwise the page itself goes on there.
    """

    ring_room = RING

    def __init__(
        self,
        label: str = "",
        value: str = "",
        tinted: bool = False,
        dashed: bool = False,
        parent: QWidget | None = None,
        has_popup: bool = True,
    ) -> None:
        super().__init__(parent)
        make_opener(self, has_popup)
        self._label = label
        self._tinted = tinted
        self._dashed = dashed
        self._tone: Tone | None = None
        self.setText(value)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._describe()

    def set_value(self, value: str) -> None:
        if value != self.text():
            self.setText(value)
            self._describe()
            self.updateGeometry()

    def mark(self, tone: Tone | None, sentence: str = "") -> None:
        """Show that this is what has to be chosen or fixed, or that it is not."""
        self.setAccessibleDescription(sentence)
        if tone is not self._tone:
            self._tone = tone
            self.updateGeometry()
            self.update()

    @property
    def label(self) -> str:
        """The quiet words before the value."""
        return self._label

    @property
    def tone(self) -> Tone | None:
        return self._tone

    def _describe(self) -> None:
        self.setAccessibleName(": ".join(filter(None, (self._label, self.text()))))

    def _fonts(self) -> tuple[QFont, QFont]:
        size = Type.CARD if self._tinted else Type.QUIET
        return font(Type.QUIET), font(size, semibold=True)

    def sizeHint(self) -> QSize:
        quiet_font, value_font = self._fonts()
        width = QFontMetrics(value_font).horizontalAdvance(self.text())
        if self._label:
            width += QFontMetrics(quiet_font).horizontalAdvance(self._label) + Space.SMALL
        width += 0 if self._dashed else Space.ICON_CHIP + Space.TIGHT
        width += Space.ICON_CHIP + Space.LABEL if self._tone else 0
        height = Space.FIELD if self._tinted else Space.BUTTON_SMALL
        return QSize(width + 2 * PAD + 2 * RING, int(height) + 2 * RING)

    minimumSizeHint = sizeHint

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        whole = QRectF(self.rect())
        inner = whole.adjusted(RING, RING, -RING, -RING)
        radius = Radius.BUTTON if self._tinted else inner.height() / 2
        fill = Role.TINT if self._tinted and not self._dashed else Role.SURFACE
        border = Role.ACCENT if self._tinted and not self._dashed else Role.CONTROL
        if self.underMouse() and self.isEnabled():
            fill = Role.BAND if fill is Role.TINT else Role.TINT
        if self._tone is not None:
            fill, border, _icon = self._tone.value
        box(painter, inner, radius, fill, None if self._dashed else border)
        if self._dashed:
            self._paint_dashes(painter, inner, radius)
        self._paint_words(painter, inner)
        if self.hasFocus():
            focus_ring(painter, whole, radius + RING)
        painter.end()

    def _paint_dashes(self, painter: QPainter, inner: QRectF, radius: float) -> None:
        pen = QPen(color(Role.CONTROL), 1.0, Qt.PenStyle.CustomDashLine)
        pen.setDashPattern([3, 3])
        painter.setPen(pen)
        painter.drawRoundedRect(inner.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)

    def _paint_words(self, painter: QPainter, inner: QRectF) -> None:
        quiet_font, value_font = self._fonts()
        place = inner.adjusted(PAD, 0, -PAD, 0)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        if self._tone is not None:
            self._paint_mark(painter, place)
        if self._label:
            painter.setFont(quiet_font)
            painter.setPen(color(Role.TEXT_QUIET))
            painter.drawText(place, flags, self._label)
            place.setLeft(
                place.left() + painter.fontMetrics().horizontalAdvance(self._label) + Space.SMALL
            )
        painter.setFont(value_font)
        ink = Role.ACCENT if self._tinted else Role.TEXT
        ink = self._tone.value[1] if self._tone else ink
        painter.setPen(color(ink if self.isEnabled() else Role.DISABLED))
        painter.drawText(place, flags, self.text())
        if not self._dashed:
            side = Space.ICON_CHIP
            spot = QRectF(place.right() - side + 2, inner.center().y() - side / 2, side, side)
            icons.paint(painter, "chevron-down", ink, spot)

    def _paint_mark(self, painter: QPainter, place: QRectF) -> None:
        """Paint the icon that says it beside the colour, and go on after it."""
        if self._tone is not None:
            side = Space.ICON_CHIP
            _fill, ink, name = self._tone.value
            spot = QRectF(place.left(), place.center().y() - side / 2, side, side)
            icons.paint(painter, name, ink, spot)
            place.setLeft(place.left() + side + Space.LABEL)
