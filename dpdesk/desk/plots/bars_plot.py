# SPDX-License-Identifier: Apache-2.0
"""Released figures with their margins: few bars stand, many lie, periods are joined by a line."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF
from PySide6.QtWidgets import QWidget

from dpdesk.desk.plots.axes.number_axis import NumberAxis
from dpdesk.desk.plots.axes.row_axis import RowAxis
from dpdesk.desk.plots.bar_labels import bar_ticks, height, line_ticks, period_ticks
from dpdesk.desk.plots.hatched_bars import HatchedBars
from dpdesk.desk.plots.released_plot import ReleasedPlot
from dpdesk.desk.text import words
from dpdesk.desk.theme.metrics import Space, Type, font
from dpdesk.desk.theme.roles import Role, color
from dpdesk.release.bundle.charts.description import MOST_BARS, STANDING_TO, outer

HEIGHT = 250
ROW = 23
"""How high the place of a lying bar is, in pixels."""
NAMES = 0.36
"""How much of the width the names of lying bars may take."""
FOOT = 30
"""Pixels for the axis below lying bars."""
BAR = 0.46
"""How much of its place a bar takes, as long as that is not wider than WIDEST pixels."""
LYING_BAR = 0.7
WIDEST = 64
CAP = 0.17
"""Half the width of an error bar's ends, in bars."""
LYING_CAP = 0.3
NOISE_BOX = 0.3
"""How much of a bar the box of an interval of the noise takes."""
ARROWS = {False: ("t", "t1"), True: ("t3", "t2")}
"""The plotting library's arrows down and up, and to the left and the right."""
DOT = 6
BESIDE = 0.6
"""Before and behind the middle of the outer bars, in places."""
EDGE = 40
"""So many pixels a label may reach past the ends of its axis."""
ROOM = 30
"""Pixels above the highest bar, for its figure."""
BELOW_BARS = -1
SHORT = 0.1
"""Of a bar: a margin alone that is no longer has an axis of its own, which need not begin at 0."""
ALONE = 0.25
"""Room past the end of a bar that is alone, in its length."""
MARGINS_SHOWN = 3
"""How many margins that axis reaches to either side."""
MOST_SPOKEN = 12
MOST_FIGURES = 12
"""More points of a line have no figure of their own: so many numbers are read in the table."""


@dataclass(frozen=True)
class Bar:
    """One figure that says something.

    Attributes:
        place: which bar it is.
        low, high: the ends of its error bar; none where the margin is 0.
        population: the ends of its interval for the population, which has the caps then; that of
            the noise is a box.
    """

    place: int
    value: float
    width: float
    low: float
    high: float
    noisy: bool
    population: tuple[float, float] | None = None

    @property
    def ends(self) -> tuple[float, float]:
        """The outermost ends of all that is drawn of it."""
        return outer((self.low, self.high), self.population)

    @property
    def bracket(self) -> tuple[float, float]:
        """What has caps: the interval for the population; else that of the noise."""
        return self.population or (self.low, self.high)

    @property
    def drawn(self) -> float:
        """The nearest value that is possible: noise may take a count below 0, its error bar not."""
        return min(max(self.value, self.low), self.high)


class ErrorBarsPlot(ReleasedPlot):
    """One bar a figure.

    Args:
        made_up: the figures are a rehearsal's: dashed outlines without a fill, and a word in the
            corner, so that no picture passes for a result.
    """

    axes: ClassVar[Mapping[str, Callable[[str], NumberAxis]]] = {
        "left": RowAxis,
        "bottom": NumberAxis,
        "right": RowAxis,
    }

    def __init__(self, parent: QWidget | None = None, made_up: bool = False) -> None:
        super().__init__(HEIGHT, parent, made_up)
        self._labels: list[str] = []
        self._bars: list[Bar] = []
        self._lies = False
        self._is_line = False
        self._behind = ""
        self.accessible_text = ""
        """The figures in words, where they are few enough to be listened to."""
        self.canvas.getPlotItem().showAxis("right", False)

    def show_figures(
        self,
        labels: Sequence[str],
        values: Sequence[float | None],
        half_widths: Sequence[float],
        unit: str,
        intervals: Sequence[tuple[float, float] | None] = (),
        noisy: Sequence[bool] = (),
        total: int | None = None,
        is_line: bool = False,
        at_once: bool = True,
        populations: Sequence[tuple[float, float] | None] = (),
    ) -> None:
        """Show figures; ``None`` is a figure that says nothing.

        Args:
            labels: one a figure.
            values, half_widths: in the unit.
            unit: may be empty; a percent sign is behind each figure, and at the axis.
            intervals: both ends of each error bar, as the table has them; made of the margins
                where there are none.
            noisy: which figures are too noisy to use; their bars are hatched.
            total: how many figures there are, of which these are on show; there is room for all.
            is_line: the figures follow one another, as periods do: a line joins them.
            at_once: they are drawn now, not before they are next painted or saved.
            populations: both ends of the interval for the population of each; none where empty.
        """
        self._is_line = is_line
        self._behind = words.behind(unit)
        self._labels = list(labels)[:MOST_BARS]
        flags = list(noisy) or [False] * len(values)
        ends = list(intervals) or [None] * len(values)
        self._bars = [
            Bar(i, v, w, *(e or (v - w, v + w)), n, populations[i] if populations else None)
            for i, (v, w, e, n) in enumerate(zip(values, half_widths, ends, flags, strict=True))
            if v is not None and i < MOST_BARS
        ]
        self._make_room(len(labels) if total is None else total)
        template = self.tr(
            "%n figure(s), each within its margin 95 times in 100.",
            "",
            len(labels),
        )
        if not any(half_widths):
            template = self.tr("%n chosen value(s).", "", len(labels))
        self.accessible_text = self._accessible_text(any(half_widths))
        # A percent sign stands behind each figure; any other unit is said once.
        measured = self.tr("Unit: {0}.").format(unit) if unit and not self._behind else ""
        said = (template, measured, self.accessible_text)
        self.describe(self.name(), " ".join(part for part in said if part))
        if at_once:
            self.draw()
        else:
            self.outdate()

    def _accessible_text(self, has_margins: bool) -> str:
        """The figures in one sentence; of more than can be listened to, the table says them."""
        if not 0 < len(self._bars) <= MOST_SPOKEN:
            return ""
        within, noisy = self.tr("{0} (between {1} and {2})"), self.tr("{0}, too noisy to use")
        wider = self.tr(", for the population between {0} and {1}")
        texts = []
        for bar in self._bars:
            ends = [bar.value, *((bar.low, bar.high) if has_margins else ())]
            ends += bar.population or ()
            numbers = [f"{text}{self._behind}" for text in words.figures_in_sentence(ends)]
            text = within.format(*numbers[:3]) if has_margins else numbers[0]
            if bar.population:
                text += wider.format(*numbers[-2:])
            label = self._labels[bar.place]
            text = f"{label}: {text}" if label else text
            texts.append(noisy.format(text) if bar.noisy else text)
        return f"{'; '.join(texts)}."

    def _make_room(self, total: int) -> None:
        """Lie or stand; as high as all figures, whichever of them are on show."""
        # A figure alone is a line of the same form, not a tower.
        self._lies = (total > STANDING_TO or total == 1) and not self._is_line
        # Beside lying bars the upper corner has the first figure with its margin.
        self._put_mark(at_foot=self._lies)
        room = min(total, MOST_BARS) * ROW + FOOT if self._lies else HEIGHT
        self.setFixedHeight(room)
        shown = len(self._labels) * ROW + FOOT
        self.canvas.setFixedHeight(shown if self._lies else HEIGHT)

    @property
    def lies(self) -> bool:
        """Whether the bars lie below each other."""
        return self._lies

    def draw(self) -> None:
        plot = self.canvas.getPlotItem()
        plot.clear()
        self._draw_mark()
        if not self._labels:
            return
        if self._is_line:
            self._add_line()
        elif not self._is_close:
            self._add_bars([bar for bar in self._bars if not bar.noisy], is_noisy=False)
            self._add_bars([bar for bar in self._bars if bar.noisy], is_noisy=True)
        self._add_boxes([bar for bar in self._bars if bar.width and bar.population])
        self._add_margins([bar for bar in self._bars if bar.width])
        self._view().invertY(self._lies)
        plot.showAxis("right", self._lies)
        if self._lies:
            self._set_lying_axes()
        else:
            self._add_figures()
            self._set_standing_axes()

    @property
    def _is_close(self) -> bool:
        """Whether there is one figure alone, whose margin would be a stroke at its bar's end.

        A made-up one keeps its dashed bar, which no released figure has.
        """
        if len(self._labels) != 1 or not self._lies or not self._bars or self._is_made_up:
            return False
        (bar,) = self._bars
        return not bar.noisy and 0 < bar.ends[1] - bar.ends[0] <= SHORT * abs(bar.drawn)

    @property
    def _thick(self) -> float:
        """How much of its place a bar takes."""
        return LYING_BAR if self._lies else min(BAR, WIDEST / self._slot())

    def _add_bars(self, shown: list[Bar], is_noisy: bool) -> None:
        """Bars that say something are filled, the others hatched within a dashed outline."""
        if not shown:
            return
        pen = self.pen(Role.ACCENT, 1)
        brush: QBrush | QColor = color(Role.BAND)
        if self._is_made_up:
            # Whole pixels: else the upper edge is thick or thin by where a bar happens to end.
            pen = self.pen(Role.ACCENT, 2, Qt.PenStyle.DashLine)
            brush = QBrush(Qt.BrushStyle.NoBrush)
        if is_noisy:
            pen = self.pen(Role.CONTROL, 1, Qt.PenStyle.DashLine)
            brush = QBrush(color(Role.CONTROL), Qt.BrushStyle.BDiagPattern)
        places, values = [bar.place for bar in shown], [bar.drawn for bar in shown]
        if self._lies:
            sides = {"x0": 0, "width": values, "y": places, "height": self._thick}
        else:
            sides = {"x": places, "height": values, "width": self._thick}
        half = self._thick / 2
        rects = [
            QRectF(0, bar.place - half, bar.drawn, self._thick)
            if self._lies
            else QRectF(bar.place - half, 0, self._thick, bar.drawn)
            for bar in shown
        ]
        kind = partial(HatchedBars, rects) if is_noisy else pg.BarGraphItem
        self.canvas.getPlotItem().addItem(kind(**sides, brush=brush, pen=pen))

    def _add_line(self) -> None:
        """One line through what says something: dashed to and from what is too noisy to use."""
        for one, other in itertools.pairwise(self._bars):
            if other.place != one.place + 1:
                continue
            is_noisy = one.noisy or other.noisy
            role = Role.CONTROL if is_noisy else Role.ACCENT
            ends = [one.place, other.place], [one.drawn, other.drawn]
            self.canvas.plot(*ends, pen=self.pen(role, 2, self._line_style(is_noisy)))

    def _slot(self) -> float:
        """How many pixels wide a standing bar's place is."""
        return max(1.0, self._view().width() / (len(self._labels) - 1 + 2 * BESIDE))

    def _add_boxes(self, bars: list[Bar]) -> None:
        """The interval of the noise of each, where another one is drawn through it."""
        if not bars:
            return
        low, high = self._ends()
        ends = [(max(bar.low, low), min(bar.high, high)) for bar in bars]
        places, starts = [bar.place for bar in bars], [end[0] for end in ends]
        lengths, thick = [end - start for start, end in ends], NOISE_BOX * self._thick
        sides = {"x": places, "y0": starts, "height": lengths, "width": thick}
        if self._lies:
            sides = {"x0": starts, "width": lengths, "y": places, "height": thick}
        look = {"brush": color(Role.SURFACE), "pen": self.pen(Role.ACCENT, 1.4)}
        self.canvas.getPlotItem().addItem(pg.BarGraphItem(**sides, **look))

    def _add_margins(self, bars: list[Bar]) -> None:
        """Error bars with their caps; where one is longer than the axis, with an arrow.

        All lines are one item of the plot, and so are all marks of one shape: sixty bars had
        taken a second.
        """
        low, high = self._ends()
        cap = self._thick * (LYING_CAP if self._lies else CAP)
        lines: list[tuple[float, float]] = []
        marks: dict[str, list[tuple[float, float]]] = {}
        for bar in bars:
            here, ends = bar.place, (max(bar.bracket[0], low), min(bar.bracket[1], high))
            lines += [(here, end) for end in ends]
            shapes = ARROWS[self._lies]
            for end, whole, arrow in zip(ends, bar.bracket, shapes, strict=True):
                if end == whole:
                    lines += [(here - cap, end), (here + cap, end)]
                else:
                    marks.setdefault(arrow, []).append((here, end))
            if (not self._lies or self._is_close) and low <= bar.drawn <= high:
                marks.setdefault("o", []).append((here, bar.drawn))
        if lines:
            self.canvas.plot(*self._across(lines), pen=self.pen(Role.TEXT, 1.6), connect="pairs")
        for symbol, points in marks.items():
            self._add_marks(points, symbol)

    def _across(self, points: list[tuple[float, float]]) -> tuple[list[float], list[float]]:
        """Coordinates, right and up, of points given by place and value."""
        places, values = [place for place, _ in points], [value for _, value in points]
        return (values, places) if self._lies else (places, values)

    def _add_marks(self, points: list[tuple[float, float]], symbol: str) -> None:
        self.canvas.plot(
            *self._across(points),
            symbol=symbol,
            symbolSize=DOT,
            symbolBrush=color(Role.TEXT),
            symbolPen=None,
            pen=None,
        )

    def _add_figures(self) -> None:
        if self._is_line and len(self._bars) > MOST_FIGURES:
            return
        figures, _margins = self._figures()
        figured = self._with_figure(figures)
        for bar, figure in zip(self._bars, figures, strict=True):
            if bar.place not in figured:
                continue
            # No line of the grid goes through a figure; bars and margins are drawn over its ground.
            ground = color(Role.SURFACE)
            text = pg.TextItem(figure + self._behind, anchor=(0.5, 1.0), fill=ground)
            text.setZValue(BELOW_BARS)
            text.setFont(font(Type.QUIET, semibold=not bar.noisy, tabular=True))
            text.setColor(color(Role.TEXT_QUIET if bar.noisy else Role.TEXT))
            text.setPos(bar.place, min(max(bar.ends[1], 0), self._ends()[1]))
            self.canvas.addItem(text, ignoreBounds=True)

    def _with_figure(self, figures: Sequence[str]) -> set[int]:
        """Where a figure is: at every bar; of a line's points as many as have room."""
        if not self._is_line:
            return {bar.place for bar in self._bars}
        texts = [""] * len(self._labels)
        for bar, figure in zip(self._bars, figures, strict=True):
            texts[bar.place] = figure + self._behind
        metrics = QFontMetricsF(font(Type.QUIET, semibold=True, tabular=True))
        # They stand at different heights: less room between them will do than between labels.
        if max(map(metrics.horizontalAdvance, texts)) + Space.TIGHT <= self._slot():
            return {bar.place for bar in self._bars}
        return {place for place, _text in line_ticks(texts, self._slot(), metrics, math.inf)}

    def _ends(self) -> tuple[float, float]:
        """What the axis of values reaches from and to: what can be used says so, if anything."""
        if self._is_close:
            (bar,) = self._bars
            beside = MARGINS_SHOWN * max(bar.ends[1] - bar.drawn, bar.drawn - bar.ends[0])
            return bar.drawn - beside, bar.drawn + beside
        usable = [bar for bar in self._bars if not bar.noisy] or self._bars
        low = min([0.0, *(bar.ends[0] for bar in usable)])
        high = max([0.0, *(bar.ends[1] for bar in usable)])
        return low, high

    def _set_standing_axes(self) -> None:
        self._row_axis("left").show_rows([])
        left = self.style_axis("left", True, grid=True)
        self._style_values(left)
        # Half of a number may stand above its line, which may be the highest.
        self._leave_above(round(QFontMetricsF(font(Type.QUIET)).height() / 2))
        axis = self.style_axis("bottom", True)
        metrics = QFontMetricsF(font(Type.QUIET, tabular=True))
        make = partial(period_ticks, beyond=BESIDE) if self._is_line else bar_ticks
        ticks = make(self._labels, self._slot(), metrics)
        axis.setTicks([ticks])
        axis.setHeight(round(height(ticks, metrics)) + 2 * Space.SMALL)
        # Text past the plot's edge is still inside the widget.
        axis.setStyle(hideOverlappingLabels=EDGE)
        low, high = self._ends()
        room = (high - low or 1.0) * ROOM / max(ROOM, self._view().height() - ROOM)
        self.canvas.setRange(
            xRange=(-BESIDE, len(self._labels) - 1 + BESIDE),
            yRange=(low - (room / 2 if low < 0 else 0), high + room),
            padding=0,
        )
        self.settle_axes("left", "bottom")

    def _set_lying_axes(self) -> None:
        self._leave_above(1)
        for side in ("left", "right"):
            self.style_axis(side, True)
        figures = self._under_others()
        places = range(len(self._labels))
        names = [(label, "") for label in self._labels]
        self._row_axis("left").show_rows(names, NAMES * self.width())
        noisy = [bar.place for bar in self._bars if bar.noisy]
        self._row_axis("right").show_rows([figures.get(i, ("–", "")) for i in places], light=noisy)
        axis = self.style_axis("bottom", True, grid=True)
        axis.setTicks(None)
        axis.setHeight(None)
        self._style_values(axis)
        low, high = self._ends()
        # A bar alone that fills the width has nothing to be seen against.
        is_alone = len(self._labels) == 1 and not self._is_close
        room = (high - low or 1.0) * (ALONE if is_alone else 0.02)
        self.canvas.setRange(
            xRange=(low - (room if low < 0 else 0), high + room),
            yRange=(-BESIDE, len(self._labels) - 1 + BESIDE),
            padding=0,
        )
        self.settle_axes("bottom")

    def _leave_above(self, room: int) -> None:
        """Room between the plot's upper edge and its axes."""
        self.canvas.getPlotItem().layout.setContentsMargins(1, room, 1, 1)

    def _style_values(self, axis: pg.AxisItem) -> None:
        """Lines at the numbers alone, and the numbers at the ends, too."""
        axis.behind = self._behind
        axis.setStyle(hideOverlappingLabels=EDGE, maxTickLevel=0)

    def _row_axis(self, side: str) -> RowAxis:
        axis: RowAxis = self.canvas.getPlotItem().getAxis(side)
        return axis

    def _under_others(self) -> dict[int, tuple[str, str]]:
        """Figure and margin of each lying bar, by its place."""
        return {
            bar.place: (figure + self._behind, f"± {margin}" if bar.width else "")
            for bar, figure, margin in zip(self._bars, *self._figures(), strict=True)
        }

    def _figures(self) -> tuple[list[str], list[str]]:
        """The bars' figures and their margins, with as many decimals each."""
        values, widths = [bar.value for bar in self._bars], [bar.width for bar in self._bars]
        return words.figures_with_margins(values, widths)
