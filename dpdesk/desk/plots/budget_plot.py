# SPDX-License-Identifier: Apache-2.0
"""An account's budget over time: what is spent and reserved, below what may be spent."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np
import numpy.typing as npt
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QPen
from PySide6.QtWidgets import QWidget

from dpdesk.desk.plots.plot_base import PlotView
from dpdesk.desk.text import words
from dpdesk.desk.text.times import day, local_moment, when
from dpdesk.desk.theme.metrics import Type, font
from dpdesk.desk.theme.roles import Role, color
from dpdesk.release.ledger.spending.budget_steps import BudgetStep
from dpdesk.study.model.amount import Share

Vector = npt.NDArray[np.float64]
HEIGHT = 220
PAST_LAST = 0.04
"""So much of the time shown is kept behind the last step, to show where it leads."""
SHORTEST = 60.0
"""Seconds shown at least: the ledger's clock knows no less."""
TICKS = (0.125, 0.375, 0.625, 0.875)
HEADROOM = 1.3
LEGEND = (0.01, 0.29, 0.53)
"""Where its parts begin, as shares of the width; the longest comes last."""


class BudgetPlot(PlotView):
    """Step lines of what is spent and reserved, with the total as their ceiling."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(HEIGHT, parent)
        self._steps: tuple[BudgetStep, ...] = ()

    def show_steps(self, account: str, steps: Sequence[BudgetStep]) -> None:
        """Show an account's steps, oldest first."""
        self._steps = tuple(steps)
        if steps:
            last = steps[-1]
            amounts = map(words.budget, (last.spent, last.total, last.reserved))
            days = (day(steps[0].time), day(last.time))
            said = self._sentence(days, len(steps)).format(account, *amounts, *days)
            self.describe(self.tr("Budget over time"), said)
        heads = (self.tr("When"), self.tr("Spent"), self.tr("Reserved"), self.tr("Total"))
        self.set_twin(heads, [_row(step) for step in steps])
        self.draw()

    def _sentence(self, days: tuple[str, str], steps: int) -> str:
        """How far the account has come, from one day to another or all on one."""
        if days[0] == days[1]:
            return self.tr(
                "Account {0}: {1} of {2} spent and {3} reserved, on {4} in %n step(s).", "", steps
            )
        return self.tr(
            "Account {0}: {1} of {2} spent and {3} reserved, from {4} to {5} in %n step(s).",
            "",
            steps,
        )

    def draw(self) -> None:
        plot = self.canvas.getPlotItem()
        plot.clear()
        if not self._steps:
            return
        # From the first step on: an SVG has six digits a number, too few for a moment's seconds.
        places = _places(self._steps)
        begun = float(places[0])
        places -= begun
        end = places[-1] + max(SHORTEST, places[-1] * PAST_LAST)
        x = np.repeat(np.append(places, end), 2)[1:-1]
        spent, held, total = (
            self._pen(role, style)
            for role, style in (
                (Role.ACCENT, Qt.PenStyle.SolidLine),
                (Role.SECOND, Qt.PenStyle.DashLine),
                (Role.TEXT, Qt.PenStyle.DotLine),
            )
        )
        # What is spent comes last: where nothing is reserved, both lines are one, and it is seen.
        if any(step.reserved.units for step in self._steps):
            both = [_value(s.spent) + _value(s.reserved) for s in self._steps]
            plot.plot(x, np.repeat(both, 2), pen=held)
        plot.plot(x, np.repeat([_value(s.total) for s in self._steps], 2), pen=total)
        charged = np.repeat([_value(s.spent) for s in self._steps], 2)
        plot.plot(x, charged, pen=spent, fillLevel=0, brush=color(Role.BAND))
        top = max(_value(step.total) for step in self._steps)
        self._add_legend(0.0, end, top, (spent, total, held))
        self._set_axes(end, top, begun)

    def _pen(self, role: Role, style: Qt.PenStyle) -> QPen:
        return self.pen(role, 2, style)

    def _add_legend(self, start: float, end: float, top: float, pens: tuple[QPen, ...]) -> None:
        """Which line is which, above the ceiling."""
        names = (self.tr("spent"), self.tr("total"), self.tr("spent and reserved"))
        span, height = end - start, top * (1 + HEADROOM) / 2
        is_held = any(step.reserved.units for step in self._steps)
        shown = list(zip(LEGEND, pens, names, strict=True))[: 3 if is_held else 2]
        for place, pen, name in shown:
            left = start + span * place
            self.canvas.plot([left, left + span * 0.04], [height] * 2, pen=pen)
            text = pg.TextItem(name, anchor=(0, 0.5))
            text.setFont(font(Type.QUIET))
            text.setColor(color(Role.TEXT))
            text.setPos(left + span * 0.045, height)
            self.canvas.addItem(text, ignoreBounds=True)

    def _set_axes(self, end: float, top: float, begun: float) -> None:
        self.style_axis("left", True, grid=True).setStyle(maxTickLevel=0)
        bottom = self.style_axis("bottom", True)
        first, last = self._steps[0].time, self._steps[-1].time
        is_one_day = day(first) == day(last)
        ticks: dict[str, float] = {}
        for share in TICKS:
            place = share * end
            moment = datetime.fromtimestamp(begun + place, UTC).astimezone()
            ticks.setdefault(f"{moment:%H:%M}" if is_one_day else _day_at(begun + place), place)
        bottom.setTicks([[(place, text) for text, place in ticks.items()]])
        label = day(first) if is_one_day else ""
        self.name_axis("bottom", label)
        self.canvas.setRange(xRange=(0, end), yRange=(0, top * HEADROOM), padding=0.01)


def _row(step: BudgetStep) -> tuple[str, ...]:
    amounts = (step.spent, step.reserved, step.total)
    return (when(step.time, brief=True), *map(words.budget, amounts))


def _value(amount: Share) -> float:
    return float(amount.as_fraction())


def _places(steps: Sequence[BudgetStep]) -> Vector:
    """When each step was, in seconds; never before the step before it, whatever the clock said."""
    found: list[float] = []
    for step in steps:
        moment = local_moment(step.time)
        before = found[-1] if found else 0.0
        found.append(before if moment is None else max(before, moment.timestamp()))
    return np.array(found)


def _day_at(place: float) -> str:
    return day(datetime.fromtimestamp(place, UTC).strftime("%Y-%m-%dT%H:%MZ"), brief=True)
