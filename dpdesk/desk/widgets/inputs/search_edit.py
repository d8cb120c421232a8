# SPDX-License-Identifier: Apache-2.0
"""A field to search in."""

from __future__ import annotations

from PySide6.QtCore import QPropertyAnimation, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QToolButton, QWidget

from dpdesk.desk.theme import icons
from dpdesk.desk.theme.metrics import Type, font
from dpdesk.desk.theme.theme import glides
from dpdesk.desk.theme.theme_followers import register
from dpdesk.desk.widgets.pressing import RETURN

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
        """One width, with the button and without: what is beside must not move by a letter."""
        width = LETTERS * self.fontMetrics().horizontalAdvance("x")
        return QSize(width, super().sizeHint().height())

    def _show_button_at_once(self) -> None:
        if not glides():
            for fading in self.findChildren(QPropertyAnimation):
                fading.setCurrentTime(fading.duration())


class ListSearchEdit(SearchEdit):
    """A search above a list: Esc clears and then, as Down, goes to what was found; Return picks.

    Signals:
        entered: the keyboard goes to what was found.
        picked: Return was pressed: the first that was found is wanted.
    """

    entered = Signal()
    picked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFont(font(Type.TEXT))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif key in (Qt.Key.Key_Escape, Qt.Key.Key_Down):
            self.entered.emit()
        elif key in RETURN:
            self.picked.emit()
        else:
            super().keyPressEvent(event)
