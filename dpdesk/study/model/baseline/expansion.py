# SPDX-License-Identifier: Apache-2.0
r"""A Table 1 as ordinary queries, each with its share of the table's price.

Claim: what is made here depends on declarations alone, and the shares of a table's queries add up
to its price exactly; a query whose answer is public (``public_numbers``) has none of it. So a table
costs what its queries cost, by what is proven of these: their sensitivities, draws, margins and
stored answers are those of the same queries asked by hand.

What is asked: how many are in each group; for each characteristic its counts by group and category,
its moments or its quartiles by group, and how many are missing. Of all groups together only moments
and quartiles are asked again: counts add up over groups, and the table's counts are made consistent
with one another.

Shares are for equal relative accuracy, as far as that costs others no more than it gains. A share
is in proportion to

* 1 for counts, and for moments: noise of one row moves a count by that of a row, and a mean, in
  parts of its range, by about as much as a share of the group;
* 2 for quartiles, which are three choices over a grid: equal accuracy would take more, which all
  other figures would pay for;
* 1/4 for how many are in each group, where counts that keep every row say it, too;
* one over the number of groups for all groups together, which have about as many times the rows.

In zCDP, where noise is in proportion to one over the root of a share, they are the same: squares of
them would take from the many figures by group what few others gain. A characteristic whose share is
declared has that, spread in the same way; the others have what is left.

The rule belongs to the format of bundles: anyone who verifies one expands its table again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from dpdesk.study.model.amount import Share, apportion
from dpdesk.study.model.baseline.declared import BaselineTable, Characteristic, Component, Figures
from dpdesk.study.model.columns import (
    CATEGORY,
    CategoryColumn,
    DateColumn,
    NumberColumn,
    YesNoColumn,
    keeps_every_row,
)
from dpdesk.study.model.conditions import Between, Condition, DateBetween, IsIn, IsMissing
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Grouping, column_of, labels_of
from dpdesk.study.model.queries import Query
from dpdesk.study.public_numbers import number_of

QUARTILES: Final = (Decimal("0.25"), Decimal("0.5"), Decimal("0.75"))

_WEIGHTS: Final[dict[Figures, Fraction]] = {
    "rows": Fraction(1),
    "counts": Fraction(1),
    "moments": Fraction(1),
    "quantiles": Fraction(2),
    "missing": Fraction(1),
}
_OF_ROWS_BESIDE_COUNTS: Final = Fraction(1, 4)
_SUFFIXES: Final[dict[Figures, str]] = {
    "rows": "n",
    "counts": "counts",
    "moments": "mean",
    "quantiles": "quartiles",
    "missing": "missing",
}


Asked = BaselineTable | Query
"""What is asked at a price of its own."""

_Sharing = tuple[Share | None, list[int]]
"""A share that a characteristic was given, or what is left, and the places that have it."""


@dataclass(frozen=True)
class _Unpriced:
    """One query before it has a share.

    Attributes:
        weight: what it is to get, beside the others; nothing where its answer is public.
    """

    query: Query
    component: Component
    weight: Fraction


def with_baseline_queries(study: Study) -> Study:
    """The study with the queries of its Table 1s behind its own, made again.

    Those that come out as they were are the same values, so that nobody compiles them again.
    """
    own = own_queries(study)
    if not study.baseline_tables and len(own) == len(study.queries):
        return study
    known = {query: query for query in study.queries if query.component is not None}
    tables = study.baseline_tables
    made = tuple(known.get(one, one) for table in tables for one in queries_of(study, table))
    return study if study.queries == own + made else replace(study, queries=own + made)


def questions(study: Study) -> tuple[Asked, ...]:
    """What a study asks, each at a price of its own: its Table 1s, then its own queries."""
    return (*study.baseline_tables, *own_queries(study))


def places(study: Study) -> dict[str, int]:
    """The number of what each query answers, by its id: 1 for the first that is asked."""
    numbers = {one.id: place for place, one in enumerate(questions(study), 1)}
    owners = (q.component.table if q.component is not None else q.id for q in study.queries)
    return {q.id: numbers[owner] for q, owner in zip(study.queries, owners, strict=True)}


def own_queries(study: Study) -> tuple[Query, ...]:
    """The queries that belong to no Table 1."""
    return tuple(query for query in study.queries if query.component is None)


def queries_of(study: Study, table: BaselineTable) -> tuple[Query, ...]:
    """The queries of a table; without shares where its price cannot be spread over them."""
    parts = [
        one if number_of(study, one.query) is None else replace(one, weight=Fraction(0))
        for one in _parts(study, table)
    ]
    if (shares := shares_of(table, parts)) is None:
        return tuple(_priced(part, None) for part in parts)
    return tuple(_priced(part, share) for part, share in zip(parts, shares, strict=True))


def shares_of(table: BaselineTable, parts: Sequence[_Unpriced]) -> list[Share] | None:
    """The share of each part of a table's price; see the head of the module.

    ``None`` where there is no price, or it does not reach.
    """
    price = table.share
    if price is None or not parts:
        return None
    units, groups = dict.fromkeys(range(len(parts)), 0), _by_share(table, parts)
    own = [share for share, _places in groups if share is not None]
    if any(type(share) is not type(price) for share in own):
        return None
    left = price.units - sum(share.units for share in own)
    for share, places in groups:
        amount = left if share is None else share.units
        paid = [place for place in places if parts[place].weight]
        least = [parts[place].query.least_units for place in paid]
        if amount < sum(least):
            return None
        weights = [parts[place].weight for place in paid]
        units |= dict(zip(paid, apportion(amount, weights, least) if paid else (), strict=True))
    return [type(price)(units[place]) for place in range(len(parts))]


def _by_share(table: BaselineTable, parts: Sequence[_Unpriced]) -> list[_Sharing]:
    """The places of the parts that share an amount: those of the rest first."""
    found: dict[int | None, list[int]] = {None: []}
    for place, part in enumerate(parts):
        at = part.component.place
        has_own = at is not None and table.characteristics[at].share is not None
        found.setdefault(at if has_own else None, []).append(place)
    return [
        (None if at is None else table.characteristics[at].share, places)
        for at, places in found.items()
    ]


def _priced(part: _Unpriced, share: Share | None) -> Query:
    query = replace(part.query, component=part.component)
    if share is None:
        return query
    members: dict[str, Any] = {share.measure: share}
    return replace(query, **members)


def _parts(study: Study, table: BaselineTable) -> Iterator[_Unpriced]:
    asked = [one.figures(study.column(one.column)) for one in table.characteristics]
    rows = _OF_ROWS_BESIDE_COUNTS if _add_up_to_rows(study, table, asked) else _WEIGHTS["rows"]
    yield _part(table, None, "rows", table.by, table.where, rows)
    for place, (one, figures) in enumerate(zip(table.characteristics, asked, strict=True)):
        yield from _of_characteristic(study, table, place, figures)
        if one.missing and not _is_category(study, one, figures):
            where = (*table.where, IsMissing(one.column))
            yield _part(table, place, "missing", table.by, where)


def _add_up_to_rows(study: Study, table: BaselineTable, asked: Sequence[Figures]) -> bool:
    """Whether counts of some characteristic add up to how many are in each group."""
    pairs = zip(table.characteristics, asked, strict=True)
    columns = (study.column(one.column) for one, figures in pairs if figures == "counts")
    return any(column is not None and keeps_every_row(column) for column in columns)


def _of_characteristic(
    study: Study, table: BaselineTable, place: int, figures: Figures
) -> Iterator[_Unpriced]:
    one = table.characteristics[place]
    if figures == "counts":
        by = (*table.by, one.categories)
        yield _part(table, place, figures, by, table.where)
        return
    yield _part(table, place, figures, table.by, table.where)
    if table.by:
        groups = _groups(study, table)
        weight, where = _WEIGHTS[figures] / groups, _in_a_group(study, table)
        overall = _part(table, place, figures, (), where, weight, is_overall=True)
        guess = overall.query.expected
        expected = None if guess is None else guess * groups
        yield replace(overall, query=replace(overall.query, expected=expected))


def _part(
    table: BaselineTable,
    place: int | None,
    figures: Figures,
    by: tuple[Grouping, ...],
    where: tuple[Condition, ...],
    weight: Fraction | None = None,
    is_overall: bool = False,
) -> _Unpriced:
    names = (table.id, *(() if place is None else (str(place + 1),)), _SUFFIXES[figures])
    query = Query("-".join((*names, *(("all",) if is_overall else ())))).having(
        by=by, where=where, of=table.of, **_asking(table, place, figures)
    )
    weight = _WEIGHTS[figures] if weight is None else weight
    return _Unpriced(query, Component(table.id, place, figures, is_overall), weight)


def _asking(table: BaselineTable, place: int | None, figures: Figures) -> dict[str, Any]:
    """The statistic that answers, with its parameters."""
    if place is None or figures in ("rows", "counts", "missing"):
        return {"statistic": "count"}
    column = table.characteristics[place].column
    if figures == "moments":
        return {
            "statistic": "standard-deviation",
            "column": column,
            "expected": table.expected,
        }
    return {"statistic": "quantiles", "column": column, "quantiles": QUARTILES}


def _is_category(study: Study, one: Characteristic, figures: Figures) -> bool:
    """Whether its missing cells are one of the categories that are counted."""
    column = study.column(one.column)
    return figures == "counts" and getattr(column, "missing", None) == CATEGORY


def _groups(study: Study, table: BaselineTable) -> int:
    """How many groups there are; one while they are not declared."""
    pairs = ((by, study.column(column_of(by))) for by in table.by)
    return max([1, *(len(labels_of(by, column)) for by, column in pairs if column)])


def _in_a_group(study: Study, table: BaselineTable) -> tuple[Condition, ...]:
    """The conditions under which a row is in one of the groups, so that all say the same rows."""
    return (*table.where, *(one for by in table.by for one in _within(study, by)))


def _within(study: Study, by: Grouping) -> Iterator[Condition]:
    column = study.column(column_of(by))
    if column is None or keeps_every_row(column):
        return
    if isinstance(column, NumberColumn) and column.lower is not None and column.upper is not None:
        yield Between(column.name, column.lower, column.upper)
    elif isinstance(column, DateColumn) and column.first is not None and column.last is not None:
        yield DateBetween(column.name, column.first, column.last)
    elif isinstance(column, CategoryColumn | YesNoColumn):
        yield IsIn(column.name, labels_of(by, column))
