# SPDX-License-Identifier: Apache-2.0
"""A line edit that heeds what assistive software writes into it, and gives Undo on.

Screen readers, braille displays and voice control replace a field's text through the accessibility
interface. Qt then changes the text as if the program had done it: ``textEdited`` stays silent, and
anyone who waits for it never learns what was written.

Qt keeps Ctrl+Z for the field that has the keyboard, where it does nothing once nothing was typed
there: the study's own Undo was out of reach from every field.
"""

from __future__ import annotations

import re
import sys
from itertools import chain

from PySide6.QtCore import QEvent, QMimeData, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QFrame, QLineEdit, QPlainTextEdit, QWidget

from dpdesk.desk.theme.metrics import Space, Type, font


def is_left_to_menus(event: QEvent, can_undo: bool, can_redo: bool) -> bool:
    """Whether a key is about to be taken for Undo or Redo by a field that has nothing of it."""
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return False
    keys = QKeySequence.StandardKey
    # Those of every system: the menu's Redo has two, of which Qt knows one here.
    is_redo = event.matches(keys.Redo) or QKeySequence(event.keyCombination()) in REDO
    return (event.matches(keys.Undo) and not can_undo) or (is_redo and not can_redo)


def is_lost_letter(event: QEvent) -> bool:
    """Whether it is a letter with Alt that presses nothing here.

    Qt would type it: a slip in a passphrase that nobody sees. On a Mac that key types signs.
    """
    if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
        return False
    is_alone = event.modifiers() == Qt.KeyboardModifier.AltModifier
    return sys.platform != "darwin" and is_alone and event.text().isprintable()


INSET = 2
"""Pixels that a line edit of Qt's leaves before its text."""
REDO = (QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y"))
LONGEST_LINE = 100_000
"""Signs in a line that is laid out in a moment (0.7 s; time grows with its square)."""
_PIECE = re.compile(rf".{{1,{LONGEST_LINE - 1}}}[,;\s]|.{{1,{LONGEST_LINE}}}")


class PlainTextEdit(QPlainTextEdit):
    """Leaves Undo and Redo to the menus where nothing was typed.

    Args:
        size: of the type table.
        mono: of a font in which all letters are equally wide.
    """

    def __init__(self, size: Type = Type.TEXT, mono: bool = False) -> None:
        super().__init__(tabChangesFocus=True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        # It begins where the text of a field of one line does, in the frame of one of several.
        self.document().setDocumentMargin(Space.SMALL + INSET - Space.TIGHT)
        self.setFont(font(size, mono=mono))

    def lines_height(self, lines: int) -> int:
        """What this many lines and the margins around them need."""
        margins = 2 * round(self.document().documentMargin())
        return lines * self.fontMetrics().lineSpacing() + margins

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Break a line of a million signs, which would stop the window, after a separator."""
        lines = source.text().splitlines()
        if max(map(len, lines), default=0) > LONGEST_LINE:
            pieces = ([x] if len(x) <= LONGEST_LINE else _PIECE.findall(x) for x in lines)
            source = QMimeData()
            source.setText("\n".join(chain.from_iterable(pieces)))
        super().insertFromMimeData(source)

    def event(self, event: QEvent) -> bool:
        """Ignore a key that would do nothing."""
        document = self.document()
        undo, redo = document.isUndoAvailable(), document.isRedoAvailable()
        if is_left_to_menus(event, undo, redo) or is_lost_letter(event):
            event.ignore()
            return False
        return super().event(event)


class _CutLine(QLineEdit):
    """A line whose end is cut off: while the keyboard is elsewhere, an ellipsis says so."""

    @property
    def shown(self) -> str:
        """What is painted while the keyboard is elsewhere."""
        room = self.rect().width() - 2 * INSET
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room)

    @property
    def is_cut(self) -> bool:
        """Whether an ellipsis is painted: never of a passphrase, whose signs are not its own."""
        is_hidden = self.echoMode() != QLineEdit.EchoMode.Normal
        return not (self.hasFocus() or is_hidden or self.shown == self.text())

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.is_cut:
            super().paintEvent(event)
            return
        painter = QPainter(self)
        place = self.rect().adjusted(INSET, 0, -INSET, 0)
        left = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        role, enabled = QPalette.ColorRole.Text, self.isEnabled()
        self.style().drawItemText(
            painter, place, int(left), self.palette(), enabled, self.shown, role
        )
        painter.end()


class ShownLine(_CutLine):
    """A line to be looked at and copied.

    With the keyboard in it, it can be read from end to end.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, frame=False, readOnly=True)


class LineEdit(_CutLine):
    """Emits ``textEdited`` for every text that the program did not put in itself."""

    def __init__(
        self, placeholder: str = "", frame: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, frame=frame, placeholderText=placeholder)
        self._known = ""
        self.textEdited.connect(self._remember)
        self.textChanged.connect(self._heed)

    def event(self, event: QEvent) -> bool:
        """Ignore a key that would do nothing."""
        undo, redo = self.isUndoAvailable(), self.isRedoAvailable()
        if is_left_to_menus(event, undo, redo) or is_lost_letter(event):
            event.ignore()
            return False
        return super().event(event)

    def setText(self, text: str) -> None:
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
