# SPDX-License-Identifier: Apache-2.0
"""The custodian's decision when data looks like another account's people."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from dpdesk.desk.text import words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.study.problem import refuse


class SeparatePeopleDialog(Dialog):
    """Asks why people who look known are others; the answer stays on record.

    Args:
        counted: a database counted, so that nobody recognises the people.
        may_pass: whether it can be left unsaid.

    Signals:
        declared: the reason.
        passed: the release is wanted without a word about this account.
    """

    declared = Signal(str)
    passed = Signal()

    def __init__(
        self, window: QWidget, account: str, *, counted: bool = False, may_pass: bool = False
    ) -> None:
        title = tr("SeparatePeopleDialog", "Is this data about the people of “{0}”?")
        text = tr(
            "SeparatePeopleDialog",
            "Many person IDs match. If these are the same people, choose that account in People: "
            "nobody may get a second budget. Nothing was spent.",
        )
        if counted:
            text = tr(
                "SeparatePeopleDialog",
                "A database counted, so dpdesk recognises nobody. If these are the same people, "
                "choose that account in People: nobody may get a second budget. Nothing was spent.",
            )
        super().__init__(window, title.format(account), text, "people", Role.DANGER)
        self.reason = LineField(self.tr("If they are &other people, why?"))
        self.body.addWidget(self.reason)
        self.add_safe(self.tr("Back"))
        if may_pass:
            self.add_other(self.tr("Leave it unsaid")).clicked.connect(self._pass)
        self.add_danger(self.tr("They are other people"))

    def _pass(self) -> None:
        self.reject()
        self.passed.emit()

    def accept(self) -> None:
        """Hand the reason over; there must be one."""
        reason = self.reason.text.strip()
        if not reason:
            self.reason.set_error(words.problem_sentence(refuse("reason-missing").problems[0]))
            return
        super().accept()
        self.declared.emit(reason)
