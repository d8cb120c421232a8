# SPDX-License-Identifier: Apache-2.0
"""How much there is to a study's release: what can be released, anyone can check soon.

Anyone who checks a bundle makes its plans and tables again. A release that is too large for that
would be paid for and then believed by nobody; a stranger's bundle would be a trap.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

from dpdesk.privacy.distributions.response_error import EXACT_ROWS
from dpdesk.study.checks.by_statistic.member_checks import bins_of, lines_of
from dpdesk.study.json.study_writer import study_to_members
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import column_of, labels_of
from dpdesk.study.model.queries import Query
from dpdesk.study.problem import Problem, Refused, refuse

MOST = {
    "lines": 100_000,
    "candidates": 2_000_000,
    "bins": 2_000,
    "answers": 100_000,
    "intervals": 1_000,
}
"""What one release may have; with it, checking takes half a minute and 400 MB at most.

An interval for the population takes 12 ms, and what a comparison adds to each of its groups less.
Each bin that is counted has margins of its own, which take 15 ms of a tree of 1,000; each answer
of a randomised response is drawn alone; queries that choose from the same candidates share them.
"""

MOST_LABEL_BYTES = 4_000_000
"""Bytes of all groups' names in all tables: a report writes one sign with up to six."""

MOST_STUDY_BYTES = 4_000_000
"""Bytes of the study in the manifest, where a letter that is not ASCII takes six."""


@dataclass(frozen=True)
class Size:
    """What making a study's plans and tables takes.

    Attributes:
        lines: of all tables; those that take longest count double.
        candidates: of all choices.
        bins: of all distributions and trees of counts.
        answers: of all randomised responses; where margins are exact they count double.
        label_bytes: of the groups' names in all tables.
        intervals: for the population; each comparison of groups counts as one for each of these.
    """

    lines: int
    candidates: int
    bins: int
    answers: int = 0
    label_bytes: int = 0
    intervals: int = 0

    @classmethod
    def of(cls, study: Study) -> Size:
        """The size of a study, whose queries may still have problems."""
        queries = study.queries
        candidates = {
            (query.column, query.members.get("candidates")): lines_of(study, query)
            for query in queries
            if query.declaration.chooses is not None
        }
        return cls(
            lines=sum(_cells(study, query) * _lines(study, query) for query in queries),
            candidates=sum(candidates.values()),
            bins=sum(bins_of(study, query) for query in queries),
            answers=_answers(study),
            label_bytes=sum(_label_bytes(study, query) for query in queries),
            intervals=sum(_intervals(study, query) for query in queries),
        )

    def problems(self) -> Iterator[Problem]:
        """What is too much to be checked: ``release-too-many-`` and one of ``MOST``, or names."""
        for name, most in MOST.items():
            count = getattr(self, name)
            if count > most:
                params = {"count": str(count), "most": str(most)}
                yield Problem("$.queries", f"release-too-many-{name}", params)
        if self.label_bytes > MOST_LABEL_BYTES:
            yield Problem("$.queries", "release-names-too-long", {"most": str(MOST_LABEL_BYTES)})

    @property
    def is_too_large(self) -> bool:
        """Whether a release would be too large to be checked."""
        return any(self.problems())


def refuse_too_large(study: Study) -> None:
    """Refuse what nobody could check, before it is paid for.

    Raises:
        Refused: ``release-too-many-lines``, ``-candidates``, ``-bins`` or ``-answers`` (params
            count, most), ``release-names-too-long`` or ``release-study-too-large`` (param most).
    """
    problems = tuple(Size.of(study).problems())
    if problems:
        raise Refused(problems)
    if len(json.dumps(study_to_members(study))) > MOST_STUDY_BYTES:
        raise refuse("release-study-too-large", "$", most=str(MOST_STUDY_BYTES))


def _intervals(study: Study, query: Query) -> int:
    return _cells(study, query) * (query.has_intervals + len(query.comparisons))


def _answers(study: Study) -> int:
    people = (study.unit.people if study.unit else None) or 0
    requested = sum(query.declaration.flips_answers for query in study.queries)
    return people * requested * (2 if people <= EXACT_ROWS else 1)


def _cells(study: Study, query: Query) -> int:
    return prod(len(labels) for labels in _groups(study, query))


def _groups(study: Study, query: Query) -> list[tuple[str, ...]]:
    pairs = ((grouping, study.column(column_of(grouping))) for grouping in query.by)
    return [labels_of(grouping, column) for grouping, column in pairs if column]


def _label_bytes(study: Study, query: Query) -> int:
    """Bytes of the groups' names on all lines: each name occurs once for each cell that has it."""
    groups, cells = _groups(study, query), _cells(study, query)
    sizes = ((sum(len(name.encode("utf-8")) for name in names), len(names)) for names in groups)
    return sum(size * cells // count for size, count in sizes if count) * _lines(study, query)


def _lines(study: Study, query: Query) -> int:
    """How many lines each cell has; those that take longest count double."""
    if query.declaration.chooses is not None:
        return max(1, query.parameters.draws)
    # A distribution's are doubled by ``lines_of``.
    return lines_of(study, query) * query.declaration.line_cost
