# SPDX-License-Identifier: Apache-2.0
"""The catalogue of statistics: one declaration each of all that is public about it.

Code that treats statistics differently asks the declaration for the trait that makes the
difference, never for the name. How a statistic is computed is declared in
``privacy.statistics``; the words of its sentence in ``study.text.title_words``, words and icon for
lists in ``desk.text.query_words``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from dpdesk.study.model.parameters import (
    ByAgeParameters,
    CandidateParameters,
    CategoriesFoundParameters,
    ColumnParameters,
    CutOffParameters,
    DistributionParameters,
    IncidenceParameters,
    LinearModelParameters,
    MostCommonParameters,
    Parameters,
    PropertyParameters,
    QuantileParameters,
    RateParameters,
    ReferenceParameters,
    RowsPerPersonParameters,
    SpreadParameters,
    StandardParameters,
    TimeToEventParameters,
)

Statistic = Literal[
    "count",
    "count-people",
    "rows-per-person",
    "share",
    "sum",
    "mean",
    "variance",
    "standard-deviation",
    "rate",
    "standardised-rate",
    "standardised-ratio",
    "median",
    "quantiles",
    "interquartile-range",
    "distribution",
    "survival",
    "cumulative-incidence",
    "linear-model",
    "most-common",
    "cut-off",
    "randomised-response",
    "categories-found",
    "bounds",
]

NeededColumn = Literal["number", "groups", "category"]
"""``groups``: a column whose groups are declared (category or yes/no)."""

ResultUnit = Literal["rows", "people", "column", "squared", "per", "ratio"]
Choosing = Literal["rank", "group", "cut-off"]
Finding = Literal["categories", "bounds"]
ModelKind = Literal["logistic", "poisson", "linear"]


@dataclass(frozen=True)
class StatisticDeclaration:
    """What is public about one statistic.

    Attributes:
        column: the kind of its column; ``None`` where it has none.
        parameters: the class of what else a query of it declares.
        draws: how many draws share its budget, at least.
        groups: how many grouping columns it may have.
        unit: of its figures; ``None`` where they have none.
        is_total: whether it adds up what rows hold, so that noise can drown a small group.
        is_count: whether its figures are counts of rows or people, which a house rule rounds.
        counts_all: whether its lines add up to all rows, or people, where nothing leaves one out.
        is_ratio: whether its accuracy depends on how many rows a group has.
        chooses: for one that picks a declared candidate instead of adding noise to a figure:
            a value by its rank, one of the groups, or a cut-off by its score.
        finds: for one that looks for a declaration in the data, what it finds.
        flips_answers: whether noise is put on each row's answer, before anything is counted.
        reads_counts: whether it may read all that it chooses off the same noisy counts.
        before_limit: whether it counts all rows of each person with an id, before the row limit;
            then no question of it depends on the limit, and it has no groups and no conditions.
        has_population: whether an interval for the population can stand beside its figures.
        is_comparable: whether its groups can be compared.
        model: by what model its groups can be compared, all others alike; ``None`` for by none.
        is_spread: whether its figures say the variance of its column, and so how far chance moves
            a mean of the same rows.
        needs_spread: whether its interval for the population needs such a query.
        has_derived: whether a table of figures that follow from its own is published, too.
        has_funnel: whether its figures of units, over their exposure, make a funnel plot: their
            limits follow from the exposure alone.
        line_cost: what checking a line takes; the plainest take 1.
    """

    column: NeededColumn | None = None
    parameters: type[Parameters] = Parameters
    draws: int = 1
    groups: int = 3
    unit: ResultUnit | None = None
    is_total: bool = False
    is_count: bool = False
    counts_all: bool = False
    is_ratio: bool = False
    chooses: Choosing | None = None
    finds: Finding | None = None
    flips_answers: bool = False
    reads_counts: bool = False
    before_limit: bool = False
    has_population: bool = False
    is_comparable: bool = False
    model: ModelKind | None = None
    is_spread: bool = False
    needs_spread: bool = False
    has_derived: bool = False
    has_funnel: bool = False
    line_cost: int = 1

    @cached_property
    def can_ask_more(self) -> bool:
        """Whether a query of it says how many quantiles are asked."""
        return issubclass(self.parameters, QuantileParameters)

    @cached_property
    def has_noise_of_bounds(self) -> bool:
        """Whether its noise grows with the width of its column's bounds."""
        return self.unit in ("column", "squared")

    @cached_property
    def has_group_limit(self) -> bool:
        """Whether a person's rows in one group can have a limit of their own.

        There must be groups, and rows in them: in each a person counts once as one. Of a figure
        over age groups nobody could say whether its groups or these are meant.
        """
        is_over_ages = issubclass(self.parameters, ByAgeParameters)
        return self.groups > 0 and self.unit != "people" and not is_over_ages

    @cached_property
    def has_whole_numbers(self) -> bool:
        """Whether noise can take its counts below zero, so that a query can rule that out.

        Running counts are cut at zero in any case, and found categories are above it.
        """
        return self.is_count and self.is_total and self.column is None

    @cached_property
    def is_share(self) -> bool:
        """Whether its figures are shares: a ratio without a unit, which people read as percent."""
        return self.is_ratio and self.unit is None

    @cached_property
    def percent_factor(self) -> int:
        """How many of what people read one of its figures is: shares are read as percentages."""
        return 100 if self.is_share else 1

    @cached_property
    def has_margin(self) -> bool:
        """Whether its accuracy is a figure's margin; else a bound on a choice or a search."""
        return self.chooses is None and self.finds != "bounds"


DECLARATIONS: Final[dict[Statistic, StatisticDeclaration]] = {
    "count": StatisticDeclaration(
        unit="rows",
        is_total=True,
        is_count=True,
        counts_all=True,
        has_population=True,
        is_comparable=True,
    ),
    "count-people": StatisticDeclaration(
        unit="people",
        is_total=True,
        is_count=True,
        counts_all=True,
        has_population=True,
        is_comparable=True,
    ),
    "rows-per-person": StatisticDeclaration(
        None,
        RowsPerPersonParameters,
        groups=0,
        unit="people",
        is_total=True,
        is_count=True,
        counts_all=True,
        before_limit=True,
    ),
    "share": StatisticDeclaration(
        *(None, PropertyParameters),
        is_ratio=True,
        has_population=True,
        is_comparable=True,
        model="logistic",
    ),
    "sum": StatisticDeclaration("number", ColumnParameters, unit="column", is_total=True),
    "mean": StatisticDeclaration(
        "number",
        ColumnParameters,
        unit="column",
        is_ratio=True,
        has_population=True,
        is_comparable=True,
        model="linear",
        needs_spread=True,
    ),
    "variance": StatisticDeclaration(
        "number", SpreadParameters, unit="squared", is_ratio=True, is_spread=True, line_cost=2
    ),
    "standard-deviation": StatisticDeclaration(
        "number", SpreadParameters, unit="column", is_ratio=True, is_spread=True, line_cost=2
    ),
    "rate": StatisticDeclaration(
        *("number", RateParameters),
        unit="per",
        is_ratio=True,
        has_population=True,
        model="poisson",
        has_funnel=True,
        line_cost=2,
    ),
    "standardised-rate": StatisticDeclaration(
        *("number", StandardParameters),
        groups=2,
        unit="per",
        is_ratio=True,
        has_population=True,
        line_cost=20,
    ),
    "standardised-ratio": StatisticDeclaration(
        *("number", ReferenceParameters),
        groups=2,
        unit="ratio",
        is_ratio=True,
        has_population=True,
        has_funnel=True,
        line_cost=20,
    ),
    "median": StatisticDeclaration("number", CandidateParameters, chooses="rank"),
    "quantiles": StatisticDeclaration(
        "number", QuantileParameters, chooses="rank", reads_counts=True
    ),
    "interquartile-range": StatisticDeclaration(
        "number", CandidateParameters, 2, chooses="rank", reads_counts=True
    ),
    "distribution": StatisticDeclaration(
        "number", DistributionParameters, groups=2, unit="rows", is_total=True, is_count=True
    ),
    "survival": StatisticDeclaration(
        "number",
        TimeToEventParameters,
        groups=2,
        is_ratio=True,
        has_population=True,
        has_derived=True,
        line_cost=10,
    ),
    "cumulative-incidence": StatisticDeclaration(
        "number",
        IncidenceParameters,
        groups=2,
        is_ratio=True,
        has_population=True,
        has_derived=True,
        line_cost=20,
    ),
    "linear-model": StatisticDeclaration(
        "number",
        LinearModelParameters,
        groups=0,
        unit="rows",
        is_total=True,
        has_derived=True,
        line_cost=20,
    ),
    "most-common": StatisticDeclaration("groups", MostCommonParameters, chooses="group"),
    "cut-off": StatisticDeclaration("number", CutOffParameters, chooses="cut-off"),
    "randomised-response": StatisticDeclaration(
        None, PropertyParameters, groups=0, is_count=True, flips_answers=True
    ),
    "categories-found": StatisticDeclaration(
        "category",
        CategoriesFoundParameters,
        groups=0,
        unit="people",
        is_count=True,
        finds="categories",
    ),
    "bounds": StatisticDeclaration("number", ColumnParameters, groups=0, finds="bounds"),
}

STATISTICS: Final[tuple[Statistic, ...]] = tuple(DECLARATIONS)
