# SPDX-License-Identifier: Apache-2.0
"""Queries of the usual releases: a quality report, a registry's yearly table, a paper's Table 1.

A template asks for declared columns by their kind and makes queries of them, with shares of a
total. It knows declarations alone: nothing of a file is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final, Literal

from dpdesk.study.checks.column_checks import check_column
from dpdesk.study.model.amount import Share
from dpdesk.study.model.columns import Column, YesNoColumn, group_labels
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Grouping, Periods
from dpdesk.study.model.periods import Period
from dpdesk.study.model.queries import Query
from dpdesk.study.model.statistics import DECLARATIONS, Statistic
from dpdesk.study.model.steps.step import CodePrefix, Step, TimeBetween
from dpdesk.study.reuse.asked_of_people import asked_of_people
from dpdesk.study.text.query_ids import free_id

TemplateName = Literal[
    "quality-report", "registry-table", "table-1", "ever-readmitted", "stay-by-chapter"
]
Kind = Literal["number", "category", "yes-no", "date"]
Chosen = Mapping[str, tuple[str, ...]]
"""The columns of each slot, by its key."""

PROPOSED = 3
"""Columns that are proposed where a slot takes several."""
MOST_COMPARED = 6
"""A column with more groups than that is not proposed as the one whose groups are compared."""


@dataclass(frozen=True)
class Slot:
    """Columns that a template asks for.

    Attributes:
        key: what they are for; ``QUERY_MAKERS`` and the window's words know it.
        needed: whether there is no release without one.
        of_person: whether they have one value for all rows of a person.
        first: columns that are made so are proposed before others.
    """

    key: str
    kinds: tuple[Kind, ...]
    several: bool = False
    needed: bool = False
    of_person: bool = False
    first: type[Step] | None = None


@dataclass(frozen=True)
class Template:
    """A usual release.

    Attributes:
        portion: how much of what is left its queries are proposed to cost: a report that comes
            back each quarter leaves room for the next ones.
    """

    name: TemplateName
    slots: tuple[Slot, ...]
    portion: Fraction

    def missing(self, chosen: Chosen) -> tuple[str, ...]:
        return tuple(slot.key for slot in self.slots if slot.needed and not chosen.get(slot.key))


TEMPLATES: Final = (
    Template(
        "quality-report",
        (
            Slot("date", ("date",), needed=True),
            Slot("unit", ("category",)),
            Slot("outcomes", ("yes-no",), several=True),
            Slot("measures", ("number",), several=True),
        ),
        Fraction(1, 4),
    ),
    Template(
        "registry-table",
        (
            Slot("date", ("date",), needed=True),
            Slot("splits", ("category", "yes-no"), several=True),
            Slot("outcomes", ("yes-no",), several=True),
        ),
        Fraction(1, 2),
    ),
    Template(
        "table-1",
        (
            Slot("compared", ("category", "yes-no"), needed=True),
            Slot("measures", ("number",), several=True),
            Slot("characteristics", ("category", "yes-no"), several=True),
        ),
        Fraction(1, 2),
    ),
    Template(
        "ever-readmitted",
        (
            Slot("outcomes", ("yes-no",), several=True, needed=True, of_person=True),
            Slot("splits", ("category", "yes-no"), several=True, of_person=True),
        ),
        Fraction(1, 4),
    ),
    Template(
        "stay-by-chapter",
        (
            Slot("unit", ("category",), needed=True, first=CodePrefix),
            Slot("measures", ("number",), several=True, needed=True, first=TimeBetween),
        ),
        Fraction(1, 4),
    ),
)


def fitting(study: Study, slot: Slot) -> tuple[Column, ...]:
    """The declared columns that a slot can take: of its kinds, and complete."""
    return tuple(
        column
        for column in study.asked_columns
        if column.kind in slot.kinds
        and not any(check_column(column, "$", study.missing_of(column)))
        and (not slot.of_person or study.is_of_person(column.name))
    )


def proposed_columns(study: Study, template: Template) -> Chosen:
    """Columns to begin with, by their kind and order; none is in two slots."""
    taken: set[str] = set()
    chosen: dict[str, tuple[str, ...]] = {}
    for slot in template.slots:
        free = [c for c in fitting(study, slot) if c.name not in taken]
        if slot.first is not None:
            made = [c for c in free if isinstance(c.made_from, slot.first)]
            free = made or free
        if slot.key == "compared":
            free = [c for c in free if len(group_labels(c)) <= MOST_COMPARED]
        # A yes/no column is left for the outcomes while there are categories to split by.
        free = sorted(free, key=lambda c: slot.kinds.index(c.kind))
        names = [c.name for c in free[: PROPOSED if slot.several else 1]]
        taken.update(names)
        chosen[slot.key] = tuple(names)
    return chosen


def is_ready(study: Study, template: Template) -> bool:
    return not template.missing(proposed_columns(study, template))


def template_queries(
    study: Study, template: Template, chosen: Chosen, total: Share
) -> tuple[Query, ...]:
    """The queries of a template, with shares that together cost no more than a total.

    What takes more draws gets more of it, so that a mean's parts are as exact as a count.
    """
    bare = tuple(asked_of_people(study, q) for q in QUERY_MAKERS[template.name](study, chosen))
    weights = [query.declaration.draws for query in bare]
    named: list[Query] = []
    for query, weight in zip(bare, weights, strict=True):
        share = type(total)(_rounded_down(total.units * weight // sum(weights)))
        priced = query.at_share(share)
        beside = replace(study, queries=(*study.queries, *named))
        named.append(replace(priced, id=free_id(beside, priced)))
    return tuple(named)


def _rounded_down(units: int) -> int:
    """Two digits, which is as fine as anybody sets a share by hand."""
    step = int(10 ** max(0, len(str(units)) - 2))
    return units // step * step


def _quality_report(study: Study, chosen: Chosen) -> Iterator[Query]:
    yield from _over_time(chosen, "quarter", "count")
    yield from (_query("count", (name,)) for name in chosen.get("unit", ()))
    yield from _outcomes(study, chosen, "quarter")
    for name in chosen.get("measures", ()):
        yield from _over_time(chosen, "quarter", "mean", name)


def _registry_table(study: Study, chosen: Chosen) -> Iterator[Query]:
    counted = _counted(study)
    yield from _over_time(chosen, "year", counted)
    for name in chosen.get("splits", ()):
        yield from (_query(counted, (_by(day, "year"), name)) for day in chosen.get("date", ()))
    yield from _outcomes(study, chosen, "year")


def _table_1(study: Study, chosen: Chosen) -> Iterator[Query]:
    counted = _counted(study)
    for group in chosen.get("compared", ()):
        yield _query(counted, (group,))
        for name in chosen.get("measures", ()):
            yield _query("mean", (group,), name)
            yield _query("standard-deviation", (group,), name)
        for name in chosen.get("characteristics", ()):
            if name != group:
                yield _query(counted, (group, name))


def _ever_readmitted(study: Study, chosen: Chosen) -> Iterator[Query]:
    """Of people with and without an outcome: how many, how many of 100, and of each split."""
    for name in chosen.get("outcomes", ()):
        column = study.column(name)
        if isinstance(column, YesNoColumn) and column.yes:
            yield _query(_counted(study), (name,))
            splits: list[tuple[Grouping, ...]] = [(one,) for one in chosen.get("splits", ())]
            for by in [(), *splits]:
                yield _query("share", by).having(has=(IsIn(name, column.yes[:1]),))


def _stay_by_chapter(study: Study, chosen: Chosen) -> Iterator[Query]:
    for group in chosen.get("unit", ()):
        yield _query("count", (group,))
        for name in chosen.get("measures", ()):
            yield _query("mean", (group,), name)


QUERY_MAKERS: Final[dict[TemplateName, Callable[[Study, Chosen], Iterator[Query]]]] = {
    "quality-report": _quality_report,
    "registry-table": _registry_table,
    "table-1": _table_1,
    "ever-readmitted": _ever_readmitted,
    "stay-by-chapter": _stay_by_chapter,
}


def _counted(study: Study) -> Statistic:
    """People are counted where a column tells them apart, else rows."""
    has_people = study.unit is not None and study.unit.person is not None
    return "count-people" if has_people else "count"


def _by(day: str, period: Period) -> Grouping:
    return Periods(day, period)


def _over_time(
    chosen: Chosen, period: Period, statistic: Statistic, column: str | None = None
) -> Iterator[Query]:
    for day in chosen.get("date", ()):
        yield _query(statistic, (_by(day, period),), column)


def _outcomes(study: Study, chosen: Chosen, period: Period) -> Iterator[Query]:
    """How many of 100 rows have each outcome, over time."""
    for name in chosen.get("outcomes", ()):
        column = study.column(name)
        if isinstance(column, YesNoColumn) and column.yes:
            for day in chosen.get("date", ()):
                shared = _query("share", (_by(day, period),))
                yield shared.having(has=(IsIn(name, column.yes[:1]),))


def _query(statistic: Statistic, by: tuple[Grouping, ...] = (), column: str | None = None) -> Query:
    made = Query("").having(statistic=statistic, by=by)
    return made if DECLARATIONS[statistic].column is None else made.having(column=column)
