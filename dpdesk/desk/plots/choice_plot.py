# SPDX-License-Identifier: Apache-2.0
"""How often a choice falls on something worse than the best, by how much worse it is."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from dpdesk.desk.plots.noise_plot import HEIGHT, STEP, LimitHandle
from dpdesk.desk.plots.plot_base import PlotView
from dpdesk.desk.text import words
from dpdesk.desk.theme.metrics import Type, font
from dpdesk.desk.theme.roles import Role, color
from dpdesk.privacy.planning.choice_curve import ChoiceCurve

Vector = npt.NDArray[np.float64]
EMPTY = ChoiceCurve(np.zeros(0), np.zeros(0), 0.0, 0.0, rises=False)
EVERY = 10
"""The table twin has every tenth point."""
BESIDE = 0.02
"""Room beside the curve, as a part of its width."""


class ChoicePlot(PlotView):
    """The curve of a choice, with its bound.

    Signals:
        bound_dragged: the bound was moved; carries where to, in its unit.
    """

    bound_dragged = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(HEIGHT, parent)
        self._curve = EMPTY
        self._limit = ""
        self._axis = ""
        self._handle = LimitHandle()
        self._handle.moved.connect(self._dragged)
        self._said: pg.TextItem | None = None
        self.canvas.getPlotItem().vb.sigResized.connect(lambda _box: self._wrap())

    def show_choice(self, curve: ChoiceCurve, limit: str, axis: str, sentence: str) -> None:
        """Show a curve.

        Args:
            curve: what to draw.
            limit: what is at the bound.
            axis: what is counted to the right.
            sentence: what the share buys; how likely the bound itself is, is said after it.
        """
        self._curve, self._limit, self._axis = curve, limit, axis
        self.describe(self.tr("Choice"), f"{sentence} {self._at_bound()}".strip())
        percent = [f"{words.figure(100 * c, 3)} %" for c in curve.chance]
        places = [words.figure(x) for x in curve.x]
        rows = list(zip(places, percent, strict=True))[::EVERY]
        self.set_twin((axis, self._what()), rows)
        self.draw()

    def _what(self) -> str:
        if self._curve.reads_ranks:
            return self.tr("Moved across the rank")
        return self.tr("Found") if self._curve.rises else self.tr("Chosen instead of the best")

    def _at_bound(self) -> str:
        chance = words.figure(100 * self._curve.at_bound, 2)
        place = words.localised(words.two_digits(_exact(self._curve.bound)))
        if self._curve.rises:
            template = self.tr("At {0} it is found {1} times in 100.")
        elif self._curve.reads_ranks:
            template = self.tr("At {0} noise moves a value across the rank {1} times in 100.")
        else:
            template = self.tr(
                "Against the best alone, a candidate that is worse by {0} is chosen {1} times in "
                "100."
            )
        return template.format(place, chance)

    def draw(self) -> None:
        plot = self.canvas.getPlotItem()
        if self._handle.scene() is not None:
            plot.removeItem(self._handle)
        plot.clear()
        self._said = None
        curve = self._curve
        if not len(curve.x):
            return
        percent = 100 * curve.chance
        pen = self.pen(Role.ACCENT, 2)
        plot.plot(curve.x, percent, pen=pen, fillLevel=0, brush=color(Role.BAND))
        limit = self.pen(Role.ACCENT, 1.4, Qt.PenStyle.DashLine)
        top = self._top()
        plot.plot([curve.bound, curve.bound], [0, top], pen=limit)
        self._handle.setPos(curve.bound, top * 0.42)
        plot.addItem(self._handle, ignoreBounds=True)
        self._set_axes(top)
        self._add_limit(top)

    def _top(self) -> float:
        return 100.0 if self._curve.rises else 50.0

    def _room(self) -> float:
        """A curve that ends high leaves the corner to the buttons."""
        return 1.28 if self._curve.rises else 1.06

    def _add_limit(self, top: float) -> None:
        """The words beside the bound, where the curve is not and below the buttons."""
        text = pg.TextItem(self._limit, anchor=(0, 0.5))
        text.setFont(font(Type.QUIET, semibold=True))
        text.setColor(color(Role.TEXT))
        text.setPos(0 if self._curve.rises else self._curve.bound, top * 0.7)
        self.canvas.addItem(text, ignoreBounds=True)
        self._said = text
        self._wrap()

    def _wrap(self) -> None:
        """Words that would end behind the picture's edge take another line."""
        if self._said is None or self._said.scene() is None:
            return
        box = self.canvas.getPlotItem().vb
        room = box.mapViewToDevice(QPointF(float(self._curve.x[-1]), 0))
        start = box.mapViewToDevice(QPointF(self._said.pos().x(), 0))
        if room is None or start is None:
            return
        self._said.setTextWidth(-1)
        width = room.x() - start.x()
        if self._said.textItem.boundingRect().width() > width > 0:
            self._said.setTextWidth(width)

    def _set_axes(self, top: float) -> None:
        axis = self.style_axis("left", True, grid=True)
        axis.setTicks([[(k * top / 2, f"{words.figure(round(k * top / 2))} %") for k in range(3)]])
        bottom = self.style_axis("bottom", True)
        self.name_axis("bottom", self._axis)
        bound, last = self._curve.bound, float(self._curve.x[-1])
        places = [p for p in (0.0, bound / 2, bound, 1.5 * bound, 2 * bound) if p <= last]
        bottom.setTicks([[(p, _tick(p)) for p in sorted(set(places))]])
        # What is filled stands on the axis.
        ends, high = (-BESIDE * last, (1 + BESIDE) * last), (1 + 2 * BESIDE) * top * self._room()
        self.canvas.setRange(xRange=ends, yRange=(0, high), padding=0)

    def _dragged(self, place: float) -> None:
        if place > 0:
            self.bound_dragged.emit(place)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and right move the bound."""
        factor = {Qt.Key.Key_Right: STEP, Qt.Key.Key_Left: 1 / STEP}.get(Qt.Key(event.key()))
        if factor is None or self._curve.bound <= 0:
            super().keyPressEvent(event)
            return
        self.bound_dragged.emit(self._curve.bound * factor)


def _tick(place: float) -> str:
    return words.in_column(words.two_digits(_exact(place)))


def _exact(value: float) -> Fraction:
    return Fraction(value).limit_denominator(10**9)
