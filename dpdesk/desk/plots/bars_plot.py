# SPDX-License-Identifier: Apache-2.0
"""Released figures as bars with their margins."""

from __future__ import annotations

from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core import words
from dpdesk.desk.plots.plot_base import PlotView
from dpdesk.desk.theme.metrics import Type, font
from dpdesk.desk.theme.roles import Role, color

HEIGHT = 250
MOST_BARS = 40
LABELS_TO = 14
BAR = 0.46
CAP = 0.08
ROOM = 0.24
"""Above the highest bar, in parts of the height: for its figure and the plot's own buttons."""


class ErrorBarsPlot(PlotView):
    """One bar a figure."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(HEIGHT, parent)
        self._labels: list[str] = []
        self._values: list[float | None] = []
        self._widths: list[float] = []
        self._unit = ""

    def show_figures(
        self,
        labels: Sequence[str],
        values: Sequence[float | None],
        half_widths: Sequence[float],
        unit: str,
    ) -> None:
        """Show figures; ``None`` stands for a figure that says nothing.

        Args:
            labels: one a figure.
            values, half_widths: in the unit.
            unit: may be empty.
        """
        self._labels, self._values = list(labels), list(values)
        self._widths, self._unit = list(half_widths), unit
        template = self.tr(
            "%n figure(s), each with the margin within which it lies 95 times in 100.",
            "",
            len(labels),
        )
        if not any(half_widths):
            template = self.tr("%n chosen value(s).", "", len(labels))
        self.describe(self.tr("Released figures"), template)
        rows = [
            (
                label,
                "–" if v is None else _short(v),
                f"± {_short(w)}" if w and v is not None else "–",
            )
            for label, v, w in zip(labels, values, half_widths, strict=True)
        ]
        self.set_twin((self.tr("Group"), unit or self.tr("Figure"), self.tr("Margin")), rows)
        self.as_table.setChecked(len(labels) > MOST_BARS)
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
        xs, ys = [i for i, _, _ in shown], [v for _, v, _ in shown]
        outline = pg.mkPen(color(Role.ACCENT), width=1)
        plot.addItem(
            pg.BarGraphItem(x=xs, height=ys, width=BAR, brush=color(Role.BAND), pen=outline)
        )
        for x, value, width in shown:
            if width:
                self._add_margin(x, value, width)
        self._add_figures(shown)
        self._set_axes(shown)

    def _add_margin(self, x: int, value: float, width: float) -> None:
        pen = pg.mkPen(color(Role.TEXT), width=1.6)
        low, high = value - width, value + width
        self.canvas.plot([x, x], [low, high], pen=pen)
        for end in (low, high):
            self.canvas.plot([x - CAP, x + CAP], [end, end], pen=pen)
        dot = color(Role.TEXT)
        self.canvas.plot(
            [x], [value], symbol="o", symbolSize=6, symbolBrush=dot, symbolPen=None, pen=None
        )

    def _add_figures(self, shown: list[tuple[int, float, float]]) -> None:
        if len(shown) > LABELS_TO:
            return
        for x, value, width in shown:
            text = pg.TextItem(_short(value), anchor=(0.5, 1.0))
            text.setFont(font(Type.QUIET, semibold=True, tabular=True))
            text.setColor(color(Role.TEXT))
            text.setPos(x, max(value + width, 0))
            self.canvas.addItem(text, ignoreBounds=True)

    def _set_axes(self, shown: list[tuple[int, float, float]]) -> None:
        self.style_axis("left", True, grid=True)
        axis = self.style_axis("bottom", True)
        count = min(len(self._labels), MOST_BARS)
        every = max(1, -(-count // LABELS_TO))
        ticks = [
            (i, _cut(self._labels[i], 14 if count <= 7 else 9)) for i in range(0, count, every)
        ]
        axis.setTicks([ticks])
        low = min([0.0, *(v - w for _, v, w in shown)])
        high = max([0.0, *(v + w for _, v, w in shown)])
        room = (high - low or 1.0) * ROOM
        self.canvas.setRange(
            xRange=(-0.6, count - 0.4),
            yRange=(low - (room / 2 if low < 0 else 0), high + room),
            padding=0,
        )


def _short(value: float) -> str:
    """A figure above its bar: whole numbers grouped, others with four digits."""
    if value == int(value):
        return words.grouped(int(value))
    return words.localised(f"{value:.4g}")


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
