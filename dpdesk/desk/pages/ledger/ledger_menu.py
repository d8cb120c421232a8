# SPDX-License-Identifier: Apache-2.0
"""The menu of the ledger's dialogs; each is imported when it is opened."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QWidget

from dpdesk.desk.core.session import Session


class LedgerMenu(QMenu):
    """Backup, restoration, move, series, second persons and export.

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
        self._add_series()
        self.addSeparator()
        self.addAction(self.tr("&Export for an auditor…")).triggered.connect(self.open_export)

    def _add_series(self) -> None:
        self.addSeparator()
        self._plan = self.addAction(self.tr("&Plan a series of releases…"))
        self._plan.triggered.connect(self.open_new_series)
        self.addAction(self.tr("E&nd a series…")).triggered.connect(self.open_end_series)
        self.addSeparator()
        self._second = self.addAction(self.tr("Require a &second person…"))
        self._second.triggered.connect(self.open_second_person)
        self.aboutToShow.connect(self._enable)

    def _enable(self) -> None:
        state = self._session.state
        is_planned = self._session.document.is_open and not state.blocking
        self._plan.setEnabled(is_planned and state.account is not None)
        self._second.setEnabled(bool(self._session.accounts.states))

    def open_new_series(self) -> None:
        from dpdesk.desk.pages.ledger.series_dialog import NewSeriesDialog

        NewSeriesDialog(self._window, self._session).open()

    def open_end_series(self) -> None:
        from dpdesk.desk.pages.ledger.series_dialog import EndSeriesDialog

        found = tuple(s for account in self._session.accounts.states for s in account.series)
        EndSeriesDialog(self._window, self._session, found).open()

    def open_second_person(self) -> None:
        """Require a second person's signature for an account, or change whose it is."""
        from dpdesk.desk.pages.keys.require_dialog import RequireSecondPersonDialog

        budget = self._session.state.study.budget
        own = budget.account if budget else ""
        names = tuple(account.name for account in self._session.accounts.states)
        names = tuple(sorted(names, key=lambda name: name != own))
        if names:
            dialog = RequireSecondPersonDialog(self._window, self._session, names)
            dialog.changed.connect(self.changed)
            dialog.open()

    def open_backup(self) -> None:
        from dpdesk.desk.pages.ledger.backup_dialog import BackupDialog

        BackupDialog(self._window, self._session).open()

    def open_restore(self) -> None:
        from dpdesk.desk.pages.ledger.backup_dialog import RestoreDialog

        dialog = RestoreDialog(self._window, self._session)
        dialog.changed.connect(self.changed)
        dialog.open()

    def open_move(self) -> None:
        from dpdesk.desk.pages.ledger.backup_dialog import MoveDialog

        dialog = MoveDialog(self._window, self._session)
        dialog.changed.connect(self.changed)
        dialog.open()

    def open_export(self) -> None:
        from dpdesk.desk.pages.ledger.backup_dialog import ExportDialog

        ExportDialog(self._window, self._session).open()
