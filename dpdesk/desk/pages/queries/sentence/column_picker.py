# SPDX-License-Identifier: Apache-2.0
"""Picks the column that a statistic is about, or several yes/no columns."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from dpdesk.desk.core.edits import query_edits
from dpdesk.desk.core.edits.query_edits import fits
from dpdesk.desk.pages.queries.sentence.picker import NOTHING, Anchor, Picker, described_first
from dpdesk.desk.widgets.inputs.choice_popup import Choice
from dpdesk.study.model.columns import YesNoColumn, column_title
from dpdesk.study.model.parameters import MostCommonParameters

SEVERAL = "\0several"


@dataclass(frozen=True)
class ColumnPicker(Picker):
    """Offers the columns that fit the statistic."""

    def open(self, at: Anchor) -> None:
        """Offer them; the most common value may be of several columns."""
        tr = QCoreApplication.translate
        fitting = [c for c in self.study.columns if fits(c, self.query.statistic)]
        choices = [Choice(c.name, column_title(c), "hash") for c in described_first(fitting)]
        if isinstance(self.query.parameters, MostCommonParameters) and len(self._yes_no()) > 1:
            text = tr("ColumnPicker", "Several yes/no columns…")
            choices.append(Choice(SEVERAL, text, "switch"))
        if not choices:
            text = tr("ColumnPicker", "No column of that kind is declared in Columns yet")
            choices = [Choice(NOTHING, text, enabled=False)]
        picked = self.query.column or ""
        at.offer(choices, picked, lambda key: self._pick(key) if key != SEVERAL else self._more(at))

    def _pick(self, name: str) -> None:
        changed = self.query.having(column=name, columns=())
        if self.query.column != name:
            cleared = changed.having(candidates=(), edges=())
            changed = query_edits.set_statistic(self.study, cleared, self.query.statistic)
        self.done(changed)

    def _yes_no(self) -> list[YesNoColumn]:
        return [c for c in self.study.columns if isinstance(c, YesNoColumn)]

    def _more(self, at: Anchor) -> None:
        choices = [Choice(c.name, column_title(c), "switch") for c in self._yes_no()]
        at.offer_several(choices, self.query.members.get("columns", ()), self._pick_several)

    def _pick_several(self, names: tuple[str, ...]) -> None:
        if names:
            top = min(self.query.parameters.draws, len(names))
            self.done(self.query.having(column=None, columns=tuple(names), top=top))
