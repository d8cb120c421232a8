# SPDX-License-Identifier: Apache-2.0
r"""Population variance and standard deviation, of three noisy sums that are drawn together.

What each row adds to the sums of its cell, and how far one person can move them, is in
``joint_sums``; ``moments`` proves the margin. The variance divides by the number of rows, not by
one less. Where the number of rows is public (change-one, one row a person) two sums are drawn.

Before the release the margin is that of any mean and variance, or, where a standard deviation is
expected, of that one: a standard deviation near 0 is the least certain, by far. The expected one
changes nothing of what is drawn, published or stored.

The same sums say the mean of the rows (``mean_beside``), at no further cost.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from dpdesk.privacy.distributions import moments
from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.joint_sums import fineness, leaves_groups, variance_sums
from dpdesk.privacy.plan import Part, QueryPlan
from dpdesk.privacy.question import Question
from dpdesk.privacy.statistics.base import (
    Method,
    Noisy,
    PublishedColumn,
    by_cell,
    drawn_sums,
    grid_of,
    joint_part,
    mechanism_of,
    noisy_rows,
    rows_head,
    sum_heads,
)
from dpdesk.privacy.statistics.counts import RANGE
from dpdesk.privacy.statistics.figures_text import Figure, rounded_texts
from dpdesk.privacy.statistics.roots import close_root_up, root_figure, root_texts
from dpdesk.privacy.usable import Possible
from dpdesk.study.model.columns import Grid
from dpdesk.study.model.parameters import SpreadParameters


class Variance(Method):
    """The population variance: the mean of squares less the square of the mean."""

    one_side = moments.ONE_SIDE

    def parts(self, question: Question) -> tuple[Part, ...]:
        """The sums of each cell."""
        grid, unit, limit = grid_of(question), question.unit, question.query.rows_per_group
        sums = variance_sums(
            grid.last,
            question.size,
            unit.neighbours,
            mechanism_of(question),
            is_public=question.public_rows is not None,
            is_limited=limit is not None and not leaves_groups(unit.max_rows, limit, question.size),
        )
        return (joint_part(question, sums, _step(grid) ** 2 * grid.last / fineness(grid.last)),)

    def half_width(self, question: Question, parts: tuple[Part, ...]) -> Fraction | None:
        """From the public or the expected number of rows; for the worst mean."""
        rows = question.public_rows or question.query.expected
        return None if rows is None else _before(question, parts, rows, MISS)

    def accuracy_at(self, plan: QueryPlan, miss: float) -> Fraction:
        """For the worst mean."""
        return _before(plan, plan.parts, plan.rows_divided_by, miss)

    def in_one_form(self, question: Question) -> Question:
        """Whatever deviation is expected, the same is asked."""
        return replace(question, query=question.query.having(expected_deviation=None))

    def possible(self, plan: QueryPlan) -> Possible:
        """From 0 to that of values half of which lie at either bound."""
        return Possible(Fraction(0), _largest(plan))

    def heads(self, plan: QueryPlan) -> tuple[PublishedColumn, ...]:
        """Value, margin, range, the number of rows, and the noisy integers."""
        shown = (PublishedColumn("population_variance", "value"), *RANGE)
        return (*(replace(head, is_squared=True) for head in shown), *_drawn_heads(plan))

    def figures_at(
        self, plan: QueryPlan, noisy: Noisy, cell: int, miss: float
    ) -> tuple[Figure | None, ...]:
        """The variance with its margin."""
        return (figure_of(plan, list(by_cell(plan, noisy))[cell], miss),)

    def texts(self, plan: QueryPlan, noisy: Noisy) -> Iterator[tuple[str, ...]]:
        """One line a cell; nothing but what was drawn where the noisy count is below one."""
        highest = _largest(plan)
        for drawn in by_cell(plan, noisy):
            texts = rounded_texts(figure_of(plan, drawn), Fraction(0), highest)
            yield (*texts, *_drawn_texts(plan, drawn))


class StandardDeviation(Variance):
    """The root of the population variance.

    Its range is that of the variance, root by root: before the release, of an expected one. Where
    none is expected its margin is the root of the variance's: |root(a) - root(b)| <=
    root(|a - b|), with equality where one of them is 0.
    """

    def half_width(self, question: Question, parts: tuple[Part, ...]) -> Fraction | None:
        """From the variance's margin, root by root."""
        margin = super().half_width(question, parts)
        return None if margin is None else _root_before(question, margin)

    def accuracy_at(self, plan: QueryPlan, miss: float) -> Fraction:
        """From the variance's margin, root by root."""
        return _root_before(plan, super().accuracy_at(plan, miss))

    def figures_at(
        self, plan: QueryPlan, noisy: Noisy, cell: int, miss: float
    ) -> tuple[Figure | None, ...]:
        """The root, as far from the farther end of the variance's range, root by root."""
        figure = figure_of(plan, list(by_cell(plan, noisy))[cell], miss)
        return (None if figure is None else root_figure(figure, _largest(plan)),)

    def moved_by(self, plan: QueryPlan, part: Part) -> float:
        """From what moves the variance, as the margin before the release."""
        expected = float(_expected(plan) or 0)
        return math.sqrt(expected + super().moved_by(plan, part)) - math.sqrt(expected)

    def possible(self, plan: QueryPlan) -> Possible:
        """From 0 to the root of the largest variance, rounded up by next to nothing."""
        return Possible(Fraction(0), close_root_up(_largest(plan)))

    def heads(self, plan: QueryPlan) -> tuple[PublishedColumn, ...]:
        """Value, margin, range, the number of rows, and the noisy integers."""
        return (
            PublishedColumn("population_standard_deviation", "value"),
            *RANGE,
            *_drawn_heads(plan),
        )

    def texts(self, plan: QueryPlan, noisy: Noisy) -> Iterator[tuple[str, ...]]:
        """One line a cell; nothing but what was drawn where the noisy count is below one."""
        highest = _largest(plan)
        for drawn in by_cell(plan, noisy):
            figure = root_texts(figure_of(plan, drawn), highest)
            yield (*figure, *_drawn_texts(plan, drawn))


def figure_of(plan: QueryPlan, drawn: tuple[int, ...], miss: float = MISS) -> Figure | None:
    """A cell's variance with its margin, of what was drawn; ``None`` for a count below one."""
    found = moments.released_variance(drawn_sums(plan, plan.parts), drawn, miss)
    square = _step(grid_of(plan)) ** 2
    return Figure(found.value * square, found.margin * square) if found else None


def mean_beside(plan: QueryPlan, drawn: tuple[int, ...], miss: float = MISS) -> Figure | None:
    """The mean of a cell's rows, of the sums that were drawn for its variance.

    Claim (add-remove or change-one, any k): the exact mean is within the margin with probability
    1 - miss or more, by itself. Why: ``moments.released_mean`` proves it for the noisy n' and I' of
    any sums that were drawn together, and a variance's are such. It is post-processing.
    """
    grid = grid_of(plan)
    found = moments.released_mean(drawn_sums(plan, plan.parts), drawn, miss)
    if found is None:
        return None
    return Figure(
        grid.lowest * grid.quantum + _step(grid) * found.value, _step(grid) * found.margin
    )


def mean_before(plan: QueryPlan, miss: float = MISS) -> Fraction | None:
    """The margin of the mean beside a variance, before the release; ``None`` without a guess.

    Claim: for the public or the expected number of rows, and the worst mean, that of
    ``mean_beside``. Why: ``moments.mean_before`` bounds it for any sums that are drawn together.
    """
    rows = plan.public_rows or plan.query.expected
    if rows is None:
        return None
    margin = moments.mean_before(drawn_sums(plan, plan.parts), rows, miss)
    return margin * _step(grid_of(plan))


def _before(
    whose: Question | QueryPlan, parts: tuple[Part, ...], rows: int, miss: float
) -> Fraction:
    """The variance's margin for a number of rows, in squares of the column's unit."""
    square, expected = _step(grid_of(whose)) ** 2, _expected(whose)
    variance = None if expected is None else expected / square
    return moments.variance_before(drawn_sums(whose, parts), rows, miss, variance) * square


def _root_before(whose: Question | QueryPlan, margin: Fraction) -> Fraction:
    """A root's margin, from its square's: about the expected one, or about 0."""
    expected = _expected(whose)
    if expected is None:
        return close_root_up(margin)
    return root_figure(Figure(expected, margin), _largest(whose)).half_width


def _expected(whose: Question | QueryPlan) -> Fraction | None:
    """The variance that is expected."""
    deviation = whose.query.parameters_as(SpreadParameters).expected_deviation
    return None if deviation is None else Fraction(deviation) ** 2


def _largest(whose: Question | QueryPlan) -> Fraction:
    """The largest variance that there can be."""
    grid = grid_of(whose)
    return Fraction(grid.last**2, 4) * _step(grid) ** 2


def _drawn_heads(plan: QueryPlan) -> tuple[PublishedColumn, ...]:
    rows = () if plan.public_rows is not None else (rows_head(),)
    return (*rows, *sum_heads(plan))


def _drawn_texts(plan: QueryPlan, drawn: tuple[int, ...]) -> tuple[str, ...]:
    rows = () if plan.public_rows is not None else (noisy_rows(plan, drawn),)
    return (*rows, *map(str, drawn))


def _step(grid: Grid) -> Fraction:
    return grid.quantum * grid.factor
