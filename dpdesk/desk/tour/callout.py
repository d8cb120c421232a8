# SPDX-License-Identifier: Apache-2.0
"""A callout beside a control: a card over the page and a ring around what it is about.

Nothing moves or fades, nothing is dimmed, and the page below stays usable.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen, QPolygon
from PySide6.QtWidgets import QWidget

from dpdesk.desk.theme.metrics import Radius, Space, scale
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.buttons import link, primary, secondary
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.labels.label import Label, heading, quiet
from dpdesk.desk.widgets.layouts.flush import FlushRow

WIDTH = 340
RING = 3
AWAY = Space.CARDS + RING
LEAST_SEEN = 24
REACH, STEP = 6 * Space.CARDS, Space.SMALL
"""How far past a control's edges a callout may lie, and how finely its places are tried."""


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
        """Paint the ring."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(color(Role.ACCENT), RING))
        inner = QRectF(self.rect()).adjusted(RING / 2, RING / 2, -RING / 2, -RING / 2)
        painter.drawRoundedRect(inner, Radius.ITEM, Radius.ITEM)
        painter.end()


class Pointer(QWidget):
    """A line from a ring to the callout that speaks of what is in it; clicks go through it."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._line: list[QPoint] = []

    def lead(self, ring: QRect, callout: QRect) -> None:
        """Lead from one to the other; where they touch, there is nothing to show."""
        self._line = line_between(ring, callout)
        self.setVisible(bool(self._line))
        if self._line:
            ends = QPolygon(self._line).boundingRect()
            self.setGeometry(ends.adjusted(-RING, -RING, RING, RING))
            self.raise_()
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the line."""
        painter = QPainter(self)
        pen = QPen(color(Role.ACCENT), RING)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(pen)
        painter.drawPolyline(QPolygon([point - self.pos() for point in self._line]))
        painter.end()


def line_between(ring: QRect, callout: QRect) -> list[QPoint]:
    """A line from the side of a ring to the side of a callout; empty where they touch.

    Straight where they lie beside or below one another, else round one corner.
    """
    if ring.isEmpty() or ring.intersects(callout):
        return []
    down = max(ring.top(), callout.top()), min(ring.bottom(), callout.bottom())
    across = max(ring.left(), callout.left()), min(ring.right(), callout.right())
    is_right, is_below = callout.left() > ring.right(), callout.top() > ring.bottom()
    side = ring.right() if is_right else ring.left()
    edge = callout.top() if is_below else callout.bottom()
    if down[0] < down[1]:
        level = sum(down) // 2
        near = callout.left() if is_right else callout.right()
        return [QPoint(side, level), QPoint(near, level)]
    if across[0] < across[1]:
        place = sum(across) // 2
        near = ring.bottom() if is_below else ring.top()
        return [QPoint(place, near), QPoint(place, edge)]
    within = min(ring.height() // 2, Space.PAGE)
    level = ring.bottom() - within if is_below else ring.top() + within
    place = callout.left() + Space.CARD if is_right else callout.right() - Space.CARD
    return [QPoint(side, level), QPoint(place, level), QPoint(place, edge)]


class Callout(Card):
    """What is said of a control, with the way on and the way out.

    Args:
        window: the window in which it lies.

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
        row = FlushRow(spacing=Space.SMALL)
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

    def put_beside(self, place: QRect, room: QRect, shown: Sequence[QRect] = ()) -> None:
        """Lie beside a place of the window, within its room; on it where nothing else is free.

        Args:
            place: what the callout is about.
            room: where it may lie.
            shown: what else the page shows, of which it covers as little as it can.
        """
        # As wide as is usual, or as its line of buttons.
        self.body.activate()
        needed = self.body.minimumSize().width()
        self.setFixedWidth(max(round(WIDTH * scale()), needed))
        height = max(self.heightForWidth(self.width()), self.minimumSizeHint().height())
        size = QRect(0, 0, self.width(), height)
        free = [spot for spot in _spots_beside(place, size) if room.contains(spot)]
        if free:
            # Of those about equal the first: they begin with the usual ones. One that touches
            # nothing is better than any that does.
            about = max(1, size.width() * height // 10)
            found = min(free, key=lambda spot: -(-_covered(spot, shown) // about))
        else:
            found = size.translated(place.center() - size.center())
            left = max(room.left(), min(found.left(), room.right() - size.width()))
            top = max(room.top(), min(place.bottom() - height, room.bottom() - height))
            found.moveTopLeft(QPoint(left, top))
        self.setGeometry(found)
        self.show()
        self.raise_()

    def step_aside(self, keyboard: QRect, room: QRect) -> None:
        """Go to a corner of the room where it lies over what has the keyboard, if one is free."""
        if not self.geometry().intersects(keyboard):
            return
        spots = _in_corners(self.size(), room)
        free = next((spot for spot in spots if not spot.intersects(keyboard)), None)
        if free is not None:
            self.setGeometry(free)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape ends the tour; Return goes on, whichever button has the keyboard."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
            return
        super().keyPressEvent(event)


def _spots_beside(place: QRect, size: QRect) -> list[QRect]:
    """Places along the sides of another, those level with its edges first."""
    width, height = size.width(), size.height()
    right, below = place.right() + AWAY, place.bottom() + AWAY
    before, above = place.left() - AWAY - width, place.top() - AWAY - height
    level = [
        QPoint(right, place.top()),
        QPoint(place.left(), below),
        QPoint(place.left(), above),
        QPoint(before, place.top()),
    ]
    downward = range(place.top() - height - REACH, below + REACH, STEP)
    across = range(place.left() - width - REACH, right + REACH, STEP)
    nearest_first = sorted(downward, key=lambda top: abs(top - place.top()))
    level += [QPoint(left, top) for top in nearest_first for left in (right, before)]
    nearest_first = sorted(across, key=lambda left: abs(left - place.left()))
    level += [QPoint(left, top) for left in nearest_first for top in (below, above)]
    return [size.translated(corner) for corner in level]


def _covered(spot: QRect, shown: Sequence[QRect]) -> int:
    """How many pixels of what is shown a place covers or touches."""
    around = spot.adjusted(-Space.CARDS, -Space.CARDS, Space.CARDS, Space.CARDS)
    parts = (around.intersected(one) for one in shown)
    return sum(part.width() * part.height() for part in parts if not part.isEmpty())


def _in_corners(size: QSize, room: QRect) -> list[QRect]:
    """The places in the corners of a room, those below first: pages begin above."""
    left, top = room.left(), room.top()
    right, bottom = room.right() - size.width() + 1, room.bottom() - size.height() + 1
    corners = ((right, bottom), (left, bottom), (right, top), (left, top))
    return [QRect(QPoint(*corner), size) for corner in corners]
