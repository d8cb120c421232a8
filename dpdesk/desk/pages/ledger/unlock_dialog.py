# SPDX-License-Identifier: Apache-2.0
"""Unlocking an account that is locked because nobody can say what was spent elsewhere."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.ledger.ledger_dialog import LedgerDialog
from dpdesk.desk.pages.working_dialog import typed_reason
from dpdesk.desk.text import words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.release.ledger import AccountState


class UnlockAccountDialog(LedgerDialog):
    """Says why an account is locked, and unlocks it with a reason."""

    sign = "lock"

    def __init__(self, window: QWidget, session: Session, account: AccountState) -> None:
        title = tr("UnlockAccountDialog", "Unlock the account “{0}”?")
        text = tr(
            "UnlockAccountDialog",
            "First make sure that no release made elsewhere is missing here. The reason stays in "
            "the ledger, and every later bundle of the account says that it was unlocked.",
        )
        super().__init__(window, session, title.format(account.name), text, Role.DANGER)
        self._account = account
        self.reason = LineField(self.tr("&Why it may be unlocked, and who decided"))
        whys = {
            "restored": self.tr("Restored from a backup"),
            "rebuilt": self.tr("Rebuilt from bundles"),
            "rolled-back": self.tr("An older copy of the ledger was in use"),
            "moved": self.tr("Moved to another computer"),
        }
        why = ", ".join(whys[lock] for lock in account.locks)
        left = words.budget(account.left)
        self.add_rows([(self.tr("Locked"), why), (self.tr("Remaining, as far as known"), left)])
        self.show_parts(self.reason)
        self.ok = self.add_danger(self.tr("Unlock the account"))

    def ask(self) -> None:
        reason = typed_reason(self.reason)
        if reason is None:
            return
        ledger = self.session.accounts.ledger()
        self.begin(partial(ledger.unlock, self._account.name, reason), self._say)

    def _say(self, account: AccountState) -> str:
        return self.tr("The account is unlocked: {0} remaining.").format(words.budget(account.left))
