# SPDX-License-Identifier: Apache-2.0
"""The noise of a query's figures, with the band in which 95 in 100 land."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem, QGraphicsSceneMouseEvent, QWidget

from dpdesk.desk.plots.plot_base import PlotView
from dpdesk.desk.text import words
from dpdesk.desk.theme.metrics import Type, font
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.painting import box

Vector = npt.NDArray[np.float64]
HEIGHT = 190
STEP = 1.05
PILL_W, PILL_H = 10.0, 22.0


class LimitHandle(pg.GraphicsObject):
    """The pill on a dashed limit that can be dragged sideways."""

    moved = Signal(float)

    def __init__(self) -> None:
        super().__init__()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations)
        self.setCursor(Qt.CursorShape.SizeHorCursor)
        self.setZValue(10)

    def boundingRect(self) -> QRectF:
        """The pill with room to grab it."""
        return QRectF(-PILL_W, -PILL_H, 2 * PILL_W, 2 * PILL_H)

    def paint(self, painter: QPainter, *_args: object) -> None:
        """Paint the pill and its two grips; in a picture there is nothing to drag."""
        if self._exportOpts:
            return
        pill = QRectF(-PILL_W / 2, -PILL_H / 2, PILL_W, PILL_H)
        box(painter, pill, PILL_W / 2, Role.SURFACE, Role.ACCENT, 1.6)
        painter.setPen(QPen(color(Role.ACCENT), 1))
        for x in (-1.5, 1.5):
            painter.drawLine(QPointF(x, -4), QPointF(x, 4))

    def mousePressEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        """Take the mouse."""
        event.accept()

    def mouseMoveEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        view = self.getViewBox()
        if view is not None:
            self.moved.emit(float(view.mapSceneToView(event.scenePos()).x()))

    def mouseReleaseEvent(self, event: QGraphicsSceneMouseEvent) -> None:
        """Nothing more to do."""
        event.accept()


class NoisePlot(PlotView):
    """The noise curve.

    Signals:
        half_width_dragged: a limit was moved; carries the half-width it would be.
    """

    half_width_dragged = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(HEIGHT, parent)
        self._x: Vector = np.zeros(0)
        self._density: Vector = np.zeros(0)
        self._half_width = 1.0
        self._fills_range = False
        self._unit = ""
        self._handles = (LimitHandle(), LimitHandle())
        for handle in self._handles:
            handle.moved.connect(self._dragged)

    def show_noise(
        self,
        x: Vector,
        density: Vector,
        half_width: float,
        unit: str,
        caption: str = "",
        fills_range: bool = False,
    ) -> None:
        """Show a curve.

        Args:
            x, density: positions in the result's unit and heights, of one shape.
            half_width: 95 in 100 lie within it.
            unit: of the positions.
            caption: the sentence for screen readers; made here where empty.
            fills_range: the noise is wider than all that the figure can be; the curve ends there.
        """
        self._fills_range = fills_range
        self._x, self._density, self._half_width, self._unit = x, density, half_width, unit
        margin = f"± {words.figure(half_width, 3)} {unit}".strip()
        sentence = caption or self.tr("95 times in 100 the noise is within {0}.").format(margin)
        self.describe(self.tr("Noise"), sentence)
        rows = [
            (words.figure(a), words.figure(d)) for a, d in zip(x[::10], density[::10], strict=True)
        ]
        self.set_twin((self.tr("Distance from the exact figure"), self.tr("Density")), rows)
        self.draw()

    def draw(self) -> None:
        plot = self.canvas.getPlotItem()
        for handle in self._handles:
            if handle.scene() is not None:
                plot.removeItem(handle)
        plot.clear()
        if not len(self._x):
            return
        top = float(self._density.max())
        band = color(Role.BAND)
        pen = self.pen(Role.ACCENT, 2)
        # The library fills in pieces, whose edges would show if they were smoothed.
        plot.plot(self._x, self._density, pen=None, fillLevel=0, brush=band, antialias=False)
        plot.plot(self._x, self._density, pen=pen)
        limit_pen = self.pen(Role.ACCENT, 1.4, Qt.PenStyle.DashLine)
        w = self._half_width
        for handle, place in zip(self._handles, (-w, w), strict=True):
            plot.plot([place, place], [0, top * 1.02], pen=limit_pen)
            handle.setPos(place, top * 0.42)
            plot.addItem(handle, ignoreBounds=True)
        self._add_heading(top)
        self._set_axes(top)

    def _add_heading(self, top: float) -> None:
        said = self.tr("95 in 100 are here")
        if self._fills_range:
            said = self.tr("Anywhere in the range")
        heading = pg.TextItem(said, anchor=(0.5, 0.5))
        heading.setFont(font(Type.QUIET, semibold=True))
        heading.setColor(color(Role.TEXT))
        heading.setPos(0, top * 1.2)
        self.canvas.addItem(heading, ignoreBounds=True)
        pen = self.pen(Role.TEXT_QUIET, 1)
        w = self._half_width
        self.canvas.plot([-w, w], [top * 1.08] * 2, pen=pen)
        for place, angle in ((-w, 0), (w, 180)):
            head = pg.ArrowItem(angle=angle, headLen=7, headWidth=6, pen=None, brush=pen.color())
            head.setPos(place, top * 1.08)
            self.canvas.addItem(head, ignoreBounds=True)

    def _set_axes(self, top: float) -> None:
        self.style_axis("left", False)
        axis = self.style_axis("bottom", True)
        w = self._half_width
        # Labels of the ends need room beside them.
        room = 1.16 if self._fills_range else 1.04
        places = (-w, 0.0, w) if self._fills_range else (-2 * w, -w, 0.0, w, 2 * w)
        axis.setTicks([[(p, self._tick(p)) for p in places]])
        self.canvas.setRange(
            xRange=(float(self._x[0]) * room, float(self._x[-1]) * room),
            yRange=(0, top * 1.33),
            padding=0,  # what is filled stands on the axis
        )

    def _tick(self, place: float) -> str:
        if place == 0:
            return f"0 {self._unit}".strip()
        text = words.in_column(words.two_digits(Fraction(abs(place)).limit_denominator(10**9)))
        return f"{'+' if place > 0 else words.MINUS}{text}"

    def _dragged(self, place: float) -> None:
        if abs(place) > 0:
            self.half_width_dragged.emit(abs(place))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and right move the limits."""
        factor = {Qt.Key.Key_Right: STEP, Qt.Key.Key_Left: 1 / STEP}.get(Qt.Key(event.key()))
        if factor is None:
            super().keyPressEvent(event)
            return
        self.half_width_dragged.emit(self._half_width * factor)
