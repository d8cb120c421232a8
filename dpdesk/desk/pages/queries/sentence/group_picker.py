# SPDX-License-Identifier: Apache-2.0
"""Picks what makes groups: categories as they are, numbers in bins, dates by their periods."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

from PySide6.QtCore import QCoreApplication

from dpdesk.desk.core.edits import query_edits
from dpdesk.desk.pages.queries.sentence.numbers_picker import GroupingNumbers, NumbersPicker
from dpdesk.desk.pages.queries.sentence.picker import (
    NOTHING,
    SEPARATOR,
    Anchor,
    Picker,
    described_first,
)
from dpdesk.desk.text import words
from dpdesk.desk.widgets.inputs.choice_popup import Choice
from dpdesk.study.model.columns import Column, DateColumn, NumberColumn, column_title
from dpdesk.study.model.groupings import Bins, Grouping, Periods, column_of
from dpdesk.study.model.periods import PERIODS, Period


@dataclass(frozen=True)
class GroupPicker(Picker):
    """Picks one grouping.

    Attributes:
        place: where it stands; behind the last one it is new.
    """

    place: int

    def open(self, at: Anchor) -> None:
        """Offer what can make groups, and for one that is there to let go of it."""
        tr = QCoreApplication.translate
        choices = [
            choice
            for column in described_first(self.study.columns)
            if column.name not in self._taken()
            for choice in self._choices(column)
        ]
        now = ""
        if self.place < len(self.query.by):
            now = _key(self.query.by[self.place])
            choices.append(Choice(NOTHING, tr("GroupPicker", "No group"), "cross"))
        if not choices:
            text = tr("GroupPicker", "No column that makes groups is declared in Columns yet")
            choices = [Choice(NOTHING, text, enabled=False)]
        at.offer(choices, now, lambda key: self._pick(key, at))

    def _taken(self) -> set[str]:
        """The columns that make groups already, or whose values are what is named."""
        taken = {column_of(g) for at, g in enumerate(self.query.by) if at != self.place}
        if self.query.column is not None and self.query.declaration.chooses == "group":
            taken.add(self.query.column)
        return taken

    def _choices(self, column: Column) -> list[Choice]:
        title = column_title(column)
        if isinstance(column, NumberColumn):
            text = QCoreApplication.translate("GroupPicker", "{0} in bins…").format(title)
            return [Choice(_key(Bins(column.name, ())), text, "hash")]
        if isinstance(column, DateColumn):
            made = [Periods(column.name, period) for period in PERIODS]
            return [Choice(_key(p), words.grouped_by(self.study, p), "calendar") for p in made]
        return [Choice(_key(column.name), title, "tag")]

    def _pick(self, key: str, at: Anchor) -> None:
        """Take a grouping over; where it is in bins, ask at once where they begin."""
        by: list[Grouping] = list(self.query.by)
        made = [] if key == NOTHING else [self._grouping(key)]
        by[self.place : self.place + 1] = made
        changed = replace(self.query, by=tuple(by))
        self.done(changed)
        if made and isinstance(made[0], Bins):
            numbers = GroupingNumbers(self.place)
            NumbersPicker(self.study, changed, self.done, numbers).open(at)

    def _grouping(self, key: str) -> Grouping:
        kind, _, name = key.partition(SEPARATOR)
        if not name:
            return key
        if kind == "bins":
            return Bins(name, query_edits.on_grid(self.study.column(name), 5)[1:-1])
        return Periods(name, cast(Period, kind))


def _key(grouping: Grouping) -> str:
    if isinstance(grouping, Bins):
        return f"bins{SEPARATOR}{grouping.column}"
    if isinstance(grouping, Periods):
        return f"{grouping.period}{SEPARATOR}{grouping.column}"
    return grouping
