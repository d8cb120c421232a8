# SPDX-License-Identifier: Apache-2.0
"""One question that both releases answered: each figure, the difference, and what it says."""

from __future__ import annotations

import math

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from dpdesk.desk.pages.results.card_tools import CardTools, CopiedCells
from dpdesk.desk.plots.bars_plot import MOST_BARS
from dpdesk.desk.plots.differences_plot import DifferencesPlot
from dpdesk.desk.text import words
from dpdesk.desk.theme.metrics import NO_MARGINS, Space, Type
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.labels.label import Label, quiet
from dpdesk.desk.widgets.tables.data_table import DataTable
from dpdesk.desk.widgets.tables.rows_model import RowsModel
from dpdesk.privacy.differences import Difference
from dpdesk.privacy.statistics.figures_text import Figure, fixed, rounding_digits
from dpdesk.release.comparison.compare_records import ComparedQuery
from dpdesk.study.model.document import Study

MOST_ROWS = 14
NARROW = 560
"""A narrower card shows its tools as icons."""
RIGHT = (1, 2, 3)
"""Its columns of numbers."""


class ComparedCard(QWidget):
    """The card of one question.

    Attributes:
        table, plot: the differences as numbers, and as bars with their margins.
        tools: copy the one, save the other.
    """

    def __init__(self) -> None:
        super().__init__()
        self._title = Label("", Type.CARD, semibold=True, wrap=True)
        self._line = quiet("")
        self.rows = RowsModel(_heads())
        self.table = DataTable(self.rows, self.tr("Both figures and their difference"))
        self.plot = DifferencesPlot()
        self._shown: CopiedCells | None = None
        self.tools = CardTools(lambda: self._shown, self._pictured)
        # Left out of a picture of the whole page, which is of what is on show: nothing moves.
        room = self.tools.sizePolicy()
        room.setRetainSizeWhenHidden(True)
        self.tools.setSizePolicy(room)
        self.tools.copy_wanted.connect(self.table.copy_all)
        self.plot.copy_wanted.connect(self.table.copy_all)
        card = self._card = Card()
        head = QHBoxLayout(spacing=Space.SMALL)
        head.addWidget(self._title, 1)
        head.addWidget(self.tools, 0, Qt.AlignmentFlag.AlignTop)
        card.body.addLayout(head)
        for part in (self._line, self.table, self.plot):
            card.body.addWidget(part)
        QVBoxLayout(self, contentsMargins=NO_MARGINS).addWidget(card)

    def show_query(self, study: Study, query: ComparedQuery) -> None:
        """Show one question.

        Args:
            study: the later release's.
            query: both answers.
        """
        title = words.query_title(study, query.query)
        self._title.setText(title)
        self._card.setAccessibleName(title)
        self.table.setAccessibleName(f"{self.tr('Both figures and their difference')}: {title}")
        self.plot.tell_whose(title)
        unit = words.unit_of(study, query.query)
        if query.query.declaration.is_share:
            unit = self.tr("Margins and differences in percentage points")
        self._line.setText(same_answer() if query.is_same_answer else unit)
        self._line.setVisible(bool(self._line.text()))
        lines = () if query.is_same_answer else query.lines
        times = query.query.declaration.percent_factor
        rows = [(", ".join(one.labels) or _all(), *_cells(one.difference, times)) for one in lines]
        self.rows.set_rows(rows, _heads(), RIGHT, (3,))
        self._shown = CopiedCells(_heads(), rows, RIGHT) if rows else None
        self.table.setVisible(bool(lines))
        self.table.fit_height(MOST_ROWS)
        self._draw(query, unit)
        self.tools.setVisible(bool(rows))
        self.tools.tell(title)

    def _pictured(self) -> QWidget | None:
        return self.plot.canvas if not self.plot.isHidden() else None

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow card the tools are icons with tooltips."""
        super().resizeEvent(event)
        self.tools.set_narrow(event.size().width() < NARROW)

    def _draw(self, query: ComparedQuery, unit: str) -> None:
        """Bars of what differs; hatched where noise alone could explain it."""
        found = [one.difference for one in query.lines]
        times = query.query.declaration.percent_factor
        can_be = not query.is_same_answer and 1 < len(found) <= MOST_BARS
        self.plot.setVisible(can_be)
        if can_be:
            self.plot.show_figures(
                [", ".join(one.labels) for one in query.lines],
                [None if one.value is None else float(times * one.value) for one in found],
                [float(times * one.margin) for one in found],
                unit,
                noisy=[not one.is_more_than_noise for one in found],
            )
            more = self.tr(
                "%n figure(s) (differs|differ) by more than noise.", "", query.more_than_noise
            )
            said = f"{more} {self.plot.spoken}".strip()
            self.plot.describe(self.tr("Differences with their margins"), said)


def same_answer() -> str:
    """Of a stored answer that was given out twice."""
    return QCoreApplication.translate(
        "Comparison", "Both releases have one and the same answer: it was drawn once."
    )


def _heads() -> list[str]:
    return [
        QCoreApplication.translate("Comparison", "Group"),
        QCoreApplication.translate("Comparison", "Earlier"),
        QCoreApplication.translate("Comparison", "Later"),
        QCoreApplication.translate("Comparison", "Difference"),
        QCoreApplication.translate("Comparison", "What it says"),
    ]


def _all() -> str:
    return QCoreApplication.translate("Comparison", "All")


def _cells(difference: Difference, times: int) -> tuple[str, ...]:
    """Both figures, the difference and what it says; shares are read as percentages."""
    behind = words.behind(words.PERCENT) if times > 1 else ""
    both = [_figure(one, times, behind) for one in (difference.earlier, difference.later)]
    if difference.value is None:
        return (*both, "–", QCoreApplication.translate("Comparison", "says nothing"))
    said = QCoreApplication.translate("Comparison", "cannot tell")
    if difference.is_more_than_noise:
        said = QCoreApplication.translate("Comparison", "more than noise")
    sign = "+" if difference.value > 0 else ""
    return (*both, f"{sign}{_figure(Figure(difference.value, difference.margin), times)}", said)


def _figure(figure: Figure | None, times: int, behind: str = "") -> str:
    """A figure and its margin, to two digits of the margin, which is rounded up."""
    if figure is None:
        return "–"
    half_width = times * figure.half_width
    digits = rounding_digits(half_width)
    value = fixed(round(times * figure.value * 10**digits), digits)
    margin = fixed(math.ceil(half_width * 10**digits), digits)
    return f"{words.in_column(value)}{behind} ± {words.in_column(margin)}"
