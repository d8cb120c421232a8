# SPDX-License-Identifier: Apache-2.0
"""The comparisons of a query's groups, below its figures."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpdesk.desk.text.language import catalogue
from dpdesk.desk.theme.metrics import NO_MARGINS, Space
from dpdesk.desk.widgets.labels.label import heading, quiet
from dpdesk.desk.widgets.tables.data_table import DataTable
from dpdesk.desk.widgets.tables.rows_model import RowsModel
from dpdesk.release.bundle.compared_text import COMPARED, ComparedText

ROWS_MOST = 12


class ComparedGroups(QWidget):
    """A table of comparisons with what it means."""

    def __init__(self) -> None:
        super().__init__()
        self.rows = RowsModel([])
        name = catalogue().say(COMPARED)
        self.table = DataTable(self.rows, name, wraps=True)
        column = QVBoxLayout(self, spacing=Space.SMALL, contentsMargins=NO_MARGINS)
        column.addWidget(heading(name))
        column.addWidget(self.table)
        self.meaning = quiet("")
        column.addWidget(self.meaning)

    def show_text(self, compared: ComparedText, title: str) -> None:
        """Show a query's comparisons.

        Args:
            compared: in the window's language.
            title: what the query is called.
        """
        # Who is compared, by what, and why there is no figure, below one another: a line of six
        # cells is too wide.
        numeric = compared.read_numeric
        many = len(numeric) - numeric[::-1].index(True)
        heads = (compared.read_heads[0], *compared.read_heads[2:many])
        rows = [(row[0], *row[2:many]) for row in compared.read_rows]
        self.rows.set_rows(rows, heads, range(1, len(heads)))
        seconds = [(row[1], *row[many:]) for row in compared.read_rows]
        self.rows.seconds = {0: ["; ".join(filter(None, second)) for second in seconds]}
        self.meaning.setText(compared.meaning)
        self.table.setAccessibleName(f"{catalogue().say(COMPARED)}: {title}")
        self.table.fit_height(ROWS_MOST)
