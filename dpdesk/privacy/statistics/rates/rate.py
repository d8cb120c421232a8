# SPDX-License-Identifier: Apache-2.0
"""A rate: events per so much exposure, from two noisy sums that are drawn together.

What is drawn, and how far a person moves it, is in ``rate_sums``; the margin in ``rate_margin``.
Where the noisy exposure cannot be told from 0 there is no rate, only what was drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.plan import Part, QueryPlan
from dpdesk.privacy.population.counts_and_shares import Ends
from dpdesk.privacy.question import Question
from dpdesk.privacy.statistics.base import (
    Method,
    Noisy,
    PlannedNoisy,
    PublishedColumn,
    by_cell,
    grid_of,
    measure_of,
    mechanism_of,
    summed_part,
)
from dpdesk.privacy.statistics.counts import RANGE
from dpdesk.privacy.statistics.figures_text import Figure, fixed, rounded_texts, rounding_digits
from dpdesk.privacy.statistics.rates.pooled_margin import PooledRate
from dpdesk.privacy.statistics.rates.rate_margin import DrawnRate
from dpdesk.privacy.statistics.rates.rate_sums import USUAL, RateSums, rate_sums
from dpdesk.privacy.usable import Possible
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.parameters import RateParameters, ReferenceParameters

Whose = Question | QueryPlan


class Rate(Method):
    """Rows with an event over the sum of an exposure, stated per 1,000 of it, or so.

    Claim: the vector of both sums of all cells is that of ``rate_sums``.
    """

    def parts(self, question: Question) -> tuple[Part, ...]:
        """Both sums of each cell, with all of the share."""
        unit, grid, mechanism = question.unit, grid_of(question), mechanism_of(question)
        sums = _sums(question)
        k, limit = unit.max_rows, question.query.rows_per_group
        moved = sums.sensitivity(k, min(limit or k, k), question.size, unit.neighbours, mechanism)
        measure = measure_of(
            question,
            "events-and-exposure",
            split=question.query.parameters_as(RateParameters).has,
            offset=grid.offset,
            factor=grid.factor,
            weights=sums.weights,
        )
        width = factor_of(question) / (sums.event * middle_of(question))
        return (summed_part("sums", measure, 2 * question.size, moved, question, width),)

    def half_width(self, question: Question, parts: tuple[Part, ...]) -> Fraction | None:
        """At the typical rate, of this many rows with the expected exposure."""
        rows = question.public_rows or question.query.expected
        return None if rows is None else _before(question, parts[0], rows, MISS)

    def accuracy_at(self, plan: QueryPlan, miss: float) -> Fraction:
        """As before the release."""
        return _before(plan, plan.parts[0], plan.rows_divided_by, miss)

    def in_one_form(self, question: Question) -> Question:
        """Whatever exposure is expected, the same is asked."""
        return replace(question, query=question.query.having(expected_exposure=None))

    def possible(self, plan: QueryPlan) -> Possible:
        """Not below 0; an event in every row, each exposed shortest, is the most."""
        most = most_of(plan)
        return Possible(
            Fraction(0), None if most is None else most * factor_of(plan), is_total=True
        )

    def heads(self, plan: QueryPlan) -> tuple[PublishedColumn, ...]:
        """Value, margin, range, events and exposure, and the noisy integers."""
        names = ("noisy_events", "noisy_exposure", "noisy_sum_1", "noisy_sum_2")
        parts = (PublishedColumn(name, "part", has_unit=name == "noisy_exposure") for name in names)
        return (PublishedColumn("rate", "value", has_unit=False), *without_unit(), *parts)

    def population(
        self,
        plan: QueryPlan,
        noisy: Noisy,
        spread: PlannedNoisy | None = None,
        miss: float = MISS,
    ) -> Iterator[Ends | None]:
        """Of the expected rate; see ``pooled_margin``."""
        how, factor = drawn_rate(plan, plan.parts[0]), factor_of(plan)
        pooled = PooledRate(how, (Fraction(1),), how.most)
        for drawn in by_cell(plan, noisy):
            ends = pooled.population((drawn,), miss)
            yield None if ends is None else (ends[0] * factor, ends[1] * factor)

    def figures_at(
        self, plan: QueryPlan, noisy: Noisy, cell: int, miss: float
    ) -> tuple[Figure | None, ...]:
        """The rate with its margin."""
        return (_figure(plan, list(by_cell(plan, noisy))[cell], miss),)

    def texts(self, plan: QueryPlan, noisy: Noisy) -> Iterator[tuple[str, ...]]:
        """One line a cell; nothing but what was drawn where the exposure may be 0."""
        how, quantum = drawn_rate(plan, plan.parts[0]), grid_of(plan).quantum
        digits = rounding_digits(Fraction(how.half_width_of_exposure(MISS)) * quantum)
        for drawn in by_cell(plan, noisy):
            figure, (events, exposure) = _figure(plan, drawn, MISS), how.solved(drawn)
            highest = Fraction(0) if figure is None else figure.value + figure.half_width
            shown = fixed(round(exposure * quantum * 10**digits), digits)
            texts = rounded_texts(figure, Fraction(0), highest)
            yield (*texts, str(round(events)), shown, *map(str, drawn))


def without_unit() -> Iterator[PublishedColumn]:
    """Margin and range."""
    return (PublishedColumn(head.name, head.role, has_unit=False) for head in RANGE)


def _figure(plan: QueryPlan, drawn: tuple[int, ...], miss: float) -> Figure | None:
    found = drawn_rate(plan, plan.parts[0]).released(drawn, miss)
    factor = factor_of(plan)
    return None if found is None else Figure(found.value * factor, found.half_width * factor)


def _before(whose: Whose, part: Part, rows: int, miss: float) -> Fraction:
    rho = typical_of(whose)
    rate = (USUAL if rho is None else rho) / grid_of(whose).highest
    off = Fraction(drawn_rate(whose, part).half_width_of_events(float(rate), miss))
    return off * factor_of(whose) / (rows * exposure_of(whose))


def drawn_rate(whose: Whose, part: Part) -> DrawnRate:
    """How the sums of its cells are drawn."""
    return DrawnRate(_sums(whose), part.noise, most_of(whose))


def _sums(whose: Whose) -> RateSums:
    question = whose.question if isinstance(whose, QueryPlan) else whose
    grid, neighbours = grid_of(question), question.unit.neighbours
    bounds, mechanism = (grid.lowest, grid.highest), mechanism_of(question)
    return rate_sums(bounds, question.size, neighbours, mechanism, typical_of(question))


def most_of(whose: Whose) -> Fraction | None:
    """The largest rate, in events a quantum: an event in each row, exposed shortest."""
    lowest = grid_of(whose).lowest
    return Fraction(1, lowest) if lowest > 0 else None


def middle_of(whose: Whose) -> Fraction:
    """Halfway between the bounds, in quanta."""
    grid = grid_of(whose)
    return Fraction(grid.lowest + grid.highest, 2)


def exposure_of(whose: Whose) -> Fraction:
    """What a row is exposed on average, in quanta: as declared, or halfway between the bounds."""
    expected = whose.query.parameters_as(RateParameters).expected_exposure
    return middle_of(whose) if expected is None else Fraction(expected) / grid_of(whose).quantum


def factor_of(whose: Whose) -> Fraction:
    """What a rate of one event a quantum is published as."""
    return (whose.query.parameters_as(RateParameters).per or 1) / grid_of(whose).quantum


def assumed_rate(highest: Decimal, per: int) -> Fraction:
    """The rate that a margin is planned at where none is declared.

    Args:
        highest: exposure of a row, above 0.
        per: of how much exposure it is stated.

    >>> str(assumed_rate(Decimal(365), 1000))
    '40/73'
    """
    return USUAL * per / Fraction(highest)


def planned_rate(plan: QueryPlan) -> Fraction | None:
    """What a rate's margin is planned at, or a ratio's; ``None`` of any other question."""
    own, column = plan.query.parameters, plan.column
    if isinstance(own, ReferenceParameters):
        return Fraction(1)
    if not isinstance(own, RateParameters) or not isinstance(column, NumberColumn):
        return None
    if own.typical is not None:
        return Fraction(own.typical)
    return assumed_rate(column.upper, own.per or 1) if column.upper else None


def assumed_exposure(lowest: Decimal, highest: Decimal) -> Decimal:
    """The mean exposure of a row that a margin is planned at where none is declared.

    >>> assumed_exposure(Decimal(0), Decimal(60))
    Decimal('30')
    """
    return (lowest + highest) / 2


def typical_of(whose: Whose) -> Fraction | None:
    """The declared rate, in events in a row exposed longest."""
    typical: Decimal | None = whose.query.parameters_as(RateParameters).typical
    return (
        None if typical is None else Fraction(typical) * grid_of(whose).highest / factor_of(whose)
    )
