# SPDX-License-Identifier: Apache-2.0
"""One question that both releases answered: each figure, the difference, and what it says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpdesk.desk.pages.comparison.compared_chart import ComparedChart
from dpdesk.desk.pages.comparison.compared_rows import ComparedRow, compared_row, heads
from dpdesk.desk.pages.results.card_tools import CardTools
from dpdesk.desk.pages.results.copied_table import CopiedCells
from dpdesk.desk.text import words
from dpdesk.desk.text.language import catalogue
from dpdesk.desk.text.result_words import group_names, release_words
from dpdesk.desk.theme.metrics import NO_MARGINS, Space
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.inputs.segmented import Segmented
from dpdesk.desk.widgets.labels.label import heading, quiet
from dpdesk.desk.widgets.layouts.aligned import AlignedRow
from dpdesk.desk.widgets.tab_stop import show_down_to
from dpdesk.desk.widgets.tables.data_table import DataTable
from dpdesk.desk.widgets.tables.rows_model import RowsModel
from dpdesk.release.bundle.readable import line_names
from dpdesk.release.comparison.compare_records import ComparedLine, ComparedQuery
from dpdesk.study.model.document import Study
from dpdesk.study.text.shown_text import as_sentence
from dpdesk.texts.comparison import GROUPS_COMPARED, SAME_ANSWER, line_name, said_of

MOST_ROWS = 14
MOST_DRAWN = 40
"""More lines than that have no chart."""
NARROW = 900
"""A narrower card shows its tools as icons."""
RIGHT = (1, 2, 3)
"""Its columns of numbers."""
CHART, TABLE = "chart", "table"


class ComparedCard(QWidget):
    """The card of one question."""

    def __init__(self) -> None:
        super().__init__()
        self._title = heading("", wrap=True)
        self._line = quiet("")
        self.rows = RowsModel(heads())
        self.rows.has_margins = True
        self.table = DataTable(self.rows, self.tr("Both figures and their difference"))
        self.chart = ComparedChart()
        self.view = Segmented(
            [(CHART, self.tr("Chart"), "chart"), (TABLE, self.tr("Table"), "table")],
            self.tr("How the figures are shown"),
            small=True,
        )
        self._shown: CopiedCells | None = None
        self._said = ""
        self.tools = CardTools(lambda: self._shown, self._pictured, self._lines)
        self._build()
        self.tools.copy_wanted.connect(self.table.copy_all)
        self.chart.copy_wanted.connect(self.table.copy_all)
        self.view.picked.connect(self._pick)
        self.view.select(CHART)

    def _build(self) -> None:
        card = self._card = Card()
        head = AlignedRow(spacing=Space.SMALL)
        head.addWidget(self._title, 1)
        for tool in (self.tools, self.view):
            head.addWidget(tool, 0, Qt.AlignmentFlag.AlignTop)
        card.body.addLayout(head)
        for part in (self._line, self.chart, self.table):
            card.body.addWidget(part)
        QVBoxLayout(self, contentsMargins=NO_MARGINS).addWidget(card)

    @property
    def buttons(self) -> tuple[QWidget, ...]:
        """What does nothing on paper."""
        return self.tools, self.view

    def show_query(self, study: Study, query: ComparedQuery) -> None:
        """Show one question.

        Args:
            study: the later release's.
            query: both answers.
        """
        title = words.query_title(study, query.query)
        self._say_whose(title)
        unit = words.unit_of(study, query.query)
        times, said = query.query.declaration.percent_factor, unit
        if query.query.declaration.is_share:
            unit, said = "", self.tr("Margins and differences in percentage points")
        margin_unit = unit or (words.points() if times > 1 else "")
        if query.is_same_answer:
            said = catalogue().say_word("", SAME_ANSWER)
        notes = [catalogue().say(GROUPS_COMPARED)] if query.query.comparisons else []
        notes += [] if query.is_same_answer else said_of(query)
        first = as_sentence(said) if said and notes else said
        self._line.setText(" ".join((first, *notes)).strip())
        lines = () if query.is_same_answer else query.lines
        called = line_names(study, query.query, release_words())
        named = zip(names_of(lines, called), lines, strict=True)
        found = [compared_row(name, one.difference, times, one.population) for name, one in named]
        self._fill(found, unit, margin_unit, has_population=query.has_population)
        self.table.fit_height(MOST_ROWS)
        self.chart.show_rows(found if self._can_draw else [], unit, margin_unit)
        self._draw(query.more_than_noise)
        self.tools.say_whose(title)

    def _fill(
        self, found: Sequence[ComparedRow], unit: str, margin_unit: str, *, has_population: bool
    ) -> None:
        """The table, which alone has intervals for the population: then it is on show."""
        rows: list[tuple[str, ...]] = [one.cells for one in found]
        read: list[tuple[str, ...]] = [one.accessible_cells(unit, margin_unit) for one in found]
        if has_population:
            both = zip(found, zip(rows, read, strict=True), strict=True)
            pairs = [
                (one.with_population(shown), one.with_population(said, margin_unit))
                for one, (shown, said) in both
            ]
            rows, read = (list(cells) for cells in zip(*pairs, strict=True))
            self.view.select(TABLE)
        named = heads(has_population)
        self.rows.set_rows(rows, named, RIGHT, (3,))
        self.rows.accessible_rows = read
        self._shown = CopiedCells(named, rows, RIGHT) if rows else None

    def _say_whose(self, title: str) -> None:
        self._title.setText(title)
        self._card.setAccessibleName(title)
        self.table.setAccessibleName(f"{self.tr('Both figures and their difference')}: {title}")
        self.view.say_whose(title)

    def _draw(self, more: int) -> None:
        """All lines with their marks, where they are few enough to be looked at."""
        self._said = self.tr("%n figure(s) (differs|differ) by more than noise.", "", more)
        name = f"{self.tr('Differences with their margins')}: {self._title.text()}"
        self.chart.describe(name, self._said)
        self._show_view()

    @property
    def _can_draw(self) -> bool:
        return 0 < self.rows.rowCount() <= MOST_DRAWN

    def _pick(self, _key: str) -> None:
        self._show_view()
        shown = self._pictured() or self.table
        QTimer.singleShot(0, self, lambda: show_down_to(self.view, shown))

    def _show_view(self) -> None:
        """One of them; what goes is hidden first, so that nothing is higher meanwhile."""
        is_chart = self._can_draw and self.view.key != TABLE
        self.table.hide()
        self.chart.hide()
        self.chart.setVisible(is_chart)
        self.table.setVisible(self.rows.rowCount() > 0 and not is_chart)
        self._line.setVisible(bool(self._line.text()))
        for one, shown in ((self.view, self._can_draw), (self.tools, self.rows.rowCount() > 0)):
            # Left out of a picture of the whole page, of what is on show: nothing moves. Where
            # there is nothing to show or copy, the title has their room.
            room = one.sizePolicy()
            room.setRetainSizeWhenHidden(shown)
            one.setSizePolicy(room)
            one.setVisible(shown)
        self.tools.offer_picture(self._can_draw, is_chart)

    def _pictured(self) -> QWidget | None:
        return self.chart if not self.chart.isHidden() else None

    def _lines(self) -> tuple[str, str]:
        margins = self.tr("Each figure is within its margin 95 times in 100.")
        return self._line.text(), f"{self._said} {margins}"

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.tools.set_narrow(event.size().width() < NARROW)


def names_of(lines: Sequence[ComparedLine], called: Mapping[str, str]) -> list[str]:
    """What each line's groups are called, as people write them.

    Args:
        lines: of one question.
        called: names of labels that the study says in other words.
    """
    rows = [labels for one in lines for labels in (one.labels, one.before) if labels]
    read = [{**group_names(labels), **called} for labels in zip(*rows, strict=True)]
    return [line_name(one, read) for one in lines]
