# SPDX-License-Identifier: Apache-2.0
"""One query's released figures in one card: a chart with their margins, or all as a table."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from dpdesk.desk.core.jobs.jobs import JobRunner
from dpdesk.desk.pages.results.card_tools import CardTools
from dpdesk.desk.pages.results.chart_views import ResultCharts
from dpdesk.desk.pages.results.compared_groups import ComparedGroups
from dpdesk.desk.pages.results.copied_table import CopiedCells
from dpdesk.desk.pages.results.derived_view import DerivedView
from dpdesk.desk.pages.results.heat_table import HeatTable
from dpdesk.desk.pages.results.standard_chip import NamedStandard, StandardChip
from dpdesk.desk.plots.bars_plot import ErrorBarsPlot
from dpdesk.desk.text import words
from dpdesk.desk.text.result_words import (
    ShownTable,
    has_groups,
    marked_made_up,
    no_note,
    note,
    release_words,
    rows_off,
    shown_table,
)
from dpdesk.desk.theme.metrics import NO_MARGINS, Space, scale
from dpdesk.desk.widgets.buttons import link, secondary
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.inputs.segmented import Segmented
from dpdesk.desk.widgets.labels.label import heading, quiet
from dpdesk.desk.widgets.labels.made_up_mark import MadeUpMark
from dpdesk.desk.widgets.labels.made_up_mark import made_up as mark_of_made_up
from dpdesk.desk.widgets.laying_out import lay_out_now
from dpdesk.desk.widgets.layouts.aligned import AlignedBox, AlignedRow
from dpdesk.desk.widgets.tables.arranged_rows import ArrangedRows
from dpdesk.desk.widgets.tables.arranged_table import ALL, SEARCH_FROM, SORT_FROM, ArrangeBar
from dpdesk.desk.widgets.tables.data_table import DataTable
from dpdesk.privacy.published_tables import Table
from dpdesk.release.bundle.charts.description import MOST_BARS
from dpdesk.release.bundle.charts.suitable_charts import (
    BARS,
    BOX,
    CURVE,
    FOREST,
    FUNNEL,
    HEAT,
    LINE,
    Charts,
    plain_charts,
)
from dpdesk.release.bundle.compared_text import ComparedText
from dpdesk.release.bundle.quantile_notes import NONE_SMALL, SmallGroups
from dpdesk.release.bundle.readable import Form
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.statistics import Statistic
from dpdesk.study.text.counted_rows import CountedRows

ROWS_MOST = 12
NOTHING_COUNTED = CountedRows()
CHART, TABLE = "chart", "table"
NARROW = 780
"""In a narrower card the tools are icons."""


class ResultTable(QWidget):
    """The card of one query.

    Args:
        made_up: its figures are a rehearsal's: marked so in the card, its table and its pictures.
        jobs: works out the margins of its charts beside the window's thread.
    """

    def __init__(self, made_up: bool = False, jobs: JobRunner | None = None) -> None:
        super().__init__()
        self._is_made_up = made_up
        self.mark = MadeUpMark(self)
        self.mark.setVisible(made_up)
        name = self._name = self.tr("Made-up figures") if made_up else self.tr("Released figures")
        self._title = heading("", wrap=True)
        self.standard = StandardChip(self)
        self._second = quiet("")
        self.charts = ResultCharts(name, made_up, jobs)
        self.rows = ArrangedRows()
        # The first column takes what is over and gives nothing: a name cut off names nothing.
        self.table = DataTable(self.rows, name, whole=True)
        self.table.sort_by_heads()
        self.bar = ArrangeBar(self.table, self.rows, MOST_BARS)
        choices = [(CHART, self.tr("Chart"), "chart"), (TABLE, self.tr("Table"), "table")]
        self.view = Segmented(choices, self.tr("How the figures are shown"), small=True)
        self.kind = Segmented(self._kinds(), self.tr("Which chart"))
        word = mark_of_made_up() if made_up else ""
        self.tools = CardTools(self._copied, self._pictured, self._said, word)
        self.copy_button, self.save_picture = self.tools.copy_button, self.tools.save_picture
        self._legend = quiet("")
        self._rest = quiet("", wrap=False)
        self.show_all = link(self.tr("Show all"))
        self._note = quiet("")
        self.derived = DerivedView(self._name)
        self.use_bounds = secondary(self.tr("Use as the column's bounds"), small=True)
        self.use_bounds.hide()
        self.bounds: NumberColumn | None = None
        self._shown: ShownTable | None = None
        self.compared: ComparedGroups | None = None
        self._fitting: tuple[str, ...] = (BARS,)
        self._wanted = self._wanted_kind = ""
        self._about: tuple[str, str] = ("", "")
        self._by = self._counted = self._rows_off = self._margin_unit = self._note_of_table = ""
        self._counted_rows = NOTHING_COUNTED
        self._has_groups = False
        self._is_chart = False
        self._build()
        self._connect()

    def _kinds(self) -> list[tuple[str, str, str]]:
        return [
            (BARS, self.tr("Bars"), ""),
            (LINE, self.tr("Line"), ""),
            (HEAT, self.tr("Heat map"), ""),
            (CURVE, self.tr("Cumulative"), ""),
            (BOX, self.tr("Boxes"), ""),
            (FUNNEL, self.tr("Funnel"), ""),
            (FOREST, self.tr("Forest"), ""),
        ]

    def _connect(self) -> None:
        self.view.picked.connect(self._pick)
        self.kind.picked.connect(self._pick_kind)
        self.bar.arranged.connect(self._draw)
        self.bar.left.connect(self._enter_figures)
        self.charts.copy_wanted.connect(self.copy)
        self.charts.drawn.connect(self._say_margins)
        self.charts.drawn.connect(self._say_note)
        self.tools.copy_wanted.connect(self.copy)
        self.show_all.clicked.connect(self._show_all)

    def _enter_figures(self) -> None:
        figures = self._pictured() or self.table
        figures.setFocus(Qt.FocusReason.TabFocusReason)

    def _show_all(self) -> None:
        """Draw a bar for every row; the keyboard stays in the card when the button is gone."""
        if self.show_all.hasFocus():
            self.bar.shown.setFocus()
        self.bar.show_most(ALL)

    def _build(self) -> None:
        # Keeps how high it is at each width: fifty of them are asked at more widths than Qt keeps.
        column = AlignedBox(QBoxLayout.Direction.TopToBottom)
        column.setContentsMargins(NO_MARGINS)
        self.setLayout(column)
        card = self._card = Card()
        self._body = card.body
        head, below = AlignedRow(spacing=Space.SMALL), AlignedRow(spacing=Space.SMALL)
        head.addWidget(self._title, 1)
        head.addWidget(self.standard, 0, Qt.AlignmentFlag.AlignVCenter)
        head.addWidget(self.mark, 0, Qt.AlignmentFlag.AlignVCenter)
        said = QWidget()  # keeps its room where both are hidden
        lines = QVBoxLayout(said, spacing=0, contentsMargins=NO_MARGINS)
        for label in (self._second, self._legend):
            lines.addWidget(label)
        below.addWidget(said, 1)
        for tool in (self.tools, self.view):
            below.addWidget(tool, 0, Qt.AlignmentFlag.AlignTop)
        card.body.addLayout(head)
        card.body.addLayout(below)
        card.body.addWidget(self.kind, 0, Qt.AlignmentFlag.AlignLeft)
        for part in (self.bar, self.charts, self.table, self.derived):
            card.body.addWidget(part)
        rest = QHBoxLayout(spacing=Space.TIGHT)
        rest.addWidget(self._rest)
        rest.addWidget(self.show_all)
        rest.addStretch(1)
        card.body.addLayout(rest)
        card.body.addWidget(self._note)
        card.body.addWidget(self.use_bounds, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(card)
        column.addStretch(1)

    def show_table(
        self,
        table: Table,
        title: str,
        statistic: Statistic,
        charts: Charts | None = None,
        says_groups: bool = False,
        grouped_by: Sequence[str] = (),
        counted: str = "",
        margin_unit: str = "",
        counted_rows: CountedRows = NOTHING_COUNTED,
        small: SmallGroups = NONE_SMALL,
        forms: Sequence[Form] = (),
        standard: NamedStandard | None = None,
    ) -> None:
        """Show a published table; a chart of it where its figures are numbers.

        Args:
            table: a released one.
            title: what its query is called.
            statistic: what was asked.
            charts: what can be drawn of it; what the table alone allows for where not given.
            says_groups: the title names the groups, as one does that nobody chose.
            grouped_by: what its groups are called; the table's own titles where not given.
            counted: what the figures are, where their unit does not say it.
            margin_unit: what margins count; the figures' own unit where not given.
            counted_rows: how many rows of each person count, where the row limit concerns them.
            small: the groups that are too small for its ranks.
            forms: what the cells of each column of the table are.
            standard: what the figures are standardised by; ``None`` where they are not.
        """
        # What was picked is kept while the same is on show: drawn again, or of another release.
        if (title, statistic) != self._about:
            self._about, self._wanted = (title, statistic), ""
        shown = shown_table(table, statistic, forms)
        shown = self._shown = marked_made_up(shown) if self._is_made_up else shown
        found = plain_charts(table) if charts is None else charts
        self._fitting, self._wanted_kind = found.kinds, ""
        self.charts.begin(found, shown, title)
        titles = [column.title for column in table.columns if column.role == "group"]
        groups = () if says_groups else grouped_by or titles
        by = self.tr(" and ").join(text for text in groups if text)
        self._title.setText(title)
        self.standard.show_standard(standard)
        self._say_whose(title)
        self._by = self.tr("by {0}").format(by) if by else ""
        self._counted, self._rows_off = counted, rows_off(table, statistic)
        self._margin_unit, self._has_groups = margin_unit, has_groups(table)
        rows = [list(row) for row in shown.rows]
        self.table.stretch_column(shown.names)
        self.rows.set_rows(rows, list(shown.heads), shown.right, shown.strong, shown.keys)
        self.rows.accessible_dashes = {shown.notes: no_note()}
        self.rows.hatched = {place for place, noisy in enumerate(shown.noisy) if noisy}
        self.bar.start_anew()
        # As high as all rows, whatever is looked for: nothing jumps while somebody types.
        self.table.fit_height(ROWS_MOST)
        self.derived.show_lines(table, found.unit, title)
        self._counted_rows, self.rows.note = counted_rows, str(counted_rows)
        notes = (small.said(release_words()), note(table, statistic), str(counted_rows))
        self._note_of_table = " ".join(filter(None, notes))
        self._show_view()

    def show_compared(self, compared: ComparedText | None) -> None:
        """Show the comparisons of its groups, behind ``show_table``; ``None`` for none.

        Few queries have some, so their table is made where it is needed.
        """
        if compared is not None and self.compared is None:
            self.compared = ComparedGroups()
            self._body.insertWidget(self._body.indexOf(self.use_bounds), self.compared)
        if self.compared is not None:
            self.compared.setVisible(compared is not None)
            if compared is not None:
                self.compared.show_text(compared, self._title.text())

    def _say_whose(self, title: str) -> None:
        self.tools.say_whose(title)
        for choice in (self.view, self.kind):
            choice.say_whose(title)
        self.bar.say_whose(title)
        self._card.setAccessibleName(title)
        self.table.setAccessibleName(f"{self._name}: {title}")
        for button in (self.show_all, self.use_bounds):
            button.setAccessibleName(f"{button.text()}: {title}")

    def _say_counted(self) -> None:
        """Below the title, of the chart on show: what its figures are, and of which groups."""
        unit = self._shown.unit if self._shown is not None else ""
        counted = self._counted or ("" if words.behind(unit) else unit)
        if self._is_chart and self._kind == CURVE:
            counted = self.tr("Share of the rows up to each value")
            if self.charts.falls:
                counted = self.tr("Share still without the event, by time")
            elif self.charts.rises:
                counted = self.tr("Share that has had such an event, by time")
        self._second.setText(", ".join(text for text in (counted, self._by) if text))
        self._second.setVisible(bool(self._second.text()))

    def _say_margins(self) -> None:
        """Below the title, of the chart on show."""
        is_own = self._is_chart and self._kind in (CURVE, BOX)
        own = self.charts.explained(self._kind) if is_own else ""
        said = own or self._rows_off or self._margins()
        # Where it wraps, a number stays behind its sign.
        self._legend.setText(said.replace("± ", "±\N{NO-BREAK SPACE}"))
        if self._is_chart and self._kind in (FUNNEL, FOREST):
            self._legend.clear()
        self._legend.setVisible(self._is_drawn and bool(self._legend.text()))

    def _margins(self) -> str:
        shown = self._shown
        if shown is None:
            return ""
        widths = sorted(
            w for w, v in zip(shown.half_widths, shown.values, strict=False) if w and v is not None
        )
        if not widths:
            return ""
        # Two digits each, as in the plan: with the decimals of the least, the largest has too many.
        ends = (words.exact_width(width) for width in (widths[0], widths[-1]))
        low, high = (words.in_column(words.two_digits(end)) for end in ends)
        own = words.points() if words.behind(shown.unit) else shown.unit
        unit = self._margin_unit or own
        behind = f" {unit}" if unit else ""
        if low == high:
            return self.tr("95 times in 100 within ± {0}").format(low + behind)
        template = self.tr("95 times in 100 within ± {0} to ± {1}")
        if self._has_groups:
            template = self.tr("95 times in 100 within ± {0} to ± {1}, by group")
        return template.format(low, high + behind)

    @property
    def _is_drawn(self) -> bool:
        return self._shown is not None and any(v is not None for v in self._shown.values)

    @property
    def plot(self) -> ErrorBarsPlot:
        return self.charts.bars

    @property
    def heat(self) -> HeatTable:
        return self.charts.heat

    def _pick(self, key: str) -> None:
        self._wanted = key
        self._show_view()

    def _pick_kind(self, kind: str) -> None:
        self._wanted_kind = kind
        self._show_view()

    @property
    def _kind(self) -> str:
        return self._wanted_kind or self._fitting[0]

    def _show_view(self) -> None:
        """One of them: what was picked, else a table where there are too many bars."""
        # A curve and boxes have room for more.
        many = self.rows.total > MOST_BARS and self._kind in (BARS, LINE, HEAT)
        key = self._wanted or (TABLE if many else CHART)
        self._is_chart = self._is_drawn and key == CHART
        self.view.select(key)
        self.view.setVisible(self._is_drawn)
        self.kind.offer(self._fitting)
        self.kind.select(self._kind)
        self.kind.setVisible(self._is_chart and len(self._fitting) > 1)
        # Heads take the mouse alone: the choice above a table sorts by keyboard, too.
        least = SEARCH_FROM if self._is_chart else SORT_FROM
        is_arranged = not self._is_chart or self._kind == BARS
        self.bar.setVisible(self.rows.total >= least and is_arranged)
        self.bar.offer_most(self._is_chart)
        # What goes is hidden first: two at once would make the page higher for a moment.
        self.table.setVisible(False)
        self.charts.setVisible(False)
        self._draw()
        self._say_counted()
        self._say_margins()
        self._say_note()
        self.charts.setVisible(self._is_chart)
        self.table.setVisible(not self._is_chart and self.rows.total > 0)
        self.tools.offer_picture(self._is_drawn, self._is_chart)
        lay_out_now()

    def _say_note(self) -> None:
        noted = self.charts.noted(self._kind) if self._is_chart else ""
        self._note.setText(" ".join(filter(None, (self._note_of_table, noted))))
        self._note.setVisible(bool(self._note.text()))

    def _draw(self) -> None:
        """The chart, where one is looked at: bars of the rows on show, in their order."""
        shown = self._shown
        left_out = 0
        if shown is not None and self._is_chart:
            if self._kind in (BARS, LINE):
                # In a line all have room.
                order = list(range(self.rows.total)) if self._kind == LINE else self.rows.order
                first = order if self._kind == LINE else order[: self.bar.most]
                left_out = len(order) - min(len(first), MOST_BARS)
                self.charts.draw_bars(shown, first, self.bar.most, self._kind)
            self.charts.show_kind(self._kind)
        self._say_rest(left_out)

    def _say_rest(self, left_out: int) -> None:
        """How many rows have no bar, and the way to them."""
        self._rest.setText(self.tr("%n more row(s).", "", left_out) if left_out else "")
        self._rest.setVisible(left_out > 0)
        self.show_all.setVisible(left_out > 0 and self.rows.total <= MOST_BARS)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.tools.set_narrow(event.size().width() < round(NARROW * max(1.0, scale())))

    def minimumSizeHint(self) -> QSize:
        return QSize(Space.PANEL, super().minimumSizeHint().height())

    def copy(self) -> None:
        self.table.copy_all()

    def _copied(self) -> CopiedCells | None:
        shown = self._shown
        if shown is None:
            return None
        return CopiedCells(shown.heads, shown.rows, shown.right, self.rows.note)

    def _pictured(self) -> QWidget | None:
        return self.charts.pictured(self._kind) if self._is_chart else None

    def _said(self) -> tuple[str, ...]:
        """What the chart on show counts and of whom, what its margins mean, what hatching does."""
        noisy = "" if self._shown is None or not any(self._shown.noisy) else self._noisy_look()
        both = self.charts.intervals if self._kind in (BARS, LINE) else ""
        return self._second.text(), self._legend.text(), both, self._counted_rows.limit, noisy

    def _noisy_look(self) -> str:
        """In a picture neither a legend nor the card's note is beside the chart."""
        if self._kind in (CURVE, LINE):
            return self.tr("Dashed: too noisy to use")
        return self.tr("Hatched: too noisy to use")
