# SPDX-License-Identifier: Apache-2.0
"""A query of each statistic on the made-up table: what the proofs ask of every one of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

from dpdesk.study.model.amount import Delta
from dpdesk.study.model.columns import NumberColumn, number_grid
from dpdesk.study.model.conditions import IsIn, IsMissing
from dpdesk.study.model.groupings import column_of
from dpdesk.study.model.parameters import TimeToEventParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.statistics import DECLARATIONS, Statistic
from dpdesk.study.model.unit import Unit

FEW = 12
"""So many grid values are candidates without being listed; of longer grids some are."""

Members = dict[str, Any]


def query_for(statistic: Statistic, stay: NumberColumn, id: str = "q", **more: Any) -> Query:
    """A query that can be compiled, on the columns ``stay``, ``ward``, ``sex`` and ``ok``.

    Args:
        statistic: what is asked.
        stay: the number column.
        id: the query's id.
        more: what else the query declares, its share above all; wins over the example.
    """
    column = "stay" if DECLARATIONS[statistic].column == "number" else None
    members: Members = {"column": column, **EXAMPLES.get(statistic, _nothing)(stay)}
    members |= more
    if statistic == "randomised-response":
        members["where"] = ()  # every row answers
    if DECLARATIONS[statistic].before_limit:
        members |= {"where": (), "by": ()}
    if not DECLARATIONS[statistic].groups:
        members["by"] = ()
    if statistic == "most-common" and not members.get("columns"):
        taken = members.get("by", ())
        members["column"] = next(name for name in ("ward", "sex", "ok") if name not in taken)
    if members.get("over"):
        # An age group is no group of the table as well.
        members["by"] = tuple(g for g in members.get("by", ()) if column_of(g) != members["over"])
    return Query(id).having(statistic=statistic, **members)


def with_group_limit(query: Query, unit: Unit, most: int = 1) -> Query:
    """The query with at most that many of a person's rows in one group, where it can have that."""
    is_possible = query.declaration.has_group_limit and query.by and query.of == "rows"
    fits = is_possible and 1 <= most < unit.max_rows
    return replace(query, rows_per_group=most) if fits else query


def exists(
    statistic: Statistic, unit: Unit, measure: str = "epsilon", stay: NumberColumn | None = None
) -> bool:
    """Whether a statistic can be asked about people who are protected so, in such an account.

    An exposure is 0 or more: of other columns there is no rate. Curves over time need one row each.
    """
    if is_curve(statistic) and unit.max_rows != 1:
        return False
    if is_exposed(statistic) and stay is not None and (stay.lower or 0) < 0:
        return False
    if statistic == "categories-found":
        return measure == "rho"
    if DECLARATIONS[statistic].before_limit:
        return unit.person is not None
    alone = unit.neighbours == "change-one" and unit.max_rows == 1
    return statistic != "randomised-response" or alone


def is_curve(statistic: Statistic) -> bool:
    """Whether it is a curve over time, of one row each."""
    return issubclass(DECLARATIONS[statistic].parameters, TimeToEventParameters)


def is_exposed(statistic: Statistic) -> bool:
    """Whether its number column is an exposure, 0 or more."""
    return DECLARATIONS[statistic].unit in ("per", "ratio")


def on_grid(stay: NumberColumn, *parts: float) -> tuple[Decimal, ...]:
    """Grid values at some parts of the range, rising, none twice."""
    last = number_grid(stay).last
    assert stay.lower is not None
    assert stay.step is not None
    places = sorted({round(last * part) for part in parts})
    return tuple(stay.lower + place * stay.step for place in places)


def _nothing(_stay: NumberColumn) -> Members:
    return {}


def _property(_stay: NumberColumn) -> Members:
    return {"has": (IsIn("ok", ("yes",)),)}


def _candidates(stay: NumberColumn) -> Members:
    if number_grid(stay).last < FEW:
        return {}
    return {"candidates": on_grid(stay, 0, 0.1, 0.3, 0.5, 0.8, 1)}


def _edges(stay: NumberColumn) -> tuple[Decimal, ...]:
    """So many bins, where the grid has them, that a tree of them is worth its while."""
    values = on_grid(stay, *(part / 40 for part in range(1, 41)))
    return tuple(value for value in values if value != stay.lower)[:39]


def _over_ages(stay: NumberColumn) -> Members:
    """Two groups of the exposure itself, which any table has."""
    return {**_property(stay), "per": 1, "over": stay.name, "edges": _edges(stay)[:1]}


def _quantiles(stay: NumberColumn) -> Members:
    """Deciles among so many values, where the grid has them, that they are read off counts."""
    candidates = {} if number_grid(stay).last < FEW else {"candidates": (stay.lower, *_edges(stay))}
    return {"quantiles": tuple(Decimal(n) / 10 for n in range(1, 10)), **candidates}


EXAMPLES: dict[str, Callable[[NumberColumn], Members]] = {
    "share": _property,
    "rate": lambda stay: {**_property(stay), "per": 1},
    "standardised-rate": lambda stay: {
        **_over_ages(stay),
        "standard": "own",
        "weights": (Decimal(3), Decimal(1)),
    },
    "standardised-ratio": lambda stay: {
        **_over_ages(stay),
        "reference": (Decimal("0.1"), Decimal("0.2")),
    },
    "median": _candidates,
    "quantiles": _quantiles,
    "interquartile-range": _candidates,
    "distribution": lambda stay: {"edges": _edges(stay)},
    "survival": lambda stay: {"edges": _edges(stay)[::8], **_property(stay)},
    "cumulative-incidence": lambda stay: {
        "edges": _edges(stay)[::8],
        "has": (IsIn("ward", ("A", "B")),),
    },
    "linear-model": lambda _stay: {"columns": ("ok",)},
    "most-common": lambda _stay: {"top": 2},
    "cut-off": lambda stay: {
        "candidates": on_grid(stay, 0, 0.1, 0.3, 0.5, 0.8, 1),
        "score": "value-times-count",
    },
    "rows-per-person": lambda _stay: {"top_code": 3},
    "categories-found": lambda _stay: {"column": "ward", "delta": Delta.of("1e-10")},
    "randomised-response": lambda stay: {"has": (IsMissing(stay.name),)},
}
"""What each statistic declares besides its number column."""
