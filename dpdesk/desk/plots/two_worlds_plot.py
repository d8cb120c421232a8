# SPDX-License-Identifier: Apache-2.0
"""The same query in two worlds: with one person in the data, and without."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from dpdesk.desk.plots.plot_base import PlotView
from dpdesk.desk.text import words
from dpdesk.desk.theme.metrics import Type, font
from dpdesk.desk.theme.roles import Role, color

Vector = npt.NDArray[np.float64]
HEIGHT = 230
STRIP = 0.3


class TwoWorldsPlot(PlotView):
    """Two densities, and below them how much likelier one world makes each answer."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(HEIGHT, parent)
        self._x: Vector = np.zeros(0)
        self._without: Vector = np.zeros(0)
        self._with: Vector = np.zeros(0)
        self._ratio: Vector = np.zeros(0)
        self._bound = 1.0
        self._unit = ""

    def show_worlds(
        self,
        x: Vector,
        without: Vector,
        with_person: Vector,
        ratio: Vector,
        bound: float,
        unit: str,
    ) -> None:
        """Show two worlds; all vectors of one shape, ``bound`` is e^epsilon."""
        self._x, self._without, self._with = x, without, with_person
        self._ratio, self._bound, self._unit = ratio, bound, unit
        times = words.figure(bound, 3)
        sentence = self.tr(
            "Any answer is at most {0} times as likely in one world as in the other."
        )
        self.describe(self.tr("Two worlds"), sentence.format(times))
        rows = [
            tuple(words.figure(v) for v in row)
            for row in zip(x[::10], without[::10], with_person[::10], ratio[::10], strict=True)
        ]
        heads = (self.tr("Answer"), self.tr("Without her"), self.tr("With her"), self.tr("Ratio"))
        self.set_twin(heads, rows)
        self.draw()

    def draw(self) -> None:
        """Draw the curves in the upper part and the ratio in a strip below, on one axis."""
        plot = self.canvas.getPlotItem()
        plot.clear()
        if not len(self._x):
            return
        top = float(max(self._without.max(), self._with.max()))
        solid = self.pen(Role.ACCENT, 2)
        dashed = self.pen(Role.SECOND, 2, Qt.PenStyle.DashLine)
        plot.plot(self._x, self._without / top, pen=solid)
        plot.plot(self._x, self._with / top, pen=dashed)
        plot.plot([self._x[0], self._x[-1]], [0, 0], pen=self.pen(Role.CONTROL))
        self._add_legend(solid, dashed)
        self._add_strip()
        self.style_axis("bottom", True)
        axis = self.style_axis("left", True)
        low, middle, high = (
            self._strip_place(1 / self._bound),
            self._strip_place(1.0),
            self._strip_place(self._bound),
        )
        marks = [(low, f"{1 / self._bound:.2f}"), (middle, "1"), (high, f"{self._bound:.2f}")]
        axis.setTicks([[(place, words.localised(text)) for place, text in marks]])
        ends = (float(self._x[0]), float(self._x[-1]))
        self.canvas.setRange(xRange=ends, yRange=(-0.16 - STRIP, 1.08), padding=0.01)

    def _strip_place(self, ratio: float) -> float:
        """Where a ratio stands in the strip, on a logarithmic scale."""
        span = float(np.log(self._bound)) or 1.0
        return -0.1 - STRIP / 2 + STRIP / 2 * float(np.log(ratio)) / span

    def _add_strip(self) -> None:
        ends = [float(self._x[0]), float(self._x[-1])]
        low, high = self._strip_place(1 / self._bound), self._strip_place(self._bound)
        bottom = self.canvas.plot(ends, [low, low], pen=self.pen(Role.CONTROL))
        upper = self.canvas.plot(ends, [high, high], pen=self.pen(Role.CONTROL))
        self.canvas.addItem(pg.FillBetweenItem(bottom, upper, brush=color(Role.BAND)))
        dots = self.pen(Role.TEXT_QUIET, style=Qt.PenStyle.DotLine)
        self.canvas.plot(ends, [self._strip_place(1.0)] * 2, pen=dots)
        bounded = np.clip(self._ratio, 1 / self._bound, self._bound)
        places = np.array([self._strip_place(float(r)) for r in bounded])
        self.canvas.plot(self._x, places, pen=self.pen(Role.TEXT, 2))

    def _add_legend(self, solid: pg.QtGui.QPen, dashed: pg.QtGui.QPen) -> None:
        left = float(self._x[0])
        span = float(self._x[-1]) - left
        for height, pen, name in (
            (0.98, solid, self.tr("without her")),
            (0.85, dashed, self.tr("with her")),
        ):
            self.canvas.plot([left + span * 0.01, left + span * 0.06], [height] * 2, pen=pen)
            text = pg.TextItem(name, anchor=(0, 0.5))
            text.setFont(font(Type.QUIET))
            text.setColor(color(Role.TEXT))
            text.setPos(left + span * 0.07, height)
            self.canvas.addItem(text, ignoreBounds=True)
