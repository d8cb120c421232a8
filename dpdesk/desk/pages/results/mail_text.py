# SPDX-License-Identifier: Apache-2.0
"""A text to be sent: lines as far apart as those of a page, in which no address is broken."""

from __future__ import annotations

from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QTextEdit

from dpdesk.desk.theme.metrics import Space, Type, font
from dpdesk.desk.widgets.inputs.line_edit import INSET
from dpdesk.desk.widgets.labels.bound_words import JOINER
from dpdesk.desk.widgets.labels.spread_text import air, join_names, spread_lines


class MailText(QTextEdit):
    """Plain text that may be changed before it is copied."""

    def __init__(self) -> None:
        super().__init__(tabChangesFocus=True, acceptRichText=False)
        self.setFrameShape(QTextEdit.Shape.NoFrame)
        self.setFont(font(Type.TEXT))
        # It begins where the text of a field of one line does, in the frame of one of several.
        self.document().setDocumentMargin(Space.SMALL + INSET - Space.TIGHT)

    def put(self, text: str) -> None:
        """Show a text."""
        self.setPlainText(text)
        join_names(self.document())
        between = air(Type.TEXT, self.font())
        spread_lines(self.document(), between)
        # The last line, too, has what lies between two: it stands as near the edge as the first.
        frame = self.document().rootFrame()
        room = frame.frameFormat()
        room.setBottomMargin(max(0.0, self.document().documentMargin() - between))
        frame.setFrameFormat(room)
        self.document().clearUndoRedoStacks()

    def text(self) -> str:
        """What stands in it, without the signs that keep its lines together."""
        return self.toPlainText().replace(JOINER, "")

    def createMimeDataFromSelection(self) -> QMimeData:
        """What is selected, as :meth:`text` has it."""
        copied = QMimeData()
        selected = self.textCursor().selection().toPlainText()
        copied.setText(selected.replace(JOINER, ""))
        return copied
