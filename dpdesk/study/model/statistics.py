# SPDX-License-Identifier: Apache-2.0
"""The catalogue of statistics: what each one needs to be asked, for JSON, forms and shell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Statistic = Literal[
    "count",
    "count-people",
    "share",
    "sum",
    "mean",
    "variance",
    "standard-deviation",
    "median",
    "quantiles",
    "interquartile-range",
    "distribution",
    "most-common",
    "cut-off",
    "randomised-response",
    "categories-found",
    "bounds",
]

Kind = Literal["number", "groups", "category"]
"""``groups``: a column whose groups are declared (category or yes/no)."""


@dataclass(frozen=True)
class Needs:
    """What a query of one statistic declares.

    Attributes:
        column: the kind of its column; ``None`` where it has none.
        members: the members that it must have, beside column and share.
        optional: the members that it may have.
        parts: how many draws share its budget, at least.
        groups: how many grouping columns it may have.
    """

    column: Kind | None = None
    members: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    parts: int = 1
    groups: int = 3


MEMBERS: Final = (
    *("columns", "has", "quantiles", "candidates", "edges", "top", "score", "target", "delta"),
)
"""Members of a query that belong to some statistics only."""

MAX_BY: Final = 3

NEEDS: Final[dict[Statistic, Needs]] = {
    "count": Needs(),
    "count-people": Needs(),
    "share": Needs(members=("has",)),
    "sum": Needs("number"),
    "mean": Needs("number", parts=2),
    "variance": Needs("number", parts=3),
    "standard-deviation": Needs("number", parts=3),
    "median": Needs("number", optional=("candidates",)),
    "quantiles": Needs("number", members=("quantiles",), optional=("candidates",)),
    "interquartile-range": Needs("number", optional=("candidates",), parts=2),
    "distribution": Needs("number", members=("edges",), groups=2),
    "most-common": Needs("groups", optional=("columns", "top")),
    "cut-off": Needs("number", members=("candidates", "score"), optional=("target",)),
    "randomised-response": Needs(members=("has",), groups=0),
    "categories-found": Needs("category", members=("delta",), groups=0),
    "bounds": Needs("number", groups=0),
}

STATISTICS: Final[tuple[Statistic, ...]] = tuple(NEEDS)
NEEDS_COLUMN: Final = frozenset(name for name, needs in NEEDS.items() if needs.column)
RATIOS: Final = frozenset({"share", "mean", "variance", "standard-deviation"})
"""Statistics whose accuracy depends on how many rows a group has."""

SELECTIONS: Final = frozenset(
    {"median", "quantiles", "interquartile-range", "most-common", "cut-off"}
)
"""Statistics that choose one of declared candidates instead of adding noise to a figure."""
