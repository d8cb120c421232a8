# SPDX-License-Identifier: Apache-2.0
"""A segmented control: a few choices side by side, one of them on."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QSizePolicy, QWidget

from dpdesk.desk.theme import icons
from dpdesk.desk.theme.metrics import Radius, Space, Type, font
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.layouts.aligned import RING
from dpdesk.desk.widgets.painting import box, focus_ring
from dpdesk.desk.widgets.pressing import Pressed
from dpdesk.desk.widgets.tab_stop import one_tab_stop, settle_tab_stop

ICON_ROOM = Space.ICON + Space.SMALL


class _Segment(Pressed, QAbstractButton):
    """One choice."""

    def __init__(self, segmented: Segmented, text: str, icon: str) -> None:
        super().__init__()
        self._segmented = segmented
        self._icon = icon
        self.setText(text)
        self.setCheckable(True)
        self.setAutoExclusive(True)  # of a group: read out as one of several, no check box
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFont(font(Type.TEXT, semibold=True))

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance(self.text()) + 2 * Space.CARD
        width += ICON_ROOM if self._icon else 0
        return QSize(width, self._segmented.height_of_one)

    def has_room_for_icon(self) -> bool:
        """Whether the whole word, as it is when it is on, fits beside the icon."""
        word = QFontMetrics(font(Type.TEXT, semibold=True)).horizontalAdvance(self.text())
        return self.width() >= word + ICON_ROOM + Space.SMALL

    def minimumSizeHint(self) -> QSize:
        return QSize(Space.FIELD + Space.GAP, self._segmented.height_of_one)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        whole = QRectF(self.rect())
        if self.isChecked():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillPath(self._ground(whole), color(Role.TINT))
        plain = Role.TEXT if self.underMouse() else Role.TEXT_QUIET
        ink = Role.ACCENT if self.isChecked() else plain
        ink = ink if self.isEnabled() else Role.DISABLED
        painter.setPen(color(ink))
        painter.setFont(font(Type.TEXT, semibold=self.isChecked()))
        room = ICON_ROOM if self._icon and self._segmented.has_room_for_icons() else 0
        most = self.width() - Space.SMALL - room
        shown = painter.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, most)
        width = painter.fontMetrics().horizontalAdvance(shown)
        left = whole.center().x() - (width + room) / 2
        if room:
            middle = whole.center().y() - Space.ICON / 2
            icons.paint(painter, self._icon, ink, QRectF(left, middle, Space.ICON, Space.ICON))
        place = QRectF(left + room, 0, width + Space.TIGHT, whole.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, shown)
        if self.hasFocus():
            focus_ring(painter, whole.adjusted(1, 1, -1, -1), Radius.FIELD)
        painter.end()

    def _ground(self, whole: QRectF) -> QPainterPath:
        """What of it is within the rounded border that all of them share."""
        frame, own = QPainterPath(), QPainterPath()
        parent = self.parentWidget()
        inner = QRectF(parent.rect() if parent is not None else self.rect())
        inset = 1 + self._segmented.inset
        inner = inner.adjusted(1, inset, -1, -inset).translated(-self.x(), -self.y())
        frame.addRoundedRect(inner, Radius.BUTTON - 1, Radius.BUTTON - 1)
        own.addRect(whole)
        return frame.intersected(own)


class Segmented(QWidget):
    """Choices side by side; arrows move between them.

    Args:
        choices: (key, text, icon) of each.
        small: of the height of small buttons, to stand beside them.

    Signals:
        picked: the user chose; carries the key.
    """

    picked = Signal(str)

    def __init__(
        self,
        choices: list[tuple[str, str, str]],
        name: str = "",
        parent: QWidget | None = None,
        small: bool = False,
    ) -> None:
        super().__init__(parent)
        self.height_of_one = (Space.BUTTON_SMALL if small else Space.FIELD) - 2
        self._segments: dict[str, _Segment] = {}
        self._group = QButtonGroup(self)
        one_tab_stop(self._group)
        row = QHBoxLayout(self)
        # Small buttons have room for their ring above and below.
        self.inset = RING if small else 0
        row.setContentsMargins(1, 1 + self.inset, 1, 1 + self.inset)
        row.setSpacing(1)
        for key, text, icon in choices:
            segment = _Segment(self, text, icon)
            segment.setAccessibleName(text)
            segment.setToolTip(text)
            segment.setAccessibleDescription(name)
            segment.clicked.connect(lambda _on=False, key=key: self.picked.emit(key))
            self._group.addButton(segment)
            settle_tab_stop(self._group)
            self._segments[key] = segment
            row.addWidget(segment)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def select(self, key: str) -> None:
        """Put one on without a signal; none for the empty key."""
        if key in self._segments:
            self._segments[key].setChecked(True)
        elif not key and self.key:
            self._group.setExclusive(False)
            self._segments[self.key].setChecked(False)
            self._group.setExclusive(True)
            settle_tab_stop(self._group)

    def say_whose(self, whose: str) -> None:
        """Say what the choices are about, where others on the page are called the same."""
        for segment in self._segments.values():
            segment.setAccessibleName(f"{segment.text()}: {whose}")

    def offer(self, keys: Collection[str]) -> None:
        """Show these choices alone."""
        for key, segment in self._segments.items():
            segment.setVisible(key in keys)

    def has_room_for_icons(self) -> bool:
        """Whether each word fits beside its icon; where one does not, all icons give way."""
        return all(one.isHidden() or one.has_room_for_icon() for one in self._segments.values())

    def segment(self, key: str) -> QAbstractButton:
        return self._segments[key]

    @property
    def keys(self) -> tuple[str, ...]:
        """Those of all choices, in their order."""
        return tuple(self._segments)

    @property
    def key(self) -> str:
        """The one that is on; empty while none is."""
        return next((k for k, s in self._segments.items() if s.isChecked()), "")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and right choose the neighbour."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        keys = [key for key, segment in self._segments.items() if not segment.isHidden()]
        if step is None or self.key not in keys:
            super().keyPressEvent(event)
            return
        chosen = keys[(keys.index(self.key) + step) % len(keys)]
        self._segments[chosen].setFocus()
        self._segments[chosen].click()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        frame = self.rect().adjusted(0, self.inset, 0, -self.inset)
        box(painter, QRectF(frame), Radius.BUTTON, Role.SURFACE, Role.CONTROL)
        for segment in [one for one in self._segments.values() if not one.isHidden()][1:]:
            left, top, height = segment.x() - 1, frame.top() + 1, frame.height() - 2
            painter.fillRect(left, top, 1, height, color(Role.LINE))
        painter.end()
