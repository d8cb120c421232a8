# SPDX-License-Identifier: Apache-2.0
"""What the declared bounds mean: the most that one person can change a sum."""

from __future__ import annotations

from decimal import Decimal

from dpdesk.desk.core import words
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.label import Label
from dpdesk.study.columns import Column, NumberColumn
from dpdesk.study.unit import Unit


class SensitivityCard(Card):
    """A sentence about a number column with bounds; hidden for everything else."""

    def __init__(self) -> None:
        super().__init__(fill=Role.INSET)
        self._sentence = Label(rich=True, wrap=True)
        self.body.addWidget(self._sentence)

    def show_column(self, column: Column, unit: Unit | None) -> None:
        """Say it for a column, where there is something to say."""
        far = _farthest(column)
        self.setVisible(far is not None and unit is not None)
        if far is None or unit is None:
            return
        template = self.tr(
            "<b>Sensitivity</b>: the most one person can change a sum is %n row(s) × {0} {1} = "
            "<b>{2} {1}</b>.",
            "",
            unit.max_rows,
        )
        each, total = (words.localised(words.plain(v)) for v in (far, far * unit.max_rows))
        self._sentence.setText(template.format(each, column.label, total))


def _farthest(column: Column) -> Decimal | None:
    """The bound that lies farther from zero, where both are declared in order."""
    if not isinstance(column, NumberColumn) or column.lower is None or column.upper is None:
        return None
    return max(abs(column.lower), abs(column.upper)) if column.upper > column.lower else None
