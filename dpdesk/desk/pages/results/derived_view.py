# SPDX-License-Identifier: Apache-2.0
"""Below a curve over time what follows from it: readings, medians, comparisons of groups."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from dpdesk.desk.text.language import catalogue
from dpdesk.desk.theme.metrics import NO_MARGINS, Space, Type
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.labels.label import Label, quiet
from dpdesk.desk.widgets.layouts.contents import empty
from dpdesk.desk.widgets.tables.data_table import DataTable
from dpdesk.desk.widgets.tables.rows_model import RowsModel
from dpdesk.privacy.published_tables import Table
from dpdesk.release.bundle.derived_lines import (
    about_derived,
    derived_heads,
    derived_lines,
    follows,
    is_model,
    readings,
)
from dpdesk.release.bundle.query_headings import ReleaseWords

ROWS_MOST = 12
_NOISE, _BOTH = 3, 4
"""The places of both ranges in a line."""
_SHOWN = (2, _BOTH, _NOISE)
"""The places of a line's figure and of its ranges, in the order of people."""


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
        self.tiles = QHBoxLayout(spacing=Space.SMALL, contentsMargins=NO_MARGINS)
        self._column.addLayout(self.tiles)
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
        empty(self.tiles)
        heads = derived_heads(table, words)
        for name, group, released, noise, both in readings(table, unit, words):
            quoted = (both, heads[_BOTH]) if both else (noise, heads[_NOISE])
            self.tiles.addWidget(_tile(name, group, released, *quoted), 1)
        if not lines:
            return
        table_view = self._made()
        self._head.setText(follows(table, words))
        self._about.setText(about_derived(table, words))
        table_view.setAccessibleName(f"{self._name}: {follows(table, words)}, {whose}")
        self._show_rows(lines, heads, is_model(table))
        table_view.fit_height(ROWS_MOST)

    def _show_rows(
        self, lines: Sequence[Sequence[str]], heads: Sequence[str], by_column: bool
    ) -> None:
        """What a figure is and of whom below one another: a line of five cells is too wide.

        The range of noise and chance follows the figure, as in the workbook: it is the one to
        quote.

        Args:
            lines: see ``derived_lines``.
            heads: see ``derived_heads``.
            by_column: whether it is first whose a figure is, then what.
        """
        named = [(line[1] or line[0], line[0] if line[1] else "") for line in lines]
        if not by_column:
            named = [(line[0], line[1]) for line in lines]
        rows = [
            (first, *(line[place] for place in _SHOWN))
            for (first, _), line in zip(named, lines, strict=True)
        ]
        shown = [heads[by_column], *(heads[place] for place in _SHOWN)]
        self.rows.set_rows(rows, shown, (1, 2, 3), (1,))
        self.rows.seconds = {0: [second for _, second in named]}

    def _made(self) -> DataTable:
        """The table, made when it is first needed: few cards have one."""
        if self.table is None:
            self.table = DataTable(self.rows, self._name, wraps=True)
            for part in (self._head, self.table, self._about):
                self._column.addWidget(part)
        return self.table


def _tile(name: str, group: str, released: str, within: str, holds: str) -> Card:
    """One reading: of whom it is, the figure, its range, and what that holds."""
    tile = Card()
    tile.setAccessibleName(", ".join(filter(None, (group, name))))
    tile.body.setSpacing(0)
    for label in (
        quiet(group or name),
        Label(released, Type.CARD, semibold=True, wrap=True),
        *([quiet(within), quiet(holds)] if within else []),
        *([quiet(name)] if group else []),
    ):
        tile.body.addWidget(label)
    return tile
