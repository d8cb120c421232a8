# SPDX-License-Identifier: Apache-2.0
"""What is asked: a statistic, its groups, and structured conditions; never text to evaluate."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from dpdesk.study.model.amount import Delta, Epsilon, Rho, Share
from dpdesk.study.model.groupings import Grouping, column_of
from dpdesk.study.model.statistics import DECLARATIONS, Statistic, StatisticDeclaration

NoiseChoice = Literal["auto", "laplace", "gaussian"]
ScoreName = Literal["value-times-count", "closest-to-target"]
NOISES: tuple[NoiseChoice, ...] = ("auto", "laplace", "gaussian")
SCORES: tuple[ScoreName, ...] = ("value-times-count", "closest-to-target")


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
    """The number lies between two others, both included, after its column's rules."""

    column: str
    lowest: Decimal
    highest: Decimal


@dataclass(frozen=True)
class DateBetween:
    """The day lies between two others, both included, after its column's rules."""

    column: str
    first: date
    last: date


@dataclass(frozen=True)
class IsMissing:
    """The cell is missing (true) or is not (false)."""

    column: str
    missing: bool = True


Condition = IsIn | IsNotIn | Between | DateBetween | IsMissing


@dataclass(frozen=True)
class Query:
    """One question to the data.

    Attributes:
        id: short name, unique in the study; names the result file. 1 to 40 of a-z, 0-9 and -.
        statistic: what is computed: count counts rows, count-people people with at least one row,
            share the fraction of rows with a property, most-common the declared group, or the
            yes/no column, with the most rows, randomised-response the number of rows with a
            property from answers that may lie, categories-found the texts of a category column
            that enough people have; variance and standard-deviation those of the rows themselves
            (divided by their number); the others, too, are computed of a number column.
        column: the column that the statistic is computed of; none for counts and shares.
        by: up to three groupings: a category or yes/no column by its name, a number column with
            bins, or a date column with a period; every declared group is printed, the empty ones
            too.
        where: conditions that a row must all meet.
        epsilon: the share of the budget that this query costs.
        expected: the custodian's guess of a group's size, for the accuracy of a mean before
            release.
        title: heading in the release; made from the parts where empty.
        has: the property that a share is about: conditions that must all hold.
        columns: yes/no columns of which the most common is asked.
        quantiles: probabilities between 0 and 1, rising.
        candidates: values of the column of which one is chosen, rising; all of its grid where
            there are none, but for a cut-off.
        edges: where the bins of a distribution begin, rising.
        top: how many of the most common are asked.
        score: what makes a cut-off good: its value times the number of rows that reach it, or how
            close that number comes to the target.
        target: how many rows should reach the cut-off.
        rho: the share, in an account that is kept in zCDP.
        delta: for categories found in the data: the probability with which a category that one
            person alone has may show. At most half of what an account may have, 5e-7; an
            account's own delta pays.
        noise: which noise; auto takes what is more accurate at the same cost.
    """

    id: str
    statistic: Statistic = "count"
    column: str | None = None
    by: tuple[Grouping, ...] = ()
    where: tuple[Condition, ...] = ()
    epsilon: Epsilon | None = None
    expected: int | None = None
    title: str = ""
    has: tuple[Condition, ...] = ()
    columns: tuple[str, ...] = ()
    quantiles: tuple[Decimal, ...] = ()
    candidates: tuple[Decimal, ...] = ()
    edges: tuple[Decimal, ...] = ()
    top: int | None = None
    score: ScoreName | None = None
    target: int | None = None
    rho: Rho | None = None
    delta: Delta | None = None
    noise: NoiseChoice = "auto"

    @property
    def declaration(self) -> StatisticDeclaration:
        """What is public about its statistic."""
        return DECLARATIONS[self.statistic]

    @property
    def share(self) -> Share | None:
        """What the query costs, in its account's measure."""
        return self.rho if self.rho is not None else self.epsilon

    @property
    def names(self) -> frozenset[str]:
        """Every column that the query uses."""
        conditions = (c.column for c in (*self.where, *self.has))
        own = () if self.column is None else (self.column,)
        return frozenset((*own, *self.columns, *map(column_of, self.by), *conditions))
