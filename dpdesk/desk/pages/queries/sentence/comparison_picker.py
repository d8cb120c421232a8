# SPDX-License-Identifier: Apache-2.0
"""Picks how groups of a query are compared, from what is released and at no cost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dpdesk.desk.pages.queries.sentence.picker import NOTHING, Picker
from dpdesk.desk.pages.sentence.anchor import Anchor
from dpdesk.desk.text import words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.widgets.inputs.choice_popup import Choice
from dpdesk.study.checks.by_statistic.comparison_checks import kinds_of
from dpdesk.study.model.groupings import column_of, labels_of
from dpdesk.study.model.queries import WITH_REFERENCE, GroupComparison


@dataclass(frozen=True)
class ComparisonPicker(Picker):
    """Picks one comparison of the query's groups.

    Attributes:
        place: of the comparison; behind the last one for a new one.
    """

    place: int = 0

    def open(self, at: Anchor) -> None:
        """Offer what fits each grouping: with each of its groups, a trend, a test."""
        offered = {str(n): one for n, one in enumerate(self._offered())}
        choices = [
            Choice(key, words.comparison(self.study, self.query, one))
            for key, one in offered.items()
        ]
        own = self.query.comparisons[self.place : self.place + 1]
        picked = next((key for key, one in offered.items() if (one,) == own), "")
        if own:
            choices.append(Choice(NOTHING, tr("ComparisonPicker", "No comparison"), "cross"))
        at.offer(choices, picked, lambda key: self._pick(offered.get(key)))

    def _offered(self) -> Iterator[GroupComparison]:
        own = self.query.comparisons[self.place : self.place + 1]
        for by in self.query.by:
            column = self.study.column(column_of(by))
            kinds = kinds_of(self.study, self.query, by) if column is not None else ()
            labels = labels_of(by, column) if column is not None else ()
            for kind in kinds:
                for reference in labels if kind in WITH_REFERENCE else ("",):
                    one = GroupComparison(column_of(by), kind, reference)
                    if one not in self.query.comparisons or (one,) == own:
                        yield one

    def _pick(self, picked: GroupComparison | None) -> None:
        kept = list(self.query.comparisons)
        kept[self.place : self.place + 1] = [] if picked is None else [picked]
        self.done(replace(self.query, comparisons=tuple(kept)))
