# SPDX-License-Identifier: Apache-2.0
"""What a Table 1 may cost, and about how large its groups are."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.core.state import DeskState
from dpdesk.desk.pages.queries.accuracy.query_accuracy import LEAST_SHARE, unit_of_second_digit
from dpdesk.desk.text import accuracy_words, typed_numbers, words
from dpdesk.desk.text.baseline import baseline_words
from dpdesk.desk.theme.metrics import Space, Type
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.card import Hairline
from dpdesk.desk.widgets.inputs.accuracy_handle import AccuracyHandle
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.desk.widgets.inputs.step_field import StepField
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label, quiet
from dpdesk.desk.widgets.layouts.aligned import RING, AlignedRow, aligned_part
from dpdesk.desk.widgets.tab_stop import put_keyboard
from dpdesk.release.record.totals import share_of
from dpdesk.study import limits
from dpdesk.study.model.amount import MICRO, Epsilon, zero
from dpdesk.study.model.baseline.declared import BaselineTable


class BaselinePrice(QWidget):
    """The price as a number and as a handle.

    Signals:
        changed: the table was edited; carries it and the name of the edited field.
    """

    changed = Signal(object, str)
    ring_room = RING

    def __init__(self) -> None:
        super().__init__()
        self._state, self._table = DeskState(), BaselineTable("")
        self._wrong: dict[LineField, str] = {}
        self.share = StepField(self.tr("for this much &budget"))
        self.expected = LineField(self.tr("if a &group has about"))
        self.expected.group_digits()
        self.handle = AccuracyHandle()
        self.handle.setAccessibleName(self.tr("Budget of this table"))
        self._left = Label(size=Type.QUIET, role=Role.TEXT_QUIET, rich=True, wrap=True)
        self._left.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        self._build()
        self.share.edited.connect(self._type_share)
        self.share.stepped.connect(self._step_share)
        self.expected.edited.connect(self._type_expected)
        self.handle.share_dragged.connect(self._set_share)
        for field in (self.share, self.expected):
            field.left.connect(self._show)

    def _build(self) -> None:
        column = aligned_part(self)
        column.setSpacing(Space.SMALL)
        column.addWidget(Hairline())
        fields = AlignedRow(spacing=Space.GAP)
        fields.addWidget(self.share, 1)
        fields.addWidget(self.expected, 1)
        column.addLayout(fields)
        ends = AlignedRow(spacing=Space.SMALL)
        top = Qt.AlignmentFlag.AlignTop
        ends.addWidget(IconLabel("swap", size=Space.ICON_CHIP), 0, top)
        ends.addWidget(quiet(self.tr("Less budget, less accurate"), wrap=False), 0, top)
        ends.addWidget(self._left, 1)
        column.addLayout(ends)
        column.addWidget(self.handle)

    @property
    def is_share_wrong(self) -> bool:
        """Whether its field says why there is no price."""
        return self.share in self._wrong

    def ask_size(self) -> None:
        """Go to where a group's size is typed."""
        put_keyboard(self.expected.edit)

    def show_table(self, state: DeskState, table: BaselineTable) -> None:
        self._state, self._table = state, table
        self._show()

    def _show(self) -> None:
        state, table = self._state, self._table
        account = state.account
        of = self.tr("of {0}")
        self.share.set_unit(of.format(words.amount(account.total)) if account else "")
        paid = self.tr(
            "Answered: it costs nothing now. Another share means new noise and a new charge."
        )
        self.share.set_hint(paid if state.is_answered(table) else "")
        self.share.allow_steps(bool(self._own()))
        self._show_field(self.share, words.amount(table.share) if table.share else "")
        self.expected.set_unit(accuracy_words.counted(state.study, table.of))
        grouped = self.tr("if a &group has about")
        self.expected.set_label(grouped if table.by else self.tr("if &there are about"))
        self.expected.set_hint(self.tr("Your estimate, not read from the data."))
        self._show_field(self.expected, words.grouped(table.expected) if table.expected else "")
        self._show_handle()

    def _show_field(self, field: LineField, text: str) -> None:
        """Show a value; a wrong text stays until the value is set, by this field or elsewhere."""
        if field in self._wrong and not text:
            field.set_error(self._wrong[field])
            return
        was_wrong = self._wrong.pop(field, "")
        if was_wrong or not field.edit.hasFocus():
            field.set_error("")
            field.set_text(text)

    # --- the handle -----------------------------------------------------------------------------

    def _own(self) -> int:
        share = self._table.share
        return share.units if share is not None and share.measure == self._state.measure else 0

    def _least(self) -> int:
        return study_edits.as_measure(LEAST_SHARE, self._state.measure).units

    def _most(self) -> int:
        """The largest price that it can have: what is left, and its own."""
        if self._state.account is None:
            return max(self._own(), study_edits.as_measure(Epsilon(MICRO), "epsilon").units)
        paid = self._state.to_pay(self._table)
        return max(0, self._state.left_after + (paid.units if paid is not None else 0))

    def _show_handle(self) -> None:
        state, own, most, least = self._state, self._own(), self._most(), self._least()
        low = min(max(least, most // (100 if state.measure == "epsilon" else 10_000)), own or least)
        end, per_one = max(most, own, least + 1), zero(state.measure).PER_ONE
        is_answered = state.is_answered(self._table)
        self.handle.set_range_of_shares(low, end, most, per_one, own > most and not is_answered)
        self.handle.setEnabled(end > least)
        template = self.tr("More accurate, more budget. <b>Up to {0} available.</b>")
        self._left.setText(template.format(words.amount_of_units(most, state.measure)))
        margin = baseline_words.margin(state, self._table)
        cost = words.amount(self._table.share) if self._table.share is not None else ""
        self.handle.set_share(own, margin, ", ".join(filter(None, (cost, margin))))

    # --- edits ----------------------------------------------------------------------------------

    def _set_share(self, units: int) -> None:
        share = share_of(self._state.measure, units)
        self.changed.emit(self._table.at_share(share), "share")

    def _step_share(self, step: int) -> None:
        """One unit of the share's second digit, never beyond what is left."""
        own, most = self._own(), self._most()
        if own:
            wanted = own + step * max(1, int(unit_of_second_digit(Fraction(own), step)))
            units = min(max(wanted, self._least()), max(most, own))
            self.share.set_text(words.amount_of_units(units, self._state.measure))
            self._set_share(units)

    def _type_share(self, text: str) -> None:
        share = typed_numbers.share_from_text(self._state.measure, text)
        if isinstance(share, str):
            self._wrong[self.share] = self.tr("Type an amount such as 0.1.")
            self.share.set_error(self._wrong[self.share])
            self.changed.emit(self._table.at_share(None), "share")
            return
        self._be_right(self.share)
        self._set_share(share.units)

    def _type_expected(self, text: str) -> None:
        number = typed_numbers.whole_from_text(text)
        if text.strip() and not (number is not None and 1 <= number <= limits.ROW_CAP):
            self._wrong[self.expected] = self.tr("Type a whole number of 1 or more.")
            self.expected.set_error(self._wrong[self.expected])
            number = None
        else:
            self._be_right(self.expected)
        self.changed.emit(replace(self._table, expected=number), "expected")

    def _be_right(self, field: LineField) -> None:
        self._wrong.pop(field, None)
        field.set_error("")
