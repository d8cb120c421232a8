# SPDX-License-Identifier: Apache-2.0
"""The head of a table: quiet text on an inset ground, with an arrow where it is sorted."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QHeaderView, QWidget

from dpdesk.desk.theme import icons
from dpdesk.desk.theme.metrics import Space, Type, font
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.labels.spread_text import line_step, paint_lines
from dpdesk.desk.widgets.tables.cell import PAD

ARROW = 12
MANY_COLUMNS = 200
MOST_SIZES = 2_000
"""So many heads' sizes are remembered."""


class TableHeader(QHeaderView):
    """A painted head: quiet text on an inset ground."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._sizes: dict[tuple[str, str, bool], QSize] = {}
        self.setHighlightSections(False)
        self.setFont(font(Type.QUIET))
        self.setDefaultAlignment(Qt.AlignmentFlag.AlignVCenter)
        self.setMinimumSectionSize(Space.BUTTON_SMALL)

    def sizeHint(self) -> QSize:
        """As high as the highest head; of very many, which are of one kind, as the first."""
        is_wide = self.count() > MANY_COLUMNS
        return self.sectionSizeFromContents(0) if is_wide else super().sizeHint()

    def sectionSizeFromContents(self, section: int) -> QSize:
        """Text and padding; none where the rows went before the table, as when the program ends."""
        model = self.model()
        if model is None:
            return QSize()
        text = str(model.headerData(section, Qt.Orientation.Horizontal) or "")
        key = (text, self.font().key(), self.isSortIndicatorShown())
        if key not in self._sizes:
            if len(self._sizes) >= MOST_SIZES:
                self._sizes.clear()
            self._sizes[key] = self._size(text)
        return self._sizes[key]

    def _size(self, text: str) -> QSize:
        first, _, second = text.partition("\n")
        metrics = self.fontMetrics()
        top = QFontMetrics(font(Type.QUIET, mono=True)) if second else metrics
        lines = text.count("\n") + 1
        width = max(top.horizontalAdvance(first), metrics.horizontalAdvance(second)) + 2
        width += ARROW + Space.TIGHT if self.isSortIndicatorShown() else 0
        more = (lines - 1) * line_step(Type.QUIET, self.font())
        height = metrics.lineSpacing() + more + (Space.CARDS if lines == 1 else Space.CARD)
        return QSize(width + 2 * PAD, height)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        rest = self.viewport().rect().adjusted(self.length() - self.offset(), 0, 0, 0)
        if rest.isValid():
            painter = QPainter(self.viewport())
            painter.fillRect(rest, color(Role.INSET))
            painter.fillRect(rest.left(), rest.bottom(), rest.width(), 1, color(Role.LINE))
            painter.end()

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Paint one head; a second line is quiet, a first line above it is monospaced."""
        painter.fillRect(rect, color(Role.INSET))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, color(Role.LINE))
        text = str(self.model().headerData(section, Qt.Orientation.Horizontal) or "")
        requested = self.model().headerData(
            section, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole
        )
        flags = requested if requested is not None else Qt.AlignmentFlag.AlignVCenter
        place = rect.adjusted(PAD, 0, -PAD, -1)
        first, _, second = text.partition("\n")
        if not second:
            painter.setFont(font(Type.QUIET))
            painter.setPen(color(Role.TEXT_QUIET))
            metrics, cut = painter.fontMetrics(), Qt.TextElideMode.ElideRight
            line = metrics.elidedText(text, cut, place.width())
            paint_lines(painter, QRectF(place), [line], Type.QUIET, flags)
            self._paint_order(painter, place, section, flags)
            return
        half = place.height() // 2
        painter.setFont(font(Type.QUIET, mono=True))
        painter.setPen(color(Role.TEXT))
        top = QRect(place.left(), place.top(), place.width(), half + 2)
        cut = Qt.TextElideMode.ElideRight
        first = painter.fontMetrics().elidedText(first, cut, place.width())
        painter.drawText(top, Qt.AlignmentFlag.AlignVCenter, first)
        painter.setFont(font(Type.QUIET))
        painter.setPen(color(Role.TEXT_QUIET))
        low = QRect(place.left(), place.top() + half, place.width(), half)
        painter.drawText(low, Qt.AlignmentFlag.AlignVCenter, second)

    def _paint_order(
        self, painter: QPainter, place: QRect, section: int, flags: Qt.AlignmentFlag
    ) -> None:
        """An arrow where the rows are sorted: behind a text, before a number's head."""
        if not self.isSortIndicatorShown() or self.sortIndicatorSection() != section:
            return
        text = str(self.model().headerData(section, Qt.Orientation.Horizontal) or "")
        metrics = QFontMetrics(font(Type.QUIET))
        width = metrics.horizontalAdvance(text) + Space.TIGHT
        is_right = bool(flags & Qt.AlignmentFlag.AlignRight)
        left = place.right() - width - ARROW if is_right else place.left() + width
        is_up = self.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder
        spot = QRectF(left, place.center().y() - ARROW / 2, ARROW, ARROW)
        icons.paint(painter, "chevron-up" if is_up else "chevron-down", Role.ACCENT, spot)
