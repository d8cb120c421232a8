# SPDX-License-Identifier: Apache-2.0
"""Released figures as bars with their margins."""

from __future__ import annotations

from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF
from PySide6.QtWidgets import QSizePolicy, QWidget

from dpdesk.desk.core import words
from dpdesk.desk.plots.bar_labels import bar_ticks, height
from dpdesk.desk.plots.plot_base import Plot
from dpdesk.desk.theme.metrics import Space, Type, font
from dpdesk.desk.theme.roles import Role, color

HEIGHT = 250
MOST_BARS = 40
LABELS_TO = 14
BAR = 0.46
"""How much of its place a bar takes, as long as that is not wider than WIDEST pixels."""
WIDEST = 64
CAP = 0.17
"""Half the width of an error bar's ends, in bars."""
BESIDE = 0.6
"""Left and right of the middle of the outer bars, in places."""
EDGE = 40
"""So many pixels a label may reach past the ends of its axis."""
ROOM = 30
"""Pixels above the highest bar, for its figure."""


class ErrorBarsPlot(Plot):
    """One bar a figure."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(HEIGHT, parent)
        # Of one height from the first: a page that is still too high would stretch it.
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._labels: list[str] = []
        self._values: list[float | None] = []
        self._widths: list[float] = []
        self._ends: list[tuple[float, float]] = []
        self._noisy: list[bool] = []
        self._unit = ""
        self._bar = BAR
        self._drawn_for = (0.0, 0.0)
        self._view().sigResized.connect(lambda: self._fit())

    def show_figures(
        self,
        labels: Sequence[str],
        values: Sequence[float | None],
        half_widths: Sequence[float],
        unit: str,
        intervals: Sequence[tuple[float, float] | None] = (),
        noisy: Sequence[bool] = (),
    ) -> None:
        """Show figures; ``None`` stands for a figure that says nothing.

        Args:
            labels: one a figure.
            values, half_widths: in the unit.
            unit: may be empty.
            intervals: both ends of each error bar, as the table has them; made of the margins
                where there are none.
            noisy: which figures are too noisy to use; their bars are hatched.
        """
        self._labels, self._values = list(labels), list(values)
        self._widths, self._unit = list(half_widths), unit
        given = list(intervals) or [None] * len(self._values)
        self._ends = [
            ends or ((value or 0.0) - width, (value or 0.0) + width)
            for ends, value, width in zip(given, values, half_widths, strict=True)
        ]
        self._noisy = list(noisy) or [False] * len(self._values)
        template = self.tr(
            "%n figure(s), each with the margin within which it lies 95 times in 100.",
            "",
            len(labels),
        )
        if not any(half_widths):
            template = self.tr("%n chosen value(s).", "", len(labels))
        self.describe(self.tr("Released figures"), template)
        self.draw()

    def draw(self) -> None:
        """Draw bars, margins, figures and labels."""
        plot = self.canvas.getPlotItem()
        plot.clear()
        shown = [
            (i, v, w)
            for i, (v, w) in enumerate(zip(self._values, self._widths, strict=True))
            if v is not None
        ][:MOST_BARS]
        if not self._labels:
            return
        self._bar = min(BAR, WIDEST / self._slot())
        self._add_bars([bar for bar in shown if not self._noisy[bar[0]]], is_noisy=False)
        self._add_bars([bar for bar in shown if self._noisy[bar[0]]], is_noisy=True)
        for x, value, width in shown:
            if width:
                self._add_margin(x, value, *self._ends[x])
        self._add_figures(shown)
        self._set_axes(shown)

    def _add_bars(self, shown: list[tuple[int, float, float]], is_noisy: bool) -> None:
        """Bars that say something are filled, the others hatched within a dashed outline."""
        if not shown:
            return
        pen = pg.mkPen(color(Role.ACCENT), width=1)
        brush: QBrush | QColor = color(Role.BAND)
        if is_noisy:
            pen = pg.mkPen(color(Role.CONTROL), width=1, style=Qt.PenStyle.DashLine)
            brush = QBrush(color(Role.CONTROL), Qt.BrushStyle.BDiagPattern)
        self.canvas.getPlotItem().addItem(
            pg.BarGraphItem(
                x=[i for i, _, _ in shown],
                height=[v for _, v, _ in shown],
                width=self._bar,
                brush=brush,
                pen=pen,
            )
        )

    def _slot(self) -> float:
        """How many pixels wide one bar's place is."""
        count = min(len(self._labels), MOST_BARS)
        return max(1.0, self._view().width() / (count - 1 + 2 * BESIDE))

    def _fit(self) -> None:
        """Draw anew where there is another room: bars, labels and figures go by pixels."""
        room = (self._view().width(), self._view().height())
        if room != self._drawn_for:
            self._drawn_for = room
            self.draw()

    def _view(self) -> pg.ViewBox:
        return self.canvas.getPlotItem().getViewBox()

    def _add_margin(self, x: int, value: float, low: float, high: float) -> None:
        pen = pg.mkPen(color(Role.TEXT), width=1.6)
        self.canvas.plot([x, x], [low, high], pen=pen)
        cap = CAP * self._bar
        for end in (low, high):
            self.canvas.plot([x - cap, x + cap], [end, end], pen=pen)
        dot = color(Role.TEXT)
        self.canvas.plot(
            [x], [value], symbol="o", symbolSize=6, symbolBrush=dot, symbolPen=None, pen=None
        )

    def _add_figures(self, shown: list[tuple[int, float, float]]) -> None:
        if len(shown) > LABELS_TO:
            return
        for x, value, _width in shown:
            text = pg.TextItem(_short(value), anchor=(0.5, 1.0))
            text.setFont(font(Type.QUIET, semibold=True, tabular=True))
            text.setColor(color(Role.TEXT))
            text.setPos(x, max(value, self._ends[x][1], 0))
            self.canvas.addItem(text, ignoreBounds=True)

    def _set_axes(self, shown: list[tuple[int, float, float]]) -> None:
        self.style_axis("left", True, grid=True)
        axis = self.style_axis("bottom", True)
        labels = self._labels[:MOST_BARS]
        metrics = QFontMetricsF(font(Type.QUIET, tabular=True))
        ticks = bar_ticks(labels, self._slot(), metrics)
        axis.setTicks([ticks])
        axis.setHeight(round(height(ticks, metrics)) + 2 * Space.SMALL)
        # Text past the plot's edge is still inside the widget.
        axis.setStyle(hideOverlappingLabels=EDGE)
        low = min([0.0, *(min(v, self._ends[i][0]) for i, v, _ in shown)])
        high = max([0.0, *(max(v, self._ends[i][1]) for i, v, _ in shown)])
        room = (high - low or 1.0) * ROOM / max(ROOM, self._view().height() - ROOM)
        self.canvas.setRange(
            xRange=(-BESIDE, len(labels) - 1 + BESIDE),
            yRange=(low - (room / 2 if low < 0 else 0), high + room),
            padding=0,
        )
        self.settle_axes("left", "bottom")


def _short(value: float) -> str:
    """A figure above its bar: whole numbers whole, others with four digits."""
    return words.figure(value)
