# SPDX-License-Identifier: Apache-2.0
"""Exporting every entry for an auditor, signed."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.ledger.ledger_dialog import BACKUPS, LedgerDialog
from dpdesk.desk.pages.working_dialog import signing_passphrase
from dpdesk.release.backup.export import export_files, write_export
from dpdesk.release.ledger import Ledger
from dpdesk.release.signing import keys
from dpdesk.study.problem import refuse


class ExportDialog(LedgerDialog):
    """Asks for the passphrase and a file."""

    def __init__(self, window: QWidget, session: Session) -> None:
        title = QCoreApplication.translate("ExportDialog", "Export the ledger for an auditor?")
        text = QCoreApplication.translate(
            "ExportDialog",
            "Every entry as JSON, as a table and as a page to read, with your signature. No "
            "budget changes. It contains reasons and notes, but none of the data.",
        )
        super().__init__(window, session, title, text)
        self.passphrase = signing_passphrase()
        self.show_parts(self.passphrase)
        self.ok = self.add_primary(self.tr("Sign and save…"))

    def ask(self) -> None:
        kinds = self.tr("Exports ({0})").format(BACKUPS)
        self.ask_place(self.tr("Export the ledger"), "dpdesk-ledger.zip", self.write, kinds)

    def write(self, path: Path) -> None:
        home, passphrase = self.session.home, self.passphrase.text

        def work() -> str:
            if not home.ledger.exists():
                raise refuse("backup-no-ledger")
            key = keys.unlock(home.keys, passphrase)
            write_export(path, export_files(Ledger.open(home), key))
            return path.name

        self.begin(work, self._say)

    def _say(self, name: str) -> str:
        self.passphrase.edit.clear()
        return self.tr("{0} is saved. Its README.txt says how to check it.").format(name)
