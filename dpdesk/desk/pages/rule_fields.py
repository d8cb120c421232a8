# SPDX-License-Identifier: Apache-2.0
"""What happens to odd cells: one public rule for each kind of oddity."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from dpdesk.desk.core import words
from dpdesk.desk.core.state import DeskState
from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.widgets.field import ChoiceField
from dpdesk.study.columns import CATEGORY, CLAMP, DROP, Column, NumberColumn, Replace

LOWEST, HIGHEST = "=lowest", "=highest"


class RuleFields(QWidget):
    """Choices for missing, unreadable, outside and unknown cells.

    Signals:
        picked: a rule was chosen; carries its name and the rule.
    """

    picked = Signal(str, object)

    def __init__(self) -> None:
        super().__init__()
        self._column: Column | None = None
        self.fields = {
            "missing": ChoiceField(self.tr("&Missing cells")),
            "unparsable": ChoiceField(self.tr("Cells that are &no number")),
            "outside": ChoiceField(self.tr("Values out of &bounds")),
            "unknown": ChoiceField(self.tr("&Other values")),
        }
        grid = QGridLayout(self, horizontalSpacing=Space.CARDS, verticalSpacing=Space.TIGHT)
        grid.setContentsMargins(0, 0, 0, 0)
        # A number has the first three, a category the first and the last.
        places = {"missing": (0, 0), "unparsable": (0, 1), "outside": (1, 0), "unknown": (0, 1)}
        for key, field in self.fields.items():
            grid.addWidget(field, *places[key], Qt.AlignmentFlag.AlignTop)
            field.picked.connect(lambda choice, key=key: self._pick(key, choice))

    def show_column(self, column: Column) -> None:
        """Show a column's rules."""
        self._column = column
        for key, field in self.fields.items():
            rule = getattr(column, key, None)
            field.setVisible(rule is not None)
            if rule is not None:
                field.set_choices(self._offers(column, key), _key(column, rule))

    def show_problems(self, state: DeskState, path: str) -> None:
        """Put each problem of a rule at its field."""
        for key, field in self.fields.items():
            found = state.problems_at(f"{path}.{key}")
            field.set_error(words.problem_sentence(found[0]) if found else "")

    def _offers(self, column: Column, key: str) -> list[tuple[str, str]]:
        leave_out = (DROP, self.tr("Leave the row out"))
        if key == "outside":
            return [(CLAMP, self.tr("Count as nearest bound")), leave_out]
        if isinstance(column, NumberColumn):
            return [
                leave_out,
                (LOWEST, self.tr("Count as lowest")),
                (HIGHEST, self.tr("Count as highest")),
                *self._own(column, key),
            ]
        group = self.tr("Count as (missing)") if key == "missing" else self.tr("Count as (other)")
        return [leave_out, (CATEGORY, group), *self._own(column, key)]

    def _own(self, column: Column, key: str) -> list[tuple[str, str]]:
        """A declared constant that is not among the usual ones."""
        rule = getattr(column, key)
        found = _key(column, rule)
        if not isinstance(rule, Replace) or found in (LOWEST, HIGHEST):
            return []
        return [(found, self.tr("Count as {0}").format(rule.value))]

    def _pick(self, key: str, choice: str) -> None:
        rule: Any = choice
        column = self._column
        if isinstance(column, NumberColumn) and choice in (LOWEST, HIGHEST):
            bound = column.lower if choice == LOWEST else column.upper
            rule = Replace(bound if bound is not None else Decimal(0))
        elif choice.startswith("="):
            return
        self.picked.emit(key, rule)


def _key(column: Column, rule: Any) -> str:
    """The choice that stands for a rule."""
    if not isinstance(rule, Replace):
        return str(rule)
    if isinstance(column, NumberColumn):
        if rule.value == column.lower:
            return LOWEST
        if rule.value == column.upper:
            return HIGHEST
    return f"={rule.value}"
