# SPDX-License-Identifier: Apache-2.0
"""How much there is to a study's release: what can be released, anyone can check soon.

Whoever checks a bundle makes its plans and tables again. A release that is too large for that
would be paid for and then believed by nobody; a stranger's bundle would be a trap.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import prod

from dpdesk.study.document import Study
from dpdesk.study.groupings import column_of, labels_of
from dpdesk.study.member_checks import lines_of
from dpdesk.study.problem import refuse
from dpdesk.study.queries import Query
from dpdesk.study.statistics import SELECTIONS

MAX_LINES = 250_000
"""Lines of all tables: half a minute at most, and some 350 MB, on two busy cores."""

MAX_CANDIDATES = 2_000_000
"""Candidates of all choices; queries that choose from the same ones share them."""

MAX_BINS = 5_000
"""Bins of all distributions: each has margins of its own, which take milliseconds."""


@dataclass(frozen=True)
class Size:
    """What making a study's plans and tables takes.

    Attributes:
        lines: of all tables.
        candidates: of all choices.
        bins: of all distributions.
    """

    lines: int
    candidates: int
    bins: int

    @classmethod
    def of(cls, study: Study) -> Size:
        """The size of a study, whose queries may still have problems."""
        queries = study.queries
        candidates = {
            (query.column, query.candidates): lines_of(study, query)
            for query in queries
            if query.statistic in SELECTIONS
        }
        lines = sum(_cells(study, query) * _lines(study, query) for query in queries)
        return cls(lines, sum(candidates.values()), sum(len(query.edges) for query in queries))

    @property
    def is_too_large(self) -> bool:
        """Whether a release would be too large to be checked."""
        over = self.lines > MAX_LINES or self.candidates > MAX_CANDIDATES
        return over or self.bins > MAX_BINS


def refuse_too_large(study: Study) -> None:
    """Refuse what nobody could check, before it is paid for.

    Raises:
        Refused: ``release-too-large`` (params lines, candidates, bins).
    """
    size = Size.of(study)
    if size.is_too_large:
        amounts = {key: str(value) for key, value in asdict(size).items()}
        raise refuse("release-too-large", "$.queries", **amounts)


def _cells(study: Study, query: Query) -> int:
    pairs = ((grouping, study.column(column_of(grouping))) for grouping in query.by)
    return prod(len(labels_of(grouping, column)) for grouping, column in pairs if column)


def _lines(study: Study, query: Query) -> int:
    """How many lines each cell has; those of a distribution count double, they take longer."""
    if query.statistic in SELECTIONS:
        return max(1, len(query.quantiles), query.top or 1)
    return lines_of(study, query)
