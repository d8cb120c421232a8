# SPDX-License-Identifier: Apache-2.0
"""A line about the signing key: what it is, how it stands, and what can be done."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.buttons import Button
from dpdesk.desk.widgets.flow_layout import FlowLayout
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label, headed, quiet
from dpdesk.desk.widgets.layouts.flush import RING
from dpdesk.desk.widgets.page import stacking


class KeyRow(QWidget):
    """Icon, name and sentence; buttons beside them, or below where it is narrow."""

    ring_room = RING

    def __init__(self, icon: str, name: str, buttons: tuple[Button, ...]) -> None:
        super().__init__()
        self._usual = icon
        self._icon = IconLabel(icon)
        self._sentence = quiet()
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        # The words begin at the left end, the buttons have their rings at the right.
        self._row.setContentsMargins(RING, 0, 0, 0)
        self._row.setSpacing(Space.CARDS)
        said = QHBoxLayout(spacing=Space.CARDS)
        said.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        names = QVBoxLayout(spacing=Space.TIGHT)
        names.addWidget(headed(Label(name, semibold=True)))
        names.addWidget(self._sentence)
        said.addLayout(names, 1)
        self._row.addLayout(said, 1)
        self._buttons = QWidget()
        flow = FlowLayout(self._buttons, across=Space.TIGHT, down=Space.TIGHT)
        for button in buttons:
            flow.addWidget(button)
        self._row.addWidget(self._buttons)

    @property
    def sentence(self) -> str:
        return self._sentence.text()

    def say(self, sentence: str, attention: str = "") -> None:
        """Say how it stands; ``attention`` is the word beside the icon where something is amiss."""
        self._icon.set_icon("warning" if attention else self._usual, _ROLES[bool(attention)])
        self._sentence.setText(sentence)
        self._sentence.set_role(Role.WARN if attention else Role.TEXT_QUIET)
        self._sentence.setAccessibleName(f"{sentence} ({attention})" if attention else sentence)

    def set_narrow(self, narrow: bool) -> None:
        self._row.setDirection(stacking(narrow))


_ROLES = {True: Role.WARN, False: Role.TEXT_QUIET}
