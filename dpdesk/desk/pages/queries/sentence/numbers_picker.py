# SPDX-License-Identifier: Apache-2.0
"""Picks a list of numbers: quantiles, candidates, where bins begin; or a target."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal

from dpdesk.desk.pages.queries.sentence.picker import Picker
from dpdesk.desk.pages.sentence.anchor import Anchor
from dpdesk.desk.pages.sentence.numbers_dialog import Numbers, NumbersDialog
from dpdesk.desk.text import words
from dpdesk.desk.text.result_words import release_words
from dpdesk.desk.text.translating import tr
from dpdesk.release.bundle.readable import group_text as written
from dpdesk.study.checks.query_checks import check_query
from dpdesk.study.model.groupings import Bins, column_of, labels_of
from dpdesk.study.model.parameters import ByAgeParameters, IncidenceParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.standard_populations import known_groups

OF_GROUPS = ("weights", "reference")
"""Numbers of which each age group has one."""


@dataclass(frozen=True)
class MemberNumbers:
    """The numbers that a member of a query holds."""

    member: str

    @property
    def path(self) -> str:
        """Where the checks find what is wrong with them."""
        return f"$.query.{self.member}"

    def of(self, query: Query) -> Numbers:
        now = query.members.get(self.member, ())
        return now if isinstance(now, tuple) else (Decimal(now),)

    def put(self, query: Query, numbers: Numbers) -> Query:
        if self.member == "target":
            return query.having(target=int(numbers[0]) if numbers else None)
        if self.member in ("typical", "expected_exposure", "expected_deviation"):
            return query.having(**{self.member: numbers[0] if numbers else None})
        return query.having(**{self.member: numbers})

    def bins(self, query: Query) -> Bins | None:
        """The bins that the numbers begin, where they do."""
        cut = query.members.get("over", query.column) or ""
        if self.member == "entry_edges":
            cut = query.members.get("entry", "")
        return Bins(cut, self.of(query)) if self.member in ("edges", "entry_edges") else None


@dataclass(frozen=True)
class GroupingNumbers:
    """The numbers at which the bins of a grouping begin."""

    place: int
    member = "edges"

    @property
    def path(self) -> str:
        """Where the checks find what is wrong with them."""
        return f"$.query.by[{self.place}].edges"

    def of(self, query: Query) -> Numbers:
        bins = self.bins(query)
        return bins.edges if bins else ()

    def put(self, query: Query, numbers: Numbers) -> Query:
        by = list(query.by)
        by[self.place] = Bins(column_of(by[self.place]), numbers)
        return replace(query, by=tuple(by))

    def bins(self, query: Query) -> Bins | None:
        """The grouping, which is one in bins."""
        grouping = query.by[self.place]
        return grouping if isinstance(grouping, Bins) else None


@dataclass(frozen=True)
class NumbersPicker(Picker):
    """Opens a dialog for a list of numbers, judged by the same checks as the study file.

    Attributes:
        numbers: which of the query's lists.
    """

    numbers: MemberNumbers | GroupingNumbers

    def open(self, at: Anchor) -> None:
        """Open the dialog."""
        asked = "kinds" if self._of_kinds else self.numbers.member
        title, label, hint = _words(words.names(self.study).rows)[asked]
        hint = " ".join(filter(None, (hint, self._groups())))
        now = self.numbers.of(self.query)
        dialog = NumbersDialog(at.window, title, label, hint, now, self._judge, self._bins_made)
        at.ask(dialog, lambda numbers: self.done(self._with(numbers)))

    @property
    def _of_kinds(self) -> bool:
        """Whether times are those of incidences, of which no mean time is reported."""
        is_incidence = isinstance(self.query.parameters, IncidenceParameters)
        return is_incidence and self.numbers.member == "times"

    def _with(self, numbers: Numbers) -> Query:
        return self.numbers.put(self.query, numbers)

    def _judge(self, numbers: Numbers) -> str:
        """What is wrong with numbers; empty where nothing is."""
        problems = check_query(self.study, self._with(numbers), "$.query")
        wrong = next((p for p in problems if p.path.startswith(self.numbers.path)), None)
        return words.problem_sentence(wrong) if wrong else ""

    def _bins_made(self, numbers: Numbers) -> str:
        """The bins that numbers make, as they will be printed."""
        bins = self.numbers.bins(self._with(numbers))
        column = self.study.column(bins.column) if bins else None
        if bins is None or column is None:
            return ""
        made = "; ".join(labels_of(bins, column))
        return tr("NumbersPicker", "Bins: {0}").format(made)

    def _groups(self) -> str:
        """The age groups that the numbers belong to."""
        own = self.query.parameters
        column = self.study.column(own.over) if isinstance(own, ByAgeParameters) else None
        is_of_groups = self.numbers.member in OF_GROUPS
        if not is_of_groups or not isinstance(own, ByAgeParameters) or column is None:
            return ""
        groups = known_groups(own.grouping, column)
        return tr("NumbersPicker", "Groups: {0}").format(
            "; ".join(written(one, release_words()) for one in groups)
        )


def _words(rows: str) -> dict[str, tuple[str, str, str]]:
    """By member, what a dialog asks, its field's label, and how it is typed."""
    parted = tr(
        "NumbersPicker", "Separated by semicolons or spaces, from the lowest to the highest."
    )
    median = tr("NumbersPicker", "0.5 is the median; nine in ten {0} are below the quantile 0.9.")
    empty = tr("NumbersPicker", "Leave empty for every step of the column. Fewer are better.")
    reach = tr("NumbersPicker", "How many {0} should reach it?").format(rows)
    many = tr("NumbersPicker", "&Number of {0}").format(rows)
    return {
        "quantiles": (
            tr("NumbersPicker", "Which quantiles?"),
            tr("NumbersPicker", "&Between 0 and 1"),
            median.format(rows),
        ),
        "edges": (
            tr("NumbersPicker", "Where does each bin begin?"),
            tr("NumbersPicker", "&First values"),
            parted,
        ),
        "times": (
            tr("NumbersPicker", "At which times is survival reported?"),
            tr("NumbersPicker", "&Ends of bins"),
            tr(
                "NumbersPicker",
                "Each is the last value of a bin. Groups are compared at these times, and the mean "
                "time without an event is that up to the last one. They cost nothing.",
            ),
        ),
        "kinds": (
            tr("NumbersPicker", "At which times is incidence reported?"),
            tr("NumbersPicker", "&Ends of bins"),
            tr(
                "NumbersPicker",
                "Each is the last value of a bin. Groups are compared at these times. They cost "
                "nothing.",
            ),
        ),
        "entry_edges": (
            tr("NumbersPicker", "Where does each bin of the entry begin?"),
            tr("NumbersPicker", "&First values"),
            tr(
                "NumbersPicker",
                "Each is where a bin of the time begins. Within a bin, entries count as spread "
                "evenly over it. Fewer bins have less noise.",
            ),
        ),
        "candidates": (
            tr("NumbersPicker", "Which values may be chosen?"),
            tr("NumbersPicker", "&Candidates"),
            empty,
        ),
        "weights": (
            tr("NumbersPicker", "How many people has each age group in your standard?"),
            tr("NumbersPicker", "&Weights, one a group"),
            tr("NumbersPicker", "Separated by semicolons or spaces, in the order of the groups."),
        ),
        "reference": (
            tr("NumbersPicker", "Which reference rate has each age group?"),
            tr("NumbersPicker", "&Rates, one a group"),
            tr(
                "NumbersPicker",
                "From a registry or a paper, never from this file; per as much exposure as the "
                "query says, in the order of the groups.",
            ),
        ),
        "target": (reach, many, ""),
        "typical": (
            tr("NumbersPicker", "Which rate is usual, by other sources?"),
            tr("NumbersPicker", "&Events per so much exposure"),
            tr(
                "NumbersPicker",
                "From a paper or an earlier year, never from this file. Noise and planned margin "
                "are chosen for it. Leave empty if it is not known.",
            ),
        ),
        "expected_exposure": (
            tr("NumbersPicker", "Which mean exposure is usual, by other sources?"),
            tr("NumbersPicker", "&Mean exposure"),
            tr(
                "NumbersPicker",
                "From a paper or an earlier year, never from this file. The planned margin is the "
                "one at it; the figure is the same. Leave empty if it is not known.",
            ),
        ),
        "expected_deviation": (
            tr("NumbersPicker", "Which standard deviation is usual, by other sources?"),
            tr("NumbersPicker", "&Standard deviation"),
            tr(
                "NumbersPicker",
                "From a paper or an earlier year, never from this file. The planned margin is the "
                "one at it; the figure is the same. Leave empty if it is not known.",
            ),
        ),
    }
