# SPDX-License-Identifier: Apache-2.0
"""The same query in two worlds: with one person in the data, and without."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from dpdesk.desk.plots.plot_base import PlotView
from dpdesk.desk.text import words
from dpdesk.desk.theme.metrics import Type, font
from dpdesk.desk.theme.roles import Role, color
from dpdesk.privacy.planning.two_worlds import TwoWorlds

HEIGHT = 260
STRIP = 0.4
ABOVE = 0.34
"""Room above the strip for its name: within it, it would lie on its lines."""


SAMPLE = 0.105
"""Where the samples of the curves end: the dashed one shows two dashes in a small picture, too."""


NAMES = (1.45, 1.2)
"""The heights of the two names, above the curves."""
TOP = 1.56


@dataclass(frozen=True)
class WorldsWords:
    """What is in the picture.

    Attributes:
        first, second: the names of the two worlds.
        axis: what the lower axis counts.
        unit: of its numbers; is at the zero.
        answers: of an answer that can only be no or yes, what either is called.
    """

    first: str
    second: str
    axis: str = ""
    unit: str = ""
    answers: tuple[str, str] | None = None


class TwoWorldsPlot(PlotView):
    """Two distributions, and below them how much likelier one world makes each answer."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(HEIGHT, parent)
        self._worlds: TwoWorlds | None = None
        self._words = WorldsWords("", "")
        self._bound = 1.0

    def show_worlds(self, worlds: TwoWorlds, said: WorldsWords) -> None:
        self._worlds, self._words = worlds, said
        # In zCDP no ratio is impossible: the strip then ends where the picture does.
        self._bound = worlds.bound
        if not np.isfinite(worlds.bound):
            self._bound = float(max(worlds.ratio.max(), 1 / worlds.ratio.min()))
        times = words.figure(self._bound, 3)
        sentence = self.tr(
            "Any figure is at most {0} times as likely in one world as in the other."
        )
        self.describe(self.tr("Two worlds"), sentence.format(times))
        head = said.axis or self.tr("Figure")
        self.set_twin((head, said.first, said.second, self.tr("Ratio")), list(self._rows(worlds)))
        self.draw()

    def _rows(self, worlds: TwoWorlds) -> list[tuple[str, ...]]:
        every = slice(None, None, 10 if self._words.answers is None else 2)
        shown = (worlds.without, worlds.with_person, worlds.ratio)
        places = self._words.answers or tuple(words.figure(x) for x in worlds.x[every])
        figures = zip(*(vector[every] for vector in shown), strict=True)
        return [
            (place, *map(words.figure, row)) for place, row in zip(places, figures, strict=True)
        ]

    def draw(self) -> None:
        plot = self.canvas.getPlotItem()
        plot.clear()
        worlds = self._worlds
        if worlds is None:
            return
        top = 1.0
        if worlds.outcome == "figure":
            top = float(max(worlds.without.max(), worlds.with_person.max()))
        solid = self.pen(Role.ACCENT, 2)
        dashed = self.pen(Role.SECOND, 2, Qt.PenStyle.DashLine)
        plot.plot(worlds.x, worlds.without / top, pen=solid)
        plot.plot(worlds.x, worlds.with_person / top, pen=dashed)
        plot.plot([worlds.x[0], worlds.x[-1]], [0, 0], pen=self.pen(Role.CONTROL))
        self._add_legend(worlds, solid, dashed)
        self._add_strip(worlds)
        self._set_axes(worlds)

    def _set_axes(self, worlds: TwoWorlds) -> None:
        bottom = self.style_axis("bottom", True)
        self.name_axis("bottom", self._words.axis)
        bottom.unit = self._words.unit
        answers = self._words.answers
        named = None if answers is None else [[(k + 0.5, said) for k, said in enumerate(answers)]]
        bottom.setTicks(named)
        left = self.style_axis("left", True)
        marks = [
            (self._strip_place(ratio), words.localised(text))
            for ratio, text in (
                (1 / self._bound, f"{1 / self._bound:.2f}"),
                (1.0, "1"),
                (self._bound, f"{self._bound:.2f}"),
            )
        ]
        if worlds.outcome != "figure":
            marks += [(part / 2, f"{words.figure(50 * part)} %") for part in range(3)]
        left.setTicks([marks])
        ends = (float(worlds.x[0]), float(worlds.x[-1]))
        self.canvas.setRange(xRange=ends, yRange=(-ABOVE - 0.06 - STRIP, TOP), padding=0.01)

    def _strip_place(self, ratio: float) -> float:
        """Where a ratio is in the strip, on a logarithmic scale."""
        span = float(np.log(self._bound)) or 1.0
        return -ABOVE - STRIP / 2 + STRIP / 2 * float(np.log(ratio)) / span

    def _add_strip(self, worlds: TwoWorlds) -> None:
        ends = [float(worlds.x[0]), float(worlds.x[-1])]
        low, high = self._strip_place(1 / self._bound), self._strip_place(self._bound)
        bottom = self.canvas.plot(ends, [low, low], pen=self.pen(Role.CONTROL))
        upper = self.canvas.plot(ends, [high, high], pen=self.pen(Role.CONTROL))
        self.canvas.addItem(pg.FillBetweenItem(bottom, upper, brush=color(Role.BAND)))
        dots = self.pen(Role.TEXT_QUIET, style=Qt.PenStyle.DotLine)
        self.canvas.plot(ends, [self._strip_place(1.0)] * 2, pen=dots)
        bounded = np.clip(worlds.ratio, 1 / self._bound, self._bound)
        places = np.array([self._strip_place(float(r)) for r in bounded])
        self.canvas.plot(worlds.x, places, pen=self.pen(Role.TEXT, 2))
        name = pg.TextItem(self.tr("Ratio of the two worlds"), anchor=(0, 1))
        name.setFont(font(Type.QUIET))
        name.setColor(color(Role.TEXT))
        name.setPos(ends[0], high)
        self.canvas.addItem(name, ignoreBounds=True)

    def _add_legend(self, worlds: TwoWorlds, solid: pg.QtGui.QPen, dashed: pg.QtGui.QPen) -> None:
        left = float(worlds.x[0])
        span = float(worlds.x[-1]) - left
        pens, names = (solid, dashed), (self._words.first, self._words.second)
        for height, pen, name in zip(NAMES, pens, names, strict=True):
            self.canvas.plot([left + span * 0.01, left + span * SAMPLE], [height] * 2, pen=pen)
            text = pg.TextItem(name, anchor=(0, 0.5))
            text.setFont(font(Type.QUIET))
            text.setColor(color(Role.TEXT))
            text.setPos(left + span * (SAMPLE + 0.01), height)
            self.canvas.addItem(text, ignoreBounds=True)
