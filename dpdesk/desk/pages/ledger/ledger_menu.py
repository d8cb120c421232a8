# SPDX-License-Identifier: Apache-2.0
"""The menu of the ledger's dialogs; each is imported when it is opened."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QWidget

from dpdesk.desk.core.session import Session


class LedgerMenu(QMenu):
    """Backup, restoration, move and export.

    Signals:
        changed: the ledger is another one now.
    """

    changed = Signal()

    def __init__(self, window: QWidget, session: Session) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self.setTitle(self.tr("&Ledger"))
        self.addAction(self.tr("&Back up…")).triggered.connect(self.open_backup)
        self.addAction(self.tr("&Restore a ledger…")).triggered.connect(self.open_restore)
        self.addAction(self.tr("&Move to another computer…")).triggered.connect(self.open_move)
        self.addAction(self.tr("&Export for an auditor…")).triggered.connect(self.open_export)

    def open_backup(self) -> None:
        """Back up the ledger."""
        from dpdesk.desk.pages.ledger.backup_dialog import BackupDialog

        BackupDialog(self._window, self._session).open()

    def open_restore(self) -> None:
        """Restore a backup, or go on with a moved ledger."""
        from dpdesk.desk.pages.ledger.restore_dialog import RestoreDialog

        dialog = RestoreDialog(self._window, self._session)
        dialog.changed.connect(self.changed)
        dialog.open()

    def open_move(self) -> None:
        """Move the ledger to another computer."""
        from dpdesk.desk.pages.ledger.move_dialog import MoveDialog

        dialog = MoveDialog(self._window, self._session)
        dialog.changed.connect(self.changed)
        dialog.open()

    def open_export(self) -> None:
        """Export the entries for an auditor."""
        from dpdesk.desk.pages.ledger.export_dialog import ExportDialog

        ExportDialog(self._window, self._session).open()
