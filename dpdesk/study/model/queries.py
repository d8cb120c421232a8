# SPDX-License-Identifier: Apache-2.0
"""What is asked: a statistic with its parameters, its groups, and conditions."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeVar

from dpdesk.study.model.amount import NO_DELTA, Delta, Epsilon, Rho, Share
from dpdesk.study.model.baseline.declared import Component
from dpdesk.study.model.conditions import Condition
from dpdesk.study.model.groupings import Grouping, column_of
from dpdesk.study.model.parameters import (
    MEMBERS,
    NO_PARAMETERS,
    CategoriesFoundParameters,
    ColumnParameters,
    Parameters,
    RateParameters,
)
from dpdesk.study.model.statistics import (
    DECLARATIONS,
    ResultUnit,
    Statistic,
    StatisticDeclaration,
)

NoiseChoice = Literal["auto", "laplace", "gaussian"]
Subject = Literal["rows", "people"]
NOISES: tuple[NoiseChoice, ...] = ("auto", "laplace", "gaussian")
EMPTY = ((), None)
ROUNDINGS = (5, 10)
"""To multiples of what a study can have its counts rounded."""

ComparisonKind = Literal["groups", "model", "trend", "test"]
COMPARISON_KINDS: tuple[ComparisonKind, ...] = ("groups", "model", "trend", "test")
WITH_REFERENCE: frozenset[ComparisonKind] = frozenset({"groups", "model"})

P = TypeVar("P", bound=Parameters)


@dataclass(frozen=True)
class GroupComparison:
    """A comparison of a query's groups, made of its released figures; it costs nothing.

    Attributes:
        by: the column whose groups are compared, one of the query's groupings; but for a model in
            each group of the other groupings by themselves.
        kind: groups compares each group with the reference: difference, ratio and, of shares, odds
            ratio; model does so of groups that are alike in all other groupings, by the main
            effects of a logistic, Poisson or linear model; trend says by how much figures rise
            from one bin or period to the next; test says by chi-squared how often noise and chance
            alone make groups that are alike differ as much.
        reference: the label of the group with which the others are compared.
    """

    by: str
    kind: ComparisonKind = "groups"
    reference: str = ""


@dataclass(frozen=True)
class PublishedForm:
    """What becomes of a count between the noise and its table; see ``privacy.published_form``.

    Attributes:
        step: counts are published as multiples of this; 1 for whole numbers.
        none_below_zero: whether a negative one is published as 0.
    """

    step: int = 1
    none_below_zero: bool = False


@dataclass(frozen=True)
class Query:
    """One question to the data.

    Attributes:
        id: short name, unique in the study; names the result file. 1 to 40 of a-z, 0-9 and -.
        statistic: what is computed: count counts rows, count-people people with at least one row,
            rows-per-person people by how many rows they have, before the row limit, share the
            fraction of rows with a property, most-common the declared group, or the yes/no column,
            with the most rows, randomised-response the number of rows with a property from answers
            that may lie, categories-found the texts of a category column that enough people have,
            survival the part without an event up to the end of each bin of a time column;
            variance and standard-deviation those of the rows themselves (divided by their number);
            the others, too, are computed of a number column.
        parameters: what else its statistic declares, its column first; of the declared class.
        by: up to three groupings: a category or yes/no column by its name, a number column with
            bins, or a date column with a period; every declared group is printed, the empty ones
            too.
        where: conditions that a row must all meet.
        epsilon: the share of the budget that this query costs.
        expected: the custodian's guess of a group's size, for the accuracy of a mean before
            release.
        title: heading in the release; made from the parts where empty.
        rho: the share, in an account that is kept in zCDP.
        noise: which noise; auto takes what is more accurate at the same cost.
        of: of what a row is: rows of the file, of which each person has as many as the row limit
            lets through, or people: one row for each person with an id, whose columns are made of
            all of that person's rows.
        population: whether each figure has an interval for the population beside it: noise and
            chance together, the rows being taken for a sample.
        whole_numbers: whether its counts are published as whole numbers, none below zero: small
            ones are then too high on average, and tables no longer add up exactly.
        comparisons: which of its groups are compared, from what is released.
        rows_per_group: how many of a person's rows count in one group at most, chosen at random
            from those that the row limit keeps; fewer than the row limit. Without it as many as
            the row limit keeps.
        stray: members that a file gives it and its statistic does not take, by name.
        component: what it answers in the Table 1 that it was made for; none of a query of its own.
    """

    id: str
    statistic: Statistic = "count"
    parameters: Parameters = NO_PARAMETERS
    by: tuple[Grouping, ...] = ()
    where: tuple[Condition, ...] = ()
    epsilon: Epsilon | None = None
    expected: int | None = None
    title: str = ""
    rho: Rho | None = None
    noise: NoiseChoice = "auto"
    of: Subject = "rows"
    population: bool = False
    whole_numbers: bool = False
    comparisons: tuple[GroupComparison, ...] = ()
    rows_per_group: int | None = None
    stray: tuple[tuple[str, Any], ...] = ()
    component: Component | None = None

    def __post_init__(self) -> None:
        if type(self.parameters) is not self.declaration.parameters:
            raise TypeError(f"{type(self.parameters).__name__} of {self.statistic}")

    @cached_property
    def declaration(self) -> StatisticDeclaration:
        return DECLARATIONS[self.statistic]

    @cached_property
    def share(self) -> Share | None:
        return self.rho if self.rho is not None else self.epsilon

    @property
    def least_units(self) -> int:
        """The least that it can cost: a smallest unit for each draw."""
        return max(self.declaration.draws, self.parameters.draws)

    @cached_property
    def unpriced(self) -> Query:
        """The same question without a share of the budget."""
        return replace(self, epsilon=None, rho=None)

    def at_share(self, share: Share | None) -> Query:
        """The same question at another price, or without one."""
        if isinstance(share, Rho):
            return replace(self, rho=share, epsilon=None)
        return replace(self, epsilon=share, rho=None)

    @cached_property
    def column(self) -> str | None:
        """The column that the statistic is computed of; none for counts and shares."""
        own = self.parameters
        return own.column if isinstance(own, ColumnParameters | RateParameters) else None

    @property
    def has_intervals(self) -> bool:
        """Whether intervals for the population are made of it, be it for comparisons alone."""
        return self.population or bool(self.comparisons)

    @property
    def whose_rows(self) -> Hashable:
        """Equal for queries of one column over the same rows in the same groups."""
        return self.column, self.of, self.by, frozenset(self.where)

    @property
    def is_limited(self) -> bool:
        """Whether its figures depend on the rows that the row limit keeps of each person.

        All but those counted before the limit, and all people: each has a row under any limit.
        """
        declared = self.declaration
        is_narrowed = bool(self.by or self.where or declared.finds)
        if declared.before_limit or self.of == "people":
            return False
        return declared.unit != "people" or is_narrowed

    @property
    def unit(self) -> ResultUnit | None:
        """The unit of its figures; rows of the table of people are people."""
        declared = self.declaration.unit
        return "people" if declared == "rows" and self.of == "people" else declared

    @property
    def delta(self) -> Delta:
        """The probability that it asks for; none but for categories found."""
        own = self.parameters
        return (isinstance(own, CategoriesFoundParameters) and own.delta) or NO_DELTA

    @cached_property
    def names(self) -> frozenset[str]:
        conditions = (c.column for c in self.where)
        return frozenset((*self.parameters.names, *map(column_of, self.by), *conditions))

    @property
    def members(self) -> dict[str, Any]:
        """The parameters that are set, and stray members, as they stand in a file."""
        own = vars(self.parameters) | dict(self.stray)
        return {key: own[key] for key in MEMBERS if own.get(key) not in EMPTY}

    def parameters_as(self, kind: type[P]) -> P:
        if not isinstance(self.parameters, kind):
            raise TypeError(f"{self.statistic} has no {kind.__name__}")
        return self.parameters

    def having(self, **changes: Any) -> Query:
        """The query with other members as they stand in a file.

        Parameters that its statistic does not take, be it another than before, are stray.
        """
        own = self.members | {key: changes.pop(key) for key in MEMBERS if key in changes}
        kind = DECLARATIONS[changes.get("statistic", self.statistic)].parameters
        taken = kind(**{key: value for key, value in own.items() if hasattr(kind, key)})
        left = [key for key in MEMBERS if not hasattr(kind, key) and own.get(key) not in EMPTY]
        stray = tuple((key, own[key]) for key in left)
        return replace(self, parameters=taken, stray=stray, **changes)


@dataclass(frozen=True)
class SyntheticRows:
    """Synthetic rows that a release carries: made up, with counts near those that it releases.

    Attributes:
        of: what each is: rows, or people. They keep every count of these, by one column or more and
            without conditions, and nothing else.
        none_alone_in: columns in whose combination of values no row is to be alone.
    """

    of: Subject = "rows"
    none_alone_in: tuple[str, ...] = ()

    def keeps(self, query: Query) -> bool:
        """Whether a query's counts are among those that the rows keep."""
        declared = query.declaration
        is_count = declared.counts_all and declared.unit == "rows" and query.of == self.of
        return is_count and bool(query.by) and not query.where and not _repeats(query.by)


def _repeats(by: tuple[Grouping, ...]) -> bool:
    """Whether a column is there twice, cut in two ways."""
    return len({column_of(grouping) for grouping in by}) < len(by)
