# SPDX-License-Identifier: Apache-2.0
"""Copies of the ledger in one file: its backup, an export, a move, and what restores it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.file_dialogs import existing_file
from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.ledger.ledger_dialog import BACKUPS, LedgerDialog
from dpdesk.desk.pages.working_dialog import signing_passphrase
from dpdesk.desk.text import words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.desk.widgets.inputs.toggle import Toggle
from dpdesk.desk.widgets.labels.banner import Tone
from dpdesk.release.backup.archive import write_backup
from dpdesk.release.backup.export import export_files, write_export
from dpdesk.release.backup.move import expect_move, move_away, shown_code, typed_code
from dpdesk.release.backup.restore import restore_backup
from dpdesk.release.ledger import Entry, Ledger
from dpdesk.release.signing import keys
from dpdesk.study.problem import Refused, refuse


class BackupDialog(LedgerDialog):
    """Says what a backup is good for, and writes one."""

    sign = "parcel"

    def __init__(self, window: QWidget, session: Session) -> None:
        title = tr("BackupDialog", "Back up the ledger?")
        text = tr(
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
        return self.tr("{0} contains the ledger; entries: %n.", "", len(entries)).format(name)


class ExportDialog(LedgerDialog):
    """Asks for the passphrase and a file."""

    def __init__(self, window: QWidget, session: Session) -> None:
        title = tr("ExportDialog", "Export the ledger for an auditor?")
        text = tr(
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


class MoveDialog(LedgerDialog):
    """Asks for the new computer's code, closes the ledger and writes it."""

    def __init__(self, window: QWidget, session: Session) -> None:
        title = tr("MoveDialog", "Move to another computer?")
        text = tr(
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


class RestoreDialog(LedgerDialog):
    """Says what restoring means, shows the code of a move, and restores."""

    def __init__(self, window: QWidget, session: Session) -> None:
        title = tr("RestoreDialog", "Restore a ledger?")
        text = tr(
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
