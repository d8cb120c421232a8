# SPDX-License-Identifier: Apache-2.0
"""Released quantiles as boxes: one a group, from quartile to quartile with the median in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import QGraphicsRectItem, QWidget

from dpdesk.desk.plots.axes.number_axis import NumberAxis
from dpdesk.desk.plots.axes.row_axis import RowAxis
from dpdesk.desk.plots.released_plot import ReleasedPlot
from dpdesk.desk.text import words
from dpdesk.desk.theme.roles import Role, color
from dpdesk.release.bundle.charts.description import MOST_BOXES, Box

ROW = 36
"""How high the place of a box is, in pixels."""
FOOT = 48
"""Pixels for the axis below, and its unit."""
HEADED = 0.7
"""Places above the boxes for what the figures beside them are called."""
MARKED = 0.6
"""Places above the boxes for the word that figures are made up: none of theirs stands there."""
BOX, WHISKER, CAP = 0.62, 0.3, 0.07
"""How much of its place a box, a whisker's end and half an error bar's end take."""
APART = 0.2
"""How far from one another the error bars of the three figures stand, in places."""
NAMES = 0.3
"""How much of the width the names may take."""
MOST_SPOKEN = 12
OUTLINE, MIDDLE = 1, 3
"""How thick a box's sides and its line are, in pixels."""


class BoxPlot(ReleasedPlot):
    """Boxes below one another."""

    axes: ClassVar[Mapping[str, Callable[[str], NumberAxis]]] = {
        "left": RowAxis,
        "bottom": NumberAxis,
        "right": RowAxis,
    }

    def __init__(self, parent: QWidget | None = None, made_up: bool = False) -> None:
        super().__init__(ROW + FOOT, parent, made_up)
        self._boxes: tuple[Box, ...] = ()
        self._unit = ""
        self._heads = ("", "")

    @property
    def has_whiskers(self) -> bool:
        """Whether quantiles beyond the boxes were released."""
        return any(box.ends for box in self._boxes)

    @property
    def has_ranges(self) -> bool:
        """Whether it is known between which values each figure is."""
        return any(box.ranges for box in self._boxes)

    def show_boxes(
        self, boxes: Sequence[Box], unit: str, heads: tuple[str, str] = ("", "")
    ) -> None:
        """Show boxes.

        Args:
            boxes: at most ``MOST_BOXES``.
            unit: of the values; may be empty.
            heads: what is above the figures beside the boxes.
        """
        self._heads = heads
        self._boxes, self._unit = tuple(boxes)[:MOST_BOXES], unit
        height = round((len(self._boxes) + self._head) * ROW) + FOOT
        self.setFixedHeight(height)
        self.canvas.setFixedHeight(height)
        sentence = self.tr("%n (box|boxes) of released quantiles.", "", len(self._boxes))
        accessible_text = " ".join(self._accessible_text(box) for box in self._boxes[:MOST_SPOKEN])
        self.describe(self.name(), f"{sentence} {accessible_text}")
        self.draw()

    @property
    def _head(self) -> float:
        """Rows above the first box: the word for made-up figures is there, and the heads."""
        return (MARKED if self._is_made_up else 0) + (HEADED if any(self._heads) else 0)

    def _accessible_text(self, box: Box) -> str:
        """A box's numbers in one sentence."""
        figures = [words.figure(figure) for figure in box.figures]
        if box.ranges:
            template = self.tr("{0} (between {1} and {2})")
            pairs = zip(figures, box.ranges, strict=True)
            figures = [template.format(text, *map(words.figure, ends)) for text, ends in pairs]
        return f"{box.name}{': ' if box.name else ''}{', '.join(figures)}."

    def draw(self) -> None:
        plot = self.canvas.getPlotItem()
        plot.clear()
        self._draw_mark()
        if not self._boxes:
            return
        for place, box in enumerate(self._boxes):
            self._add_whiskers(place, box)
            self._add_box(place, box)
            self._add_ranges(place, box)
        self._view().invertY(True)
        self._set_axes()

    def _add_whiskers(self, place: int, box: Box) -> None:
        """From the box to the outermost quantiles."""
        if not box.ends:
            return
        lines: list[tuple[float, float]] = []
        for start, end in ((box.figures[0], box.ends[0]), (box.figures[-1], box.ends[-1])):
            lines += [(start, place), (end, place), (end, place - WHISKER), (end, place + WHISKER)]
        self._add_lines(lines, Role.CONTROL if box.noisy else Role.ACCENT, 1.4, box.noisy)

    def _add_box(self, place: int, box: Box) -> None:
        """Filled, or hatched and dashed where it is too noisy to use; its line is thick."""
        role = Role.CONTROL if box.noisy else Role.ACCENT
        brush: QBrush | QColor = color(Role.BAND)
        if box.noisy:
            brush = QBrush(color(Role.LINE), Qt.BrushStyle.BDiagPattern)
        elif self._is_made_up:
            brush = QBrush()
        first, middle, last = box.figures
        rect = QGraphicsRectItem(first, place - BOX / 2, last - first, BOX)
        rect.setBrush(brush)
        rect.setPen(self.pen(role, OUTLINE, self._line_style(box.noisy)))
        self.canvas.addItem(rect)
        sides = [(middle, place - BOX / 2), (middle, place + BOX / 2)]
        self._add_lines(sides, role, MIDDLE, is_dashed=False)

    def _add_ranges(self, place: int, box: Box) -> None:
        """The error bar of each figure, beside the others: they may reach over one another."""
        least, most = self._ends()
        lines: list[tuple[float, float]] = []
        for number, (low, high) in enumerate(box.ranges):
            up = place + (number - 1) * APART
            ends = min(max(low, least), most), max(min(high, most), least)
            lines += [(end, up) for end in ends]
            for end, whole, arrow in zip(ends, (low, high), ("t3", "t2"), strict=True):
                if end == whole:
                    lines += [(end, up - CAP), (end, up + CAP)]
                else:
                    self._add_arrow(end, up, arrow)
        if lines:
            self._add_lines(lines, Role.TEXT, 1.6, is_dashed=False)

    def _add_arrow(self, across: float, up: float, symbol: str) -> None:
        """Where an error bar is longer than the axis."""
        look = {"symbolSize": 6, "symbolBrush": color(Role.TEXT), "symbolPen": None}
        self.canvas.plot([across], [up], pen=None, symbol=symbol, **look)

    def _add_lines(
        self, lines: list[tuple[float, float]], role: Role, width: float, is_dashed: bool
    ) -> None:
        across, up = zip(*lines, strict=True)
        pen = self.pen(role, width, self._line_style(is_dashed))
        self.canvas.plot(across, up, pen=pen, connect="pairs")

    def _ends(self) -> tuple[float, float]:
        """What the axis reaches from and to: what can be used says so, if anything."""
        shown = [box for box in self._boxes if not box.noisy] or list(self._boxes)
        values = [
            value
            for box in shown
            for value in (*box.figures, *box.ends, *(end for pair in box.ranges for end in pair))
        ]
        low, high = min(values), max(values)
        return (low, high) if high > low else (low - 0.5, high + 0.5)

    def _set_axes(self) -> None:
        for side in ("left", "right"):
            self.style_axis(side, True)
        names = [(box.name, "") for box in self._boxes]
        self._row_axis("left").show_rows(names, NAMES * self.width())
        self._row_axis("right").show_rows(self._figures(), head=self._heads)
        axis = self.style_axis("bottom", True, grid=True)
        axis.setStyle(maxTickLevel=0)
        self.name_axis("bottom", self._unit)
        low, high = self._ends()
        room = (high - low) * 0.04
        self.canvas.setRange(
            xRange=(low - room, high + room),
            yRange=(-0.5 - self._head, len(self._boxes) - 0.5),
            padding=0,
        )
        self.settle_axes("bottom")

    def _figures(self) -> list[tuple[str, str]]:
        texts = iter(
            words.figures_in_column([value for box in self._boxes for value in box.figures])
        )
        template = self.tr("{0} to {1}")
        return [
            (middle, template.format(first, last))
            for first, middle, last in zip(texts, texts, texts, strict=True)
        ]

    def _row_axis(self, side: str) -> RowAxis:
        axis: RowAxis = self.canvas.getPlotItem().getAxis(side)
        return axis
