# SPDX-License-Identifier: Apache-2.0
"""The characteristics of a Table 1: which columns, what is shown of each, and their shares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpdesk.desk.core.edits import baseline_edits
from dpdesk.desk.core.edits.baseline_edits import SummaryKind
from dpdesk.desk.core.state import DeskState
from dpdesk.desk.pages.queries.baseline.characteristic_row import CharacteristicRow
from dpdesk.desk.pages.queries.sentence.picker import described_first
from dpdesk.desk.pages.sentence.anchor import Anchor
from dpdesk.desk.pages.sentence.numbers_dialog import Numbers, NumbersDialog
from dpdesk.desk.text import words
from dpdesk.desk.text.baseline import baseline_words
from dpdesk.desk.theme.metrics import NO_MARGINS, Space
from dpdesk.desk.widgets.buttons import secondary
from dpdesk.desk.widgets.inputs.choice_popup import Choice
from dpdesk.desk.widgets.labels.label import heading
from dpdesk.desk.widgets.layouts.aligned import RING, AlignedRow, aligned_part
from dpdesk.release.record.totals import together
from dpdesk.study.checks.grouping_checks import check_grouping
from dpdesk.study.json.json_reader import share_problem
from dpdesk.study.model.amount import Share, zero
from dpdesk.study.model.baseline.declared import BaselineTable, Characteristic
from dpdesk.study.model.columns import Column
from dpdesk.study.model.groupings import Bins, column_of, labels_of
from dpdesk.study.problem import Problem


class Characteristics(QWidget):
    """A row each, and the button that chooses their columns.

    Attributes:
        rows: one a characteristic; those behind the last one are hidden.

    Signals:
        changed: the table was edited; carries it.
    """

    changed = Signal(object)
    ring_room = RING

    def __init__(self) -> None:
        super().__init__()
        self.anchor = Anchor(self)
        self._state, self._table = DeskState(), BaselineTable("")
        self.choose = secondary(self.tr("Choose columns…"), before="columns", small=True)
        self.rows: list[CharacteristicRow] = []
        self._column = QVBoxLayout(spacing=Space.HAIR, contentsMargins=NO_MARGINS)
        column = aligned_part(self)
        column.setSpacing(Space.SMALL)
        head = AlignedRow(spacing=Space.SMALL)
        head.addWidget(heading(self.tr("Characteristics")), 1)
        head.addWidget(self.choose)
        column.addLayout(head)
        column.addLayout(self._column)
        self.choose.clicked.connect(self.ask_columns)

    def show_table(self, state: DeskState, table: BaselineTable, wrong: Mapping[int, str]) -> None:
        """Show a table's characteristics.

        Args:
            wrong: what is wrong with one, in a sentence, by its place.
        """
        self._state, self._table = state, table
        while len(self.rows) < len(table.characteristics):
            self._add_row(len(self.rows))
        for place, row in enumerate(self.rows):
            is_there = place < len(table.characteristics)
            if is_there:
                row.show_row(state, table, place, self._share(place), wrong.get(place, ""))
            row.setVisible(is_there)

    def _add_row(self, place: int) -> None:
        row = CharacteristicRow()
        row.wanted.connect(lambda what: self._do(place, what))
        self.rows.append(row)
        self._column.addWidget(row)

    def _share(self, place: int) -> Share | None:
        """What a characteristic has of the price: its queries' shares together."""
        parts = self._state.parts_of(self._table)
        shares = [q.share for q in parts if q.component and q.component.place == place]
        known = [share for share in shares if share is not None]
        return together(known[0].measure, known) if known else None

    def _do(self, place: int, what: str) -> None:
        table = self._table
        if what == "remove":
            self._put(baseline_edits.without(table, place))
            self._keep_keyboard(place)
        elif what in ("up", "down"):
            step = -1 if what == "up" else 1
            self._put(baseline_edits.moved(table, place, step))
            self.rows[place + step].more.setFocus(Qt.FocusReason.OtherFocusReason)
        elif what == "shown":
            self._ask_kinds(place)
        elif what == "bins":
            self._ask_bins(place)
        else:
            self._ask_part(place)

    def _keep_keyboard(self, place: int) -> None:
        """To the row that follows one that went, else to the last, else to what chooses."""
        left = len(self._table.characteristics)
        target = self.rows[min(place, left - 1)].more if left else self.choose
        target.setFocus(Qt.FocusReason.OtherFocusReason)

    def _put(self, table: BaselineTable) -> None:
        self.changed.emit(table)

    # --- which columns --------------------------------------------------------------------------

    def ask_columns(self) -> None:
        """Offer the columns that the table may show, those that it shows checked."""
        table, study = self._table, self._state.study
        grouped = {column_of(by) for by in table.by}
        offered: list[Column] = [
            column
            for column in described_first(study.asked_columns)
            if column.name not in grouped
            and (table.of == "rows" or study.is_of_person(column.name))
        ]
        # What does not fit any more is offered as well: nothing else takes it out.
        names = [column.name for column in offered]
        names += [c.column for c in table.characteristics if c.column not in names]
        picked = [one.column for one in table.characteristics]
        choices = [Choice(name, words.title_of(study, name)) for name in dict.fromkeys(names)]
        self.anchor.move_to(self.choose)
        self.anchor.offer_several(choices, picked, self._take_columns)

    def _take_columns(self, names: tuple[str, ...]) -> None:
        study, table = self._state.study, self._table
        self._put(baseline_edits.choose_columns(study, table, names))

    # --- what is shown --------------------------------------------------------------------------

    def _ask_kinds(self, place: int) -> None:
        study, table = self._state.study, self._table
        name = table.characteristics[place].column
        own = baseline_edits.kinds_of(study, table, name)
        kinds = dict.fromkeys((*baseline_edits.choices(study.column(name)), *own))
        choices = [Choice(kind, baseline_words.kind_name(kind)) for kind in kinds]
        self.anchor.move_to(self.rows[place].shown)
        self.anchor.offer_several(choices, own, partial(self._take_kinds, name, own))

    def _take_kinds(
        self, name: str, before: tuple[SummaryKind, ...], wanted: tuple[SummaryKind, ...]
    ) -> None:
        table = baseline_edits.with_figures(self._state.study, self._table, name, wanted)
        self._put(table)
        if "bins" in wanted and "bins" not in before:
            places = enumerate(self._table.characteristics)
            self._ask_bins(next(at for at, c in places if c.column == name and c.edges))

    def _ask_bins(self, place: int) -> None:
        one = self._table.characteristics[place]
        dialog = NumbersDialog(
            self.window(),
            self.tr("Where does each bin begin?"),
            self.tr("&First values"),
            self.tr("Separated by semicolons or spaces, from the lowest to the highest."),
            one.edges,
            partial(self._judge_bins, one),
            partial(self._bins_made, one),
        )
        self.anchor.move_to(self.rows[place].shown)
        self.anchor.ask(dialog, lambda edges: self._put_one(place, replace(one, edges=edges)))

    def _judge_bins(self, one: Characteristic, edges: Numbers) -> str:
        if not edges:
            return self.tr("Type where the first bin ends, such as 18; 65.")
        bins = Bins(one.column, edges)
        problems = check_grouping(self._state.study, bins, "$.bins")
        wrong = next(iter(problems), None)
        return words.problem_sentence(wrong) if wrong else ""

    def _bins_made(self, one: Characteristic, edges: Numbers) -> str:
        column = self._state.study.column(one.column)
        if column is None or not edges:
            return ""
        made = "; ".join(labels_of(Bins(one.column, edges), column))
        return self.tr("Bins: {0}").format(made)

    # --- which part of the price ----------------------------------------------------------------

    def _ask_part(self, place: int) -> None:
        one = self._table.characteristics[place]
        name = words.title_of(self._state.study, one.column)
        now = () if one.share is None else (one.share.as_decimal(),)
        dialog = NumbersDialog(
            self.window(),
            self.tr("How much of the price is for {0}?").format(name),
            self.tr("&Part of the price"),
            self.tr("Leave empty for a part that makes all figures about equally accurate."),
            now,
            self._judge_part,
            lambda _numbers: "",
        )
        self.anchor.move_to(self.rows[place].part)
        self.anchor.ask(dialog, lambda numbers: self._take_part(place, numbers))

    def _judge_part(self, numbers: Numbers) -> str:
        if not numbers:
            return ""
        if len(numbers) > 1:
            return self.tr("Type one amount, such as 0.1.")
        kind = type(zero(self._state.measure))
        code = share_problem(kind, numbers[0])
        if code is not None:
            return words.problem_sentence(Problem("$.share", code))
        price = self._table.share
        if price is not None and kind.of(numbers[0]).units > price.units:
            template = self.tr("The whole table costs {0}; its parts cannot cost more.")
            return template.format(words.amount(price))
        return ""

    def _take_part(self, place: int, numbers: tuple[Decimal, ...]) -> None:
        kind = type(zero(self._state.measure))
        share = kind.of(numbers[0]) if numbers else None
        self._put_one(place, self._table.characteristics[place].at_share(share))

    def _put_one(self, place: int, one: Characteristic) -> None:
        if place < len(self._table.characteristics):
            self._put(baseline_edits.put(self._table, place, one))
