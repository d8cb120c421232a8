# SPDX-License-Identifier: Apache-2.0
"""The cells of a model, and which of them noise leaves something of."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from dpdesk.study.model.statistics import ModelKind

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

FEWEST_EVENTS = 5.0
FEWEST_NOISES = 3.0
"""What a group must have to be in a model: events, and of yes or no others; and each of its totals
in deviations of the noise of it."""
FEWEST_EVENTS_OF_TEST = 20.0
FEWEST_NOISES_OF_TEST = 8.0
"""The same for a p-value."""


@dataclass(frozen=True, eq=False)
class ModelShape:
    """What is public of the cells of a model.

    Attributes:
        groups: of each cell, the place of its group in each grouping; shape (cells, groupings).
        kind: of which model.
        takes: what y, and what n take of each noise of a cell.
        fourth: the fourth cumulant of one noise.
    """

    groups: npt.NDArray[np.int64]
    kind: ModelKind
    takes: tuple[tuple[float, float], ...]
    fourth: float


@dataclass(frozen=True, eq=False)
class ModelCells:
    """What was drawn of the cells of a model; letters as in the head of ``score_models``.

    Attributes:
        shape: what is public of them.
        events: y of each cell.
        rows: n, or the exposure.
        noise_variance: of a sum over all noises, from its weights of shape (cells, noises).
        spread: for a linear model, the variance of one row of each cell.
    """

    shape: ModelShape
    events: FloatArray
    rows: FloatArray
    noise_variance: Callable[[FloatArray], float]
    spread: FloatArray | None = None

    @property
    def groups(self) -> npt.NDArray[np.int64]:
        """See ``ModelShape``."""
        return self.shape.groups

    @property
    def is_linear(self) -> bool:
        """Whether means themselves are modelled."""
        return self.shape.kind == "linear"

    def noises_of(self, of_events: FloatArray, of_rows: FloatArray) -> FloatArray:
        """What a sum over cells takes of each noise, so much of each y and of each n."""
        own = np.array(self.shape.takes)
        found: FloatArray = np.outer(of_events, own[:, 0]) + np.outer(of_rows, own[:, 1])
        return found

    def of_chance(self, means: FloatArray) -> FloatArray:
        """The variance of y - m n without noise."""
        rows = np.maximum(self.rows, 0.0)
        if self.spread is not None:
            return rows * self.spread
        return rows * means * (1 - means) if self.shape.kind == "logistic" else rows * means

    @cached_property
    def included(self) -> BoolArray:
        """Which cells remain where groups that cannot be told from noise are left out.

        A group's totals change with the cells of others, so that is repeated until all are clear.
        """
        included = np.ones(len(self.rows), dtype=bool)
        while (unclear := next(self._unclear(included), None)) is not None:
            included &= ~unclear
        return included

    def _unclear(self, included: BoolArray) -> Iterator[BoolArray]:
        """The cells of each group whose totals are not clear of their noise."""
        for own in self.groups.T:
            for group in np.unique(own[included]):
                some = included & (own == group)
                if not self._is_clear(some, self.events, FEWEST_NOISES, FEWEST_EVENTS):
                    yield some

    @cached_property
    def mean(self) -> float:
        """Of all rows that are included."""
        return float(self.events[self.included].sum() / self.rows[self.included].sum())

    def can_be_tested(self, some: BoolArray) -> bool:
        """Whether a group is so large that the level of its p-value was measured.

        By the events that it would have if it were like all others: by its own, chance would have
        a hand in which groups are tested.
        """
        expected = self.mean * self.rows
        return self._is_clear(some, expected, FEWEST_NOISES_OF_TEST, FEWEST_EVENTS_OF_TEST)

    def _is_clear(self, some: BoolArray, events: FloatArray, noises: float, fewest: float) -> bool:
        for of_events, of_rows, least in _TOTALS[self.shape.kind]:
            total = (of_events * events + of_rows * self.rows)[some].sum()
            there = some.astype(np.float64)
            noise = self.noise_variance(self.noises_of(of_events * there, of_rows * there))
            if total <= max(least * fewest, noises * math.sqrt(noise)):
                return False
        return True


_TOTALS: Final[dict[ModelKind, tuple[tuple[float, float, float], ...]]] = {
    "logistic": ((1.0, 0.0, 1.0), (-1.0, 1.0, 1.0)),
    "poisson": ((1.0, 0.0, 1.0), (0.0, 1.0, 0.0)),
    "linear": ((0.0, 1.0, 1.0),),
}
"""What must be clear of noise: so many of the events, and of the rows; whether there is a least."""
