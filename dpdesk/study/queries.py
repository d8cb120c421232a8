# SPDX-License-Identifier: Apache-2.0
"""What is asked: a statistic, its groups, and structured conditions; never text to evaluate."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from dpdesk.study.amount import Epsilon

Statistic = Literal["count", "count-people", "sum", "mean"]
STATISTICS: tuple[Statistic, ...] = ("count", "count-people", "sum", "mean")
NEEDS_COLUMN = frozenset({"sum", "mean"})
MAX_BY = 2


@dataclass(frozen=True)
class IsIn:
    """The cell is one of these groups. Rows whose cell a rule drops do not pass."""

    column: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class IsNotIn:
    """The cell is a declared group, but none of these."""

    column: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Between:
    """The number lies in ``lowest..highest``, both included, after its column's rules."""

    column: str
    lowest: Decimal
    highest: Decimal


@dataclass(frozen=True)
class DateBetween:
    """The day lies in ``first..last``, both included, after its column's rules."""

    column: str
    first: date
    last: date


@dataclass(frozen=True)
class IsMissing:
    """The cell is missing (``missing=True``) or is not (``False``)."""

    column: str
    missing: bool = True


Condition = IsIn | IsNotIn | Between | DateBetween | IsMissing


@dataclass(frozen=True)
class Query:
    """One question to the data.

    Attributes:
        id: short name, unique in the study; names the result file.
        statistic: count of rows, count of people, sum or mean.
        column: the number column that is summed or averaged; ``None`` for counts.
        by: up to two columns whose declared groups are all printed.
        where: conditions, and-ed.
        epsilon: the share of the budget that this query costs; ``None`` while not set.
        expected: the custodian's guess of a group's size, for the accuracy of a mean.
        title: heading in the release; made from the parts where empty.
    """

    id: str
    statistic: Statistic = "count"
    column: str | None = None
    by: tuple[str, ...] = ()
    where: tuple[Condition, ...] = ()
    epsilon: Epsilon | None = None
    expected: int | None = None
    title: str = ""
