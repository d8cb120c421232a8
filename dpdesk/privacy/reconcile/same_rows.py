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
  answers of one earlier release are in a set of their own, unless nothing is chosen: where every
  row is a person, or people are the rows. Answers of one release are of one extract.

People are added up over groups only where each has one row; where they may have more, only tables
by the same groupings are of one set: one person may be in two wards, and counts once in both.
So it is where a person's rows in one group have a limit: which of them count follows from the
groups, so only tables by the same groupings and under the same limit are of one set. Three rows of
a person in two wards and one quarter are one row by quarter and two by quarter and ward.
Other groupings of one column (bins of 5 and of 10 years) are groupings of their own: what the one
says about the other is not used.

Shares and distributions by up to ``FEW_CELLS`` groups that hold a public number of rows are a set
of their own, where they share no grouping with another: their counts add up to that number. With c
noisy counts that takes s^2 / c of the variance of a sum of them whose weights add up to s.

Answers to one question that was asked twice are one draw, which counts once.

Not joined, although something in them adds up:

* mean, variance, standard deviation: their number of rows is no draw of its own but read off the
  sums that the figure is made of (``joint_sums``); moved by other tables, it would no longer belong
  to these, and their margin is proven for what was drawn together;
* quantiles and ranks read off counts: what is published is a place, whose bound is that of the
  tree as it was drawn;
* rows per person: counted before the row limit;
* categories found in the data: a count is given out where its noise helped it over a threshold, so
  its error has no mean of 0, and the categories that were not found are no table;
* randomised response: its noise depends on the answers;
* one share where the number of rows is public: of its one count nothing else is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass

from dpdesk.privacy.kept_by_plan import KeptByPlan
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.public_total import TWO
from dpdesk.privacy.reconcile.joined_tables import added_by, axes_of, total_of, what_adds_up
from dpdesk.privacy.statistics.base import Noisy
from dpdesk.study.model.columns import keeps_every_row

MOST_CELLS = 100_000
"""A set of more cells is published as it was drawn: it would take too long to check."""


FEW_CELLS = 5
"""Of more groups, what a public total takes of a share's noise is less than rounding adds."""


@dataclass(frozen=True)
class Answer:
    """What one query drew.

    Attributes:
        drawn_in: the entry that drew it.
    """

    plan: QueryPlan
    noisy: Noisy
    drawn_in: int


def joined(plans: Sequence[QueryPlan], entries: Sequence[Hashable]) -> list[list[int]]:
    """The sets of answers over the same rows, each of two draws or more, by their places.

    Args:
        plans: of a release's queries, in its order.
        entries: what drew each.
    """
    return [one for one in sets_of(plans, entries.__getitem__) if not is_too_large(plans, one)]


def too_large(plans: Sequence[QueryPlan], entries: Sequence[Hashable]) -> list[list[int]]:
    """The sets that are left as drawn for having too many cells."""
    return [one for one in sets_of(plans, entries.__getitem__) if is_too_large(plans, one)]


def sets_of(plans: Sequence[QueryPlan], entry_at: Callable[[int], Hashable]) -> list[list[int]]:
    """All sets of two draws or more, or of one beside a public total, whatever they have of cells.

    Args:
        plans: of a release's queries, in its order.
        entry_at: what drew the answer at a place.
    """
    additive = [place for place, plan in enumerate(plans) if is_additive(plan)]
    if len(additive) < TWO and not any(gains_alone(plans[place]) for place in additive):
        return []  # no other walk at a keystroke where there is nothing to join
    sets: dict[Hashable, list[int]] = {}
    for place in additive:
        plan = plans[place]
        # A person has one row whatever entry draws: each row is a person, or people are the rows.
        is_chosen = plan.unit.person is not None and plan.query.of != "people"
        key = (entry_at(place) if is_chosen else None, _rows_of(plan))
        sets.setdefault(key, []).append(place)
    found = (each for one in sets.values() for each in (_related(plans, one) if one[1:] else [one]))
    return [one for one in found if _is_set(plans, one)]


def gains_alone(plan: QueryPlan) -> bool:
    """Whether counts behind an additive query's figures are nearer for a public total alone.

    Counts themselves are projected on it without other tables (``public_total``).
    """
    few = 1 < len(plan.cells) <= FEW_CELLS
    return few and not plan.query.declaration.counts_all and total_of(plan) is not None


def _is_set(plans: Sequence[QueryPlan], places: list[int]) -> bool:
    # One plan that changes at each key is asked for no text of its question.
    if len(places) > 1 and len({plans[place].canonical for place in places}) > 1:
        return True
    return bool(places) and gains_alone(plans[places[0]])


def is_too_large(plans: Sequence[QueryPlan], places: list[int]) -> bool:
    """Whether the cells of a set are too many to be made consistent."""
    draws = {plans[place].canonical: plans[place] for place in places}
    cells = sum(max(len(plan.lines), plan.parts[0].cells) for plan in draws.values())
    return cells > MOST_CELLS


def is_additive(plan: QueryPlan) -> bool:
    """Whether its figures, or the counts that they are made of, add up over groups."""
    return len(plan.parts) == 1 and what_adds_up(plan) is not None


def same_rows(plan: QueryPlan) -> Hashable:
    """What is equal of additive queries over the same rows; see the head of the module."""
    question, added = plan.question, added_by(plan)
    query, unit = question.query, question.unit
    by = {column.name for column in question.by if not keeps_every_row(column)}
    is_added = added.what != "people" or unit.max_rows == 1
    limit = query.rows_per_group
    groupings = None if is_added and limit is None else frozenset(query.by)
    counted = (added.what, query.of, unit)
    conditions = question.conditions if query.where else ()
    return counted, conditions, added.dropping | by, groupings, limit


@KeptByPlan
def _rows_of(plan: QueryPlan) -> Hashable:
    """See ``same_rows``: each keystroke asks for those of every query."""
    return same_rows(plan)


def _related(plans: Sequence[QueryPlan], places: list[int]) -> Iterator[list[int]]:
    """Those that share more with another one than a public total, and each of the others."""
    if all(total_of(plans[place]) is None for place in places):
        yield places
        return
    pairs = [(place, frozenset(axes_of(plans[place]))) for place in places]
    related = [
        place
        for place, axes in pairs
        if any(axes & others for other, others in pairs if other != place)
    ]
    yield related
    yield from ([place] for place in places if place not in related)
