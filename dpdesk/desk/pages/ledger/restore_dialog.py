# SPDX-License-Identifier: Apache-2.0
"""Restoring a backup, or going on with a ledger that was moved here."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.file_dialogs import existing_file
from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.ledger.ledger_dialog import BACKUPS, LedgerDialog
from dpdesk.desk.text import words
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.labels.banner import Tone
from dpdesk.release.backup.move import expect_move, shown_code
from dpdesk.release.backup.restore import restore_backup
from dpdesk.release.ledger import Ledger
from dpdesk.study.problem import Refused


class RestoreDialog(LedgerDialog):
    """Says what restoring means, shows the code of a move, and restores."""

    def __init__(self, window: QWidget, session: Session) -> None:
        title = QCoreApplication.translate("RestoreDialog", "Restore a ledger?")
        text = QCoreApplication.translate(
            "RestoreDialog",
            "A backup lacks later spending, so its accounts are locked until you unlock them with "
            "a reason. A ledger that you move here needs no lock: first show the code, and type "
            "it on the old computer.",
        )
        super().__init__(window, session, title, text, Role.DANGER)
        self.show_parts()
        self.code = self.add_other(self.tr("Show the code"))
        self.code.clicked.connect(self.show_code)
        self.ok = self.add_danger(self.tr("Choose a file…"))

    def show_code(self) -> None:
        try:
            code = shown_code(expect_move(self.session.home))
        except Refused as refused:
            self.outcome.say(words.problem_sentence(refused.problems[0]), Tone.ERROR)
            return
        text = self.tr(
            "On the old computer: Tools, Ledger, Move to another computer. Its code: {0}"
        )
        self.outcome.say(text.format(code), Tone.INFO)

    def ask(self) -> None:
        kinds = self.tr("Backups ({0})").format(BACKUPS)
        title = self.tr("Restore a ledger")
        if (chosen := existing_file(self, title, "", kinds)) is not None:
            self.read(chosen)

    def read(self, path: Path) -> None:
        self.begin(partial(restore_backup, self.session.home, path), self._say)

    def _say(self, accounts: tuple[str, ...]) -> str:
        self.code.hide()
        names = ", ".join(accounts)
        if any(account.locks for account in Ledger(self.session.home).accounts()):
            text = self.tr(
                "Restored and locked: {0}. Unlock each account in History, with a reason."
            )
            return text.format(names)
        return self.tr("Moved here: {0}. You can now spend the remaining budget.").format(names)
