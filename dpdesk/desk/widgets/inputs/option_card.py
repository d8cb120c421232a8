# SPDX-License-Identifier: Apache-2.0
"""A choice with its explanation, as a card with a radio mark."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QRadioButton, QSizePolicy, QWidget

from dpdesk.desk.theme.metrics import Radius, Space, Type, font
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.labels.spread_text import SpreadText
from dpdesk.desk.widgets.layouts.aligned import RING
from dpdesk.desk.widgets.painting import box, focus_ring
from dpdesk.desk.widgets.pressing import RETURN, Pressed

MARK = 16
LEFT = 13


class OptionCard(Pressed, QRadioButton):
    """A radio button whose whole card can be pressed.

    Args:
        text: the choice.
        explanation: what it means; may be empty.
        plain: without the card around it.

    Signals:
        decided: it was pressed, with the mouse, Space or Return; passing over it with the arrows,
            which chooses it, too, leaves the keyboard where it is.
    """

    decided = Signal()

    def __init__(
        self, text: str, explanation: str = "", plain: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(text, parent)
        self._explanation = explanation
        self._below = SpreadText(Type.QUIET)
        self._plain = plain
        self.setAccessibleDescription(explanation)
        self.setFont(font(Type.TEXT))
        # Fixed would have the height of its narrowest form at least, which a dialog then keeps.
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    @property
    def ring_room(self) -> int:
        """Without a card around it, its mark is where other controls begin."""
        return RING if self._plain else 0

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self._decide(event.button() is Qt.MouseButton.LeftButton)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        super().keyPressEvent(event)
        self._decide(event.key() in RETURN)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        """Space decides when it is let go."""
        super().keyReleaseEvent(event)
        self._decide(event.key() == Qt.Key.Key_Space)

    def _decide(self, is_press: bool) -> None:
        if is_press and self.isChecked():
            self.decided.emit()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        """Title, explanation, padding."""
        return self._padding() * 2 + self._line() + self._below_height(width)

    def sizeHint(self) -> QSize:
        """As wide as two of them side by side, or as its choice asks for."""
        words = self.fontMetrics().horizontalAdvance(self.text())
        width = max(Space.RAIL + RING, self._words_left() + words + self._padding())
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(Space.RAIL // 2, self._padding() * 2 + self._line())

    def hitButton(self, _pos: object) -> bool:
        """The whole card can be pressed."""
        return True

    def _padding(self) -> int:
        return RING if self._plain else Space.CARDS

    def _line(self) -> int:
        return max(MARK + 2, self.fontMetrics().height())

    def _words_left(self) -> int:
        return (RING if self._plain else LEFT) + MARK + Space.SMALL + 2

    def _below_height(self, width: int) -> int:
        if not self._explanation:
            return 0
        room = max(40, width - self._words_left() - self._padding())
        return self._spread_words().height(room) + Space.TIGHT

    def _spread_words(self) -> SpreadText:
        self._below.put(self._explanation, font(Type.QUIET), Qt.AlignmentFlag.AlignLeft)
        return self._below

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        whole = QRectF(self.rect())
        on = self.isChecked()
        if not self._plain:
            edge = Role.CONTROL if self.underMouse() else Role.LINE
            fill, border = (Role.TINT, Role.ACCENT) if on else (Role.SURFACE, edge)
            box(painter, whole, Radius.ITEM, fill, border)
        self._paint_mark(painter, on)
        left, top = self._words_left(), self._padding()
        painter.setPen(color(Role.TEXT))
        painter.setFont(self.font())
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        line = QRect(left, top, self.width() - left, self._line())
        painter.drawText(line, int(flags), self.text())
        if self._explanation:
            top = line.bottom() + 2
            below = QRect(left, top, self.width() - left - self._padding(), self.height() - top)
            ink = color(Role.TEXT_QUIET)
            self._spread_words().paint(painter, below, Qt.AlignmentFlag.AlignTop, ink)
        if self.hasFocus():
            focus_ring(painter, whole, Radius.ITEM)
        painter.end()

    def _paint_mark(self, painter: QPainter, on: bool) -> None:
        left = RING if self._plain else LEFT
        top = self._padding() + (self._line() - MARK) / 2
        spot = QRectF(left, top, MARK, MARK)
        box(
            painter,
            spot,
            MARK / 2,
            Role.ACCENT if on else Role.SURFACE,
            None if on else Role.CONTROL,
        )
        if on:
            box(painter, spot.adjusted(5, 5, -5, -5), MARK / 2, Role.ON_ACCENT)
