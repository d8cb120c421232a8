# SPDX-License-Identifier: Apache-2.0
"""Opening a budget account, and raising its total: both are entries that stay for ever."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core import edits, words
from dpdesk.desk.core.session import Session
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.field import LineField
from dpdesk.desk.widgets.label import quiet
from dpdesk.privacy.odds import right_in_100
from dpdesk.study.amount import Epsilon
from dpdesk.study.problem import Refused

FIRST_TOTAL = "1"


class NewAccountDialog(Dialog):
    """Asks for name, total and note of a new account.

    Signals:
        opened: the account is in the ledger; carries its name.
    """

    opened = Signal(str)

    def __init__(self, window: QWidget, session: Session, name: str) -> None:
        title = QCoreApplication.translate("NewAccountDialog", "Open a budget account")
        super().__init__(window, title, icon="scales")
        self._session = session
        self.name = LineField(
            self.tr("&Name"), self.tr("Of the people the data is about, such as diabetes-registry.")
        )
        self.total = LineField(self.tr("&Total, for its whole life"))
        self.note = LineField(self.tr("Who &decided, and when"))
        self.name.set_text(name)
        self.total.set_text(FIRST_TOTAL)
        text = self.tr(
            "One account for one group of people, however many files there are about them. "
            "Every release from their data is paid from it."
        )
        self.body.addWidget(quiet(text))
        for field in (self.name, self.total, self.note):
            self.body.addWidget(field)
        self.add_safe(self.tr("Cancel"))
        self.ok = self.add_primary(self.tr("Open account"))
        self.total.edited.connect(lambda _text: self._explain())
        self._explain()
        self.name.edit.setFocus()

    def _explain(self) -> None:
        found = edits.epsilon_from_text(self.total.text)
        if isinstance(found, Epsilon):
            template = self.tr(
                "A coin-toss guess about any one person could become right at most {0} in 100 "
                "times."
            )
            self.total.set_error("")
            self.total.set_hint(template.format(right_in_100(found)))

    def accept(self) -> None:
        """Open the account, or say what is wrong."""
        total = edits.epsilon_from_text(self.total.text)
        if isinstance(total, str):
            self.total.set_error(self.tr("Type an amount such as 1."))
            self.total.edit.setFocus()
            return
        try:
            self._session.ledger().new_account(
                self.name.text.strip(), total, self.note.text.strip()
            )
        except Refused as refused:
            self.name.set_error(words.problem_sentence(refused.problems[0]))
            self.name.edit.setFocus()
            return
        super().accept()
        self.opened.emit(self.name.text.strip())


class RaiseDialog(Dialog):
    """Asks for a higher total and the reason for it."""

    def __init__(self, window: QWidget, session: Session, name: str, total: Epsilon) -> None:
        title = QCoreApplication.translate("RaiseDialog", "Raise the total of “{0}”?")
        super().__init__(window, title.format(name), icon="scales")
        self._session = session
        self._name = name
        self.total = LineField(self.tr("New &total"))
        self.reason = LineField(self.tr("&Reason, and who decided"))
        self.total.set_text(words.amount(total))
        text = self.tr("The raise is an entry in the ledger. What was released stays spent.")
        self.body.addWidget(quiet(text))
        self.body.addWidget(self.total)
        self.body.addWidget(self.reason)
        self.add_safe(self.tr("Cancel"))
        self.ok = self.add_primary(self.tr("Raise the total"))

    def accept(self) -> None:
        """Raise the total, or say what is wrong."""
        total = edits.epsilon_from_text(self.total.text)
        if isinstance(total, str):
            self.total.set_error(self.tr("Type an amount such as 1."))
            return
        try:
            self._session.ledger().raise_budget(self._name, total, self.reason.text.strip())
        except Refused as refused:
            problem = refused.problems[0]
            field = self.reason if problem.code.startswith(("reason", "text")) else self.total
            field.set_error(words.problem_sentence(problem))
            return
        super().accept()
