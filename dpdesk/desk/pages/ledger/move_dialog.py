# SPDX-License-Identifier: Apache-2.0
"""Moving the ledger to another computer: it is closed here."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.ledger.ledger_dialog import BACKUPS, LedgerDialog
from dpdesk.desk.text import words
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.desk.widgets.inputs.toggle import Toggle
from dpdesk.release.backup.move import move_away, typed_code
from dpdesk.study.problem import Refused


class MoveDialog(LedgerDialog):
    """Asks for the new computer's code, closes the ledger and writes it."""

    def __init__(self, window: QWidget, session: Session) -> None:
        title = QCoreApplication.translate("MoveDialog", "Move to another computer?")
        text = QCoreApplication.translate(
            "MoveDialog",
            "The ledger closes here and continues there, with all spending and the remaining "
            "budget. You can then release nothing from its accounts on this computer.",
        )
        super().__init__(window, session, title, text, Role.DANGER)
        hint = self.tr("On the new computer: Tools, Ledger, Restore a ledger, Show the code.")
        self.code = LineField(self.tr("&Code that the new computer shows"), hint)
        self.with_key = Toggle(self.tr("Include the signing key, protected by its passphrase"))
        self.show_parts(self.code, self.with_key)
        self.ok = self.add_danger(self.tr("Close the ledger and save it…"))

    def ask(self) -> None:
        self.code.set_error("")
        try:
            typed_code(self.code.text)
        except Refused as refused:
            self.code.refuse(words.problem_sentence(refused.problems[0]))
            return
        kinds = self.tr("Backups ({0})").format(BACKUPS)
        self.ask_place(self.tr("Move the ledger"), "dpdesk-move.zip", self.write, kinds)

    def write(self, path: Path) -> None:
        given = (self.session.home, path, self.code.text, self.with_key.isChecked())
        self.begin(partial(move_away, *given), partial(self._say, path.name))

    def _say(self, name: str, _entries: object) -> str:
        return self.tr("The ledger is closed here; restore {0} on the new computer.").format(name)
