# SPDX-License-Identifier: Apache-2.0
"""Fit shares: shares for margins that are wanted, or for a total; shown before they are used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QScrollArea,
    QStyle,
    QVBoxLayout,
    QWidget,
)

from dpdesk.desk.core import fitting
from dpdesk.desk.core.fitting import FitOutcome, FitRequest, Way
from dpdesk.desk.core.jobs.idle_steps import IdleSteps
from dpdesk.desk.core.state import DeskState
from dpdesk.desk.pages.queries.fit.fit_row import NARROW, RIGHT, WIDE, FitRow, has_share, line
from dpdesk.desk.text import fit_words, typed_numbers, words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.metrics import NO_MARGINS, Space, scale
from dpdesk.desk.widgets.card import Hairline
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.desk.widgets.inputs.segmented import Segmented
from dpdesk.desk.widgets.labels.banner import Tone
from dpdesk.desk.widgets.labels.label import Label, quiet
from dpdesk.desk.widgets.labels.remark import Remark
from dpdesk.desk.widgets.layouts.aligned import RING, AlignedRow
from dpdesk.desk.widgets.tab_stop import order_tab_stops
from dpdesk.study.model.amount import Share
from dpdesk.study.model.baseline.expansion import own_queries
from dpdesk.study.model.queries import Query
from dpdesk.study.problem import Problem

SURFACE = 1080
NARROW_BELOW = 860
"""A narrower dialog shows the title of each query above its columns."""

TOTAL_FIELD = 320
ROOM_LEAST = 120
AROUND = 400
"""The height of everything but the rows."""

AT_ONCE, A_TURN = 8, 5
"""So many rows fill the usual dialog; of the others, so many come in each turn."""


class FitDialog(Dialog):
    """Asks what queries shall reach or cost together; nothing changes before it is accepted.

    Args:
        window: the window to dim.
        state: what the desk shows.

    Signals:
        decided: the shares that change, by query id.
    """

    decided = Signal(object)

    def __init__(self, window: QWidget, state: DeskState) -> None:
        title = tr("FitDialog", "Fit shares")
        text = tr(
            "FitDialog", "Set margins, or spread a total. Nothing changes until you use the shares."
        )
        width = min(round(SURFACE * scale()), window.width() - 2 * Space.GAP)
        super().__init__(window, title, text, "scales", width=SURFACE, most_width=width)
        self._is_narrow = width < round(NARROW_BELOW * scale())
        self._widths = NARROW if self._is_narrow else WIDE
        self._state = state
        self._planned = fitting.total_of(state.study, fitting.shares_of(state.study))
        self._fitted = FitOutcome()
        self.way = Segmented(
            [
                ("fit", self.tr("Smallest shares for these margins"), ""),
                ("spread", self.tr("Spread the total"), ""),
            ],
            self.tr("How the shares are found"),
        )
        self.total = LineField(self.tr("Spend in &total"), self._left())
        self._names = fit_words.names(state.study)
        self._row_width = width - 4 * Space.GAP - _bar_room()
        # What is public needs no share.
        self._queries = [q for q in own_queries(state.study) if q.id not in state.public]
        self.rows: dict[str, FitRow] = {}
        self._coming = IdleSteps(self)
        self.then = Label(semibold=True)
        self.note = Remark()
        self._build(window)
        self.way.picked.connect(lambda _key: self._show())
        self.total.edited.connect(lambda _text: self._show())
        self._start()
        if len(self.rows) < len(self._queries):
            self._coming.begin(self._add_others())

    def _build(self, window: QWidget) -> None:
        if self._is_narrow:
            self.body.addWidget(self.way)
            self.body.addWidget(self.total)
        else:
            above = line([(self.way, 0), (self.total, TOTAL_FIELD)])
            above.setAlignment(self.way, Qt.AlignmentFlag.AlignVCenter)
            self.body.addLayout(above)
        self.body.addSpacing(Space.TIGHT)
        self.body.addLayout(self._build_head())
        self.body.addWidget(Hairline())
        self.body.addWidget(self._build_rows(window))
        self.body.addWidget(Hairline())
        self.body.addLayout(self._build_foot())
        # Its line stays while there is nothing to say: nothing jumps.
        room = self.note.sizePolicy()
        room.setRetainSizeWhenHidden(True)
        self.note.setSizePolicy(room)
        self.body.addWidget(self.note)
        self.add_safe(self.tr("Cancel"))
        self.ok = self.add_primary(self.tr("Use these shares"))

    def _build_rows(self, window: QWidget) -> QScrollArea:
        inner = QWidget()
        column = QVBoxLayout(inner, spacing=Space.CARDS, contentsMargins=NO_MARGINS)
        column.addStretch(1)
        self._column = column
        for query in self._queries[:AT_ONCE]:
            self._add_row(query)
        scroll = self._list = QScrollArea(frameShape=QFrame.Shape.NoFrame, widgetResizable=True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(inner)
        scroll.viewport().setAutoFillBackground(False)
        inner.setAutoFillBackground(False)
        # Below the line of the heads as far as each row is from the one before it.
        above, beside = Space.TIGHT, _bar_room()
        column.setContentsMargins(beside, above, beside, 0)
        self._rows_room = window.height() - AROUND
        self._fit_rows()
        # Where the bar is, the columns stay below their heads.
        bar = scroll.verticalScrollBar()
        bar.rangeChanged.connect(
            lambda _least, most: column.setContentsMargins(beside, above, 0 if most else beside, 0)
        )
        # The bar stands in the dialog's margin: rows, heads and buttons end in one line.
        scroll.ring_room = beside  # type: ignore[attr-defined]  # AlignedBox reads it
        return scroll

    def _fit_rows(self) -> None:
        """Be as high as all rows will be, or as there is room."""
        queries = self._queries
        share = Fraction(len(queries), max(1, len(self.rows)))
        # A hint knows no width: every word of a title would have a line of its own.
        shown = self._column.heightForWidth(self._row_width + 2 * _bar_room())
        # With room for one sentence about what is wrong, so that little jumps.
        wanted = round(shown * share) + Space.ROW
        # In a low window the dialog itself scrolls: one bar within another is hard to use.
        is_low = self._rows_room < ROOM_LEAST
        self._list.setFixedHeight(wanted if is_low else min(wanted, self._rows_room))

    def _add_row(self, query: Query) -> FitRow:
        name = self._names[query.id]
        row = FitRow(self._state, query, name, self._is_narrow)
        row.changed.connect(self._show)
        # Rows are of uneven height: a line says where one ends.
        if self.rows:
            self._column.insertWidget(self._column.count() - 1, Hairline())
        self._column.insertWidget(self._column.count() - 1, row)
        self.rows[query.id] = row
        return row

    def _add_others(self) -> Iterator[None]:
        """Add what is below those that the dialog opens with: a row takes three milliseconds."""
        queries = self._queries
        for first in range(len(self.rows), len(queries), A_TURN):
            yield
            for query in queries[first : first + A_TURN]:
                row = self._add_row(query)
                row.set_way(self._way())
                self._show_row(query.id, row)
        yield  # Qt shows what was added to a layout a turn later, and until then it has no height
        self._fit_rows()
        order_tab_stops(self._list)

    def _build_head(self) -> AlignedRow:
        names = {
            "now": self.tr("Now"),
            "within": self.tr("Within"),
            "keep": self.tr("Keep"),
            "weight": self.tr("Weight"),
            "share": self.tr("New share"),
            "then": self.tr("New margin"),
        }
        first = "" if self._is_narrow else self.tr("Query")
        cells: list[tuple[QWidget, int]] = [(quiet(first, wrap=False), 0)]
        for key, width in self._widths.items():
            label = quiet(names[key], wrap=False)
            # What stands above fields and switches begins and ends where their rings leave off.
            if key in ("now", "keep", "share", "then"):
                label.setAlignment(RIGHT)
                label.setContentsMargins(0, 0, RING if key == "keep" else 0, 0)
            else:
                label.setContentsMargins(RING, 0, 0, 0)
            cells.append((label, width))
        return line(cells)

    def _build_foot(self) -> AlignedRow:
        share, then = self._widths["share"], self._widths["then"]
        self.then.setAlignment(RIGHT)
        total = Label(self._total_now(), semibold=True, wrap=True)
        return line([(total, 0), (self.then, share), (QWidget(), then)])

    def _total_now(self) -> str:
        """What the shares come to; where answers are free, also what of that is still to pay."""
        if self._state.study.baseline_tables:
            template = self.tr("Total, now {0}; every Table 1 keeps its price")
            return template.format(words.budget(self._planned))
        to_pay = self._state.planned
        if to_pay.measure != self._planned.measure or to_pay == self._planned:
            return self.tr("Total, now {0}").format(words.budget(self._planned))
        template = self.tr("Total, now {0}, of which {1} is still to be charged")
        return template.format(words.budget(self._planned), words.budget(to_pay))

    def _start(self) -> None:
        """Begin with margins; where too much is planned, with what there is, ready to be used."""
        fits = self._that_fits()
        self.way.select("spread" if fits is not None else "fit")
        self.total.set_unit("ρ" if self._planned.measure == "rho" else "ε")
        self.total.set_text(words.amount(fits or self._planned))
        self._show()
        first = next(iter(self.rows.values()), None)
        if self.ok.isEnabled():
            self.ok.setFocus()
        elif fits is not None:
            self.total.edit.setFocus()
        elif first is not None:
            first.within.setFocus()

    def _that_fits(self) -> Share | None:
        """The most that the plan may cost, where it costs more; ``None`` where it does not."""
        state, planned = self._state, self._planned
        over = state.over_limit_by
        if state.account is not None and state.account.measure == planned.measure:
            over = max(over, -state.left_after)
        return type(planned)(planned.units - over) if 0 < over < planned.units else None

    def _left(self) -> str:
        account = self._state.account
        if account is None or account.measure != self._planned.measure:
            return ""
        return self.tr("{0} remains in the account.").format(words.budget(account.left))

    # --- wishes ---------------------------------------------------------------------------------

    def _way(self) -> Way:
        return "spread" if self.way.key == "spread" else "fit"

    def _wishes(self, total: Share | None) -> FitRequest:
        rows = self.rows.items()
        # What was answered keeps its share unless its row says otherwise.
        kept = {
            q.id
            for q in own_queries(self._state.study)
            if q.id in self._state.answered and q.id not in self.rows and has_share(self._state, q)
        }
        return FitRequest(
            self._way(),
            {key: row.margin for key, row in rows if row.margin is not None},
            total,
            {key: Fraction(row.weight.currentData()) for key, row in rows},
            frozenset({*kept, *(key for key, row in rows if row.is_kept)}),
        )

    def _show(self) -> None:
        """Work out what would come of the wishes, and show it beside them."""
        way = self._way()
        self.total.setEnabled(way == "spread")
        # Where it has a line of its own, the queries need that more while it stands still.
        self.total.setVisible(way == "spread" or not self._is_narrow)
        for row in self.rows.values():
            row.set_way(way)
        total = typed_numbers.share_from_text(self._planned.measure, self.total.text)
        malformed = isinstance(total, str) and way == "spread"
        self._fitted = fitting.fitted(
            self._state.study, self._wishes(None if isinstance(total, str) else total)
        )
        self._show_fitted()
        problem = Problem("$.total", str(total)) if malformed else self._fitted.problem
        sentence = words.problem_sentence(problem) if problem is not None else ""
        self.total.set_error(sentence if way == "spread" else "")
        self._say_why_no_total(way)
        self._show_together(sentence if way == "fit" else "")

    def _show_fitted(self) -> None:
        self._then = fit_words.bought_together(self._state.study, self._fitted.shares)
        for key, row in self.rows.items():
            self._show_row(key, row)

    def _show_row(self, key: str, row: FitRow) -> None:
        then = self._then.get(key, fit_words.NOTHING)
        row.show_fitted(self._fitted.shares.get(key), then, self._wrong(row))

    def _say_why_no_total(self, way: Way) -> None:
        """Why no total can be typed now, for those who point at its field and who hear it."""
        why = self.tr("Only for Spread the total.") if way == "fit" else ""
        self.total.edit.setToolTip(why)
        if why:
            self.total.edit.setAccessibleDescription(f"{why} {self.total.hint}".strip())

    def _wrong(self, row: FitRow) -> str:
        if self._way() == "fit" and row.is_typed_wrong:
            return self.tr("Type a number above 0, or nothing for no target.")
        problem = self._fitted.wrong.get(row.query.id)
        return fit_words.wrong_sentence(problem, row.name) if problem is not None else ""

    # --- what comes of them ---------------------------------------------------------------------

    def _show_together(self, problem: str) -> None:
        is_marked = bool(self.total.error) or any(row.error for row in self.rows.values())
        shares = {} if is_marked else self._fitted.shares
        then = fitting.total_of(self._state.study, shares)
        self.then.setText(fit_words.NOTHING if is_marked else words.amount(then))
        changes = {} if is_marked or problem else self._changes()
        self.ok.setEnabled(bool(changes))
        over = self._over()
        if problem:
            text = problem
        elif is_marked:
            text = self.tr("Fix what is marked above.")
        elif over:
            text = self.tr("That is {0} more than remains in the account.").format(over)
        else:
            text = "" if changes else self.tr("Nothing would change yet.")
        is_over = bool(over) and not is_marked
        self.note.say(text, Tone.ERROR if problem else Tone.ATTENTION if is_over else None)
        self.ok.setAccessibleDescription(text)

    def _over(self) -> str:
        """By how much the account has too little; empty where it has enough."""
        account, answered = self._state.account, self._state.answered
        if account is None or account.measure != self._planned.measure:
            return ""
        cost = fitting.to_pay(self._state.study, self._fitted.shares, answered)
        over = cost.units - account.left.units
        return words.amount_of_units(over, cost.measure) if over > 0 else ""

    def _changes(self) -> Mapping[str, Share]:
        before = fitting.shares_of(self._state.study)
        return {k: share for k, share in self._fitted.shares.items() if before.get(k) != share}

    def accept(self) -> None:
        """Hand the shares over; they must be there."""
        if not self.ok.isEnabled():
            return
        changes = self._changes()
        super().accept()
        self.decided.emit(changes)


def _bar_room() -> int:
    return QApplication.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
