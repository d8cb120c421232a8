# SPDX-License-Identifier: Apache-2.0
"""A button is pressed in every way in which people press: Return, Space, and screen readers.

Qt lets Return press buttons in dialogs alone, and ours turn it off there: Return never presses the
button of what cannot be undone. What can be on or off, Qt lets screen readers and voice control
put on or off without a press: anyone who waits for ``clicked`` never learns of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractButton

from dpdesk.desk.text.translating import tr

RETURN = (Qt.Key.Key_Return, Qt.Key.Key_Enter)

# The checker needs a base with these methods; at run time this one only steps in front of it.
if TYPE_CHECKING:
    Base = QAbstractButton
else:
    Base = object


class Pressed(Base):
    """Goes before a button's Qt class.

    Attributes:
        keys: what else presses it, as they are printed; empty for none.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        self._is_expected = False
        self.keys = ""
        super().__init__(*args, **more)
        self.toggled.connect(self._heed)

    def setText(self, text: str) -> None:
        super().setText(text)
        if self.keys:
            self.show_keys(self.keys)

    def show_keys(self, keys: str) -> None:
        """Have the tooltip say what it does and which keys do it, too."""
        self.keys = keys
        name = self.text().rstrip("\N{HORIZONTAL ELLIPSIS}")
        self.setToolTip(f"{name} ({keys})" if name else keys)

    def heeds_return(self) -> bool:
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press with Return; a key that is held down presses once.

        With Ctrl it is the page's own button that is meant (``footer.NEXT``): while that cannot be
        pressed, nothing is.
        """
        is_alone = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if event.key() not in RETURN or not (is_alone and self.heeds_return()):
            super().keyPressEvent(event)
            return
        event.accept()
        if not event.isAutoRepeat():
            self.click()

    def setChecked(self, on: bool) -> None:
        """Put it on or off, as the program."""
        self._is_expected = True
        super().setChecked(on)
        self._is_expected = False

    def nextCheckState(self) -> None:
        """A press puts it on or off, or another one of its group that goes on; Qt tells of it."""
        self._is_expected = True
        super().nextCheckState()
        self._is_expected = False

    def _heed(self, on: bool) -> None:
        """What neither press nor program put on or off, assistive software did."""
        if not self._is_expected:
            # The binding's types do not know that a signal has overloads.
            self.clicked[bool].emit(on)  # type: ignore[index]


def allow(button: QAbstractButton, why_not: str, usual: str = "") -> None:
    """Let a button be pressed, or tell who points at it and who hears it why it cannot be.

    Args:
        button: the button.
        why_not: the reason as a sentence; empty where it can be pressed.
        usual: its tooltip while it can.
    """
    button.setEnabled(not why_not)
    button.setToolTip(why_not or usual)
    button.setAccessibleDescription(why_not)


def press_by(button: Pressed, *keys: str) -> None:
    """Let keys press a button wherever the keyboard is in its window, while it is on show.

    Its tooltip says what it does and shows the first of them.
    """
    shortcut = QShortcut(button)
    shortcut.setKeys([QKeySequence(key) for key in keys])
    shortcut.activated.connect(button.click)
    button.show_keys(key_text(QKeySequence(keys[0])))


def key_text(keys: QKeySequence) -> str:
    """Keys as they are printed on a keyboard, where Qt has other words: it says Return."""
    text: str = keys.toString(QKeySequence.SequenceFormat.NativeText)
    last = keys.toString(QKeySequence.SequenceFormat.PortableText).rpartition("+")[2]
    held, plus, _last = text.rpartition("+")
    printed = {
        "Return": tr("Keys", "Enter"),
        "Left": tr("Keys", "Left"),
    }
    named = printed.get(last)
    # macOS has signs, and no plus between them.
    return f"{held}+{named}" if plus and named else text
