# SPDX-License-Identifier: Apache-2.0
r"""Population variance and standard deviation, from noisy squares, sum and count.

Each row adds the whole number w = round(d^2 / g) - b to its cell's squares, d its distance from
the middle of the grid in steps, and d to the sum; see ``moments``, which also proves the margin.
The variance divides by the number of rows, not by one less.

Claim: the draws have the sensitivities of ``rows_sensitivity`` and ``sum_sensitivity``, the latter
with weights -c..h for the sum and -b..t - b for the squares, t the largest rounded square: for
both neighbours, k rows a person, and one or several cells. Why: all three are sums of one weight a
row, and both ends of each range are weights of grid values (d = -c, d = h; d = 0, d = h). With
b = t // 2 a square weighs half as much under add-remove, and in several cells, as it would
without. Under change-one in one cell the weights' range counts, which b does not change.

The shares. In squares of h an add-remove neighbour moves the squares by 1/2, the sum by 1 and the
count by 1, and the error of the variance is their noises times 1, 2m and up to m^2 + 1/2, with m
the mean's distance from the middle in h. Nobody knows m before; 3 : 5 : 4 for squares, sum and
count is within 1 in 100 of the least variance of this error at m = 1/2, and within 6 in 100 of
the least error at the worst mean, m = 1. Where the number of rows is public (change-one, one row
a person), the squares move by 1, the sum by 2, and 2 : 3 is right at m = 1/2.

In a zCDP account the noises are Gaussian unless Laplace is wanted: the three are one kind, which
the margin needs, and at the same rho a Gaussian's scale is never above a Laplace's.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from dpdesk.privacy.accounting import calibrate
from dpdesk.privacy.distributions import moments
from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.distributions.moments import IndexGrid, Noises
from dpdesk.privacy.plan import Part, QueryPlan
from dpdesk.privacy.question import Question
from dpdesk.privacy.sensitivity import rows_sensitivity, sum_sensitivity
from dpdesk.privacy.statistics.base import (
    Method,
    Noisy,
    PublishedColumn,
    additive_part,
    grid_of,
    measure_of,
)
from dpdesk.privacy.statistics.counts import RANGE
from dpdesk.privacy.statistics.figures_text import Figure, rounded_texts
from dpdesk.privacy.statistics.roots import close_root_up, root_figure, root_texts
from dpdesk.privacy.usable import Possible
from dpdesk.study.model.amount import Rho
from dpdesk.study.model.columns import Grid

WEIGHTS = (3, 5, 4)
PUBLIC_WEIGHTS = (2, 3)


class Variance(Method):
    """The population variance: the mean of squares less the square of the mean."""

    def parts(self, question: Question) -> tuple[Part, ...]:
        """Squares and sum around the middle, and the count unless it is public."""
        question, unit, cells = _of_one_kind(question), question.unit, question.size
        frame, step = IndexGrid(grid_of(question).last), _step(grid_of(question))
        k, whose = unit.max_rows, unit.neighbours
        is_public = question.public_rows is not None
        shares = calibrate.split(question.share, PUBLIC_WEIGHTS if is_public else WEIGHTS)
        squares = measure_of(
            question, "squares", offset=-frame.shift, centre=frame.centre, grain=frame.grain
        )
        moved = sum_sensitivity(k, cells, whose, -frame.shift, frame.top - frame.shift)
        width = frame.grain * step**2
        parts = [additive_part("squares", squares, cells, moved, shares[0], question, width)]
        total = measure_of(question, "sum", offset=-frame.centre)
        moved = sum_sensitivity(k, cells, whose, -frame.centre, frame.reach)
        parts.append(additive_part("sum", total, cells, moved, shares[1], question, step))
        if not is_public:
            rows, moved = measure_of(question, "rows"), rows_sensitivity(k, cells, whose)
            parts.append(additive_part("rows", rows, cells, moved, shares[2], question))
        return tuple(parts)

    def half_width(self, question: Question, parts: tuple[Part, ...]) -> Fraction | None:
        """From the public or the expected number of rows, for the worst mean and variance."""
        rows = question.public_rows or question.query.expected
        if rows is None:
            return None
        return before(grid_of(question), parts, rows)

    def accuracy_at(self, plan: QueryPlan, miss: float) -> Fraction:
        """For the worst mean and variance."""
        return before(grid_of(plan), plan.parts, plan.rows_divided_by, miss)

    def possible(self, plan: QueryPlan) -> Possible:
        """From 0 to that of values half of which lie at either bound."""
        return Possible(Fraction(0), _largest(plan))

    def heads(self, plan: QueryPlan) -> tuple[PublishedColumn, ...]:
        """Value, margin, range, and the noisy integers."""
        shown = (PublishedColumn("population_variance", "value"), *RANGE)
        return (*(replace(head, is_squared=True) for head in shown), *_drawn_heads(plan))

    def figures_at(
        self, plan: QueryPlan, noisy: Noisy, cell: int, miss: float
    ) -> tuple[Figure | None, ...]:
        """The variance with its margin."""
        return (figure_of(plan, tuple(vector[cell] for vector in noisy), miss),)

    def texts(self, plan: QueryPlan, noisy: Noisy) -> Iterator[tuple[str, ...]]:
        """One line a cell; nothing but the parts where the noisy count is below one."""
        highest = _largest(plan)
        for drawn in zip(*noisy, strict=True):
            texts = rounded_texts(figure_of(plan, drawn), Fraction(0), highest)
            yield (*texts, *map(str, drawn))


class StandardDeviation(Variance):
    """The root of the population variance.

    Its range is that of the variance, root by root. Before the release its margin is the root of
    the variance's: |root(a) - root(b)| <= root(|a - b|), with equality where one of them is 0.
    """

    def half_width(self, question: Question, parts: tuple[Part, ...]) -> Fraction | None:
        """The root of the variance's margin, rounded up."""
        margin = super().half_width(question, parts)
        return None if margin is None else close_root_up(margin)

    def accuracy_at(self, plan: QueryPlan, miss: float) -> Fraction:
        """The root of the variance's."""
        return close_root_up(super().accuracy_at(plan, miss))

    def figures_at(
        self, plan: QueryPlan, noisy: Noisy, cell: int, miss: float
    ) -> tuple[Figure | None, ...]:
        """The root, as far from the farther end of the variance's range, root by root."""
        figure = figure_of(plan, tuple(vector[cell] for vector in noisy), miss)
        return (None if figure is None else root_figure(figure, _largest(plan)),)

    def moved_by(self, plan: QueryPlan, part: Part) -> float:
        """The root of what moves the variance: |root(a) - root(b)| <= root(|a - b|)."""
        return math.sqrt(super().moved_by(plan, part))

    def possible(self, plan: QueryPlan) -> Possible:
        """From 0 to the root of the largest variance, rounded up by next to nothing."""
        return Possible(Fraction(0), close_root_up(_largest(plan)))

    def heads(self, plan: QueryPlan) -> tuple[PublishedColumn, ...]:
        """Value, margin, range, and the noisy integers."""
        return (
            PublishedColumn("population_standard_deviation", "value"),
            *RANGE,
            *_drawn_heads(plan),
        )

    def texts(self, plan: QueryPlan, noisy: Noisy) -> Iterator[tuple[str, ...]]:
        """One line a cell; nothing but the parts where the noisy count is below one."""
        highest = _largest(plan)
        for drawn in zip(*noisy, strict=True):
            yield (*root_texts(figure_of(plan, drawn), highest), *map(str, drawn))


def before(grid: Grid, parts: tuple[Part, ...], rows: int, miss: float = MISS) -> Fraction:
    """The variance's margin for a number of rows, in squares of the column's unit."""
    return (
        moments.margin_before(IndexGrid(grid.last), _noises(parts), rows, miss) * _step(grid) ** 2
    )


def figure_of(plan: QueryPlan, drawn: tuple[int, ...], miss: float = MISS) -> Figure | None:
    """A cell's variance with its margin, of what was drawn; ``None`` for a count below one."""
    frame, square = IndexGrid(grid_of(plan).last), _step(grid_of(plan)) ** 2
    rows = drawn[2] if len(drawn) > 2 else plan.unit.people or 0
    released = moments.released_variance(
        frame, _noises(plan.parts), (drawn[0], drawn[1], rows), miss
    )
    return Figure(released.value * square, released.margin * square) if released else None


def _largest(plan: QueryPlan) -> Fraction:
    """The largest variance that there can be."""
    grid = grid_of(plan)
    return IndexGrid(grid.last).most * _step(grid) ** 2


def _noises(parts: tuple[Part, ...]) -> Noises:
    return Noises(parts[0].noise, parts[1].noise, parts[2].noise if len(parts) > 2 else None)


def _drawn_heads(plan: QueryPlan) -> tuple[PublishedColumn, ...]:
    return tuple(
        PublishedColumn(f"noisy_{part.name}", "part", has_unit=False) for part in plan.parts
    )


def _of_one_kind(question: Question) -> Question:
    """The question with one kind of noise for all draws; see the head of the module."""
    if question.query.noise != "auto" or not isinstance(question.share, Rho):
        return question
    return replace(question, query=replace(question.query, noise="gaussian"))


def _step(grid: Grid) -> Fraction:
    return grid.quantum * grid.factor
