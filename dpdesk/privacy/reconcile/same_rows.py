# SPDX-License-Identifier: Apache-2.0
r"""Which answers of a release are over the same rows, by declarations alone.

Claim: in one set, each table holds the sums of one table of counts (or of sums of one column) by
all groupings of the set. Two queries are in one set where these are equal:

* what is counted: rows, people or the sum of one column, for which unit. All rows are the main
  table's (or all people) of one study, whatever tables their columns come from;
* their conditions;
* the columns among their groupings with a rule that can drop a row. Rows that such a rule drops
  are in no group of that column: with x the counts by all groupings and, for each such column, one
  more group for what it drops, a table by that column lacks this group and one without that column
  holds it. It may hold any number, so tables that differ here say nothing about each other;
* the entry that drew them: which rows of a person are kept is drawn again for each release. Stored
  answers of one earlier release are in a set of their own.

People are added up over groups only where each has one row; where they may have more, only tables
by the same groupings are of one set: one person may be in two wards, and counts once in both.
So it is where a person's rows in one group have a limit: which of them count follows from the
groups, so only tables by the same groupings and under the same limit are of one set. Three rows of
a person in two wards and one quarter are one row by quarter and two by quarter and ward.
Other groupings of one column (bins of 5 and of 10 years) are groupings of their own: what the one
says about the other is not used.

Answers to one question that was asked twice are one draw, which counts once.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.question import Question
from dpdesk.privacy.statistics import METHODS
from dpdesk.privacy.statistics.base import Noisy
from dpdesk.study.model.columns import keeps_every_row

MOST_CELLS = 100_000
"""A set of more cells is published as it was drawn: it would take too long to check."""


@dataclass(frozen=True)
class Answer:
    """What one query drew.

    Attributes:
        drawn_in: the entry that drew it.
    """

    plan: QueryPlan
    noisy: Noisy
    drawn_in: int


def joined(answers: tuple[Answer, ...]) -> list[list[int]]:
    """The sets of answers over the same rows, each of two draws or more, by their places."""
    sets: dict[Hashable, list[int]] = {}
    for place, answer in enumerate(answers):
        if is_additive(answer.plan):
            key = (answer.drawn_in, same_rows(answer.plan.question))
            sets.setdefault(key, []).append(place)
    found = (_related([answers[place].plan for place in one], one) for one in sets.values())
    return [one for one in found if _is_worth(answers, one)]


def _is_worth(answers: tuple[Answer, ...], places: list[int]) -> bool:
    draws = {answers[place].plan.canonical: len(answers[place].plan.lines) for place in places}
    return len(draws) > 1 and sum(draws.values()) <= MOST_CELLS


def is_additive(plan: QueryPlan) -> bool:
    """Whether its figures add up over groups, each with noise of its own."""
    return METHODS[plan.query.statistic].adds_up and len(plan.parts) == 1


def same_rows(question: Question) -> Hashable:
    """What is equal of queries over the same rows; see the head of the module."""
    query, unit = question.query, question.unit
    dropping = frozenset(column.name for column in question.by if not keeps_every_row(column))
    counted = (query.statistic, query.column, query.of, unit)
    is_added = query.declaration.unit != "people" or unit.max_rows == 1
    limit = query.rows_per_group
    groupings = None if is_added and limit is None else frozenset(query.by)
    return counted, question.conditions, dropping, groupings, limit


def _related(plans: list[QueryPlan], places: list[int]) -> list[int]:
    """Those that share more with another one than a public total."""
    if all(plan.public_total is None for plan in plans):
        return places
    pairs = list(zip(places, (frozenset(plan.query.by) for plan in plans), strict=True))
    return [
        place
        for place, axes in pairs
        if any(axes & others for other, others in pairs if other != place)
    ]
