# SPDX-License-Identifier: Apache-2.0
"""The part of a query's sentence that lists numbers: quantiles, candidates, bins, a target."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import Any

from dpdesk.desk.pages.queries.sentence.numbers_dialog import Numbers, NumbersDialog
from dpdesk.desk.pages.queries.sentence.sentence_conditions import SentenceConditions
from dpdesk.desk.text import words
from dpdesk.study.checks.query_checks import check_query
from dpdesk.study.model.groupings import Bins, column_of, labels_of
from dpdesk.study.model.queries import Query


class SentenceNumbers(SentenceConditions):
    """Opens a dialog for a list, judged by the same checks as the study file."""

    def _type_numbers(self, member: str) -> None:
        title, label, hint = self._number_words()[member]
        now = getattr(self._query, member)
        values = now if isinstance(now, tuple) else (Decimal(now),) if now is not None else ()
        self._open_numbers(title, label, hint, values, partial(self._with_numbers, member), member)

    def _number_words(self) -> dict[str, tuple[str, str, str]]:
        rows = words.names(self._state.study).rows
        parted = self.tr("Parted by semicolons or blanks, from the lowest to the highest.")
        return {
            "quantiles": (
                self.tr("Which quantiles?"),
                self.tr("&Between 0 and 1"),
                self.tr("0.5 is the median; 0.9 is what nine in ten {0} stay below.").format(rows),
            ),
            "edges": (self.tr("Where does each bin begin?"), self.tr("&First values"), parted),
            "candidates": (
                self.tr("Which values may be chosen?"),
                self.tr("&Candidates"),
                self.tr("Leave empty for every value of the column's grid. Fewer are better."),
            ),
            "target": (
                self.tr("How many {0} should reach it?").format(rows),
                self.tr("So &many {0}").format(rows),
                "",
            ),
        }

    def _with_numbers(self, member: str, values: Numbers) -> Query:
        if member == "target":
            return replace(self._query, target=int(values[0]) if values else None)
        changes: dict[str, Any] = {member: values}
        return replace(self._query, **changes)

    def _type_bins(self, place: int) -> None:
        grouping = self._query.by[place]
        if isinstance(grouping, Bins):
            title, label, hint = self._number_words()["edges"]
            make = partial(self._with_bins, place)
            self._open_numbers(title, label, hint, grouping.edges, make, f"by[{place}].edges")

    def _with_bins(self, place: int, values: Numbers) -> Query:
        by = list(self._query.by)
        by[place] = Bins(column_of(by[place]), values)
        return replace(self._query, by=tuple(by))

    def _open_numbers(
        self,
        title: str,
        label: str,
        hint: str,
        values: Numbers,
        make: Callable[[Numbers], Query],
        member: str,
    ) -> None:
        def judge(numbers: Numbers) -> str:
            path = f"$.query.{member}"
            found = check_query(self._state.study, make(numbers), "$.query")
            wrong = [p for p in found if p.path.startswith(path)]
            return words.problem_sentence(wrong[0]) if wrong else ""

        def tell(numbers: Numbers) -> str:
            return self._bins_made(make(numbers), member)

        dialog = NumbersDialog(self.window(), title, label, hint, values, judge, tell)
        self._open(dialog, lambda numbers: self._put(make(numbers)))

    def _bins_made(self, query: Query, member: str) -> str:
        """The bins that numbers make, as they will be printed."""
        bins = Bins(query.column or "", query.edges) if member == "edges" else None
        for place, grouping in enumerate(query.by):
            if member == f"by[{place}].edges" and isinstance(grouping, Bins):
                bins = grouping
        column = self._state.study.column(bins.column) if bins else None
        if bins is None or column is None:
            return ""
        return self.tr("Bins: {0}").format("; ".join(labels_of(bins, column)))
