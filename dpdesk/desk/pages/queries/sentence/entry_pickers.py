# SPDX-License-Identifier: Apache-2.0
"""The pickers of delayed entry: its column, and what becomes of those who enter too late."""

from __future__ import annotations

from dataclasses import dataclass

from dpdesk.desk.pages.queries.sentence.picker import Picker, described_first
from dpdesk.desk.pages.sentence.anchor import Anchor
from dpdesk.desk.text.translating import tr
from dpdesk.desk.widgets.inputs.choice_popup import Choice
from dpdesk.study.model.columns import NumberColumn, column_title
from dpdesk.study.model.parameters import TimeToEventParameters

START = ""


@dataclass(frozen=True)
class EntryPicker(Picker):
    """Picks the column that says when a row came under observation."""

    def open(self, at: Anchor) -> None:
        """Offer that all are there from the start, then number columns but the time."""
        numbers = [one for one in self.columns if isinstance(one, NumberColumn)]
        fitting = [one for one in numbers if one.name != self.query.column]
        choices = [Choice(START, tr("EntryPicker", "The start: everybody is there"))]
        choices += [Choice(one.name, column_title(one), "hash") for one in described_first(fitting)]
        at.offer(choices, self.query.members.get("entry", START), self._pick)

    def _pick(self, name: str) -> None:
        if name == START:
            self.done(self.query.having(entry=None, entry_edges=(), late=None))
            return
        own = self.query.parameters_as(TimeToEventParameters)
        # Its bins begin where those of the time do, until others are declared.
        begins = own.entry_edges or own.edges
        self.done(self.query.having(entry=name, entry_edges=begins, late=own.late or "leave-out"))


@dataclass(frozen=True)
class LatePicker(Picker):
    """Picks what becomes of a row whose entry is not before its time."""

    def open(self, at: Anchor) -> None:
        """Offer both."""
        choices = [Choice(key, text) for key, text in late_words().items()]
        at.offer(choices, self.query.members.get("late", ""), self._pick)

    def _pick(self, key: str) -> None:
        self.done(self.query.having(late=key))


def late_words() -> dict[str, str]:
    """What becomes of a row that enters too late."""
    return {
        "leave-out": tr("EntryPicker", "left out"),
        "last-bin": tr("EntryPicker", "at risk in the last bin"),
    }
