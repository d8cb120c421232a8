# SPDX-License-Identifier: Apache-2.0
"""A ledger that lacks entries: reconciling it, and reading own bundles back into it."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.working_dialog import typed_reason
from dpdesk.desk.text import words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.study.problem import Refused


class ReconcileDialog(Dialog):
    """Asks how an older copy of the ledger came to be used."""

    def __init__(self, window: QWidget, session: Session) -> None:
        title = tr("ReconcileDialog", "Reconcile the ledger?")
        text = tr(
            "ReconcileDialog",
            "Spending that the older copy has lost is entered in it. Later bundles say that an "
            "older copy may have been used.",
        )
        super().__init__(window, title, text, "history", Role.DANGER)
        self._session = session
        self._show_lost()
        self.reason = LineField(self.tr("&Why an older copy is in use"))
        self.body.addWidget(self.reason)
        self.add_safe(self.tr("Not now"))
        self.add_danger(self.tr("Charge missing spending"))

    def _show_lost(self) -> None:
        # A long name has room in the second column, where it goes on in another line.
        head, each = self.tr("Missing spending"), self.tr("{0}, account {1}")
        try:
            lost = self._session.accounts.ledger().lost()
        except Refused:
            return  # accepting says what is wrong
        if lost:
            amounts = [(name, words.budget(sums.charged)) for name, sums in lost.items()]
            self.add_rows([(head, each.format(amount, name)) for name, amount in amounts])

    def accept(self) -> None:
        try:
            self._session.accounts.ledger().reconcile(self.reason.text.strip())
        except Refused as refused:
            self.reason.refuse(words.problem_sentence(refused.problems[0]))
            return
        super().accept()


class ImportBundlesDialog(Dialog):
    """Asks why the ledger may lack what own bundles state."""

    def __init__(self, window: QWidget) -> None:
        title = tr("ImportBundlesDialog", "Import bundles?")
        text = tr(
            "ImportBundlesDialog",
            "Spending that your own bundles prove and the ledger lacks is charged to its account. "
            "Later bundles say that an older copy may have been used. In an empty ledger, the "
            "accounts are rebuilt with nothing remaining until you raise their totals.",
        )
        super().__init__(window, title, text, "history", Role.DANGER)
        self.reason = LineField(self.tr("&Why the ledger lacks it"))
        self.body.addWidget(self.reason)
        self.add_safe(self.tr("Not now"))
        self.add_danger(self.tr("Import and charge"))

    def accept(self) -> None:
        """Go on with a reason alone."""
        if typed_reason(self.reason) is not None:
            super().accept()
