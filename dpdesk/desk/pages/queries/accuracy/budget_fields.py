# SPDX-License-Identifier: Apache-2.0
"""What may be spent on a query or a Table 1: as a number and as a handle, beside a group's size."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Generic, TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QWidget

from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.core.state import DeskState
from dpdesk.desk.text import typed_numbers, words
from dpdesk.desk.theme.metrics import Space, Type
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.inputs.accuracy_handle import AccuracyHandle
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.desk.widgets.inputs.step_field import StepField
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label, quiet
from dpdesk.desk.widgets.layouts.aligned import RING
from dpdesk.desk.widgets.tab_stop import put_keyboard
from dpdesk.release.record.totals import share_of
from dpdesk.study import limits
from dpdesk.study.model.amount import MICRO, Epsilon, zero
from dpdesk.study.model.baseline.declared import BaselineTable
from dpdesk.study.model.queries import Query

LEAST_SHARE = Epsilon(1_000)

Kind = TypeVar("Kind", Query, BaselineTable)


class BudgetFields(QWidget, Generic[Kind]):
    """The fields of what is asked, and its handle; a class below lays them out.

    Attributes:
        share: the budget that it may cost.
        expected: about how large a group is.
        handle: the budget once more.

    Signals:
        changed: what is asked was edited; carries it and the name of the edited field.
    """

    changed = Signal(object, str)
    ring_room = RING

    def __init__(self, asked: Kind) -> None:
        super().__init__()
        self._state = DeskState()
        self._asked: Kind = asked
        self._wrong: dict[LineField, str] = {}
        self._stepped: LineField | None = None
        self.share = StepField(self.tr("for this much &budget"))
        self.expected = LineField(self.tr("if a &group has about"))
        self.expected.group_digits()
        self.handle = AccuracyHandle()
        self._left_text = Label(size=Type.QUIET, role=Role.TEXT_QUIET, rich=True, wrap=True)
        self._left_text.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        self.share.edited.connect(self._type_share)
        self.share.stepped.connect(self._step_share)
        self.expected.edited.connect(self._type_expected)
        self.handle.share_dragged.connect(self._set_share)
        for field in (self.share, self.expected):
            field.left.connect(self._show)

    def _fill_ends(self, ends: QBoxLayout) -> None:
        """Above the handle, what its ends are."""
        top = Qt.AlignmentFlag.AlignTop
        ends.addWidget(IconLabel("swap", size=Space.ICON_CHIP), 0, top)
        ends.addWidget(quiet(self.tr("Less budget, less accurate"), wrap=False), 0, top)
        ends.addWidget(self._left_text, 1)

    @abstractmethod
    def _show(self) -> None:
        """Show what is asked, as it is now."""

    @property
    def is_share_wrong(self) -> bool:
        """Whether a field says why there is no share."""
        return self.share in self._wrong

    def ask_size(self) -> None:
        """Go to where a group's size is typed."""
        put_keyboard(self.expected.edit)

    def show_asked(self, state: DeskState, asked: Kind) -> None:
        """Show what a query or a Table 1 costs, and how accurate it is."""
        self._state, self._asked = state, asked
        self._show()

    # --- numbers --------------------------------------------------------------------------------

    def _show_total(self) -> None:
        account = self._state.account
        of = self.tr("of {0}")
        self.share.set_unit(of.format(words.amount(account.total)) if account else "")

    def _name_size(self, counted: str, hint: str = "") -> None:
        """Ask for a group's size in the study's words, and say what it is good for."""
        self.expected.set_unit(counted)
        grouped = self.tr("if a &group has about")
        self.expected.set_label(grouped if self._asked.by else self.tr("if &there are about"))
        self.expected.set_hint(hint or self.tr("Your estimate, not read from the data."))

    def _show_amounts(self) -> None:
        """Show the budget and the size of a group."""
        state, asked = self._state, self._asked
        hint = self._paid_hint() if state.is_answered(asked) else ""
        if asked.id in state.public:
            hint = self.tr("Not needed: the answer is public, and costs nothing.")
        self.share.set_hint(hint)
        self.share.allow_steps(bool(self._own()))
        cost = words.amount(asked.share) if asked.share else ""
        size = words.grouped(asked.expected) if asked.expected else ""
        self._show_field(self.share, cost, asked.share is not None)
        self._show_field(self.expected, size, asked.expected is not None)

    def _paid_hint(self) -> str:
        """That what is answered is free."""
        return self.tr(
            "Answered: it costs nothing now. Another share means new noise and a new charge."
        )

    def _show_field(self, field: LineField, text: str, is_set: bool) -> None:
        """Show a value; a wrong text stays until the value is set, by this field or elsewhere."""
        if field in self._wrong and not is_set:
            field.set_error(self._wrong[field])
            return
        was_wrong = self._wrong.pop(field, "")
        if was_wrong or field is self._stepped or not field.edit.hasFocus():
            field.set_error("")
            field.set_text(text)

    # --- the handle -----------------------------------------------------------------------------

    def _own(self) -> int:
        """Its share; nothing while it is in another measure than the account."""
        share = self._asked.share
        return share.units if share is not None and share.measure == self._state.measure else 0

    def _least(self) -> int:
        return study_edits.as_measure(LEAST_SHARE, self._state.measure).units

    def _most(self) -> int:
        """The largest share that it can have: what is left, and what is to be paid of its own."""
        state, own = self._state, self._own()
        if state.account is None:
            return max(own, study_edits.as_measure(Epsilon(MICRO), state.measure).units)
        to_pay = state.to_pay(self._asked)
        return max(0, state.left_after + min(own, to_pay.units if to_pay is not None else 0))

    def _show_range(self) -> tuple[int, int, int]:
        """Show from what to what the handle goes.

        Returns:
            The lowest and the highest share on it, and the largest that there is budget for.
        """
        state, own, most, least = self._state, self._own(), self._most(), self._least()
        is_answered, is_public = state.is_answered(self._asked), self._asked.id in state.public
        # The same span of accuracy: a hundredth of epsilon is a ten-thousandth of rho.
        span = 100 if state.measure == "epsilon" else 10_000
        low = min(max(least, most // span), max(own, least))
        # The end is what is left, or the own share: it may be more, and can come down.
        end = max(most, own) if most > least else own
        is_over = own > most and not is_answered
        self.handle.set_range_of_shares(low, end, most, zero(state.measure).PER_ONE, is_over)
        self.handle.setEnabled(end > least and not is_public)
        template = self.tr("More accurate, more budget. <b>Up to {0} available.</b>")
        if is_answered:
            # Its handle stands at what was paid, and that may be more than there is now.
            template = self.tr("Already answered. <b>New noise may use up to {0}.</b>")
        elif is_public:
            template = self.tr("Public: no budget is needed.")
        elif most == 0:
            template = self.tr("<b>No budget remains.</b>")
        self._left_text.setText(template.format(words.amount_of_units(most, state.measure)))
        return low, end, most

    # --- edits ----------------------------------------------------------------------------------

    def _be_wrong(self, field: LineField, error: str) -> None:
        """Keep a wrong text; its value is not set, lest its beginning pass for what was meant."""
        self._wrong[field] = error
        field.set_error(error)
        if field is self.expected:
            self.changed.emit(replace(self._asked, expected=None), "expected")
        else:
            self.changed.emit(self._asked.at_share(None), "share")

    def _be_right(self, field: LineField) -> None:
        self._wrong.pop(field, None)
        field.set_error("")

    def _set_share(self, units: int) -> None:
        """Of the smallest parts of the account's measure."""
        share = share_of(self._state.measure, units)
        self.changed.emit(self._asked.at_share(share), "share")

    def _step_share(self, step: int) -> None:
        """One unit of the share's second digit, never beyond what is left."""
        own, most = self._own(), self._most()
        if not own:
            return
        unit = max(1, int(unit_of_second_digit(Fraction(own), step)))
        wanted = max(own + step * unit, self._least())
        with self._stepping(self.share):
            self._set_share(min(wanted, max(most, own)))

    @contextmanager
    def _stepping(self, field: LineField) -> Iterator[None]:
        """The field shows what comes of it, though the keyboard is in it."""
        self._be_right(field)
        self._stepped, before = field, self._state
        try:
            yield
            if self._state is before:  # nothing came of it
                self._show()
        finally:
            self._stepped = None

    def _type_share(self, text: str) -> None:
        share = typed_numbers.share_from_text(self._state.measure, text)
        if isinstance(share, str):
            self._be_wrong(self.share, self.tr("Type an amount such as 0.1."))
            return
        self._be_right(self.share)
        self._set_share(share.units)

    def _type_expected(self, text: str) -> None:
        number = typed_numbers.whole_from_text(text)
        if text.strip() and not (number is not None and 1 <= number <= limits.ROW_CAP):
            self._be_wrong(self.expected, self.tr("Type a whole number of 1 or more."))
            return
        self._be_right(self.expected)
        self.changed.emit(replace(self._asked, expected=number), "expected")


def unit_of_second_digit(value: Fraction, step: int) -> Fraction:
    """By how much a value above 0 changes in a step: 41 to 42, 0.40 to 0.39, 10 to 9.9."""
    exponent = (Decimal(value.numerator) / Decimal(value.denominator)).adjusted()
    first = Fraction(10) ** exponent
    return first / (100 if step < 0 and value == first else 10)
