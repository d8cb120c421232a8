# SPDX-License-Identifier: Apache-2.0
"""What is beside lying bars: their names at the left, their figures at the right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from dpdesk.desk.plots.axes.number_axis import NumberAxis
from dpdesk.desk.theme.metrics import Space, Type, font
from dpdesk.desk.theme.roles import Role, color

HEAD = 0.85
"""How far above the first line, in lines, its head stands."""


class RowAxis(NumberAxis):
    """An upright axis that writes one line a bar instead of numbers, where it is given lines.

    A line is a text in semibold and a quiet one behind it. At the left the first text alone
    is, from the edge on; at the right both end at the edges of their columns. A head may stand
    above the first line, where the plot leaves room.
    """

    def __init__(self, side: str) -> None:
        super().__init__(side)
        self._rows: list[tuple[str, str]] = []
        self._head = ("", "")
        self._light: frozenset[int] = frozenset()
        self._columns = (0.0, 0.0)

    def show_rows(
        self,
        rows: Sequence[tuple[str, str]],
        most: float = 1e6,
        head: tuple[str, str] = ("", ""),
        light: Iterable[int] = (),
    ) -> None:
        """Write these lines, the first at 0; without any, numbers as usual.

        Args:
            rows: text and quiet text of each.
            most: widest that the axis may be; longer texts lose their end.
            head: what the texts and the quiet ones are called.
            light: the lines that are all quiet, as what is too noisy to use.
        """
        self._rows, self._head, self._light = list(rows), head, frozenset(light)
        heads = [_metrics(False).horizontalAdvance(text) for text in head]
        texts = [_metrics(self._is_right).horizontalAdvance(a) for a, _ in rows]
        first = max([heads[0], *texts])
        second = max([heads[1], *(_metrics(False).horizontalAdvance(b) for _, b in rows)])
        self._columns = (first, second + (Space.CARDS if second else 0))
        self.setWidth(round(min(most, sum(self._columns)) + Space.CARDS) if rows else None)
        self.picture = None
        self.update()

    @property
    def rows(self) -> tuple[tuple[str, str], ...]:
        return tuple(self._rows)

    @property
    def light(self) -> frozenset[int]:
        """The lines that are all quiet."""
        return self._light

    @property
    def _is_right(self) -> bool:
        return bool(self.orientation == "right")

    def paint(self, painter: QPainter, option: Any, widget: Any) -> None:
        if not self._rows:
            super().paint(painter, option, widget)
            return
        for place, texts in enumerate(self._rows):
            self._paint_line(painter, self._line(place), *texts, place in self._light)
        if any(self._head):
            self._paint_head(painter, self._line(-HEAD))

    def _line(self, place: float) -> QRectF:
        """Where the line of a bar is."""
        room = self.mapRectFromParent(self.geometry())
        low, high = self.range
        share = (place - low) / (high - low) if high != low else 0.0
        middle = room.bottom() - share * room.height()
        return QRectF(room.left(), middle - Space.CARDS, room.width(), 2 * Space.CARDS)

    def _paint_head(self, painter: QPainter, line: QRectF) -> None:
        painter.setFont(font(Type.QUIET))
        painter.setPen(color(Role.TEXT_QUIET))
        right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        painter.drawText(line.adjusted(0, 0, -self._columns[1], 0), right, self._head[0])
        painter.drawText(line, right, self._head[1])

    def _paint_line(
        self, painter: QPainter, line: QRectF, text: str, quiet: str, is_light: bool
    ) -> None:
        metrics = _metrics(self._is_right)
        painter.setFont(font(Type.QUIET, semibold=self._is_right and not is_light, tabular=True))
        painter.setPen(color(Role.TEXT_QUIET if is_light else Role.TEXT))
        middle = Qt.AlignmentFlag.AlignVCenter
        if not self._is_right:
            own = line.adjusted(0, 0, -Space.SMALL, 0)
            cut = metrics.elidedText(text, Qt.TextElideMode.ElideRight, own.width())
            painter.drawText(own, middle | Qt.AlignmentFlag.AlignLeft, cut)
            return
        right = middle | Qt.AlignmentFlag.AlignRight
        painter.drawText(line.adjusted(0, 0, -self._columns[1], 0), right, text)
        painter.setFont(font(Type.QUIET, tabular=True))
        painter.setPen(color(Role.TEXT_QUIET))
        painter.drawText(line, right, quiet)


def _metrics(semibold: bool) -> QFontMetricsF:
    return QFontMetricsF(font(Type.QUIET, semibold=semibold, tabular=True))
