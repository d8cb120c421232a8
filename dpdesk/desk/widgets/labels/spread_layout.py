# SPDX-License-Identifier: Apache-2.0
"""The lines of a plain text edit, as far apart as those of a label of the same size."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QTextBlock, QTextDocument, QTextLayout
from PySide6.QtWidgets import QPlainTextDocumentLayout

from dpdesk.desk.theme.metrics import Type, scale
from dpdesk.desk.widgets.labels.spread_text import air


def spread_document(size: Type) -> QTextDocument:
    """An empty text for a ``QPlainTextEdit``, its lines as far apart as a label's of that size.

    A plain text edit lays its lines out itself and does not follow a block's line height; a
    ``QTextEdit`` does, but scrolls by pixels and cuts lines through their letters.
    """
    document = QTextDocument()
    document.setDocumentLayout(_SpreadLayout(document, size))
    return document


class _SpreadLayout(QPlainTextDocumentLayout):
    """Adds to each line what the font lacks."""

    def __init__(self, document: QTextDocument, size: Type) -> None:
        super().__init__(document)
        self._size = size
        self._air: tuple[object, int] = (None, 0)

    def blockBoundingRect(self, block: QTextBlock) -> QRectF:
        """The room of a block: lines that Qt has laid out anew are moved apart first."""
        found = super().blockBoundingRect(block)
        if not block.isVisible() or not block.isValid():
            return found
        more = self._lacking()
        layout = block.layout()
        moved = _move_apart(layout, more)
        return found.adjusted(0, 0, 0, moved + more)

    def _lacking(self) -> int:
        """The air between two lines, worked out once for a font."""
        font = self.document().defaultFont()
        key = (font.key(), scale())
        if key != self._air[0]:
            self._air = (key, air(self._size, font))
        return self._air[1]


def _move_apart(layout: QTextLayout, more: int) -> float:
    """Move the lines of a block apart; lines that already are stay.

    Returns:
        By how many pixels the last line was moved.
    """
    moved, top = 0.0, 0.0
    for number in range(layout.lineCount()):
        line = layout.lineAt(number)
        moved = top - line.y()
        if moved:
            place = line.position()
            place.setY(top)
            line.setPosition(place)
        top += line.height() + more
    return moved
