# SPDX-License-Identifier: Apache-2.0
"""The mean: a centred noisy sum over a noisy count, or over a public one."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from dpdesk.privacy.accounting import calibrate
from dpdesk.privacy.distributions import noise_distribution
from dpdesk.privacy.distributions.laplace import MISS
from dpdesk.privacy.distributions.ratio import ratio_half_width
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
from dpdesk.privacy.usable import Possible
from dpdesk.study.model.columns import Grid


class Mean(Method):
    """The mean of a number column.

    Around the middle of the bounds a value weighs at most half the range, so the sum's noise is
    half of what it would be around zero. Where the number of rows is secret, the sum and the
    count have half of the share each: with the worst mean both noises weigh the same.

    Claim (number of rows public, n): the sum alone is drawn, with all of the share. Neighbours
    replace one row, so the mean moves by at most (upper - lower) / n. Why: n is equal in both.
    """

    def parts(self, question: Question) -> tuple[Part, ...]:
        """Centred sum, and the count unless it is public."""
        unit, cells, grid = question.unit, question.size, grid_of(question)
        is_public = question.public_rows is not None
        centre = grid.last // 2
        for_sum, for_count = calibrate.split_in_half(question.share)
        moved = sum_sensitivity(unit.max_rows, cells, unit.neighbours, -centre, grid.last - centre)
        if is_public:
            for_sum = question.share
        total = measure_of(question, "sum", offset=-centre)
        step = grid.quantum * grid.factor
        parts = (additive_part("sum", total, cells, moved, for_sum, question, step),)
        if is_public:
            return parts
        counted = rows_sensitivity(unit.max_rows, cells, unit.neighbours)
        rows = measure_of(question, "rows")
        return (*parts, additive_part("rows", rows, cells, counted, for_count, question))

    def half_width(self, question: Question, parts: tuple[Part, ...]) -> Fraction | None:
        """From the public number of rows, or from the expected group size."""
        grid = grid_of(question)
        rows = question.public_rows
        if rows is not None:
            return min(parts[0].half_width * parts[0].width / rows, grid.last * parts[0].width)
        if question.query.expected is None:
            return None
        return min(ratio_margin(parts, grid) / question.query.expected, grid.last * parts[0].width)

    def accuracy_at(self, plan: QueryPlan, miss: float) -> Fraction:
        """The sum's noise over a public count, or the ratio of both noises."""
        total, grid = plan.parts[0], grid_of(plan)
        if len(plan.parts) == 1:
            margin = noise_distribution.half_width(total.noise, miss) * total.width
        else:
            margin = ratio_margin(plan.parts, grid, miss)
        return min(margin / plan.rows_divided_by, grid.last * total.width)

    def possible(self, plan: QueryPlan) -> Possible:
        """Between the bounds."""
        grid = grid_of(plan)
        return Possible(grid.lowest * grid.quantum, grid.highest * grid.quantum)

    def heads(self, plan: QueryPlan) -> tuple[PublishedColumn, ...]:
        """Value, margin, range, and the noisy integers."""
        parts = (
            PublishedColumn(f"noisy_{part.name}", "part", has_unit=False) for part in plan.parts
        )
        return (PublishedColumn("mean", "value"), *RANGE, *parts)

    def figures_at(
        self, plan: QueryPlan, noisy: Noisy, cell: int, miss: float
    ) -> tuple[Figure | None, ...]:
        """The ratio with its margin."""
        return (mean_figure(plan, grid_of(plan), tuple(v[cell] for v in noisy), miss),)

    def texts(self, plan: QueryPlan, noisy: Noisy) -> Iterator[tuple[str, ...]]:
        """One line a cell; nothing but the parts where the noisy count is below one."""
        grid = grid_of(plan)
        bounds = (grid.lowest * grid.quantum, grid.highest * grid.quantum)
        for drawn in zip(*noisy, strict=True):
            yield (*rounded_texts(mean_figure(plan, grid, drawn), *bounds), *map(str, drawn))


def mean_figure(
    plan: QueryPlan, grid: Grid, drawn: tuple[int, ...], miss: float = MISS
) -> Figure | None:
    """A mean and its margin from the noisy sum and count; ``None`` for a count below one.

    The margin is ``ratio_margin / noisy count`` (see ``ratio``), and never more than the range,
    inside which both the published and the exact mean lie. Over a public count it is the sum's.
    """
    is_public = len(drawn) == 1
    noisy_sum, rows = drawn if not is_public else (drawn[0], plan.unit.people or 0)
    if rows < 1:
        return None
    lowest, highest = grid.lowest * grid.quantum, grid.highest * grid.quantum
    step = plan.parts[0].width
    value = lowest + step * (grid.last // 2 + Fraction(noisy_sum, rows))
    if is_public:
        of_sum = noise_distribution.half_width(plan.parts[0].noise, miss) * step
    else:
        of_sum = ratio_margin(plan.parts, grid, miss)
    return Figure(min(max(value, lowest), highest), min(of_sum / rows, highest - lowest))


def ratio_margin(parts: tuple[Part, ...], grid: Grid, miss: float = MISS) -> Fraction:
    """Margin of a mean times the noisy count, in the result's unit; see ``ratio``."""
    noisy_sum, noisy_count = parts
    reach = grid.last - grid.last // 2
    return ratio_half_width(noisy_sum.noise, noisy_count.noise, reach, miss) * noisy_sum.width
