# SPDX-License-Identifier: Apache-2.0
"""What a Table 1 may cost, and about how large its groups are."""

from __future__ import annotations

from dpdesk.desk.pages.queries.accuracy.budget_fields import BudgetFields
from dpdesk.desk.text import accuracy_words, words
from dpdesk.desk.text.baseline import baseline_words
from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.widgets.card import Hairline
from dpdesk.desk.widgets.layouts.aligned import AlignedRow, aligned_part
from dpdesk.study.model.baseline.declared import BaselineTable


class BaselinePrice(BudgetFields[BaselineTable]):
    """The price as a number and as a handle."""

    def __init__(self) -> None:
        super().__init__(BaselineTable(""))
        self.handle.setAccessibleName(self.tr("Budget of this table"))
        self._build()

    def _build(self) -> None:
        column = aligned_part(self)
        column.setSpacing(Space.SMALL)
        column.addWidget(Hairline())
        fields = AlignedRow(spacing=Space.GAP)
        fields.addWidget(self.share, 1)
        fields.addWidget(self.expected, 1)
        column.addLayout(fields)
        ends = AlignedRow(spacing=Space.SMALL)
        self._fill_ends(ends)
        column.addLayout(ends)
        column.addWidget(self.handle)

    def _show(self) -> None:
        state, table = self._state, self._asked
        self._show_total()
        self._name_size(accuracy_words.counted(state.study, table.of))
        self._show_amounts()
        self._show_range()
        margin = baseline_words.margin(state, table)
        cost = words.amount(table.share) if table.share is not None else ""
        self.handle.set_share(self._own(), margin, ", ".join(filter(None, (cost, margin))))
