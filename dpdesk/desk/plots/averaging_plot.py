# SPDX-License-Identifier: Apache-2.0
"""Why repeats cost: averaging answers sharpens them and spends the budget."""

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
HEIGHT = 220
MARKS = (0, 25, 50, 75, 100)
"""Percent at the axis."""
TOP = 116
"""Percent at the upper edge: above the line of the highest mark is room for a few words."""
EDGE = 40
"""So far past the axis labels may stand; more than half of their height."""


class AveragingPlot(PlotView):
    """The error of an average of r answers, against the budget they cost."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(HEIGHT, parent)
        self._repeats: Vector = np.zeros(0)
        self._error: Vector = np.zeros(0)
        self._spent: Vector = np.zeros(0)
        self._total = 0.0

    def show_curve(self, repeats: Vector, error: Vector, spent: Vector, total: float) -> None:
        """Show how the error falls while the budget goes; ``total`` is all there is."""
        self._repeats, self._error, self._spent, self._total = repeats, error, spent, total
        affordable = int((spent <= total).sum())
        template = self.tr(
            "The budget is spent after %n figure(s); their average is {0} times as accurate.",
            "",
            affordable,
        )
        sharp = words.figure(max(1, affordable) ** 0.5, 2)
        self.describe(self.tr("Why repeats cost"), template.format(sharp))
        rows = [
            (words.figure(r), f"{words.figure(round(100 * e))} %", words.figure(s, 3))
            for r, e, s in zip(repeats, error, spent, strict=True)
        ]
        self.set_twin(
            (self.tr("Figures"), self.tr("Remaining noise"), self.tr("Budget spent")), rows
        )
        self.draw()

    def draw(self) -> None:
        plot = self.canvas.getPlotItem()
        plot.clear()
        if not len(self._repeats):
            return
        paid = self._spent <= self._total
        count = int(paid.sum())
        percent = 100 * self._error
        solid = self.pen(Role.ACCENT, 2)
        dashed = self.pen(Role.SECOND, 2, Qt.PenStyle.DashLine)
        if count:
            plot.plot(
                self._repeats[:count],
                percent[:count],
                pen=solid,
                fillLevel=0,
                brush=color(Role.BAND),
            )
        start = max(0, count - 1)
        plot.plot(self._repeats[start:], percent[start:], pen=dashed)
        if 0 < count < len(self._repeats):
            self._mark_end(float(self._repeats[count - 1]))
        left = self.style_axis("left", True, grid=True)
        left.setTicks([[(float(mark), words.figure(mark)) for mark in MARKS]])
        # The lowest stands at the plot's end, half of it below that.
        left.setStyle(hideOverlappingLabels=EDGE)
        self.name_axis("left", self.tr("remaining noise, %"))
        self.style_axis("bottom", True)
        self.name_axis("bottom", self.tr("figures averaged"))
        # The number at the last tick needs half of its width beyond it.
        last = float(self._repeats[-1])
        self.canvas.setRange(xRange=(1 - 0.02 * last, 1.05 * last), yRange=(0, TOP), padding=0)

    def _mark_end(self, place: float) -> None:
        pen = self.pen(Role.DANGER, 2)
        self.canvas.plot([place, place], [0, 100], pen=pen)
        text = pg.TextItem(self.tr("the budget ends here"), anchor=(0, 1))
        text.setFont(font(Type.QUIET, semibold=True))
        text.setColor(color(Role.DANGER))
        text.setPos(place, MARKS[-1])
        self.canvas.addItem(text, ignoreBounds=True)
