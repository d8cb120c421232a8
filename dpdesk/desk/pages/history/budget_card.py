# SPDX-License-Identifier: Apache-2.0
"""The card in History that shows an account's budget over time."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from dpdesk.desk.plots.budget_plot import BudgetPlot
from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.labels.label import heading
from dpdesk.desk.widgets.layouts.aligned import AlignedRow
from dpdesk.desk.widgets.tab_stop import read_as_laid_out
from dpdesk.release.ledger import HistoryEntry
from dpdesk.release.ledger.spending.budget_steps import budget_steps


class BudgetCard(Card):
    """What an account has spent and reserved, entry by entry."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._heading = heading("", wrap=True)
        self.plot = BudgetPlot()
        head = AlignedRow(spacing=Space.SMALL)
        head.addWidget(self._heading, 1)
        head.addWidget(self.plot.tools, 0, Qt.AlignmentFlag.AlignTop)
        self.body.addLayout(head)
        self.body.addWidget(self.plot)
        read_as_laid_out(self)

    @property
    def title(self) -> str:
        return self._heading.text()

    def show_account(self, history: Iterable[HistoryEntry], account: str) -> None:
        """Show an account's budget; hide where there is nothing to show.

        Args:
            history: every entry of the ledger, oldest first.
            account: whose; empty hides the card.
        """
        steps = budget_steps(history, account) if account else ()
        self._heading.setText(self.tr("Budget over time: {0}").format(account))
        self.plot.show_steps(account, steps)
        self.setVisible(bool(steps))
