# SPDX-License-Identifier: Apache-2.0
"""The charts of one card: bars, line, cross-table, curve or boxes, of which one is on show."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpdesk.desk.core.jobs.jobs import JobRunner
from dpdesk.desk.core.jobs.latest_job import LatestJob
from dpdesk.desk.pages.results.drawn_chart import DrawnChart
from dpdesk.desk.pages.results.heat_table import HeatCell, HeatLegend, HeatTable
from dpdesk.desk.plots.bars_plot import ErrorBarsPlot
from dpdesk.desk.plots.box_plot import BoxPlot
from dpdesk.desk.plots.curve_plot import CurvePlot
from dpdesk.desk.plots.plot_base import Plot
from dpdesk.desk.text import words
from dpdesk.desk.text.result_words import ShownTable, box_heads, release_words
from dpdesk.desk.theme.metrics import NO_MARGINS, Space
from dpdesk.release.bundle.charts.cross_table import CrossTable, heats
from dpdesk.release.bundle.charts.drawing import ChartDrawing
from dpdesk.release.bundle.charts.figures import interval_names
from dpdesk.release.bundle.charts.forest import forest_drawing
from dpdesk.release.bundle.charts.frame import with_interval_legend
from dpdesk.release.bundle.charts.funnel import Funnel
from dpdesk.release.bundle.charts.funnel_drawing import funnel_drawing, said_below, words_of
from dpdesk.release.bundle.charts.suitable_charts import (
    BOX,
    CURVE,
    FOREST,
    FUNNEL,
    HEAT,
    LINE,
    ONLY_BARS,
    Charts,
)


class ResultCharts(QWidget):
    """The charts.

    Args:
        name: accessible name of the cross-table.
        made_up: the figures are a rehearsal's.
        jobs: works out curves and boxes beside the window's thread; in it where there is none.

    Attributes:
        bars, heat, curve, box: the charts; the last two are made when they are first drawn.
        has_both: figures have an interval for the population beside that of the noise.

    Signals:
        copy_wanted: Ctrl+C was pressed; the table is to be copied.
        drawn: a curve or boxes that were worked out are on show now.
    """

    copy_wanted = Signal()
    drawn = Signal()

    def __init__(self, name: str, made_up: bool, jobs: JobRunner | None) -> None:
        super().__init__()
        self._working = LatestJob(jobs, self) if jobs is not None else None
        self._name, self._whose = name, ""
        self._is_made_up = made_up
        self._charts = ONLY_BARS
        self.has_both = False
        self._drawn: set[str] = set()
        self.bars = ErrorBarsPlot(made_up=made_up)
        self.heat = HeatTable(name, made_up=made_up)
        self.curve: CurvePlot | None = None
        self.box: BoxPlot | None = None
        self.funnel: DrawnChart | None = None
        self.forest: DrawnChart | None = None
        self._below = ""
        self._intervals = DrawnChart()
        self._intervals.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._legend = HeatLegend()
        self._column = QVBoxLayout(self, spacing=Space.SMALL, contentsMargins=NO_MARGINS)
        for view in (self.bars, self.heat):
            view.copy_wanted.connect(self.copy_wanted)
            self._column.addWidget(view)
        self._column.addWidget(self._intervals)
        self._column.addWidget(self._legend, 0, Qt.AlignmentFlag.AlignRight)

    def begin(self, charts: Charts, shown: ShownTable, whose: str) -> None:
        """Another query is there.

        Args:
            charts: what fits it.
            shown: its figures as they are read.
            whose: what the query is called.
        """
        self._charts, self._drawn, self._whose = charts, set(), whose
        self.heat.setAccessibleName(f"{self._name}: {whose}")
        self._below = ""
        for plot in (self.bars, self.curve, self.box, self.funnel, self.forest):
            if plot is not None:
                plot.say_whose(whose)
        if self._working is not None:
            self._working.drop()
        if charts.cross is not None:
            self._fill_heat(charts.cross, shown)
        self.has_both = any(shown.populations)
        if self.has_both:
            self._name_intervals()

    def _name_intervals(self) -> None:
        """Below bars and lines: what a box and a bracket are, drawn as in the report."""
        names, title = interval_names(release_words()), self.tr("Intervals")

        def draw(width: float) -> ChartDrawing:
            shapes, height = with_interval_legend((), 0.0, names)
            return ChartDrawing(title, width, height, shapes)

        self._intervals.show_drawing(draw, title, self.intervals)

    @property
    def intervals(self) -> str:
        """The same in words, for pictures and for who does not see it; empty for one interval."""
        if not self.has_both:
            return ""
        noise, both = interval_names(release_words())
        return self.tr("Box: {0}. Bracket: {1}.").format(noise, both)

    def _fill_heat(self, cross: CrossTable, shown: ShownTable) -> None:
        warm = heats(shown.values, shown.noisy)
        figures, margins = _alike(shown)
        cells = [
            [_cell(shown, place, warm[place], figures, margins) for place in line]
            for line in cross.places
        ]
        across, down = ([shown.written.get(n, n) for n in ns] for ns in (cross.across, cross.down))
        self.heat.show_cells(across, down, cells)
        self._legend.say_noisy(any(shown.noisy))

    def show_kind(self, kind: str) -> None:
        """Put one chart on show; what goes is hidden first, so that nothing is higher meanwhile."""
        if kind not in self._drawn:
            self._drawn.add(kind)
            self._draw(kind)
        shown = self.of(kind)
        for view in (self.bars, self.heat, self.curve, self.box, self.funnel, self.forest):
            if view is not None and view is not shown:
                view.hide()
        self._legend.setVisible(kind == HEAT)
        self._intervals.setVisible(self.has_both and shown is self.bars)
        shown.show()

    def of(self, kind: str) -> Plot | HeatTable | DrawnChart:
        made: Plot | HeatTable | DrawnChart | None = None
        if kind in (HEAT, CURVE, BOX, FUNNEL, FOREST):
            views = {HEAT: self.heat, CURVE: self.curve, BOX: self.box}
            made = {**views, FUNNEL: self.funnel, FOREST: self.forest}[kind]
        return made if made is not None else self.bars

    def pictured(self, kind: str) -> QWidget:
        view = self.of(kind)
        return view.canvas if isinstance(view, Plot) else view

    @property
    def falls(self) -> bool:
        """Whether its curves are survival curves."""
        return self._charts.falls

    @property
    def rises(self) -> bool:
        """Whether they are curves of incidence."""
        return self._charts.rises

    def explained(self, kind: str) -> str:
        """What the bars at a curve or at boxes are; they are drawn already, and some have none."""
        if kind == CURVE and (self.falls or self.rises):
            said = self.tr("95 times in 100 within its band, each curve as a whole")
            if self.rises:
                said = self.tr("95 times in 100 within their bands, all of a group’s curves")
            if self.curve is None or not self.curve.ends_early:
                return said
            ends = self.tr("a curve ends where noise may leave nobody at risk")
            return f"{said}; {ends}"
        if kind == CURVE:
            return self.tr("95 times in 100 within its bar, each point by itself")
        if self.box is not None and self.box.has_ranges:
            return self.tr("95 times in 100 within its bar, each quantile by itself")
        return ""

    def noted(self, kind: str) -> str:
        """What is missed in boxes by anyone who knows others; they are drawn already."""
        if kind == FUNNEL:
            return self._below
        if kind != BOX or self.box is None or self.box.has_whiskers:
            return ""
        return self.tr("Boxes have no whiskers: no quantiles beyond them were released.")

    def draw_bars(self, shown: ShownTable, order: Sequence[int], most: int, kind: str) -> None:
        """Bars, or a line, of the rows on show in their order; there is room for most of them."""
        self.bars.show_figures(
            [shown.labels[row] for row in order],
            [shown.values[row] for row in order],
            [shown.half_widths[row] for row in order],
            shown.unit,
            [shown.intervals[row] for row in order] if shown.intervals else (),
            [shown.noisy[row] for row in order],
            min(len(shown.rows), most),
            kind == LINE,
            # It has its place and size by then; fifty cards have most of theirs below the screen.
            at_once=False,
            populations=[shown.populations[row] for row in order] if shown.populations else (),
        )

    def _draw(self, kind: str) -> None:
        """Draw what follows from the figures alone; bars follow the rows on show, too."""
        if kind == CURVE:
            if self.curve is None:
                self.curve = CurvePlot(made_up=self._is_made_up)
                self._add(self.curve)
            self.curve.show_curves((), self._charts.unit)
            self._work_out(self._charts.curves, self.curve.show_curves)
        elif kind == BOX:
            if self.box is None:
                self.box = BoxPlot(made_up=self._is_made_up)
                self._add(self.box)
            heads = box_heads(self._charts.quantiles)
            show = partial(self.box.show_boxes, heads=heads)
            show(self._charts.boxes(), self._charts.unit)
            self._work_out(self._charts.boxes_with_ranges, show)

        elif kind == FUNNEL:
            if self.funnel is None:
                self.funnel = DrawnChart()
                self._add(self.funnel)
            self._work_out(self._charts.funnel, self._show_funnel)

        elif kind == FOREST:
            self._show_forest()

    def _show_forest(self) -> None:
        if self.forest is None:
            self.forest = DrawnChart()
            self._add(self.forest)
        found, title = self._charts.forest, self.tr("Forest plot")
        more = (title, release_words().numbers, self._is_made_up)

        def draw(width: float) -> ChartDrawing | None:
            return None if found is None else forest_drawing(found, width, *more)

        self.forest.show_drawing(draw, title, "" if found is None else found.said)

    def _show_funnel(self, found: Funnel | None, _unit: str) -> None:
        wording, asked = release_words(), self._charts.asked
        if self.funnel is None or found is None or asked is None:
            self._below = self.tr(
                "No rate of all together: there are too few groups, or too few events."
            )
            return
        funnel_words = words_of(found, *asked, wording)
        title = self.tr("Funnel plot")
        more = (title, wording.numbers, self._is_made_up)

        def draw(width: float) -> ChartDrawing | None:
            return funnel_drawing(found, funnel_words, width, *more)

        self._below = said_below(found, wording)
        outside = ", ".join(one.name for one in found.points if one.outside)
        said = f"{funnel_words.inside}, {funnel_words.outside}"
        self.funnel.show_drawing(draw, title, f"{said}: {outside}." if outside else f"{said}.")

    def _work_out(self, work: Callable[[], Any], show: Callable[[Any, str], None]) -> None:
        """Margins of hundreds of points take seconds: nobody waits for them."""
        unit = self._charts.unit

        def done(found: Any) -> None:
            show(found, unit)
            self.drawn.emit()

        if self._working is None:
            done(work())
        else:
            self._working.run(lambda _progress, _cancel: work(), done, lambda _problems: None)

    def _add(self, view: CurvePlot | BoxPlot | DrawnChart) -> None:
        view.say_whose(self._whose)
        view.copy_wanted.connect(self.copy_wanted)
        self._column.insertWidget(0, view)


def _alike(shown: ShownTable) -> tuple[dict[int, str], dict[int, str]]:
    """Figures and their margins with as many decimals each, by their places."""
    known = {place: value for place, value in enumerate(shown.values) if value is not None}
    widths = [shown.half_widths[place] for place in known]
    figures, margins = words.figures_with_margins([*known.values()], widths)
    return dict(zip(known, figures, strict=True)), dict(zip(known, margins, strict=True))


def _cell(
    shown: ShownTable,
    place: int,
    heat: float | None,
    figures: Mapping[int, str],
    margins: Mapping[int, str],
) -> HeatCell:
    value, width = shown.values[place], shown.half_widths[place]
    figure = "–" if value is None else figures[place] + words.behind(shown.unit)
    margin = f"± {margins[place]}" if width and value is not None else ""
    return HeatCell(figure, margin, heat, shown.noisy[place])
