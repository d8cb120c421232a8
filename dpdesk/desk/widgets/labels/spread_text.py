# SPDX-License-Identifier: Apache-2.0
"""Text of several lines with air between them, where the font itself brings too little."""

from __future__ import annotations

from functools import cached_property
from math import ceil

from PySide6.QtCore import QRect, QRectF, Qt, QUrl
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QFont,
    QFontMetricsF,
    QImage,
    QPainter,
    QPalette,
    QTextBlockFormat,
    QTextCursor,
    QTextDocument,
    QTextOption,
)

from dpdesk.desk.theme.metrics import Type, scale
from dpdesk.desk.widgets.labels.bound_words import JOINER, NO_BREAK, bound, hyphens

LINES = {Type.TEXT: 19, Type.QUIET: 17}
"""From one line to the next, at the usual font scaling."""
MOST_WIDTHS = 16
LINE_END = "\N{LINE SEPARATOR}"
BOLDER = 1.1
"""How much wider a bold text may be than one in the label's own weight."""


def air(size: Type, font: QFont) -> int:
    """What a size of text lacks from one line to the next; nothing for titles."""
    if size not in LINES:
        return 0
    return max(0, round(LINES[size] * scale()) - ceil(QFontMetricsF(font).height()))


def overhang(text: str, font: QFont) -> int:
    """By how many pixels accents of capitals reach above the font's ascent, as in *Öffnen*."""
    accented = "".join({one for one in text if one.isupper() and not one.isascii()})
    if not accented:
        return 0
    metrics = QFontMetricsF(font)
    return max(0, ceil(-metrics.tightBoundingRect(accented).top() - metrics.ascent()))


def join_names(document: QTextDocument) -> None:
    """Let no line end behind a hyphen of an address or of a file's name."""
    cursor = QTextCursor(document)
    for place in reversed(hyphens(document.toPlainText())):
        cursor.setPosition(place + 1)
        cursor.insertText(JOINER)


def spread_lines(document: QTextDocument, room: int) -> None:
    """Set the lines of a document this much farther apart."""
    spread = QTextBlockFormat()
    spread.setLineHeight(room, QTextBlockFormat.LineHeightTypes.LineDistanceHeight.value)
    cursor = QTextCursor(document)
    cursor.select(QTextCursor.SelectionType.Document)
    cursor.mergeBlockFormat(spread)


class _Document(QTextDocument):
    """A text that reads nothing: a picture that a name asks for stays away."""

    def loadResource(self, _kind: int, _name: QUrl | str) -> QImage:
        """A point; given nothing, Qt would read the picture itself, over the network too."""
        return QImage(1, 1, QImage.Format.Format_ARGB32)


class SpreadText:
    """Wraps a text and paints it; a single line is as high as the font is.

    Args:
        size: of the type table; sizes that have no line height of their own get no air.
        rich: it may hold ``<b>``.
        whole: a word that is wider than there is room is broken, not cut off.
        is_title: small words stay with the next one.
    """

    def __init__(
        self, size: Type, rich: bool = False, whole: bool = False, is_title: bool = False
    ) -> None:
        self._size = size
        self._is_title = is_title
        self._is_rich = rich
        wraps = QTextOption.WrapMode
        self._wraps = wraps.WrapAtWordBoundaryOrAnywhere if whole else wraps.WordWrap
        self._text = ""
        self._font = QFont()
        self._key: object = None
        self._least = 0.0
        self._is_bound = False
        self._air = 0
        self._overhang = 0
        self._heights: dict[int, int] = {}

    @cached_property
    def _document(self) -> QTextDocument:
        """Made for the first text: most labels of a window wait on pages that nobody opened."""
        return _Document(documentMargin=0)

    def put(self, text: str, font: QFont, alignment: Qt.AlignmentFlag) -> None:
        """Take a text; what is the same already stays laid out."""
        key = (text, font.key(), int(alignment.value), scale())
        if key == self._key:
            return
        self._key, self._text = key, text
        self._heights = {}
        self._air = air(self._size, font)
        self._overhang = overhang(text, font)
        self._font = font
        document = self._document
        option = QTextOption(alignment & Qt.AlignmentFlag.AlignHorizontal_Mask)
        option.setWrapMode(self._wraps)
        document.setDefaultTextOption(option)
        document.setDefaultFont(font)
        self._fill(is_bound=False)
        self._least = self._widest_bound()

    def _fill(self, is_bound: bool) -> None:
        """Put the text into the document, with its no-break spaces or without."""
        self._is_bound = is_bound
        if self._is_rich:
            self._document.setHtml(self._text)
        else:
            self._document.setPlainText(self._text.replace("\n", LINE_END))
        if is_bound:
            self._bind_words()
        spread_lines(self._document, self._air)

    def _widest_bound(self) -> float:
        """Less room than that, and words that stay together would be cut off; 0 without any."""
        text = bound(self._document.toPlainText(), self._is_title)
        pieces = [
            piece
            for piece in text.replace("\n", " ").split(" ")
            if NO_BREAK in piece or hyphens(piece)
        ]
        if not pieces:
            return 0.0
        advance = QFontMetricsF(self._font).horizontalAdvance
        return BOLDER * max(map(advance, pieces))

    def _bind_words(self) -> None:
        """Put the no-break spaces between the formats that there are, and join names."""
        cursor = QTextCursor(self._document)
        for place, letter in enumerate(bound(self._document.toPlainText(), self._is_title)):
            if letter == NO_BREAK:
                cursor.setPosition(place)
                cursor.setPosition(place + 1, QTextCursor.MoveMode.KeepAnchor)
                cursor.insertText(NO_BREAK)
        join_names(self._document)

    def _wrap(self, width: int) -> None:
        """Break the lines for a width."""
        is_bound = 0 < self._least <= width
        if is_bound != self._is_bound:
            self._fill(is_bound)
        self._document.setTextWidth(max(1, width))

    def height(self, width: int) -> int:
        """What the text needs at a width."""
        if width not in self._heights:
            if len(self._heights) >= MOST_WIDTHS:
                self._heights = {}
            self._wrap(width)
            lines = ceil(self._document.size().height()) - self._air
            self._heights[width] = lines + self._overhang
        return self._heights[width]

    def paint(
        self, painter: QPainter, room: QRect, alignment: Qt.AlignmentFlag, ink: QColor
    ) -> None:
        """Paint the text into a room."""
        left_over = room.height() - self.height(room.width())
        top = float(room.top())
        if alignment & Qt.AlignmentFlag.AlignBottom:
            top += left_over
        elif not alignment & Qt.AlignmentFlag.AlignTop:
            top += left_over // 2
        if self._document.textWidth() != room.width():
            self._wrap(room.width())
        context = QAbstractTextDocumentLayout.PaintContext()
        palette = QPalette(context.palette)
        palette.setColor(QPalette.ColorRole.Text, ink)
        context.palette = palette
        painter.save()
        top += self._overhang
        painter.translate(room.left(), top)
        painter.setClipRect(QRectF(0, room.top() - top, room.width(), room.height()))
        self._document.documentLayout().draw(painter, context)
        painter.restore()
