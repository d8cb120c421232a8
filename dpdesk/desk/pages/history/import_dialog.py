# SPDX-License-Identifier: Apache-2.0
"""Reading own bundles back into a ledger that lacks what they state."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from dpdesk.desk.pages.working_dialog import typed_reason
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.inputs.field import LineField


class ImportBundlesDialog(Dialog):
    """Asks why the ledger may lack what own bundles state."""

    def __init__(self, window: QWidget) -> None:
        title = QCoreApplication.translate("ImportBundlesDialog", "Import bundles?")
        text = QCoreApplication.translate(
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
