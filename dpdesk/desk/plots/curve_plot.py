# SPDX-License-Identifier: Apache-2.0
"""Cumulative shares: a curve that rises to 100 %, each point with its margin."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPen, QPolygonF
from PySide6.QtWidgets import QGraphicsPolygonItem, QWidget

from dpdesk.desk.plots.released_plot import ReleasedPlot
from dpdesk.desk.text import words
from dpdesk.desk.text.result_words import release_words
from dpdesk.desk.theme.metrics import Space, Type, font
from dpdesk.desk.theme.roles import Role, color
from dpdesk.release.bundle.charts.curve_drawing import NOT_COUNTED, reach
from dpdesk.release.bundle.charts.description import FULL, MOST_CURVES, Curve, CurvePoint
from dpdesk.release.bundle.report.query_chart import step_words

HEIGHT = 270
MOST_MARGINS = 24
"""Of more points the margins are drawn as two thin lines."""
DOT = 6
MOST_SPOKEN = 24
MOST_FIGURES = 12
"""More points have no figure of their own: so many numbers are read in the table."""
CAP, CAP_BESIDE = 7, 4
"""Half the width of an error bar's ends, in pixels; of one that stands beside another curve's.

Of a small margin they are all that is seen, at both sides of its mark."""
BELOW_CURVE = -2
"""Below its band, too."""
BESIDE = 10
"""Pixels between the error bars of two curves at one place."""
HEADROOM = 1.16
TICKS = ((10, 2), (20, 5), (50, 10), (90, 20), (FULL, 25))
"""How far ticks are apart, by how long the axis of shares is."""
RISK = 0.1
"""Of each line of numbers at risk, in parts of the axis."""
TINT, NO_PEN = 0.16, QPen(Qt.PenStyle.NoPen)
SIDE = 0.02
"""Room beside the outer points, in their distance."""
EDGE = 40
"""So many pixels a label may reach past the ends of its axis."""
LOOKS = (
    (Role.ACCENT, Qt.PenStyle.SolidLine, "o"),
    (Role.SECOND, Qt.PenStyle.DashDotLine, "s"),
    (Role.TEXT, Qt.PenStyle.DotLine, "t1"),
    (Role.TEXT_QUIET, Qt.PenStyle.DashLine, "d"),
)
"""Colour, line and mark of each curve: three ways to tell them apart."""


class CurvePlot(ReleasedPlot):
    """One curve, or a few beside one another."""

    def __init__(self, parent: QWidget | None = None, made_up: bool = False) -> None:
        super().__init__(HEIGHT, parent, made_up)
        self.setFixedHeight(HEIGHT)
        self._curves: tuple[Curve, ...] = ()
        self._unit = ""
        self._low, self._high = 0.0, FULL

    def show_curves(self, curves: Sequence[Curve], unit: str) -> None:
        """Show curves; one without points says nothing.

        Args:
            curves: at most ``MOST_CURVES``.
            unit: of the values; may be empty.
        """
        self._curves = tuple(curve for curve in curves if curve.points)[:MOST_CURVES]
        self._unit = unit
        self._low, self._high = reach(self._curves) if self._curves else (0.0, FULL)
        count = sum(len(curve.points) for curve in self._curves)
        sentence = self._about(count)
        accessible_text = (
            " ".join(map(self._accessible_text, self._curves)) if count <= MOST_SPOKEN else ""
        )
        self.describe(self.name(), f"{sentence} {accessible_text}".strip())
        self.draw()

    @property
    def _steps(self) -> bool:
        """Whether they are curves over time, which go by steps."""
        return any(curve.begins is not None for curve in self._curves)

    @property
    def ends_early(self) -> bool:
        """Whether a curve over time ends before its band."""
        return self._steps and any(c.ends_at(point) for c in self._curves for point in c.points)

    def _about(self, count: int) -> str:
        if self._steps and not self._curves[0].falls:
            return self.tr(
                "Incidence, %n point(s), all of a group’s curves within their bands 95 times in "
                "100.",
                "",
                count,
            )
        if self._steps:
            return self.tr(
                "Survival, %n point(s), each group’s whole curve within its band 95 times in 100.",
                "",
                count,
            )
        return self.tr(
            "Cumulative shares, %n point(s), each within its margin 95 times in 100.", "", count
        )

    def _accessible_text(self, curve: Curve) -> str:
        """A curve's numbers in one sentence."""
        template = self.tr("up to {0}: {1} (between {2} and {3})")
        texts = (
            template.format(words.figure(p.place), *map(_percent, (p.share, p.low, p.high)))
            for p in curve.points
        )
        return f"{curve.name}{': ' if curve.name else ''}{'; '.join(texts)}."

    def draw(self) -> None:
        plot = self.canvas.getPlotItem()
        plot.clear()
        self._draw_mark()
        if not self._curves:
            self._say_nothing()
            return
        self._set_axes()
        if self._steps:
            self._draw_steps()
            return
        for number, curve in enumerate(self._curves):
            self._add_band(curve, number)
        for number, curve in enumerate(self._curves):
            self._add_line(curve, number)
        for number, curve in enumerate(self._curves):
            self._add_margins(curve, number)
            self._add_points(curve, number)
        if self._has_figures:
            self._add_figures(self._curves[0].points)
        if len(self._curves) > 1:
            self._add_legend()

    def _draw_steps(self) -> None:
        """Curves that fall by steps, each in its band, and below them how many are at risk."""
        low, high = self._ends()
        tail = SIDE * (high - low)
        for number, curve in enumerate(self._curves):
            role, style, _mark = LOOKS[number]
            corners = [*curve.stepped("low", tail), *reversed(curve.stepped("high", tail))]
            band = QGraphicsPolygonItem(QPolygonF([QPointF(*corner) for corner in corners]))
            tint = QColor(color(role))
            tint.setAlphaF(0.0 if self._is_made_up else TINT)
            band.setPen(self.pen(role, 1, Qt.PenStyle.DotLine) if self._is_made_up else NO_PEN)
            band.setBrush(tint)
            band.setZValue(-1)
            self.canvas.addItem(band)
            across, up = zip(*curve.stepped(tail=tail), strict=True)
            line = Qt.PenStyle.DashLine if self._is_made_up else style
            self.canvas.plot(across, up, pen=self.pen(role, 2, line))
            if curve.at_risk:
                self._add_at_risk(curve, number)
        self._name_at_risk()
        self._say_axis()
        if len(self._curves) > 1:
            self._add_legend()

    def _name_at_risk(self) -> None:
        """What the numbers below the curves are, above them."""
        text = pg.TextItem(step_words(release_words()).at_risk, anchor=(0, 0.5))
        text.setFont(font(Type.QUIET))
        text.setColor(color(Role.TEXT_QUIET))
        text.setPos(self._ends()[0], self._below(0.6))
        self.canvas.addItem(text, ignoreBounds=True)

    def _say_axis(self) -> None:
        """From where to where the axis of values goes, where that is not all of it."""
        if (self._low, self._high) == (0.0, FULL):
            return
        said = step_words(release_words()).axis(_percent(self._low), _percent(self._high))
        text = pg.TextItem(said, anchor=(0, 1))
        text.setFont(font(Type.QUIET))
        text.setColor(color(Role.TEXT_QUIET))
        text.setPos(self._ends()[0], self._low)
        self.canvas.addItem(text, ignoreBounds=True)

    def _below(self, lines: float) -> float:
        """Where this many lines of numbers at risk end, below the axis of values."""
        return self._low - RISK * lines * (self._high - self._low)

    def _above(self, times: float) -> float:
        """Where the axis of shares would end at a multiple of its length."""
        return self._low + times * (self._high - self._low)

    @property
    def _at_risk(self) -> list[Curve]:
        """The curves that say how many are at risk."""
        return [curve for curve in self._curves if curve.at_risk]

    def _add_at_risk(self, curve: Curve, number: int) -> None:
        """How many are at risk, below the curve: as many numbers as have room, each at a tick."""
        metrics = QFontMetricsF(font(Type.QUIET, tabular=True))
        free, below = float("-inf"), self._below(self._at_risk.index(curve) + 1.5)
        # Kinds of event have one number together, which is no curve's own.
        is_own = len(self._at_risk) == len(self._curves)
        role = LOOKS[number][0] if is_own else Role.TEXT_QUIET
        texts = (*(words.in_column(str(count)) for count in curve.at_risk), NOT_COUNTED)
        # Of a first bin of one time both ends are there: what counts is who is followed beyond.
        counts = dict(zip(curve.places, texts, strict=False))
        ticks = self._ticks()
        named = counts.keys() if ticks is None else {place for place, _ in ticks}
        for place, text in counts.items():
            half = metrics.horizontalAdvance(text) / 2 * self._pixel()
            if place - half < free or place not in named:
                continue
            free = place + half + Space.SMALL * self._pixel()
            item = pg.TextItem(text, anchor=(0.5, 0.5))
            item.setFont(font(Type.QUIET, tabular=True))
            item.setColor(color(role))
            item.setPos(place, below)
            self.canvas.addItem(item, ignoreBounds=True)

    def _say_nothing(self) -> None:
        """In place of a curve."""
        for side in ("left", "bottom"):
            self.style_axis(side, False)
        text = pg.TextItem(self.tr("Too few rows for shares."), anchor=(0.5, 0.5))
        text.setFont(font(Type.TEXT))
        text.setColor(color(Role.TEXT_QUIET))
        self.canvas.setRange(xRange=(-1, 1), yRange=(-1, 1), padding=0)
        self.canvas.addItem(text, ignoreBounds=True)

    def _add_band(self, curve: Curve, number: int) -> None:
        """What is within the margins: filled below a single curve, thin lines at many points."""
        places = [point.place for point in curve.points]
        lows, highs = [p.low for p in curve.points], [p.high for p in curve.points]
        if len(self._curves) == 1 and not self._is_made_up and len(places) > 1:
            corners = [
                *zip(places, lows, strict=True),
                *reversed([*zip(places, highs, strict=True)]),
            ]
            band = QGraphicsPolygonItem(QPolygonF([QPointF(*corner) for corner in corners]))
            band.setPen(QPen(Qt.PenStyle.NoPen))
            band.setBrush(color(Role.BAND))
            band.setZValue(-1)
            self.canvas.addItem(band)
        if len(places) > MOST_MARGINS:
            pen = self.pen(LOOKS[number][0], 1, Qt.PenStyle.DotLine)
            for ends in (lows, highs):
                self.canvas.plot(places, ends, pen=pen)

    def _add_margins(self, curve: Curve, number: int) -> None:
        """Error bars in the text's colour, as those of bars, whole over the line."""
        if len(curve.points) > MOST_MARGINS:
            return
        aside = self._aside(number)
        cap = (CAP if len(self._curves) == 1 else CAP_BESIDE) * self._pixel()
        lines: list[tuple[float, float]] = []
        for point in curve.points:
            here = point.place + aside
            lines += [(here, point.low), (here, point.high)]
            for end in (point.low, point.high):
                lines += [(here - cap, end), (here + cap, end)]
        across, up = zip(*lines, strict=True)
        self.canvas.plot(across, up, pen=self.pen(Role.TEXT, 1.6), connect="pairs")

    def _aside(self, number: int) -> float:
        """How far a curve's points stand beside their values, for others' at the same ones."""
        return (number - (len(self._curves) - 1) / 2) * BESIDE * self._pixel()

    def _add_line(self, curve: Curve, number: int) -> None:
        """Through the points: dashed to and from what is too noisy to use."""
        role, style, _mark = LOOKS[number]
        for is_noisy, pairs in self._pieces(curve):
            across = [end.place for pair in pairs for end in pair]
            up = [end.share for pair in pairs for end in pair]
            dashed = self._line_style(is_noisy)
            used = style if dashed == Qt.PenStyle.SolidLine else dashed
            pen = self.pen(Role.CONTROL if is_noisy else role, 2, used)
            self.canvas.plot(across, up, pen=pen, connect="pairs")

    def _pieces(self, curve: Curve) -> list[tuple[bool, list[tuple[CurvePoint, CurvePoint]]]]:
        """Neighbouring points, those that can be used apart from the others."""
        pairs = list(itertools.pairwise(curve.points))
        usable = [(a, b) for a, b in pairs if not (a.noisy or b.noisy)]
        others = [(a, b) for a, b in pairs if a.noisy or b.noisy]
        return [(noisy, part) for noisy, part in ((False, usable), (True, others)) if part]

    def _add_points(self, curve: Curve, number: int) -> None:
        """A mark a point, hollow where it is too noisy to use."""
        if len(curve.points) > MOST_MARGINS:
            return
        role, _style, mark = LOOKS[number]
        aside = self._aside(number)
        for is_noisy in (False, True):
            points = [point for point in curve.points if point.noisy == is_noisy]
            if not points:
                continue
            is_hollow = is_noisy or self._is_made_up
            self.canvas.plot(
                [point.place + aside for point in points],
                [point.share for point in points],
                pen=None,
                symbol=mark,
                symbolSize=DOT,
                symbolBrush=color(Role.SURFACE if is_hollow else role),
                symbolPen=self.pen(Role.CONTROL if is_noisy else role, 1.4),
            )

    @property
    def _has_figures(self) -> bool:
        """Whether points have their figures: those of one curve, which lie in nothing's way."""
        is_one = len(self._curves) == 1 and not self._steps
        return is_one and len(self._curves[0].points) <= MOST_FIGURES

    def _add_figures(self, points: Sequence[CurvePoint]) -> None:
        """Above and before each point, where a rising curve leaves room.

        The first one is behind and below its own, where before it the axis is.
        """
        metrics = QFontMetricsF(font(Type.QUIET, semibold=True, tabular=True))
        taken = self._view().mapViewToScene(QPointF(self._left(), 0)).x()
        figures = words.figures_in_column([round(point.share, 1) for point in points])
        for point, figure in zip(points, figures, strict=True):
            text = figure + words.behind(words.PERCENT)
            wide = metrics.horizontalAdvance(text) + 2 * Space.TIGHT
            here = self._view().mapViewToScene(QPointF(point.place, 0)).x()
            is_before = here - wide >= taken
            if not is_before and point is not points[0]:
                continue
            taken = here if is_before else taken
            # No line of the grid goes through a figure; the curve is drawn over its ground.
            anchor = (1, 1) if is_before else (0, 0)
            item = pg.TextItem(text, anchor=anchor, fill=color(Role.SURFACE))
            item.setZValue(BELOW_CURVE)
            item.setFont(font(Type.QUIET, semibold=not point.noisy, tabular=True))
            item.setColor(color(Role.TEXT_QUIET if point.noisy else Role.TEXT))
            end = min(point.high, FULL) if is_before else point.low
            item.setPos(point.place, end)
            self.canvas.addItem(item, ignoreBounds=True)

    def _left(self) -> float:
        """Where the axis of values begins."""
        low, high = self._ends()
        return low - (high - low) * SIDE

    def _ticks(self) -> list[tuple[float, str]] | None:
        """The values that have a point, as many as have room; ``None`` where they are too many.

        The last one is never the one without its number.
        """
        places = sorted({place for curve in self._curves for place in curve.places})
        if len(places) > MOST_MARGINS:
            return None
        metrics = QFontMetricsF(font(Type.QUIET, tabular=True))
        found: list[tuple[float, str]] = []
        free = float("inf")
        for place, text in reversed([*zip(places, map(words.figure, places), strict=True)]):
            wide = metrics.horizontalAdvance(text) / 2 * self._pixel()
            if place + wide <= free:
                found.append((place, text))
                free = place - wide - Space.SMALL * self._pixel()
        return found

    def _add_legend(self) -> None:
        """Which curve is which, above all of them."""
        low, high = self._ends()
        slot = (high - low) / len(self._curves)
        up = self._above((1 + HEADROOM) / 2)
        for number, curve in enumerate(self._curves):
            role, style, mark = LOOKS[number]
            left = low + slot * number
            self.canvas.plot(
                [left, left + 26 * self._pixel()],
                [up, up],
                pen=self.pen(role, 2, style),
                symbol=mark,
                symbolSize=DOT,
                symbolBrush=color(role),
                symbolPen=None,
            )
            text = pg.TextItem(curve.name, anchor=(0, 0.5))
            text.setFont(font(Type.QUIET))
            text.setColor(color(Role.TEXT))
            text.setPos(left + 34 * self._pixel(), up)
            self.canvas.addItem(text, ignoreBounds=True)

    def _ends(self) -> tuple[float, float]:
        """The lowest and the highest value that a curve has a point at."""
        places = [place for curve in self._curves for place in curve.places]
        low, high = min(places), max(places)
        return (low, high) if high > low else (low - 0.5, high + 0.5)

    def _pixel(self) -> float:
        """How much of the values' axis one pixel is."""
        low, high = self._ends()
        return (high - low) / max(1.0, self._view().width())

    def _set_axes(self) -> None:
        axis = self.style_axis("left", True, grid=True)
        axis.behind = words.behind(words.PERCENT)
        step = next(step for span, step in TICKS if span >= self._high - self._low)
        shares = range(round(self._low), round(self._high) + 1, step)
        axis.setTicks([[(share, f"{share}{axis.behind}") for share in shares]])
        axis.setStyle(hideOverlappingLabels=EDGE)
        bottom = self.style_axis("bottom", True)
        self.name_axis("bottom", self._unit)
        low, high = self._ends()
        room = (high - low) * SIDE * (3 if self._steps else 1)
        top = HEADROOM if len(self._curves) > 1 or self._has_figures else 1.04
        ticks = self._ticks()
        bottom.setTicks(None if ticks is None else [ticks])
        foot = self._below(len(self._at_risk) + 1 if self._steps else 0)
        ends = foot, self._above(top)
        self.canvas.setRange(xRange=(low - room, high + room), yRange=ends, padding=0)
        bottom.setStyle(hideOverlappingLabels=EDGE)
        self.settle_axes("left", "bottom")


def _percent(value: float) -> str:
    return words.figure(value, 3) + words.behind(words.PERCENT)
