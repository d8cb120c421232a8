# SPDX-License-Identifier: Apache-2.0
"""One query's released figures in one card: bars with their margins, or all of them as a table."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from dpdesk.desk.plots.bars_plot import MOST_BARS, ErrorBarsPlot
from dpdesk.desk.text import words
from dpdesk.desk.text.result_words import ShownTable, note, shown_table
from dpdesk.desk.theme.metrics import NO_MARGINS, Space, Type
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.buttons import icon_button
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.inputs.segmented import Segmented
from dpdesk.desk.widgets.labels.label import Label, quiet
from dpdesk.desk.widgets.laying_out import lay_out_now
from dpdesk.desk.widgets.tables.arranged_rows import ArrangedRows
from dpdesk.desk.widgets.tables.arranged_table import ArrangeBar
from dpdesk.desk.widgets.tables.data_table import DataTable
from dpdesk.privacy.published_tables import Table
from dpdesk.study.model.statistics import Statistic

ROWS_MOST = 12
CHART, TABLE = "chart", "table"


class ResultTable(QWidget):
    """The card of one query.

    Attributes:
        plot, table: the two views, of which one is on show.
        view: chooses between them; hidden where nothing can be drawn.
        bar: sorts and filters both.
        save_picture: saves the chart.
    """

    def __init__(self) -> None:
        super().__init__()
        self._title = Label("", Type.CARD, semibold=True, wrap=True)
        self._second = quiet("", wrap=False)
        self.plot = ErrorBarsPlot()
        self.rows = ArrangedRows()
        # No column gives its room to another: a name that is cut off names nothing.
        self.table = DataTable(self.rows, self.tr("Released figures"), stretch=-1)
        self.table.sort_by_heads()
        self.bar = ArrangeBar(self.table, self.rows)
        choices = [(CHART, self.tr("Chart"), "chart"), (TABLE, self.tr("Table"), "table")]
        self.view = Segmented(choices, self.tr("How the figures are shown"))
        self.save_picture = icon_button("upload", self.tr("Save picture…"))
        self._legend = Label("", Type.QUIET, Role.TEXT_QUIET)
        self._note = quiet("")
        self._shown: ShownTable | None = None
        self._wanted = ""
        self._is_chart = False
        self._build()
        self.view.picked.connect(self._pick)
        self.bar.arranged.connect(self._draw)
        self.plot.copy_wanted.connect(self.copy)
        self.save_picture.clicked.connect(self.plot.ask_save)

    def _build(self) -> None:
        column = QVBoxLayout(self, contentsMargins=NO_MARGINS)
        card = Card()
        head = QHBoxLayout(spacing=Space.SMALL)
        head.addWidget(self._title, 1)
        top = Qt.AlignmentFlag.AlignTop
        head.addWidget(self.save_picture, 0, top)
        head.addWidget(self.view, 0, top)
        card.body.addLayout(head)
        second = QHBoxLayout(spacing=Space.SMALL)
        second.addWidget(self._second, 1)
        second.addWidget(self._legend)
        card.body.addLayout(second)
        for part in (self.bar, self.plot, self.table, self._note):
            card.body.addWidget(part)
        column.addWidget(card)

    def show_table(self, table: Table, title: str, statistic: Statistic) -> None:
        """Show a published table; a chart of it where its figures are numbers."""
        shown = self._shown = shown_table(table, statistic)
        groups = [column.title for column in table.columns if column.role == "group"]
        by = self.tr(" and ").join(text for text in groups if text)
        self._title.setText(title)
        self._second.setText(
            ", ".join(t for t in (shown.unit, self.tr("by {0}").format(by) if by else "") if t)
        )
        self._legend.setText(self._margins(shown))
        rows = [list(row) for row in shown.rows]
        self.rows.set_rows(rows, list(shown.heads), shown.right, shown.strong, shown.keys)
        self.rows.hatched = {place for place, noisy in enumerate(shown.noisy) if noisy}
        self.bar.start_anew()
        self.bar.setVisible(len(rows) > 1)
        # As high as all rows, whatever is looked for: nothing jumps while somebody types.
        self.table.fit_height(ROWS_MOST)
        self._note.setText(note(table))
        self._show_view()

    def _margins(self, shown: ShownTable) -> str:
        """What the bars' ends are."""
        widths = sorted(
            w for w, v in zip(shown.half_widths, shown.values, strict=False) if w and v is not None
        )
        if not widths:
            return ""
        low, high = words.figure(widths[0]), words.figure(widths[-1])
        if low == high:
            return self.tr("95 times in 100 within ± {0}").format(low)
        return self.tr("95 times in 100 within ± {0} to ± {1}").format(low, high)

    @property
    def _is_drawn(self) -> bool:
        return self._shown is not None and any(v is not None for v in self._shown.values)

    def _pick(self, key: str) -> None:
        self._wanted = key
        self._show_view()

    def _show_view(self) -> None:
        """One of the two: what was picked, else a table where there are too many bars."""
        many = self.rows.total > MOST_BARS
        key = self._wanted or (TABLE if many else CHART)
        self._is_chart = self._is_drawn and key == CHART
        self.view.select(key)
        for part in (self.view, self._legend):
            part.setVisible(self._is_drawn)
        self._draw()
        # The one that goes is hidden first: both at once would make the page higher for a moment.
        is_table = not self._is_chart and self.rows.total > 0
        views = (self.plot, self._is_chart), (self.table, is_table)
        for view, on in sorted(views, key=lambda found: found[1]):
            view.setVisible(on)
        self.save_picture.setVisible(self._is_chart)
        lay_out_now()

    def _draw(self) -> None:
        """Bars of the rows on show, in their order, where bars are looked at."""
        shown, order = self._shown, self.rows.order
        if shown is None or not self._is_chart:
            return
        self.plot.show_figures(
            [shown.labels[row] for row in order],
            [shown.values[row] for row in order],
            [shown.half_widths[row] for row in order],
            shown.unit,
            [shown.intervals[row] for row in order] if shown.intervals else (),
            [shown.noisy[row] for row in order],
            self.rows.total,
        )

    def copy(self) -> None:
        """Put the table on the clipboard, all of it and as declared."""
        self.table.copy_all()
