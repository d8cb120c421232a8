# SPDX-License-Identifier: Apache-2.0
"""The mean: of two noisy sums that are drawn together, or of one over a public count."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from dpdesk.privacy.distributions import moments, noise_distribution
from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.joint_sums import mean_sums
from dpdesk.privacy.plan import Part, QueryPlan
from dpdesk.privacy.population.counts_and_shares import Ends
from dpdesk.privacy.population.means import OF_SPREAD, expected_mean, expected_mean_of_known
from dpdesk.privacy.question import Question
from dpdesk.privacy.sensitivity import sum_sensitivity
from dpdesk.privacy.statistics.base import (
    Method,
    Noisy,
    PlannedNoisy,
    PublishedColumn,
    additive_part,
    by_cell,
    drawn_sums,
    grid_of,
    joint_part,
    measure_of,
    mechanism_of,
    noisy_rows,
    rows_head,
    sum_heads,
)
from dpdesk.privacy.statistics.counts import RANGE
from dpdesk.privacy.statistics.figures_text import Figure, rounded_texts
from dpdesk.privacy.statistics.variance import figure_of
from dpdesk.privacy.usable import Possible
from dpdesk.study.model.columns import Grid

Parts = tuple[Part, ...]


class Mean(Method):
    """The mean of a number column; its sums and their sensitivity are in ``joint_sums``.

    Claim (number of rows public, n): the sum around the middle alone is drawn. Neighbours replace
    one row, so it moves by at most upper - lower, and the mean by 1/n of that. Why: n is equal in
    both.
    """

    def parts(self, question: Question) -> Parts:
        """Both sums of each cell, or the one beside a public number of rows."""
        unit, grid = question.unit, grid_of(question)
        step, k = grid.quantum * grid.factor, unit.max_rows
        if question.public_rows is None:
            sums = mean_sums(grid.last, question.size, unit.neighbours, mechanism_of(question))
            # The index, or twice its distance from the middle.
            return (joint_part(question, sums, step / sums.weights[0][1]),)
        centre = grid.last // 2
        moved = sum_sensitivity(k, 1, unit.neighbours, -centre, grid.last - centre)
        total = measure_of(question, "sum", offset=-centre)
        return (additive_part("sum", total, 1, moved, question.share, question, step),)

    def half_width(self, question: Question, parts: Parts) -> Fraction | None:
        """From the public number of rows, or from the expected group size."""
        rows = question.public_rows or question.query.expected
        return None if rows is None else _before(question, parts, rows, MISS)

    def accuracy_at(self, plan: QueryPlan, miss: float) -> Fraction:
        """For the worst mean."""
        return _before(plan, plan.parts, plan.rows_divided_by, miss)

    def possible(self, plan: QueryPlan) -> Possible:
        """Between the bounds."""
        grid = grid_of(plan)
        return Possible(grid.lowest * grid.quantum, grid.highest * grid.quantum)

    def heads(self, plan: QueryPlan) -> tuple[PublishedColumn, ...]:
        """Value, margin, range, the number of rows, and the noisy integers."""
        alone = (PublishedColumn("noisy_sum", "part", has_unit=False),)
        drawn = (rows_head(), *sum_heads(plan)) if plan.public_rows is None else alone
        return (PublishedColumn("mean", "value"), *RANGE, *drawn)

    def figures_at(
        self, plan: QueryPlan, noisy: Noisy, cell: int, miss: float
    ) -> tuple[Figure | None, ...]:
        """The mean with its margin."""
        return (mean_figure(plan, _cells(plan, noisy)[cell], miss),)

    def population(
        self,
        plan: QueryPlan,
        noisy: Noisy,
        spread: PlannedNoisy | None = None,
        miss: float = MISS,
    ) -> Iterator[Ends | None]:
        """Of the mean, by the variance of the same rows; no interval without one.

        Raises:
            ValueError: it is that of other cells.
        """
        drawn = _cells(plan, noisy)
        if spread is None:
            return iter([None] * len(drawn))
        if spread[0].cells != plan.cells:
            raise ValueError("a variance of other cells")
        variances = (figure_of(spread[0], one, OF_SPREAD) for one in by_cell(*spread))
        return (_of_population(plan, *both, miss) for both in zip(drawn, variances, strict=True))

    def texts(self, plan: QueryPlan, noisy: Noisy) -> Iterator[tuple[str, ...]]:
        """One line a cell; nothing but what was drawn where the noisy count is below one."""
        grid = grid_of(plan)
        bounds = (grid.lowest * grid.quantum, grid.highest * grid.quantum)
        for drawn in _cells(plan, noisy):
            rows = () if plan.public_rows is not None else (noisy_rows(plan, drawn),)
            figure = rounded_texts(mean_figure(plan, drawn), *bounds)
            yield (*figure, *rows, *map(str, drawn))


def _of_population(
    plan: QueryPlan, drawn: tuple[int, ...], variance: Figure | None, miss: float
) -> Ends | None:
    if variance is None:
        return None
    grid, rows = grid_of(plan), plan.public_rows
    step, last = grid.quantum * grid.factor, grid.last
    most = float((variance.value + variance.half_width) / (step * last) ** 2)
    if rows is None:
        parts = expected_mean(drawn_sums(plan, plan.parts), drawn, most, miss)
    else:
        mean = last // 2 + Fraction(drawn[0], rows)
        near, noise = float(mean / last), plan.parts[0].noise
        parts = expected_mean_of_known(noise, last, near, rows, most, miss)
    if parts is None:
        return None
    low, high = (grid.lowest * grid.quantum + step * last * part for part in parts)
    return low, high


def mean_figure(plan: QueryPlan, drawn: tuple[int, ...], miss: float = MISS) -> Figure | None:
    """A mean and its margin from the noisy sums of a cell; ``None`` for a count below one.

    Over a public count the margin is the sum's, and never more than the range, inside which both
    the published and the exact mean lie.
    """
    grid = grid_of(plan)
    lowest, step = grid.lowest * grid.quantum, grid.quantum * grid.factor
    if plan.public_rows is not None:
        return _over_public(plan, grid, drawn[0], miss)
    found = moments.released_mean(drawn_sums(plan, plan.parts), drawn, miss)
    return Figure(lowest + step * found.value, step * found.margin) if found else None


def _over_public(plan: QueryPlan, grid: Grid, noisy_sum: int, miss: float) -> Figure:
    rows, (total,) = plan.rows_divided_by, plan.parts
    mean = grid.last // 2 + Fraction(noisy_sum, rows)
    off = Fraction(noise_distribution.half_width(total.noise, miss), rows)
    value = min(max(mean, Fraction(0)), Fraction(grid.last)) * total.width
    return Figure(grid.lowest * grid.quantum + value, min(off, Fraction(grid.last)) * total.width)


def _before(whose: Question | QueryPlan, parts: Parts, rows: int, miss: float) -> Fraction:
    (part,), grid = parts, grid_of(whose)
    if whose.public_rows is None:
        off = moments.mean_before(drawn_sums(whose, parts), rows, miss)
    else:
        off = Fraction(noise_distribution.half_width(part.noise, miss), rows)
    return min(off, Fraction(grid.last)) * grid.quantum * grid.factor


def _cells(plan: QueryPlan, noisy: Noisy) -> list[tuple[int, ...]]:
    return list(by_cell(plan, noisy)) if plan.public_rows is None else [(noisy[0][0],)]
