# SPDX-License-Identifier: Apache-2.0
"""A drawn chart in the window: the same lines, marks and words as in the report, in the theme."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QBrush,
    QFontMetricsF,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from dpdesk.desk.theme.metrics import Radius, Space, Type, font
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.theme.theme_followers import register
from dpdesk.desk.widgets.accessibility.role import set_role_of
from dpdesk.desk.widgets.painting import focus_ring
from dpdesk.release.bundle.charts.drawing import (
    Area,
    ChartDrawing,
    FilledBand,
    PointMark,
    Stroke,
    Word,
    polygon,
)
from dpdesk.release.bundle.charts.drawing import Role as DrawnRole

SCALE = 1.45
"""Pixels a point at the usual size of text."""
LEAST = 300.0
"""Points: a chart is not drawn narrower."""
_ROLES: Final[dict[DrawnRole, Role]] = {
    "ink": Role.TEXT,
    "quiet": Role.TEXT_QUIET,
    "line": Role.LINE,
    "axis": Role.CONTROL,
    "accent": Role.ACCENT,
    "second": Role.SECOND,
    "third": Role.OK,
    "band": Role.BAND,
    "ground": Role.SURFACE,
}
_WIDTHS: Final = {"thin": 1.0, "plain": 1.4, "thick": 2.2}
_DASHES: Final = {
    "dashed": Qt.PenStyle.DashLine,
    "dotted": Qt.PenStyle.DotLine,
    "mixed": Qt.PenStyle.DashDotLine,
}
_ANCHORS: Final = {"start": 0.0, "middle": 0.5, "end": 1.0}

Draw = Callable[[float], ChartDrawing | None]
"""Draws the chart in so many points."""


class DrawnChart(QWidget):
    """Paints what a function draws in the room that there is.

    Signals:
        copy_wanted: Ctrl+C was pressed; the table is to be copied.
    """

    copy_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        set_role_of(self, QAccessible.Role.Graphic)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._draw: Draw | None = None
        self._drawing: ChartDrawing | None = None
        self._whose = ""
        register(self)

    def say_whose(self, whose: str) -> None:
        """Say what the next figures are about."""
        self._whose = whose

    def show_drawing(self, draw: Draw, name: str, sentence: str) -> None:
        """Show another chart.

        Args:
            draw: see ``Draw``.
            name: what it is.
            sentence: what it shows, with its numbers.
        """
        self._draw = draw
        self.setAccessibleName(f"{name}: {self._whose}" if self._whose else name)
        self.setAccessibleDescription(sentence)
        self._fit()

    @property
    def _scale(self) -> float:
        """Pixels a point: words are as large as the window's quiet ones."""
        return SCALE * QFontMetricsF(font(Type.QUIET)).height() / 16

    def _fit(self) -> None:
        if self._draw is not None:
            self._drawing = self._draw(max(LEAST, self.width() / self._scale))
        height = 0.0 if self._drawing is None else self._drawing.height * self._scale
        self.setFixedHeight(round(height))
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()

    def sizeHint(self) -> QSize:
        return QSize(Space.PANEL, self.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(Space.PANEL, self.height())

    def follow_theme(self) -> None:
        """Draw it in the colours, and the size of text, of now."""
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._drawing is not None:
            painter.save()
            painter.scale(self._scale, self._scale)
            for shape in self._drawing.shapes:
                _paint(painter, shape, self._scale)
            painter.restore()
        if self.hasFocus():
            focus_ring(painter, QRectF(self.rect()).adjusted(1, 1, -1, -1), Radius.FIELD)
        painter.end()


def _paint(painter: QPainter, shape: Any, scale: float) -> None:
    if isinstance(shape, Stroke):
        style = _DASHES.get(shape.dash, Qt.PenStyle.SolidLine)
        painter.setPen(QPen(color(_ROLES[shape.role]), _WIDTHS[shape.width] / scale, style))
        painter.drawPolyline(QPolygonF([QPointF(*point) for point in shape.points]))
    elif isinstance(shape, Area):
        fill = QBrush(color(_ROLES[shape.fill])) if shape.fill else QBrush()
        room = QRectF(shape.x, shape.y, shape.width, shape.height)
        painter.fillRect(room, fill)
        if shape.edge:
            style = _DASHES.get(shape.dash, Qt.PenStyle.SolidLine)
            painter.setPen(QPen(color(_ROLES[shape.edge]), _WIDTHS["plain"] / scale, style))
            painter.drawRect(room)
    elif isinstance(shape, FilledBand):
        path = QPainterPath()
        path.addPolygon(QPolygonF([QPointF(*point) for point in shape.points]))
        painter.fillPath(path, color(_ROLES[shape.fill]))
    elif isinstance(shape, PointMark):
        ground = color(Role.SURFACE if shape.is_hollow else _ROLES[shape.role])
        painter.setPen(QPen(color(_ROLES[shape.role]), 1.6 / scale))
        painter.setBrush(ground)
        if shape.shape == "circle":
            painter.drawEllipse(QPointF(shape.x, shape.y), shape.size, shape.size)
        else:
            painter.drawPolygon(QPolygonF([QPointF(*point) for point in polygon(shape)]))
        painter.setBrush(Qt.BrushStyle.NoBrush)
    elif isinstance(shape, Word):
        _write(painter, shape)


def _write(painter: QPainter, word: Word) -> None:
    own = font(Type.QUIET, semibold=word.is_bold)
    # In points of the drawing, which the painter enlarges.
    own.setPixelSize(max(1, round(word.size)))
    painter.setFont(own)
    painter.setPen(color(_ROLES[word.role]))
    wide = QFontMetricsF(own).horizontalAdvance(word.text)
    painter.drawText(QPointF(word.x - _ANCHORS[word.anchor] * wide, word.y), word.text)
