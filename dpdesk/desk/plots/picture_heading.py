# SPDX-License-Identifier: Apache-2.0
"""What is above a chart in its picture: its question, and what its margins mean."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from dpdesk.desk.theme.metrics import Space, Type, font
from dpdesk.desk.theme.roles import Role, color

FLAGS = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
HIGHEST = 10_000.0


@dataclass(frozen=True)
class PictureHeading:
    """A chart that leaves the window leaves its card's head behind; these words go with it.

    Attributes:
        title: what was asked.
        lines: what the figures count, and what their margins mean; empty ones are left out.
    """

    title: str
    lines: tuple[str, ...] = ()

    def height(self, width: int) -> int:
        """How high the words are, with the room below them."""
        texts = sum(self._high(text, used, width) for text, used, _ink in self._texts())
        return ceil(texts) + Space.CARDS

    def paint(self, painter: QPainter, left: int, top: int, width: int) -> None:
        place = float(top)
        for text, used, ink in self._texts():
            high = self._high(text, used, width)
            painter.setFont(used)
            painter.setPen(color(ink))
            painter.drawText(QRectF(left, place, width, high), FLAGS, text)
            place += high

    def _texts(self) -> Iterator[tuple[str, QFont, Role]]:
        yield self.title, font(Type.CARD, semibold=True), Role.TEXT
        for text in self.lines:
            if text:
                yield text, font(Type.QUIET, tabular=True), Role.TEXT_QUIET

    @staticmethod
    def _high(text: str, used: QFont, width: int) -> float:
        """Of a text in as many lines as it needs."""
        room = QRectF(0, 0, width, HIGHEST)
        return QFontMetricsF(used).boundingRect(room, FLAGS, text).height() + Space.RING
