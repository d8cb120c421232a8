# SPDX-License-Identifier: Apache-2.0
"""A field to search in."""

from __future__ import annotations

from PySide6.QtCore import QPropertyAnimation, QSize
from PySide6.QtWidgets import QLineEdit, QToolButton, QWidget

from dpdesk.desk.theme import icons
from dpdesk.desk.theme.theme import glides
from dpdesk.desk.theme.theme_followers import register

LETTERS = 17
"""So wide it asks to be, in letters, as Qt's other fields do."""


class SearchEdit(QLineEdit):
    """Has a button that clears it; Qt fades the button in, unless less motion is wanted."""

    def __init__(
        self, placeholder: str = "", frame: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, frame=frame, placeholderText=placeholder, clearButtonEnabled=True)
        for clearing in self.findChildren(QToolButton):
            clearing.setAccessibleName(self.tr("Clear"))
        self.follow_theme()
        register(self)
        self.textChanged.connect(self._show_button_at_once)

    def follow_theme(self) -> None:
        """Our own line icon in the colours of now; Qt's is a dark disc in light and dark.

        Qt keeps room for the button of an action that has changed, though it is not on show.
        """
        for clearing in self.findChildren(QToolButton):
            clearing.setIcon(icons.icon("cross"))

    def sizeHint(self) -> QSize:
        """One width, with the button and without: what stands beside must not move by a letter."""
        width = LETTERS * self.fontMetrics().horizontalAdvance("x")
        return QSize(width, super().sizeHint().height())

    def _show_button_at_once(self) -> None:
        if not glides():
            for fading in self.findChildren(QPropertyAnimation):
                fading.setCurrentTime(fading.duration())
