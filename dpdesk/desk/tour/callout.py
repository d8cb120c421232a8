# SPDX-License-Identifier: Apache-2.0
"""A callout beside a control: a card over the page and a ring around what it is about.

Nothing moves or fades, nothing is dimmed, and the page below stays usable.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from dpdesk.desk.theme.metrics import Radius, Space, scale
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.buttons import link, primary, secondary
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.labels.label import Label, heading, quiet
from dpdesk.desk.widgets.layouts.aligned import AlignedRow

WIDTH = 340
RING = 3
AWAY = Space.CARDS + RING
LEAST_SEEN = 24


class Ring(QWidget):
    """A ring around a control; clicks go through it."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def put_around(self, place: QRect) -> None:
        """Go around a place of the window."""
        self.setGeometry(place.adjusted(-2 * RING, -2 * RING, 2 * RING, 2 * RING))
        self.show()
        self.raise_()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(color(Role.ACCENT), RING))
        inner = QRectF(self.rect()).adjusted(RING / 2, RING / 2, -RING / 2, -RING / 2)
        painter.drawRoundedRect(inner, Radius.ITEM, Radius.ITEM)
        painter.end()


class Callout(Card):
    """What is said of a control, with the way on and the way out.

    Args:
        window: the window in which it is.

    Attributes:
        on, back, leave: the buttons.

    Signals:
        went_on, went_back: another callout is wanted.
        left: no more of them.
    """

    went_on = Signal()
    went_back = Signal()
    left = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(parent=window)
        self.set_look(Role.SURFACE, Role.ACCENT)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._title = heading("", wrap=True)
        self._text = Label("", wrap=True)
        self._place = quiet("", wrap=False)
        self.leave = link(self.tr("End the tour"))
        self.back = secondary(self.tr("Back"), small=True)
        # The page below has a way back of its own.
        self.back.setAccessibleName(self.tr("Back in the tour"))
        self.on = primary(self.tr("Next"))
        for line in (self._place, self._title, self._text):
            self.body.addWidget(line)
        row = AlignedRow(spacing=Space.SMALL)
        row.addWidget(self.leave)
        row.addStretch(1)
        row.addWidget(self.back)
        row.addWidget(self.on)
        self.body.addLayout(row)
        self.on.clicked.connect(self.went_on)
        self.back.clicked.connect(self.went_back)
        self.leave.clicked.connect(self.left)

    def say(self, title: str, text: str, place: str, on: str, first: bool) -> None:
        """Show a callout's words.

        Args:
            title: its first words.
            text: the rest.
            place: how many there are, and which it is.
            on: what the way on is called.
            first: whether there is none before it.
        """
        self._title.setText(title)
        self._text.setText(text)
        self._place.setText(place)
        self.on.setText(on)
        self.back.setVisible(not first)
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)
        # Whoever listens hears what the callout says where the keyboard is.
        self.on.setAccessibleDescription(f"{title}. {text}")

    def put_beside(self, place: QRect, room: QRect) -> None:
        """Lie beside a place of the window, or in the corner of the room that covers least of it.

        Args:
            place: what the callout is about, or what has the keyboard.
            room: where it may lie.
        """
        # As wide as is usual, or as its line of buttons.
        self.body.activate()
        needed = self.body.minimumSize().width()
        self.setFixedWidth(max(round(WIDTH * scale()), needed))
        height = max(self.heightForWidth(self.width()), self.minimumSizeHint().height())
        size = QSize(self.width(), height)
        beside = next((spot for spot in _beside(place, size) if room.contains(spot)), None)
        self.setGeometry(beside or min(_in_corners(size, room), key=lambda c: _common(c, place)))
        self.show()
        self.raise_()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape ends the tour; Return goes on, whichever button has the keyboard."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            return
        super().keyPressEvent(event)


def _beside(place: QRect, size: QSize) -> list[QRect]:
    """The places at the four sides of another."""
    before, above = place.left() - AWAY - size.width(), place.top() - AWAY - size.height()
    corners = (
        QPoint(place.right() + AWAY, place.top()),
        QPoint(place.left(), place.bottom() + AWAY),
        QPoint(place.left(), above),
        QPoint(before, place.top()),
    )
    return [QRect(corner, size) for corner in corners]


def _common(one: QRect, other: QRect) -> int:
    """How many pixels two places share."""
    both = one.intersected(other)
    return max(0, both.width()) * max(0, both.height())


def _in_corners(size: QSize, room: QRect) -> list[QRect]:
    """The places in the corners of a room, those below first: pages begin above."""
    left, top = room.left(), room.top()
    right, bottom = room.right() - size.width() + 1, room.bottom() - size.height() + 1
    corners = ((right, bottom), (left, bottom), (right, top), (left, top))
    return [QRect(QPoint(*corner), size) for corner in corners]
