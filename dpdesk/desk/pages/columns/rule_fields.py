# SPDX-License-Identifier: Apache-2.0
"""What happens to invalid cells: one public rule for each kind of them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.state import DeskState
from dpdesk.desk.text import words
from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.widgets.inputs.field import ChoiceField
from dpdesk.desk.widgets.layouts.aligned import RING, AlignedRow, aligned_part
from dpdesk.study.model.columns import (
    CATEGORY,
    CLAMP,
    DROP,
    Column,
    DateColumn,
    NumberColumn,
    Replace,
    group_name,
)
from dpdesk.study.model.steps.step import Arithmetic, RowStep
from dpdesk.study.model.text_folding import EXACT, FOLDED, has_collision

LOWEST, HIGHEST = "=lowest", "=highest"


class RuleFields(QWidget):
    """Choices for missing, unreadable, outside and unknown cells.

    Signals:
        picked: a rule was chosen; carries its name and the choice, see :func:`rule_of`.
    """

    picked = Signal(str, str)
    ring_room = RING

    def __init__(self) -> None:
        super().__init__()
        self.fields = {
            "missing": ChoiceField(self.tr("&Missing cells")),
            "unparsable": ChoiceField(self.tr("Cells that are &not numbers")),
            "outside": ChoiceField(self.tr("Values outside the &bounds")),
            "unknown": ChoiceField(self.tr("&Other values")),
            "compare": ChoiceField(self.tr("Cells are com&pared")),
        }
        # Not a grid: where two of its cells' fields hide in turns, Qt leaves no room between rows.
        rows = aligned_part(self)
        rows.setSpacing(Space.SMALL)
        # A number or a date has the first three, a category the first and the last two.
        for keys in (("missing", "unparsable", "unknown"), ("outside", "compare")):
            row = AlignedRow(spacing=Space.CARDS)
            for key in keys:
                row.addWidget(self.fields[key], 1, Qt.AlignmentFlag.AlignTop)
            rows.addLayout(row)
        for key, field in self.fields.items():
            field.picked.connect(lambda choice, key=key: self.picked.emit(key, choice))

    def show_column(self, column: Column, missing: tuple[str, ...] = ()) -> None:
        """Show a column's rules.

        Args:
            column: its declaration.
            missing: the study's markers for missing cells.
        """
        self.fields["compare"].set_hint(self._collision() if has_collision(column, missing) else "")
        self.show_columns((column,))

    def show_columns(self, columns: tuple[Column, ...]) -> None:
        """Show the rules of columns of one kind; none is chosen where they differ."""
        self._name_oddities(columns[0])
        for key, field in self.fields.items():
            rules = [getattr(column, key, None) for column in columns]
            applies = rules[0] is not None and not all(_never(c, key) for c in columns)
            field.setVisible(applies)
            if applies:
                offers = [self._offers(column, key) for column in _unlike(columns, key)]
                shared = set.intersection(*(set(offer) for offer in offers))
                chosen = {_key(c, rule) for c, rule in zip(columns, rules, strict=True)}
                one = next(iter(chosen)) if len(chosen) == 1 else None
                field.set_choices([offer for offer in offers[0] if offer in shared], one)

    def _collision(self) -> str:
        return self.tr(
            "Case counts here: two texts, or a text and a missing marker, differ only in case."
        )

    def _name_oddities(self, column: Column) -> None:
        dates = isinstance(column, DateColumn)
        self.fields["unparsable"].set_label(
            self.tr("Cells that are &not dates")
            if dates
            else self.tr("Results that are &no number")
            if column.made_from is not None
            else self.tr("Cells that are &not numbers")
        )
        self.fields["outside"].set_label(
            self.tr("Days outside the &period") if dates else self.tr("Values outside the &bounds")
        )

    def show_problems(self, state: DeskState, path: str) -> None:
        """Put each problem of a rule at its field."""
        for key, field in self.fields.items():
            problems = state.problems_at(f"{path}.{key}")
            field.set_error(words.problem_sentence(problems[0]) if problems else "")

    def _offers(self, column: Column, key: str) -> list[tuple[str, str]]:
        """The usual rules and, where it is none of them, the declared constant."""
        if key == "compare":
            folded = self.tr("Ignoring case and surrounding spaces")
            return [(FOLDED, folded), (EXACT, self.tr("Exactly as written"))]
        offers = [(DROP, self.tr("Leave the row out")), *self._usual(column, key)]
        rule = getattr(column, key)
        chosen = _key(column, rule)
        if isinstance(rule, Replace) and chosen not in dict(offers):
            offers.append((chosen, self.tr("Count as {0}").format(_shown(column, rule))))
        return offers

    def _usual(self, column: Column, key: str) -> list[tuple[str, str]]:
        dates = isinstance(column, DateColumn)
        if key == "outside":
            nearest = (
                self.tr("Count as nearest day") if dates else self.tr("Count as nearest bound")
            )
            return [(CLAMP, nearest)]
        if dates:
            ends = (self.tr("Count as first day"), self.tr("Count as last day"))
        elif isinstance(column, NumberColumn):
            ends = (self.tr("Count as lowest"), self.tr("Count as highest"))
        else:
            missing = key == "missing"
            group = self.tr("Count as (missing)") if missing else self.tr("Count as (other)")
            return [(CATEGORY, group)]
        offers = zip((LOWEST, HIGHEST), ends, _ends(column), strict=True)
        return [(choice, text) for choice, text, constant in offers if constant is not None]


def _never(column: Column, key: str) -> bool:
    """Whether a derived column has no cells that a rule is about."""
    step = column.made_from
    if step is None:
        return False
    divides = isinstance(step, Arithmetic) and step.operation == "divide"
    has_value = isinstance(step, RowStep) and not divides
    return key == "compare" or (key == "unparsable" and has_value)


def rule_of(column: Column, choice: str) -> Any:
    """The rule that a choice means for a column: of an end, the column's own."""
    if choice not in (LOWEST, HIGHEST):
        return None if choice.startswith("=") else choice
    constant = _ends(column)[choice == HIGHEST]
    return None if constant is None else Replace(constant)


def _unlike(columns: tuple[Column, ...], key: str) -> list[Column]:
    """The first of the columns of each offer: thousands of columns have a handful of them."""
    found: dict[object, Column] = {}
    for column in columns:
        rule = getattr(column, key)
        # What is printed for a constant depends on the column's labels, too.
        own = id(column) if isinstance(rule, Replace) else None
        has_ends = tuple(end is not None for end in _ends(column))
        found.setdefault((str(rule), has_ends, own), column)
    return list(found.values())


def _ends(column: Column) -> tuple[Decimal | str | None, Decimal | str | None]:
    """The constants at both ends of what is declared, where there are any."""
    if isinstance(column, NumberColumn):
        return column.lower, column.upper
    if isinstance(column, DateColumn):
        first, last = (day.isoformat() if day else None for day in (column.first, column.last))
        return first, last
    return None, None


def _shown(column: Column, rule: Replace) -> str:
    """A constant as it is printed: a code by its name."""
    return group_name(column, str(rule.value))


def _key(column: Column, rule: Any) -> str:
    """The choice that means a rule."""
    if not isinstance(rule, Replace):
        return str(rule)
    ends = _ends(column)
    return (LOWEST, HIGHEST)[ends.index(rule.value)] if rule.value in ends else f"={rule.value}"
