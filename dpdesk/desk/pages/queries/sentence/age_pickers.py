# SPDX-License-Identifier: Apache-2.0
"""The pickers of a standardised rate or ratio: its age groups, and its standard population."""

from __future__ import annotations

from dataclasses import dataclass

from dpdesk.desk.core.edits import query_edits
from dpdesk.desk.pages.queries.sentence.numbers_picker import MemberNumbers, NumbersPicker
from dpdesk.desk.pages.queries.sentence.picker import NOTHING, Picker, described_first
from dpdesk.desk.pages.sentence.anchor import Anchor
from dpdesk.desk.text.language import language
from dpdesk.desk.text.translating import tr
from dpdesk.desk.widgets.inputs.choice_popup import Choice
from dpdesk.study.model.columns import NumberColumn, column_title
from dpdesk.study.model.groupings import column_of
from dpdesk.study.model.parameters import OWN_WEIGHTS
from dpdesk.study.text.title_words import STANDARDS


@dataclass(frozen=True)
class AgesPicker(Picker):
    """Picks the column of the age groups."""

    def open(self, at: Anchor) -> None:
        """Offer categories, and numbers, which are cut at the bands of the standard."""
        taken = {self.query.column, *map(column_of, self.query.by)}
        fitting = [one for one in query_edits.age_columns(self.study) if one.name not in taken]
        choices = []
        for column in described_first(fitting):
            is_number = isinstance(column, NumberColumn)
            text = tr("AgesPicker", "{0} in bins") if is_number else "{0}"
            icon = "hash" if is_number else "tag"
            choices.append(Choice(column.name, text.format(column_title(column)), icon))
        if not choices:
            text = tr("AgesPicker", "No column that makes age groups is declared in Columns yet")
            choices = [Choice(NOTHING, text, enabled=False)]
        at.offer(choices, self.query.members.get("over", ""), self._pick)

    def _pick(self, name: str) -> None:
        self.done(query_edits.over_ages(self.study, self.query, name))


@dataclass(frozen=True)
class StandardPicker(Picker):
    """Picks the standard population, or own weights, which are asked for at once."""

    def open(self, at: Anchor) -> None:
        """Offer all that are built in."""
        choices = [Choice(key, language().say(text)) for key, text in STANDARDS.items()]
        at.offer(choices, self.query.members.get("standard", ""), lambda key: self._pick(key, at))

    def _pick(self, key: str, at: Anchor) -> None:
        weights = self.query.members.get("weights", ()) if key == OWN_WEIGHTS else ()
        changed = self.query.having(standard=key, weights=weights)
        self.done(changed)
        if key == OWN_WEIGHTS:
            numbers = MemberNumbers("weights")
            NumbersPicker(self.study, changed, self.done, numbers).open(at)
