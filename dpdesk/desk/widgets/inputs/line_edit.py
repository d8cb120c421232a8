# SPDX-License-Identifier: Apache-2.0
"""A line edit that heeds what assistive software writes into it.

Screen readers, braille displays and voice control replace a field's text through the accessibility
interface. Qt then changes the text as if the program had done it: ``textEdited`` stays silent, and
whoever waits for it never learns what was written.
"""

from __future__ import annotations

from PySide6.QtWidgets import QLineEdit, QWidget


class LineEdit(QLineEdit):
    """Emits ``textEdited`` for every text that the program did not put in itself."""

    def __init__(
        self, placeholder: str = "", frame: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, frame=frame, placeholderText=placeholder)
        self._known = ""
        self.textEdited.connect(self._remember)
        self.textChanged.connect(self._heed)

    def setText(self, text: str) -> None:
        """Put a text in, as the program."""
        self._known = text
        super().setText(text)
        # A text that is too long is cut.
        self._known = self.text()

    def clear(self) -> None:
        """Take the text out, as the program."""
        self.setText("")

    def _remember(self, text: str) -> None:
        self._known = text

    def _heed(self) -> None:
        """What neither hand nor program wrote was written by assistive software."""
        text = self.text()
        if text == self._known[: self.maxLength()]:
            return
        self._known = text
        self.textEdited.emit(text)
        if not self.hasFocus():
            # It was never entered, so it will not be left.
            self.editingFinished.emit()
