# SPDX-License-Identifier: Apache-2.0
"""Text of several lines with air between them, where the font itself brings too little."""

from __future__ import annotations

from collections.abc import Sequence
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

LINES = {Type.TEXT: 19, Type.QUIET: 17}
"""From one line to the next, at the usual font scaling."""
MOST_WIDTHS = 16
LINE_END = "\N{LINE SEPARATOR}"


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
    """

    def __init__(self, size: Type, rich: bool = False, whole: bool = False) -> None:
        self._size = size
        self._is_rich = rich
        wraps = QTextOption.WrapMode
        self._wraps = wraps.WrapAtWordBoundaryOrAnywhere if whole else wraps.WordWrap
        self._key: object = None
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
        self._key = key
        self._heights = {}
        self._air = air(self._size, font)
        self._overhang = overhang(text, font)
        document = self._document
        option = QTextOption(alignment & Qt.AlignmentFlag.AlignHorizontal_Mask)
        option.setWrapMode(self._wraps)
        document.setDefaultTextOption(option)
        document.setDefaultFont(font)
        if self._is_rich:
            document.setHtml(text)
        else:
            document.setPlainText(text.replace("\n", LINE_END))
        spread_lines(document, self._air)

    def height(self, width: int) -> int:
        if width not in self._heights:
            if len(self._heights) >= MOST_WIDTHS:
                self._heights = {}
            self._document.setTextWidth(max(1, width))
            lines = ceil(self._document.size().height()) - self._air
            self._heights[width] = lines + self._overhang
        return self._heights[width]

    def paint(
        self, painter: QPainter, room: QRect, alignment: Qt.AlignmentFlag, ink: QColor
    ) -> None:
        left_over = room.height() - self.height(room.width())
        top = float(room.top())
        if alignment & Qt.AlignmentFlag.AlignBottom:
            top += left_over
        elif not alignment & Qt.AlignmentFlag.AlignTop:
            top += left_over // 2
        if self._document.textWidth() != room.width():
            self._document.setTextWidth(max(1, room.width()))
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


def line_step(size: Type, used: QFont) -> int:
    """Pixels from one line of a text to the next."""
    return ceil(QFontMetricsF(used).height()) + air(size, used)


def paint_lines(
    painter: QPainter,
    room: QRectF,
    lines: Sequence[str],
    size: Type,
    flags: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignVCenter,
) -> None:
    """Paint lines below each other in the painter's font, in the middle of a room's height.

    Args:
        painter: has the font and the colour.
        room: where they stand.
        lines: each is painted as it is.
        size: of the type table; says how far apart they are.
        flags: on which side they stand.
    """
    step = line_step(size, painter.font())
    high = painter.fontMetrics().height()
    left_over = room.height() - high - step * (len(lines) - 1)
    top = room.top() + left_over // 2
    side = flags & Qt.AlignmentFlag.AlignHorizontal_Mask
    for line in lines:
        place = QRectF(room.left(), top, room.width(), high)
        painter.drawText(place, int(side | Qt.AlignmentFlag.AlignVCenter), line)
        top += step
