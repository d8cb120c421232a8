# SPDX-License-Identifier: Apache-2.0
"""Backing up the ledger to one file."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.ledger.ledger_dialog import BACKUPS, LedgerDialog
from dpdesk.desk.widgets.inputs.toggle import Toggle
from dpdesk.release.backup.archive import write_backup
from dpdesk.release.ledger import Entry


class BackupDialog(LedgerDialog):
    """Says what a backup is good for, and writes one."""

    sign = "parcel"

    def __init__(self, window: QWidget, session: Session) -> None:
        title = QCoreApplication.translate("BackupDialog", "Back up the ledger?")
        text = QCoreApplication.translate(
            "BackupDialog",
            "One file with all accounts and entries, without later spending. Restoring it brings "
            "no budget back: its accounts are locked until you unlock them with a reason. Keep "
            "this file as secret as the data.",
        )
        super().__init__(window, session, title, text)
        self.with_key = Toggle(self.tr("Include the signing key, protected by its passphrase"))
        self.show_parts(self.with_key)
        self.ok = self.add_primary(self.tr("Save backup…"))

    def ask(self) -> None:
        kinds = self.tr("Backups ({0})").format(BACKUPS)
        self.ask_place(self.tr("Back up the ledger"), "dpdesk-backup.zip", self.write, kinds)

    def write(self, path: Path) -> None:
        home, with_key = self.session.home, self.with_key.isChecked()
        self.begin(partial(write_backup, home, path, with_key), partial(self._say, path.name))

    def _say(self, name: str, entries: tuple[Entry, ...]) -> str:
        text = self.tr("{0} contains the ledger; entries: %n.", "", len(entries))
        return text.format(name)
