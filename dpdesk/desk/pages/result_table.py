# SPDX-License-Identifier: Apache-2.0
"""One query's released figures: bars with their margins, and the same as a table."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from dpdesk.desk.core.result_words import note, shown_table
from dpdesk.desk.plots.bars_plot import ErrorBarsPlot
from dpdesk.desk.theme.metrics import Space, Type
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.data_table import DataTable, RowsModel
from dpdesk.desk.widgets.label import Label, quiet
from dpdesk.study.statistics import Statistic

ROWS_MOST = 12


class ResultTable(QWidget):
    """Chart card and table of one query."""

    def __init__(self) -> None:
        super().__init__()
        self._title = Label("", Type.CARD, semibold=True)
        self._second = quiet("", wrap=False)
        self.plot = ErrorBarsPlot()
        self._model = RowsModel(())
        self.table = DataTable(self._model, self.tr("Released figures"))
        self._legend = Label(self.tr("bars: 95 in 100 margin"), Type.QUIET, Role.TEXT_QUIET)
        self._frame = Card()
        self._note = quiet("")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.CARDS)
        chart = Card()
        head = QHBoxLayout(spacing=Space.SMALL)
        head.addWidget(self._title)
        head.addWidget(self._second, 1)
        head.addWidget(self._legend)
        chart.body.addLayout(head)
        chart.body.addWidget(self.plot)
        column.addWidget(chart)
        self._frame.set_padding(1)
        self._frame.body.addWidget(self.table)
        column.addWidget(self._frame)
        column.addWidget(self._note)

    def show_table(self, table: dict[str, Any], title: str, statistic: Statistic) -> None:
        """Show a published table; a chart of it where its figures are numbers."""
        shown = shown_table(table, statistic)
        groups = [c["description"] for c in table["columns"] if c["role"] == "group"]
        by = self.tr(" and ").join(text for text in groups if text)
        self._title.setText(title)
        self._second.setText(
            ", ".join(t for t in (shown.unit, self.tr("by {0}").format(by) if by else "") if t)
        )
        drawn = any(value is not None for value in shown.values)
        self.plot.setVisible(drawn)
        self._legend.setVisible(drawn and any(shown.half_widths))
        if drawn:
            self.plot.show_figures(
                shown.labels,
                shown.values,
                shown.half_widths,
                shown.unit,
                shown.intervals,
                shown.noisy,
            )
        self._model.set_rows(
            [list(row) for row in shown.rows], list(shown.heads), shown.right, shown.strong
        )
        self._model.hatched = {place for place, noisy in enumerate(shown.noisy) if noisy}
        self._frame.setVisible(bool(shown.rows))
        self.table.fit_height(ROWS_MOST)
        self._note.setText(note(table))

    def copy(self) -> None:
        """Put the table on the clipboard."""
        self.table.copy_all()
