# SPDX-License-Identifier: Apache-2.0
"""A banner across a page: information, done, attention or error, with two actions at most."""

from __future__ import annotations

from enum import Enum
from functools import cached_property

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QWidget

from dpdesk.desk.theme.metrics import Radius, Space
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.accessibility.announcing import announce
from dpdesk.desk.widgets.buttons import Button, link, secondary
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label
from dpdesk.desk.widgets.layouts.aligned import NOWHERE, AlignedRow
from dpdesk.desk.widgets.painting import box

BESIDE = 2.5
"""Actions stand beside the text where that is so many times as wide."""


class Tone(Enum):
    """What a banner is for: fill, ink and icon."""

    INFO = (Role.TINT, Role.ACCENT, "alert")
    DONE = (Role.OK_TINT, Role.OK, "check-circle")
    ATTENTION = (Role.WARN_TINT, Role.WARN, "warning")
    ERROR = (Role.DANGER_TINT, Role.DANGER, "cross-circle")


class Banner(QWidget):
    """A banner with bold first words; its action is a button with ``stands_out``.

    Signals:
        action_pressed: its action was pressed.
        second_pressed: its second action was pressed.
    """

    action_pressed = Signal()
    second_pressed = Signal()

    def __init__(
        self,
        tone: Tone = Tone.INFO,
        first: str = "",
        rest: str = "",
        action: str = "",
        icon: str = "",
        stands_out: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._tone = tone
        self._is_below = False
        _fill, ink, name = tone.value
        self._icon = IconLabel(icon or name, ink)
        self._text = Label(wrap=True, rich=True)
        self.action = secondary(action, small=True) if stands_out else link(action)
        self.action.clicked.connect(self.action_pressed)
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(Space.CARD - 4, Space.CARDS - 2, Space.CARD - 4, Space.CARDS - 2)
        row.setSpacing(Space.SMALL)
        row.addWidget(self._icon)
        words = self._words = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        words.setSpacing(Space.SMALL)
        words.addWidget(self._text, 1)
        # Below the text they begin where it does.
        self._actions = AlignedRow(spacing=Space.SMALL)
        self._actions.addWidget(self.action)
        words.addLayout(self._actions)
        row.addLayout(words, 1)
        self.action.setVisible(bool(action))
        self.say(first, rest)

    @cached_property
    def _second(self) -> Button:
        """Most banners never have two actions."""
        made = link("")
        made.clicked.connect(self.second_pressed)
        self._actions.addWidget(made)
        return made

    def _buttons(self) -> list[Button]:
        return [self.action, self._second] if "_second" in vars(self) else [self.action]

    def say(self, first: str, rest: str = "", tone: Tone | None = None) -> None:
        """Show other words."""
        if tone is not None and tone is not self._tone:
            self._tone = tone
            self._icon.set_icon(tone.value[2], tone.value[1])
        safe = [t.replace("&", "&amp;").replace("<", "&lt;") for t in (first, rest)]
        text = f"<b>{safe[0]}</b> {safe[1]}" if safe[0] else safe[1]
        if text == self._text.text() and tone is None:
            return
        self._text.setText(text)
        self.setAccessibleName(f"{first} {rest}".strip())
        announce(self, self.accessibleName() if self.isVisible() else "")
        self._arrange()
        self.update()

    def set_icon(self, name: str) -> None:
        """Show another icon, of the same tone."""
        self._icon.set_icon(name, self._tone.value[1])

    def say_led(self, text: str) -> None:
        """Show a text whose words up to its first colon are the bold ones."""
        first, colon, rest = text.partition(": ")
        self.say(first + colon.strip(), rest) if colon else self.say("", text)

    def setVisible(self, visible: bool) -> None:
        """What comes on a page that is on show is heard, too."""
        comes = visible and self.isHidden()
        super().setVisible(visible)
        if comes and self.isVisible():
            announce(self, self.accessibleName())

    def set_action(self, text: str, second: str = "") -> None:
        """Offer other actions; none where empty."""
        buttons = [self.action, self._second] if second else self._buttons()
        for button, label in zip(buttons, (text, second), strict=False):
            button.setText(label)
            button.setVisible(bool(label))
            button.updateGeometry()
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the width again."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Put the actions below the text where beside it they would make a narrow stack of it."""
        offered = [one for one in self._buttons() if not one.isHidden()]
        beside = sum(one.sizeHint().width() + Space.SMALL for one in offered)
        below = bool(offered) and BESIDE * beside > self.width()
        if below == self._is_below:
            return
        self._is_below = below
        kind = QBoxLayout.Direction
        self._words.setDirection(kind.TopToBottom if below else kind.LeftToRight)
        side = Qt.AlignmentFlag.AlignLeft if below else Qt.AlignmentFlag(0)
        self._words.setAlignment(self._actions, side)
        # Beside the first line, where the last is an action.
        self._row.setAlignment(self._icon, Qt.AlignmentFlag.AlignTop if below else NOWHERE)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        box(painter, QRectF(self.rect()), Radius.ITEM, self._tone.value[0])
        painter.end()
