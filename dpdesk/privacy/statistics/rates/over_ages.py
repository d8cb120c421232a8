# SPDX-License-Identifier: Apache-2.0
"""Age-standardised rates and ratios: functions of the sums of a rate by age group.

What is drawn is the vector of a rate with the age groups for its last grouping, of the same
sensitivity (``rate_sums``), and stored under the question that this rate is: a study that asks
for both pays once. Everything here follows from what was drawn.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from math import floor
from typing import ClassVar

from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.plan import Part, QueryPlan
from dpdesk.privacy.population.counts_and_shares import Ends
from dpdesk.privacy.question import Question
from dpdesk.privacy.statistics.base import (
    Method,
    Noisy,
    PlannedNoisy,
    PublishedColumn,
    grid_of,
)
from dpdesk.privacy.statistics.figures_text import Figure, rounded_texts
from dpdesk.privacy.statistics.rates.pooled_margin import Drawn, PooledRate
from dpdesk.privacy.statistics.rates.rate import (
    Rate,
    drawn_rate,
    exposure_of,
    factor_of,
    most_of,
    typical_of,
    without_unit,
)
from dpdesk.privacy.statistics.rates.rate_margin import DrawnRate
from dpdesk.privacy.statistics.rates.rate_sums import USUAL
from dpdesk.privacy.statistics.rates.standardised_margin import StandardisedRate
from dpdesk.privacy.usable import Possible
from dpdesk.study.model.parameters import (
    OWN_WEIGHTS,
    ByAgeParameters,
    ReferenceParameters,
    StandardParameters,
)
from dpdesk.study.standard_populations import for_each_group, weights_of


def by_age(question: Question) -> Question:
    """The rate by age group whose sums are drawn."""
    query, own = question.query, question.query.parameters_as(ByAgeParameters)
    column = next(one for one in question.used if one.name == own.over)
    asked = replace(query.having(statistic="rate", by=(*query.by, own.grouping)), stray=())
    return replace(question, query=asked, by=(*question.by, column))


class OverAges(Method):
    """A figure for each cell, of the sums of all its age groups."""

    name: ClassVar[str]
    """The figure's machine name."""
    asides: ClassVar[tuple[str, ...]]
    """What stands beside it, each with its margin."""

    def parts(self, question: Question) -> tuple[Part, ...]:
        """Both sums of each age group of each cell, with all of the share."""
        return Rate().parts(by_age(question))

    def in_one_form(self, question: Question) -> Question:
        """That of the rate by age group."""
        return Rate().in_one_form(by_age(question))

    def half_width(self, question: Question, parts: tuple[Part, ...]) -> Fraction | None:
        """At the typical rate, the rows of a cell spread evenly over its age groups."""
        rows = question.public_rows or question.query.expected
        return None if rows is None else self.before(question, parts[0], rows, MISS)

    def accuracy_at(self, plan: QueryPlan, miss: float) -> Fraction:
        """As before the release."""
        return self.before(plan.question, plan.parts[0], plan.rows_divided_by, miss)

    @abstractmethod
    def before(self, question: Question, part: Part, rows: int, miss: float) -> Fraction:
        """The margin of a cell of this many rows."""

    @abstractmethod
    def figure(self, plan: QueryPlan, drawn: Drawn, miss: float) -> Figure | None:
        """A cell's figure with its margin."""

    @abstractmethod
    def beside_it(self, plan: QueryPlan, drawn: Drawn) -> tuple[Figure | None, ...]:
        """What stands beside it."""

    def heads(self, plan: QueryPlan) -> tuple[PublishedColumn, ...]:
        """The figure, what is beside it, and the noisy sums of each age group."""
        return (
            PublishedColumn(self.name, "value", has_unit=False),
            *without_unit(),
            *(head for name in self.asides for head in _beside(name)),
            *(
                PublishedColumn(f"noisy_sum_{n}", "part", has_unit=False)
                for n in range(1, 2 * ages_of(plan.question) + 1)
            ),
        )

    def figures_at(
        self, plan: QueryPlan, noisy: Noisy, cell: int, miss: float
    ) -> tuple[Figure | None, ...]:
        """The figure with its margin."""
        return (self.figure(plan, cells_of(plan, noisy)[cell], miss),)

    def texts(self, plan: QueryPlan, noisy: Noisy) -> Iterator[tuple[str, ...]]:
        """One line a cell; what says nothing is empty."""
        for drawn in cells_of(plan, noisy):
            figure = self.figure(plan, drawn, MISS)
            highest = Fraction(0) if figure is None else figure.value + figure.half_width
            texts = rounded_texts(figure, Fraction(0), highest)
            beside = (
                text for one in self.beside_it(plan, drawn) for text in _value_and_margin(one)
            )
            yield (*texts, *beside, *(str(one) for pair in drawn for one in pair))


def _beside(name: str) -> tuple[PublishedColumn, PublishedColumn]:
    return (
        PublishedColumn(name, "aside", has_unit=False),
        PublishedColumn(f"{name}_half_width_95", "aside-half-width", has_unit=False),
    )


def _value_and_margin(figure: Figure | None) -> tuple[str, str]:
    if figure is None:
        return "", ""
    ends = figure.value - figure.half_width, figure.value + figure.half_width
    value, margin, *_ends = rounded_texts(figure, *ends)
    return value, margin


def ages_of(question: Question) -> int:
    """How many age groups there are."""
    return len(by_age(question).labels[-1])


def cells_of(plan: QueryPlan, noisy: Noisy) -> list[Drawn]:
    """The pairs of noisy sums of each cell's age groups."""
    ages, sums = ages_of(plan.question), noisy[0]
    pairs = list(zip(sums[::2], sums[1::2], strict=True))
    return [pairs[start : start + ages] for start in range(0, len(pairs), ages)]


def crude_of(plan: QueryPlan) -> PooledRate:
    """All age groups of a cell as one."""
    how = _how(plan.question, plan.parts[0])
    return PooledRate(how, (Fraction(1),) * ages_of(plan.question), how.most)


def as_published(question: Question, figure: Figure | None) -> Figure | None:
    """A rate in events a quantum as it is published."""
    factor = factor_of(question)
    return None if figure is None else Figure(figure.value * factor, figure.half_width * factor)


def _how(question: Question, part: Part) -> DrawnRate:
    return drawn_rate(by_age(question), part)


def _events(pooled: PooledRate, drawn: Drawn) -> Figure:
    return Figure(pooled.sums(drawn)[0], Fraction(pooled.off_of_events(MISS)))


class StandardisedRates(OverAges):
    """The rate that the standard population would have at each cell's rates by age."""

    name = "standardised_rate"
    asides = ("crude_rate", "events")

    def rows_of_an_age(self, plan: QueryPlan) -> int:
        """How many rows of the expected exposure an age group needs, but for noise.

        With fewer in one age group of a cell, that cell has no figure.
        """
        least = standardised_of(plan.question, plan.parts[0]).least_exposure
        return floor(Fraction(least) / exposure_of(plan.question)) + 1

    def before(self, question: Question, part: Part, rows: int, miss: float) -> Fraction:
        """See the base class."""
        rho, grid = typical_of(question), grid_of(question)
        rate = float((USUAL if rho is None else rho) / grid.highest)
        exposure = float(exposure_of(question)) * rows / ages_of(question)
        how = standardised_of(question, part)
        return Fraction(how.before(exposure, rate, miss)) * factor_of(question)

    def possible(self, plan: QueryPlan) -> Possible:
        """Not below 0; an event in every row, each exposed shortest, is the most."""
        most = most_of(plan)
        return Possible(Fraction(0), None if most is None else most * factor_of(plan), True)

    def figure(self, plan: QueryPlan, drawn: Drawn, miss: float) -> Figure | None:
        """See the base class."""
        how = standardised_of(plan.question, plan.parts[0])
        return as_published(plan.question, how.released(drawn, miss))

    def beside_it(self, plan: QueryPlan, drawn: Drawn) -> tuple[Figure | None, ...]:
        """The crude rate, and the events."""
        crude = crude_of(plan)
        return as_published(plan.question, crude.released(drawn, MISS)), _events(crude, drawn)

    def population(
        self,
        plan: QueryPlan,
        noisy: Noisy,
        spread: PlannedNoisy | None = None,
        miss: float = MISS,
    ) -> Iterator[Ends | None]:
        """Of the expected rate; see ``standardised_margin``."""
        how, factor = standardised_of(plan.question, plan.parts[0]), factor_of(plan)
        for drawn in cells_of(plan, noisy):
            ends = how.population(drawn, miss)
            yield None if ends is None else (ends[0] * factor, ends[1] * factor)


def standardised_of(question: Question, part: Part) -> StandardisedRate:
    """The weights of the declared standard."""
    own = question.query.parameters_as(StandardParameters)
    numbers, column = tuple(map(Fraction, own.weights)), by_age(question).by[-1]
    weights = weights_of(own.standard or OWN_WEIGHTS, numbers, own.grouping, column)
    return StandardisedRate(_how(question, part), weights)


class StandardisedRatio(OverAges):
    """Events over those expected at the reference rates (indirect standardisation)."""

    name = "ratio"
    asides = ("events", "expected")

    def before(self, question: Question, part: Part, rows: int, miss: float) -> Fraction:
        """See the base class; at a ratio of 1."""
        pooled = ratio_of(question, part)
        exposure = exposure_of(question) * rows / ages_of(question)
        return Fraction(pooled.off_at_one(miss)) / (exposure * sum(pooled.factors))

    def possible(self, plan: QueryPlan) -> Possible:
        """Not below 0."""
        return Possible(Fraction(0), None, is_total=True)

    def figure(self, plan: QueryPlan, drawn: Drawn, miss: float) -> Figure | None:
        """See the base class."""
        return ratio_of(plan.question, plan.parts[0]).released(drawn, miss)

    def beside_it(self, plan: QueryPlan, drawn: Drawn) -> tuple[Figure | None, ...]:
        """The events, and those expected."""
        pooled = ratio_of(plan.question, plan.parts[0])
        expected = Figure(pooled.sums(drawn)[1], Fraction(pooled.off_of_exposure(MISS)))
        return _events(pooled, drawn), expected

    def population(
        self,
        plan: QueryPlan,
        noisy: Noisy,
        spread: PlannedNoisy | None = None,
        miss: float = MISS,
    ) -> Iterator[Ends | None]:
        """Of the ratio of expected events; see ``pooled_margin``."""
        pooled = ratio_of(plan.question, plan.parts[0])
        return (pooled.population(drawn, miss) for drawn in cells_of(plan, noisy))


def ratio_of(question: Question, part: Part) -> PooledRate:
    """Exposures weighted by the reference rates."""
    own = question.query.parameters_as(ReferenceParameters)
    rates = tuple(Fraction(one) / factor_of(question) for one in own.reference)
    each = for_each_group(own.grouping, by_age(question).by[-1], rates)
    return PooledRate(_how(question, part), each)
