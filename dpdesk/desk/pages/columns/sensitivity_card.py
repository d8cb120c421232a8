# SPDX-License-Identifier: Apache-2.0
"""What the declared bounds mean: the most that one person can change a sum."""

from __future__ import annotations

from decimal import Decimal
from html import escape

from dpdesk.desk.text import words
from dpdesk.desk.text.language import plain_names
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.labels.label import Label
from dpdesk.study.model.columns import Column, NumberColumn
from dpdesk.study.model.unit import Unit
from dpdesk.study.text.unit_names import names_of


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
            "<b>Sensitivity</b>: one {0} can change a sum by at most {1} × {2} = <b>{3}</b>."
        )
        names, limit = names_of(unit, plain_names()), unit.max_rows
        rows = f"{words.grouped(limit)} {names.row if limit == 1 else names.rows}"
        each, total = (
            f"{words.localised(words.plain(v))} {column.label}".strip() for v in (far, far * limit)
        )
        shown = (names.person, rows, each, total)
        self._sentence.setText(template.format(*map(escape, shown)))


def _farthest(column: Column) -> Decimal | None:
    """The bound that lies farther from zero, where both are declared in order."""
    if not isinstance(column, NumberColumn) or column.lower is None or column.upper is None:
        return None
    return max(abs(column.lower), abs(column.upper)) if column.upper > column.lower else None
