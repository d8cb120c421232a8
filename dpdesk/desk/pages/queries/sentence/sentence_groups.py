# SPDX-License-Identifier: Apache-2.0
"""The part of a query's sentence that groups: categories as they are, numbers in bins, periods."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from dpdesk.desk.core.edits import query_edits
from dpdesk.desk.pages.queries.sentence.sentence_numbers import SentenceNumbers
from dpdesk.desk.pages.queries.sentence.sentence_seat import NOTHING, SEPARATOR
from dpdesk.desk.text import words
from dpdesk.desk.widgets.inputs.choice_popup import Choice
from dpdesk.study.model.columns import Column, DateColumn, NumberColumn, column_title
from dpdesk.study.model.groupings import Bins, Grouping, Periods, column_of
from dpdesk.study.model.periods import PERIODS, Period


class SentenceGroups(SentenceNumbers):
    """Offers what can make groups, and asks for bins where a number is to."""

    def _pick_group(self, place: int) -> None:
        taken = {column_of(g) for at, g in enumerate(self._query.by) if at != place}
        if self._query.column is not None and self._query.statistic == "most-common":
            taken.add(self._query.column)
        choices = [
            choice
            for column in self._state.study.columns
            if column.name not in taken
            for choice in self._group_choices(column)
        ]
        is_new = place == len(self._query.by)
        if not is_new:
            choices.append(Choice(NOTHING, self.tr("No group"), "cross"))
        if not choices:
            text = self.tr("No column that makes groups is described in Columns yet")
            choices = [Choice(NOTHING, text, enabled=False)]
        name = "add" if is_new else f"group-{place}"
        now = "" if is_new else _group_key(self._query.by[place])
        self._offer(name, choices, now, lambda key: self._set_group(place, key))

    def _group_choices(self, column: Column) -> list[Choice]:
        """A category as it is, a number in bins, a date by its periods."""
        title = column_title(column)
        if isinstance(column, NumberColumn):
            bins = Bins(column.name, ())
            return [Choice(_group_key(bins), self.tr("{0} in bins…").format(title), "hash")]
        if isinstance(column, DateColumn):
            made = [Periods(column.name, period) for period in PERIODS]
            study = self._state.study
            return [Choice(_group_key(p), words.grouped_by(study, p), "calendar") for p in made]
        return [Choice(_group_key(column.name), title, "tag")]

    def _set_group(self, place: int, key: str) -> None:
        by: list[Grouping] = list(self._query.by)
        made = self._grouping(key)
        by[place : place + 1] = [] if made is None else [made]
        self._put(replace(self._query, by=tuple(by)))
        if isinstance(made, Bins) and f"bins-{place}" in self._chips:
            self._type_bins(place)

    def _grouping(self, key: str) -> Grouping | None:
        if key == NOTHING:
            return None
        kind, _, name = key.partition(SEPARATOR)
        if not name:
            return key
        if kind == "bins":
            return Bins(name, query_edits.on_grid(self._state.study.column(name), 5)[1:-1])
        return Periods(name, cast(Period, kind))


def _group_key(grouping: Grouping) -> str:
    if isinstance(grouping, Bins):
        return f"bins{SEPARATOR}{grouping.column}"
    if isinstance(grouping, Periods):
        return f"{grouping.period}{SEPARATOR}{grouping.column}"
    return grouping
