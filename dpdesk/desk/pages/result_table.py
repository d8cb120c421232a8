# SPDX-License-Identifier: Apache-2.0
"""One query's released figures: bars with their margins, and the same as a table."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from dpdesk.desk.core import words
from dpdesk.desk.plots.bars_plot import ErrorBarsPlot
from dpdesk.desk.theme.metrics import Space, Type
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.data_table import DataTable, RowsModel
from dpdesk.desk.widgets.label import Label, quiet

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
        self._note = quiet(
            self.tr(
                "Margins show the noise added for privacy, nothing else. A count can be negative."
            )
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.CARDS)
        chart = Card()
        head = QHBoxLayout(spacing=Space.SMALL)
        head.addWidget(self._title)
        head.addWidget(self._second, 1)
        head.addWidget(Label(self.tr("bars: 95 in 100 margin"), Type.QUIET, Role.TEXT_QUIET))
        chart.body.addLayout(head)
        chart.body.addWidget(self.plot)
        column.addWidget(chart)
        frame = Card()
        frame.set_padding(1)
        frame.body.addWidget(self.table)
        column.addWidget(frame)
        column.addWidget(self._note)

    def show_table(self, table: dict[str, Any], title: str, statistic: str) -> None:
        """Show a published table."""
        roles = [c["role"] for c in table["columns"]]
        groups = [i for i, role in enumerate(roles) if role == "group"]
        value = roles.index("value")
        margin = roles.index("half-width")
        unit = table["columns"][value]["unit"]
        labels = [", ".join(row[i] for i in groups) or self.tr("All") for row in table["rows"]]
        values = [float(row[value]) if row[value] else None for row in table["rows"]]
        widths = [float(row[margin]) if row[margin] else 0.0 for row in table["rows"]]
        by = self.tr(" and ").join(table["columns"][i]["description"] for i in groups)
        self._title.setText(title)
        self._second.setText(
            ", ".join(t for t in (unit, self.tr("by {0}").format(by) if by else "") if t)
        )
        self.plot.show_figures(labels, values, widths, unit)
        self._fill(table, roles, groups, statistic)

    def _fill(
        self, table: dict[str, Any], roles: list[str], groups: list[int], statistic: str
    ) -> None:
        heads = [table["columns"][i]["description"] for i in groups]
        value, margin = roles.index("value"), roles.index("half-width")
        low, high = roles.index("lowest"), roles.index("highest")
        unit = table["columns"][value]["unit"]
        name = words.statistic(statistic)
        heads += [f"{name}, {unit}" if unit else name, self.tr("Margin"), self.tr("Range")]
        with_count = statistic == "mean"
        if with_count:
            heads.append(self.tr("Rows, about"))
        rows = []
        for row in table["rows"]:
            cells = [row[i] for i in groups]
            cells += _figure(row, value, margin, low, high)
            if with_count:
                cells.append(words.localised(row[-1]))
            rows.append(cells)
        first = len(groups)
        right = range(first, len(heads))
        self._model.set_rows(rows, heads, right, (first,))
        self.table.fit_height(ROWS_MOST)

    def copy(self) -> None:
        """Put the table on the clipboard."""
        self.table.copy_all()


def _figure(row: list[str], value: int, margin: int, low: int, high: int) -> list[str]:
    """Value, margin and range as people read them."""
    if not row[value]:
        return [QCoreApplication.translate("ResultTable", "too few to say"), "–", "–"]
    template = QCoreApplication.translate("ResultTable", "{0} to {1}")
    ends = template.format(words.localised(row[low]), words.localised(row[high]))
    return [words.localised(row[value]), f"± {words.localised(row[margin])}", ends]
