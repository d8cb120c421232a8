# SPDX-License-Identifier: Apache-2.0
"""Which questions two releases have in common, and the difference of each of their figures.

A question about a later period is the same one, where all of its periods that differ are later by
one number of months and make as many groups: its lines are then compared place by place, the first
year with the first year, and both are named. Which periods were moved is said of each question, and
so are columns whose days or numbers were written otherwise in the file, for a wrong form of days
leaves nothing to count.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from dpdesk.privacy.consistent import ConsistentFigures
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.planning.differences import (
    Difference,
    differences,
    mean_differences,
    population_differences,
)
from dpdesk.privacy.population.counts_and_shares import Ends
from dpdesk.privacy.question import READING, Question
from dpdesk.privacy.statistics import METHODS
from dpdesk.privacy.statistics.base import Noisy, PlannedNoisy
from dpdesk.release.record.reprice import RepricedStudy, consistent_in, spreads_in
from dpdesk.release.record.values import ReleasedQuery, ReleaseRecord
from dpdesk.study.model.columns import Column
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.problem import refuse
from dpdesk.study.reuse.moved_periods import (
    MovedPeriod,
    groups_at_any_time,
    moved,
    period_differences,
)
from dpdesk.study.text.titles import title

Unlike = Literal[
    "not-there",
    "no-margin",
    "groups",
    "group-limit",
    "conditions",
    "unit",
    "declarations",
    "tables",
    "other",
]
NOT_THERE: tuple[Unlike, ...] = ("not-there",)
_NO_MARGIN: tuple[Unlike, ...] = ("no-margin",)


@dataclass(frozen=True)
class ComparedLine:
    """One line of a question's two answers.

    Attributes:
        labels: its groups in the later release.
        difference: both figures and what is between them.
        population: the two ends for the difference of both populations; ``None`` where that was
            not asked of both, or one says nothing.
        before: its groups in the earlier release, where that was about another period.
    """

    labels: tuple[str, ...]
    difference: Difference
    population: Ends | None = None
    before: tuple[str, ...] = ()


@dataclass(frozen=True)
class ComparedQuery:
    """One question that both releases answered.

    Attributes:
        title: what the later release calls it.
        plan: the later release's.
        query: the later release's.
        is_same_answer: both have one and the same draw, which was stored: there is no difference.
        moved: its periods that are later ones now.
        read: its columns whose cells are read otherwise now: each before and now.
    """

    title: str
    plan: QueryPlan
    query: Query
    lines: tuple[ComparedLine, ...]
    is_same_answer: bool
    moved: tuple[MovedPeriod, ...] = ()
    read: tuple[tuple[Column, Column], ...] = ()

    @property
    def has_population(self) -> bool:
        """Whether intervals for the population were asked of both, and differ."""
        return any(line.population is not None for line in self.lines)

    @cached_property
    def more_than_noise(self) -> int:
        """How many figures differ by more than their margin."""
        return sum(line.difference.is_more_than_noise for line in self.lines)


@dataclass(frozen=True)
class NotCompared:
    """A question of the later release that is not compared.

    Attributes:
        title: what the later release calls it.
        query: the later release's.
        why: what differs from the nearest question of the earlier release; ``not-there`` where
            none is near; ``no-margin`` where figures of its statistic have no margin.
    """

    title: str
    query: Query
    why: tuple[Unlike, ...]


@dataclass(frozen=True)
class OnlyAsked:
    """A question of one release to which the other has none that is near.

    Attributes:
        title: what its release calls it.
        study, query: its release's.
    """

    title: str
    study: Study
    query: Query


@dataclass(frozen=True)
class ReleaseComparison:
    """Two releases side by side.

    Attributes:
        earlier, later: what was released.
        study: the later release's.
        queries: what both answered, in the later one's order.
        others: what only the later one answered so.
        only_earlier: what only the earlier one answered, and nothing near it was asked later.
    """

    earlier: ReleaseRecord
    later: ReleaseRecord
    study: Study
    queries: tuple[ComparedQuery, ...]
    others: tuple[NotCompared, ...]
    only_earlier: tuple[OnlyAsked, ...] = ()

    @cached_property
    def more_than_noise(self) -> int:
        """How many figures of all questions do; of 50 by 700 groups that takes a while."""
        return sum(query.more_than_noise for query in self.queries)

    @property
    def only_later(self) -> tuple[OnlyAsked, ...]:
        """What only the later one answered, where the earlier one asked nothing near it."""
        own = [other for other in self.others if other.why == NOT_THERE]
        return tuple(OnlyAsked(other.title, self.study, other.query) for other in own)

    @property
    def unlike(self) -> tuple[NotCompared, ...]:
        """What only the later one answered so, where the earlier one asked something near it."""
        return tuple(other for other in self.others if other.why != NOT_THERE)


@dataclass(frozen=True)
class _Answer:
    """One query of a release with its plan, and what it asks.

    Attributes:
        drawn_for: the account, and the minute, of the release in which it was drawn.
        consistent: its figures, where its release made them consistent with other tables.
        beside: the entries, each with its minute, that drew those tables and it.
        spread: the variance of a mean's cells, where its interval for the population needs it.
    """

    released: ReleasedQuery
    drawn_for: tuple[str, str]
    query: Query
    plan: QueryPlan
    question: Question
    asks: Mapping[str, Any]
    consistent: ConsistentFigures | None
    beside: frozenset[tuple[int, tuple[str, str]]]
    spread: PlannedNoisy | None


def compare_records(earlier: ReleaseRecord, later: ReleaseRecord) -> ReleaseComparison:
    """Compare two releases whose bundles, or whose ledger, were verified.

    Raises:
        Refused: ``compare-not-priced`` where a study cannot be priced again;
            ``compare-same-release`` where both are one.
    """
    if earlier.id == later.id:
        raise refuse("compare-same-release")
    (study_before, before), (study, now) = _answers(earlier), _answers(later)
    queries, others, met = [], [], set()
    for answer in now:
        same, periods = _same(answer, before)
        near, why = (same, _NO_MARGIN) if same is not None else _nearest(answer, before)
        met.add(None if near is None else near.query.id)
        compared = None if same is None else _compared(same, answer, periods)
        if same is not None and compared is not None:
            queries += [*_mean_of_table_1(study, same, answer, compared), compared]
        else:
            others.append(NotCompared(answer.released.title, answer.query, why))
    alone = tuple(
        OnlyAsked(old.released.title, study_before, old.query)
        for old in before
        if old.query.id not in met and all(_same(answer, [old])[0] is None for answer in now)
    )
    return ReleaseComparison(earlier, later, study, tuple(queries), tuple(others), alone)


def _answers(record: ReleaseRecord) -> tuple[Study, list[_Answer]]:
    study, plans = record.study.study, RepricedStudy(record.study).plans
    if study is None or study.unit is None or plans is None:
        raise refuse("compare-not-priced")
    found = []
    consistent = consistent_in(record.queries, plans)
    spreads = spreads_in(study, record.queries, plans)
    drawn = {
        one.id: (one.drawn_in, (record.account.name, one.drawn_at or record.time))
        for one in record.queries
    }
    for released in record.queries:
        query = study.query(released.id)
        if query is not None:
            question = Question.of(study, study.unit, query)
            question = METHODS[query.statistic].in_one_form(question)
            figures, own = consistent.get(released.id), drawn[released.id]
            beside = {own} if figures is None else {own, *(drawn[one] for one in figures.others)}
            more = figures, frozenset(beside), spreads.get(released.id)
            plan, asks = plans[released.id], question.comparable()
            found.append(_Answer(released, own[1], query, plan, question, asks, *more))
    return study, found


def _same(answer: _Answer, before: list[_Answer]) -> tuple[_Answer | None, tuple[MovedPeriod, ...]]:
    """The answer of the earlier release to the same question; else to that of an earlier period."""
    for old in before:
        if old.asks == answer.asks:
            return old, ()
    for old in before:
        if periods := _moved(old, answer):
            return old, periods
    return None, ()


def _moved(earlier: _Answer, later: _Answer) -> tuple[MovedPeriod, ...]:
    """The periods by whose move alone a question is another one's, in as many groups."""
    if not _near(earlier, later):
        return ()
    found = period_differences(earlier.question, later.question)
    if found is None or _groups(earlier) != _groups(later):
        return ()
    months, pairs = found
    before = moved(earlier.question, months, {pair.before for pair in pairs})
    return pairs if before.comparable() == later.asks else ()


def _groups(answer: _Answer) -> list[int | tuple[str, ...]]:
    return groups_at_any_time(answer.question.query.by, answer.question.labels)


def _compared(
    earlier: _Answer, later: _Answer, periods: tuple[MovedPeriod, ...]
) -> ComparedQuery | None:
    """Both answers line by line; ``None`` where figures have no margin."""
    is_same = _is_same_draw(earlier, later)
    # One draw that is seen twice differs in nothing, whatever tables it was released with.
    figures = (None, None) if is_same else (earlier.consistent, later.consistent)
    are_apart = earlier.beside.isdisjoint(later.beside)
    lines = differences(
        _drawn(earlier), _drawn(later), consistent=figures, are_independent=are_apart
    )
    if not lines:
        return None
    populations: tuple[Ends | None, ...] = (None,) * len(lines)
    if not is_same and earlier.query.population and later.query.population:
        old, new = ((_drawn(one), one.spread) for one in (earlier, later))
        populations = population_differences(old, new)
    before = earlier.plan.lines if periods else ((),) * len(lines)
    compared = zip(later.plan.lines, lines, populations, before, strict=True)
    return ComparedQuery(
        later.released.title,
        later.plan,
        later.query,
        tuple(ComparedLine(*line) for line in compared),
        is_same,
        periods,
        tuple(_read_otherwise(earlier.question, later.question)),
    )


def _mean_of_table_1(
    study: Study, earlier: _Answer, later: _Answer, deviation: ComparedQuery
) -> Iterator[ComparedQuery]:
    """Both means, where a Table 1 has them beside the standard deviations that were drawn."""
    if later.query.component is None or later.query.component.figures != "moments":
        return
    are_apart = earlier.beside.isdisjoint(later.beside)
    found = mean_differences(_drawn(earlier), _drawn(later), are_independent=are_apart)
    lines = tuple(
        replace(line, difference=difference, population=None)
        for line, difference in zip(deviation.lines, found, strict=True)
    )
    query = later.query.having(statistic="mean")
    yield replace(deviation, title=title(study, query), query=query, lines=lines)


def _read_otherwise(earlier: Question, later: Question) -> Iterator[tuple[Column, Column]]:
    """Columns of the file that both ask about, whose days or numbers are written otherwise."""
    before = {column.name: column for column in earlier.used}
    for column in later.used:
        old = before.get(column.name)
        if old is not None and _reading(old) != _reading(column):
            yield old, column


def _reading(column: Column) -> tuple[object, ...]:
    return tuple(getattr(column, member, None) for member in READING)


def _drawn(answer: _Answer) -> tuple[QueryPlan, Noisy]:
    return answer.plan, answer.released.drawn.noisy


def _is_same_draw(earlier: _Answer, later: _Answer) -> bool:
    """Whether a stored answer was given out twice: one entry drew it, and all of it is equal.

    Two ledgers both have an entry of that number, and two draws of a small noise may be equal: so
    account and minute are, too.
    """
    old, new = earlier.released, later.released
    is_one_entry = (old.drawn_in, earlier.drawn_for) == (new.drawn_in, later.drawn_for)
    return is_one_entry and old.drawn == new.drawn


def _nearest(answer: _Answer, before: list[_Answer]) -> tuple[_Answer | None, tuple[Unlike, ...]]:
    """The question of the earlier release that differs in least, and in what."""
    near = [(old, tuple(_unlike(old.asks, answer.asks))) for old in before if _near(old, answer)]
    return min(near, key=lambda one: len(one[1])) if near else (None, NOT_THERE)


def _near(earlier: _Answer, later: _Answer) -> bool:
    return _about(earlier) == _about(later)


def _about(answer: _Answer) -> tuple[str, str | None]:
    return answer.query.statistic, answer.query.column


def _unlike(earlier: Mapping[str, Any], later: Mapping[str, Any]) -> Iterator[Unlike]:
    old, new = dict(earlier["question"]), dict(later["question"])
    if old.pop("by", None) != new.pop("by", None):
        yield "groups"
    if old.pop("where", None) != new.pop("where", None):
        yield "conditions"
    if old.pop("rows_per_group", None) != new.pop("rows_per_group", None):
        yield "group-limit"
    if old != new:
        yield "other"
    if earlier["unit"] != later["unit"]:
        yield "unit"
    named = {column["name"]: column for column in later["columns"]}
    if any(named.get(column["name"], column) != column for column in earlier["columns"]):
        yield "declarations"
    if earlier.get("tables") != later.get("tables"):
        yield "tables"
