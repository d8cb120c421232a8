# SPDX-License-Identifier: Apache-2.0
"""Return presses the button that has the keyboard, as Space does.

Qt does that in dialogs alone, and ours turn it off there: Return never presses the button of what
cannot be undone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton

RETURN = (Qt.Key.Key_Return, Qt.Key.Key_Enter)

# The checker needs a base with these methods; at run time this one only steps in front of it.
if TYPE_CHECKING:
    Base = QAbstractButton
else:
    Base = object


class PressedByReturn(Base):
    """Goes before a button's Qt class."""

    def heeds_return(self) -> bool:
        """Whether Return presses it."""
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press with Return; a key that is held down presses once."""
        if event.key() not in RETURN or not self.heeds_return():
            super().keyPressEvent(event)
            return
        event.accept()
        if not event.isAutoRepeat():
            self.click()
