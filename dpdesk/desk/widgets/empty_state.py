# SPDX-License-Identifier: Apache-2.0
"""An empty place: what will stand here, and the one thing to do."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.buttons import link, primary
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import heading, quiet


class EmptyState(Card):
    """A card for an empty page.

    Attributes:
        button: the one thing to do.
        other: the other way to do it; hidden where there is none.

    Signals:
        action_pressed: the button was pressed.
        other_pressed: the other way was pressed.
    """

    action_pressed = Signal()
    other_pressed = Signal()

    def __init__(
        self,
        icon: str,
        title: str,
        text: str,
        action: str = "",
        other: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent=parent)
        middle = Qt.AlignmentFlag.AlignHCenter
        self.body.setSpacing(Space.SMALL)
        self.body.addSpacing(Space.GAP)
        self.body.addWidget(IconLabel(icon, Role.ACCENT, Space.GAP), 0, middle)
        for line in (heading(title, wrap=True), quiet(text)):
            line.setAlignment(middle)
            self.body.addWidget(line)
        self.body.addSpacing(Space.TIGHT)  # the button's ring is in the way of its air
        self.button = primary(action)
        self.button.clicked.connect(self.action_pressed)
        self.body.addWidget(self.button, 0, middle)
        self.button.setVisible(bool(action))
        self.other = link(other)
        self.other.clicked.connect(self.other_pressed)
        self.body.addWidget(self.other, 0, middle)
        self.other.setVisible(bool(other))
        self.body.addSpacing(Space.GAP)
