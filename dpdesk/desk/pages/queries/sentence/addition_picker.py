# SPDX-License-Identifier: Apache-2.0
"""Picks what is added to a query: a group, a condition, or another property."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from dpdesk.desk.pages.queries.sentence.condition_picker import ConditionPicker
from dpdesk.desk.pages.queries.sentence.group_picker import GroupPicker
from dpdesk.desk.pages.queries.sentence.picker import Anchor, Picker
from dpdesk.desk.widgets.inputs.choice_popup import Choice


@dataclass(frozen=True)
class AdditionPicker(Picker):
    """Offers what the statistic can have more of, then that one's own picker."""

    def open(self, at: Anchor) -> None:
        """Offer it."""
        tr = QCoreApplication.translate
        needs = self.query.declaration
        choices = [Choice("where", tr("AdditionPicker", "Only where…"), "sliders")]
        if len(self.query.by) < needs.groups:
            choices.insert(0, Choice("group", tr("AdditionPicker", "For each…"), "tag"))
        if "has" in self.query.parameters.needed:
            text = tr("AdditionPicker", "And with the property…")
            choices.append(Choice("has", text, "switch"))
        at.offer(choices, "", lambda what: self._pickers()[what].open(at))

    def _pickers(self) -> dict[str, Picker]:
        """The pickers of something new, by the keys of the choices."""
        requested = (self.study, self.query, self.done)
        return {
            "group": GroupPicker(*requested, len(self.query.by)),
            "where": ConditionPicker(*requested, "where", len(self.query.where)),
            "has": ConditionPicker(*requested, "has", len(self.query.members.get("has", ()))),
        }
