# SPDX-License-Identifier: Apache-2.0
"""Buttons: one primary a page, a danger-filled one for what cannot be undone, quiet others."""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QDialog, QPushButton, QSizePolicy, QWidget

from dpdesk.desk.theme import icons
from dpdesk.desk.theme.metrics import Radius, Space, Type, font
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.accessibility.opener import make_opener
from dpdesk.desk.widgets.layouts.aligned import LINK_ROOM, RING
from dpdesk.desk.widgets.painting import box, focus_ring
from dpdesk.desk.widgets.pressing import Pressed

POINTED, PRESSED = 0.12, 0.5
"""How much of the text's colour lies over a loud button that is pointed at, or pressed: its words
stand out more, in light and dark."""


class ButtonLook(Enum):
    """How loud a button is: fill, border and text."""

    PRIMARY = (Role.ACCENT, None, Role.ON_ACCENT)
    DANGER = (Role.DANGER_FILL, None, Role.ON_DANGER)
    SECONDARY = (Role.SURFACE, Role.CONTROL, Role.TEXT)
    LINK = (None, None, Role.ACCENT)


class Button(Pressed, QPushButton):
    """A painted push button with an optional icon before or after its text.

    Args:
        text: the verb.
        look: how loud it is.
        before, after: icon names.
        small: of the smaller height.
    """

    def __init__(
        self,
        text: str = "",
        look: ButtonLook = ButtonLook.SECONDARY,
        before: str = "",
        after: str = "",
        small: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, parent)
        self._look = look
        self.setAutoDefault(False)
        self._before = before
        self._after = after
        self._height: int = Space.BUTTON_SMALL if small else Space.BUTTON
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFont(font(Type.TEXT, semibold=look is not ButtonLook.SECONDARY))

    @property
    def ring_room(self) -> int:
        """Around the box, or around the words of a link."""
        is_words = self._look is ButtonLook.LINK and bool(self.text())
        return LINK_ROOM if is_words else RING

    def set_before(self, icon: str) -> None:
        """Show another icon before the text."""
        if icon != self._before:
            self._before = icon
            self.updateGeometry()
            self.update()

    def stand_in_text(self) -> None:
        """Be as high as a line of text and the ring around it, to stand beside a sentence."""
        self._height = 0
        self.updateGeometry()

    def heeds_return(self) -> bool:
        """Return never presses what cannot be undone."""
        return not (self._look is ButtonLook.DANGER and isinstance(self.window(), QDialog))

    def sizeHint(self) -> QSize:
        pad = Space.TIGHT if self._look is ButtonLook.LINK else Space.CARD - Space.TIGHT
        width = self.fontMetrics().horizontalAdvance(self._shown()) + 2 * pad
        icon_room = Space.ICON + (Space.SMALL if self.text() else 0)
        width += icon_room * (bool(self._before) + bool(self._after))
        line = self.fontMetrics().height() + 2 * Space.TIGHT
        height = max(self._height, line) + 2 * RING if self._height else line
        return QSize(width + 2 * RING, height)

    minimumSizeHint = sizeHint

    def _shown(self) -> str:
        return self.text().replace("&&", "\0").replace("&", "").replace("\0", "&")

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        whole = QRectF(self.rect())
        inner = whole.adjusted(RING, RING, -RING, -RING)
        fill, border, ink = self._roles()
        if fill or border:
            box(painter, inner, Radius.BUTTON, fill, border)
        is_pressed = self.isDown() and self.isEnabled()
        if self._is_loud and self.isEnabled() and (is_pressed or self.underMouse()):
            painter.setOpacity(PRESSED if is_pressed else POINTED)
            box(painter, inner, Radius.BUTTON, Role.TEXT)
            painter.setOpacity(1.0)
        # It gives way by a pixel: keys press, too, where nothing is pointed at.
        sunk = inner.translated(0, Space.HAIR) if is_pressed else inner
        self._paint_content(painter, sunk, ink)
        if self.hasFocus():
            focus_ring(painter, whole, Radius.BUTTON + RING)
        painter.end()

    @property
    def _is_loud(self) -> bool:
        return self._look in (ButtonLook.PRIMARY, ButtonLook.DANGER)

    def _roles(self) -> tuple[Role | None, Role | None, Role]:
        fill, border, ink = self._look.value
        if not self.isEnabled():
            quiet = (None, None) if self._look is ButtonLook.LINK else (Role.INSET, Role.LINE)
            return (*quiet, Role.DISABLED)
        if self._is_loud:
            return fill, border, ink
        if self.isDown():
            fill = Role.BAND
        elif self.underMouse():
            fill = Role.TINT
        return fill, border, ink

    def _paint_content(self, painter: QPainter, inner: QRectF, ink: Role) -> None:
        gap = Space.SMALL if self.text() else 0
        text_width = self.fontMetrics().horizontalAdvance(self._shown())
        icon_room = Space.ICON + gap
        content = text_width + icon_room * (bool(self._before) + bool(self._after))
        left = inner.center().x() - content / 2
        middle = inner.center().y() - Space.ICON / 2
        if self._before:
            icons.paint(painter, self._before, ink, QRectF(left, middle, Space.ICON, Space.ICON))
            left += icon_room
        painter.setPen(color(ink))
        painter.setFont(self.font())
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        place = QRectF(left, inner.top(), text_width + Space.TIGHT, inner.height())
        painter.drawText(place, int(flags), self._shown())
        if self._after:
            spot = QRectF(left + text_width + gap, middle, Space.ICON, Space.ICON)
            icons.paint(painter, self._after, ink, spot)


def primary(text: str, after: str = "", before: str = "") -> Button:
    """The one loud button of a page."""
    return Button(text, ButtonLook.PRIMARY, before=before, after=after)


def danger(text: str, before: str = "") -> Button:
    """The button of what cannot be undone."""
    return Button(text, ButtonLook.DANGER, before=before)


def secondary(text: str, before: str = "", small: bool = False) -> Button:
    """A quiet button."""
    return Button(text, ButtonLook.SECONDARY, before=before, small=small)


def link(text: str, before: str = "") -> Button:
    """A button that looks like a link."""
    return Button(text, ButtonLook.LINK, before=before, small=True)


def icon_button(name: str, label: str) -> Button:
    """A small button with an icon alone; the label is for tooltip and screen reader."""
    made = Button("", ButtonLook.LINK, before=name, small=True)
    made.setAccessibleName(label)
    made.setToolTip(label)
    return made


def menu_button(label: str) -> Button:
    """Three dots, under which a menu opens."""
    made = Button("", ButtonLook.LINK, before="more", small=True)
    make_opener(made)
    made.setAccessibleName(label)
    made.setToolTip(label)
    return made
