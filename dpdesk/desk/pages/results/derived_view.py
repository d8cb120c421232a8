# SPDX-License-Identifier: Apache-2.0
"""Below a survival curve what follows from it: medians, means, comparisons of groups."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpdesk.desk.text.language import catalogue
from dpdesk.desk.theme.metrics import NO_MARGINS, Space
from dpdesk.desk.widgets.labels.label import quiet
from dpdesk.desk.widgets.tables.data_table import DataTable
from dpdesk.desk.widgets.tables.rows_model import RowsModel
from dpdesk.privacy.published_tables import Table
from dpdesk.release.bundle.derived_lines import (
    FOLLOWS,
    about_derived,
    derived_heads,
    derived_lines,
)
from dpdesk.release.bundle.query_headings import ReleaseWords

ROWS_MOST = 12


class DerivedView(QWidget):
    """The lines in the words of the report; hidden where nothing follows.

    Args:
        name: accessible name of the table.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self.rows = RowsModel([])
        self.table: DataTable | None = None
        self._head, self._about = quiet(""), quiet("")
        self._column = QVBoxLayout(self, spacing=Space.SMALL, contentsMargins=NO_MARGINS)
        self.hide()

    def show_lines(self, table: Table, unit: str, whose: str) -> None:
        """Show what follows from a query's table.

        Args:
            table: a released one.
            unit: of the time.
            whose: what the query is called.
        """
        words = ReleaseWords.of(catalogue().language)
        lines = derived_lines(table, unit, words)
        self.setVisible(bool(lines))
        if not lines:
            return
        table_view = self._made()
        self._head.setText(words.say(FOLLOWS))
        self._about.setText(about_derived(table, words))
        table_view.setAccessibleName(f"{self._name}: {words.say(FOLLOWS)}, {whose}")
        self.rows.set_rows(lines, list(derived_heads(words)), (2, 3, 4), (2,))
        table_view.fit_height(ROWS_MOST)

    def _made(self) -> DataTable:
        """The table, made when it is first needed: few cards have one."""
        if self.table is None:
            self.table = DataTable(self.rows, self._name, whole=True)
            for part in (self._head, self.table, self._about):
                self._column.addWidget(part)
        return self.table
