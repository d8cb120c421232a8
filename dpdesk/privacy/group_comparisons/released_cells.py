# SPDX-License-Identifier: Apache-2.0
"""What a release says of the cells of a model: events and rows with their noise."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpdesk.privacy.consistent import ConsistentFigures
from dpdesk.privacy.group_comparisons.model_cells import FloatArray, ModelCells, ModelShape
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.reconcile.marginals import variance_of
from dpdesk.privacy.statistics.base import Noisy, PlannedNoisy, by_cell, drawn_sums, grid_of
from dpdesk.privacy.statistics.rates.rate import drawn_rate
from dpdesk.privacy.statistics.variance import figure_of
from dpdesk.study.model.statistics import ModelKind

Takes = tuple[tuple[float, float], ...]
Pairs = Iterator[tuple[Fraction | int, Fraction | int]]


@dataclass(frozen=True)
class ReleasedAnswer:
    """A query's answer.

    Attributes:
        plan: the query's.
        noisy: what was drawn.
        consistent: its figures, where they were made consistent with those of other tables.
        spread: the answer with the variance of a mean's cells.
    """

    plan: QueryPlan
    noisy: Noisy
    consistent: ConsistentFigures | None = None
    spread: PlannedNoisy | None = None


def released_cells(answered: ReleasedAnswer) -> ModelCells:
    """The cells of a query's model.

    Raises:
        ValueError: its statistic has none.
    """
    plan = answered.plan
    kind = plan.query.declaration.model
    if kind is None:
        raise ValueError("no model")
    pairs, takes = _CELLS[kind](answered)
    events, rows = (np.array(list(map(float, one))) for one in zip(*pairs, strict=True))
    labels = plan.question.labels
    places = [
        [own.index(one) for own, one in zip(labels, cell, strict=True)] for cell in plan.cells
    ]
    shape = ModelShape(np.array(places), kind, takes, _fourth(plan.parts[0].noise))
    spread = _spread(answered) if kind == "linear" else None
    return ModelCells(shape, events, rows, _noise_variance(answered), spread)


def scale_of(plan: QueryPlan) -> Fraction:
    """What 1 is worth on the scale of a linear model, in the result's unit."""
    grid = grid_of(plan)
    return grid.quantum * grid.factor * grid.last


def _noise_variance(answered: ReleasedAnswer) -> Callable[[FloatArray], float]:
    """Of a sum over all noises.

    Those of consistent figures are correlated; each line of the table has one.
    """
    if answered.consistent is not None:
        return answered.consistent.errors.variance
    one = variance_of(((answered.plan.parts[0].noise, 1.0, 1),))
    return lambda weights: one * float((weights**2).sum())


def _fourth(noise: Noise) -> float:
    """The fourth cumulant."""
    return 12 * noise.scale**4 if noise.mechanism == "laplace" else 0.0


def _of_share(answered: ReleasedAnswer) -> tuple[Pairs, Takes]:
    """Rows with the property, and all of which it is known: of counts without and with it."""
    cells, figures = range(len(answered.plan.cells)), answered.consistent
    lines = answered.noisy[0] if figures is None else None

    def line(at: int) -> Fraction | int:
        return figures.value(at) if lines is None and figures is not None else answered.noisy[0][at]

    pairs = ((line(2 * cell + 1), line(2 * cell) + line(2 * cell + 1)) for cell in cells)
    return pairs, ((0.0, 1.0), (1.0, 1.0))


def _of_rate(answered: ReleasedAnswer) -> tuple[Pairs, Takes]:
    """Events, and exposure in quanta."""
    plan = answered.plan
    how = drawn_rate(plan, plan.parts[0])
    beside = -how.sums.beside / (how.sums.event * how.sums.exposure)
    takes = ((1 / how.sums.event, beside), (0.0, 1 / how.sums.exposure))
    drawn = zip(*[iter(answered.noisy[0])] * 2, strict=True)
    return (how.solved(pair) for pair in drawn), takes


def _of_mean(answered: ReleasedAnswer) -> tuple[Pairs, Takes]:
    """The sum of values in parts of the column's range, and rows."""
    plan = answered.plan
    how = drawn_sums(plan, plan.parts)
    both = zip(how.noise_weights((0.0, 1.0)), how.noise_weights((1.0, 0.0)), strict=True)
    takes = tuple((of_sum / how.unit, of_rows / how.unit) for of_sum, of_rows in both)

    def pair(drawn: tuple[int, ...]) -> tuple[Fraction, Fraction]:
        rows, total, *_, parts = how.solved(drawn)
        return Fraction(total, parts), Fraction(rows, parts)

    return map(pair, by_cell(plan, answered.noisy)), takes


_CELLS: dict[ModelKind, Callable[[ReleasedAnswer], tuple[Pairs, Takes]]] = {
    "logistic": _of_share,
    "poisson": _of_rate,
    "linear": _of_mean,
}


def _spread(answered: ReleasedAnswer) -> FloatArray:
    """The variance of one row of each cell, in squares of the column's range.

    Where noise left none, it is the largest there can be.

    Raises:
        ValueError: no variance of the same cells was released.
    """
    if answered.spread is None or answered.spread[0].cells != answered.plan.cells:
        raise ValueError("no variance of these cells")
    square = float(scale_of(answered.plan)) ** 2
    figures = (figure_of(answered.spread[0], one) for one in by_cell(*answered.spread))
    found = (0.25 if one is None else float(one.value) / square for one in figures)
    clipped: FloatArray = np.clip(np.array(list(found)), 0.0, 0.25)
    return clipped
