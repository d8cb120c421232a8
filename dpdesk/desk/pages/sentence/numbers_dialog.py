# SPDX-License-Identifier: Apache-2.0
"""A list of numbers that a query declares: quantiles, candidates, where bins begin."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from dpdesk.desk.text import query_words, typed_numbers
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.desk.widgets.labels.label import quiet

Numbers = tuple[Decimal, ...]
Judge = Callable[[Numbers], str]
Summary = Callable[[Numbers], str]


class NumbersDialog(Dialog):
    """Asks for numbers; says at once what is wrong with them, or what they make.

    Args:
        window: the window to dim.
        title: what the numbers are.
        label: of the field, with its shortcut.
        hint: how they are typed.
        values: as they stand.
        judge: one sentence about what is wrong with a list; empty where nothing is.
        summary: one line about what a good list makes; may be empty.

    Signals:
        decided: the numbers.
    """

    decided = Signal(object)

    def __init__(
        self,
        window: QWidget,
        title: str,
        label: str,
        hint: str,
        values: Numbers,
        judge: Judge,
        summary: Summary,
    ) -> None:
        super().__init__(window, title, icon="sliders")
        self._judge, self._summary = judge, summary
        self.field = LineField(label, hint)
        self.note = quiet("")
        self.body.addWidget(self.field)
        self.body.addWidget(self.note)
        self.add_safe(self.tr("Cancel"))
        self.ok = self.add_primary(self.tr("Use these"))
        self.field.set_text("; ".join(map(query_words.typed, values)))
        self.field.edited.connect(lambda _text: self._show())
        self._show()
        self.field.edit.setFocus()
        self.field.edit.selectAll()

    def numbers(self) -> Numbers | None:
        """The numbers as typed; ``None``, with the reason at the field, where they are wrong."""
        decimals = typed_numbers.numbers_from_text(self.field.text)
        wrong = self.tr("Type plain numbers, such as 18; 65.") if decimals is None else ""
        wrong = wrong or self._judge(decimals or ())
        self.field.set_error(wrong)
        return None if wrong else decimals

    def accept(self) -> None:
        """Hand the numbers over; they must be right."""
        numbers = self.numbers()
        if numbers is None:
            return
        super().accept()
        self.decided.emit(numbers)

    def _show(self) -> None:
        numbers = self.numbers()
        self.note.setText("" if numbers is None else self._summary(numbers))
